/* Pairs of which one has a shape: bodies and walls as outlines in their place, and all contact
 * points of a pair. Only for worlds of two dimensions. */
#ifndef SCREE_NARROW_PLACED_H
#define SCREE_NARROW_PLACED_H

#include "narrow/outlines.h"
#include "state/state.h"

/* The outlines of all bodies, turned as the bodies are; a round body is an outline of one corner.
 * Empty while the world has no shapes. */
typedef struct Placed {
    Outline *outline; /* [bodies] */
    Block outline_block, corner_block, ball_block;
} Placed;

/* Turns all outlines as the bodies stand; false when out of memory. */
bool scr_place_outlines(const State *state, Placed *placed);

/* The same with orientations [bodies] of the caller's. */
bool scr_place_turned(const State *state, const Quat *orientation, Placed *placed);
void scr_placed_free(Placed *placed);

/* A wall that bodies meet from outside, as an outline about its `point`. */
typedef struct WallOutline {
    Corner corner[4];
    OutlinePart part;
    Outline outline;
} WallOutline;

void scr_wall_outline(const ScreeWallDef *wall, WallOutline *outline);

/* Whether a pair (b: a body or the code of a wall) has contact points of shapes. */
static inline bool scr_is_shaped(const State *s, int32_t a, int32_t b) {
    return s->bodies.shape[a] >= 0 || (b >= 0 && s->bodies.shape[b] >= 0);
}

/* All contact points of a shaped pair, as scr_touch_outlines does it. */
ScreeStatus scr_touch_shapes(const State *state, const Placed *placed, int32_t a, int32_t b,
                             const OutlineMotion *motion, double reach, OutlineTouches *touches);

/* How deep a shaped pair overlaps at its contact points, which are left in `touches`. */
ScreeStatus scr_shape_overlap(const State *state, const Placed *placed, int32_t a, int32_t b,
                              OutlineTouches *touches, double *depth);

/* The gap of a contact point of a shaped pair, as the bodies stand in `placed`. */
double scr_shape_gap(const State *state, const Placed *placed, const Contact *contact);

/* From the centres of the two bodies to their contact point. Between round bodies it lies on each
 * one's own surface, else midway between the surfaces, the same for both: then no angular momentum
 * is made while there is a gap. For walls b is not used. */
typedef struct Arms {
    Vec3 a, b;
} Arms;

Arms scr_shape_arms(const State *state, const Contact *contact);

static inline Arms scr_contact_arms(const State *s, const Contact *c) {
    if (c->feature != 0) {
        return scr_shape_arms(s, c);
    }
    return (Arms){scale(s->bodies.radius[c->a], c->normal),
                  scale(c->b >= 0 ? -s->bodies.radius[c->b] : 0, c->normal)};
}

/* How much of the gap of a corner over an edge a step loses that the linear law does not see: the
 * edge turns while the corner moves along it. 0 for two corners. Of curves: see rims.h. */
double scr_turning_loss(const State *state, const Contact *contact, const OutlineMotion *motion);

#endif
