/* Memory of the card, copies, and launches of kernels: by CUDA, or by the processor. Every function tells
 * what went wrong, NULL if nothing did. What is launched or copied follows one after another; only
 * card_wait and card_wait_for wait. */
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

/* The first card, and its name. */
static const char *card_find(char name[256]) {
    struct cudaDeviceProp found;
    const char *fault = told(cudaGetDeviceProperties(&found, 0));
    if (fault == NULL) {
        snprintf(name, 256, "%s", found.name);
        fault = told(cudaSetDevice(0));
    }
    return fault;
}

static const char *card_allocate(void **memory, size_t bytes) {
    const char *fault = told(cudaMalloc(memory, bytes));
    (void)cudaGetLastError(); /* so that it is not told again */
    return fault;
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
static const char *card_copy(void *to, const void *from, size_t bytes) {
    return told(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, 0));
}
static const char *card_clear(void *memory, size_t bytes) {
    return told(cudaMemsetAsync(memory, 0, bytes, 0));
}
/* All bits set: -1 everywhere. */
static const char *card_fill(void *memory, size_t bytes) {
    return told(cudaMemsetAsync(memory, 0xff, bytes, 0));
}
static const char *card_wait(void) {
    return told(cudaStreamSynchronize(0));
}

/* A mark in what follows one after another: one can wait until there, and what comes later is under way meanwhile. */
typedef cudaEvent_t Mark;

static const char *card_open_mark(Mark *mark) {
    return told(cudaEventCreateWithFlags(mark, cudaEventDisableTiming));
}
static void card_close_mark(Mark mark) {
    (void)cudaEventDestroy(mark);
}
static const char *card_set_mark(Mark mark) {
    return told(cudaEventRecord(mark, 0));
}
static const char *card_wait_for(Mark mark) {
    return told(cudaEventSynchronize(mark));
}

/* A second queue of launches. It begins when the first one has come to where it is told to, and that one waits for it
 * when it is told to. */
typedef struct Beside {
    cudaStream_t queue;
    cudaEvent_t begun, over;
} Beside;

static const char *card_open_beside(Beside *beside) {
    const char *fault = told(cudaStreamCreateWithFlags(&beside->queue, cudaStreamNonBlocking));
    fault = fault == NULL ? card_open_mark(&beside->begun) : fault;
    return fault == NULL ? card_open_mark(&beside->over) : fault;
}
static void card_close_beside(Beside *beside) {
    (void)cudaStreamDestroy(beside->queue);
    (void)cudaEventDestroy(beside->begun);
    (void)cudaEventDestroy(beside->over);
}
static const char *card_begin_beside(Beside *beside) {
    const char *fault = card_set_mark(beside->begun);
    return fault == NULL ? told(cudaStreamWaitEvent(beside->queue, beside->begun, 0)) : fault;
}
static const char *card_end_beside(Beside *beside) {
    return told(cudaEventRecord(beside->over, beside->queue));
}
static const char *card_wait_beside(Beside *beside) {
    return told(cudaStreamWaitEvent(0, beside->over, 0));
}

/* Numbers of shared memory that a team may have at most, and leave for a kernel to have them. */
static const char *card_room(int *numbers) {
    int bytes = 0;
    const char *fault =
        told(cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
    *numbers = bytes / (int)sizeof(double);
    return fault;
}
/* The same where the order of a box is made. */
static const char *card_room_of_table(int *numbers) {
    return card_room(numbers);
}
#define CARD_PERMIT(fault, kernel, numbers)                                                        \
    ((fault) = told(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,      \
                                         (numbers) * (int)sizeof(double))))

#define CARD_LAUNCH(fault, kernel, teams, numbers, arguments)                                      \
    do {                                                                                           \
        kernel<<<(unsigned)(teams), LANES, sizeof(double) * (size_t)(numbers)>>>((arguments));     \
        (fault) = told(cudaGetLastError());                                                        \
    } while (0)
#define CARD_LAUNCH_BESIDE(fault, beside, kernel, teams, numbers, arguments)                       \
    do {                                                                                           \
        kernel<<<(unsigned)(teams), LANES, sizeof(double) * (size_t)(numbers), (beside)->queue>>>( \
            (arguments));                                                                          \
        (fault) = told(cudaGetLastError());                                                        \
    } while (0)

#else

static const char *card_find(char name[256]) {
    snprintf(name, 256, "the processor in place of a GPU");
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
static const char *card_copy(void *to, const void *from, size_t bytes) {
    return card_put(to, from, bytes);
}
static const char *card_clear(void *memory, size_t bytes) {
    memset(memory, 0, bytes);
    return NULL;
}
static const char *card_fill(void *memory, size_t bytes) {
    memset(memory, 0xff, bytes);
    return NULL;
}
static const char *card_wait(void) {
    return NULL;
}

typedef int Mark;

static const char *card_open_mark(Mark *mark) {
    *mark = 0;
    return NULL;
}
static void card_close_mark(Mark mark) {
    (void)mark;
}
static const char *card_set_mark(Mark mark) {
    (void)mark;
    return NULL;
}
static const char *card_wait_for(Mark mark) {
    (void)mark;
    return NULL;
}

typedef int Beside;

static const char *card_open_beside(Beside *beside) {
    *beside = 0;
    return NULL;
}
static void card_close_beside(Beside *beside) {
    (void)beside;
}
static const char *card_begin_beside(Beside *beside) {
    (void)beside;
    return NULL;
}
static const char *card_end_beside(Beside *beside) {
    return card_begin_beside(beside);
}
static const char *card_wait_beside(Beside *beside) {
    return card_begin_beside(beside);
}
#define CARD_LAUNCH_BESIDE(fault, beside, kernel, teams, numbers, arguments)                       \
    CARD_LAUNCH(fault, kernel, teams, numbers, arguments)

/* Little, so that tests have boxes without room in it, too. */
static const char *card_room(int *numbers) {
    *numbers = 1400;
    return NULL;
}
static const char *card_room_of_table(int *numbers) {
    *numbers = 28000;
    return NULL;
}
#define CARD_PERMIT(fault, kernel, numbers) ((void)(numbers), (fault) = NULL)

/* Team by team. Each gets exactly the shared memory that was asked for, with nothing in it that one
 * could calculate with. */
#define CARD_LAUNCH(fault, kernel, teams, numbers, arguments)                                      \
    do {                                                                                           \
        const size_t bytes = sizeof(double) * (size_t)(numbers);                                   \
        double *memory = (double *)malloc(bytes + 1);                                              \
        (fault) = memory != NULL ? NULL : "out of memory";                                         \
        for (int next = 0; memory != NULL && next < (int)(teams); next++) {                        \
            memset(memory, 0xff, bytes);                                                           \
            const Team team = {next, next % 2 == 1, memory};                                       \
            kernel((arguments), team);                                                             \
        }                                                                                          \
        free(memory);                                                                              \
    } while (0)

#endif

#endif
