/* The broad phase: which pairs of bodies may come into touch soon. One interface; a method is a
 * function.
 *
 * Every body i has a margin m_i. A pair is found when its gap is at most m_i + m_j, so the list
 * stays complete until some body has moved farther than its margin. Fast bodies get wide margins,
 * so one of them does not make the list of all the others long. */
#ifndef SCREE_BROAD_BROAD_H
#define SCREE_BROAD_BROAD_H

#include "base/memory.h"
#include "state/state.h"

typedef struct Pair {
    int32_t a, b; /* body numbers, a < b */
} Pair;

/* The neighbour list and the order along space that comes with it. */
typedef struct Neighbours {
    size_t count;  /* of pairs */
    Pair *pair;    /* neighbours in space are neighbours in the list */
    int32_t *rank; /* [bodies] place of a body in the order along space */
    Block pair_block, rank_block;
    Block work[6]; /* the method's own */
} Neighbours;

typedef struct BroadInput {
    const ScreeWorldDef *def; /* dimension and periodic cell */
    size_t count;
    const Vec3 *position;
    const double *radius;
    const double *margin;
    size_t pair_limit; /* give up past this many pairs */
} BroadInput;

/* Fills the list. SCREE_TOO_CROWDED past the limit: the first pairs are then in the list. */
typedef ScreeStatus BroadMethod(const BroadInput *input, Neighbours *neighbours);

BroadMethod scr_broad_grid;

void scr_neighbours_free(Neighbours *neighbours);
size_t scr_neighbours_body_bytes(const Neighbours *neighbours);

#endif
