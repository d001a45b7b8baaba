/* Contact points of two outlines: what is known of one, and how it is named. */
#ifndef SCREE_NARROW_OUTLINE_TOUCH_H
#define SCREE_NARROW_OUTLINE_TOUCH_H

#include "base/memory.h"
#include "shape/outline.h"

/* One contact point. */
typedef struct OutlineTouch {
    double gap;  /* negative is overlap */
    Vec3 normal; /* unit, from a to b */
    Vec3 arm;    /* from the centre of a to the middle of the gap */
    int32_t feature;
    bool spare; /* of curves: goes when another is near */
} OutlineTouch;

typedef struct OutlineTouches {
    size_t count;
    OutlineTouch *item;
    Block block;
} OutlineTouches;

/* Appends a touch; false when there is no memory. */
bool scr_add_touch(OutlineTouches *touches, const OutlineTouch *touch);

/* The same, unless there is one at the same place, within `near`: then the better of the two stays.
 */
bool scr_join_touch(OutlineTouches *touches, const OutlineTouch *touch, double near);

bool scr_any_overlap(const OutlineTouches *touches);

/* Takes away the spare touches that have another one within `near`. */
void scr_drop_spares(OutlineTouches *touches, double near);

/* Of two overlaps deeper than `deep` that push in opposite directions, the less deep one stays: the
 * body belongs to its side. */
void scr_drop_opposed(OutlineTouches *touches, double deep);

/* How the pair is expected to move through the step: the centre of b as seen from that of a, and
 * the angles by which each turns. */
typedef struct OutlineMotion {
    Vec3 shift;
    double turn_a, turn_b;
} OutlineMotion;

/* A feature names what touches: element of a, element of b; corner k is 2 k, edge k (from corner k
 * on) 2 k + 1. Never 0. */
enum { FEATURE_BITS = 15 };
_Static_assert(2 * MOST_CORNERS == 1 << FEATURE_BITS, "each corner and edge has a number");

static inline int32_t scr_feature(int32_t of_a, int32_t of_b) {
    return (of_a << FEATURE_BITS | of_b) + 1;
}
static inline int32_t scr_feature_a(int32_t feature) {
    return (feature - 1) >> FEATURE_BITS & ((1 << FEATURE_BITS) - 1);
}
static inline int32_t scr_feature_b(int32_t feature) {
    return (feature - 1) & ((1 << FEATURE_BITS) - 1);
}

#endif
