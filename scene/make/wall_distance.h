/* How far a point is from a wall of the scene. */
#ifndef SCREE_SCENE_MAKE_WALL_DISTANCE_H
#define SCREE_SCENE_MAKE_WALL_DISTANCE_H

#include <scree/scree.h>

/* From `x` to the surface of the wall; negative on the wrong side. A cylinder from inside counts as
 * a container: between its ends the outside is the wrong side. */
double scene_wall_distance(const ScreeWallDef *wall, ScreeVec3 x);

#endif
