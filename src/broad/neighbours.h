/* The neighbour list, and what it is made from. */
#ifndef SCREE_BROAD_NEIGHBOURS_H
#define SCREE_BROAD_NEIGHBOURS_H

#include "base/memory.h"
#include "base/threads.h"
#include "state/state.h"

typedef struct Pair {
    int32_t a, b; /* a < b */
} Pair;

/* A body in the form that the loops want. */
typedef struct Spot {
    Vec3 x;
    double reach; /* radius + margin */
} Spot;

/* Operations counted since the first list: the cost of searching, independent of the machine. */
typedef struct SearchCounts {
    uint64_t updates;   /* lists made */
    uint64_t renewals;  /* those of them made from scratch: all pairs compared (Verlet), or sorted
                         * anew */
    uint64_t tested;    /* pairs compared */
    uint64_t exchanged; /* exchanges of neighbours in the linear lists */
    uint64_t listed;    /* pairs listed */
} SearchCounts;

/* What a method remembers from one list to the next. It affects nothing but the cost. */
typedef struct SearchMemory {
    size_t bodies;    /* the number of bodies it was made for; 0: nothing is remembered */
    double skin;      /* Verlet: how far its list reaches beyond the margins */
    double life;      /* Verlet: lists made with this skin */
    double cost[2];   /* Verlet: of a list with the present skin, and with the one before */
    double direction; /* Verlet: 1 while the skin is being widened, -1 while narrowed */
    int spread;       /* linked cell: cells to look at on each side */
    double spread_cost[5];
    size_t pairs; /* in the method's own list */
    size_t slots; /* linear list: size of the table of pairs */
} SearchMemory;

/* Pairs that one piece of a search has found, in their order; see pair_pieces.h. */
typedef struct PairPiece {
    Pair *pair;
    size_t count;
    uint64_t tested;
    bool crowded; /* it has given up */
    bool failed;  /* out of memory */
    Block pair_block;
} PairPiece;

enum { PAIR_PIECES = 128 };

/* The neighbour list and the order along space that comes with it. Zero-initialise it. */
typedef struct Neighbours {
    size_t count;           /* number of pairs */
    Pair *pair;             /* of ranks; sorted by the lower, then by the higher of the two */
    int32_t *rank;          /* [bodies] position of a body in the order along space */
    int32_t *order;         /* [bodies] from rank to body */
    Spot *spot;             /* [bodies] work memory of the search, by rank; free for other uses
                     * afterwards */
    int levels;             /* levels of cells, 0 for methods without levels */
    double cell, cell_most; /* [length] smallest and largest width of a cell */
    SearchCounts counts;
    double seconds; /* processor time; nothing depends on it */
    SearchMemory memory;
    Block pair_block, rank_block;
    Block work[10]; /* the first two belong to the order, the others to the method */
    PairPiece piece[PAIR_PIECES];
} Neighbours;

typedef struct BroadInput {
    const ScreeWorldDef *def; /* dimension, periodic cell, skin and cell size */
    ScreeSearch search;
    size_t count;
    const Vec3 *position;
    const Mat3
        *oblique; /* NULL: lengths are those of differences of positions; else of what it makes
                            of them, and no component of a difference is longer than that */
    const double *radius;
    const double *margin;
    size_t pair_limit; /* the search gives up past this many pairs */
    Threads *threads;  /* NULL: the caller's alone */
} BroadInput;

#endif
