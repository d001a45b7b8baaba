/* Blocks upon blocks, with default settings: what stands must stand still, and what cannot must fall. */
#include "physics/solid_rig.h"

#include <string.h>

static ScreeWorld *site(double friction) {
    ScreeWorldDef def = scree_world_def_default();
    def.time_step = 1e-3;
    def.gravity = rig_vec(0, 0, -9.81);
    ScreeWorld *world = rig_create(&def);
    rig_material(world, friction);
    rig_add_plane(world, rig_vec(0, 0, 0), rig_vec(0, 0, 1));
    return world;
}

enum { MOST_BLOCKS = 128 };

/* How far any body has moved after so many steps. */
static double farthest_after(ScreeWorld *world, int steps) {
    ScreeVec3 start[MOST_BLOCKS];
    ScreeBodyView b = scree_world_get_bodies(world);
    double farthest = 0;
    memcpy(start, b.position, b.count * sizeof *start);
    for (int k = 0; k < steps; k++) {
        ScreeReport r = rig_step(world);
        CHECK(r.converged);
    }
    b = scree_world_get_bodies(world);
    for (size_t i = 0; i < b.count; i++) {
        farthest = fmax(farthest, rig_length(rig_sub(b.position[i], start[i])));
    }
    return farthest;
}

/* Fifteen layers of three, crosswise: 636 contact points for 45 blocks. */
static void a_tower_of_crossed_blocks_stands_still(void) {
    ScreeWorld *world = site(0.5);
    ScreeShapeId block = rig_box(world, 3, 0.99, 0.6);
    for (int layer = 0; layer < 15; layer++) {
        for (int k = -1; k <= 1; k++) {
            bool across = layer % 2 == 1;
            rig_add_solid(world, block, rig_vec(across ? k : 0, across ? 0 : k, 0.3 + 0.6 * layer),
                          rig_rotation(rig_vec(0, 0, 1), across ? RIG_PI / 2 : 0));
        }
    }
    CHECK(farthest_after(world, CHECK_STRIDE == 1 ? 400 : 40) < 1e-8);
    CHECK(scree_world_get_kinetic_energy(world) < 1e-11);
    scree_world_destroy(world);
}

/* Blocks that reach 1/2, 1/4, 1/6, ... of their length over the one below, counted from above, are
 * just at the limit (the harmonic series): a thousandth less stands, a few thousandths more falls. */
static void an_overhang_stands_up_to_the_harmonic_series(void) {
    for (int over = 0; over < 2; over++) {
        ScreeWorld *world = site(0.5);
        ScreeShapeId block = rig_box(world, 1, 0.4, 0.1);
        enum { BLOCKS = 8 };
        double x = 0;
        for (int i = BLOCKS; i >= 1; i--) {
            rig_add_solid(world, block, rig_vec(x, 0, 0.05 + 0.1 * (BLOCKS - i)), rig_upright);
            x += i > 1 ? (over ? 1.003 : 0.999) * 0.5 / (i - 1) : 0;
        }
        double moved = farthest_after(world, 400);
        CHECK(over ? moved > 1e-3 : moved < 1e-6);
        scree_world_destroy(world);
    }
}

/* Three storeys of cards, each 1 long and 0.01 thick, leaning on each other at 20 degrees. */
static void a_house_of_cards_stands(void) {
    ScreeWorld *world = site(0.6);
    const double lean = 0.35, thick = 0.01, rise = cos(lean) + thick * sin(lean);
    ScreeShapeId card = rig_box(world, thick, 0.6, 1), flat = rig_box(world, 1, 0.6, thick);
    for (int storey = 0; storey < 3; storey++) {
        int pairs = 3 - storey;
        double floor = storey * (rise + thick);
        for (int k = 0; k < pairs; k++) {
            double x = k - 0.5 * (pairs - 1), out = 0.5 * (sin(lean) + thick * cos(lean));
            rig_add_solid(world, card, rig_vec(x - out, 0, floor + 0.5 * rise),
                          rig_rotation(rig_vec(0, 1, 0), lean));
            rig_add_solid(world, card, rig_vec(x + out, 0, floor + 0.5 * rise),
                          rig_rotation(rig_vec(0, 1, 0), -lean));
        }
        for (int k = 0; k + 1 < pairs; k++) {
            rig_add_solid(world, flat,
                          rig_vec(k - 0.5 * (pairs - 2), 0, floor + rise + 0.5 * thick),
                          rig_upright);
        }
    }
    CHECK(farthest_after(world, CHECK_STRIDE == 1 ? 2000 : 200) < 1e-8);
    CHECK(scree_world_get_kinetic_energy(world) < 1e-13);
    scree_world_destroy(world);
}

/* Half a sphere of mean radius 1 in rings of blocks with radial joints, as thick as thick enough (lunes
 * need 0.042 radii; Heyman 1967), closed by a stone at the top. */
static void a_dome_of_blocks_stands(void) {
    enum { RINGS = 6, BLOCKS = 12 };
    ScreeWorld *world = site(0.6);
    const double half = 0.05, top = 1.35, wide = 2 * RIG_PI / BLOCKS;
    ScreeVec3 vertex[2 * BLOCKS];
    for (int ring = 0; ring < RINGS; ring++) {
        for (int k = 0; k < 8; k++) {
            double r = k & 1 ? 1 + half : 1 - half, up = top * (ring + (k & 2 ? 1 : 0)) / RINGS,
                   turn = k & 4 ? wide / 2 : -wide / 2;
            vertex[k] = rig_vec(r * cos(up) * cos(turn), r * cos(up) * sin(turn), r * sin(up));
        }
        ScreeShapeId shape = rig_hull(world, vertex, 8, 0);
        ScreeSolid solid;
        rig_must(scree_shape_get_solid(world, shape, &solid), "solid");
        for (int k = 0; k < BLOCKS; k++) {
            ScreeQuat turn = rig_rotation(rig_vec(0, 0, 1), k * wide);
            rig_add_solid(world, shape, rig_rotate(turn, solid.centroid), turn);
        }
    }
    for (int k = 0; k < 2 * BLOCKS; k++) {
        double r = k < BLOCKS ? 1 - half : 1 + half, turn = (k + 0.5) * wide;
        vertex[k] = rig_vec(r * cos(top) * cos(turn), r * cos(top) * sin(turn), r * sin(top));
    }
    ScreeShapeId stone = rig_hull(world, vertex, 2 * BLOCKS, 0);
    ScreeSolid solid;
    rig_must(scree_shape_get_solid(world, stone, &solid), "solid");
    rig_add_solid(world, stone, solid.centroid, rig_upright);
    CHECK(farthest_after(world, CHECK_STRIDE == 1 ? 200 : 20) < 1e-8);
    scree_world_destroy(world);
}

/* A smooth block glides over the seams of a row of blocks as if it were one, straight or askew. */
static void seams_of_a_floor_are_not_felt(void) {
    for (int askew = 0; askew < 2; askew++) {
        ScreeWorld *world = site(0);
        ScreeShapeId slab = rig_box(world, 1, 1, 0.5), block = rig_box(world, 0.35, 0.35, 0.2);
        for (int k = 0; k < 6; k++) {
            ScreeBodyDef def = scree_body_def_default();
            def.shape = slab;
            def.position = rig_vec(k, 0, 0.25);
            def.frozen = SCREE_FREEZE_ALL;
            rig_add_body(world, &def);
        }
        ScreeBodyDef def = scree_body_def_default();
        def.shape = block;
        def.position = rig_vec(0, 0.1, 0.6);
        def.orientation = rig_rotation(rig_vec(0, 0, 1), askew ? 0.3 : 0);
        def.velocity = rig_vec(3, 0, 0);
        int32_t body = rig_add_body(world, &def);
        for (int step = 0; step < 1500; step++) {
            rig_step(world);
        }
        ScreeBodyView b = scree_world_get_bodies(world);
        CHECK_NEAR(b.velocity[body].x, 3, 1e-12);
        CHECK_NEAR(b.position[body].x, 4.5, 1e-9);
        CHECK_NEAR(b.position[body].z, 0.6, 1e-12);
        CHECK(rig_length(b.spin[body]) < 1e-12);
        scree_world_destroy(world);
    }
}

int main(int argc, char **argv) {
    CHECK_RUN(a_tower_of_crossed_blocks_stands_still);
    CHECK_RUN(an_overhang_stands_up_to_the_harmonic_series);
    CHECK_RUN(a_house_of_cards_stands);
    CHECK_RUN(a_dome_of_blocks_stands);
    CHECK_RUN(seams_of_a_floor_are_not_felt);
    return check_result();
}
