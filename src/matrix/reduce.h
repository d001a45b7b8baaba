/* From the global to the local form of a contact problem, and back to velocities. */
#ifndef SCREE_MATRIX_REDUCE_H
#define SCREE_MATRIX_REDUCE_H

#include "linear/inverse.h"
#include "matrix/problem.h"

/* Adds W = H^T M^-1 H and q = H^T M^-1 f + w to a problem in global form, if it lacks them. */
Fault scr_matrix_reduce(MatrixProblem *problem);

/* Work space for one problem after another. Zero-initialise it. */
typedef struct MatrixReducer {
    Inverse inverse;
    Sparse by_row; /* H^T: row d of H is its column d */
    Block real_block, integer_block, known_block, push_block;
} MatrixReducer;

/* The same with work space that is reused: once it has grown, nothing is allocated. */
Fault scr_matrix_reduce_with(MatrixReducer *reducer, MatrixProblem *problem);

void scr_matrix_reducer_free(MatrixReducer *reducer);

/* v [n] of M v = H r + f. */
Fault scr_matrix_velocities(const MatrixProblem *problem, const double *r, double *v);

#endif
