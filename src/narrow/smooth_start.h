/* Where the search for the common normal of two parts begins. */
#ifndef SCREE_NARROW_SMOOTH_START_H
#define SCREE_NARROW_SMOOTH_START_H

#include "narrow/common_normal.h"
#include "narrow/part_points.h"

/* How far a plane across the line between their middles keeps the parts apart, at least. */
double scr_smooth_apart(const PartPair *parts);

/* The common normal, from those that the pair had in the step before. */
CommonNormal scr_find_normal(const PartPair *parts, const LaterPose *later, OldPoints old);

#endif
