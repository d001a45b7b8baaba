/* A point seen from a part of a solid. */
#ifndef SCREE_NARROW_POINT_SIGHT_H
#define SCREE_NARROW_POINT_SIGHT_H

#include "narrow/part_pair.h"

/* In the frame of the part: the distance from it without its rounding, negative inside, and the unit normal
 * out of the part there. */
typedef struct PointSight {
    double gap;
    Vec3 normal;
} PointSight;

/* Not for surfaces of patches. */
PointSight scr_point_sight(const Polyhedron *part, Vec3 x);

#endif
