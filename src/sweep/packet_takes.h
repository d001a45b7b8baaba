/* Which general rows packets can take. */
#ifndef SCREE_SWEEP_PACKET_TAKES_H
#define SCREE_SWEEP_PACKET_TAKES_H

#include "problem/problem.h"

/* In the plane; scr_general_complete has examined its block. */
static inline bool packet_takes(const GeneralRow *g) {
    return g->tensor_a < 0 && g->tensor_b < 0 && g->block[BLOCK_PER_REST] > 0;
}

/* In space. */
static inline bool block_takes(const Problem *p, size_t row) {
    const GeneralRow *g = scr_general_row(p, row);
    return g != NULL && g->per_rest[0] > 0;
}

#endif
