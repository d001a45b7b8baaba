/* One sweep of Gauss-Seidel: every row once, each solved exactly with the present velocities, its
 * change of impulse added to the velocities at once. The order is an argument, and there is one
 * sweep for all orders. */
#ifndef SCREE_SWEEP_SWEEP_H
#define SCREE_SWEEP_SWEEP_H

#include "base/threads.h"
#include "problem/problem.h"
#include "sweep/order.h"
#include "sweep/row_momentum.h"

typedef struct SweepOrder {
    const int32_t *sequence; /* [rows] rows in the order of their visit; NULL: as they are stored */
    bool backwards;
    /* With the stored order: which rows may be worked on together, and by whom. NULL or empty: one
     * by one. The result is the same for any number of threads. */
    const Order *stored;
    Threads *threads;
    RowMomentum *momentum; /* NULL: none. Its rows lie as they do now, in every sweep */
    double *square; /* out, with momentum: sum |d|^2, d from the end of the last sweep to that of
                       this one */
    bool columns;   /* the rows are as scr_rows_to_columns has left them: faster */
} SweepOrder;

/* What the convergence criteria of Unger and Kertesz look at, besides the change itself. */
typedef struct SweepWatch {
    double relative, small; /* a row is at rest when |dR| <= relative |R| + small (eq 35) */
    bool at_rest;           /* out: every row was */
    double sum;             /* out: sum of |R| (eq 36) */
} SweepWatch;

/* Returns sum |dR|^2. `watch` may be NULL, and then costs nothing. */
double scr_sweep(Problem *problem, SweepOrder order, SweepWatch *watch);

/* Adds the rows' present impulses to the velocities: the warm start. */
void scr_push_rows(Problem *problem, const Order *stored, Threads *threads);

#endif
