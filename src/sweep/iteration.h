/* Solves a contact problem: settings and problem in, impulses and a report out. */
#ifndef SCREE_SWEEP_ITERATION_H
#define SCREE_SWEEP_ITERATION_H

#include "problem/problem.h"
#include "sweep/momentum.h"
#include "sweep/order.h"
#include "sweep/sweep.h"

typedef struct SolveSettings {
    ScreeSolverDef def;
    double approach;      /* [velocity] largest at which contacts that must not close may do so */
    double small_impulse; /* small_force times the time step */
    uint64_t seed, step;  /* keys of the random order */
    void *momentum;       /* scr_momentum_bytes of memory for it; NULL: without momentum */
    int32_t *sequence;    /* [rows] room for the random order; unused by the others */
    const Order *stored;  /* see SweepOrder */
    Threads *threads;
    /* For measurements: called after every sweep with how the rows are stored at present; may end
     * the iteration. NULL: not wanted. */
    bool (*look)(void *looking, int sweep, bool columns);
    void *looking;
} SolveSettings;

typedef struct SolveReport {
    int iterations;
    double equivalent; /* number of sweeps without momentum that would have carried forces as far */
    Residual residual;
    size_t unsettled; /* see scr_count_unsettled */
} SolveReport;

/* Whether these settings ask for the accelerated method. */
bool scr_is_accelerated(const ScreeSolverDef *def);

/* The velocities of the problem must already include the present impulses. */
SolveReport scr_solve(Problem *problem, const SolveSettings *settings);

/* The factor q of the relaxation (Unger and Kertesz, eqs 43 to 46): how far one sweep in this order
 * spreads a force. */
double scr_order_q(ScreeOrder order);

#endif
