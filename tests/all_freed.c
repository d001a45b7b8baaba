/* Linked into a test program by give_memory_back of tests/CMakeLists.txt: blocks of memory that
 * Scree or the test has taken and not freed at the end of the program make it fail. The linker
 * sends their calls here (-Wl,--wrap=malloc and so on); what other libraries take is not counted. */
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);
char *__wrap_strdup(const char *text);
void __wrap_free(void *data);
void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
char *__real_strdup(const char *text);
void __real_free(void *data);

static atomic_long live;

static void *taken(void *data) {
    atomic_fetch_add(&live, data != NULL);
    return data;
}

void *__wrap_malloc(size_t size) {
    return taken(__real_malloc(size));
}

void *__wrap_calloc(size_t count, size_t size) {
    return taken(__real_calloc(count, size));
}

/* The number changes only where there was no block before. */
void *__wrap_realloc(void *old, size_t size) {
    return old == NULL ? taken(__real_realloc(old, size)) : __real_realloc(old, size);
}

void *__wrap_aligned_alloc(size_t alignment, size_t size) {
    return taken(__real_aligned_alloc(alignment, size));
}

char *__wrap_strdup(const char *text) {
    return taken(__real_strdup(text));
}

void __wrap_free(void *data) {
    atomic_fetch_sub(&live, data != NULL);
    __real_free(data);
}

__attribute__((destructor)) static void none_may_be_left(void) {
    if (live != 0) {
        fprintf(stderr, "at the end %ld blocks of memory are not freed\n", live);
        _exit(1);
    }
}
