/* Sine and cosine of small angles, as the turn of a body in a step is: there Taylor's series need no twofold
 * numbers. What is rounded in them is no more than 1/500 of the result, and so is the error in units of
 * its last place that is added to the half of the last rounding. */
#ifndef SCREE_MATH_SMALL_ANGLES_H
#define SCREE_MATH_SMALL_ANGLES_H

#include <math.h>

#define SCR_SMALL_ANGLE 0x1p-4

static inline double scr_small_sine(double x) {
    double y = x * x;
    double rest = -1.0 / 5040 + y * (1.0 / 362880 - y * (1.0 / 39916800));
    return fabs(x) < 0x1p-27 ? x : x - x * y * (1.0 / 6 - y * (1.0 / 120 + y * rest));
}

static inline double scr_small_cosine(double x) {
    double y = x * x;
    double rest = -1.0 / 720 + y * (1.0 / 40320 - y * (1.0 / 3628800));
    return 1 - y * (0.5 - y * (1.0 / 24 + y * rest));
}

#endif
