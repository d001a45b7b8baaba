/* From the global to the local form of a contact problem, and back to velocities. */
#ifndef SCREE_PROBLEM_MATRIX_REDUCE_H
#define SCREE_PROBLEM_MATRIX_REDUCE_H

#include "problem/matrix_problem.h"

/* Adds W = H^T M^-1 H and q = H^T M^-1 f + w to a problem in global form; nothing when they are
 * there. NULL when it is done, else what was wrong. */
const char *scr_matrix_reduce(MatrixProblem *problem);

/* v [n] of M v = H r + f. NULL when it is done. */
const char *scr_matrix_velocities(const MatrixProblem *problem, const double *r, double *v);

#endif
