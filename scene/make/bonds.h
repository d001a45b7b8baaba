/* From a scene to bonds between grains. */
#ifndef SCREE_SCENE_MAKE_BONDS_H
#define SCREE_SCENE_MAKE_BONDS_H

#include "scene/internal.h"

/* bridges.c: bridges between all that is near, where the scene wants them. */
bool scene_wet_at_start(const Scene *scene, ScreeWorld *world, SceneError *error);

/* Glues what is to be glued at the start; contacts that were taken over from a run keep their bonds. */
bool scene_glue_at_start(const Scene *scene, ScreeWorld *world, SceneError *error);

/* Glues as an entry says; *made becomes the number of new bonds. */
ScreeStatus scene_glue(const Scene *scene, const char *name, ScreeWorld *world, size_t *made);

/* The entry of that name, or NULL. */
const SceneBondSpec *scene_find_bonds(const Scene *scene, const char *name);

#endif
