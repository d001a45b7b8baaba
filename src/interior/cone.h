/* Second-order cones of the interior-point method: Nesterov-Todd scaling and Jordan algebra.
 *
 * A contact has r in K and s in K*. A cone of it takes the normal and one tangential group g
 * (friction; in blocks of 5 also rolling):
 *     x = (mu r_n, r_g),  z = (z_0, s_g),  both in Q = {|x_1| <= x_0},
 *     s_n = sum over cones mu z_0,
 * so that r . s is the sum of x . z. A contact without friction has the half line x = r_n, z = s_n,
 * here a cone of size 1 with mu = 1.
 *
 * The scaling T is the symmetric matrix with T x = T^-1 z = lambda. With w the unit hyperbolic
 * vector of Nesterov and Todd, T^2 = eta^2 (2 w w^T - J). Its eigenvalues are eta^2 beta^2 and
 * eta^2 / beta^2, beta = w_0 + |w_1|, along (1, +-dir) / sqrt(2), and eta^2 across. Everything
 * below is written in terms of these: near the boundary the sum 2 w w^T - J would lose the small
 * one. */
#ifndef SCREE_INTERIOR_CONE_H
#define SCREE_INTERIOR_CONE_H

#include "math/elementary.h"

#include <math.h>
#include <stddef.h>

enum { CONE_MOST = 3 }; /* at most, of a cone */

typedef struct Cone {
    int size;     /* 1: half line; else 1 + size of the group */
    int at;       /* index of the group in the contact's block */
    size_t first; /* row of the contact's normal */
    double mu;
    double lead; /* z_0 */
    double eta, beta, dir[2];
    double lambda[CONE_MOST];
    double step[CONE_MOST]; /* d of T dx + T^-1 dz = d */
    double dlead;
    double along, across, lean; /* see system.c */
} Cone;

/* x and z of cone c of a contact, from r or dr and from s or ds with its lead. */
static inline void cone_x(const Cone *c, const double *r, double *x) {
    x[0] = c->mu * r[0];
    for (int k = 1; k < CONE_MOST; k++) {
        x[k] = k < c->size ? r[c->at + k - 1] : 0;
    }
}

static inline void cone_z(const Cone *c, const double *s, double lead, double *z) {
    z[0] = lead;
    for (int k = 1; k < CONE_MOST; k++) {
        z[k] = k < c->size ? s[c->at + k - 1] : 0;
    }
}

static inline double cone_length(const double *x, int size) {
    return size == 3 ? sqrt(x[1] * x[1] + x[2] * x[2]) : size == 2 ? fabs(x[1]) : 0;
}

/* x_0^2 - |x_1|^2, without cancellation between the squares. */
static inline double cone_det(const double *x, int size) {
    double l = cone_length(x, size);
    return (x[0] - l) * (x[0] + l);
}

/* out = T^power x, power -2, -1, 1 or 2, given by the factors eta^power and beta^power. */
static inline void cone_scale(const Cone *c, double eta, double beta, const double *x,
                              double *out) {
    if (c->size == 1) {
        out[0] = eta * x[0];
        return;
    }
    double along = c->dir[0] * x[1] + (c->size == 3 ? c->dir[1] * x[2] : 0);
    double plus = (x[0] + along) * beta, minus = (x[0] - along) / beta;
    double more = 0.5 * (plus - minus) - along;
    out[0] = eta * 0.5 * (plus + minus);
    out[1] = eta * (x[1] + more * c->dir[0]);
    if (c->size == 3) {
        out[2] = eta * (x[2] + more * c->dir[1]);
    }
}

static inline void cone_times(const Cone *c, const double *x, double *out) {
    cone_scale(c, c->eta, c->beta, x, out);
}

static inline void cone_over(const Cone *c, const double *z, double *out) {
    cone_scale(c, 1 / c->eta, 1 / c->beta, z, out);
}

/* Sets the scaling for a pair of interior points. */
static inline void cone_set(Cone *c, const double *x, const double *z) {
    c->beta = 1;
    c->dir[0] = c->dir[1] = 0;
    if (c->size == 1) {
        c->eta = sqrt(z[0] / x[0]);
        c->lambda[0] = sqrt(x[0] * z[0]);
        return;
    }
    double dx = sqrt(cone_det(x, c->size)), dz = sqrt(cone_det(z, c->size));
    double w[CONE_MOST], dot = x[0] / dx * (z[0] / dz);
    for (int k = 1; k < c->size; k++) {
        dot += x[k] / dx * (z[k] / dz);
        w[k] = z[k] / dz - x[k] / dx;
    }
    double half = 1 / sqrt(2 * (1 + scr_max(dot, 1))); /* 1 / (2 gamma) */
    w[0] = half * (z[0] / dz + x[0] / dx);
    double length = half * cone_length(w, c->size);
    c->eta = sqrt(dz / dx);
    c->beta = sqrt(1 + length * length) + length;
    for (int k = 1; k < c->size; k++) {
        c->dir[k - 1] = length > 0 ? half * w[k] / length : k == 1;
    }
    cone_times(c, x, c->lambda);
}

/* a o b = (a . b, a_0 b_1 + b_0 a_1). */
static inline void cone_product(const double *a, const double *b, int size, double *out) {
    double dot = a[0] * b[0];
    for (int k = 1; k < size; k++) {
        dot += a[k] * b[k];
        out[k] = a[0] * b[k] + b[0] * a[k];
    }
    out[0] = dot;
}

/* Solves a o out = b. */
static inline void cone_divide(const double *a, const double *b, int size, double *out) {
    double dot = a[0] * b[0];
    for (int k = 1; k < size; k++) {
        dot -= a[k] * b[k];
    }
    double first = size == 1 ? b[0] / a[0] : dot / cone_det(a, size);
    for (int k = 1; k < size; k++) {
        out[k] = (b[k] - first * a[k]) / a[0];
    }
    out[0] = first;
}

/* The largest alpha for which x + alpha d lies in the cone; INFINITY when there is no bound. The
 * discriminant of det(x + alpha d) = 0 is not negative in exact arithmetic. */
static inline double cone_reach(const double *x, const double *d, int size) {
    if (size == 1) {
        return d[0] < 0 ? -x[0] / d[0] : INFINITY;
    }
    double a = cone_det(d, size), c = cone_det(x, size), b = x[0] * d[0];
    for (int k = 1; k < size; k++) {
        b -= x[k] * d[k];
    }
    double root = sqrt(scr_max(b * b - a * c, 0));
    if (b < 0) {
        return c / (root - b);
    }
    return a < 0 ? (root + b) / -a : INFINITY;
}

#endif
