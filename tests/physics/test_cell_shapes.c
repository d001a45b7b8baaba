/* Polygons, solids and impacts in a periodic cell that deforms: docs/cell.md. */
#include "cell_rig.h"
#include "polygon_rig.h"
#include "solid_rig.h"

/* ---------------------------------------------------------------- impacts */

/* Two disks at rest relative to a cell that closes along x come nearer to each other only through its rate: at
 * distance l at u = L l. The impact is in the step that would close the gap, and from then on they part at e times
 * that, half of the change each. In the step itself they stop where they are, as with every impact that is solved
 * at once: x' = F x + dt w'. */
static void an_impact_knows_the_rate_of_the_cell(void) {
    const double e = 0.7, rate = -0.1, l0 = 1.2;
    ScreeWorldDef def = cell_def(2, 20);
    def.deform.rate[XX] = rate;
    def.solver.tolerance = 1e-13;
    ScreeWorld *world = rig_create(&def);
    ScreeMaterialDef material = scree_material_def_default();
    material.law.restitution = e;
    rig_must(scree_world_add_material(world, &material, NULL), "material");
    cell_add(world, 0.5, (ScreeVec3){10 - l0 / 2, 10, 0}, (ScreeVec3){0});
    cell_add(world, 0.5, (ScreeVec3){10 + l0 / 2, 10, 0}, (ScreeVec3){0});
    double l = l0;
    while (l * (1 + def.time_step * rate) > 1) {
        cell_step(world);
        l *= 1 + def.time_step * rate;
    }
    CHECK_NEAR(scree_world_get_bodies(world).velocity[0].x, 0, 1e-15);
    cell_step(world);
    const ScreeBodyView b = scree_world_get_bodies(world);
    const double apart = -e * rate * l; /* w_b' - w_a' + L l = -e L l */
    CHECK_CLOSE(b.velocity[1].x - b.velocity[0].x + rate * l, apart, 1e-10);
    CHECK_NEAR(b.velocity[0].x + b.velocity[1].x, 0, 1e-13);
    scree_world_destroy(world);
}

/* Elastic smooth disks in a cell whose rate is given as zero are a gas in a box: energy and momentum stay. */
static void an_elastic_gas_keeps_its_energy(void) {
    ScreeWorldDef def = cell_def(2, 8 * 1.3);
    def.solver.tolerance = 1e-12;
    def.solver.iterations = 20000;
    ScreeWorld *world = rig_create(&def);
    ScreeMaterialDef material = scree_material_def_default();
    material.law.restitution = 1;
    rig_must(scree_world_add_material(world, &material, NULL), "material");
    cell_fill(world, 8, 8 * 1.3);
    double first = 0, impacts = 0;
    for (int i = 0; i < 200; i++) {
        const ScreeReport r = cell_step(world);
        first = i == 0 ? r.kinetic_energy : first;
        impacts += (double)r.active;
        /* Where several contacts act at one time some of the energy is lost, never made. */
        CHECK(r.kinetic_energy <= first * (1 + 1e-10));
        CHECK(r.dissipation >= -1e-10 * first);
    }
    CHECK(impacts > 20);
    scree_world_destroy(world);
}

/* A cell that holds a pressure is one more body that impacts push: nothing makes energy. */
static void impacts_in_a_cell_under_stress_balance(void) {
    for (int dimension = 2; dimension <= 3; dimension++) {
        const int along = dimension == 2 ? 8 : 4;
        ScreeWorldDef def = cell_def(dimension, along * 1.3);
        def.deform.isotropic = true;
        def.deform.pressure = 1;
        ScreeWorld *world = rig_create(&def);
        ScreeMaterialDef material = scree_material_def_default();
        material.law.restitution = 0.8;
        material.law.friction = 0.3;
        material.law.restitution_threshold = 1e-3;
        rig_must(scree_world_add_material(world, &material, NULL), "material");
        cell_fill(world, along, along * 1.3);
        for (int i = 0; i < 200; i++) {
            const ScreeReport r = cell_step(world);
            const double size = fabs(r.work_cell) + fabs(r.dissipation) + r.kinetic_energy;
            CHECK(fabs(r.energy_error) <= 1e-12 * size);
            CHECK(r.dissipation >= -1e-3 * size); /* as far as impulses are solved */
        }
        scree_world_destroy(world);
    }
}

/* ---------------------------------------------------------------- shapes */

/* Squares that tile the plane bear any compression, and a shear below their friction: the cell stands still, and its
 * contacts make up the stress that is held. */
static void tiles_bear_stress(void) {
    enum { ALONG = 5 };
    ScreeWorldDef def = cell_def(2, ALONG);
    ScreeCellDef *c = &def.deform;
    c->symmetric = true;
    c->control[XX] = c->control[YY] = c->control[XY] = SCREE_CELL_STRESS;
    c->stress[XX] = 2;
    c->stress[YY] = 3;
    c->stress[XY] = 0.4;
    def.solver.tolerance = 1e-10;
    def.solver.iterations = 20000;
    ScreeWorld *world = cell_world(&def, 0.5);
    const int32_t tile = rig_add_rectangle_shape(world, 1, 1);
    for (int i = 0; i < ALONG * ALONG; i++) {
        rig_add_shaped(world, tile, (ScreeVec3){i % ALONG + 0.5, (int)(i / ALONG) + 0.5, 0}, 0);
    }
    for (int i = 0; i < 5; i++) {
        const ScreeReport report = cell_step(world);
        CHECK(report.overlap_max < 1e-9 && report.converged);
        CHECK(report.kinetic_energy < 1e-14);
    }
    const ScreeCellReport r = scree_world_get_cell(world);
    CHECK_CLOSE(r.stress[XX], 2.0, 1e-6);
    CHECK_CLOSE(r.stress[YY], 3.0, 1e-6);
    CHECK_CLOSE(r.stress[XY], 0.4, 1e-6);
    CHECK_NEAR(r.rate[XX], 0, 1e-7);
    CHECK_NEAR(r.rate[XY], 0, 1e-7);
    scree_world_destroy(world);
}

/* Pentagons, or hulls of ten points, on a loose lattice, at random angles. */
static ScreeWorld *shaped_world(const ScreeWorldDef *def, int along, double pitch) {
    ScreeWorld *world = cell_world(def, 0.4);
    const bool space = def->dimension == 3;
    ScreeVec3 corner[10];
    for (int k = 0; k < 10; k++) {
        const double angle = 2 * acos(-1) * k / 5;
        corner[k] =
            (ScreeVec3){0.55 * cos(angle), 0.55 * sin(angle), space ? k < 5 ? -0.3 : 0.3 : 0};
    }
    const ScreeShapeId id = space ? rig_hull(world, corner, 10, 0)
                                  : (ScreeShapeId){rig_add_polygon_shape(world, corner, 5, 0)};
    for (int i = 0; i < along * along * (space ? along : 1); i++) {
        const double angle = 3 * cell_chance((unsigned)i);
        const ScreeVec3 at = {(i % along + 0.5) * pitch, (i / along % along + 0.5) * pitch,
                              space ? (i / along / along + 0.5) * pitch : 0};
        rig_add_solid(world, id, at,
                      rig_rotation((ScreeVec3){space ? 0.3 : 0, space ? 0.2 : 0, 1}, angle));
    }
    return world;
}

static ScreeWorldDef shaped_def(int dimension) {
    ScreeWorldDef def = cell_def(dimension, dimension == 2 ? 6 * 1.2 : 4 * 1.2);
    def.deform.rate[XY] = 0.5;
    def.deform.control[YY] = SCREE_CELL_STRESS;
    def.deform.stress[YY] = 1;
    return def;
}

/* The balance of energy holds in each step, and shapes do not enter each other. */
static void the_work_on_shapes_balances(void) {
    for (int dimension = 2; dimension <= 3; dimension++) {
        const ScreeWorldDef def = shaped_def(dimension);
        ScreeWorld *world = shaped_world(&def, dimension == 2 ? 6 : 4, 1.2);
        double work = 0, deepest = 0;
        for (int i = 0; i < 120; i++) {
            const ScreeReport r = cell_step(world);
            const double size = fabs(r.work_cell) + fabs(r.dissipation) + r.kinetic_energy;
            CHECK(fabs(r.energy_error) <= 1e-12 * size);
            work += r.work_cell;
            deepest = fmax(deepest, r.overlap_max);
        }
        CHECK(work > 0);
        CHECK(deepest < 0.01);
        scree_world_destroy(world);
    }
}

/* Threads and a restart change no bit. */
static void bits_of_shapes_depend_on_nothing(void) {
    for (int dimension = 2; dimension <= 3; dimension++) {
        ScreeWorldDef def = shaped_def(dimension);
        const int along = dimension == 2 ? 6 : 4;
        ScreeWorld *one = shaped_world(&def, along, 1.2), *loaded = NULL;
        def.threads = 3;
        ScreeWorld *three = shaped_world(&def, along, 1.2);
        static char buffer[4000000];
        size_t size = sizeof buffer;
        for (int i = 0; i < 60; i++) {
            cell_step(one);
            cell_step(three);
        }
        CHECK(scree_world_save(three, buffer, &size) == SCREE_OK);
        CHECK(scree_world_load(buffer, size, &loaded, NULL) == SCREE_OK);
        for (int i = 0; i < 20; i++) {
            cell_step(one);
            cell_step(loaded);
        }
        CHECK(scree_world_hash(loaded) == scree_world_hash(one));
        scree_world_destroy(one);
        scree_world_destroy(three);
        scree_world_destroy(loaded);
    }
}

/* Everything turned by an angle, with symmetric rates: distances are the same. */
static void shapes_in_a_turned_frame_do_the_same(void) {
    enum { ALONG = 5 };
    const double side = ALONG * 1.2, angle = 0.4, cosine = cos(angle), sine = sin(angle);
    double volume[2], apart[2];
    for (int k = 0; k < 2; k++) {
        ScreeWorldDef def = cell_def(2, side);
        ScreeCellDef *c = &def.deform;
        const double x = k == 0 ? 1 : cosine, y = k == 0 ? 0 : sine;
        c->symmetric = true;
        c->control[XX] = c->control[YY] = c->control[XY] = SCREE_CELL_STRESS;
        c->vector[0] = (ScreeVec3){side * x, side * y, 0};
        c->vector[1] = (ScreeVec3){-side * y, side * x, 0};
        c->stress[XX] = 1 * x * x + 1.5 * y * y;
        c->stress[YY] = 1 * y * y + 1.5 * x * x;
        c->stress[XY] = -0.5 * x * y;
        def.solver.tolerance = 1e-12;
        def.solver.iterations = 100000;
        ScreeWorld *world = cell_world(&def, 0);
        ScreeVec3 corner[5];
        for (int i = 0; i < 5; i++) {
            const double at = 2 * acos(-1) * i / 5;
            corner[i] = (ScreeVec3){0.55 * cos(at), 0.55 * sin(at), 0};
        }
        const int32_t shape = rig_add_polygon_shape(world, corner, 5, 0.02);
        for (int i = 0; i < ALONG * ALONG; i++) {
            const double px = (i % ALONG + 0.5) * 1.2, py = ((int)(i / ALONG) + 0.5) * 1.2;
            rig_add_shaped(world, shape, (ScreeVec3){px * x - py * y, px * y + py * x, 0},
                           3 * cell_chance((unsigned)i) + (k == 0 ? 0 : angle));
        }
        for (int i = 0; i < 40; i++) {
            cell_step(world);
        }
        const ScreeBodyView b = scree_world_get_bodies(world);
        volume[k] = scree_world_get_cell(world).volume;
        apart[k] = rig_length(rig_sub(b.position[12], b.position[7]));
        scree_world_destroy(world);
    }
    CHECK(volume[0] < 0.97 * side * side);
    CHECK_CLOSE(volume[0], volume[1], 1e-8);
    CHECK_CLOSE(apart[0], apart[1], 1e-6);
}

int main(int argc, char **argv) {
    CHECK_RUN(an_impact_knows_the_rate_of_the_cell);
    CHECK_RUN(an_elastic_gas_keeps_its_energy);
    CHECK_RUN(impacts_in_a_cell_under_stress_balance);
    CHECK_RUN(tiles_bear_stress);
    CHECK_RUN(the_work_on_shapes_balances);
    CHECK_RUN(bits_of_shapes_depend_on_nothing);
    CHECK_RUN(shapes_in_a_turned_frame_do_the_same);
    return check_result();
}
