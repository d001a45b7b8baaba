/* Worlds large enough for many boxes of a sweep, with everything that boxes could share: bodies across
 * a periodic boundary, a piston, a large grain among small ones, frozen axes, turning walls. */
#ifndef SCREE_TESTS_CROWDS_H
#define SCREE_TESTS_CROWDS_H

#include "scenes.h"

typedef struct Crowd {
    int dimension;
    ScreeOrder order;
    bool periodic, piston, giant, frozen, turning, laws;
} Crowd;

static const Crowd crowds[] = {
    {2, SCREE_ORDER_BOXED, false, false, false, false, false, false},
    {3, SCREE_ORDER_BOXED, false, false, false, false, false, false},
    {2, SCREE_ORDER_BOXED, true, true, false, false, true, false},
    {3, SCREE_ORDER_BOXED, true, true, false, false, true, false},
    {3, SCREE_ORDER_BOXED, true, false, true, true, false, false},
    {2, SCREE_ORDER_BOXED, false, true, true, true, true, false},
    {3, SCREE_ORDER_COLOURED, true, true, false, false, true, false},
    {2, SCREE_ORDER_COLOURED, true, false, true, true, false, false},
    {3, SCREE_ORDER_RANDOM, true, true, true, true, true, false},
    {3, SCREE_ORDER_BOXED, true, true, false, true, true, true},
    {2, SCREE_ORDER_BOXED, false, true, true, true, true, true},
};

static inline void crowd_walls(ScreeWorld *world, const Crowd *k, double width) {
    rig_add_plane(world, rig_vec(0, 0, 0), rig_vec(0, 1, 0));
    for (int axis = 0; axis < 3 && !k->periodic; axis += 2) {
        ScreeVec3 e = rig_vec(axis == 0, 0, axis == 2);
        if (axis == 0 || k->dimension == 3) {
            rig_add_plane(world, rig_vec(0, 0, 0), e);
            rig_add_plane(world, rig_scale(width, e), rig_scale(-1, e));
        }
    }
    if (k->piston) {
        ScreeWallDef lid = rig_plane(rig_vec(0, k->dimension == 2 ? 31 : 8, 0), rig_vec(0, -1, 0));
        lid.motion = SCREE_WALL_PISTON;
        lid.mass = 50;
        lid.force = rig_vec(0, -3000, 0);
        lid.velocity = rig_vec(0, -3, 0);
        rig_add_wall(world, &lid);
    }
    if (k->turning) {
        ScreeWallDef rod = scree_wall_def_default();
        rod.shape = SCREE_WALL_CYLINDER;
        rod.point = rig_vec(width / 2, 0.5, 0);
        rod.radius = 1;
        rod.motion = SCREE_WALL_MOVED;
        rod.spin = rig_vec(0, 0, 3);
        rig_add_wall(world, &rod);
    }
}

static inline ScreeWorld *crowd_make(const Crowd *k, int threads) {
    int across = k->dimension == 2 ? 80 : 24, high = k->dimension == 2 ? 24 : 5,
        deep = k->dimension == 2 ? 1 : 24;
    ScreeWorldDef def = scree_world_def_default();
    def.dimension = k->dimension;
    def.time_step = 0.02;
    def.gravity = rig_vec(2, -10, 0);
    def.solver.order = k->order;
    def.solver.iterations = 25;
    def.threads = threads;
    for (int axis = 0; axis < 3; axis += 2) {
        def.periodic[axis] = k->periodic && axis < k->dimension;
    }
    def.cell_max = rig_vec(across, across, across);
    ScreeWorld *world = rig_create(&def);
    scene_material(world, 0.4, k->laws);
    crowd_walls(world, k, across);
    uint64_t random = 8;
    int count = across * high * deep;
    ScreeBodyDef *grain = calloc((size_t)count + 1, sizeof *grain);
    if (grain == NULL) {
        abort();
    }
    for (int i = 0; i < count; i++) {
        ScreeVec3 x = rig_vec(0.5 + i % across, 2.2 + 1.02 * (i / (across * deep)), 0);
        x.z = k->dimension == 3 ? 0.5 + i / across % deep : 0;
        grain[i] = rig_ball(x, 0.42 + 0.08 * rig_random(&random), 0);
        grain[i].velocity = rig_random_vec(&random, 2, k->dimension);
        grain[i].frozen = k->frozen && i % 11 == 0 ? SCREE_FREEZE_X | SCREE_FREEZE_ROTATION_Z : 0;
    }
    if (k->giant) { /* falls on the others */
        grain[count] = rig_ball(rig_vec(across / 3.0, (k->dimension == 2 ? 35 : 13),
                                        k->dimension == 3 ? across / 2.0 : 0),
                                4, 0);
        grain[count].velocity = rig_vec(0, -40, 0);
        count++;
    }
    rig_must(scree_world_add_bodies(world, grain, (size_t)count, NULL), "grains");
    free(grain);
    return world;
}

#endif
