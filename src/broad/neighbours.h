/* The neighbour list, and what it is made from. */
#ifndef SCREE_BROAD_NEIGHBOURS_H
#define SCREE_BROAD_NEIGHBOURS_H

#include "base/memory.h"
#include "state/state.h"

typedef struct Pair {
    int32_t a, b; /* a < b */
} Pair;

/* A body as the loops want it. */
typedef struct Spot {
    Vec3 x;
    double reach; /* radius + margin */
} Spot;

/* Operations since the list was first made: what a search costs, on any machine. */
typedef struct SearchCounts {
    uint64_t updates;   /* lists made */
    uint64_t renewals;  /* of these from nothing: Verlet's list over all pairs, a new sort */
    uint64_t tested;    /* pairs compared */
    uint64_t exchanged; /* neighbours in the linear lists */
    uint64_t kept;      /* pairs listed */
} SearchCounts;

/* What a method keeps from one list to the next. It decides nothing but the cost. */
typedef struct SearchMemory {
    size_t bodies;    /* for which there is memory; 0: none */
    double skin;      /* Verlet: beyond the margins */
    double life;      /* Verlet: lists made with it */
    double cost[2];   /* Verlet: of a list, now and with the skin before */
    double direction; /* Verlet: in which the skin is changed */
    int spread;       /* linked cell: cells to look at on each side */
    double spread_cost[5];
    size_t pairs; /* in the method's own list */
    size_t slots; /* linear list: of the table of pairs */
} SearchMemory;

/* The neighbour list and the order along space that comes with it. Zero-initialise it. */
typedef struct Neighbours {
    size_t count;   /* of pairs */
    Pair *pair;     /* of ranks; sorted by the lower, then by the higher of the two */
    int32_t *rank;  /* [bodies] place of a body in the order along space */
    int32_t *order; /* [bodies] from rank to body */
    Spot *spot;     /* [bodies] memory of the search, by rank: free for other use after it */
    int levels;     /* of cells, 0 for a method that has none */
    double cell, cell_most; /* [length] smallest and largest width of a cell */
    SearchCounts counts;
    double seconds; /* of the processor; decides nothing */
    SearchMemory memory;
    Block pair_block, rank_block;
    Block work[10]; /* the first two: of the order; the others: the method's own */
} Neighbours;

typedef struct BroadInput {
    const ScreeWorldDef *def; /* dimension, periodic cell, skin and cell size */
    ScreeSearch search;
    size_t count;
    const Vec3 *position;
    const double *radius;
    const double *margin;
    size_t pair_limit; /* give up past this many pairs */
} BroadInput;

#endif
