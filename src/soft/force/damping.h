/* How a dashpot follows from the coefficient of restitution, and how long a collision lasts.
 *
 * The linear spring and dashpot N = k d + c d' (RSDW 12), d the overlap, would pull before the
 * bodies part; here N is cut at zero, as grains do not stick. With w = sqrt(k / m*) and the damping
 * ratio z = c / (2 m* w), a head-on collision at speed v has d = v / (w s) exp(-z w t) sin(w s t),
 * s = sqrt(1 - z^2). It ends when N = -m* d'' = 0, at w s t = pi - 2 asin z, and there d' = -v
 * exp(-z w t): so
 *
 *     w t = phase(z) = 2 acos(z) / sqrt(1 - z^2),      e = exp(-z phase(z)),
 *
 * continued by acosh(z) / sqrt(z^2 - 1) past critical damping, where phase = 2 and e = exp(-2).
 *
 * Hertz with N = K d^(3/2) + c d^(1/4) d' is the same oscillator in disguise. With y = d^(5/4) and
 * the time T that runs as dT = d^(1/4) dt one has d' = 4/5 dy/dT, and the equation of motion
 * becomes
 *
 *     d2y/dT2 + (c / m*) dy/dT + 5 K / (4 m*) y = 0,
 *
 * linear, with N = 0 where d2y/dT2 = 0. So e depends on z = c / (2 m* w), w^2 = 5 K / (4 m*), in
 * the same way, and not on the speed. */
#ifndef SCREE_SOFT_FORCE_DAMPING_H
#define SCREE_SOFT_FORCE_DAMPING_H

#include "math/elementary.h"

#include <math.h>

/* Duration of a collision in units of sqrt(m* / k), for the damping ratio z >= 0. */
static inline double scr_collision_phase(double z) {
    double x = 1 - z;
    if (fabs(x) < 1e-3) { /* both forms are 0 / 0 at 1 */
        return 2 + x * (2.0 / 3 + x * (4.0 / 15 + x * (4.0 / 35)));
    }
    return z < 1 ? 2 * scr_acos(z) / sqrt(x * (1 + z)) : 2 * scr_acosh(z) / sqrt(z * z - 1);
}

static inline double scr_restitution_of(double z) {
    return scr_exp(-z * scr_collision_phase(z));
}

/* The damping ratio for a restitution. Less than exp(-2) = 0.135 needs more than critical damping,
 * and zero an infinite one, for which no time step is short enough: then critical damping is used.
 * A smaller rebound is possible with a given dashpot. */
static inline double scr_damping_ratio(double restitution) {
    if (restitution >= 1) {
        return 0;
    }
    double low = 0, high = 1;
    for (int i = 0; i < 60 && restitution > scr_restitution_of(1); i++) {
        double middle = 0.5 * (low + high);
        *(scr_restitution_of(middle) > restitution ? &low : &high) = middle;
    }
    return high;
}

#endif
