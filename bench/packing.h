/* The packings that are measured. */
#ifndef SCREE_BENCH_PACKING_H
#define SCREE_BENCH_PACKING_H

#include <scree/scree.h>

typedef struct PackingDef {
    int dimension;
    int across;     /* grains along each horizontal side at the start */
    int layers;     /* grains above each other at the start */
    int steps;      /* of settling */
    int iterations; /* sweeps of each step */
    ScreeOrder order;
    bool periodic; /* along the horizontal sides, instead of walls */
} PackingDef;

/* Grains that fell into an open box and came to rest: in space spheres of radius 0.5, in the plane
 * disks of radius 0.5 to 1; friction 0.5, gravity 9.81, time step 1/200. NULL on failure, which is
 * reported on standard error. */
ScreeWorld *bench_settle(const PackingDef *def);

/* A world made of copies of the bodies of another on one floor, so many along x and along y (in the
 * plane: 1). Copies of a periodic one fit together: their contacts are those of the original. */
ScreeWorld *bench_tile(const ScreeWorld *world, int along_x, int along_y, int iterations);

#endif
