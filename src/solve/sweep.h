/* One sweep of Gauss-Seidel: every row once, each solved exactly with the present velocities, its
 * change of impulse added to the velocities at once. The order is an argument, and there is one
 * sweep for all orders. */
#ifndef SCREE_SOLVE_SWEEP_H
#define SCREE_SOLVE_SWEEP_H

#include "problem/problem.h"

typedef struct SweepOrder {
    const int32_t *sequence; /* [rows] rows in the order of their visit; NULL: as they are stored */
    bool backwards;
    /* Rows as stored come in runs of rows that share no moving body: run_end[k] is the end of run
     * k. With none given, or another order than the stored one, rows are taken one by one. */
    const int32_t *run_end;
    size_t runs;
} SweepOrder;

/* What the convergence criteria of Unger and Kertesz look at, besides the change itself. */
typedef struct SweepWatch {
    double relative, small; /* a row is at rest when |dR| <= relative |R| + small (eq 35) */
    bool at_rest;           /* out: every row was */
    double sum;             /* out: sum of |R| (eq 36) */
} SweepWatch;

/* Returns sum |dR|^2. `watch` may be NULL, and then costs nothing. */
double scr_sweep(Problem *problem, SweepOrder order, SweepWatch *watch);

#endif
