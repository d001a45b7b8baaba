/* What a way to factor must provide to serve behind factor.h. The matrices are lower triangles with
 * ascending rows and the diagonal stored in every column. */
#ifndef SCREE_LINEAR_FACTOR_BACKEND_H
#define SCREE_LINEAR_FACTOR_BACKEND_H

#include "linear/sparse.h"

typedef enum FactorStatus {
    FACTOR_DONE,
    FACTOR_NO_MEMORY,
    FACTOR_INDEFINITE, /* even with the largest shift, or a number is not finite */
} FactorStatus;

/* What a way to factor keeps; each has its own. */
typedef struct FactorBackend FactorBackend;

typedef struct FactorMethod {
    /* Makes ordering and symbolic factor, reusing what an earlier pattern left in *backend (NULL at
     * first). Sets entries and flops. */
    FactorStatus (*analyse)(FactorBackend **backend, const Sparse *lower, double *entries,
                            double *flops);
    /* Returns FACTOR_INDEFINITE at the first pivot that is not positive. */
    FactorStatus (*numeric)(FactorBackend *backend, const Sparse *lower);
    bool (*solve)(FactorBackend *backend, const double *b, double *x);
    void (*free)(FactorBackend *backend);
} FactorMethod;

extern const FactorMethod scr_factor_own;
extern const FactorMethod scr_factor_cholmod; /* in builds with SCREE_CHOLMOD */

#endif
