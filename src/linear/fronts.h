/* In which order to eliminate the unknowns of a sparse matrix, and in which dense fronts.
 *
 * Nodes (unknowns, or blocks of them) are eliminated by least approximate degree in the quotient
 * graph (Amestoy, Davis, Duff 1996). An eliminated node leaves an element: the set of nodes that it
 * couples. The element is at the same time the pattern of what remains to be passed on from the
 * front of the node, and the front that absorbs it is the parent: so the ordering hands over the
 * assembly tree of a multifrontal factorisation. */
#ifndef SCREE_LINEAR_FRONTS_H
#define SCREE_LINEAR_FRONTS_H

#include "base/memory.h"

#include <stdint.h>

/* Children come before their parents, right before them with all their own. Zero-initialise it. */
typedef struct Fronts {
    int32_t nodes, count;
    int32_t *pivot_start; /* [count + 1] */
    int32_t *pivot;       /* [nodes] eliminated in this front */
    int32_t *rest_start;  /* [count + 1] */
    int32_t *rest;        /* nodes of the front that are eliminated later */
    int32_t *parent;      /* [count], -1: none */
    Block integer_block;
    Block work[2]; /* while it is made */
} Fronts;

/* The graph of a symmetric pattern: neighbours of node i from start[i] to start[i + 1], without i
 * itself, each once. `neighbour` is used up. False when out of memory. */
bool scr_fronts_make(Fronts *fronts, int32_t nodes, const int32_t *start, int32_t *neighbour);

void scr_fronts_free(Fronts *fronts);

#endif
