/* The distance of two convex parts without their roundings, by the method of Gilbert, Johnson and
 * Keerthi: the point of b - a that is nearest to the origin. */
#ifndef SCREE_NARROW_PART_DISTANCE_H
#define SCREE_NARROW_PART_DISTANCE_H

#include "narrow/feature_sight.h"

typedef enum PartsAre {
    PARTS_FAR,     /* farther than asked for: `gap` is a lower bound */
    PARTS_APART,   /* `gap` is the distance */
    PARTS_TOUCHING /* they overlap, or are too near to tell: nothing is set */
} PartsAre;

typedef struct PartDistance {
    PartsAre are;
    double gap;
    Vec3 normal;      /* unit, from a to b, in the frame of a */
    FeaturePair pair; /* whose points are the nearest ones */
} PartDistance;

/* Depends on nothing but the arguments: no search is continued from an earlier one. */
PartDistance scr_part_distance(const PartPair *parts, double far);

#endif
