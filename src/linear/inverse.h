/* The inverse of a square sparse matrix that falls into unconnected parts, as a mass matrix does
 * into bodies. A small part has a dense factor with pivoting, and need not be symmetric. If there
 * is a large one (a body of finite elements), the symmetric part of the whole matrix is factored
 * instead, and the unsymmetric rest, which must be small, is taken care of by refinement. */
#ifndef SCREE_LINEAR_INVERSE_H
#define SCREE_LINEAR_INVERSE_H

#include "base/status.h"
#include "linear/factor.h"

/* Zero-initialise it. */
typedef struct Inverse {
    const Sparse *matrix; /* must outlive this */
    int32_t parts;
    int32_t *part_of; /* [n] */
    int32_t *start;   /* [parts + 1] into member */
    int32_t *member;  /* [n] by part, ascending */
    int32_t *index;   /* [n] within its part */
    int32_t *pivot;   /* [n] by part */
    int32_t *solved;  /* [parts] the solve in which it was last dealt with */
    int32_t turn;
    size_t *first;  /* [parts] where its factor begins */
    double *factor; /* by part, row by row: P A = L U */
    bool large;     /* `whole` is used instead */
    Factor whole;
    Sparse symmetric;
    double *work; /* [3 n] */
    Block integer_block, first_block, factor_block, work_block;
} Inverse;

Fault scr_inverse_make(Inverse *inverse, const Sparse *matrix);

/* y = A^-1 x for an x with `count` entries. y [n] must be zero on entry; the rows in which it may
 * differ from zero afterwards are listed in `touched` [n], and their number is returned. Negative
 * when the refinement did not converge, or when out of memory. */
int32_t scr_inverse_column(Inverse *inverse, const int32_t *row, const double *value, int32_t count,
                           double *y, int32_t *touched);

/* y = A^-1 x for a full vector. False where the other returns a negative number. */
bool scr_inverse_apply(Inverse *inverse, const double *x, double *y);

void scr_inverse_free(Inverse *inverse);

#endif
