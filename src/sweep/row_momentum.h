/* Momentum of the rows (momentum.h): each row is extrapolated when the sweep comes to it, so that
 * its impulses pass through memory only once. Between sweeps the rows hold what the last one left,
 * and only the bodies are ahead. */
#ifndef SCREE_SWEEP_ROW_MOMENTUM_H
#define SCREE_SWEEP_ROW_MOMENTUM_H

#include "problem/problem.h"

typedef struct RowMomentum {
    double beta;
    double creep;   /* speed below which contacts creep (law/creep.h); 0: the law is exact */
    double *before; /* [4 rows] impulses after the previous sweep, laid out as in the rows */
    double *torque; /* [4 rows] torques likewise; NULL without law rows */
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

/* The same for the torque of a law row that is stored as a record; `l` may be NULL. The square is
 * divided by that of the reduced radius, as in the change of a sweep. */
static inline void momentum_lift_torque(const RowMomentum *m, size_t row, LawRow *l) {
    if (l != NULL && l->torques) {
        momentum_lift(m->beta, m->torque + 4 * row, &l->torque.roll.x, 4);
    }
}
static inline double momentum_torque_square(const RowMomentum *m, size_t row, const LawRow *l) {
    if (l == NULL || !l->torques) {
        return 0;
    }
    const double *before = m->torque + 4 * row;
    Vec3 d = sub(l->torque.roll, vec3(before[0], before[1], before[2]));
    double twist = l->torque.twist - before[3];
    return (dot(d, d) + twist * twist) * l->per_square;
}

static inline double momentum_total(const double square[MOMENTUM_LANES]) {
    double sum = 0;
    for (int k = 0; k < MOMENTUM_LANES; k++) {
        sum += square[k];
    }
    return sum;
}

#endif
