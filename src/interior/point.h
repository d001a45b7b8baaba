/* The interior-point solver of contact problems in matrices: a primal-dual method with
 * Nesterov-Todd scaling and Mehrotra's predictor and corrector. It needs no local form, and masses
 * may be zero: then it is the static limit, and loads must be balanced.
 *
 * The associated law, with s in place of de Saxce's s + mu |s_t| n, is a convex programme and is
 * solved in some twenty iterations, whatever the size. Where rigid contacts leave the impulses
 * undetermined, what comes out lies inside the set of solutions, near its analytic centre.
 *
 * Coulomb's exact law is no convex programme. The same iteration is tried on it (interior_exact.h):
 * with friction of 0.1 it goes through as a rule, with more often not. Then the associated solution
 * comes back with the status INTERIOR_ASSOCIATED, and `law` tells how far it is from Coulomb's. */
#ifndef SCREE_INTERIOR_POINT_H
#define SCREE_INTERIOR_POINT_H

#include "interior/iterate.h"
#include "matrix/solver.h"

typedef struct InteriorPointSettings {
    double tolerance;       /* of the errors over their units; 1e-8 */
    int iterations_most;    /* for each programme; 100 */
    bool exact;             /* Coulomb's law; false: the associated one */
    double force, velocity; /* units of the errors; 0: found from the problem */
    const double *known; /* [rows] impulses of a like problem without masses, to begin with, where
                            the units are given; NULL: none. May be what the r of the result is */
    int starts;          /* tries of the exact law, each from elsewhere: 1 to 3; 3 */
} InteriorPointSettings;

typedef struct InteriorPointReport {
    InteriorStatus status; /* INTERIOR_SOLVED: to the tolerance, the law that was asked for */
    int iterations;        /* factorisations */
    int programmes;        /* attempts, each from a start of its own */
    InteriorErrors errors; /* of the last programme */
    double law;         /* the judge: natural map of Coulomb's exact law over the unit of force */
    double shift;       /* of the last factor: see linear/factor.h */
    const char *reason; /* the status in words; lives for ever */
} InteriorPointReport;

static inline InteriorPointSettings scr_interior_point_settings(void) {
    return (InteriorPointSettings){1e-8, 100, false, 0, 0, NULL, 3};
}

/* Solves the global form, or the local one where there is no other. r, s [rows] and v [freedoms]
 * get impulses, the law's velocities s = u + C r, and the motion; each may be NULL. When there is
 * no solution, r or v hold the proof: impulses that lock, or the motion that nothing stops.
 * `work` may be used for many problems, and keeps pattern and symbolic factor as long as H has the
 * same places. */
InteriorPointReport scr_interior_point(InteriorWork *work, const MatrixProblem *problem,
                                       const InteriorPointSettings *settings, double *r, double *s,
                                       double *v);

/* The same as one of the table of solvers, for the exact law. */
MatrixSolve scr_matrix_interior_point;

#endif
