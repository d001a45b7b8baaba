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

static inline WallSight scr_plane_sight(const ScreeWallDef *wall, Vec3 p) {
    return (WallSight){dot(sub(p, wall->point), wall->normal), scale(-1, wall->normal)};
}

#endif
