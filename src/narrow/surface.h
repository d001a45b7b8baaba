/* One side of a contact: the kinds of surface that bodies and walls have, and what each kind
 * says about the point that a contact names on it. */
#ifndef SCREE_NARROW_SURFACE_H
#define SCREE_NARROW_SURFACE_H

#include "state/state.h"

/* Bodies come first: they alone can be the first of a pair. */
typedef enum SurfaceKind {
    SURFACE_BALL,
    SURFACE_POLYGON, /* rounded or sharp, one or several as one body */
    SURFACE_CURVE,   /* for the soft engine such a body is a polygon, that of the curve's nodes */
    SURFACE_SOLID,   /* in space: one or several polyhedra, rounded or sharp */
    BODY_KINDS,
    SURFACE_PLANE = BODY_KINDS,
    SURFACE_SEGMENT,
    SURFACE_BLOCK,
    SURFACE_ROD,    /* a cylinder that is met from outside */
    SURFACE_TUBE,   /* one that is met from inside and has no ends */
    SURFACE_SLEEVE, /* one with ends: thin, and met from both sides */
    SURFACE_MESH,   /* triangles */
    SURFACE_SHELL,  /* cones, rings, discs, and plates with holes */
    SURFACE_KINDS,
} SurfaceKind;

SurfaceKind scr_wall_kind(const ScreeWallDef *wall);

/* Of a body, or of the wall of a code. */
static inline SurfaceKind scr_surface_kind(const State *s, int32_t body) {
    if (body < 0) {
        return scr_wall_kind(&s->walls.item[scr_wall_of(body)].now);
    }
    int32_t shape = s->bodies.shape[body];
    if (shape < 0) {
        return SURFACE_BALL;
    }
    if (s->shapes.shape[shape].solid >= 0) {
        return SURFACE_SOLID;
    }
    bool curve = s->shapes.shape[shape].curve >= 0 && s->def.engine != SCREE_ENGINE_SOFT;
    return curve ? SURFACE_CURVE : SURFACE_POLYGON;
}

/* Where a contact is on a surface. */
typedef struct SurfacePoint {
    Vec3 at;         /* from the centre of the body, or from a wall's `point`; below the rounding */
    double rounding; /* how far the surface lies outside of it */
    double radius;   /* of curvature */
} SurfacePoint;

/* What a kind knows of its bodies or walls. An element is one half of a contact's feature. */
typedef struct Surface {
    /* The point that an even element names; `outward` is the contact's normal, out of the body. */
    SurfacePoint (*point)(const State *state, int32_t body, int32_t element, Vec3 outward);
    /* The curvature where an odd element says that the partner's point `at` is met: positive where
     * the surface bulges. */
    double (*curvature)(const State *state, int32_t body, int32_t element, Vec3 at);
    /* The number of nodes that contacts move along, one after the other; 0 where they stay. */
    int32_t (*nodes)(const State *state, int32_t body);
} Surface;

/* [SURFACE_KINDS] */
extern const Surface scr_surface[];

/* The corners of a wall that bodies meet from outside, seen from its `point`; returns how many. */
int32_t scr_wall_corners(const ScreeWallDef *wall, Vec3 corner[4]);

#endif
