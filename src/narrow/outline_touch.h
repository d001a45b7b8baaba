/* Contact points of two outlines: what is known of each, and how they are named. */
#ifndef SCREE_NARROW_OUTLINE_TOUCH_H
#define SCREE_NARROW_OUTLINE_TOUCH_H

#include "base/memory.h"
#include "narrow/step_motion.h"
#include "shape/outline.h"

/* One contact point. */
typedef struct OutlineTouch {
    double gap;  /* negative is overlap */
    Vec3 normal; /* unit, from a to b */
    Vec3 arm;    /* from the centre of a to the middle of the gap */
    int32_t feature;
    bool spare; /* of curves: dropped when there is another one nearby */
} OutlineTouch;

typedef struct OutlineTouches {
    size_t count;
    OutlineTouch *item;
    Block block;
} OutlineTouches;

/* Appends a touch; false when there is no memory. */
bool scr_add_touch(OutlineTouches *touches, const OutlineTouch *touch);

/* The same, unless there is a touch within `near` already: then the better of the two is kept. */
bool scr_join_touch(OutlineTouches *touches, const OutlineTouch *touch, double near);

bool scr_any_overlap(const OutlineTouches *touches);

/* Removes the spare touches that have another one within `near`. */
void scr_drop_spares(OutlineTouches *touches, double near);

/* Of two overlaps deeper than `deep` that push in opposite directions, only the less deep one is
 * kept: the body is on that side. */
void scr_drop_opposed(OutlineTouches *touches, double deep);

/* A feature names what touches: an element of a and an element of b. Corner k is element 2 k, and
 * edge k, which begins at corner k, is element 2 k + 1. A feature is never 0. */
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
