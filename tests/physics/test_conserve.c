/* Conservation and dissipation.
 *
 * Momentum: impulses are opposite and equal, so it is conserved to rounding whatever the solver
 * does.
 *
 * Angular momentum: an impulse R acts at x_b - r_b n on b and its opposite at x_a + r_a n on a.
 * These points are a gap apart, so one contact changes L by (x_b - r_b n - x_a - r_a n) x R = gap n
 * x R_t. Moving x by v' dt adds nothing, for v' x v' = 0. So in a step L changes by the sum of gap
 * n x R_t, exactly: nothing for closed contacts.
 *
 * Energy: with P the external impulses, u' the relative velocities after the step and M^-1 (H R +
 * P) the change of velocity, (work of P) - (gain of kinetic energy) = - sum R . u' + |M^-1/2 (H R +
 * P)|^2 / 2. By the law R_n u'_n = - R_n max(g, 0) / dt and R_t . u'_t <= 0, so this is never
 * negative: contacts and time stepping only take energy away. Without external forces the contacts
 * alone do. */
#include "rig.h"

#include "math/elementary.h"

enum { GRAINS = 150 };

static ScreeVec3 momentum(const ScreeWorld *world) {
    ScreeBodyView b = scree_world_get_bodies(world);
    ScreeVec3 p = rig_vec(0, 0, 0);
    for (size_t i = 0; i < b.count; i++) {
        p = rig_add(p, b.mass[i], b.velocity[i]);
    }
    return p;
}

/* Sum over contacts between bodies of gap n x R_t. */
static ScreeVec3 twist_of_gaps(const ScreeWorld *world) {
    ScreeContactView view = scree_world_get_contacts(world);
    ScreeVec3 sum = rig_vec(0, 0, 0);
    for (size_t i = 0; i < view.count; i++) {
        ScreeContact c = view.contact[i];
        if (c.b.code >= 0) {
            sum = rig_add(sum, c.gap, rig_cross(c.normal, c.tangential_impulse));
        }
    }
    return sum;
}

/* Grains of very different sizes that fly towards the middle and spin. */
static void fill_cloud(ScreeWorld *world, int dimension, double half, double pull) {
    uint64_t random = 12345;
    ScreeBodyDef def[GRAINS];
    int count = 0;
    while (count < GRAINS) {
        double r = 0.1 * scr_pow(8, rig_random(&random));
        def[count] = rig_ball(rig_random_vec(&random, half, dimension), r, 0);
        bool free_place = true;
        for (int j = 0; j < count && free_place; j++) {
            free_place =
                rig_length(rig_sub(def[j].position, def[count].position)) > r + def[j].radius;
        }
        if (!free_place) {
            continue;
        }
        def[count].velocity =
            rig_add(rig_random_vec(&random, 0.3, dimension), -pull, def[count].position);
        def[count].spin = rig_random_vec(&random, 3, 3);
        if (dimension == 2) {
            def[count].spin.x = def[count].spin.y = 0;
        }
        count++;
    }
    rig_must(scree_world_add_bodies(world, def, GRAINS, NULL), "cloud");
}

static void run_cloud(int dimension, ScreeOrder order, int iterations) {
    ScreeWorldDef def = rig_def(dimension, 0.01, rig_vec(0, 0, 0));
    def.solver.order = order;
    def.solver.tolerance = 1e-9;
    if (iterations > 0) { /* far from converged: conservation must not depend on it */
        def.solver.criterion = SCREE_CRITERION_FIXED;
        def.solver.iterations = iterations;
    }
    ScreeWorld *world = rig_create(&def);
    rig_material(world, 0.4);
    fill_cloud(world, dimension, dimension == 2 ? 14 : 5, 1);
    double energy = scree_world_get_kinetic_energy(world), begin = energy, hits = 0;
    ScreeVec3 p0 = momentum(world), l = rig_angular_momentum(world);
    double scale = 0, arm = 0;
    ScreeBodyView b = scree_world_get_bodies(world);
    for (size_t i = 0; i < b.count; i++) {
        scale += b.mass[i] * rig_length(b.velocity[i]);
        arm = fmax(arm, rig_length(b.position[i]));
    }
    for (int step = 0; step < 150; step++) {
        ScreeReport report = rig_step(world);
        CHECK_VEC(momentum(world), p0, 1e-13 * scale);
        ScreeVec3 now = rig_angular_momentum(world);
        CHECK_VEC(now, rig_add(l, 1, twist_of_gaps(world)), 1e-13 * scale * arm);
        l = now;
        CHECK_NEAR(report.energy_error, 0, 1e-13 * begin);
        CHECK_CLOSE(report.kinetic_energy, scree_world_get_kinetic_energy(world), 1e-14);
        CHECK_NEAR(energy - report.kinetic_energy, report.dissipation, 1e-12 * begin);
        if (iterations == 0) {
            CHECK(report.converged == 1);
            CHECK(report.kinetic_energy <= energy + 1e-9 * begin);
            CHECK(report.dissipation >= -1e-9 * begin);
        }
        CHECK(report.work_external == 0 && report.work_walls == 0);
        energy = report.kinetic_energy;
        hits += (double)report.active;
    }
    CHECK(hits > 1000); /* the cloud did collapse */
    CHECK(energy < 0.5 * begin);
    scree_world_destroy(world);
}

static void cloud_conserves_momentum_and_loses_energy(void) {
    for (int dimension = 2; dimension <= 3; dimension++) {
        run_cloud(dimension, SCREE_ORDER_BOXED, 0);
        run_cloud(dimension, SCREE_ORDER_RANDOM, 0);
        run_cloud(dimension, SCREE_ORDER_COLOURED, 3);
        run_cloud(dimension, SCREE_ORDER_ALTERNATING, 2);
    }
}

/* Gravity, a box, a moving wall and a piston: contacts and time stepping together never supply
 * energy, and momentum changes by what gravity and the walls contribute. */
static void box_changes_momentum_by_the_wall_loads(void) {
    for (int dimension = 2; dimension <= 3; dimension++) {
        ScreeWorldDef def = rig_def(dimension, 0.005, rig_vec(0, -10, 0));
        def.solver.tolerance = 1e-9;
        ScreeWorld *world = rig_create(&def);
        rig_material(world, 0.4);
        double half = dimension == 2 ? 14 : 5, weight = 0;
        fill_cloud(world, dimension, half, 0);
        ScreeWallDef wall[6];
        int walls = 2 * dimension;
        for (int i = 0; i < walls; i++) {
            double out = i % 2 == 0 ? -half - 1 : half + 1, in = i % 2 == 0 ? 1 : -1;
            ScreeVec3 axis = rig_vec(i / 2 == 0, i / 2 == 1, i / 2 == 2);
            wall[i] = rig_plane(rig_scale(out, axis), rig_scale(in, axis));
            wall[i].has_pivot = true; /* all torques are about the origin */
        }
        wall[0].motion = SCREE_WALL_MOVED;
        wall[0].velocity = rig_vec(0.2, 0.4, 0);
        wall[3].motion = SCREE_WALL_PISTON;
        wall[3].mass = 30;
        wall[3].force = rig_vec(0, -60, 0);
        for (int i = 0; i < walls; i++) {
            rig_add_wall(world, &wall[i]);
        }
        ScreeBodyView b = scree_world_get_bodies(world);
        for (size_t i = 0; i < b.count; i++) {
            weight += 10 * b.mass[i];
        }
        double total = 0;
        for (int step = 0; step < 500 / CHECK_STRIDE; step++) {
            ScreeVec3 p = momentum(world), l = rig_angular_momentum(world),
                      torque = rig_vec(0, 0, 0);
            for (size_t i = 0; i < b.count; i++) {
                torque = rig_add(torque, b.mass[i], rig_cross(b.position[i], def.gravity));
            }
            ScreeVec3 pivot = rig_wall(world, 0).now.pivot, pivot3 = rig_wall(world, 3).now.pivot;
            ScreeReport report = rig_step(world);
            ScreeVec3 push = rig_vec(0, -weight, 0);
            for (int i = 0; i < walls; i++) {
                ScreeWallState w = rig_wall(world, i);
                ScreeVec3 at = i == 0 ? pivot : i == 3 ? pivot3 : rig_vec(0, 0, 0);
                push = rig_sub(push, w.load);
                torque = rig_sub(rig_sub(torque, w.load_torque), rig_cross(at, w.load));
            }
            double scale = weight * def.time_step;
            CHECK_VEC(momentum(world), rig_add(p, def.time_step, push), 1e-11 * scale);
            ScreeVec3 turned = rig_add(rig_add(l, def.time_step, torque), 1, twist_of_gaps(world));
            CHECK_VEC(rig_angular_momentum(world), turned, 1e-10 * scale * half);
            CHECK_NEAR(report.energy_error, 0, 1e-11 * scale * half);
            CHECK(report.dissipation + report.dissipation_scheme >= -1e-7 * scale);
            total += report.dissipation + report.dissipation_scheme;
        }
        CHECK(total > 0);
        scree_world_destroy(world);
    }
}

/* Overlapping balls: with max(g, 0) they are left alone; with g they part in one step at the speed
 * overlap / dt, with energy from nowhere. */
static void signed_gap_makes_energy(void) {
    for (int dimension = 2; dimension <= 3; dimension++) {
        for (int is_signed = 0; is_signed < 2; is_signed++) {
            const double dt = 0.01, overlap = 0.002, ma = 1, mb = 3;
            ScreeWorldDef def = rig_def(dimension, dt, rig_vec(0, 0, 0));
            def.solver.projection = 0;
            def.signed_gap = is_signed == 1;
            ScreeWorld *world = rig_create(&def);
            rig_material(world, 0.5);
            rig_add_ball(world, rig_vec(0, 0, 0), 0.5, ma);
            rig_add_ball(world, rig_vec(1 - overlap, 0, 0), 0.5, mb);
            ScreeReport report = rig_step(world);
            double speed = is_signed ? overlap / dt : 0, reduced = ma * mb / (ma + mb);
            ScreeBodyView b = scree_world_get_bodies(world);
            CHECK_NEAR(b.velocity[1].x - b.velocity[0].x, speed, 1e-13);
            CHECK_NEAR(b.position[1].x - b.position[0].x, is_signed ? 1 : 1 - overlap, 1e-14);
            CHECK_NEAR(report.kinetic_energy, 0.5 * reduced * speed * speed, 1e-14);
            CHECK_NEAR(report.dissipation, -0.5 * reduced * speed * speed, 1e-14);
            CHECK_NEAR(report.overlap_max, is_signed ? 0 : overlap, 1e-14);
            CHECK(report.active == is_signed);
            scree_world_destroy(world);
        }
    }
}

/* Two balls of masses 1 and 3 that overlap in free space move apart by the part f of their overlap
 * in every step, in proportion to their inverse masses: the centre of mass stays, and nothing gets
 * a velocity. */
static void overlaps_are_pushed_apart(void) {
    for (int k = 0; k < 4; k++) {
        const double f = k % 2 == 0 ? 0.2 : 0.5, overlap = 0.1;
        ScreeWorldDef def = rig_def(2 + k / 2, 0.01, rig_vec(0, 0, 0));
        def.solver.projection = f;
        ScreeWorld *world = rig_create(&def);
        rig_material(world, 0.5);
        rig_add_ball(world, rig_vec(0, 0, 0), 0.5, 1);
        rig_add_ball(world, rig_vec(1 - overlap, 0, 0), 0.5, 3);
        for (int step = 1; step <= 3; step++) {
            ScreeReport report = rig_step(world);
            double left = overlap * pow(1 - f, step), moved = overlap - left;
            CHECK_NEAR(report.overlap_max, left, 1e-14);
            CHECK_NEAR(scree_world_get_bodies(world).position[0].x, -0.75 * moved, 1e-14);
            CHECK_NEAR(scree_world_get_bodies(world).position[1].x, 1 - overlap + 0.25 * moved,
                       1e-14);
            CHECK(report.kinetic_energy == 0 && report.energy_projected == 0);
        }
        scree_world_destroy(world);
    }
}

/* A ball that has sunk into the floor is lifted, and the certificate tells what that adds to its
 * potential energy: m g f overlap. So does a piston that is pushed back against its force. */
static void lifting_is_reported(void) {
    const double f = 0.2, overlap = 0.05, g = 10, mass = 2, force = 7;
    ScreeWorldDef def = rig_def(3, 0.01, rig_vec(0, -g, 0));
    def.solver.projection = f;
    ScreeWorld *world = rig_create(&def);
    rig_material(world, 0.5);
    rig_add_plane(world, rig_vec(0, 0, 0), rig_vec(0, 1, 0));
    rig_add_ball(world, rig_vec(0, 0.5 - overlap, 0), 0.5, mass);
    ScreeReport report = rig_step(world);
    CHECK_NEAR(report.energy_projected, mass * g * f * overlap, 1e-14);
    CHECK_NEAR(scree_world_get_bodies(world).position[0].y, 0.5 - (1 - f) * overlap, 1e-14);
    CHECK(report.kinetic_energy == 0);
    scree_world_destroy(world);

    def.gravity = rig_vec(0, 0, 0);
    world = rig_create(&def);
    rig_material(world, 0.5);
    ScreeWallDef piston = scree_wall_def_default();
    piston.motion = SCREE_WALL_PISTON;
    piston.normal = piston.direction = rig_vec(1, 0, 0);
    piston.force = rig_vec(force, 0, 0);
    piston.mass = 1;
    rig_must(scree_world_add_wall(world, &piston, NULL), "piston");
    ScreeBodyDef ball = rig_ball(rig_vec(0.5 - overlap, 0, 0), 0.5, 1);
    ball.frozen = SCREE_FREEZE_ALL;
    rig_add_body(world, &ball);
    report = rig_step(world);
    CHECK_NEAR(report.energy_projected, force * f * overlap, 1e-14);
    scree_world_destroy(world);
}

/* A heap of balls with far too few sweeps sinks into itself; with the projection it does not. */
static void heaps_do_not_sink(void) {
    enum { HEAPS = 4 }; /* a single one may have a gap or two more */
    double overlap[2] = {0, 0}, energy[2] = {0, 0};
    for (int k = 0; k < 2 * HEAPS; k++) {
        const int projected = k % 2;
        ScreeWorldDef def = rig_def(2, 0.005, rig_vec(0, -10, 0));
        def.seed = (uint64_t)(k / 2);
        def.solver.criterion = SCREE_CRITERION_FIXED;
        def.solver.iterations = 5;
        def.solver.projection = projected == 1 ? 0.2 : 0;
        ScreeWorld *world = rig_create(&def);
        rig_material(world, 0.5);
        rig_add_plane(world, rig_vec(0, 0, 0), rig_vec(0, 1, 0));
        rig_add_plane(world, rig_vec(0, 0, 0), rig_vec(1, 0, 0));
        rig_add_plane(world, rig_vec(10.5, 0, 0), rig_vec(-1, 0, 0));
        for (int i = 0; i < 100; i++) {
            double shift = i / 10 % 2 == 0 ? 0.5 : 0.9;
            rig_add_ball(world, rig_vec(shift + i % 10, 0.5 + 0.95 * (i / 10), 0), 0.5, 1);
        }
        ScreeReport report = {0};
        for (int step = 0; step < 400; step++) {
            report = rig_step(world);
        }
        overlap[projected] += report.overlap_mean / HEAPS;
        energy[projected] = fmax(energy[projected], report.kinetic_energy);
        scree_world_destroy(world);
    }
    CHECK(overlap[1] < 0.2 * overlap[0]);
    /* at rest: below the weight times a hundredth of a radius */
    CHECK(energy[1] < 100 * 10 * 0.005);
}

int main(int argc, char **argv) {
    CHECK_RUN(cloud_conserves_momentum_and_loses_energy);
    CHECK_RUN(box_changes_momentum_by_the_wall_loads);
    CHECK_RUN(signed_gap_makes_energy);
    CHECK_RUN(overlaps_are_pushed_apart);
    CHECK_RUN(lifting_is_reported);
    CHECK_RUN(heaps_do_not_sink);
    return check_result();
}
