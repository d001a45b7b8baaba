/* Solves a contact problem: settings and problem in, impulses and a report out. */
#ifndef SCREE_SWEEP_ITERATION_H
#define SCREE_SWEEP_ITERATION_H

#include "problem/problem.h"
#include "sweep/momentum.h"
#include "sweep/order.h"
#include "sweep/sweep.h"

typedef struct SolveSettings {
    ScreeSolverDef def;
    double approach;      /* [velocity] at which a contact may close that must not, at most */
    double small_impulse; /* small_force times the time step */
    uint64_t seed, step;  /* keys of the random order */
    void
        *momentum; /* room for the accelerated method: scr_momentum_bytes; NULL: without momentum */
    int32_t *sequence;   /* [rows] room for the random order; unused by the others */
    const Order *stored; /* as in SweepOrder */
    Threads *threads;
    /* For measurements: called after every sweep, told whether the rows are columns now, and may
     * end the iteration. NULL: not wanted. */
    bool (*look)(void *looking, int sweep, bool columns);
    void *looking;
} SolveSettings;

typedef struct SolveReport {
    int iterations;
    double equivalent; /* sweeps without momentum that would have carried forces as far */
    Residual residual;
    size_t unsettled; /* see scr_count_unsettled */
} SolveReport;

/* Whether these settings ask for the accelerated method. */
bool scr_is_accelerated(const ScreeSolverDef *def);

/* The problem's velocities must already hold the present impulses. */
SolveReport scr_solve(Problem *problem, const SolveSettings *settings);

/* The factor q of the relaxation (Unger and Kertesz, eqs 43 to 46): how far one sweep of this order
 * diffuses a force. */
double scr_order_q(ScreeOrder order);

#endif
