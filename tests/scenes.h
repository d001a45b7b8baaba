/* Small worlds with everything in motion, which the tests of the core share. */
#ifndef SCREE_TESTS_SCENES_H
#define SCREE_TESTS_SCENES_H

#include "physics/rig.h"

static inline uint64_t mix_words(uint64_t hash, const void *data, size_t size) {
    for (size_t i = 0; i < size; i += sizeof hash) {
        uint64_t word;
        memcpy(&word, (const char *)data + i, sizeof word);
        hash = (hash ^ word) * UINT64_C(1099511628211);
        hash ^= hash >> 32; /* the upper half of a word must reach the lower half of the next */
    }
    return hash;
}

/* Hash of what a user sees of a world: time, bodies and walls, but neither contacts nor the
 * neighbour list. A step that fails leaves it unchanged. */
static inline uint64_t visible_hash(const ScreeWorld *world) {
    ScreeBodyView b = scree_world_get_bodies(world);
    uint64_t hash = scree_world_get_step_count(world);
    double time = scree_world_get_time(world);
    const struct {
        const void *data;
        size_t size;
    } part[] = {{&time, sizeof time},
                {b.position, b.count * sizeof *b.position},
                {b.orientation, b.count * sizeof *b.orientation},
                {b.velocity, b.count * sizeof *b.velocity},
                {b.spin, b.count * sizeof *b.spin}};
    for (size_t p = 0; p < sizeof part / sizeof part[0]; p++) {
        hash = mix_words(hash, part[p].data, part[p].size);
    }
    for (size_t w = 0; w < scree_world_get_wall_count(world); w++) {
        ScreeWallState wall;
        scree_wall_get_state(world, (ScreeWallId){(int32_t)w}, &wall);
        const double now[] = {wall.now.point.x,    wall.now.point.y,    wall.now.velocity.x,
                              wall.now.velocity.y, wall.displacement.x, wall.displacement.y};
        hash = mix_words(hash, now, sizeof now);
    }
    return hash;
}

typedef struct Scene {
    int dimension;
    ScreeOrder order;
    bool periodic;
    bool moving_walls; /* a piston, a turning drum and a moved floor */
    bool signed_gap;
    int grains;
    bool laws; /* every law at once, and the theta method */
} Scene;

/* Every law at once, each strong enough to matter for grains of about unit mass under gravity
 * 10. */
static inline ScreeLaw scene_all_laws(void) {
    return (ScreeLaw){.friction = 0.3,
                      .friction_static = 0.5,
                      .rolling = 0.05,
                      .rolling_length = 0.002,
                      .rolling_hertz = 0.01,
                      .torsion = 0.1,
                      .torsion_length = 0.001,
                      .cohesion = 3,
                      .cohesion_range = 0.02,
                      .restitution = 0.4,
                      .restitution_tangential = 0.2,
                      .restitution_threshold = 0.3,
                      .stiffness = 2e4,
                      .stiffness_tangential = 1e4};
}

static inline void scene_material(ScreeWorld *world, double friction, bool laws) {
    ScreeMaterialDef def = scree_material_def_default();
    def.law.friction = friction;
    def.law = laws ? scene_all_laws() : def.law;
    rig_must(scree_world_add_material(world, &def, NULL), "material");
}

static inline void scene_walls(ScreeWorld *world, const Scene *s) {
    ScreeWallDef ground = rig_plane(rig_vec(0, 0, 0), rig_vec(0, 1, 0));
    if (s->moving_walls) {
        ground.motion = SCREE_WALL_MOVED;
        ground.velocity = rig_vec(0.3, 0.05, 0);
    }
    rig_add_wall(world, &ground);
    if (!s->periodic) {
        for (int axis = 0; axis < 3; axis += 2) {
            ScreeVec3 e = rig_vec(axis == 0, 0, axis == 2);
            if (axis == 0 || s->dimension == 3) {
                rig_add_plane(world, rig_vec(0, 0, 0), e);
                rig_add_plane(world, rig_scale(5, e), rig_scale(-1, e));
            }
        }
    }
    ScreeWallDef rod = scree_wall_def_default();
    rod.shape = SCREE_WALL_CYLINDER;
    rod.point = rig_vec(2.5, 0.2, 0);
    rod.radius = 0.5;
    if (s->moving_walls) {
        rod.motion = SCREE_WALL_MOVED;
        rod.spin = rig_vec(0, 0, 1.5);
    }
    rig_add_wall(world, &rod);
    if (s->moving_walls) {
        ScreeWallDef lid = rig_plane(rig_vec(0, 14, 0), rig_vec(0, -1, 0));
        lid.motion = SCREE_WALL_PISTON;
        lid.mass = 5;
        lid.force = rig_vec(0, -30, 0);
        rig_add_wall(world, &lid);
    }
}

/* Grains on a loose lattice that fall, some of them with frozen axes. */
static inline void scene_grains(ScreeWorld *world, const Scene *s) {
    uint64_t random = 2024;
    int across = 6, deep = s->dimension == 3 ? 6 : 1;
    ScreeBodyDef *def = calloc((size_t)s->grains, sizeof *def);
    if (def == NULL) {
        abort();
    }
    for (int i = 0; i < s->grains; i++) {
        ScreeVec3 x = rig_vec(0.45 + 0.8 * (i % across), 1.2 + 0.8 * (i / (across * deep)), 0);
        if (s->dimension == 3) {
            x.z = 0.45 + 0.8 * (i / across % deep);
        }
        x = rig_add(x, 1, rig_random_vec(&random, 0.05, s->dimension));
        def[i] = rig_ball(x, 0.25 + 0.1 * rig_random(&random), 0);
        def[i].velocity = rig_random_vec(&random, 1, s->dimension);
        def[i].spin = rig_vec(0, 0, 3 * rig_random(&random));
        if (i % 17 == 5) {
            def[i].frozen = i % 2 == 0 ? SCREE_FREEZE_ROTATION_Z : SCREE_FREEZE_X;
            def[i].velocity = rig_vec(0, 0, 0);
            def[i].spin = rig_vec(0, 0, 0);
        }
    }
    rig_must(scree_world_add_bodies(world, def, (size_t)s->grains, NULL), "grains");
    free(def);
}

static inline ScreeWorld *scene_make(const Scene *s) {
    ScreeWorldDef def = scree_world_def_default();
    def.dimension = s->dimension;
    def.time_step = 0.01;
    def.gravity = rig_vec(0.5, -10, 0);
    def.signed_gap = s->signed_gap;
    def.theta = s->laws ? 0.7 : 1;
    def.solver.order = s->order;
    def.solver.tolerance = 1e-4;
    def.solver.iterations = 60;
    if (s->periodic) {
        def.periodic[0] = true;
        def.periodic[2] = s->dimension == 3;
        def.cell_max = rig_vec(5, 5, 5);
    }
    ScreeWorld *world = rig_create(&def);
    scene_material(world, 0.5, s->laws);
    scene_walls(world, s);
    scene_grains(world, s);
    return world;
}

#endif
