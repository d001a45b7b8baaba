/* Outlines that overlap so deeply that they have no contact points of the kinds of outlines.h and
 * curve_pair.h: their boundaries no longer face each other, or one outline lies inside the other,
 * or exactly on it.
 *
 * Such a pair gets one contact point, from the question how far the polygons through the nodes must
 * move to be apart. With the extents h(n) = max over nodes of n.x this is
 *
 *     depth(n) = h_a(n) + h_b(-n)
 *
 * along n, and least along the normal of an edge of one of them. This least depth is a
 * continuous function of where the bodies are, and its gradient is that n, acting at the node of
 * the other that is farthest out. So a spring there has a potential, and a rigid contact there
 * keeps the bodies from going deeper. Bodies that are not convex count as their hulls. */
#ifndef SCREE_NARROW_HULL_OVERLAP_H
#define SCREE_NARROW_HULL_OVERLAP_H

#include "narrow/outline_touch.h"

/* Adds the contact point of outlines whose centres differ by d = x_b - x_a, if a node of one is
 * deeper in the other than `least`. False when there is no memory. */
bool scr_touch_hulls(const Outline *a, const Outline *b, Vec3 d, double least,
                     OutlineTouches *touches);

/* Whether the box around one holds that of the other: else none is inside the other. */
bool scr_one_may_hold(const Outline *a, const Outline *b, Vec3 d);

/* The features of such contacts are larger by this, so all are larger than it. */
enum { HULL_FEATURE = 1 << 2 * FEATURE_BITS };

static inline bool scr_is_hull_contact(int32_t feature) {
    return feature > HULL_FEATURE;
}

/* The gap of one after the bodies have moved. */
double scr_hull_gap(const Outline *a, const Outline *b, Vec3 d, int32_t feature);

#endif
