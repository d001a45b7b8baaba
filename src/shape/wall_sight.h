/* What a wall looks like from a point. */
#ifndef SCREE_SHAPE_WALL_SIGHT_H
#define SCREE_SHAPE_WALL_SIGHT_H

#include "math/vec.h"

/* The point of a wall's surface that is nearest to a given point: its `distance` (negative behind
 * the surface), and the unit `normal` from the given point into the wall. */
typedef struct WallSight {
    double distance;
    Vec3 normal;
} WallSight;

#endif
