/* Whether grains are clear of each other and of walls. */
#ifndef SCREE_SCENE_MAKE_CLEAR_H
#define SCREE_SCENE_MAKE_CLEAR_H

#include "scene/make/batch.h"

/* The box around a grain, relative to its centre. */
void scene_grain_box(const SceneForms *forms, const SceneGrain *grain, double low[3],
                     double high[3]);

/* For two grains whose circles or spheres overlap; `d` leads from the centre of a to that of b. */
bool scene_outlines_clear(const SceneForms *forms, const SceneGrain *a, const SceneGrain *b,
                          ScreeVec3 d);

/* Planes, and cylinders from inside, by the corners; other walls by the circle or sphere around
 * the grain. */
bool scene_clear_of_wall(const SceneForms *forms, const ScreeWallDef *wall,
                         const SceneGrain *grain);

#endif
