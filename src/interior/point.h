/* The interior-point solver of contact problems in matrices: a primal-dual method with
 * Nesterov-Todd scaling and Mehrotra's predictor and corrector. It needs no local form, and masses
 * may be zero: this is the static limit, in which loads must be balanced.
 *
 * The associated law, with s in place of de Saxce's s + mu |s_t| n, is a convex programme and is
 * solved in some twenty iterations, whatever its size. Where rigid contacts leave the impulses
 * undetermined, the result lies inside the set of solutions, near its analytic centre.
 *
 * Coulomb's exact law is not a convex programme. The same iteration is tried on it (exact.h): with
 * a friction of 0.1 it usually succeeds, with more it often fails. Then the associated solution is
 * returned with the status INTERIOR_ASSOCIATED, and `law` tells how far it is from Coulomb's. */
#ifndef SCREE_INTERIOR_POINT_H
#define SCREE_INTERIOR_POINT_H

#include "interior/iterate.h"
#include "matrix/solver.h"

typedef struct InteriorPointSettings {
    double tolerance;       /* of the errors over their units; 1e-8 */
    int iterations_most;    /* for each programme; 100 */
    bool exact;             /* Coulomb's law; false: the associated one */
    double force, velocity; /* units of the errors; 0: found from the problem */
    double fastest;         /* of the free motion, if that may be much faster than the unit: such a
                               velocity proves nothing; 0: no faster */
    /* [rows] impulses of a similar problem without masses to start from, if the units are given;
     * NULL: none. May be the same array as the r of the result. */
    const double *known;
    int starts; /* attempts at the exact law from different starts: 1 to 3; 3 */
} InteriorPointSettings;

typedef struct InteriorPointReport {
    InteriorStatus status; /* INTERIOR_SOLVED: the law asked for, to the tolerance */
    int iterations;        /* factorisations */
    int programmes;        /* attempts, each from a start of its own */
    InteriorErrors errors; /* of the last programme */
    double law;            /* natural map of Coulomb's exact law, over the unit of force */
    double shift;          /* of the last factor: see linear/factor.h */
    const char *reason;    /* the status in words; a static text */
} InteriorPointReport;

static inline InteriorPointSettings scr_interior_point_settings(void) {
    return (InteriorPointSettings){.tolerance = 1e-8, .iterations_most = 100, .starts = 3};
}

/* Solves the global form, or the local one if there is no other. r, s [rows] and v [freedoms] get
 * the impulses, the velocities s = u + C r that the law sees, and the motion; each may be NULL.
 * When there is no solution, r or v hold the proof: impulses that lock, or a motion that nothing
 * stops. `work` may be used for many problems, and retains pattern and symbolic factor as long as
 * the pattern of H stays the same. */
InteriorPointReport scr_interior_point(InteriorWork *work, const MatrixProblem *problem,
                                       const InteriorPointSettings *settings, double *r, double *s,
                                       double *v);

/* The same as one of the table of solvers, for the exact law. */
MatrixSolve scr_matrix_interior_point;

#endif
