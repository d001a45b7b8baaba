/* A pool of threads that runs one loop at a time. Which thread takes which index is left to chance,
 * so a loop body must give the same result wherever it runs. */
#ifndef SCREE_BASE_THREADS_H
#define SCREE_BASE_THREADS_H

#include <stddef.h>

typedef struct Threads Threads;

/* `count` threads in all, the caller's included. NULL when they cannot be had. */
Threads *scr_threads_create(int count);
void scr_threads_destroy(Threads *threads);

/* Calls body(context, i) for i = 0 .. count-1, and returns when all are done. `threads` may be
 * NULL: then the caller does all. */
void scr_threads_loop(Threads *threads, size_t count, void (*body)(void *context, size_t i),
                      void *context);

#endif
