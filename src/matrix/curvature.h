/* Whether W is what it must be: without directions in which impulses would gain energy. */
#ifndef SCREE_MATRIX_CURVATURE_H
#define SCREE_MATRIX_CURVATURE_H

#include "matrix/problem.h"

/* Looks for an x [rows] with x.(W + C) x < 0, beyond what printed digits do to a singular matrix: a
 * negative diagonal entry, else the lowest direction after a few steps of Lanczos' method on the
 * matrix with its diagonals made one. `x` gets it, `found` whether there is one; what is found is
 * certain, what is not found may still be there. False when out of memory. */
bool scr_matrix_find_negative(const MatrixProblem *problem, double *x, bool *found);

#endif
