/* Round bodies that grow and shrink: velocities, loads and work against closed forms, mass and
 * inertia, the balance of energy, restarts. */
#include "rig.h"

#include <string.h>

static void set_growth(ScreeWorld *world, double rate, ScreeGrowthKeeps keeps) {
    ScreeGrowth growth = scree_growth_default();
    growth.rate = rate;
    growth.keeps = keeps;
    rig_must(scree_material_set_growth(world, (ScreeMaterialId){0}, &growth),
             scree_world_get_message(world));
}

static double power(double x, int n) {
    return n == 0 ? 1 : x * power(x, n - 1);
}

static double kinetic(const ScreeWorld *world) {
    const ScreeBodyView v = scree_world_get_bodies(world);
    double sum = 0;
    for (size_t i = 0; i < v.count; i++) {
        sum += 0.5 * v.mass[i] * rig_dot(v.velocity[i], v.velocity[i]);
        sum += 0.5 * v.inertia[i] * rig_dot(v.spin[i], v.spin[i]);
    }
    return sum;
}

/* ---------------------------------------------------------------- one contact */

/* Two balls at rest that touch. Radii grow at a = g r, so their gap stays closed at the end of the step
 * when they part at A = a_1 + a_2: with the reduced mass m, R = m A and R A of work, of which the
 * impact from below A takes half. With theta = 1/2 they part at 2 A, which is A on the average; then
 * nothing is lost. In the step after the first, A has become A (1 + g dt). */
static void pair_parts_as_fast_as_it_grows(void) {
    const double dt = 1e-3, g = 0.3;
    for (int k = 0; k < 16; k++) {
        const int dimension = 2 + k % 2;
        const double theta = k / 2 % 2 == 0 ? 1 : 0.5;
        const bool keeps_mass = k / 4 % 2 == 1;
        RigPairDef def = rig_pair_def(dimension, dt, k / 2 % RIG_FRAMES);
        def.world.theta = theta;
        def.law.friction = 0.4;
        def.swapped = k >= 8;
        const RigPair p = rig_pair(&def);
        set_growth(p.world, g, keeps_mass ? SCREE_GROWTH_KEEPS_MASS : SCREE_GROWTH_KEEPS_DENSITY);
        const double f = 1 + g * dt, more = keeps_mass ? 1 : power(f, dimension);
        const double growth = g * (def.radius_a + def.radius_b), m = p.reduced;
        const double after = growth / theta, gain = 0.5 * m * after * after;
        ScreeReport r = rig_step(p.world);
        CHECK_CLOSE(rig_pair_speed(&p), after, 1e-12);
        CHECK_NEAR(rig_pair_gap(&p), 0, 1e-14);
        CHECK_CLOSE(kinetic(p.world), more * gain, 1e-12);
        CHECK_CLOSE(r.kinetic_energy, more * gain, 1e-12);
        CHECK_CLOSE(r.work_growth, m * after * growth + (more - 1) * gain, 1e-12);
        CHECK_NEAR(r.dissipation, m * after * growth - gain, 1e-12 * gain);
        CHECK_ENERGY(r, gain);
        if (theta == 1) {
            r = rig_step(p.world);
            CHECK_CLOSE(rig_pair_speed(&p), growth * f, 1e-12);
            CHECK_NEAR(rig_pair_gap(&p), 0, 1e-14);
            CHECK_ENERGY(r, gain);
        }
        set_growth(p.world, 0, SCREE_GROWTH_KEEPS_DENSITY);
        const double speed = rig_pair_speed(&p);
        for (int i = 0; i < 3; i++) { /* on and on, without a push */
            r = rig_step(p.world);
            CHECK_CLOSE(rig_pair_speed(&p), speed, 1e-12);
            CHECK(r.work_growth == 0 && r.active == 0);
        }
        CHECK_CLOSE(rig_pair_gap(&p), 3 * dt * speed, 1e-9);
        scree_world_destroy(p.world);
    }
}

/* A gap that growth alone closes within the step, from beyond any slack, leaves no overlap. */
static void growth_closes_gaps(void) {
    const double dt = 0.5, g = 0.2; /* in one step the radii gain a tenth */
    for (int dimension = 2; dimension <= 3; dimension++) {
        RigPairDef def = rig_pair_def(dimension, dt, 1);
        def.gap = 0.08;
        const RigPair p = rig_pair(&def);
        set_growth(p.world, g, SCREE_GROWTH_KEEPS_DENSITY);
        rig_step(p.world);
        const double closes = dt * g * (def.radius_a + def.radius_b);
        CHECK_NEAR(rig_pair_gap(&p), 0, 1e-14);
        CHECK_CLOSE(rig_pair_speed(&p), (closes - def.gap) / dt, 1e-12);
        scree_world_destroy(p.world);
        ScreeWorld *world = rig_world(dimension, dt, rig_vec(0, 0, 0), 0);
        rig_add_ball(world, rig_vec(0, 1.08, 0), 1, 1);
        rig_add_plane(world, rig_vec(0, 0, 0), rig_vec(0, 1, 0));
        set_growth(world, g, SCREE_GROWTH_KEEPS_DENSITY);
        rig_step(world);
        CHECK_CLOSE(scree_world_get_bodies(world).position[0].y, 1.1, 1e-14);
        scree_world_destroy(world);
    }
}

/* A ball on the floor stays on it: its centre is where its radius is, at r (1 + g dt)^n, whether it
 * grows or shrinks. The floor bears what its mass needs to follow, m (G + (a_n - a_(n-1)) / dt). */
static void ball_rises_and_sinks_with_its_radius(void) {
    const double dt = 1e-3, weight = 9.81;
    for (int k = 0; k < 4; k++) {
        const int dimension = 2 + k % 2;
        const double g = k < 2 ? 0.5 : -0.04, f = 1 + g * dt, r = 0.2; /* no faster than it falls */
        ScreeWorld *world = rig_world(dimension, dt, rig_vec(0, -weight, 0), 0.5);
        const int32_t floor = rig_add_plane(world, rig_vec(0, 0, 0), rig_vec(0, 1, 0));
        rig_add_ball(world, rig_vec(0, r, 0), r, 0.7);
        set_growth(world, g, SCREE_GROWTH_KEEPS_DENSITY);
        for (int n = 1; n <= 40; n++) {
            const ScreeReport report = rig_step(world);
            const ScreeBodyView v = scree_world_get_bodies(world);
            const double radius = r * pow(f, n), speed = g * r * pow(f, n - 1);
            const double before = n == 1 ? 0 : speed / f, mass = 0.7 * pow(f, dimension * (n - 1));
            CHECK_CLOSE(v.radius[0], radius, 1e-13);
            CHECK_CLOSE(v.position[0].y, radius, 1e-13);
            CHECK_CLOSE(v.velocity[0].y, speed, 1e-10);
            CHECK_CLOSE(-rig_wall(world, floor).load.y, mass * (weight + (speed - before) / dt),
                        1e-10);
            CHECK_NEAR(report.energy_error, 0, 1e-12 * mass * weight * r);
            CHECK(report.dissipation + report.dissipation_scheme >= 0); /* it may turn back */
        }
        scree_world_destroy(world);
    }
}

/* A ball between a floor and a lid that weighs on it: the lid rises at 2 a, twice as fast as the ball,
 * and what growth does is what lifts them and what sets them in motion. */
static void ball_lifts_a_lid(void) {
    const double dt = 1e-3, g = 0.4, r = 0.5, m = 2, lid_mass = 3, load = 40;
    ScreeWorld *world = rig_world(3, dt, rig_vec(0, 0, 0), 0);
    rig_add_plane(world, rig_vec(0, 0, 0), rig_vec(0, 1, 0));
    ScreeWallDef lid = rig_plane(rig_vec(0, 2 * r, 0), rig_vec(0, -1, 0));
    lid.motion = SCREE_WALL_PISTON;
    lid.mass = lid_mass;
    lid.direction = rig_vec(0, 1, 0);
    lid.force = rig_vec(0, -load, 0);
    const int32_t wall = rig_add_wall(world, &lid);
    rig_add_ball(world, rig_vec(0, r, 0), r, m);
    set_growth(world, g, SCREE_GROWTH_KEEPS_MASS);
    double radius = r, speed = 0;
    for (int n = 0; n < 20; n++) {
        const ScreeReport report = rig_step(world);
        const double a = g * radius, jump = a - speed;
        CHECK_CLOSE(rig_wall(world, wall).now.velocity.y, 2 * a, 1e-11);
        CHECK_CLOSE(scree_world_get_bodies(world).velocity[0].y, a, 1e-11);
        /* the lid's contact passes on load dt + M 2 (a - a_0); the floor's, that and m (a - a_0) */
        const double top = load * dt + lid_mass * 2 * jump, bottom = top + m * jump;
        CHECK_CLOSE(report.work_growth, (top + bottom) * a, 1e-11);
        CHECK_CLOSE(report.work_external, -load * dt * 2 * a, 1e-11);
        CHECK_ENERGY(report, (top + bottom) * a);
        radius *= 1 + g * dt;
        speed = a;
    }
    CHECK_CLOSE(rig_wall(world, wall).displacement.y, 2 * (radius - r), 1e-11);
    scree_world_destroy(world);
}

/* Between two plates that do not yield, at contacts with the stiffness k, a ball that has grown by d
 * presses on both with k d, and k d^2 is stored; shrinking takes it back. */
static void ball_between_plates_is_squeezed(void) {
    const double dt = 1e-3, r = 0.5, k = 1e4;
    ScreeWorldDef def = rig_def(3, dt, rig_vec(0, 0, 0));
    ScreeLaw law = scree_law_default();
    law.stiffness = k;
    ScreeWorld *world = rig_create(&def);
    rig_law(world, &law);
    rig_add_plane(world, rig_vec(0, 0, 0), rig_vec(0, 1, 0));
    rig_add_plane(world, rig_vec(0, 2 * r, 0), rig_vec(0, -1, 0));
    rig_add_ball(world, rig_vec(0, r, 0), r, 2);
    double work = 0, before = 0;
    for (int n = 0; n < 60; n++) {
        set_growth(world, n < 30 ? 0.1 : -0.05, SCREE_GROWTH_KEEPS_DENSITY);
        const ScreeReport report = rig_step(world);
        const double d = scree_world_get_bodies(world).radius[0] - r;
        work += report.work_growth;
        for (int w = 0; w < 2; w++) {
            CHECK_CLOSE(fabs(rig_wall(world, w).load.y), k * d, 1e-9);
        }
        CHECK_CLOSE(report.energy_elastic, k * d * d, 1e-9);
        CHECK_NEAR(report.energy_error, 0, 1e-12 * k * d * d);
        /* an implicit spring: at the force of the end of the step, 2 k d (d - d') of work, of which
         * k (d - d')^2 is more than is stored */
        CHECK_NEAR(report.dissipation, k * (d - before) * (d - before), 1e-9 * report.dissipation);
        before = d;
    }
    CHECK(work > 0);
    scree_world_destroy(world);
}

/* Glued grains that shrink come nearer, one of them held: the bond keeps their gap at the cost of a
 * pull on the other. */
static void bonds_hold_gaps_of_what_shrinks(void) {
    const double dt = 1e-3, g = -0.4;
    for (int dimension = 2; dimension <= 3; dimension++) {
        RigPairDef def = rig_pair_def(dimension, dt, 2);
        def.world.solver.tolerance = 1e-10; /* bonds reach no 1e-13 in a few sweeps */
        const RigPair p = rig_pair(&def);
        rig_must(scree_body_set_frozen(p.world, (ScreeBodyId){p.a}, SCREE_FREEZE_ALL), "frozen");
        ScreeBondDef bond = scree_bond_def_default();
        bond.tension = bond.shear = bond.bending = bond.torsion = 1e4;
        rig_must(scree_world_add_bonds(p.world, &bond, NULL), scree_world_get_message(p.world));
        set_growth(p.world, g, SCREE_GROWTH_KEEPS_DENSITY);
        for (int n = 0; n < 20; n++) {
            const ScreeReport r = rig_step(p.world);
            const double a = g * pow(1 + g * dt, n) * (def.radius_a + def.radius_b);
            CHECK(r.glued == 1);
            CHECK_NEAR(rig_pair_gap(&p), 0, 1e-11);
            CHECK_CLOSE(rig_pair_speed(&p), a, 1e-7); /* gaps of 1e-11 radii are rounding */
            CHECK_NEAR(r.energy_error, 0, 1e-12 * (r.kinetic_energy + fabs(r.work_growth)));
        }
        scree_world_destroy(p.world);
    }
}

/* ---------------------------------------------------------------- mass */

/* A free ball that flies and spins. At constant density mass goes with r^d and inertia with r^(d+2),
 * and what comes has the motion of the ball. At constant mass inertia goes with r^2 and spin with
 * 1 / r^2. What its kinetic energy gains is work of growth. */
static void mass_and_inertia_follow_the_radius(void) {
    const double dt = 1e-2, g = 0.7, r = 0.3, m = 1.7;
    const int steps = 150;
    for (int k = 0; k < 8; k++) {
        const int dimension = 2 + k % 2;
        const bool keeps_mass = k / 2 % 2 == 1;
        const double rate = k < 4 ? g : -g;
        ScreeWorld *world = rig_world(dimension, dt, rig_vec(0, 0, 0), 0);
        rig_add_ball(world, rig_vec(0, 0, 0), r, m);
        const ScreeVec3 v = rig_vec(0.3, -0.2, 0), w = rig_vec(0, 0, 2.5);
        rig_set_motion(world, 0, v, w);
        set_growth(world, rate, keeps_mass ? SCREE_GROWTH_KEEPS_MASS : SCREE_GROWTH_KEEPS_DENSITY);
        double before = kinetic(world), work = 0;
        const double begin = before;
        for (int n = 0; n < steps; n++) {
            const ScreeReport report = rig_step(world);
            const double now = kinetic(world);
            CHECK_CLOSE(report.kinetic_energy, now, 1e-13);
            CHECK_NEAR(report.work_growth, now - before, 1e-13 * now);
            CHECK_NEAR(report.energy_error, 0, 1e-14 * now);
            work += report.work_growth;
            before = now;
        }
        const ScreeBodyView b = scree_world_get_bodies(world);
        const double f = b.radius[0] / r, size = keeps_mass ? 1 : power(f, dimension);
        CHECK_CLOSE(f, pow(1 + rate * dt, steps), 1e-12);
        CHECK_CLOSE(b.mass[0], m * size, 1e-12);
        CHECK_CLOSE(b.inertia[0], rig_shape(dimension) * b.mass[0] * b.radius[0] * b.radius[0],
                    1e-12);
        CHECK_VEC(b.velocity[0], v, 0);
        CHECK_CLOSE(b.spin[0].z, keeps_mass ? w.z / (f * f) : w.z, 1e-12);
        CHECK_CLOSE(begin + work, kinetic(world), 1e-12);
        scree_world_destroy(world);
    }
}

/* ---------------------------------------------------------------- many */

/* Disks or balls of two sizes in a periodic cell, loose, with some drift. */
static ScreeWorld *loose(int dimension, int along, int threads, double friction, double tolerance) {
    const double side = 3.2 * along;
    ScreeWorldDef def = rig_def(dimension, 5e-3, rig_vec(0, 0, 0));
    uint64_t random = 5;
    for (int k = 0; k < dimension; k++) {
        def.periodic[k] = true;
    }
    def.cell_max = rig_vec(side, side, dimension == 3 ? side : 0);
    def.threads = threads;
    def.solver.tolerance = tolerance;
    ScreeWorld *world = rig_create(&def);
    rig_material(world, friction);
    for (int i = 0; i < along * along * (dimension == 3 ? along : 1); i++) {
        const ScreeVec3 place = rig_vec(i % along, i / along % along, i / (along * along));
        ScreeVec3 at = rig_scale(3.2, rig_add(place, 0.5, rig_vec(1, 1, dimension == 3)));
        ScreeBodyDef def_of = rig_ball(rig_add(at, 1, rig_random_vec(&random, 0.4, dimension)),
                                       i % 2 == 0 ? 1 : 0.8, 0);
        def_of.velocity = rig_random_vec(&random, 0.3, dimension);
        rig_add_body(world, &def_of);
    }
    return world;
}

/* In every step of a gas that grows until it is dense the energies balance to rounding, and nothing
 * overlaps by more than what linear gaps cost: no neighbour is missed. */
static void energies_balance_while_a_gas_grows(void) {
    for (int dimension = 2; dimension <= 3; dimension++) {
        ScreeWorld *world = loose(dimension, dimension == 2 ? 8 : 4, 1, 0.3, 1e-6);
        double before = kinetic(world);
        int64_t active = 0;
        set_growth(world, 0.6,
                   dimension == 2 ? SCREE_GROWTH_KEEPS_DENSITY : SCREE_GROWTH_KEEPS_MASS);
        for (int n = 0; n < 170; n++) {
            const ScreeReport r = rig_step(world);
            const double now = kinetic(world), scale = now + fabs(r.work_growth);
            CHECK(r.converged);
            CHECK_NEAR(now - before,
                       r.work_growth - r.dissipation - r.dissipation_scheme + r.energy_error,
                       1e-12 * scale);
            CHECK_NEAR(r.energy_error, 0, 1e-12 * scale);
            CHECK(r.overlap_max < 2e-3);
            active += r.active;
            before = now;
        }
        CHECK(active > 1000);
        scree_world_destroy(world);
    }
}

/* Disks on a triangular lattice in its own cell: nothing touches until the radii are half the pitch, at
 * the solid fraction pi / (2 sqrt 3), in the step that follows from (1 + g dt)^n. In that step each
 * touches all six others, with the same force, and the cell is jammed: no velocity answers. */
static void lattice_jams_where_its_disks_touch(void) {
    enum { ALONG = 6 };
    const double pitch = 2, r = 0.98, g = 0.02, dt = 0.01, height = 0.5 * sqrt(3) * pitch;
    ScreeWorldDef def = rig_def(2, dt, rig_vec(0, 0, 0));
    def.solver.iterations = 50;
    def.solver.method = SCREE_METHOD_GAUSS_SEIDEL;
    def.periodic[0] = def.periodic[1] = true;
    def.cell_max = rig_vec(ALONG * pitch, ALONG * height, 0);
    ScreeWorld *world = rig_create(&def);
    rig_material(world, 0);
    for (int i = 0; i < ALONG * ALONG; i++) {
        const int row = i / ALONG;
        rig_add_ball(world, rig_vec(pitch * (i % ALONG + 0.5 * (row % 2)), height * (row + 0.5), 0),
                     r, 0);
    }
    set_growth(world, g, SCREE_GROWTH_KEEPS_DENSITY);
    const int last = (int)ceil(log(0.5 * pitch / r) / log(1 + g * dt));
    for (int n = 1; n < last; n++) {
        const ScreeReport report = rig_step(world);
        CHECK(report.active == 0 && report.converged && report.work_growth == 0);
    }
    const ScreeReport report = rig_step(world);
    const ScreeBodyView v = scree_world_get_bodies(world);
    CHECK(report.active == 3 * ALONG * ALONG && !report.converged);
    /* in a cell that does not yield no arrangement has less overlap at each contact */
    CHECK(report.overlap_max > 0.999 * (2 * r * pow(1 + g * dt, last) - pitch));
    CHECK(fabs(RIG_PI * v.radius[0] * v.radius[0] / (pitch * height) - RIG_PI / sqrt(12)) < 1e-3);
    scree_world_destroy(world);
}

static void same_bits_with_threads_and_after_restarts(void) {
    for (int dimension = 2; dimension <= 3; dimension++) {
        ScreeWorld *world = loose(dimension, dimension == 2 ? 8 : 4, 1, 0.3, 1e-4);
        ScreeWorld *other = loose(dimension, dimension == 2 ? 8 : 4, 3, 0.3, 1e-4);
        const uint64_t plain = scree_world_hash(world);
        ScreeGrowth growth;
        set_growth(world, 0.8, SCREE_GROWTH_KEEPS_MASS);
        set_growth(other, 0.8, SCREE_GROWTH_KEEPS_MASS);
        CHECK(scree_world_hash(world) != plain); /* it decides the future */
        for (int k = 0; k < 60; k++) {
            CHECK(rig_step(world).converged == rig_step(other).converged);
        }
        CHECK(scree_world_hash(world) == scree_world_hash(other));
        scree_world_destroy(other);
        other = rig_reload(world);
        rig_must(scree_material_get_growth(other, (ScreeMaterialId){0}, &growth), "get");
        CHECK(growth.rate == 0.8 && growth.keeps == SCREE_GROWTH_KEEPS_MASS);
        CHECK(rig_restarts(world, 10));
        set_growth(world, 0, SCREE_GROWTH_KEEPS_DENSITY);
        CHECK(rig_restarts(world, 10));
        scree_world_destroy(world);
        scree_world_destroy(other);
    }
}

/* ---------------------------------------------------------------- refusals */

static bool refuses(ScreeWorld *world, const char *word) {
    const bool refused = scree_world_check(world) == SCREE_BAD_ARGUMENT;
    return refused && strstr(scree_world_get_message(world), word) != NULL;
}

static void faults_are_told(void) {
    ScreeWorld *world = rig_world(2, 1e-2, rig_vec(0, 0, 0), 0);
    ScreeGrowth growth = scree_growth_default();
    CHECK(growth.rate == 0 && growth.keeps == SCREE_GROWTH_KEEPS_DENSITY);
    CHECK(scree_material_set_growth(world, (ScreeMaterialId){1}, &growth) == SCREE_BAD_ID);
    growth.rate = NAN;
    CHECK(scree_material_set_growth(world, (ScreeMaterialId){0}, &growth) == SCREE_BAD_ARGUMENT);
    growth = (ScreeGrowth){1, (ScreeGrowthKeeps)7};
    CHECK(scree_material_set_growth(world, (ScreeMaterialId){0}, &growth) == SCREE_BAD_ARGUMENT);
    set_growth(world, 10.1, SCREE_GROWTH_KEEPS_DENSITY); /* 0.101 of a radius in a step */
    CHECK(refuses(world, "shorter time step"));
    set_growth(world, -9.9, SCREE_GROWTH_KEEPS_DENSITY);
    CHECK(scree_world_check(world) == SCREE_OK);
    const ScreeVec3 corner[4] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
    const ScreeShapePart part = {.corners = 4};
    const ScreeShapeDef square = {.parts = 1, .part = &part, .corner = corner};
    ScreeShapeId shape;
    rig_must(scree_world_add_shape(world, &square, &shape), "shape");
    ScreeBodyDef body = scree_body_def_default();
    body.shape = shape;
    rig_add_body(world, &body);
    CHECK(refuses(world, "disks and spheres"));
    CHECK(scree_world_step(world, NULL) == SCREE_BAD_ARGUMENT);
    set_growth(world, 0, SCREE_GROWTH_KEEPS_DENSITY);
    CHECK(scree_world_check(world) == SCREE_OK);
    scree_world_destroy(world);
    for (int k = 0; k < 4; k++) {
        ScreeWorldDef def = rig_def(2, 1e-2, rig_vec(0, 0, 0));
        ScreeLaw law = scree_law_default();
        def.engine = k == 1   ? SCREE_ENGINE_SOFT
                     : k == 2 ? SCREE_ENGINE_QUASISTATIC
                              : SCREE_ENGINE_CONTACT_DYNAMICS;
        def.periodic[0] = k == 3;
        def.cell_max.x = 2.01;
        law.restitution = k == 0 ? 0.5 : 0;
        law.stiffness = k == 1 ? 1000 : law.stiffness;
        world = rig_create(&def);
        rig_law(world, &law);
        rig_add_ball(world, rig_vec(0, 0, 0), 1, 1);
        set_growth(world, 1, SCREE_GROWTH_KEEPS_DENSITY);
        const char *const word[4] = {"restitution", "soft", "quasistatic", "largest grain"};
        CHECK(refuses(world, word[k]));
        scree_world_destroy(world);
    }
}

int main(int argc, char **argv) {
    CHECK_RUN(pair_parts_as_fast_as_it_grows);
    CHECK_RUN(growth_closes_gaps);
    CHECK_RUN(ball_rises_and_sinks_with_its_radius);
    CHECK_RUN(ball_lifts_a_lid);
    CHECK_RUN(ball_between_plates_is_squeezed);
    CHECK_RUN(bonds_hold_gaps_of_what_shrinks);
    CHECK_RUN(mass_and_inertia_follow_the_radius);
    CHECK_RUN(energies_balance_while_a_gas_grows);
    CHECK_RUN(lattice_jams_where_its_disks_touch);
    CHECK_RUN(same_bits_with_threads_and_after_restarts);
    CHECK_RUN(faults_are_told);
    return check_result();
}
