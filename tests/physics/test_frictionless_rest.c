/* Packings without friction come to rest under a piston: what carries the load stops, with no
 * setting at all, between smooth walls and between rough ones. */
#include "rig.h"

enum { SIDE = 4, LAYERS = 3, BALLS = SIDE * SIDE * LAYERS, STEPS = 4500, WATCHED = 50 };

static void add_wall(ScreeWorld *world, ScreeVec3 point, ScreeVec3 normal, double weight) {
    ScreeWallDef wall = rig_plane(point, normal);
    wall.material.index = 1;
    if (weight > 0) {
        wall.motion = SCREE_WALL_PISTON;
        wall.mass = 0.8 * weight;
        wall.force = rig_scale(weight, normal);
    }
    rig_add_wall(world, &wall);
}

static ScreeWorld *make_packing(uint64_t seed, double wall_friction) {
    const double spacing = 1.15, width = SIDE * spacing, top = 1.8 * LAYERS * spacing;
    uint64_t random = seed;
    ScreeWorldDef def = scree_world_def_default();
    def.time_step = 1e-2;
    ScreeWorld *world = rig_create(&def);
    int32_t ball = rig_material(world, 0), wall = rig_material(world, 0);
    ScreeLaw law = scree_law_default();
    law.friction = wall_friction;
    rig_must(scree_law_set(world, (ScreeMaterialId){ball}, (ScreeMaterialId){wall}, &law), "law");
    add_wall(world, rig_vec(0, 0, 0), rig_vec(0, 0, 1), 0);
    add_wall(world, rig_vec(0, 0, 0), rig_vec(1, 0, 0), 0);
    add_wall(world, rig_vec(0, 0, 0), rig_vec(0, 1, 0), 0);
    add_wall(world, rig_vec(width, 0, 0), rig_vec(-1, 0, 0), 0);
    add_wall(world, rig_vec(0, width, 0), rig_vec(0, -1, 0), 0);
    add_wall(world, rig_vec(0, 0, top), rig_vec(0, 0, -1), 25);
    for (int i = 0; i < BALLS; i++) {
        const ScreeVec3 cell = rig_vec(i % SIDE + 0.5, i / SIDE % SIDE + 0.5,
                                       1.7 * (i / SIDE / SIDE) + 0.5); /* integers on purpose */
        double radius = 0.5 + 0.05 * rig_random(&random);
        ScreeVec3 position = rig_add(rig_scale(spacing, cell), 1, rig_random_vec(&random, 0.05, 3));
        rig_add_ball(world, position, radius, 0.5);
    }
    return world;
}

/* Of the balls with four loaded contacts or more; rattlers fly on. */
static double energy_of_loaded(const ScreeWorld *world) {
    ScreeBodyView bodies = scree_world_get_bodies(world);
    ScreeContactView view = scree_world_get_contacts(world);
    int loaded[BALLS] = {0};
    double energy = 0;
    for (size_t i = 0; i < view.count; i++) {
        const ScreeContact *c = &view.contact[i];
        if (c->normal_impulse > 0) {
            loaded[c->a.index]++;
            loaded[c->b.code >= 0 ? c->b.code : c->a.index] += c->b.code >= 0;
        }
    }
    for (int i = 0; i < BALLS; i++) {
        ScreeVec3 v = bodies.velocity[i];
        energy += loaded[i] >= 4 ? 0.5 * bodies.mass[i] * rig_dot(v, v) : 0;
    }
    return energy;
}

/* The piston gains energies of about one on its way; at rest nothing is left but rounding. Spins are
 * not counted: nothing brakes those of smooth balls that rolled along a rough wall and left it. */
static bool comes_to_rest(uint64_t seed, double wall_friction) {
    ScreeWorld *world = make_packing(seed, wall_friction);
    int still = 0;
    for (int step = 0; step < STEPS && still < WATCHED; step++) {
        rig_step(world);
        still = step > STEPS / 4 && energy_of_loaded(world) < 1e-18 ? still + 1 : 0;
    }
    scree_world_destroy(world);
    return still == WATCHED;
}

/* Late rearrangements are physics: two packings of three are at rest by then. */
static int packings_at_rest(double wall_friction) {
    int at_rest = 0;
    for (uint64_t seed = 1; seed <= 3; seed++) {
        at_rest += comes_to_rest(seed, wall_friction);
    }
    return at_rest;
}

static void most_packings_are_at_rest(void) {
    CHECK(packings_at_rest(0) >= 2);
}

static void rough_walls_change_nothing(void) {
    CHECK(packings_at_rest(0.5) >= 2);
}

int main(int argc, char **argv) {
    CHECK_RUN(most_packings_are_at_rest);
    CHECK_RUN(rough_walls_change_nothing);
    return check_result();
}
