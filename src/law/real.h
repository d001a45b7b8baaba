/* The number type of the laws that packets know, so that the same source serves the sweep over single
 * contacts, the packets that update several contacts at a time, and other devices.
 *
 * A Real is a double. If LAW_WIDE_REALS is defined before the first include, it is a Wide instead
 * (math/wide.h), with one double for each of several contacts. A translation unit has either.
 *
 * A comparison yields a RealMask, one truth value for each contact, and real_select chooses
 * contact by contact. A branch can only ask whether any or every contact is of some kind, so
 * branches serve to skip work and never decide the result. real_madd and real_msub are a + b c and
 * a - b c, rounded twice. */
#ifndef SCREE_LAW_REAL_H
#define SCREE_LAW_REAL_H

#ifdef LAW_WIDE_REALS

#include "math/wide.h"

#define LAW_INLINE WIDE_INLINE

typedef Wide Real;
typedef WideMask RealMask;
typedef WideVec3 RealVec3;

#define real_all      wide_all
#define real_add      wide_add
#define real_sub      wide_sub
#define real_mul      wide_mul
#define real_div      wide_div
#define real_madd     wide_madd
#define real_msub     wide_msub
#define real_sqrt     wide_sqrt
#define real_abs      wide_size
#define real_max      wide_max
#define real_min      wide_min
#define real_positive wide_positive
#define real_clamp    wide_clamp
#define real_above    wide_above
#define real_and      wide_and
#define real_or       wide_or
#define real_not      wide_not
#define real_any      wide_any
#define real_every    wide_every
#define real_select   wide_select
#define real_dot      wide_dot
#define real_add3     wide_add3
#define real_sub3     wide_sub3
#define real_cross    wide_cross
#define real_scale3   wide_scale3
#define real_madd3    wide_madd3
#define real_msub3    wide_msub3

#else

#include <math.h>
#include <stdbool.h>

#include <scree/scree.h>

/* A compiler for another device may define this before the first include, say as
 * `static inline __host__ __device__`. */
#ifndef LAW_INLINE
#define LAW_INLINE static inline
#endif

typedef double Real;
typedef bool RealMask;
typedef ScreeVec3 RealVec3;

#define real_max law_max
#define real_min law_min

LAW_INLINE double real_all(double a) {
    return a;
}
LAW_INLINE double real_add(double a, double b) {
    return a + b;
}
LAW_INLINE double real_sub(double a, double b) {
    return a - b;
}
LAW_INLINE double real_mul(double a, double b) {
    return a * b;
}
LAW_INLINE double real_div(double a, double b) {
    return a / b;
}
LAW_INLINE double real_madd(double a, double b, double c) {
    return a + b * c;
}
LAW_INLINE double real_msub(double a, double b, double c) {
    return a - b * c;
}
LAW_INLINE double real_sqrt(double a) {
    return sqrt(a);
}
LAW_INLINE double real_abs(double a) {
    return fabs(a);
}
/* max(a, 0); 0 if a is NaN. */
LAW_INLINE double real_positive(double a) {
    return a > 0.0 ? a : 0.0;
}
/* Between -limit and limit. */
LAW_INLINE double real_clamp(double a, double limit) {
    return a > limit ? limit : a < -limit ? -limit : a;
}
LAW_INLINE bool real_above(double a, double b) {
    return a > b;
}
LAW_INLINE bool real_and(bool a, bool b) {
    return a && b;
}
LAW_INLINE bool real_or(bool a, bool b) {
    return a || b;
}
LAW_INLINE bool real_not(bool a) {
    return !a;
}
LAW_INLINE bool real_any(bool mask) {
    return mask;
}
LAW_INLINE bool real_every(bool mask) {
    return mask;
}
LAW_INLINE double real_select(bool mask, double a, double b) {
    return mask ? a : b;
}

LAW_INLINE double real_dot(ScreeVec3 a, ScreeVec3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
LAW_INLINE ScreeVec3 real_scale3(double k, ScreeVec3 a) {
    a.x *= k, a.y *= k, a.z *= k;
    return a;
}
LAW_INLINE ScreeVec3 real_add3(ScreeVec3 a, ScreeVec3 b) {
    a.x += b.x, a.y += b.y, a.z += b.z;
    return a;
}
LAW_INLINE ScreeVec3 real_sub3(ScreeVec3 a, ScreeVec3 b) {
    a.x -= b.x, a.y -= b.y, a.z -= b.z;
    return a;
}
LAW_INLINE ScreeVec3 real_cross(ScreeVec3 a, ScreeVec3 b) {
    const double x = a.y * b.z - a.z * b.y, y = a.z * b.x - a.x * b.z;
    a.z = a.x * b.y - a.y * b.x;
    a.x = x, a.y = y;
    return a;
}
LAW_INLINE ScreeVec3 real_madd3(ScreeVec3 a, double k, ScreeVec3 b) {
    a.x += k * b.x, a.y += k * b.y, a.z += k * b.z;
    return a;
}
LAW_INLINE ScreeVec3 real_msub3(ScreeVec3 a, double k, ScreeVec3 b) {
    a.x -= k * b.x, a.y -= k * b.y, a.z -= k * b.z;
    return a;
}

#endif

/* For doubles, whatever a Real is. One instruction each, where fmax and fmin are calls. */
LAW_INLINE double law_max(double a, double b) {
    return a > b ? a : b;
}
LAW_INLINE double law_min(double a, double b) {
    return a < b ? a : b;
}

#endif
