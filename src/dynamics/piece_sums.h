/* Sums over bodies or contacts that are made piece by piece. They are exact, so it does not matter
 * where the bodies lie in memory, in which order contacts are found, and what is in which piece. */
#ifndef SCREE_DYNAMICS_PIECE_SUMS_H
#define SCREE_DYNAMICS_PIECE_SUMS_H

#include "base/memory.h"
#include "base/threads.h"
#include "math/reduce.h"

/* The most that a pass over them has. */
enum { PIECE_SUMS = 11 };

typedef struct PieceSums {
    ExactSum of[PIECE_SUMS];
} PieceSums;

/* Room for the sums of all pieces. Zero-initialise it. */
typedef struct SumRoom {
    PieceSums *piece;
    const ScreeProcesses *over; /* sums are those of all processes; NULL: of this one */
    Block piece_block;
} SumRoom;

/* For a pass over `count` of them; false when out of memory. */
static inline bool scr_reserve_sums(SumRoom *room, size_t count) {
    return SCR_RESERVE(room, piece, scr_pieces(count));
}

/* To be called by a piece that makes the first `sums` of them. */
static inline PieceSums *scr_begin_sums(const SumRoom *room, size_t piece, int sums) {
    PieceSums *p = &room->piece[piece];
    for (int k = 0; k < sums; k++) {
        scr_exact_clear(&p->of[k]);
    }
    return p;
}

/* One of the sums over all pieces of `count` bodies or contacts. */
static inline double scr_sum_pieces(const SumRoom *room, size_t count, int which) {
    ExactSum all;
    scr_exact_clear(&all);
    for (size_t k = 0; k < scr_pieces(count); k++) {
        scr_exact_join(&all, &room->piece[k].of[which]);
    }
    scr_sum_over_processes(room->over, &all, 1);
    return scr_exact_total(&all);
}

#endif
