/* Vectors, rotations and symmetric 3x3 blocks. */
#ifndef SCREE_MATH_VEC_H
#define SCREE_MATH_VEC_H

#include "math/elementary.h"

#include <math.h>
#include <stdbool.h>

#include <scree/scree.h>

typedef ScreeVec3 Vec3;
typedef ScreeQuat Quat;

static inline Vec3 vec3(double x, double y, double z) {
    return (Vec3){x, y, z};
}
static inline Vec3 add(Vec3 a, Vec3 b) {
    return vec3(a.x + b.x, a.y + b.y, a.z + b.z);
}
static inline Vec3 sub(Vec3 a, Vec3 b) {
    return vec3(a.x - b.x, a.y - b.y, a.z - b.z);
}
static inline Vec3 scale(double s, Vec3 a) {
    return vec3(s * a.x, s * a.y, s * a.z);
}
/* a + s b */
static inline Vec3 add_scaled(Vec3 a, double s, Vec3 b) {
    return vec3(a.x + s * b.x, a.y + s * b.y, a.z + s * b.z);
}
static inline double dot(Vec3 a, Vec3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
static inline Vec3 cross(Vec3 a, Vec3 b) {
    return vec3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
/* The length, without overflow or underflow. */
static inline double length(Vec3 a) {
    double m = scr_max(fabs(a.x), scr_max(fabs(a.y), fabs(a.z)));
    if (m > 1e-150 && m < 1e150) {
        return sqrt(dot(a, a));
    }
    if (!(m > 0 && isfinite(m))) {
        return m;
    }
    Vec3 s = vec3(a.x / m, a.y / m, a.z / m);
    return m * sqrt(dot(s, s));
}
/* The unit vector; (0, 0, 0) remains as it is. */
static inline Vec3 unit(Vec3 a) {
    double l = length(a);
    return l > 0 ? vec3(a.x / l, a.y / l, a.z / l) : a;
}
/* The unit vector along a, scaled first, so that very long and very short ones have a direction;
 * false when there is none. */
static inline bool direction_of(Vec3 a, Vec3 *unit) {
    double m = scr_max(fabs(a.x), scr_max(fabs(a.y), fabs(a.z)));
    if (!(m > 1e-300)) {
        return false;
    }
    a = scale(1 / m, a);
    *unit = scale(1 / sqrt(dot(a, a)), a);
    return true;
}
/* Along an axis: 0, 1 or 2. */
static inline double component(Vec3 a, int axis) {
    return axis == 0 ? a.x : axis == 1 ? a.y : a.z;
}
static inline double *component_of(Vec3 *a, int axis) {
    return axis == 0 ? &a->x : axis == 1 ? &a->y : &a->z;
}
static inline bool is_finite(Vec3 a) {
    return isfinite(a.x) && isfinite(a.y) && isfinite(a.z);
}
/* Some unit vector perpendicular to the unit vector a. */
static inline Vec3 perpendicular(Vec3 a) {
    Vec3 helper = fabs(a.x) < 0.6 ? vec3(1, 0, 0) : vec3(0, 1, 0);
    return unit(cross(a, helper));
}

static inline Quat quat_multiply(Quat a, Quat b) {
    return (Quat){a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
                  a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                  a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                  a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}
static inline Vec3 quat_rotate(Quat q, Vec3 a) {
    Vec3 u = vec3(q.x, q.y, q.z);
    Vec3 t = scale(2, cross(u, a));
    return add(add_scaled(a, q.w, t), cross(u, t));
}
static inline Vec3 quat_rotate_back(Quat q, Vec3 a) {
    return quat_rotate((Quat){q.w, -q.x, -q.y, -q.z}, a);
}
/* The rotation by the vector `turn`: about its direction, by its length. Small angles, the usual
 * case, use a series whose first neglected term is below rounding. */
static inline Quat quat_from_turn(Vec3 turn) {
    double square = dot(turn, turn), s, c;
    if (square < 1e-4) {
        s = 0.5 - square * (1.0 / 48 - square * (1.0 / 3840));
        c = 1 - square * (1.0 / 8 - square * (1.0 / 384));
    } else {
        double angle = length(turn);
        s = scr_sin(0.5 * angle) / angle;
        c = scr_cos(0.5 * angle);
    }
    return (Quat){c, s * turn.x, s * turn.y, s * turn.z};
}
/* The other way: the shortest rotation vector of a unit quaternion. */
static inline Vec3 quat_turn(Quat q) {
    Vec3 v = vec3(q.x, q.y, q.z);
    double sine = length(v);
    double angle = q.w < 0 ? -2 * scr_atan2(sine, -q.w) : 2 * scr_atan2(sine, q.w);
    return sine > 0 ? scale(angle / sine, v) : v;
}

static inline Quat quat_normalise(Quat q) {
    double l = sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    return l > 0 ? (Quat){q.w / l, q.x / l, q.y / l, q.z / l} : (Quat){1, 0, 0, 0};
}

/* The same for a quaternion that has unit length but for rounding: one Newton step on the length,
 * no root. */
static inline Quat quat_renormalise(Quat q) {
    double s = 1.5 - 0.5 * (q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    return (Quat){s * q.w, s * q.x, s * q.y, s * q.z};
}

/* Symmetric 3x3 block: xx, xy, xz, yy, yz, zz. */
typedef struct Sym3 {
    double xx, xy, xz, yy, yz, zz;
} Sym3;

static inline Sym3 sym3_diagonal(double x, double y, double z) {
    return (Sym3){x, 0, 0, y, 0, z};
}
/* s a a^T */
static inline Sym3 sym3_dyad(double s, Vec3 a) {
    return (Sym3){s * a.x * a.x, s * a.x * a.y, s * a.x * a.z,
                  s * a.y * a.y, s * a.y * a.z, s * a.z * a.z};
}
static inline Vec3 sym3_apply(const Sym3 *m, Vec3 a) {
    return vec3(m->xx * a.x + m->xy * a.y + m->xz * a.z, m->xy * a.x + m->yy * a.y + m->yz * a.z,
                m->xz * a.x + m->yz * a.y + m->zz * a.z);
}

static inline Sym3 sym3_scale(double k, Sym3 a) {
    return (Sym3){k * a.xx, k * a.xy, k * a.xz, k * a.yy, k * a.yz, k * a.zz};
}

#endif
