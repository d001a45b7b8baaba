/* Nonsmooth Newton methods for contact problems in matrices. They treat problems whose W is
 * singular, a little unsymmetric or a little indefinite. All begin with projected sweeps
 * (matrix_projected.h) as long as those get on. */
#ifndef SCREE_MATRIX_NEWTON_H
#define SCREE_MATRIX_NEWTON_H

#include "matrix/equation.h"
#include "matrix/projected.h"

/* Newton's method on the contact equations with a proximal term that is made smaller and smaller;
 * where it does not converge, larger again, and sweeps go on. */
MatrixReport scr_matrix_proximal(const MatrixProblem *problem, const MatrixSettings *settings,
                                 double *r);

/* Follows the solution of the smoothed equations from much smoothing to none. */
MatrixReport scr_matrix_path(const MatrixProblem *problem, const MatrixSettings *settings,
                             double *r);

/* Both in turns, as long as one of them gets on. */
MatrixReport scr_matrix_newton(const MatrixProblem *problem, const MatrixSettings *settings,
                               double *r);

/* The same with work space that is kept for one problem after another; zero-initialise it. */
typedef struct MatrixNewton {
    MatrixScaled s;
    MatrixMomentum momentum;
    MatrixEquation e;
} MatrixNewton;

MatrixReport scr_matrix_newton_with(MatrixNewton *work, const MatrixProblem *problem,
                                    const MatrixSettings *settings, double *r);

void scr_matrix_newton_free(MatrixNewton *work);

#endif
