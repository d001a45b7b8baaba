/* The laws of contacts in a scene: the numbers of SCREE_LAW_MAP, under the same names. */
#ifndef SCREE_SCENE_MAKE_LAWS_H
#define SCREE_SCENE_MAKE_LAWS_H

#include "scene/internal.h"

/* Adds materials and laws of pairs to the world, checked together: what a pair does not specify
 * follows from its two materials. */
bool scene_add_materials(const Scene *scene, ScreeWorld *world, SceneError *error);

/* Carries out an event that sets the friction of a material or of a pair, and writes the line of
 * news about it. */
ScreeStatus scene_set_friction(const Scene *scene, const SceneSetFrictionSpec *set,
                               ScreeWorld *world, char *news, size_t size);

#endif
