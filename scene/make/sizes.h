/* Distributions of radii. */
#ifndef SCREE_SCENE_MAKE_SIZES_H
#define SCREE_SCENE_MAKE_SIZES_H

#include "scene/model.h"
#include "scene/make/random.h"

/* A radius by its distribution; a list gives its number `k`. */
double scene_draw_radius(const SceneSizes *sizes, SceneRandom *random, size_t k);

#endif
