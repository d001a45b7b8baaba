/* A contact problem like that of a packing of rocks, made without geometry: bodies with full tensors
 * of inertia near the points of a lattice, and neighbours that touch in one to four points. Some
 * bodies can be balls, and those at the sides touch walls. */
#ifndef SCREE_BENCH_ROCKS_H
#define SCREE_BENCH_ROCKS_H

#include "problem/problem.h"
#include "sweep/order.h"

typedef struct RockKind {
    int across;     /* bodies along each edge */
    double mu;      /* coefficient of friction */
    double balls;   /* fraction of the bodies that have no tensor */
    double slender; /* the largest ratio of principal moments of inertia */
    uint64_t seed;
} RockKind;

typedef struct Rocks {
    Problem problem;
    Order order;
    Vec3 *point;     /* [rows] where contact i is, in the order of detection */
    Row *found;      /* [rows] contact i with its last impulse */
    GeneralRow *arm; /* [rows] likewise */
    void *packets;
} Rocks;

/* False where memory is lacking. */
bool rocks_make(const RockKind *kind, Rocks *rocks);

/* Draws a new boxed order, in which contacts that slide or are open now have packets of their own,
 * as in the next step of a simulation. Rows keep their impulses. Has to be called once before the
 * first sweep. */
bool rocks_order(Rocks *rocks, uint64_t key);

void rocks_free(Rocks *rocks);

#endif
