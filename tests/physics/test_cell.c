/* A periodic cell that deforms: docs/cell.md. */
#include "cell_rig.h"

/* ---------------------------------------------------------------- a gas without collisions */

/* Bodies at rest relative to the cell go where it goes: x = F^n x0, and the edges likewise. */
static void affine_motion_is_exact(void) {
    enum { STEPS = 200 };
    for (int dimension = 2; dimension <= 3; dimension++) {
        ScreeWorldDef def = cell_def(dimension, 40);
        const double rate[9] = {0.3, 0.2, 0, 0.1, -0.25, 0.15, 0, -0.1, 0.05};
        for (int k = 0; k < 9; k++) {
            bool there = dimension == 3 || (k % 3 < 2 && k / 3 < 2);
            def.deform.rate[k] = there ? rate[k] : 0;
        }
        ScreeWorld *world = cell_world(&def, 0);
        const double x0[3] = {5, 7, dimension == 3 ? 11 : 0}, e = 1e-11;
        double x[3] = {x0[0], x0[1], x0[2]}, a[3] = {40, 0, 0};
        cell_add(world, 0.1, (ScreeVec3){x0[0], x0[1], x0[2]}, (ScreeVec3){0});
        for (int i = 0; i < STEPS; i++) {
            cell_step(world);
            double y[3], b[3];
            for (int k = 0; k < 3; k++) {
                y[k] = x[k], b[k] = a[k];
                for (int j = 0; j < 3; j++) {
                    y[k] += def.time_step * def.deform.rate[3 * k + j] * x[j];
                    b[k] += def.time_step * def.deform.rate[3 * k + j] * a[j];
                }
            }
            memcpy(x, y, sizeof x);
            memcpy(a, b, sizeof a);
        }
        /* the body may stand at another image: the difference is a whole number of edges */
        const ScreeCellReport cell = scree_world_get_cell(world);
        const ScreeVec3 at = scree_world_get_bodies(world).position[0];
        double best = INFINITY, edge = INFINITY;
        for (int i = -4; i <= 4; i++) {
            for (int j = -4; j <= 4; j++) {
                for (int k = dimension == 3 ? -4 : 0; k <= (dimension == 3 ? 4 : 0); k++) {
                    double sx = i * cell.vector[0].x + j * cell.vector[1].x + k * cell.vector[2].x;
                    double sy = i * cell.vector[0].y + j * cell.vector[1].y + k * cell.vector[2].y;
                    double sz = i * cell.vector[0].z + j * cell.vector[1].z + k * cell.vector[2].z;
                    best = fmin(best,
                                hypot(hypot(at.x - x[0] - sx, at.y - x[1] - sy), at.z - x[2] - sz));
                    edge = fmin(edge, hypot(hypot(a[0] - sx, a[1] - sy), a[2] - sz));
                }
            }
        }
        CHECK_NEAR(best, 0, e * 40);
        CHECK_NEAR(edge, 0, e * 40);
        scree_world_destroy(world);
    }
}

/* In simple shear L^2 = 0, and the velocity in the laboratory is exactly kept: v = L x + w. The path is
 * that of implicit Euler: x_n = x_0 + n dt (v - dt L w). */
static void a_free_body_flies_straight(void) {
    ScreeWorldDef def = cell_def(2, 40);
    const double shear = 0.2, dt = def.time_step;
    def.deform.rate[XY] = shear;
    ScreeWorld *world = cell_world(&def, 0);
    const ScreeVec3 x0 = {10, 5, 0}, w0 = {0.3, 0.7, 0};
    cell_add(world, 0.1, x0, w0);
    for (int i = 1; i <= 300; i++) {
        cell_step(world);
        const ScreeBodyView b = scree_world_get_bodies(world);
        const double vx = shear * x0.y + w0.x, y = x0.y + i * dt * w0.y;
        CHECK_NEAR(b.position[0].x, x0.x + i * dt * (vx - dt * shear * w0.y), 1e-11);
        CHECK_NEAR(b.position[0].y, y, 1e-11);
        CHECK_NEAR(b.velocity[0].x + shear * y, vx, 1e-12);
        CHECK_NEAR(b.velocity[0].y, w0.y, 1e-12);
    }
    scree_world_destroy(world);
}

/* ---------------------------------------------------------------- energy */

static void the_work_of_rates_balances(void) {
    for (int dimension = 2; dimension <= 3; dimension++) {
        const int along = dimension == 2 ? 8 : 5;
        ScreeWorldDef def = cell_def(dimension, along * 1.3);
        def.deform.rate[XX] = -0.1;
        def.deform.rate[YY] = 0.08;
        def.deform.rate[XY] = 0.5;
        ScreeWorld *world = cell_world(&def, 0.4);
        cell_fill(world, along, along * 1.3);
        cell_run(world, 150);
        CHECK(cell_step(world).work_cell > 0);
        scree_world_destroy(world);
    }
}

/* The same where stresses are held, in every kind of mixture. */
static void the_work_of_stresses_balances(void) {
    for (int kind = 0; kind < 4; kind++) {
        const int dimension = kind == 3 ? 3 : 2, along = dimension == 2 ? 8 : 5;
        ScreeWorldDef def = cell_def(dimension, along * 1.3);
        ScreeCellDef *c = &def.deform;
        c->viscosity = kind == 1 ? 0.5 : 0;
        c->isotropic = kind == 0;
        c->pressure = 1;
        c->symmetric = kind == 2;
        c->rate[XY] = kind == 1 || kind == 3 ? 0.4 : 0;
        c->control[YY] = kind > 0 ? SCREE_CELL_STRESS : SCREE_CELL_RATE;
        c->control[XX] = c->control[XY] = kind == 2 ? SCREE_CELL_STRESS : SCREE_CELL_RATE;
        c->stress[XX] = c->stress[YY] = 1;
        c->stress[XY] = 0.1;
        ScreeWorld *world = cell_world(&def, 0.4);
        cell_fill(world, along, along * 1.3);
        cell_run(world, 150);
        scree_world_destroy(world);
    }
}

/* ---------------------------------------------------------------- lattices */

/* Disks that touch in a square lattice bear any stress along its axes: in contacts along x the mean force is
 * sigma_xx d (single ones are indeterminate), and the cell stands still. A shear that is held by friction, sigma_xy < mu sigma_yy, turns no
 * disk and moves nothing either, where rates are symmetric. */
static void a_square_lattice_bears_stress(void) {
    enum { ALONG = 6 };
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
    for (int i = 0; i < ALONG * ALONG; i++) {
        cell_add(world, 0.5, (ScreeVec3){i % ALONG + 0.5, (int)(i / ALONG) + 0.5, 0},
                 (ScreeVec3){0});
    }
    cell_run(world, 5);
    const ScreeContactView k = scree_world_get_contacts(world);
    double sum[3] = {
        0}; /* of normal forces along x and y, and of shear along y between neighbours in x */
    size_t bearing = 0;
    for (size_t i = 0; i < k.count; i++) {
        const ScreeContact *x = &k.contact[i];
        const bool along = fabs(x->normal.x) > 0.5;
        sum[along ? 0 : 1] += x->normal_impulse / def.time_step;
        sum[2] += along ? x->tangential_impulse.y * x->normal.x / def.time_step : 0;
        bearing += x->normal_impulse > 0;
    }
    CHECK(bearing == 2 * ALONG * ALONG);
    const double each = ALONG * ALONG;
    CHECK_CLOSE(sum[0] / each, 2.0, 1e-7);
    CHECK_CLOSE(sum[1] / each, 3.0, 1e-7);
    CHECK_CLOSE(sum[2] / each, 0.4, 1e-6);
    const ScreeCellReport r = scree_world_get_cell(world);
    CHECK_CLOSE(r.stress[XX], 2.0, 1e-7);
    CHECK_CLOSE(r.stress[YY], 3.0, 1e-7);
    CHECK_CLOSE(r.stress[XY], 0.4, 1e-6);
    CHECK_NEAR(r.rate[XX], 0, 1e-8);
    CHECK_NEAR(r.rate[XY], 0, 1e-8);
    scree_world_destroy(world);
}

/* A hexagonal lattice of smooth disks has no resistance along x while no contact lies along it: at a
 * stress along y alone it spreads, until rows come down. Under an isotropic pressure every contact bears
 * p d / sqrt(3): sigma = sum f l n / V with six half contacts and V = d^2 sqrt(3) / 2 for each disk. */
static void a_hexagonal_lattice_bears_pressure(void) {
    enum { ALONG = 6 };
    ScreeWorldDef def = cell_def(2, ALONG);
    def.cell_max.y = ALONG * sqrt(0.75);
    def.deform.isotropic = true;
    def.deform.pressure = 5;
    def.solver.tolerance = 1e-10;
    def.solver.iterations = 20000;
    ScreeWorld *world = cell_world(&def, 0);
    for (int i = 0; i < ALONG * ALONG; i++) {
        int row = i / ALONG;
        cell_add(world, 0.5,
                 (ScreeVec3){i % ALONG + (row % 2 == 0 ? 0.25 : 0.75), (row + 0.5) * sqrt(0.75), 0},
                 (ScreeVec3){0});
    }
    cell_run(world, 5);
    const ScreeContactView k = scree_world_get_contacts(world);
    CHECK(k.count == 3 * ALONG * ALONG);
    const ScreeCellReport r = scree_world_get_cell(world);
    CHECK_CLOSE(r.stress[XX] + r.stress[YY], 10.0, 1e-7);
    double sum = 0; /* single forces are indeterminate, their mean is not */
    for (size_t i = 0; i < k.count; i++) {
        sum += k.contact[i].normal_impulse / def.time_step;
    }
    CHECK_CLOSE(sum / (double)k.count, 5 / sqrt(3), 1e-7);
    scree_world_destroy(world);
}

/* ---------------------------------------------------------------- invariance */

static ScreeWorld *sheared(ScreeWorldDef def, double friction, int steps) {
    const int along = def.dimension == 2 ? 8 : 5;
    ScreeWorld *world = cell_world(&def, friction);
    cell_fill(world, along, along * 1.3);
    for (int i = 0; i < steps; i++) {
        cell_step(world);
    }
    return world;
}

static ScreeWorldDef shear_def(int dimension) {
    ScreeWorldDef def = cell_def(dimension, (dimension == 2 ? 8 : 5) * 1.3);
    def.deform.rate[XY] = 1;
    def.deform.control[YY] = SCREE_CELL_STRESS;
    def.deform.stress[YY] = 1;
    return def;
}

/* Threads, and a restart in the middle, change no bit; also right after other edges were chosen, at a
 * strain of a half. */
static void bits_depend_on_nothing(void) {
    for (int dimension = 2; dimension <= 3; dimension++) {
        ScreeWorldDef def = shear_def(dimension);
        ScreeWorld *one = sheared(def, 0.4, 40);
        def.threads = 3;
        ScreeWorld *three = sheared(def, 0.4, 27), *loaded = NULL;
        static char buffer[4000000];
        size_t size = sizeof buffer;
        const ScreeCellReport cell = scree_world_get_cell(one);
        CHECK(cell.vector[0].y != 0 || cell.vector[1].x < 0); /* other edges were chosen */
        CHECK(scree_world_save(three, buffer, &size) == SCREE_OK);
        CHECK(scree_world_load(buffer, size, &loaded, NULL) == SCREE_OK);
        for (int i = 0; i < 13; i++) {
            cell_step(three);
            cell_step(loaded);
        }
        CHECK(scree_world_hash(three) == scree_world_hash(one));
        CHECK(scree_world_hash(loaded) == scree_world_hash(one));
        scree_world_destroy(one);
        scree_world_destroy(three);
        scree_world_destroy(loaded);
    }
}

/* The smallest distance between the images of two points. */
static double apart(const ScreeCellReport *c, ScreeVec3 a, ScreeVec3 b) {
    double best = INFINITY;
    for (int i = -2; i <= 2; i++) {
        for (int j = -2; j <= 2; j++) {
            double x = a.x - b.x + i * c->vector[0].x + j * c->vector[1].x;
            double y = a.y - b.y + i * c->vector[0].y + j * c->vector[1].y;
            best = fmin(best, hypot(x, y));
        }
    }
    return best;
}

/* Other edges of the same lattice from the start: the same motion, but for rounding. One of the runs chooses
 * its edges anew at a strain of one half, the other has done so before it begins. */
static void edges_of_the_same_lattice_are_alike(void) {
    ScreeWorldDef def = shear_def(2);
    const double side = 8 * 1.3;
    def.solver.tolerance = 1e-12;
    def.solver.iterations = 100000;
    ScreeWorld *plain = sheared(def, 0, 30);
    def.deform.vector[0] = (ScreeVec3){side, 0, 0};
    def.deform.vector[1] = (ScreeVec3){side, side, 0};
    ScreeWorld *other = sheared(def, 0, 30);
    const ScreeCellReport a = scree_world_get_cell(plain), b = scree_world_get_cell(other);
    CHECK_CLOSE(a.volume, b.volume, 1e-9);
    const ScreeBodyView x = scree_world_get_bodies(plain), y = scree_world_get_bodies(other);
    for (size_t i = 0; i < x.count; i++) {
        CHECK_NEAR(apart(&a, x.position[i], y.position[i]), 0, 1e-7);
    }
    scree_world_destroy(plain);
    scree_world_destroy(other);
}

/* Everything turned by an angle: distances between bodies are the same. All rates are symmetric, so the set
 * of those that are free is the same in every frame. */
static void a_turned_frame_changes_nothing(void) {
    const double side = 8 * 1.3, angle = 0.3, cosine = cos(angle), sine = sin(angle);
    ScreeWorld *world[2];
    for (int k = 0; k < 2; k++) {
        ScreeWorldDef def = cell_def(2, side);
        ScreeCellDef *c = &def.deform;
        const double s11 = 1, s22 = 1.5; /* principal stresses along the unturned axes */
        c->symmetric = true;
        c->control[XX] = c->control[YY] = c->control[XY] = SCREE_CELL_STRESS;
        def.solver.tolerance = 1e-12;
        def.solver.iterations = 100000;
        const double x = k == 0 ? 1 : cosine, y = k == 0 ? 0 : sine;
        c->vector[0] = (ScreeVec3){side * x, side * y, 0};
        c->vector[1] = (ScreeVec3){-side * y, side * x, 0};
        c->stress[XX] = s11 * x * x + s22 * y * y;
        c->stress[YY] = s11 * y * y + s22 * x * x;
        c->stress[XY] = (s11 - s22) * x * y;
        world[k] = cell_world(&def, 0);
        for (int i = 0; i < 64; i++) {
            const double px = (i % 8 + 0.5 + 0.05 * cell_chance(2 * (unsigned)i)) * 1.3;
            const double py = ((int)(i / 8) + 0.5 + 0.05 * cell_chance(2 * (unsigned)i + 1)) * 1.3;
            cell_add(world[k], i % 2 == 0 ? 0.5 : 0.6,
                     (ScreeVec3){px * x - py * y, px * y + py * x, 0}, (ScreeVec3){0});
        }
        for (int i = 0; i < 60; i++) {
            cell_step(world[k]);
        }
    }
    const ScreeCellReport a = scree_world_get_cell(world[0]), b = scree_world_get_cell(world[1]);
    CHECK(a.volume < 0.9 * side * side);
    CHECK_CLOSE(a.volume, b.volume, 1e-9);
    const ScreeBodyView x = scree_world_get_bodies(world[0]), y = scree_world_get_bodies(world[1]);
    for (size_t i = 1; i < x.count; i++) {
        CHECK_NEAR(apart(&a, x.position[i], x.position[0]), apart(&b, y.position[i], y.position[0]),
                   1e-7);
    }
    scree_world_destroy(world[0]);
    scree_world_destroy(world[1]);
}

int main(int argc, char **argv) {
    CHECK_RUN(affine_motion_is_exact);
    CHECK_RUN(a_free_body_flies_straight);
    CHECK_RUN(the_work_of_rates_balances);
    CHECK_RUN(the_work_of_stresses_balances);
    CHECK_RUN(a_square_lattice_bears_stress);
    CHECK_RUN(a_hexagonal_lattice_bears_pressure);
    CHECK_RUN(bits_depend_on_nothing);
    CHECK_RUN(edges_of_the_same_lattice_are_alike);
    CHECK_RUN(a_turned_frame_changes_nothing);
    return check_result();
}
