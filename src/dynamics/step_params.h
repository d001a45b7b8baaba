/* What a step is made with. It is fixed before the step begins and passed as a const argument to
 * whatever takes part in it; the world's definition is never rewritten on the way. */
#ifndef SCREE_DYNAMICS_STEP_PARAMS_H
#define SCREE_DYNAMICS_STEP_PARAMS_H

#include "base/threads.h"
#include "math/mat3.h"

#include <scree/scree.h>

typedef struct StepSolver StepSolver; /* step_solver.h */

typedef struct StepParams {
    uint64_t number;  /* of the step, from 1 */
    double time_step; /* [time] may be a part of the definition's */
    double whole;     /* [time] of the step that it belongs to, in which contacts may close once by
                         what is permitted */
    double theta;     /* [1] of the theta method */
    bool inertia;     /* false: external forces change no velocity, the solver balances them */
    double slack;     /* [1] part of a radius within which every candidate is a contact */
    const StepSolver *solver;        /* how the impulses are found */
    Threads *threads;                /* NULL: the caller's alone */
    const ScreeDevice *device;       /* that sweeps where it can; NULL: the processor does */
    const ScreeProcesses *processes; /* that make the step together; NULL: this one alone */
    /* A cell that deforms: its rate, what is given of it as in this step and what is free as at its
     * start; and how velocities relative to it turn with it, dw/dt = -L w over the step. */
    bool deforms;
    Mat3 rate, convection;
    bool grows;     /* some bodies do: scr_growth in prediction.h */
    double elapsed; /* [time] of the step that it belongs to, before this part of it */
} StepParams;

/* The motion through a step from the velocities at its start and end, and back: the theta method
 * (Lim, eqs 4.4 to 4.6). The contact problem is in terms of motions: a gap closes by dt times the
 * motion, and with inverse masses times theta an impulse changes it as Newton wants. With theta = 1
 * motion and new velocity are the same. */
static inline Vec3 scr_motion(const StepParams *with, Vec3 before, Vec3 after) {
    double theta = with->theta;
    return theta == 1 ? after : add(scale(theta, after), scale(1 - theta, before));
}

static inline Vec3 scr_after_motion(const StepParams *with, Vec3 before, Vec3 motion) {
    double theta = with->theta;
    return theta == 1 ? motion : scale(1 / theta, sub(motion, scale(1 - theta, before)));
}

#endif
