/* The solvers of contact problems in matrices, by name. */
#ifndef SCREE_SOLVERS_SOLVERS_H
#define SCREE_SOLVERS_SOLVERS_H

#include "matrix/solver.h"

typedef struct MatrixMethod {
    const char *name;
    const char *about; /* a short description */
    MatrixSolve *solve;
} MatrixMethod;

/* Number `index` of the table, NULL past its end; "auto" is the first. */
const MatrixMethod *scr_matrix_method(size_t index);

/* NULL when there is none of that name. */
const MatrixMethod *scr_find_matrix_method(const char *name);

/* A status in words. */
const char *scr_matrix_status_text(MatrixStatus status);

/* Chooses by measured progress. Unless time or iterations are limited, it never ends up worse than
 * plain Gauss-Seidel. */
MatrixReport scr_matrix_auto(const MatrixProblem *problem, const MatrixSettings *settings,
                             double *r);

#endif
