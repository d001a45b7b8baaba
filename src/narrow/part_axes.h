/* The shortest way out of an overlap of two convex parts without their roundings: of all axes on
 * which a face of one, or an edge of each, bounds the overlap, the one with the greatest
 * separation. Costs the product of the numbers of edges. */
#ifndef SCREE_NARROW_PART_AXES_H
#define SCREE_NARROW_PART_AXES_H

#include "narrow/feature_sight.h"

typedef struct PartAxis {
    double gap; /* minus the depth; -INFINITY when there is no axis: two balls, a ball and a rod */
    Vec3 normal;
    FeaturePair pair;
} PartAxis;

PartAxis scr_part_axis(const PartPair *parts);

/* How far the parts are apart along one axis, which is at most their distance. */
double scr_apart_along(const PartPair *parts, Vec3 normal);

#endif
