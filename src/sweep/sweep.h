/* One sweep of Gauss-Seidel: every row once, each solved exactly with the present velocities, to
 * which its change of impulse is added at once. The order is an argument; there is one sweep for
 * all orders. */
#ifndef SCREE_SWEEP_SWEEP_H
#define SCREE_SWEEP_SWEEP_H

#include "base/threads.h"
#include "problem/problem.h"
#include "sweep/order.h"
#include "sweep/device_rows.h"
#include "sweep/row_momentum.h"
#include "sweep/domain.h"

typedef struct SweepOrder {
    const int32_t *sequence; /* [rows] rows in the order of visit; NULL: as they are stored */
    bool backwards;
    /* With the stored order: which rows may be worked on together. NULL or empty: one by one. The
     * result is the same for any number of threads. */
    const Order *stored;
    Threads *threads;
    const Domain *domain;  /* NULL: this process has all boxes */
    RowMomentum *momentum; /* NULL: none. Rows must be laid out in the same way in every sweep */
    double *square; /* out, with momentum: sum |d|^2, from the end of the last sweep to this one */
    bool columns;   /* rows are stored as scr_rows_to_columns leaves them, which is faster */
    DeviceRows *device; /* that sweeps in the stored order; NULL: the processor does */
    bool
        silent; /* nobody asks for the change: a device has no need to find it, and 0 is returned */
} SweepOrder;

/* What the convergence criteria of Unger and Kertesz look at, apart from the change itself. */
typedef struct SweepWatch {
    double relative, small; /* a row is at rest when |dR| <= relative |R| + small (eq 35) */
    bool at_rest;           /* out: true of every row */
    double sum;             /* out: sum of |R| (eq 36) */
} SweepWatch;

/* Returns sum |dR|^2. `watch` may be NULL, and costs nothing then. */
double scr_sweep(Problem *problem, SweepOrder order, SweepWatch *watch);

/* Visits all rows once in their stored order, in ranges that may be worked on at the same time;
 * split bodies are shared out and gathered as in a sweep. */
void scr_visit_rows(Problem *problem, const Order *stored, Threads *threads,
                    void (*visit)(void *context, size_t begin, size_t end), void *context);

/* Adds the present impulses of the rows to the velocities, for the warm start. */
void scr_push_rows(Problem *problem, const Order *stored, Threads *threads);

#endif
