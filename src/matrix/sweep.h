/* Gauss-Seidel over the contacts of a problem in matrices, plain and accelerated. */
#ifndef SCREE_MATRIX_SWEEP_H
#define SCREE_MATRIX_SWEEP_H

#include "matrix/solver.h"

/* One contact after another, each solved exactly with the others as they are. */
MatrixReport scr_matrix_gauss_seidel(const MatrixProblem *problem, const MatrixSettings *settings,
                                     double *r);

/* The same; between sweeps the impulses are carried on along their last change, as in Nesterov's
 * method, and when that leads astray, it begins anew. */
MatrixReport scr_matrix_accelerated(const MatrixProblem *problem, const MatrixSettings *settings,
                                    double *r);

#endif
