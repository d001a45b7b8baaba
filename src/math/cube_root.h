/* The cube root of scr_cbrt (elementary.h), for other devices as well. */
#ifndef SCREE_MATH_CUBE_ROOT_H
#define SCREE_MATH_CUBE_ROOT_H

#include "math/twofold.h"

/* x = m 2^(3 k) with 1/2 <= m < 4. A cubic polynomial is within 2 % of the root of m; a step of
 * Halley's method, t (t^3 + 2 m) / (2 t^3 + m), cubes the error, to 4e-6; then with d = m / t^3 - 1
 * the root is
 *
 *     t (1 + d)^(1/3) = t + t d (1/3 - d/9 + 5 d^2/81 - 10 d^3/243 + ...),
 *
 * where only m - t^3 needs twice the precision. */
MATH_INLINE double cube_root(double x) {
    if (!(fabs(x) > 0 && fabs(x) < INFINITY)) {
        return x;
    }
    int exponent;
    double m = frexp(fabs(x), &exponent);
    int left = ((exponent % 3) + 3) % 3;
    m = ldexp(m, left);
    double t = 0.57007 + m * (0.52628 - m * (0.11225 - m * 0.011201));
    double cube = t * t * t;
    t = t * (cube + 2 * m) / (2 * cube + m);
    Twofold exact = twofold_multiply(twofold_product(t, t), (Twofold){t, 0});
    double d = ((m - exact.high) - exact.low) / exact.high;
    t += t * d * (1.0 / 3 - d * (1.0 / 9 - d * (5.0 / 81 - d * (10.0 / 243))));
    return copysign(ldexp(t, (exponent - left) / 3), x);
}

#endif
