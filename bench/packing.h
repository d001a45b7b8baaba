/* The packings on which things are measured. */
#ifndef SCREE_BENCH_PACKING_H
#define SCREE_BENCH_PACKING_H

#include <scree/scree.h>

typedef struct PackingDef {
    int dimension;
    int across;     /* grains along each horizontal side at the start */
    int layers;     /* layers of grains at the start */
    int steps;      /* for settling */
    int iterations; /* sweeps of each step */
    ScreeOrder order;
    bool periodic; /* along the horizontal sides, which then have no walls */
} PackingDef;

/* Grains that fell into an open box and came to rest: spheres of radius 0.5 in space, disks of
 * radius 0.5 to 1 in the plane, with friction 0.5, gravity 9.81 and time step 1/200. NULL on
 * failure, which is reported on standard error. */
ScreeWorld *bench_settle(const PackingDef *def);

/* A world made of copies of the bodies of another on one floor, this many along x and along y (in
 * the plane: 1). Copies of a periodic world fit together: their contacts are those of the
 * original. */
ScreeWorld *bench_tile(const ScreeWorld *world, int along_x, int along_y, int iterations);

/* The same world once more; NULL on failure, which is reported. */
ScreeWorld *bench_copy_world(const ScreeWorld *world);

/* Adds the shape of a convex polygon: five to eight corners on a circle of radius 0.5 to 1, at angles
 * scattered by a third of their spacing. */
bool bench_add_polygon(ScreeWorld *world, uint64_t *random);

bool bench_add_plane(ScreeWorld *world, ScreeVec3 point, ScreeVec3 normal);

/* Makes so many steps; `report` is that of the last. False on failure, which is reported. */
bool bench_steps(ScreeWorld *world, int steps, ScreeReport *report);

#endif
