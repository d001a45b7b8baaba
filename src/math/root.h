/* A root that knows no units. That of order n of x 2^(n k) should be 2^k times that of x, to the
 * last bit, so that the choice of units cannot change a run. sqrt and scr_cbrt do that; scr_pow
 * does not, so the exponent is taken out first, up to a remainder. */
#ifndef SCREE_MATH_ROOT_H
#define SCREE_MATH_ROOT_H

#include "math/elementary.h"

#include <math.h>

/* x^(2/5), for x >= 0. With x = rest 2^(5 k), 1/2 <= rest < 16, it is 4^k rest^(2/5). */
static inline double scr_two_fifths(double x) {
    int exponent = 0;
    double part = frexp(x, &exponent);
    int left = ((exponent % 5) + 5) % 5;
    return ldexp(scr_pow(ldexp(part, left), 0.4), 2 * ((exponent - left) / 5));
}

#endif
