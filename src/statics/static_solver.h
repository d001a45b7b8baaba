/* How the impulses of a static increment are found. */
#ifndef SCREE_STATICS_STATIC_SOLVER_H
#define SCREE_STATICS_STATIC_SOLVER_H

#include "dynamics/step_solver.h"

/* What an increment and its solver tell each other; SolverWork.own. */
typedef struct StaticTerms {
    double limit;   /* [length] that the candidates can see, beyond which the solver must look for
                       more of them; 0: not known yet */
    bool unbounded; /* no impulses balance the loads; the bodies move as nothing stops them */
    bool brief;     /* gives the exact law up soon, since a shorter stride can be tried instead */
    bool springs;   /* contacts have springs, so that a shorter stride changes less */
} StaticTerms;

extern const StepSolver scr_static_solver;

/* The velocity of the fastest wall that moves as prescribed. */
double scr_fastest_wall(const State *state);

#endif
