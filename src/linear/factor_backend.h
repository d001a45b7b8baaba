/* What a factorisation must provide to serve behind factor.h. The matrices are lower triangles with
 * ascending rows and the diagonal stored in every column. */
#ifndef SCREE_LINEAR_FACTOR_BACKEND_H
#define SCREE_LINEAR_FACTOR_BACKEND_H

#include "linear/sparse.h"

typedef enum FactorStatus {
    FACTOR_DONE,
    FACTOR_NO_MEMORY,
    FACTOR_INDEFINITE, /* even with the largest shift, or a number is not finite */
} FactorStatus;

typedef struct FactorBackend FactorBackend;

extern const char scr_backend_name[];

/* Makes ordering and symbolic factor, reusing what an earlier pattern left in *backend (NULL at
 * first). Sets entries and flops. */
FactorStatus scr_backend_analyse(FactorBackend **backend, const Sparse *lower, double *entries,
                                 double *flops);

/* Returns FACTOR_INDEFINITE at the first pivot that is not positive. */
FactorStatus scr_backend_numeric(FactorBackend *backend, const Sparse *lower);

bool scr_backend_solve(FactorBackend *backend, const double *b, double *x);

void scr_backend_free(FactorBackend *backend);

#endif
