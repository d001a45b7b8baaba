/* The boundary of one part of an outline, as pairs with a curve see it: nodes, and between them spans of
 * a NURBS curve or straight edges. A disk is one node. Everything but `x`, `y` is in the boundary's own
 * frame: that of the curve, which is turned by the body's angle, or for a polygon the world's. */
#ifndef SCREE_NARROW_BOUNDARY_H
#define SCREE_NARROW_BOUNDARY_H

#include "shape/outline.h"

typedef struct Boundary {
    const Nurbs *nurbs;   /* NULL: straight edges */
    const Corner *corner; /* as turned; of a curve its nodes */
    int32_t first, count; /* first: its number among the corners of the shape */
    double rounding;
    double x, y; /* its centre, seen from that of body a */
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

/* Where a point x has its foot y on a boundary: n is the outward normal there, or at a corner the
 * direction from it; x = y + distance n. */
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

/* That of a part of an outline whose centre is `at`, seen from that of body a. */
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

/* The foot on span k of a point that projects into it: a Newton iteration that stays between the
 * span's ends. */
BoundaryFoot scr_boundary_span_foot(const Boundary *boundary, int32_t k, double x, double y);

/* The same without the iteration: the distance is right to second order in the error of the place.
 */
BoundaryFoot scr_boundary_near_foot(const Boundary *boundary, int32_t k, double x, double y);

/* A node as the foot. */
BoundaryFoot scr_boundary_node_foot(const Boundary *boundary, int32_t k, double x, double y);

/* The nearest foot along the boundary from span k on. */
BoundaryFoot scr_boundary_walk(const Boundary *boundary, int32_t k, double x, double y);

/* The nearest of all feet of a point: every sign change of (x - c).c' from one node to the next,
 * and every corner whose fan holds x. */
BoundaryFoot scr_boundary_project(const Boundary *boundary, double x, double y);

/* Whether the polygon through the nodes holds a point. */
bool scr_boundary_contains(const Boundary *boundary, double x, double y);

/* The point near span k whose outward normal is (nx, ny). */
BoundaryPoint scr_boundary_with_normal(const Boundary *boundary, int32_t k, double nx, double ny);

#endif
