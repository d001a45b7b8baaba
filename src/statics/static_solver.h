/* How the impulses of a static increment are found. */
#ifndef SCREE_STATICS_STATIC_SOLVER_H
#define SCREE_STATICS_STATIC_SOLVER_H

#include "dynamics/step_solver.h"

/* How far things may move before the solver must look for more candidates; SolverWork.own. */
typedef struct MotionBound {
    double limit;   /* [length] that the candidates can see; 0: not known yet */
    bool unbounded; /* no impulses balance the loads; the bodies move as nothing stops them */
} MotionBound;

extern const StepSolver scr_static_solver;

#endif
