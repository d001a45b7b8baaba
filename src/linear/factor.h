/* Cholesky factors of symmetric positive (semi)definite sparse matrices, A = L L^T.
 *
 * The matrix is given by its lower triangle in compressed columns; entries above the diagonal are
 * allowed and ignored. Ordering and symbolic factor depend on the pattern alone and are reused as
 * long as it stays the same.
 *
 * A semidefinite matrix has pivots that are nothing but rounding. Therefore every factorisation is
 * that of A + shift diag(A), with the smallest of several shifts for which it succeeds; a column
 * without any entry (a freedom that nothing touches) gets the largest diagonal as its own. The
 * caller is told the shift, and removes its effect by refinement on its own equations.
 *
 * Matrices of fewer than SCR_LARGE_MATRIX columns are factored by our own code in any build, and
 * have the same bits on every machine. Larger ones are left to CHOLMOD where there is one: their
 * bits depend on its BLAS, but not on the number of threads. */
#ifndef SCREE_LINEAR_FACTOR_H
#define SCREE_LINEAR_FACTOR_H

#include "linear/factor_backend.h"

/* Up to there our own code is about as quick. */
#ifndef SCR_LARGE_MATRIX /* tests set it */
#define SCR_LARGE_MATRIX 3000
#endif

/* What factors large matrices: "cholmod" or "own". */
extern const char scr_factor_of_large[];

/* Zero-initialise it. */
typedef struct Factor {
    double shift;    /* relative, of the last factorisation; see above */
    int32_t empty;   /* columns without entries, in the last factorisation */
    int analyses;    /* how many patterns have been analysed */
    double entries;  /* of L */
    double flops;    /* of a numerical factorisation */
    Sparse lower;    /* what is factored: lower triangle with a full diagonal */
    int32_t *source; /* [entries of lower] index in the given matrix, or -1 */
    int32_t given_entries;
    int32_t *given_start, *given_row; /* the pattern that was analysed */
    Block source_block, given_start_block, given_row_block;
    const FactorMethod *method; /* by which the backend was made; NULL before */
    FactorBackend *backend;
} Factor;

/* The symbolic part. Returns at once when the pattern is that of the last call. */
FactorStatus scr_factor_analyse(Factor *factor, const Sparse *matrix);

/* The numerical part; analyses the pattern first if it is new. `shift` is the first shift to try;
 * 1e-13 suits matrices that may be singular, 0 those that are not. */
FactorStatus scr_factor_numeric(Factor *factor, const Sparse *matrix, double shift);

/* x = (A + shift diag)^-1 b; b and x may be the same array. False when out of memory. */
bool scr_factor_solve(Factor *factor, const double *b, double *x);

void scr_factor_free(Factor *factor);

#endif
