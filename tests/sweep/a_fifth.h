/* The goal of the accelerated sweeps, on packings of the benchmark of solvers. */
#ifndef SCREE_TESTS_A_FIFTH_H
#define SCREE_TESTS_A_FIFTH_H

#include "bench/solver_cases.h"
#include "bench/solver_runs.h"
#include "check.h"

#include <stdlib.h>

/* A resting packing reaches 1e-6 over loads in at most a fifth of the sweeps that Gauss-Seidel
 * needs, so one sweep less than five times as many must not bring that there. The residual is that
 * of the exact law. Returns whether 1e-8 is reached too. */
static inline bool takes_a_fifth(const char *packing, const char *gauss_seidel) {
    ScreeWorld *world = bench_solver_case(packing, NULL, 1, 2000);
    SolverRun fast, slow;
    CHECK(bench_unrest(world) < 0.1);
    const SolverLimits exactly = {60, 3000, 1e-8};
    CHECK(bench_run_solver(world, "accelerated", &exactly, &fast));
    const int took = fast.mark[1][1].first, exact = fast.mark[1][2].first;
    const SolverLimits longer = {60, 5 * took - 1, 0};
    CHECK(bench_run_solver(world, gauss_seidel, &longer, &slow));
    CHECK(took > 0 && slow.iterations == 5 * took - 1 && slow.mark[1][1].first == 0);
    printf("       %s: %d sweeps to 1e-6, %d to 1e-8; Gauss-Seidel after %d: %.1e\n", packing, took,
           exact, slow.iterations, slow.best[1]);
    free(slow.velocity);
    free(fast.velocity);
    scree_world_destroy(world);
    return exact > 0;
}

#endif
