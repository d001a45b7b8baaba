/* Momentum of the rows (momentum.h): each row is extrapolated when the sweep comes to it, so that
 * its impulses pass through memory only once. Between sweeps the rows hold what the last one left,
 * and only the bodies are ahead. */
#ifndef SCREE_SWEEP_ROW_MOMENTUM_H
#define SCREE_SWEEP_ROW_MOMENTUM_H

#include "math/vec.h"

typedef struct RowMomentum {
    double beta;
    double creep;   /* speed below which contacts creep (law/creep.h); 0: the law is exact */
    double *before; /* [4 rows] impulses after the previous sweep, laid out as in the rows */
    Vec3 *torque;   /* [rows] likewise; NULL without law rows */
} RowMomentum;

/* Sums of squares are taken in this many lanes, so that they can be computed together. */
enum { MOMENTUM_LANES = 8 };

/* x -> x + beta (x - before), before = x. */
static inline void momentum_lift(double beta, double *restrict before, double *restrict x,
                                 int count) {
    for (int k = 0; k < count; k++) {
        double now = x[k];
        x[k] = now + beta * (now - before[k]);
        before[k] = now;
    }
}

/* After the update: adds |x - before|^2 of at most MOMENTUM_LANES numbers. */
static inline void momentum_measure(const double *restrict before, const double *restrict x,
                                    int count, double square[restrict MOMENTUM_LANES]) {
    for (int k = 0; k < count; k++) {
        double d = x[k] - before[k];
        square[k] += d * d;
    }
}

static inline double momentum_total(const double square[MOMENTUM_LANES]) {
    double sum = 0;
    for (int k = 0; k < MOMENTUM_LANES; k++) {
        sum += square[k];
    }
    return sum;
}

#endif
