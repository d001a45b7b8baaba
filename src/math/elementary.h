/* Elementary functions that have the same bits on every machine. The C standard leaves their
 * accuracy open, and two C libraries differ in the last place; sqrt, fmod, floor, ldexp and the
 * four operations are exact or rounded exactly everywhere, so those of <math.h> are used.
 *
 * Each result is computed in twice the precision, by plain IEEE operations only, and rounded once:
 * it is the double next to the true value but for one argument in thousands, where it may be the
 * other neighbour. Two that steps often need, hypot and small sines and cosines, have errors of up
 * to 0.6 and 0.505 units in the last place. Odd and even functions are so exactly. tests/math
 * measures all of this. */
#ifndef SCREE_MATH_ELEMENTARY_H
#define SCREE_MATH_ELEMENTARY_H

#include <float.h>

/* 0: every operation is rounded to its own type; 16: numbers of half precision, too, on processors
 * that have them. */
#if defined(__FAST_MATH__) || (FLT_EVAL_METHOD != 0 && FLT_EVAL_METHOD != 16)
#error "doubles must be computed as IEEE 754 says: no -ffast-math, no x87"
#endif

double scr_sin(double x);
double scr_cos(double x);
double scr_asin(double x);
double scr_acos(double x);
double scr_atan(double x);
double scr_atan2(double y, double x);

double scr_exp(double x);
double scr_log(double x);
double scr_log1p(double x); /* log(1 + x) */
double scr_acosh(double x);
double scr_pow(double x, double y); /* for x >= 0; not a number for others */
double scr_cbrt(double x);          /* that of x 2^(3 k) is 2^k times that of x, bit for bit */
double scr_hypot(double x, double y);

/* The larger and the smaller of two numbers; the number if the other one is not a number, as fmax
 * and fmin have it. Of two zeros with different signs those may return either; these, the second. */
static inline double scr_max(double a, double b) {
    return a > b || b != b ? a : b;
}
static inline double scr_min(double a, double b) {
    return a < b || b != b ? a : b;
}

#endif
