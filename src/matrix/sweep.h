/* Gauss-Seidel over the contacts of a problem in matrices, plain and accelerated. */
#ifndef SCREE_MATRIX_SWEEP_H
#define SCREE_MATRIX_SWEEP_H

#include "matrix/solver.h"

/* One contact after another, each solved exactly with the others as they are. */
MatrixReport scr_matrix_gauss_seidel(const MatrixProblem *problem, const MatrixSettings *settings,
                                     double *r);

/* The same, but between sweeps the impulses are extrapolated along their last change, as in
 * Nesterov's method; when that leads astray, it starts over. */
MatrixReport scr_matrix_accelerated(const MatrixProblem *problem, const MatrixSettings *settings,
                                    double *r);

#endif
