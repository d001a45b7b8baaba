/* bench_device LIBRARY [ALONG_X ALONG_Y THREADS [sweeps|steps|there]]: sweeps and steps on a device beside the processor's.
 *
 * LIBRARY is libscree_cuda.so or libscree_emulated.so. The packing is that of 'scree bench': 8,000
 * settled spheres, copied along x and y. Sweeps are timed alone, one after another; steps by the clock,
 * with few and with many sweeps, so that the difference is that of a sweep, and by the solver that scenes have by
 * default. 'sweeps': no steps; 'steps': only those with few plain sweeps; 'there': only these, and only on the device.
 * At the end of each part both must have the same bits. */
#include "api/world.h"
#include "backend/device.h"
#include "base/clock.h"
#include "bench/packing.h"
#include "sweep/packets.h"
#include "sweep/sweep.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SETTLING = 300, SWEEPS = 20, FEW = 20, MANY = 60, STEPS = 4, MORE_STEPS = 8 };

static const ScreeDevice *open_device(const char *path) {
    char message[SCREE_MESSAGE_SIZE] = "not a library for a device";
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    void *symbol = library != NULL ? dlsym(library, SCREE_DEVICE_OPEN) : NULL;
    ScreeDeviceOpen open = NULL;
    memcpy(&open, &symbol, sizeof open);
    const ScreeDevice *device = open != NULL ? open(message) : NULL;
    if (device == NULL) {
        fprintf(stderr, "bench: %s: %s\n", path, message);
    }
    return device;
}

static ScreeWorld *make_world(int along_x, int along_y, int threads) {
    const PackingDef def = {.dimension = 3,
                            .across = 20,
                            .layers = 20,
                            .steps = SETTLING,
                            .iterations = FEW,
                            .order = SCREE_ORDER_BOXED,
                            .periodic = true};
    ScreeWorld *settled = bench_settle(&def);
    ScreeWorld *world = settled != NULL ? bench_tile(settled, along_x, along_y, FEW) : NULL;
    scree_world_destroy(settled);
    if (world != NULL &&
        (scree_world_set_threads(world, threads) != SCREE_OK || !bench_steps(world, STEPS, NULL))) {
        scree_world_destroy(world);
        world = NULL;
    }
    return world;
}

/* ---------------------------------------------------------------- sweeps alone */

typedef struct Copy {
    Problem problem;
    size_t row_bytes, body_bytes;
} Copy;

static bool copy_problem(const Problem *p, Copy *copy) {
    *copy = (Copy){*p, p->rows * sizeof(Row), p->bodies * sizeof(ProblemBody)};
    copy->problem.row = malloc(copy->row_bytes);
    copy->problem.body = malloc(copy->body_bytes);
    if (copy->problem.row == NULL || copy->problem.body == NULL) {
        return false;
    }
    memcpy(copy->problem.row, p->row, copy->row_bytes);
    memcpy(copy->problem.body, p->body, copy->body_bytes);
    return true;
}

static void free_copy(Copy *copy) {
    free(copy->problem.row);
    free(copy->problem.body);
}

/* Seconds of a sweep; `last` gets the sums of the last one. */
static double time_sweeps(Problem *p, SweepOrder how, double last[2]) {
    double begin = scr_seconds();
    how.square = &last[1];
    for (int k = 0; k < SWEEPS; k++) {
        last[0] = scr_sweep(p, how, NULL);
    }
    return (scr_seconds() - begin) / SWEEPS;
}

/* Without what the processor makes of the sums. */
static double time_alone(const DeviceRows *rows, const RowMomentum *m) {
    ScreeDeviceSweep how = {m != NULL, m != NULL ? m->beta : 0, m != NULL ? m->creep : 0, false};
    double begin = scr_seconds();
    for (int k = 0; k < SWEEPS; k++) {
        how.silent = m == NULL && k + 1 < SWEEPS; /* as with a fixed number of sweeps */
        rows->device->sweep(rows->device->context, &rows->task, &how);
    }
    return (scr_seconds() - begin) / SWEEPS;
}

static double time_lifts(DeviceRows *rows) {
    double begin = scr_seconds();
    for (int k = 0; k < SWEEPS; k++) {
        scr_device_lift(rows, 0.1);
    }
    scr_device_get(rows);
    return scr_seconds() - begin;
}

/* One kind of sweep on both, from the same rows. */
static bool compare(const StepTask *task, const ScreeDevice *device, Threads *threads,
                    const char *name, RowMomentum *momentum) {
    Copy own, other;
    DeviceRows rows = {0};
    double sum[2] = {0}, sum_there[2] = {0};
    if (!copy_problem(&task->problem, &own) || !copy_problem(&task->problem, &other)) {
        return false;
    }
    SweepOrder how = {
        .stored = &task->order, .threads = threads, .columns = true, .momentum = momentum};
    scr_rows_to_columns(&own.problem, &task->order, threads);
    const double here = time_sweeps(&own.problem, how, sum);
    scr_rows_to_records(&own.problem, &task->order, threads);
    double begin = scr_seconds();
    if (!scr_device_takes(&other.problem, &task->order) ||
        !scr_device_begin(&rows, device, &other.problem, &task->order, threads)) {
        fprintf(stderr, "bench: the device does not take these rows\n");
        return false;
    }
    scr_device_put(&rows);
    (void)scr_device_judge(&rows); /* which waits until all has arrived */
    const double put = scr_seconds() - begin;
    how.device = &rows;
    const double there = time_sweeps(&other.problem, how, sum_there);
    begin = scr_seconds();
    scr_device_get(&rows);
    const double get = scr_seconds() - begin;
    const bool same = memcmp(own.problem.row, other.problem.row, own.row_bytes) == 0 &&
                      memcmp(own.problem.body, other.problem.body, own.body_bytes) == 0 &&
                      memcmp(sum, sum_there, momentum != NULL ? sizeof sum : sizeof *sum) == 0;
    printf("%-10s %zu rows: %.3f ms a sweep here, %.3f ms there (%.2f 10^9 rows/s), put %.1f ms, "
           "get %.1f ms, %s\n",
           name, own.problem.rows, 1e3 * here, 1e3 * there, 1e-9 * (double)own.problem.rows / there,
           1e3 * put, 1e3 * get, same ? "same bits" : "OTHER BITS");
    const double alone = time_alone(&rows, momentum);
    printf("           alone %.3f ms (%.2f 10^9 rows/s)\n", 1e3 * alone,
           1e-9 * (double)own.problem.rows / alone);
    if (momentum != NULL && momentum->creep > 0) {
        printf("%d extrapolations of %zu bodies, and back: %.3f ms\n", SWEEPS, own.problem.bodies,
               1e3 * time_lifts(&rows));
    }
    scr_device_rows_free(&rows);
    free_copy(&own);
    free_copy(&other);
    return same;
}

static bool compare_sweeps(const StepTask *task, const ScreeDevice *device, Threads *threads) {
    bool same = compare(task, device, threads, "warming", NULL) &&
                compare(task, device, threads, "plain", NULL);
    for (int creeps = 0; creeps < 2; creeps++) {
        RowMomentum momentum = {0.3, creeps ? 0.01 : 0,
                                calloc(4 * task->problem.rows, sizeof(double)), NULL};
        same = compare(task, device, threads, creeps ? "creeping" : "momentum", &momentum) && same;
        free(momentum.before);
    }
    return same;
}

/* ---------------------------------------------------------------- steps */

/* What makes the steps of a run; without sweeps it is the solver that scenes have by default, which sweeps until a
 * step has converged. */
typedef struct Steps {
    ScreeMethod method;
    int sweeps;
} Steps;

static ScreeSolverDef solver_of(const ScreeWorld *world, Steps how) {
    ScreeSolverDef solver = scree_world_get_def(world).solver;
    if (how.sweeps == 0) {
        return scree_solver_def_default();
    }
    solver.method = how.method;
    solver.iterations = how.sweeps;
    solver.tolerance = 2e-6; /* which they do not reach */
    solver.criterion =
        how.method == SCREE_METHOD_ACCELERATED ? SCREE_CRITERION_RESIDUAL : SCREE_CRITERION_FIXED;
    return solver;
}

/* Seconds of steps, and of these those with the solver. */
typedef struct Times {
    double step, solver;
    int64_t sweeps;
} Times;

/* The best of several steps; of those by default, which differ, the mean. */
static bool make_steps(ScreeWorld *world, Steps how, Times *times) {
    const int steps = how.sweeps == 0 ? MORE_STEPS : STEPS;
    Times best = {1e9, 1e9, 0}, sum = {0, 0, 0};
    for (int k = 0; k < steps; k++) {
        ScreeReport report = {0};
        const ScreeCost before = scree_world_get_cost(world);
        if (!bench_steps(world, 1, &report)) {
            return false;
        }
        const ScreeCost after = scree_world_get_cost(world);
        const double step = after.seconds_total - before.seconds_total;
        const double solver = after.seconds_solver - before.seconds_solver;
        best = (Times){step < best.step ? step : best.step,
                       solver < best.solver ? solver : best.solver, report.iterations};
        sum = (Times){sum.step + step, sum.solver + solver, sum.sweeps + report.iterations};
    }
    *times =
        how.sweeps > 0 ? best : (Times){sum.step / steps, sum.solver / steps, sum.sweeps / steps};
    return true;
}

static bool time_steps(const ScreeWorld *from, const ScreeDevice *device, int threads, Steps how,
                       uint64_t *hash) {
    ScreeWorld *world = bench_copy_world(from);
    Times times = {0, 0, 0};
    const ScreeSolverDef solver = solver_of(from, how);
    const bool ok = world != NULL && scree_world_set_threads(world, threads) == SCREE_OK &&
                    scree_world_set_solver(world, &solver) == SCREE_OK &&
                    scree_world_set_device(world, device) == SCREE_OK &&
                    make_steps(world, how, &times);
    printf("%s, %d sweeps %s: a step %.1f ms, of these %.1f ms sweeping and judging\n",
           how.sweeps == 0                          ? "by default"
           : how.method == SCREE_METHOD_ACCELERATED ? "accelerated"
                                                    : "plain",
           (int)times.sweeps, device != NULL ? "there" : "here", 1e3 * times.step,
           1e3 * times.solver);
    fflush(stdout);
    *hash = ok ? scree_world_hash(world) : 0;
    scree_world_destroy(world);
    return ok;
}

/* `only`: of those with few plain sweeps; `here`: beside the processor's. */
static bool compare_steps(const ScreeWorld *world, const ScreeDevice *device, int threads,
                          bool only, bool here) {
    static const Steps runs[] = {{SCREE_METHOD_GAUSS_SEIDEL, FEW},
                                 {SCREE_METHOD_GAUSS_SEIDEL, MANY},
                                 {SCREE_METHOD_ACCELERATED, FEW},
                                 {SCREE_METHOD_ACCELERATED, MANY},
                                 {SCREE_METHOD_AUTO, 0}};
    const size_t kinds = only ? 1 : sizeof runs / sizeof runs[0];
    bool ok = true;
    for (size_t k = 0; k < kinds && ok; k++) {
        uint64_t own = 0, other = 0;
        ok = time_steps(world, device, threads, runs[k], &other) &&
             (!here || (time_steps(world, NULL, threads, runs[k], &own) && own == other));
    }
    printf("steps: %s\n", !ok ? "OTHER BITS" : here ? "same bits" : "made");
    return ok;
}

int main(int argc, char **argv) {
    const int along_x = argc > 2 ? atoi(argv[2]) : 1, along_y = argc > 3 ? atoi(argv[3]) : 1;
    const int threads = argc > 4 ? atoi(argv[4]) : 1;
    const ScreeDevice *device = argc > 1 ? open_device(argv[1]) : NULL;
    ScreeWorld *world = device != NULL ? make_world(along_x, along_y, threads) : NULL;
    if (world == NULL) {
        fprintf(stderr,
                "usage: bench_device LIBRARY [ALONG_X ALONG_Y THREADS [sweeps|steps|there]]\n");
        return 1;
    }
    printf("%s: %zu spheres\n", device->name(device->context), scree_world_get_bodies(world).count);
    const char *what = argc > 5 ? argv[5] : "";
    const bool there = strcmp(what, "there") == 0, only = there || strcmp(what, "steps") == 0;
    bool same = strcmp(what, "sweeps") == 0 || compare_steps(world, device, threads, only, !there);
    ScreeReport report;
    Threads *pool = scr_threads_create(threads);
    same = (only || (bench_steps(world, 1, &report) &&
                     compare_sweeps(&world->engine.task, device, pool))) &&
           same;
    scr_threads_destroy(pool);
    scree_world_destroy(world);
    device->close(device->context);
    return same ? 0 : 1;
}
