/* The boundary of one part of an outline, as pairs with a curve use it: nodes, joined by spans of a
 * NURBS curve or by straight edges. A disk is a single node. Everything except `x` and `y` is in
 * the frame of the boundary: for a curve one that is turned with the body, for a polygon that of
 * the world. */
#ifndef SCREE_NARROW_BOUNDARY_H
#define SCREE_NARROW_BOUNDARY_H

#include "shape/outline.h"

typedef struct Boundary {
    const Nurbs *nurbs;   /* NULL: straight edges */
    const Corner *corner; /* as turned; of a curve its nodes */
    int32_t first, count; /* first: its number among the corners of the shape */
    double rounding;
    double x, y; /* its centre, relative to that of body a */
    double cosine, sine;
} Boundary;

typedef struct BoundaryNode {
    double x, y;
    double in[2], out[2]; /* unit tangents before and after; 0 of a disk */
    NurbsNodeKind kind;
} BoundaryNode;

/* A point of a boundary. */
typedef struct BoundaryPoint {
    double x, y;
    double tx, ty;    /* unit tangent; outward is (ty, -tx) */
    double speed;     /* |dc/dt| */
    double curvature; /* positive where it bulges */
} BoundaryPoint;

/* The foot y of a point x on a boundary: n is the outward normal there, or at a corner the
 * direction from the corner to x. So x = y + distance n. */
typedef struct BoundaryFoot {
    double x, y, nx, ny;
    double distance;  /* negative inside */
    double curvature; /* infinite at a corner */
    int32_t span;     /* or the node */
    bool at_node;
} BoundaryFoot;

static inline int32_t scr_boundary_next(const Boundary *r, int32_t k) {
    return k + 1 == r->count ? 0 : k + 1;
}
static inline int32_t scr_boundary_previous(const Boundary *r, int32_t k) {
    return k == 0 ? r->count - 1 : k - 1;
}

static inline void scr_boundary_turn(const Boundary *r, double x, double y, double out[2]) {
    out[0] = r->cosine * x - r->sine * y;
    out[1] = r->sine * x + r->cosine * y;
}
static inline void scr_boundary_turn_back(const Boundary *r, double x, double y, double out[2]) {
    out[0] = r->cosine * x + r->sine * y;
    out[1] = r->cosine * y - r->sine * x;
}

/* The boundary of a part of an outline whose centre is at `at`, relative to that of body a. */
Boundary scr_boundary_of(const Outline *outline, int32_t part, Vec3 at);

BoundaryNode scr_boundary_node(const Boundary *boundary, int32_t k);

/* On span k; t from scr_boundary_begin to scr_boundary_end. */
BoundaryPoint scr_boundary_at(const Boundary *boundary, int32_t k, double t);

static inline double scr_boundary_begin(const Boundary *r, int32_t k) {
    return r->nurbs != NULL ? r->nurbs->node[k].begin : 0;
}
static inline double scr_boundary_end(const Boundary *r, int32_t k) {
    return r->nurbs != NULL ? r->nurbs->node[k].end : 1;
}

/* The foot on span k of a point that projects onto it, by Newton's method kept between the ends of
 * the span. */
BoundaryFoot scr_boundary_span_foot(const Boundary *boundary, int32_t k, double x, double y);

/* The same without iterating. The foot is a little off, which changes the distance to second order
 * only. */
BoundaryFoot scr_boundary_near_foot(const Boundary *boundary, int32_t k, double x, double y);

/* The foot is node k. */
BoundaryFoot scr_boundary_node_foot(const Boundary *boundary, int32_t k, double x, double y);

/* The nearest foot, searched along the boundary starting from span k. */
BoundaryFoot scr_boundary_walk(const Boundary *boundary, int32_t k, double x, double y);

/* The nearest of all feet of a point. There is one wherever (x - c).c' changes sign between two
 * nodes, and at every corner between whose two normals x lies. */
BoundaryFoot scr_boundary_project(const Boundary *boundary, double x, double y);

/* Whether a point lies inside the polygon through the nodes. */
bool scr_boundary_contains(const Boundary *boundary, double x, double y);

/* The point near span k whose outward normal is (nx, ny). */
BoundaryPoint scr_boundary_with_normal(const Boundary *boundary, int32_t k, double nx, double ny);

#endif
