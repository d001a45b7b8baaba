/* Small worlds with everything in motion, for restarts, memory and conservation. */
#ifndef SCREE_TESTS_SOFT_SCENE_H
#define SCREE_TESTS_SOFT_SCENE_H

#include "shape_rig.h"

typedef enum SoftLaws { LAWS_PLAIN, LAWS_DASHPOT, LAWS_HERTZ, LAWS_TORQUES, LAWS_ALL } SoftLaws;

typedef struct SoftScene {
    int dimension;
    ScreeIntegrator integrator;
    ScreeSoftFriction friction;
    SoftLaws laws;
    bool periodic;
    bool moving_walls; /* a moved floor, a turning rod and a piston */
    int grains;
    bool shapes; /* most grains have a shape; in two dimensions */
} SoftScene;

/* Stiffness for masses of about 0.1: a collision takes about 0.02. */
static inline ScreeLaw scene_law(SoftLaws laws) {
    ScreeLaw law = soft_law(3e3, 0.4, 0.5);
    if (laws == LAWS_DASHPOT || laws == LAWS_ALL) {
        law.damping_tangential = 0.5;
    }
    if (laws == LAWS_HERTZ || laws == LAWS_ALL) {
        law.modulus = 2e5;
    }
    if (laws == LAWS_TORQUES || laws == LAWS_ALL) {
        law.rolling = 0.05;
        law.rolling_length = 0.002;
        law.rolling_hertz = 0.001;
        law.torsion = 0.03;
        law.torsion_length = 0.001;
    }
    if (laws == LAWS_ALL) {
        law.friction_static = 0.7;
        law.cohesion = 2;
        law.cohesion_range = 0.01;
    }
    return law;
}

static inline void scene_walls(ScreeWorld *world, const SoftScene *s) {
    ScreeWallDef ground = rig_plane(rig_vec(0, 0, 0), rig_vec(0, 1, 0));
    if (s->moving_walls) {
        ground.motion = SCREE_WALL_MOVED;
        ground.velocity = rig_vec(0.3, 0.05, 0);
    }
    rig_add_wall(world, &ground);
    for (int axis = 0; axis < 3 && !s->periodic; axis += 2) {
        ScreeVec3 e = rig_vec(axis == 0, 0, axis == 2);
        if (axis == 0 || s->dimension == 3) {
            rig_add_plane(world, rig_vec(0, 0, 0), e);
            rig_add_plane(world, rig_scale(5, e), rig_scale(-1, e));
        }
    }
    ScreeWallDef rod = scree_wall_def_default();
    rod.shape = SCREE_WALL_CYLINDER;
    rod.point = rig_vec(2.5, 0.2, 0);
    rod.radius = 0.5;
    ScreeWallDef block = scree_wall_def_default();
    block.shape = SCREE_WALL_BLOCK;
    block.point = rig_vec(1, 0.6, 2);
    block.half = rig_vec(0.4, 0.3, 0.5);
    block.orientation = rig_turn_z(0.4);
    if (s->moving_walls) {
        rod.motion = block.motion = SCREE_WALL_MOVED;
        rod.spin = rig_vec(0, 0, 1.5);
        block.spin = rig_vec(0, 0, -2);
    }
    rig_add_wall(world, &rod);
    rig_add_wall(world, &block);
    if (s->moving_walls) {
        ScreeWallDef lid = rig_plane(rig_vec(0, 9, 0), rig_vec(0, -1, 0));
        lid.motion = SCREE_WALL_PISTON;
        lid.mass = 5;
        lid.force = rig_vec(0, -60, 0);
        rig_add_wall(world, &lid);
    }
}

/* Shapes within a circle of about 0.35: sharp, concave, rounded, a rod, a disk, and a compound. */
enum { SCENE_SHAPES = 6 };

static inline void scene_shapes(ScreeWorld *world) {
    const ScreeVec3 rod[2] = {{-0.15, 0, 0}, {0.2, 0, 0}}, middle = {0, 0, 0};
    const ScreeVec3 angle[6] = {{0, 0, 0},       {0.5, 0, 0},    {0.5, 0.12, 0},
                                {0.12, 0.12, 0}, {0.12, 0.4, 0}, {0, 0.4, 0}};
    const ScreeShapePart part[2] = {{3, 0.03}, {1, 0.15}};
    const ScreeVec3 both[4] = {{-0.2, -0.2, 0}, {0.2, -0.15, 0}, {0, 0.1, 0}, {0.05, 0.15, 0}};
    const ScreeShapeDef compound = {part, 2, both};
    shape_box(world, 0.28, 0.2, 0);
    shape_add(world, angle, 6, 0);
    shape_add(world, angle, 6, 0.04);
    shape_add(world, rod, 2, 0.12);
    shape_add(world, &middle, 1, 0.3);
    rig_must(scree_world_add_shape(world, &compound, NULL), "shape");
}

/* Grains on a loose lattice that fall, some of them with frozen axes. */
static inline void scene_grains(ScreeWorld *world, const SoftScene *s) {
    uint64_t random = 2024;
    int across = 6, deep = s->dimension == 3 ? 6 : 1;
    for (int i = 0; i < s->grains; i++) {
        ScreeVec3 x = rig_vec(0.45 + 0.8 * (i % across), 1.5 + 0.8 * (i / (across * deep)), 0);
        if (s->dimension == 3) {
            x.z = 0.45 + 0.8 * (i / across % deep);
        }
        x = rig_add(x, 1, rig_random_vec(&random, 0.05, s->dimension));
        ScreeBodyDef def = rig_ball(x, 0.25 + 0.1 * rig_random(&random), 0);
        def.velocity = rig_add(rig_random_vec(&random, 1, s->dimension), 1, rig_vec(0, -3, 0));
        def.spin = rig_vec(0, 0, 3 * rig_random(&random));
        def.material.index = i % 3 == 1;
        if (s->shapes && i % 8 < SCENE_SHAPES) {
            def.shape.index = i % 8;
            def.orientation = rig_turn_z(6 * rig_random(&random));
        }
        if (i % 17 == 5) {
            def.frozen = i % 2 == 0 ? SCREE_FREEZE_ROTATION_Z : SCREE_FREEZE_X;
            def.velocity.x = 0.1;
        }
        rig_add_body(world, &def);
    }
}

static inline ScreeWorld *scene_make(const SoftScene *s) {
    ScreeWorldDef def = soft_def(s->dimension, 1e-3, rig_vec(0.5, -10, 0));
    def.soft.integrator = s->integrator;
    def.soft.friction = s->friction;
    if (s->periodic) {
        def.periodic[0] = true;
        def.periodic[2] = s->dimension == 3;
        def.cell_max = rig_vec(5, 5, 5);
    }
    ScreeLaw law = scene_law(s->laws), plain = soft_law(5e3, 0.7, 0.2);
    ScreeWorld *world = soft_world(&def, &law);
    soft_material(world, s->laws == LAWS_ALL ? &plain : &law);
    if (s->shapes) {
        scene_shapes(world);
    }
    scene_walls(world, s);
    scene_grains(world, s);
    return world;
}

#endif
