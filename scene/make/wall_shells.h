/* Walls with round openings, from what the scene says of them. */
#ifndef SCREE_SCENE_MAKE_WALL_SHELLS_H
#define SCREE_SCENE_MAKE_WALL_SHELLS_H

#include "scene/model.h"

/* Each fills in the shape of a wall, and returns NULL or what is wrong. */
const char *scene_cone_wall(const SceneConeWallSpec *spec, ScreeWallDef *def);
const char *scene_disc_wall(const SceneDiscSpec *spec, ScreeWallDef *def);
const char *scene_plate_wall(const SceneWallPlateSpec *spec, bool turned, ScreeWallDef *def);

#endif
