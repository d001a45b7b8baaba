/* The order in which to eliminate the unknowns of a sparse matrix, and the dense fronts to do it
 * in.
 *
 * Nodes (unknowns, or blocks of them) are eliminated by least approximate degree in the quotient
 * graph (Amestoy, Davis, Duff 1996). An eliminated node leaves an element: the set of nodes that it
 * couples. That element is also the pattern of what the front of the node has to pass on, and the
 * front that absorbs it is its parent: so the ordering yields the assembly tree of a multifrontal
 * factorisation at no extra cost. */
#ifndef SCREE_LINEAR_FRONTS_H
#define SCREE_LINEAR_FRONTS_H

#include "base/memory.h"

#include <stdint.h>

/* Every front directly follows its children and all their descendants. Zero-initialise it. */
typedef struct Fronts {
    int32_t nodes, count;
    int32_t *pivot_start; /* [count + 1] */
    int32_t *pivot;       /* [nodes] eliminated in this front */
    int32_t *rest_start;  /* [count + 1] */
    int32_t *rest;        /* nodes of the front that are eliminated later */
    int32_t *parent;      /* [count], -1: none */
    Block integer_block;
    Block work[2]; /* used only while making it */
} Fronts;

/* From the graph of a symmetric pattern: the neighbours of node i stand from start[i] to start[i +
 * 1], each once and without i itself. `neighbour` is overwritten. False when out of memory. */
bool scr_fronts_make(Fronts *fronts, int32_t nodes, const int32_t *start, int32_t *neighbour);

void scr_fronts_free(Fronts *fronts);

#endif
