/* Bonds between bodies with shapes, and bonds in cells that deform: docs/bonds.md. */
#include "bond_rig.h"
#include "cell_rig.h"
#include "polygon_rig.h"
#include "solid_rig.h"

/* A row of squares or cubes of side 1, of which the first is held. */
static ScreeWorld *row_of_blocks(int dimension, int n, ScreeVec3 gravity, double dt, bool held) {
    ScreeWorldDef def = rig_def(dimension, dt, gravity);
    def.solver.tolerance = 1e-12;
    def.solver.iterations = 100000;
    ScreeWorld *world = rig_create(&def);
    rig_material(world, 0.5);
    const ScreeShapeId shape = dimension == 3
                                   ? rig_box(world, 1, 1, 1)
                                   : (ScreeShapeId){rig_add_rectangle_shape(world, 1, 1)};
    for (int i = 0; i < n; i++) {
        ScreeBodyDef body = scree_body_def_default();
        body.shape = shape;
        body.position = rig_vec(i, 0, 0);
        body.mass = 1;
        body.frozen = held && i == 0 ? SCREE_FREEZE_ALL : 0;
        rig_add_body(world, &body);
    }
    return world;
}

static ScreeBondDef cement(double tension, double shear) {
    ScreeBondDef def = scree_bond_def_default();
    def.tension_stress = tension;
    def.shear_stress = shear;
    return def;
}

/* Whole faces are glued: an edge of the length 1 bears s, and bent s / 6, the section modulus of a beam as high; a
 * face of the area 1 bears s, and bent s R / 4 with the disc of that area. Behind joint j hang k = n - 1 - j blocks: their
 * weight is the shear, and its moment k^2 g / 2. */
static void beam_of_blocks_bends(void) {
    enum { N = 4 };
    const double g = 2, s = 100;
    for (int dimension = 2; dimension <= 3; dimension++) {
        ScreeWorld *world = row_of_blocks(dimension, N, rig_vec(0, -g, 0), 1e-2, true);
        const double radius = dimension == 2 ? 0.5 : 1 / sqrt(acos(-1));
        const double bending = dimension == 2 ? s * radius / 3 : s * radius / 4;
        CHECK(glue(world, cement(s, 1e6)) == N - 1);
        for (int i = 0; i < 20; i++) {
            const ScreeReport r = rig_step(world);
            CHECK(r.broken == 0 && r.glued == N - 1 && r.converged);
        }
        for (int j = 0; j < N - 1; j++) {
            const ScreeBond bond = scree_world_get_bonds(world).bond[j];
            const double k = N - 1 - j;
            CHECK_CLOSE(bond.tension, s, 1e-12);
            CHECK_CLOSE(bond.bending, bending, 1e-12);
            CHECK_CLOSE(bond.load, k * k * g / 2 / bending, 1e-6);
        }
        CHECK_NEAR(scree_world_get_bodies(world).position[N - 1].y, 0, 1e-9);
        scree_world_destroy(world);
    }
}

/* Of four blocks in a square those are glued that share a face, not those that meet at a corner or an edge; these, too,
 * where the strengths are forces. */
static void corners_are_not_glued_by_stress(void) {
    for (int dimension = 2; dimension <= 3; dimension++) {
        ScreeWorld *world = row_of_blocks(dimension, 2, rig_vec(0, 0, 0), 1e-2, false);
        for (int i = 0; i < 2; i++) {
            ScreeBodyDef body = scree_body_def_default();
            body.shape = scree_world_get_bodies(world).shape[0];
            body.position = rig_vec(i, 1, 0);
            rig_add_body(world, &body);
        }
        CHECK(glue(world, cement(1, 1)) == 4);
        ScreeBondDef pair = cement(1, 1);
        pair.a.index = 0;
        pair.b.index = 3;
        CHECK(scree_world_add_bonds(world, &pair, NULL) == SCREE_BAD_ARGUMENT);
        CHECK(strstr(scree_world_get_message(world), "no face") != NULL);
        CHECK(glue(world, strengths(1, 1, 0, 0)) == 2);
        scree_world_destroy(world);
    }
}

/* Pulled along the row each joint bears what hangs behind it; the first is the weakest link. */
static void chain_of_blocks_breaks_at_its_top(void) {
    for (int dimension = 2; dimension <= 3; dimension++) {
        for (int weak = 0; weak < 2; weak++) {
            ScreeWorld *world = row_of_blocks(dimension, 4, rig_vec(3, 0, 0), 1e-2, true);
            glue(world, cement(weak ? 8.99 : 9.01, 1e6));
            ScreeReport r = rig_step(world);
            CHECK(r.broken == weak);
            CHECK(r.glued == 3 - weak);
            for (int i = 0; i < 30; i++) {
                r = rig_step(world);
                CHECK(r.broken == 0);
                CHECK(fabs(r.energy_error) < 1e-9);
            }
            const double fall = scree_world_get_bodies(world).position[3].x - 3;
            CHECK(weak ? fall > 0.1 : fabs(fall) < 1e-9);
            scree_world_destroy(world);
        }
    }
}

/* Blocks that were glued fly as one: momentum, angular momentum and the distance of their centres stay. */
static void glued_blocks_fly_as_one(void) {
    for (int dimension = 2; dimension <= 3; dimension++) {
        ScreeWorld *world = row_of_blocks(dimension, 3, rig_vec(0, 0, 0), 1e-3, false);
        glue(world, strengths(1e6, 1e6, 1e6, 1e6));
        const double w = 2;
        for (int i = 0; i < 3; i++) {
            rig_set_motion(world, i, rig_vec(0.3, w * (i - 1), 0), rig_vec(0, 0, w));
        }
        const ScreeVec3 before = rig_angular_momentum(world);
        for (int i = 0; i < 600; i++) {
            rig_step(world);
        }
        const ScreeBodyView b = scree_world_get_bodies(world);
        CHECK_CLOSE(rig_length(rig_sub(b.position[2], b.position[0])), 2.0, 1e-5);
        CHECK_CLOSE(b.position[1].x, 1 + 0.3 * 0.6, 1e-6);
        CHECK_CLOSE(rig_angular_momentum(world).z, before.z, 1e-9);
        CHECK_CLOSE(b.spin[0].z, w, 1e-4);
        scree_world_destroy(world);
    }
}

static void bits_do_not_depend_on_restarts(void) {
    for (int dimension = 2; dimension <= 3; dimension++) {
        ScreeWorld *world = row_of_blocks(dimension, 4, rig_vec(1, -2, 0), 1e-2, true);
        glue(world, cement(13, 40));
        for (int i = 0; i < 5; i++) {
            rig_step(world);
        }
        CHECK(rig_restarts(world, 20 / CHECK_STRIDE));
        scree_world_destroy(world);
    }
}

/* A ring of grains around the cell, glued across its side as well. A tension that the cell holds along them is borne by
 * each bond, sigma times the height of the cell; what is more breaks it. */
static void ring_around_a_cell_bears_its_tension(void) {
    enum { N = 6 };
    const double height = 4, strength = 10;
    for (int shapes = 0; shapes < 2; shapes++) {
        for (int weak = 0; weak < 2; weak++) {
            ScreeWorldDef def = cell_def(2, N);
            def.cell_max.y = height;
            def.deform.control[XX] = SCREE_CELL_STRESS;
            def.deform.stress[XX] = -(weak ? 1.01 : 0.9) * strength / height;
            def.solver.tolerance = 1e-12;
            def.solver.iterations = 100000;
            ScreeWorld *world = cell_world(&def, 0.3);
            const int32_t square = shapes ? rig_add_rectangle_shape(world, 1, 1) : -1;
            for (int i = 0; i < N; i++) {
                const ScreeVec3 at = {i + 0.3, 1.5, 0};
                if (shapes) {
                    rig_add_shaped(world, square, at, 0);
                } else {
                    cell_add(world, 0.5, at, (ScreeVec3){0});
                }
            }
            CHECK(glue(world, strengths(strength, 20, 30, 30)) == N);
            ScreeReport r = cell_step(world);
            CHECK(r.broken == (weak ? N : 0)); /* all bear the same */
            for (int i = 0; i < 20 && !weak; i++) {
                r = cell_step(world);
                CHECK(r.glued == N);
                CHECK_CLOSE(load(world, 3), 0.9, 1e-6);
                CHECK_CLOSE(scree_world_get_cell(world).vector[0].x, (double)N, 1e-9);
            }
            scree_world_destroy(world);
        }
    }
}

/* Pairs in a cell that is sheared: grains that are glued keep their distance, and the balance of energy holds. */
static void glued_pairs_go_through_shear(void) {
    ScreeWorldDef def = cell_def(2, 8);
    def.deform.rate[XY] = 0.5;
    def.deform.control[YY] = SCREE_CELL_STRESS;
    def.deform.stress[YY] = 1;
    ScreeWorld *world = cell_world(&def, 0.4);
    for (int i = 0; i < 28; i++) { /* 14 pairs side by side */
        cell_add(world, 0.5,
                 (ScreeVec3){(i % 7) * 1.14 + 0.5, (i / 7 / 2) * 2.9 + (i / 7 % 2) * 1.0 + 0.6, 0},
                 (ScreeVec3){0});
    }
    CHECK(glue(world, strengths(1e6, 1e6, 1e6, 1e6)) == 14);
    for (int i = 0; i < 200; i++) {
        const ScreeReport r = cell_step(world);
        const double size = fabs(r.work_cell) + fabs(r.dissipation) + r.kinetic_energy;
        CHECK(fabs(r.energy_error) <= 1e-11 * size);
        CHECK(r.glued == 14);
    }
    const ScreeContactView k = scree_world_get_contacts(world);
    const ScreeBondView bonds = scree_world_get_bonds(world);
    int held = 0;
    for (size_t i = 0; i < k.count; i++) {
        for (size_t j = 0; j < bonds.count; j++) {
            if (bonds.bond[j].a.index == k.contact[i].a.index &&
                bonds.bond[j].b.code == k.contact[i].b.code) {
                CHECK_NEAR(k.contact[i].gap, 0, 1e-3);
                held++;
            }
        }
    }
    CHECK(held == 14);
    CHECK(scree_world_get_cell(world).strain[XY] > 1);
    scree_world_destroy(world);
}

int main(int argc, char **argv) {
    CHECK_RUN(beam_of_blocks_bends);
    CHECK_RUN(corners_are_not_glued_by_stress);
    CHECK_RUN(chain_of_blocks_breaks_at_its_top);
    CHECK_RUN(glued_blocks_fly_as_one);
    CHECK_RUN(bits_do_not_depend_on_restarts);
    CHECK_RUN(ring_around_a_cell_bears_its_tension);
    CHECK_RUN(glued_pairs_go_through_shear);
    return check_result();
}
