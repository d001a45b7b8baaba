/* Distributions of radii. */
#ifndef SCREE_SCENE_MAKE_SIZES_H
#define SCREE_SCENE_MAKE_SIZES_H

#include "scene/model.h"
#include "scene/make/random.h"

/* Draws a radius from its distribution; of a list it takes number `k`. */
double scene_draw_radius(const SceneSizes *sizes, SceneRandom *random, size_t k);

/* A deviate of mean 0 and variance 1; a SceneSpreadKind. */
double scene_draw_deviate(int kind, SceneRandom *random);

#endif
