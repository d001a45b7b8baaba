/* Whether the outlines of grains are clear of each other and of walls. */
#ifndef SCREE_SCENE_MAKE_CLEAR_H
#define SCREE_SCENE_MAKE_CLEAR_H

#include "scene/make/batch.h"

/* The box around a grain, relative to its centre. */
void scene_grain_box(const SceneForms *forms, const SceneGrain *grain, double low[3],
                     double high[3]);

/* For two grains whose circles overlap; `d` leads from the centre of a to that of b. */
bool scene_outlines_clear(const SceneForms *forms, const SceneGrain *a, const SceneGrain *b,
                          ScreeVec3 d);

/* From `x` to the surface of the wall; negative on the wrong side. A cylinder from inside counts as
 * a container: between its ends the outside is the wrong side. */
double scene_wall_distance(const ScreeWallDef *wall, ScreeVec3 x);

/* Planes, and cylinders from inside, by the corners; other walls by the circle around the grain. */
bool scene_clear_of_wall(const SceneForms *forms, const ScreeWallDef *wall,
                         const SceneGrain *grain);

#endif
