/* Whether solids are clear of each other and of walls. */
#ifndef SCREE_SCENE_MAKE_SOLID_CLEAR_H
#define SCREE_SCENE_MAKE_SOLID_CLEAR_H

#include "scene/make/batch.h"

bool scene_is_solid(const SceneForms *forms, const SceneGrain *grain);

/* The box around a solid, relative to its centre. */
void scene_solid_box(const SceneForms *forms, const SceneGrain *grain, double low[3],
                     double high[3]);

/* True only if a plane along a face of either, or across the line between the centres, has the two
 * on different sides: solids that only a plane along two edges parts count as touching. `d` leads
 * from the centre of a to that of b; one of the two may be a sphere. */
bool scene_solids_clear(const SceneForms *forms, const SceneGrain *a, const SceneGrain *b,
                        ScreeVec3 d);

/* By the vertices, for a wall whose distance is least at one. */
bool scene_solid_clear_of_wall(const SceneForms *forms, const ScreeWallDef *wall,
                               const SceneGrain *grain);

#endif
