/* Outlines that have sunk into each other so far that they have no contact points of the kinds of
 * outlines.h and curve_pair.h: boundaries that no longer face each other, one outline inside the other, or one
 * on the other.
 *
 * They have a contact point of this kind: what polygons, here those of the nodes, must do to part.
 * With the extents h(n) = max over nodes of n.x it takes
 *
 *     depth(n) = h_a(n) + h_b(-n)
 *
 * along n, and the shortest way is across an edge of one of them. Its length is a continuous
 * function of where the bodies are, and its gradient that n, at the node of the other that is
 * farthest out: a spring there has a potential, and a body that is held there sinks no further.
 * Hollow bodies have sunk as deep as their hulls. */
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
