#include "bench/parts.h"

#include "base/clock.h"
#include "bench/packing.h"

#include <math.h>
#include <stdio.h>

enum { STEPS_PER_SECOND = 200, RUNS = 4 };

/* How the steps are solved, and the names under which the results are reported. */
typedef struct Settling {
    int sweeps; /* in every step; 0: no setting at all */
    int threads;
    const char *key[4], *text;
} Settling;

#define KEYS(run)                                                                                  \
    {                                                                                              \
        "settling_" run "_s", "settling_" run "_mean", "settling_" run "_largest",                 \
            "settling_" run "_ever"                                                                \
    }

static const Settling settlings[RUNS] = {
    {10, 1, KEYS("10"), "8,000 spheres settle: 10 sweeps a step, for a simulated second"},
    {20, 1, KEYS("20"), "20 sweeps a step"},
    {20, 2, KEYS("two"), "20 sweeps a step, two threads, by the clock"},
    {0, 1, KEYS("all"), "no setting at all"},
};

static ScreeSolverDef solver_of(const Settling *k) {
    ScreeSolverDef def = scree_solver_def_default();
    if (k->sweeps > 0) {
        def.criterion = SCREE_CRITERION_FIXED;
        def.iterations = k->sweeps;
    }
    return def;
}

static bool settle(const Settling *k, bool quick, Results *r) {
    const PackingDef packing = {.dimension = 3, .across = 20, .layers = 20, .iterations = 1};
    const ScreeSolverDef solver = solver_of(k);
    const int steps = quick ? STEPS_PER_SECOND / 2 : 4 * STEPS_PER_SECOND;
    ScreeWorld *world = bench_settle(&packing);
    bool ok = world != NULL && scree_world_set_solver(world, &solver) == SCREE_OK &&
              scree_world_set_threads(world, k->threads) == SCREE_OK;
    ScreeReport report = {0};
    double ever = 0, begin = scr_seconds(), processor = scr_thread_seconds();
    for (int i = 0; ok && i < steps; i++) {
        ok = scree_world_step(world, &report) == SCREE_OK;
        ever = fmax(ever, report.overlap_max / 0.5);
    }
    double seconds = k->threads > 1 ? scr_seconds() - begin : scr_thread_seconds() - processor;
    if (!ok) {
        fprintf(stderr, "bench: %s\n", world != NULL ? scree_world_get_message(world) : "no world");
    } else {
        bench_note(r, k->key[0], k->text, "s", seconds * STEPS_PER_SECOND / steps);
        bench_note(r, k->key[1], "  mean overlap at the end", "radii", report.overlap_mean / 0.5);
        bench_note(r, k->key[2], "  largest at the end", "radii", report.overlap_max / 0.5);
        bench_note(r, k->key[3], "  largest at any time", "radii", ever);
    }
    scree_world_destroy(world);
    return ok;
}

bool bench_settling(bool quick, Results *r) {
    bool ok = true;
    for (int i = 0; ok && i < RUNS; i++) {
        ok = settle(&settlings[i], quick, r);
    }
    return ok;
}
