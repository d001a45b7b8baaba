/* Bodies of the world from the grains of a scene. */
#ifndef SCREE_SCENE_MAKE_GRAINS_H
#define SCREE_SCENE_MAKE_GRAINS_H

#include "scene/make/batch.h"

/* Gives the body its shape, which is added to the world for the first body that has it. */
bool scene_set_shape(Scene *scene, ScreeWorld *world, const SceneGrainsSpec *spec,
                     SceneForms *forms, int32_t form, ScreeBodyDef *body, SceneError *error);

#endif
