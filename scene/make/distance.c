#include "scene/make/distance.h"

#include "math/vec.h"

/* The C library's hypot may differ between machines; this one does not. */
static double length_of(double a, double b) {
    return length((ScreeVec3){a, b, 0});
}

static double segment_distance(const ScreeWallDef *wall, ScreeVec3 x) {
    ScreeVec3 along = sub(wall->end, wall->point), from = sub(x, wall->point);
    double t = dot(from, along) / dot(along, along);
    t = fmin(fmax(t, 0), 1);
    return length(sub(from, scale(t, along)));
}

/* Turns `v` by the inverse of a unit quaternion. */
static ScreeVec3 turn_back(ScreeQuat q, ScreeVec3 v) {
    ScreeVec3 u = {-q.x, -q.y, -q.z};
    ScreeVec3 t = {2 * (u.y * v.z - u.z * v.y), 2 * (u.z * v.x - u.x * v.z),
                   2 * (u.x * v.y - u.y * v.x)};
    return (ScreeVec3){v.x + q.w * t.x + u.y * t.z - u.z * t.y,
                       v.y + q.w * t.y + u.z * t.x - u.x * t.z,
                       v.z + q.w * t.z + u.x * t.y - u.y * t.x};
}

static double block_distance(const ScreeWallDef *wall, ScreeVec3 x) {
    ScreeVec3 p = turn_back(wall->orientation, sub(x, wall->point));
    ScreeVec3 d = {fabs(p.x) - wall->half.x, fabs(p.y) - wall->half.y, fabs(p.z) - wall->half.z};
    double inside = fmin(fmax(d.x, fmax(d.y, d.z)), 0);
    ScreeVec3 out = {fmax(d.x, 0), fmax(d.y, 0), fmax(d.z, 0)};
    return length(out) + inside;
}

static double cylinder_distance(const ScreeWallDef *wall, ScreeVec3 x) {
    ScreeVec3 from = sub(x, wall->point);
    double height = dot(from, wall->axis);
    double rho = length(sub(from, scale(height, wall->axis)));
    double past = wall->length > 0 ? fabs(height) - wall->length / 2 : -1;
    if (wall->inside) {
        return past > 0 ? length_of(rho - wall->radius, past) : wall->radius - rho;
    }
    double radial = rho - wall->radius;
    if (wall->length > 0) {
        return length_of(fmax(radial, 0), fmax(past, 0)) + fmin(fmax(radial, past), 0);
    }
    return radial;
}

double scene_wall_distance(const ScreeWallDef *wall, ScreeVec3 x) {
    switch (wall->shape) {
    case SCREE_WALL_PLANE:
        return dot(sub(x, wall->point), wall->normal);
    case SCREE_WALL_SEGMENT:
        return segment_distance(wall, x);
    case SCREE_WALL_BLOCK:
        return block_distance(wall, x);
    case SCREE_WALL_CYLINDER:
        return cylinder_distance(wall, x);
    case SCREE_WALL_SHAPE_COUNT:
        break;
    }
    return 0;
}
