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

/* Long lists are worked on in pieces, whose number depends on nothing but the length of the list,
 * so that what is summed piece by piece is always the same. */
enum { SCR_MOST_PIECES = 64, SCR_LEAST_PIECE = 256 };

static inline size_t scr_pieces(size_t count) {
    size_t pieces = count / SCR_LEAST_PIECE + 1;
    return pieces < SCR_MOST_PIECES ? pieces : SCR_MOST_PIECES;
}

static inline size_t scr_piece_begin(size_t count, size_t piece) {
    return count * piece / scr_pieces(count);
}

static inline size_t scr_piece_end(size_t count, size_t piece) {
    return scr_piece_begin(count, piece + 1);
}

#endif
