/* The small least-squares problem of GMRES, by Givens rotations. Column j holds the products of the
 * new vector with those before it, and its length; right[0] holds the length of the first error. */
#ifndef SCREE_INTERIOR_KRYLOV_H
#define SCREE_INTERIOR_KRYLOV_H

#include "math/elementary.h"

#include <math.h>

enum { KRYLOV_MOST = 64 };

typedef struct Krylov {
    double column[KRYLOV_MOST][KRYLOV_MOST + 1];
    double cosine[KRYLOV_MOST], sine[KRYLOV_MOST], right[KRYLOV_MOST + 1];
} Krylov;

/* Takes column j, rotates it, and returns the error that is left. */
static inline double scr_krylov_column(Krylov *h, int j) {
    double *column = h->column[j];
    for (int k = 0; k < j; k++) {
        double upper = h->cosine[k] * column[k] + h->sine[k] * column[k + 1];
        column[k + 1] = h->cosine[k] * column[k + 1] - h->sine[k] * column[k];
        column[k] = upper;
    }
    double length = scr_hypot(column[j], column[j + 1]);
    h->cosine[j] = length > 0 ? column[j] / length : 1;
    h->sine[j] = length > 0 ? column[j + 1] / length : 0;
    column[j] = length;
    h->right[j + 1] = -h->sine[j] * h->right[j];
    h->right[j] *= h->cosine[j];
    return fabs(h->right[j + 1]);
}

/* Turns `right` into the coefficients of the basis vectors. */
static inline void scr_krylov_solve(Krylov *h, int count) {
    for (int k = count - 1; k >= 0; k--) {
        for (int j = k + 1; j < count; j++) {
            h->right[k] -= h->column[j][k] * h->right[j];
        }
        h->right[k] = h->column[k][k] != 0 ? h->right[k] / h->column[k][k] : 0;
    }
}

#endif
