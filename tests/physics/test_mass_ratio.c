/* Mass ratios with the default settings: what is called converged must be right, however light the
 * bodies are that carry a load. */
#include "rig.h"

enum { LIGHT = 4, STEPS = 1000 };

static const double gravity = 10, dt = 1e-3;

/* Some balls on top of each other, and one of another mass on top, held on their axis. */
static ScreeWorld *make_stack(const ScreeLaw *law, int balls, double mass, double top) {
    ScreeWorldDef def = scree_world_def_default();
    def.time_step = dt;
    def.gravity = rig_vec(0, 0, -gravity);
    ScreeWorld *world = rig_create(&def);
    rig_law(world, law);
    rig_add_plane(world, rig_vec(0, 0, 0), rig_vec(0, 0, 1));
    for (int i = 0; i <= balls; i++) {
        ScreeBodyDef ball = rig_ball(rig_vec(0, 0, 1 + 2 * i), 1, i < balls ? mass : top);
        ball.frozen = SCREE_FREEZE_X | SCREE_FREEZE_Y;
        rig_add_body(world, &ball);
    }
    return world;
}

static ScreeLaw dry_law(void) {
    ScreeLaw law = scree_law_default();
    law.friction = 0.5;
    return law;
}

/* Bridges that pull with a weight of a light ball, and with little of that of a heavy one. */
static ScreeLaw wet_law(void) {
    ScreeLaw law = dry_law();
    law.bridge_volume = 0.01;
    law.bridge_tension = gravity / (2 * RIG_PI);
    return law;
}

/* The same pull by bonds, which matrices cannot express: a bond may break. */
static ScreeLaw cohesive_law(void) {
    ScreeLaw law = dry_law();
    law.cohesion = gravity;
    law.cohesion_range = 0.01;
    return law;
}

static ScreeLaw rolling_law(void) {
    ScreeLaw law = dry_law();
    law.rolling = law.torsion = 0.1;
    return law;
}

/* The top ball stays where it is, the floor carries the weight, and contacts make no energy worth
 * mentioning: less than the weight gains over `sinking` [1e-6 radii]. */
static void heavy_ball_rests(const ScreeLaw *law, int steps, double sinking) {
    static const double mass[] = {1, 1e3, 1e5, 1e6, 1e9};
    for (size_t k = 0; k < sizeof mass / sizeof *mass; k++) {
        ScreeWorld *world = make_stack(law, LIGHT, 1, mass[k]);
        const double weight = (mass[k] + LIGHT) * gravity;
        double created = 0;
        for (int step = 0; step < steps; step++) {
            ScreeReport report = rig_step(world);
            CHECK(report.converged == 1);
            CHECK_CLOSE(-rig_wall(world, 0).load.z, weight, 1e-3 * sinking);
            CHECK_NEAR(scree_world_get_bodies(world).position[LIGHT].z, 1 + 2 * LIGHT,
                       1e-6 * sinking);
            created -= report.dissipation;
        }
        CHECK(created < 1e-6 * sinking * weight);
        scree_world_destroy(world);
    }
}

static void heavy_ball_rests_on_light_ones(void) {
    const ScreeLaw dry = dry_law();
    heavy_ball_rests(&dry, STEPS, 1);
}

static void heavy_ball_rests_on_wet_ones(void) {
    const ScreeLaw wet = wet_law();
    heavy_ball_rests(&wet, STEPS, 1);
}

/* Here the sweeps have the last word, and each of five contacts on top of each other may miss its
 * load by what the default tolerance permits. */
static void heavy_ball_rests_on_cohesive_ones(void) {
    const ScreeLaw cohesive = cohesive_law();
    heavy_ball_rests(&cohesive, STEPS / 4, 10);
}

static void heavy_ball_rests_on_balls_that_hardly_turn(void) {
    const ScreeLaw rolling = rolling_law();
    heavy_ball_rests(&rolling, STEPS / 4, 10);
}

/* One that is a million times as heavy as all others falls on a pile of disks in a trough: it does not sink into
 * them, and floor and sides give it whatever momentum it gets. Returns its acceleration in the end, in units of
 * gravity. */
static double heavy_disk_lands(const ScreeLaw *law) {
    enum { WIDE = 6, ROWS = 4 };
    const double weight = 1e6 * gravity;
    ScreeWorldDef def = scree_world_def_default();
    def.dimension = 2;
    def.time_step = dt;
    def.gravity = rig_vec(0, -gravity, 0);
    ScreeWorld *world = rig_create(&def);
    rig_law(world, law);
    rig_add_plane(world, rig_vec(0, 0, 0), rig_vec(0, 1, 0));
    rig_add_plane(world, rig_vec(0, 0, 0), rig_vec(1, 0, 0));
    rig_add_plane(world, rig_vec(2 * WIDE, 0, 0), rig_vec(-1, 0, 0));
    for (int i = 0; i < ROWS * WIDE; i++) {
        const int row = i / WIDE, odd = row % 2;
        if (i % WIDE < WIDE - odd) {
            ScreeVec3 at = rig_vec(1 + odd + 2 * (i % WIDE), 1 + row * sqrt(3), 0);
            ScreeBodyDef disk = rig_ball(at, 1, 1.0 / (ROWS * WIDE));
            rig_add_body(world, &disk);
        }
    }
    ScreeBodyDef heavy = rig_ball(rig_vec(WIDE + 0.3, 3 + ROWS * sqrt(3), 0), 2, 1e6);
    const int32_t last = rig_add_body(world, &heavy);
    double gained = 0;
    for (int step = 0; step < 400; step++) {
        const double before = scree_world_get_bodies(world).velocity[last].y;
        ScreeReport report = rig_step(world);
        gained = scree_world_get_bodies(world).velocity[last].y - before;
        CHECK(report.converged == 1);
        CHECK(report.overlap_max < 1e-3);
    }
    const double acceleration = gained / (gravity * dt);
    CHECK_CLOSE(-rig_wall(world, 0).load.y - rig_wall(world, 1).load.y - rig_wall(world, 2).load.y,
                weight * (1 + acceleration), 1e-4);
    scree_world_destroy(world);
    return acceleration;
}

static void heavy_disk_rests_on_disks_that_hardly_roll(void) {
    ScreeLaw law = dry_law();
    law.rolling = 0.2;
    CHECK_NEAR(heavy_disk_lands(&law), 0, 0.01);
}

static void heavy_disk_lands_on_disks_that_stick_more_than_they_slide(void) {
    ScreeLaw law = dry_law();
    law.friction_static = 0.7;
    const double acceleration =
        heavy_disk_lands(&law); /* what slipped as it landed goes on sliding, more or less */
    CHECK(acceleration > -0.2 && acceleration < 0.01);
}

/* A single ball of a thousandth under one of a million: it neither sinks nor is thrown up. */
static void ratio_of_a_billion(void) {
    const ScreeLaw law = dry_law();
    ScreeWorld *world = make_stack(&law, 1, 1e-3, 1e6);
    for (int step = 0; step < STEPS; step++) {
        CHECK(rig_step(world).converged == 1);
        CHECK_NEAR(scree_world_get_bodies(world).position[1].z, 3, 1e-6);
    }
    scree_world_destroy(world);
}

/* The velocity of a light ball is the small difference of what two large impulses give it: at a
 * ratio of 1e10 four digits of it are left, which is fewer than a tolerance of 5e-6 asks for. */
static void digits_that_are_not_there_are_not_claimed(void) {
    static const double top[] = {1e6, 1e10};
    const ScreeLaw law = dry_law();
    for (int k = 0; k < 2; k++) {
        ScreeWorld *world = make_stack(&law, 1, 1, top[k]);
        ScreeSolverDef solver = scree_world_get_def(world).solver;
        solver.tolerance = 5e-6;
        CHECK(scree_world_set_solver(world, &solver) == SCREE_OK);
        for (int step = 0; step < 5; step++) {
            CHECK(rig_step(world).converged == (k == 0));
        }
        scree_world_destroy(world);
    }
}

/* Too few sweeps for a heavy ball: whatever the residual in impulses says, such a step is not
 * converged as long as velocities are wrong by more than they may be. */
static void what_moves_wrongly_is_not_converged(void) {
    const ScreeLaw law = dry_law();
    ScreeWorld *world = make_stack(&law, LIGHT, 1, 1e5);
    ScreeSolverDef solver = scree_world_get_def(world).solver;
    solver.method = SCREE_METHOD_GAUSS_SEIDEL;
    solver.iterations = 3;
    CHECK(scree_world_set_solver(world, &solver) == SCREE_OK);
    int wrong = 0;
    for (int step = 0; step < 100; step++) {
        double before = scree_world_get_bodies(world).velocity[LIGHT].z;
        ScreeReport report = rig_step(world);
        double gained = fabs(scree_world_get_bodies(world).velocity[LIGHT].z - before);
        bool moved = gained > 0.5 * gravity * dt; /* half of what it gains in free fall */
        CHECK(!moved || report.converged == 0);
        wrong += moved;
    }
    CHECK(wrong > 0);
    scree_world_destroy(world);
}

int main(int argc, char **argv) {
    CHECK_RUN(heavy_ball_rests_on_light_ones);
    CHECK_RUN(heavy_ball_rests_on_wet_ones);
    CHECK_RUN(heavy_ball_rests_on_cohesive_ones);
    CHECK_RUN(heavy_ball_rests_on_balls_that_hardly_turn);
    CHECK_RUN(heavy_disk_rests_on_disks_that_hardly_roll);
    CHECK_RUN(heavy_disk_lands_on_disks_that_stick_more_than_they_slide);
    CHECK_RUN(ratio_of_a_billion);
    CHECK_RUN(digits_that_are_not_there_are_not_claimed);
    CHECK_RUN(what_moves_wrongly_is_not_converged);
    return check_result();
}
