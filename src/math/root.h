/* Roots that know no units. A root of order n of x 2^(n k) should be 2^k times that of x, to the
 * last bit, so that the choice of units cannot change a run. sqrt does that, being exact to
 * rounding; cbrt and pow do not, so the exponent is taken out first, up to a remainder. */
#ifndef SCREE_MATH_ROOT_H
#define SCREE_MATH_ROOT_H

#include <math.h>

/* x = *rest 2^(order k), with 1/2 <= *rest < 2^(order - 1). Returns k. */
static inline int scr_split_exponent(double x, int order, double *rest) {
    int exponent = 0;
    double part = frexp(x, &exponent);
    int left = ((exponent % order) + order) % order;
    *rest = ldexp(part, left);
    return (exponent - left) / order;
}

/* x^(1/3) */
static inline double scr_cube_root(double x) {
    double rest;
    int power = scr_split_exponent(x, 3, &rest);
    return ldexp(cbrt(rest), power);
}

/* x^(2/5), for x >= 0 */
static inline double scr_two_fifths(double x) {
    double rest;
    int power = scr_split_exponent(x, 5, &rest);
    return ldexp(pow(rest, 0.4), 2 * power);
}

#endif
