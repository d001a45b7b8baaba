/* How long a solver takes to bring one contact problem to given residuals, from zero impulses.
 *
 * One residual for all: the natural map of src/problem/residual.c, computed outside the solvers
 * from impulses and velocities alone, and given in two scales,
 *     weights   over what each contact would carry alone: `residual` of a step's report
 *     loads     over max(|R|, |rho q|): the `relative` of contact problems in files
 * In a packing of height h the second is about h times smaller. */
#ifndef SCREE_BENCH_SOLVER_RUNS_H
#define SCREE_BENCH_SOLVER_RUNS_H

#include <scree/scree.h>

enum { SOLVER_LEVELS = 3, SOLVER_SCALES = 2, SOLVER_HISTORY = 400 };

extern const double bench_solver_level[SOLVER_LEVELS];      /* 1e-4, 1e-6, 1e-8 */
extern const char *const bench_solver_scale[SOLVER_SCALES]; /* their names */

/* When a residual came down to a level: for the first time, and for good until the run ended.
 * Iterations 0: never. */
typedef struct SolverMark {
    int first, lasting;
    double first_seconds, lasting_seconds;
} SolverMark;

typedef struct SolverLook {
    int iterations;
    double seconds;
    double residual[SOLVER_SCALES];
} SolverLook;

typedef struct SolverRun {
    size_t contacts;
    int iterations; /* in all */
    double seconds; /* of processor time, without looking; includes making the matrices */
    double best[SOLVER_SCALES];
    SolverMark mark[SOLVER_SCALES][SOLVER_LEVELS];
    const char *reason; /* why it ended */
    SolverLook history[SOLVER_HISTORY];
    int looks;
    double *velocity; /* [6 bodies] final v, then spin times radius; to be freed */
} SolverRun;

/* Whether there is a solver of this name, see below. */
bool bench_is_solver(const char *solver);

/* Solvers: "random", Gauss-Seidel in an order drawn anew every sweep, the papers' method; "boxed",
 * in the default order; "accelerated", the default; then those of contact problems in matrices
 * (scree_problem_solver_get_name) under their own names with "matrix_" before them.
 *
 * Sweeps continue until one of the limits is reached. Solvers in matrices are called once for every
 * level, and for `least` if that is lower, each time with `seconds`. False when the solver could not
 * be run; a message says why. The world is not changed. */
typedef struct SolverLimits {
    double seconds;
    int sweeps;
    double least; /* residual in weights, below which there is no need to go */
} SolverLimits;

bool bench_run_solver(const ScreeWorld *world, const char *solver, const SolverLimits *limits,
                      SolverRun *run);

#endif
