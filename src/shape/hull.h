/* The convex hull of points as a polyhedron: coplanar triangles merged, no vertex within a face or
 * on a straight edge. Signs are exact and choices depend on the points alone, so that the same
 * points give the same hull on every machine, however they lie. */
#ifndef SCREE_SHAPE_HULL_H
#define SCREE_SHAPE_HULL_H

#include "shape/triangles.h"

/* What the points span. */
typedef enum HullKind {
    HULL_POINT, /* one vertex */
    HULL_LINE,  /* two vertices */
    HULL_PLANE, /* a convex polygon, with two opposite faces */
    HULL_SOLID
} HullKind;

/* Zero-initialise it. */
typedef struct Hull {
    HullKind kind;
    int32_t vertices;
    int32_t *vertex; /* [vertices] numbers of points, ascending */
    FaceLoops face;  /* corners are numbers among the vertices */
    double tolerance;
    Block vertex_block;
} Hull;

/* Lengths up to this are nothing for points of this size (the longest side of the box around them)
 * that are at most `away` from the origin: a thousand-millionth of the size, or the rounding of
 * coordinates far from the origin. */
static inline double scr_flat_tolerance(double size, double away) {
    return scr_max(1e-9 * size, 8 * 0x1p-52 * away);
}

/* The largest coordinate and the longest side of the box around points, which must be finite. */
void scr_extent(const Vec3 *point, size_t points, double *size, double *away);

/* Points (1 to 2^28) must be finite, and their box between 1e-70 and 1e70, or nothing, wide. Points
 * lie in a plane, in a line or at a point if they leave it by at most the flat tolerance. Otherwise
 * faces are plane, edges straight and points inside to within `tolerance`: a millionth of the
 * thickness of the body, between the rounding of coordinates and the flat tolerance. False when out
 * of memory. */
bool scr_hull(const Vec3 *point, size_t points, Hull *made);
void scr_hull_free(Hull *hull);

#endif
