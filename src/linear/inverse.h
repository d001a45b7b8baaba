/* The inverse of a square sparse matrix that falls into unconnected parts, as a mass matrix does
 * into bodies. A small part has a dense factor with pivots, and need not be symmetric. With a large
 * one (a body of finite elements) the symmetric half of the whole matrix is factored, and the
 * unsymmetric rest, which must be small, is removed by refinement. */
#ifndef SCREE_LINEAR_INVERSE_H
#define SCREE_LINEAR_INVERSE_H

#include "base/status.h"
#include "linear/factor.h"

/* Zero-initialise it. */
typedef struct Inverse {
    const Sparse *matrix; /* must stay */
    int32_t parts;
    int32_t *part_of; /* [n] */
    int32_t *start;   /* [parts + 1] into member */
    int32_t *member;  /* [n] by part, rising */
    int32_t *place;   /* [n] within its part */
    int32_t *pivot;   /* [n] by part */
    int32_t *solved;  /* [parts] in which turn it was solved last */
    int32_t turn;
    size_t *first;  /* [parts] of its factor */
    double *factor; /* by part, row by row: P A = L U */
    bool large;     /* `whole` is used instead */
    Factor whole;
    Sparse symmetric;
    double *work; /* [3 n] */
    Block integer_block, first_block, factor_block, work_block;
} Inverse;

Fault scr_inverse_make(Inverse *inverse, const Sparse *matrix);

/* y = A^-1 x for the x of `count` entries. y [n] must be zero; the rows of y that can differ from
 * zero after it are listed in `touched` [n], and their number is returned. Negative: the refinement
 * did not converge, or memory has run out. */
int32_t scr_inverse_column(Inverse *inverse, const int32_t *row, const double *value, int32_t count,
                           double *y, int32_t *touched);

/* y = A^-1 x, all of it. */
bool scr_inverse_apply(Inverse *inverse, const double *x, double *y);

void scr_inverse_free(Inverse *inverse);

#endif
