/* For machines without threads: the caller does everything itself, with the same result. */
#include "base/threads.h"

Threads *scr_threads_create(int count) {
    (void)count;
    return NULL;
}

void scr_threads_destroy(Threads *threads) {
    (void)threads;
}

void scr_threads_loop(Threads *threads, size_t count, void (*body)(void *context, size_t i),
                      void *context) {
    (void)threads;
    for (size_t i = 0; i < count; i++) {
        body(context, i);
    }
}

void scr_threads_loop_from_end(Threads *threads, size_t count,
                               void (*body)(void *context, size_t i), void *context) {
    (void)threads;
    for (size_t i = count; i > 0; i--) {
        body(context, i - 1);
    }
}
