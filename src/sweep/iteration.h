/* Solves a contact problem: settings and problem in, impulses and a report out. */
#ifndef SCREE_SWEEP_ITERATION_H
#define SCREE_SWEEP_ITERATION_H

#include "problem/problem.h"
#include "sweep/momentum.h"
#include "sweep/order.h"
#include "sweep/sweep.h"

/* What a solution may have of each residual. All are positive; INFINITY: anything. */
typedef struct ResidualLimits {
    double relative, loads, velocity; /* [1] */
    double approach, worst;           /* [velocity] */
} ResidualLimits;

/* Of the relative residual alone. */
static inline ResidualLimits scr_impulse_limits(double relative) {
    return (ResidualLimits){relative, INFINITY, INFINITY, INFINITY, INFINITY};
}

/* The excess that is aimed at where that costs next to nothing: a residual of 1e-6, unless less is
 * asked for anyway. */
static inline double scr_aim(const ResidualLimits *limits) {
    return scr_min(1, 1e-6 / limits->relative);
}

/* How many times a residual is as large as it may be, by the limit that it misses most. */
double scr_excess(const Residual *residual, const ResidualLimits *limits);

typedef struct SolveSettings {
    ScreeSolverDef def;
    ResidualLimits limits; /* of the criterion SCREE_CRITERION_RESIDUAL */
    double calm;  /* excess to aim at while that takes few sweeps, at most 1; 0: the same as 1 */
    double handy; /* residual to aim at in a problem of a few rows; 0: that of scr_aim */
    double small_impulse; /* small_force times the time step */
    double ratio;     /* excess over change as the last problem of this kind had it; 0: not known */
    double stiffness; /* a power of two: sweeps are damped as if contacts were so stiff; 0: not */
    uint64_t seed, step; /* keys of the random order */
    void *momentum;      /* scr_momentum_bytes of memory for it; NULL: without momentum */
    int32_t *sequence;   /* [rows] room for the random order; unused by the others */
    const Order *stored; /* see SweepOrder */
    Threads *threads;
    const Domain *domain; /* of this problem; NULL: this process has all of it */
    DeviceRows *device;   /* that sweeps this problem, which it has begun; NULL: the processor */
    /* For measurements: called after every sweep with how the rows are stored at present; may end
     * the iteration. NULL: not wanted. */
    bool (*look)(void *looking, int sweep, bool columns);
    void *looking;
} SolveSettings;

typedef struct SolveReport {
    int iterations;
    double equivalent; /* number of sweeps without momentum that would have carried forces as far */
    Residual residual;
    double ratio;     /* of the last check, for the next problem; 0: not known */
    size_t unsettled; /* see scr_count_unsettled */
} SolveReport;

/* Whether these settings ask for the accelerated method. */
bool scr_is_accelerated(const ScreeSolverDef *def);

/* The velocities of the problem must already include the present impulses. */
/* Whether no row has an impulse to begin with. */
bool scr_is_cold(const Problem *problem);

/* When a device fails, what there is then: the caller has to ask it. */
SolveReport scr_solve(Problem *problem, const SolveSettings *settings);

/* The factor q of the relaxation (Unger and Kertesz, eqs 43 to 46): how far one sweep in this order
 * spreads a force. */
double scr_order_q(ScreeOrder order);

#endif
