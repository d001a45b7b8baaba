/* Random problems of sliding and rolling friction between round bodies, and how far a candidate is
 * from the law, in extended precision. */
#ifndef SCREE_TESTS_LAW_ROLLING_PROBLEM_H
#define SCREE_TESTS_LAW_ROLLING_PROBLEM_H

#include "law/brute.h"

#include "law/rolling.h"

#include <stdio.h>

typedef struct Rolling {
    double a, k, c;
    double qx[2], qy[2];
    double X, Y;
} Rolling;

static inline int solve(const Rolling *p, double x[2], double y[2]) {
    return law_rolling_space(p->a, p->k, p->c, p->qx, p->qy, p->X, p->Y, x, y);
}

static inline void print_rolling(const Rolling *p) {
    fprintf(stderr, "    a = %.17g, k = %.17g, c = %.17g, X = %.17g, Y = %.17g\n", p->a, p->k, p->c,
            p->X, p->Y);
    fprintf(stderr, "    qx = {%.17g, %.17g}, qy = {%.17g, %.17g}\n", p->qx[0], p->qx[1], p->qy[0],
            p->qy[1]);
}

/* How far one impulse is from its law, relative to `size`, that of the terms that cancel in the
 * velocity. */
static inline double disk_law_error(const double z[2], double bound, const long double v[2],
                                    double size) {
    double length = hypot(z[0], z[1]);
    double speed = (double)hypotl(v[0], v[1]);
    if (!(length <= bound * (1.0 + 4.5e-16)) || !(speed <= 1e300)) {
        return 1.0;
    }
    if (length < bound * (1.0 - 1e-15) || length == 0.0) {
        return speed > 0.0 && bound > 0.0 ? speed / size : 0.0;
    }
    double side = (double)(v[0] * z[1] - v[1] * z[0]) / length;
    double along = (double)(v[0] * z[0] + v[1] * z[1]) / length;
    return fmax(fabs(side), along) / (size > 0.0 ? size : 1.0);
}

static inline double rolling_error(const Rolling *p, const double x[2], const double y[2]) {
    long double u[2];
    long double o[2];
    for (int i = 0; i < 2; i++) {
        u[i] = (long double)p->qx[i] + (long double)p->a * x[i] + (long double)p->k * y[i];
        o[i] = (long double)p->qy[i] + (long double)p->k * x[i] + (long double)p->c * y[i];
    }
    double force = hypot(x[0], x[1]);
    double torque = hypot(y[0], y[1]);
    double size_u = hypot(p->qx[0], p->qx[1]) + p->a * force + fabs(p->k) * torque;
    double size_o = hypot(p->qy[0], p->qy[1]) + fabs(p->k) * force + p->c * torque;
    return fmax(disk_law_error(x, p->X, u, size_u), disk_law_error(y, p->Y, o, size_o));
}

static inline double decades(Random *random, double range) {
    return pow(10.0, random_between(random, -range, range));
}

/* A problem with the coupling k / sqrt(a c); all ratios spread over some decades, and many problems
 * lie close to a border between cases. */
static inline Rolling random_rolling(Random *random, double coupling, double masses,
                                     double spread) {
    Rolling p;
    p.a = decades(random, masses);
    p.c = decades(random, masses);
    p.k = coupling * sqrt(p.a * p.c);
    double angle = random_between(random, 0.0, 6.283185307179586);
    double kind = random_unit(random);
    double turn = kind < 0.4 ? random_between(random, 0.0, 6.283185307179586)
                             : pow(10.0, random_between(random, -18.0, 0.0)) +
                                   (kind < 0.7 ? 0.0 : 3.141592653589793);
    turn = kind > 0.95 ? 0.0 : turn;
    double speed = decades(random, spread) * sqrt(p.a);
    double spin = decades(random, spread) * sqrt(p.c);
    p.qx[0] = speed * cos(angle);
    p.qx[1] = speed * sin(angle);
    p.qy[0] = spin * cos(angle + turn);
    p.qy[1] = spin * sin(angle + turn);
    double near = random_unit(random) < 0.5 ? 0.0 : pow(10.0, random_between(random, -17.0, -1.0));
    if (random_unit(random) < 0.2) { /* one impulse alone could stop it, or almost */
        p.qy[0] = p.k / p.a * p.qx[0] * (1.0 + near);
        p.qy[1] = p.k / p.a * p.qx[1];
    }
    p.X = decades(random, spread) / sqrt(p.a);
    p.Y = decades(random, spread) / sqrt(p.c);
    double border = random_unit(random);
    if (border < 0.1) {
        p.X = fabs(p.k) * p.Y / p.a * (1.0 + near);
    } else if (border < 0.2 && speed > fabs(p.k) * p.Y) {
        p.X = (speed - fabs(p.k) * p.Y) / p.a * (1.0 - near);
    }
    return p;
}

static inline double random_coupling(Random *random) {
    double kind = random_unit(random);
    double sign = random_unit(random) < 0.5 ? -1.0 : 1.0;
    return sign * (kind < 0.5   ? random_unit(random)
                   : kind < 0.8 ? 1.0 - pow(10.0, random_between(random, -17.0, 0.0))
                   : kind < 0.9 ? 1.0
                                : 0.8451542547285166); /* a ball on a plane: sqrt(5/7) */
}

#endif
