/* The laws of contacts in a scene: they are the numbers of SCREE_LAW_MAP, by the same names. */
#ifndef SCREE_SCENE_MAKE_LAWS_H
#define SCREE_SCENE_MAKE_LAWS_H

#include "scene/internal.h"

/* The materials and the laws of pairs into the world, checked together: what a pair does not say
 * follows from its two materials. */
bool scene_add_materials(const Scene *scene, ScreeWorld *world, SceneError *error);

/* An event that sets the friction of one material or of a pair, and the line of news about it. */
ScreeStatus scene_set_friction(const Scene *scene, const SceneSetFrictionSpec *set,
                               ScreeWorld *world, char *news, size_t size);

#endif
