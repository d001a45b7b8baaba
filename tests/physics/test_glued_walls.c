/* Bodies that are glued to walls: docs/bonds.md. */
#include "bond_rig.h"
#include "polygon_rig.h"
#include "solid_rig.h"

#include <string.h>

static ScreeBondDef to_wall(int32_t wall, ScreeBondDef def) {
    def.wall.index = wall;
    return def;
}

/* What hangs from a ceiling bears its weight by tension; at the side of a wall by shear, with the moment m g r of a
 * lever r. */
static void weight_loads_the_glue(void) {
    const double g = 2;
    for (int k = 0; k < 8; k++) {
        const int dimension = 2 + k % 2;
        const bool block = k / 2 % 2 == 1, side = k / 4 == 1;
        ScreeWorld *world = rig_world(dimension, 1e-2, rig_vec(0, -g, 0), 0.5);
        const ScreeVec3 normal = side ? rig_vec(1, 0, 0) : rig_vec(0, -1, 0);
        const int32_t wall = rig_add_plane(world, rig_vec(0, 0, 0), normal);
        ScreeBodyDef body = rig_ball(rig_scale(1, normal), 1, 1);
        if (block) {
            body = scree_body_def_default();
            body.shape = dimension == 3 ? rig_box(world, 2, 2, 2)
                                        : (ScreeShapeId){rig_add_rectangle_shape(world, 2, 2)};
            body.position = normal;
            body.mass = 1;
        }
        rig_add_body(world, &body);
        CHECK(glue(world, to_wall(wall, strengths(8, 5, 7, 1e3))) == 1);
        for (int i = 0; i < 50; i++) {
            const ScreeReport r = rig_step(world);
            CHECK(r.glued == 1 && r.broken == 0 && r.converged);
        }
        CHECK_CLOSE(load(world, 0), side ? fmax(g / 5, g / 7) : g / 8, 1e-9);
        CHECK_VEC(scree_world_get_bodies(world).position[0], normal, 1e-12);
        CHECK_VEC(rig_wall(world, wall).load, rig_vec(0, -g, 0), 1e-9);
        CHECK(scree_world_get_bonds(world).bond[0].b.code == -1 - wall);
        scree_world_set_gravity(world, rig_vec(0, -9, 0));
        CHECK(rig_step(world).broken == 1 && rig_step(world).glued == 0);
        scree_world_destroy(world);
    }
}

/* A grain outside of a drum that turns, R from its axis: it goes round with it on
 * its circle and turns as it does, and the glue bears m w^2 R. The work of the wall is the change of energy. */
static void glue_goes_round_with_a_wall_that_turns(void) {
    const double w = 3, big = 5, dt = 1e-2;
    for (int dimension = 2; dimension <= 3; dimension++) {
        ScreeWorld *world = rig_world(dimension, dt, rig_vec(0, 0, 0), 0.5);
        ScreeWallDef drum = scree_wall_def_default();
        drum.shape = SCREE_WALL_CYLINDER;
        drum.axis = rig_vec(0, 0, 1);
        drum.radius = big - 1;
        drum.motion = SCREE_WALL_MOVED;
        drum.spin = rig_vec(0, 0, w);
        const int32_t wall = rig_add_wall(world, &drum);
        rig_add_ball(world, rig_vec(big, 0, 0), 1, 2);
        CHECK(glue(world, to_wall(wall, strengths(1e5, 1e5, 1e5, 1e5))) == 1);
        double energy = 0;
        for (int i = 0; i < 300; i++) {
            const ScreeReport r = rig_step(world);
            CHECK(r.glued == 1 && r.converged);
            CHECK_NEAR(r.energy_error, 0, 1e-11);
            energy += r.work_walls - r.dissipation - r.dissipation_scheme;
        }
        const ScreeBodyView b = scree_world_get_bodies(world);
        const double angle = 300 * dt * w;
        CHECK_VEC(b.position[0], rig_vec(big * cos(angle), big * sin(angle), 0), 1e-9);
        CHECK_VEC(b.spin[0], rig_vec(0, 0, w), 1e-9);
        const double turned = 2 * atan2(b.orientation[0].z, b.orientation[0].w);
        CHECK_NEAR(sin(turned - angle), 0, 1e-9);
        /* the force turns by w dt in a step: it acts along the mean of two chords */
        CHECK_CLOSE(load(world, 0), 2 * w * w * big / 1e5, 1e-3);
        CHECK_CLOSE(energy, 0.5 * 2 * w * w * big * big + 0.5 * rig_shape(dimension) * 2 * w * w,
                    1e-2);
        scree_world_destroy(world);
    }
}

/* A lid of the mass M that a force F lifts, with a grain of the mass m glued under it: both rise at (F - m g) / (M + m), and
 * the glue bears m (g + a). */
static void piston_lifts_what_is_glued_to_it(void) {
    const double g = 2, M = 3, m = 1, F = 9, a = (F - m * g) / (M + m), dt = 1e-2;
    ScreeWorld *world = rig_world(3, dt, rig_vec(0, 0, -g), 0.5);
    ScreeWallDef lid = rig_plane(rig_vec(0, 0, 0), rig_vec(0, 0, -1));
    lid.motion = SCREE_WALL_PISTON;
    lid.direction = rig_vec(0, 0, 1);
    lid.force = rig_vec(0, 0, F);
    lid.mass = M;
    const int32_t wall = rig_add_wall(world, &lid);
    rig_add_ball(world, rig_vec(0, 0, -1), 1, m);
    CHECK(glue(world, to_wall(wall, strengths(10, 10, 10, 10))) == 1);
    for (int i = 0; i < 40; i++) {
        const ScreeReport r = rig_step(world);
        CHECK_NEAR(r.energy_error, 0, 1e-12);
    }
    CHECK_CLOSE(rig_wall(world, wall).now.velocity.z, 40 * dt * a, 1e-9);
    CHECK_CLOSE(scree_world_get_bodies(world).velocity[0].z, 40 * dt * a, 1e-9);
    CHECK_CLOSE(load(world, 0), m * (g + a) / 10, 1e-9);
    scree_world_destroy(world);
}

/* A floor that moves along a periodic cell takes its grain round it, and a snapshot goes on bit for bit. */
static void floor_takes_it_round_a_periodic_cell(void) {
    ScreeWorldDef def = rig_def(2, 1e-2, rig_vec(0, -2, 0));
    def.periodic[0] = true;
    def.cell_max = rig_vec(10, 0, 0);
    ScreeWorld *world = rig_create(&def), *copy = NULL;
    rig_material(world, 0.5);
    ScreeWallDef belt = rig_plane(rig_vec(0, 0, 0), rig_vec(0, 1, 0));
    belt.motion = SCREE_WALL_MOVED;
    belt.velocity = rig_vec(4, 0, 0);
    const int32_t wall = rig_add_wall(world, &belt);
    rig_add_ball(world, rig_vec(8.5, 1, 0), 1, 1);
    ScreeBondDef one = to_wall(wall, strengths(1, 1, 1, 1e3));
    one.tension = one.shear = one.bending = 1e4;
    one.a.index = 0;
    CHECK(glue(world, one) == 1);
    static unsigned char bytes[1 << 16];
    size_t size = sizeof bytes;
    for (int i = 0; i < 300; i++) {
        CHECK(rig_step(world).glued == 1);
        if (i == 149) {
            rig_must(scree_world_save(world, bytes, &size), "save");
            rig_must(scree_world_load(bytes, size, &copy, NULL), "load");
        } else if (i > 149) {
            rig_step(copy);
        }
    }
    const ScreeBodyView b = scree_world_get_bodies(world), c = scree_world_get_bodies(copy);
    CHECK_VEC(b.position[0], rig_vec(fmod(8.5 + 300 * 0.04, 10), 1, 0), 1e-9);
    CHECK_VEC(b.spin[0], rig_vec(0, 0, 0), 1e-9);
    CHECK(memcmp(b.position, c.position, sizeof *b.position) == 0);
    CHECK(memcmp(scree_world_get_bonds(world).bond, scree_world_get_bonds(copy).bond,
                 sizeof(ScreeBond)) == 0);
    scree_world_destroy(copy);
    scree_world_destroy(world);
}

/* All that touches a wall is glued to it, or that of one material; what is held by a wall, or far from it, is not. The glue
 * goes with a wall that is removed, without being counted as broken, and walls join no fragments. */
static void what_touches_the_wall_is_glued(void) {
    ScreeWorld *world = rig_world(3, 1e-2, rig_vec(0, 0, -1), 0.5);
    rig_material(world, 0.5);
    const int32_t wall = rig_add_plane(world, rig_vec(0, 0, 0), rig_vec(0, 0, -1));
    for (int i = 0; i < 4; i++) {
        ScreeBodyDef ball = rig_ball(rig_vec(3 * i, 0, i == 3 ? -1.5 : -1), 1, 1);
        ball.material.index = i % 2;
        rig_add_body(world, &ball);
    }
    ScreeBondDef def = to_wall(wall, strengths(5, 5, 5, 5));
    def.first.index = def.second.index = 1;
    CHECK(glue(world, def) == 1);
    def.first = def.second = SCREE_NO_MATERIAL;
    CHECK(glue(world, def) == 2);
    CHECK(glue(world, def) == 0);
    int32_t fragment[MOST];
    CHECK(fragments(world, fragment) == 4 && fragment[2] == 2);
    CHECK(rig_step(world).glued == 3);
    const ScreeBodyId gone = {0};
    rig_must(scree_world_remove_bodies(world, &gone, 1), "remove");
    CHECK(scree_world_get_bonds(world).count == 2 && rig_step(world).glued == 2);
    CHECK(scree_world_get_bonds(world).bond[1].a.index == 1);
    rig_must(scree_wall_remove(world, (ScreeWallId){wall}), "remove");
    CHECK(scree_world_get_bonds(world).count == 0 && scree_world_get_bonds(world).broken == 0);
    CHECK_NEAR(scree_world_get_bodies(world).velocity[0].z, 0, 1e-12);
    rig_step(world);
    CHECK_NEAR(scree_world_get_bodies(world).velocity[0].z, -1e-2, 1e-12);
    scree_world_destroy(world);
}

static bool refuses(ScreeWorld *world, ScreeBondDef def, const char *word) {
    return scree_world_add_bonds(world, &def, NULL) != SCREE_OK &&
           strstr(scree_world_get_message(world), word) != NULL;
}

static void faults_are_told(void) {
    ScreeWorld *world = rig_world(3, 1e-2, rig_vec(0, 0, -1), 0.5);
    const int32_t wall = rig_add_plane(world, rig_vec(0, 0, 0), rig_vec(0, 0, -1));
    rig_add_ball(world, rig_vec(0, 0, -1), 1, 1);
    rig_add_ball(world, rig_vec(0, 0, -5), 1, 1);
    ScreeBondDef def = to_wall(wall, strengths(1, 1, 1, 1));
    CHECK(refuses(world, to_wall(7, def), "no wall 7"));
    def.b.index = 1;
    CHECK(refuses(world, def, "one body"));
    def.b = SCREE_NO_BODY;
    def.a.index = 1;
    CHECK(refuses(world, def, "do not touch"));
    def.a.index = 3;
    CHECK(refuses(world, def, "no body 3"));
    def.a.index = 0;
    CHECK(glue(world, def) == 1 && refuses(world, def, "already"));
    scree_world_destroy(world);
}

int main(int argc, char **argv) {
    CHECK_RUN(weight_loads_the_glue);
    CHECK_RUN(glue_goes_round_with_a_wall_that_turns);
    CHECK_RUN(piston_lifts_what_is_glued_to_it);
    CHECK_RUN(floor_takes_it_round_a_periodic_cell);
    CHECK_RUN(what_touches_the_wall_is_glued);
    CHECK_RUN(faults_are_told);
    return check_result();
}
