/* Contact points of two parts of which one is smooth at least.
 *
 * A superellipsoid meets any convex part in one point, where both have a common normal
 * (common_normal.h). */
#ifndef SCREE_NARROW_SMOOTH_POINTS_H
#define SCREE_NARROW_SMOOTH_POINTS_H

#include "narrow/part_points.h"

/* Appends the points of the two parts. */
ScreeStatus scr_smooth_points(const PartPair *now, LaterPose *later, const PointRules *rules,
                              SolidPoints *points);

/* Where a named point is, from the normal that it had. Roundings are not taken off the gap, and
 * `foot` is the point on a without its rounding. */
FeaturePlace scr_place_smooth(const PartPair *parts, int32_t name, Vec3 normal);

/* The same of a point whose normal is that of now. */
FeaturePlace scr_smooth_here(const PartPair *parts, int32_t name, Vec3 normal);

static inline bool scr_has_smooth(const PartPair *p) {
    return scr_is_smooth(p->a) || scr_is_smooth(p->b);
}

/* The name of the point with a common normal; also what lists have for two parts that may touch. */
static inline int32_t scr_nearest_name(const PartPair *p) {
    return scr_feature(p->a->first_element, p->b->first_element);
}

#endif
