/* A pool of threads that runs one loop at a time. Which thread gets which index is left to chance,
 * so the body of a loop must give the same result wherever it runs. */
#ifndef SCREE_BASE_THREADS_H
#define SCREE_BASE_THREADS_H

#include <stddef.h>

typedef struct Threads Threads;

/* `count` threads in all, including the caller. NULL when they cannot be created. */
Threads *scr_threads_create(int count);
void scr_threads_destroy(Threads *threads);

/* Calls body(context, i) for i = 0 .. count-1 and returns when all calls are done. With `threads`
 * NULL the caller makes them all. */
void scr_threads_loop(Threads *threads, size_t count, void (*body)(void *context, size_t i),
                      void *context);

/* The same from the last index to the first, for lists whose last items take longest, as contacts with walls
 * do: begun at the end, they would keep one thread at work while all others wait for it. */
void scr_threads_loop_from_end(Threads *threads, size_t count,
                               void (*body)(void *context, size_t i), void *context);

/* Long lists are worked on in pieces. How many there are depends only on the length of the list, so
 * that sums taken piece by piece are always the same. */
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
