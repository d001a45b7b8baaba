/* The comparison of solvers (scree bench solvers) on a small scale: where theory makes a statement
 * the measurement must agree, and all solvers must end at the same velocities. */
#include "bench/solver_cases.h"
#include "bench/solver_runs.h"
#include "check.h"

#include "math/vec.h"
#include "sweep/iteration.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

static SolverRun run(const ScreeWorld *world, const char *solver, double least) {
    SolverRun made = {0};
    CHECK(bench_run_solver(world, solver, &(SolverLimits){30, INT_MAX, least}, &made));
    return made;
}

/* One sweep reduces the slowest error of a chain by exp(-q k^2) (Unger and Kertesz, eqs 42 to 46).
 * The impulse vanishes above the top disk and its slope at the floor: k = pi / (2 n + 1). So going
 * from 1e-6 to 1e-8, where no other error is left, takes ln(100) / (q k^2) sweeps. The last check
 * came up to 3 % too early, in three to four times as many sweeps: 12 % are allowed. */
static double expected_sweeps(int n, ScreeOrder order) {
    double k = pi / (2 * n + 1);
    return log(100) / (scr_order_q(order) * k * k);
}

/* In free motion only the contact with the floor closes, and by itself it would carry one disk;
 * solved, contact i carries i disks. Residuals are relative to the first (but to no less than a
 * hundredth of the second) or to the second. */
static double expected_ratio(int n) {
    double loads = sqrt(n * (n + 1.0) * (2 * n + 1) / 6);
    return loads / fmax(1, loads / 100);
}

static int total(const SolverRun *r) {
    return r->mark[0][2].first;
}

static int last_part(const SolverRun *r) {
    return r->mark[0][2].first - r->mark[0][1].first;
}

static void chain_converges_as_theory_says(void) {
    static const int count[] = {30, 60};
    int momentum[2];
    for (int i = 0; i < 2; i++) {
        char name[16];
        snprintf(name, sizeof name, "chain-%d", count[i]);
        ScreeWorld *world = bench_solver_case(name, NULL, 1, 1);
        SolverRun random = run(world, "random", 3e-9), boxed = run(world, "boxed", 3e-9),
                  accelerated = run(world, "accelerated", 3e-9);
        CHECK_CLOSE(last_part(&random), expected_sweeps(count[i], SCREE_ORDER_RANDOM), 0.12);
        CHECK_CLOSE(last_part(&boxed), expected_sweeps(count[i], SCREE_ORDER_BOXED), 0.12);
        CHECK_CLOSE(boxed.best[0] / boxed.best[1], expected_ratio(count[i]), 1e-6);
        /* Momentum needs about 1 / k sweeps where Gauss-Seidel needs 1 / k^2. */
        double gain = (double)total(&boxed) / total(&accelerated) / ((2 * count[i] + 1) / pi);
        CHECK(gain > 0.5 && gain < 3);
        momentum[i] = total(&accelerated);
        printf("       chain of %d: %d, %d, %d sweeps to 1e-8\n", count[i], total(&random),
               total(&boxed), momentum[i]);
        free(random.velocity);
        free(boxed.velocity);
        free(accelerated.velocity);
        scree_world_destroy(world);
    }
    CHECK(momentum[1] < 2.2 * momentum[0]); /* the goal: an exponent of 1, within 10 % */
}

/* Marks are in order, and a residual over loads never exceeds one over weights. */
static void check_marks(const SolverRun *r) {
    for (int k = 0; k < SOLVER_SCALES; k++) {
        for (int l = 0; l < SOLVER_LEVELS; l++) {
            const SolverMark *m = &r->mark[k][l];
            CHECK(m->first > 0 && m->lasting >= m->first);
            CHECK(m->first_seconds > 0 && m->lasting_seconds >= m->first_seconds);
            CHECK(m->lasting_seconds <= r->seconds * (1 + 1e-12) || r->looks < 10);
        }
    }
    CHECK(r->best[1] <= r->best[0]);
}

/* Largest difference of two sets of velocities. */
static double differ(const SolverRun *a, const SolverRun *b, size_t count) {
    double most = 0;
    for (size_t i = 0; i < 6 * count; i++) {
        most = fmax(most, fabs(a->velocity[i] - b->velocity[i]));
    }
    return most;
}

/* ---------------------------------------------------------------- lattices */

static void add_plane(ScreeWorld *world, ScreeVec3 point, ScreeVec3 normal) {
    ScreeWallDef wall = scree_wall_def_default();
    wall.point = point;
    wall.normal = normal;
    CHECK(scree_world_add_wall(world, &wall, NULL) == SCREE_OK);
}

static double noise(uint64_t *state) {
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(*state >> 11) * 0x1p-53 - 0.5;
}

/* Touching grains, `across` along each side and as many layers, on a floor: a triangular lattice in
 * the plane, a cubic one in space; without friction, and not at rest, so that contacts open and
 * close. */
static ScreeWorld *make_lattice(int dimension, int across) {
    ScreeWorldDef def = scree_world_def_default();
    def.dimension = dimension;
    def.time_step = 1.0 / 200;
    def.gravity = dimension == 3 ? (ScreeVec3){0, 0, -9.81} : (ScreeVec3){0, -9.81, 0};
    ScreeWorld *world = NULL;
    const ScreeMaterialDef smooth = scree_material_def_default();
    CHECK(scree_world_create(&def, &world, NULL) == SCREE_OK);
    CHECK(scree_world_add_material(world, &smooth, NULL) == SCREE_OK);
    add_plane(world, (ScreeVec3){0, 0, 0},
              dimension == 3 ? (ScreeVec3){0, 0, 1} : (ScreeVec3){0, 1, 0});
    uint64_t random = 1;
    for (int i = 0; i < across * across * (dimension == 3 ? across : 1); i++) {
        int x = i % across, y = i / across % across, z = i / across / across;
        ScreeBodyDef body = scree_body_def_default();
        body.radius = 0.5;
        body.position = dimension == 3 ? (ScreeVec3){x, y, z + 0.5}
                                       : (ScreeVec3){x + 0.5 * (y % 2), y * 0.5 * sqrt(3) + 0.5, 0};
        body.velocity.x = 0.1 * noise(&random);
        body.velocity.y = 0.1 * noise(&random);
        body.velocity.z = dimension == 3 ? 0.1 * noise(&random) : 0;
        CHECK(scree_world_add_bodies(world, &body, 1, NULL) == SCREE_OK);
    }
    return world;
}

/* Impulses need not be unique. Velocities are, where friction does not decide: without friction
 * they are the nearest ones to the free velocities that close no contact, a convex set; for the
 * array the authors of the paper have found them. They must agree within a millionth of what
 * gravity adds in a step. Destroys the world. */
static void same_velocities(ScreeWorld *world, const char *const *others) {
    ScreeWorldDef def = scree_world_get_def(world);
    double unit = fabs(def.gravity.y + def.gravity.z) * def.time_step;
    size_t count = scree_world_get_bodies(world).count;
    SolverRun first = run(world, "accelerated", 1e-11);
    check_marks(&first);
    for (int i = 0; others[i] != NULL; i++) {
        SolverRun other = run(world, others[i], 1e-11);
        check_marks(&other);
        double most = differ(&first, &other, count);
        CHECK_NEAR(most, 0, 1e-6 * unit);
        printf("       %zu bodies: %d iterations of %s, %d accelerated; they differ by %.1e g dt\n",
               count, total(&other), others[i], total(&first), most / unit);
        free(other.velocity);
    }
    free(first.velocity);
    scree_world_destroy(world);
}

static const char *const all[] = {"boxed", "random", "matrix_interior_point", "matrix_newton",
                                  NULL};

static void solvers_agree_on_disks(void) {
    same_velocities(make_lattice(2, 10), all);
}

static void solvers_agree_on_spheres(void) {
    same_velocities(make_lattice(3, 4), all);
}

static void solvers_agree_on_the_array(void) {
    static const char *const sure[] = {"boxed", "random", "matrix_newton", NULL};
    same_velocities(bench_solver_case("array-80", NULL, 1, 1), sure);
}

/* The blocks of the array have almost no mass, and their free velocity is 1e8 times that of the
 * disks. A solution in those units is not what was asked for, so no solver may claim it. */
static void light_blocks_are_not_called_solved(void) {
    ScreeWorld *world = bench_solver_case("array-80", NULL, 1, 1);
    SolverRun interior = run(world, "matrix_interior_point", 1e-9);
    CHECK(interior.mark[0][0].first > 0);
    CHECK(interior.best[0] < 1e-4);
    CHECK(interior.best[0] <= 1e-9 || strncmp(interior.reason, "solved", 6) != 0);
    free(interior.velocity);
    scree_world_destroy(world);
}

/* Share of the grains that are faster than a hundredth of what gravity adds in a step. */
static double moving(const ScreeWorld *world) {
    ScreeBodyView view = scree_world_get_bodies(world);
    size_t count = 0;
    for (size_t i = 0; i < view.count; i++) {
        count += length(view.velocity[i]) > 0.01 * 9.81 / 200;
    }
    return (double)count / (double)view.count;
}

/* A packing comes to rest; one that had too few steps is settled further. */
static void packings_come_to_rest(void) {
    char folder[] = "packings-XXXXXX", path[64];
    uint64_t steps = 0;
    CHECK(mkdtemp(folder) != NULL);
    snprintf(path, sizeof path, "%s/plane-30-1.scree", folder);
    for (int turn = 0; turn < 3; turn++) {
        static const int most[] = {100, 0, 6000};
        ScreeWorld *world = bench_solver_case("plane-30-1", folder, 1, most[turn]);
        bool rests = bench_unrest(world) < 0.1 && moving(world) <= 0.01;
        CHECK(scree_world_get_bodies(world).count == 30);
        CHECK(rests == (turn == 2));
        CHECK(turn == 2 ? scree_world_get_step_count(world) > steps
                        : scree_world_get_step_count(world) == 100);
        steps = scree_world_get_step_count(world);
        scree_world_destroy(world);
    }
    CHECK(remove(path) == 0 && remove(folder) == 0);
}

/* Side by side: several times as many grains, at rest again, between walls as much farther
 * apart. */
static void packings_in_a_row_stay_at_rest(void) {
    ScreeWorld *one = bench_solver_case("plane-30-1", NULL, 1, 6000);
    ScreeWorld *row = bench_solver_case("plane-30-1-x3", NULL, 1, 6000);
    CHECK(scree_world_get_bodies(row).count == 90);
    CHECK(bench_unrest(row) < 0.1);
    ScreeWallState short_end, long_end;
    CHECK(scree_wall_get_state(one, (ScreeWallId){1}, &short_end) == SCREE_OK &&
          scree_wall_get_state(row, (ScreeWallId){1}, &long_end) == SCREE_OK);
    CHECK_CLOSE(long_end.now.point.x, 3 * short_end.now.point.x, 1e-14);
    ScreeBodyView view = scree_world_get_bodies(row);
    size_t there[3] = {0};
    for (size_t i = 0; i < view.count; i++) {
        int part = (int)floor(view.position[i].x / short_end.now.point.x);
        CHECK(part >= 0 && part < 3);
        there[part]++;
    }
    CHECK(there[0] > 20 && there[1] > 20 && there[2] > 20);
    scree_world_destroy(one);
    scree_world_destroy(row);
}

/* A column of 640 spheres, 4 across, that are about to fall on each other. */
static ScreeWorld *make_column(ScreeMethod method) {
    enum { ACROSS = 4, LAYERS = 40 };
    const double room = 1.05, width = ACROSS * room;
    ScreeWorldDef def = scree_world_def_default();
    def.time_step = 1.0 / 200;
    def.gravity = (ScreeVec3){0, 0, -9.81};
    def.solver.method = method;
    ScreeWorld *world = NULL;
    ScreeMaterialDef rough = scree_material_def_default();
    rough.law.friction = 0.5;
    CHECK(scree_world_create(&def, &world, NULL) == SCREE_OK);
    CHECK(scree_world_add_material(world, &rough, NULL) == SCREE_OK);
    add_plane(world, (ScreeVec3){0, 0, 0}, (ScreeVec3){1, 0, 0});
    add_plane(world, (ScreeVec3){width, 0, 0}, (ScreeVec3){-1, 0, 0});
    add_plane(world, (ScreeVec3){0, 0, 0}, (ScreeVec3){0, 1, 0});
    add_plane(world, (ScreeVec3){0, width, 0}, (ScreeVec3){0, -1, 0});
    add_plane(world, (ScreeVec3){0, 0, 0}, (ScreeVec3){0, 0, 1});
    uint64_t random = 1;
    for (int i = 0; i < ACROSS * ACROSS * LAYERS; i++) {
        const int at[] = {i % ACROSS, i / ACROSS % ACROSS, i / ACROSS / ACROSS};
        double place[3];
        for (int k = 0; k < 3; k++) {
            place[k] = (at[k] + 0.5) * room + 0.04 * noise(&random);
        }
        ScreeBodyDef body = scree_body_def_default();
        body.radius = 0.5;
        body.position = (ScreeVec3){place[0], place[1], place[2]};
        CHECK(scree_world_add_bodies(world, &body, 1, NULL) == SCREE_OK);
    }
    return world;
}

static int64_t sweeps_to_settle(ScreeMethod method) {
    ScreeWorld *world = make_column(method);
    int64_t sweeps = 0;
    for (int step = 0; step < 200; step++) {
        ScreeReport report;
        CHECK(scree_world_step(world, &report) == SCREE_OK && report.converged);
        sweeps += report.iterations;
    }
    scree_world_destroy(world);
    return sweeps;
}

/* To the tolerance of everyday, 40 layers take plain sweeps so many that momentum saves most of them; unless it
 * lets the residual hover just above what is wanted, which took it to 0.38 of theirs. */
static void momentum_does_not_hover_above_the_aim(void) {
    int64_t plain = sweeps_to_settle(SCREE_METHOD_GAUSS_SEIDEL),
            with = sweeps_to_settle(SCREE_METHOD_AUTO);
    printf("       a column settles: %lld sweeps, %lld with momentum\n", (long long)plain,
           (long long)with);
    CHECK(3 * with < plain);
}

static void cases_and_solvers_are_told_apart_by_name(void) {
    static const char *const good[] = {
        "plane-10-1",         "space-10-2-x4",      "chain-7", "array-80", "space-10-1-rolling",
        "plane-10-1-springs", "plane-10-2-polygons"};
    static const char *const bad[] = {"plane-x",
                                      "plane-10",
                                      "plane-10-1-x",
                                      "plane-10-1-4",
                                      "chain-10x",
                                      "chain-10-1",
                                      "cube-10-1",
                                      "accelerated",
                                      "space-10-1-polygons",
                                      "plane-10-1-roll",
                                      "plane-10-1-x2-springs"};
    for (int i = 0; i < 7; i++) {
        CHECK(bench_is_solver_case(good[i]) && !bench_is_solver(good[i]));
    }
    for (int i = 0; i < 11; i++) {
        CHECK(!bench_is_solver_case(bad[i]));
    }
    CHECK(bench_is_solver("accelerated") && bench_is_solver("matrix_newton"));
    CHECK(!bench_is_solver("plane-x") && !bench_is_solver("matrix_"));
}

static void bad_names_are_refused(void) {
    CHECK(bench_solver_case("plane-100", NULL, 1, 1) == NULL);
    CHECK(bench_solver_case("chain-10x", NULL, 1, 1) == NULL);
    ScreeWorld *world = bench_solver_case("chain-3", NULL, 1, 1);
    SolverRun made;
    CHECK(!bench_run_solver(world, "nobody", &(SolverLimits){1, 10, 1e-9}, &made));
    CHECK(!bench_run_solver(world, "matrix_nobody", &(SolverLimits){1, 10, 1e-9}, &made));
    scree_world_destroy(world);
}

int main(int argc, char **argv) {
    CHECK_RUN(chain_converges_as_theory_says);
    CHECK_RUN(solvers_agree_on_disks);
    CHECK_RUN(solvers_agree_on_spheres);
    CHECK_RUN(solvers_agree_on_the_array);
    CHECK_RUN(light_blocks_are_not_called_solved);
    CHECK_RUN(packings_come_to_rest);
    CHECK_RUN(packings_in_a_row_stay_at_rest);
    if (CHECK_STRIDE == 1) {
        CHECK_RUN(momentum_does_not_hover_above_the_aim);
    }
    CHECK_RUN(cases_and_solvers_are_told_apart_by_name);
    CHECK_RUN(bad_names_are_refused);
    return check_result();
}
