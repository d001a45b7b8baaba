/* A contact point again, by its name: the feature says which element of each surface touches, and
 * so where the point is, how much of its gap turning takes, and which point of the step before it
 * was. */
#ifndef SCREE_NARROW_NAMED_POINT_H
#define SCREE_NARROW_NAMED_POINT_H

#include "narrow/outline_touch.h"
#include "narrow/surface.h"

/* From the centres of the two bodies to their contact point. Between round bodies it lies on each
 * one's own surface, else midway between the surfaces, the same for both: then no angular momentum
 * is made while there is a gap. For walls b is not used. */
typedef struct Arms {
    Vec3 a, b;
} Arms;

/* From the centre of body a to that of b, or to a wall's `point`. */
Vec3 scr_between(const State *state, int32_t a, int32_t b);

/* Round bodies: from the radii. */
static inline Arms scr_round_arms(const State *s, const Contact *c, const Surface *const side[2]) {
    (void)side;
    return (Arms){scale(s->bodies.radius[c->a], c->normal),
                  scale(c->b >= 0 ? -s->bodies.radius[c->b] : 0, c->normal)};
}

/* Surfaces whose elements name a point of one of them. */
Arms scr_named_arms(const State *state, const Contact *contact, const Surface *const side[2]);

/* How much of its gap a contact point loses in a step that the linear law does not see, when the
 * pair moves and turns like this. A round body loses nothing by turning. */
double scr_round_loss(const State *state, const Contact *contact, const Surface *const side[2],
                      const StepMotion *motion);

/* Of a corner over an edge: the edge turns while the corner moves along it. 0 for two corners. */
double scr_edge_loss(const State *state, const Contact *contact, const Surface *const side[2],
                     const StepMotion *motion);

/* Of surfaces that bend: other points come nearer as they roll (curve_contact.h). */
double scr_rolling_loss(const State *state, const Contact *contact, const Surface *const side[2],
                        const StepMotion *motion);

/* The points that a pair had in the step before. */
typedef struct OldPoints {
    const Contact *item;
    size_t count;
} OldPoints;

/* A pair with what is known of its surfaces. */
typedef struct PairSides {
    int32_t body[2]; /* the second may be the code of a wall */
    const Surface *side[2];
} PairSides;

/* The one that a point with this feature continues, or NULL. Round bodies have a single point. */
const Contact *scr_only_point(const State *state, const PairSides *pair, OldPoints old,
                              int32_t feature);

/* The point of the same name, or else one that shares a corner with it: the corner has moved past
 * the end of an edge. */
const Contact *scr_same_corner(const State *state, const PairSides *pair, OldPoints old,
                               int32_t feature);

/* A contact on a curve moves from node to node: the point of the same name, or else the nearest
 * one, if it is no farther than an eighth of the circumference. */
const Contact *scr_nearest_node(const State *state, const PairSides *pair, OldPoints old,
                                int32_t feature);

#endif
