/* Coulomb's law of one contact as an equation, smoothed, with its derivatives.
 *
 * Alart and Curnier's form: impulse r and velocity u obey the law when, with a = r_n - rho u_n and
 * t = r_t - rho u_t for some rho > 0,
 *     r_n = max(0, a),     r_t = t min(1, R / |t|),     R = mu max(0, a).
 * There are two maxima in it. Each is replaced by the smooth
 *     p(a) = (a + sqrt(a^2 + 4 e^2)) / 2,      p = max(0, a) for e = 0,
 * that is r_n u_n = e^2 / rho for the normal part, and min(1, R / |t|) = R / (R + p(|t| - R)). A
 * rolling torque is a second tangential part with its own coefficient. */
#ifndef SCREE_MATRIX_CONTACT_EQUATION_H
#define SCREE_MATRIX_CONTACT_EQUATION_H

#include "law/slip.h"
#include "matrix/problem.h"

typedef struct ContactEquation {
    int block;
    double mu, rolling;
    double rho;
    double smooth; /* e */
} ContactEquation;

/* p and its derivative. For negative a the plain sum would suffer from cancellation. */
static inline double scr_smooth_positive(double a, double e, double *slope) {
    if (e == 0) {
        *slope = a > 0;
        return law_max(a, 0);
    }
    double root = sqrt(a * a + 4 * e * e);
    *slope = 0.5 * (1 + a / root);
    return a > 0 ? 0.5 * (a + root) : 2 * e * e / (root - a);
}

/* What the value and the derivatives of the tangential part at component `first` have in common. */
typedef struct ContactDisk {
    int first, count;
    double t[2], length;
    double shrink;              /* R / (R + p(|t| - R)) */
    double by_bound, by_length; /* its derivatives */
} ContactDisk;

static inline ContactDisk scr_contact_disk(const ContactEquation *q, int first, double mu,
                                           double normal, const double *r, const double *u) {
    ContactDisk k = {.first = first, .count = q->block == 2 ? 1 : 2};
    double bound = mu * normal, slope;
    for (int i = 0; i < k.count; i++) {
        k.t[i] = r[first + i] - q->rho * u[first + i];
    }
    k.length = k.count == 1 ? fabs(k.t[0]) : law_norm2(k.t[0], k.t[1]);
    double beyond = scr_smooth_positive(k.length - bound, mu * q->smooth, &slope);
    double sum = bound + beyond;
    if (!(sum > 0)) { /* neither pressed together nor slipping: the part is zero */
        return k;
    }
    k.shrink = bound / sum;
    k.by_bound = (beyond + bound * slope) / (sum * sum);
    k.by_length = -bound * slope / (sum * sum);
    return k;
}

static inline int scr_contact_disks(const ContactEquation *q, double normal, const double *r,
                                    const double *u, ContactDisk disk[2]) {
    disk[0] = scr_contact_disk(q, 1, q->mu, normal, r, u);
    if (q->block < 5) {
        return 1;
    }
    disk[1] = scr_contact_disk(q, 3, q->rolling, normal, r, u);
    return 2;
}

/* f [block]: r minus the right-hand sides above. */
static inline void scr_contact_value(const ContactEquation *q, const double *r, const double *u,
                                     double *f) {
    ContactDisk disk[2];
    double slope, normal = scr_smooth_positive(r[0] - q->rho * u[0], q->smooth, &slope);
    int disks = scr_contact_disks(q, normal, r, u, disk);
    f[0] = r[0] - normal;
    for (int k = 0; k < disks; k++) {
        for (int i = 0; i < disk[k].count; i++) {
            f[disk[k].first + i] = r[disk[k].first + i] - disk[k].shrink * disk[k].t[i];
        }
    }
}

/* g [block * block], row by row: derivatives of the right-hand sides with respect to r - rho u. So
 * df/dr = 1 - g and df/du = rho g. */
static inline void scr_contact_slope(const ContactEquation *q, const double *r, const double *u,
                                     double *g) {
    ContactDisk disk[2];
    int n = q->block;
    double slope, normal = scr_smooth_positive(r[0] - q->rho * u[0], q->smooth, &slope);
    int disks = scr_contact_disks(q, normal, r, u, disk);
    for (int i = 0; i < n * n; i++) {
        g[i] = 0;
    }
    g[0] = slope;
    for (int k = 0; k < disks; k++) {
        const ContactDisk *d = &disk[k];
        double mu = k == 0 ? q->mu : q->rolling;
        double turn = d->length > 0 ? d->by_length / d->length : 0;
        for (int i = 0; i < d->count; i++) {
            double *row = g + (d->first + i) * n;
            row[0] = d->by_bound * mu * slope * d->t[i];
            for (int j = 0; j < d->count; j++) {
                row[d->first + j] = turn * d->t[i] * d->t[j] + (i == j ? d->shrink : 0);
            }
        }
    }
}

#endif
