/* Nonsmooth Newton methods for contact problems in matrices. They handle problems whose W is
 * singular, slightly unsymmetric or slightly indefinite. All begin with projected sweeps
 * (projected.h), for as long as those make progress. */
#ifndef SCREE_MATRIX_NEWTON_H
#define SCREE_MATRIX_NEWTON_H

#include "matrix/equation.h"
#include "matrix/projected.h"

/* Newton's method on the contact equations with a proximal term that is made smaller and smaller;
 * where it does not converge the term is made larger again, and sweeps take over for a while. */
MatrixReport scr_matrix_proximal(const MatrixProblem *problem, const MatrixSettings *settings,
                                 double *r);

/* Follows the solution of the smoothed equations as the smoothing vanishes. */
MatrixReport scr_matrix_path(const MatrixProblem *problem, const MatrixSettings *settings,
                             double *r);

/* Both in turn, as long as one of them makes progress. If the settings are patient and have a
 * yardstick, it is checked before long whether there is a solution at all (lock.h). */
MatrixReport scr_matrix_newton(const MatrixProblem *problem, const MatrixSettings *settings,
                               double *r);

/* The same with work space that can be used for one problem after another; zero-initialise it. */
typedef struct MatrixNewton {
    MatrixScaled s;
    MatrixMomentum momentum;
    MatrixEquation e;
    bool locked; /* the problem is known to have no solution */
} MatrixNewton;

MatrixReport scr_matrix_newton_with(MatrixNewton *work, const MatrixProblem *problem,
                                    const MatrixSettings *settings, double *r);

void scr_matrix_newton_free(MatrixNewton *work);

#endif
