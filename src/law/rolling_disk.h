/* Coulomb's law with a bound that is a known number, for one impulse z of one or two components:
 *
 *     |z| <= bound,    v = 0 where |z| < bound,    v opposite to z where |z| = bound,
 *
 * with v = q + w z. Equivalently, z minimises w |z|^2 / 2 + q.z over the disk |z| <= bound.
 * Sliding, rolling and torsion friction (BUW 1.40) are all of this kind once the normal impulse is
 * known.
 *
 * If w = 0, v = q cannot be changed: the impulse is the whole bound against it, or 0 if q is 0, as
 * in coulomb.h. If the bound is infinite as well, no finite impulse obeys the law, and we return 0.
 *
 * A bound is a number >= 0 or infinity. For finite q and w the results are finite. law_bounded1 and
 * law_bounded2 return whether the contact slides, which means that the bound is too low to stop
 * it. */
#ifndef SCREE_LAW_ROLLING_DISK_H
#define SCREE_LAW_ROLLING_DISK_H

#include <math.h>
#include <stdbool.h>

#include "law/coulomb.h"

#define LAW_LARGEST 0x1.fffffffffffffp1023

/* z, limited to -bound .. bound, and to finite numbers if the bound is infinite. */
LAW_INLINE double law_clamp(double z, double bound) {
    double most = law_min(bound, LAW_LARGEST);
    return law_max(law_min(z, most), -most);
}

/* Whether |z| <= bound. Needs no root unless the squares leave the range of double. */
LAW_INLINE bool law_within(double z1, double z2, double bound) {
    double square = z1 * z1 + z2 * z2;
    if (square > 1e-280 && square < 1e280) {
        return square <= bound * bound;
    }
    return law_norm2(z1, z2) <= bound;
}

/* Solves the law for one component. */
LAW_INLINE bool law_bounded1(double w, double q, double bound, double *z) {
    if (w > 0.0) {
        double stop = -q / w;
        *z = law_clamp(stop, bound);
        return fabs(stop) > bound;
    }
    bool slides = q != 0.0 && bound <= LAW_LARGEST;
    *z = slides ? copysign(bound, -q) : 0.0;
    return slides;
}

/* Solves the law for two components. */
LAW_INLINE bool law_bounded2(double w, const double q[2], double bound, double z[2]) {
    bool ordinary = w > 1e-290;
    bool moves = q[0] != 0.0 || q[1] != 0.0;
    bool slides = w > 0.0 ? !law_within(q[0], q[1], w * bound) : moves && bound <= LAW_LARGEST;
    if (slides) {
        double speed = law_norm2(q[0], q[1]);
        double mass = bound / speed;
        ordinary = ordinary && (mass > 1e-290 || bound == 0.0);
        z[0] = ordinary ? -mass * q[0] : -(q[0] / speed) * bound;
        z[1] = ordinary ? -mass * q[1] : -(q[1] / speed) * bound;
        return true;
    }
    double mass = ordinary ? 1.0 / w : 0.0;
    bool stops = w > 0.0 && !ordinary;
    z[0] = law_clamp(stops ? -q[0] / w : -mass * q[0], LAW_LARGEST);
    z[1] = law_clamp(stops ? -q[1] / w : -mass * q[1], LAW_LARGEST);
    return false;
}

/* The torque T_n of torsion friction between round bodies, where the relative spin about the
 * normal, o_n = q + c T_n, depends on nothing else. */
LAW_INLINE double law_torsion(double c, double q, double bound) {
    double z;
    law_bounded1(c, q, bound, &z);
    return z;
}

#endif
