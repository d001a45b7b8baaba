/* Memory of the card, copies, and launches of kernels: by CUDA, or by the processor. Every function tells
 * what went wrong, NULL if nothing did. What is launched or copied follows one after another; only
 * card_wait waits. */
#ifndef SCREE_CUDA_CARD_H
#define SCREE_CUDA_CARD_H

#include "lanes.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __CUDACC__

static const char *told(cudaError_t error) {
    return error == cudaSuccess ? NULL : cudaGetErrorString(error);
}

/* The first card, its name, and the shared memory that a block may have. */
static const char *card_find(char name[256], size_t *shared) {
    struct cudaDeviceProp found;
    const char *fault = told(cudaGetDeviceProperties(&found, 0));
    if (fault == NULL) {
        snprintf(name, 256, "%s", found.name);
        *shared = found.sharedMemPerBlockOptin;
        fault = told(cudaSetDevice(0));
    }
    return fault;
}

static const char *card_allocate(void **memory, size_t bytes) {
    return told(cudaMalloc(memory, bytes));
}
static void card_free(void *memory) {
    (void)cudaFree(memory);
}
/* Memory of the processor that the card reads and writes directly. */
static const char *card_allocate_locked(void **memory, size_t bytes) {
    return told(cudaMallocHost(memory, bytes));
}
static void card_free_locked(void *memory) {
    (void)cudaFreeHost(memory);
}
static const char *card_put(void *to, const void *from, size_t bytes) {
    return told(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, 0));
}
static const char *card_get(void *to, const void *from, size_t bytes) {
    return told(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, 0));
}
static const char *card_clear(void *memory, size_t bytes) {
    return told(cudaMemsetAsync(memory, 0, bytes, 0));
}
static const char *card_wait(void) {
    return told(cudaStreamSynchronize(0));
}

/* A kernel may have to be told before that it gets much shared memory. */
#define card_allow_shared(kernel, bytes)                                                           \
    told(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)(bytes)))
#define CARD_LAUNCH(fault, kernel, blocks, bytes, arguments)                                       \
    do {                                                                                           \
        kernel<<<(unsigned)(blocks), LANES, (bytes)>>>(arguments);                                 \
        (fault) = told(cudaGetLastError());                                                        \
    } while (0)

#else

/* As much shared memory as an H200 has. */
static const char *card_find(char name[256], size_t *shared) {
    snprintf(name, 256, "the processor in place of a GPU");
    *shared = 227 * 1024;
    return NULL;
}
static const char *card_allocate(void **memory, size_t bytes) {
    *memory = malloc(bytes);
    return *memory != NULL ? NULL : "out of memory";
}
static void card_free(void *memory) {
    free(memory);
}
static const char *card_allocate_locked(void **memory, size_t bytes) {
    return card_allocate(memory, bytes);
}
static void card_free_locked(void *memory) {
    card_free(memory);
}
static const char *card_put(void *to, const void *from, size_t bytes) {
    memcpy(to, from, bytes);
    return NULL;
}
static const char *card_get(void *to, const void *from, size_t bytes) {
    return card_put(to, from, bytes);
}
static const char *card_clear(void *memory, size_t bytes) {
    memset(memory, 0, bytes);
    return NULL;
}
static const char *card_wait(void) {
    return NULL;
}

#define card_allow_shared(kernel, bytes) ((void)(kernel), (void)(bytes), (const char *)NULL)

/* Block by block. Each gets exactly the shared memory that was asked for, with nothing in it that one
 * could calculate with. */
#define CARD_LAUNCH(fault, kernel, blocks, bytes, arguments)                                       \
    do {                                                                                           \
        double *memory = (double *)malloc((bytes) + 1);                                            \
        (fault) = memory != NULL ? NULL : "out of memory";                                         \
        for (int next = 0; memory != NULL && next < (int)(blocks); next++) {                       \
            memset(memory, 0xff, (bytes));                                                         \
            const Block block = {next, next % 2 == 1, memory};                                     \
            kernel((arguments), block);                                                            \
        }                                                                                          \
        free(memory);                                                                              \
    } while (0)

#endif

#endif
