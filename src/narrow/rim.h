/* The rim of one part of an outline, as pairs with a curve see it: nodes, and between them spans of
 * a NURBS curve or straight edges. A disk is one node. Everything but `x`, `y` is in the rim's own
 * frame: that of the curve, which is turned by the body's angle, or for a polygon the world's. */
#ifndef SCREE_NARROW_RIM_H
#define SCREE_NARROW_RIM_H

#include "shape/outline.h"

typedef struct Rim {
    const Nurbs *nurbs;   /* NULL: straight edges */
    const Corner *corner; /* as turned; of a curve its nodes */
    int32_t first, count; /* first: its number among the corners of the shape */
    double rounding;
    double x, y; /* its centre, seen from that of body a */
    double cosine, sine;
} Rim;

typedef struct RimNode {
    double x, y;
    double in[2], out[2]; /* unit tangents before and after; 0 of a disk */
    NurbsNodeKind kind;
} RimNode;

/* A point of a rim. */
typedef struct RimPoint {
    double x, y;
    double tx, ty;    /* unit tangent; outward is (ty, -tx) */
    double speed;     /* |dc/dt| */
    double curvature; /* positive where it bulges */
} RimPoint;

/* Where a point x has its foot y on a rim: n is the outward normal there, or at a corner the
 * direction from it; x = y + distance n. */
typedef struct RimFoot {
    double x, y, nx, ny;
    double distance;  /* negative inside */
    double curvature; /* infinite at a corner */
    int32_t span;     /* or the node */
    bool at_node;
} RimFoot;

static inline int32_t scr_rim_next(const Rim *r, int32_t k) {
    return k + 1 == r->count ? 0 : k + 1;
}
static inline int32_t scr_rim_previous(const Rim *r, int32_t k) {
    return k == 0 ? r->count - 1 : k - 1;
}

static inline void scr_rim_turn(const Rim *r, double x, double y, double out[2]) {
    out[0] = r->cosine * x - r->sine * y;
    out[1] = r->sine * x + r->cosine * y;
}
static inline void scr_rim_turn_back(const Rim *r, double x, double y, double out[2]) {
    out[0] = r->cosine * x + r->sine * y;
    out[1] = r->cosine * y - r->sine * x;
}

/* That of a part of an outline whose centre is `at`, seen from that of body a. */
Rim scr_rim_of(const Outline *outline, int32_t part, Vec3 at);

RimNode scr_rim_node(const Rim *rim, int32_t k);

/* On span k; t from scr_rim_begin to scr_rim_end. */
RimPoint scr_rim_at(const Rim *rim, int32_t k, double t);

static inline double scr_rim_begin(const Rim *r, int32_t k) {
    return r->nurbs != NULL ? r->nurbs->node[k].begin : 0;
}
static inline double scr_rim_end(const Rim *r, int32_t k) {
    return r->nurbs != NULL ? r->nurbs->node[k].end : 1;
}

/* The foot on span k of a point that projects into it: a Newton iteration that stays between the
 * span's ends. */
RimFoot scr_rim_span_foot(const Rim *rim, int32_t k, double x, double y);

/* The same without the iteration: the distance is right to second order in the error of the place.
 */
RimFoot scr_rim_near_foot(const Rim *rim, int32_t k, double x, double y);

/* A node as the foot. */
RimFoot scr_rim_node_foot(const Rim *rim, int32_t k, double x, double y);

/* The nearest foot along the rim from span k on. */
RimFoot scr_rim_walk(const Rim *rim, int32_t k, double x, double y);

/* The nearest of all feet of a point: every sign change of (x - c).c' from one node to the next,
 * and every corner whose fan holds x. */
RimFoot scr_rim_project(const Rim *rim, double x, double y);

/* Whether the polygon through the nodes holds a point. */
bool scr_rim_contains(const Rim *rim, double x, double y);

/* The point near span k whose outward normal is (nx, ny). */
RimPoint scr_rim_with_normal(const Rim *rim, int32_t k, double nx, double ny);

#endif
