/* The little vector arithmetic that scenes need. */
#ifndef SCREE_SCENE_MAKE_VEC_H
#define SCREE_SCENE_MAKE_VEC_H

#include <scree/scree.h>

#include <math.h>

static inline ScreeVec3 vec_add(ScreeVec3 a, ScreeVec3 b) {
    return (ScreeVec3){a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline ScreeVec3 vec_sub(ScreeVec3 a, ScreeVec3 b) {
    return (ScreeVec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline ScreeVec3 vec_scale(ScreeVec3 a, double f) {
    return (ScreeVec3){a.x * f, a.y * f, a.z * f};
}

static inline double vec_dot(ScreeVec3 a, ScreeVec3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline double vec_length(ScreeVec3 a) {
    /* scaled, so that very long and very short vectors keep their direction */
    double m = fmax(fabs(a.x), fmax(fabs(a.y), fabs(a.z)));
    return m > 0 ? m * sqrt(vec_dot(vec_scale(a, 1 / m), vec_scale(a, 1 / m))) : 0;
}

/* The unit vector along `a`; false when `a` has no direction. */
static inline bool vec_unit(ScreeVec3 a, ScreeVec3 *unit) {
    double m = fmax(fabs(a.x), fmax(fabs(a.y), fabs(a.z)));
    if (!(m > 1e-300)) {
        return false;
    }
    a = vec_scale(a, 1 / m);
    *unit = vec_scale(a, 1 / sqrt(vec_dot(a, a)));
    return true;
}

static inline double *vec_part(ScreeVec3 *a, int axis) {
    return axis == 0 ? &a->x : (axis == 1 ? &a->y : &a->z);
}

#endif
