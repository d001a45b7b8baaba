/* How far a point is from a wall. */
#ifndef SCREE_SCENE_MAKE_DISTANCE_H
#define SCREE_SCENE_MAKE_DISTANCE_H

#include <scree/scree.h>

/* Distance from `x` to the nearest surface of the wall; negative on the wrong side. A cylinder from
 * inside is a container: between its ends the outside is the wrong side. */
double scene_wall_distance(const ScreeWallDef *wall, ScreeVec3 x);

#endif
