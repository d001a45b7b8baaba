/* Plane polygons cut into triangles, by cutting off one ear after the other. An ear is a corner whose
 * triangle with its neighbours holds no other corner; a simple polygon that is no triangle has at
 * least two. */
#ifndef SCREE_SHAPE_EARS_H
#define SCREE_SHAPE_EARS_H

#include "math/vec.h"

/* What is left of a polygon. */
typedef struct Ring {
    const Vec3 *point;
    int32_t *corner; /* [count] numbers of points, counterclockwise seen against the normal */
    int32_t count;
    Vec3 normal;      /* unit */
    double tolerance; /* a triangle that is lower has no area */
} Ring;

/* The heights that rounding makes of nothing, for points whose coordinates are up to `away`, in a
 * box with the longest side `size`. */
static inline double scr_no_height(double size, double away) {
    return 32 * 0x1p-52 * scr_max(size, away);
}

/* Cuts off an ear, whose three points are returned in order. False when there is none: the outline
 * crosses or touches itself, or has no area left. Of a convex polygon triangles make a fan. */
bool scr_cut_ear(Ring *ring, int32_t triangle[3]);

#endif
