/* Orientations of bodies in space. */
#ifndef SCREE_SCENE_MAKE_ORIENTATION_H
#define SCREE_SCENE_MAKE_ORIENTATION_H

#include "scene/model.h"
#include "scene/make/random.h"

/* Draws one, all being equally likely; of a list it takes number `k`. */
ScreeQuat scene_draw_orientation(const SceneOrientation *orientation, SceneRandom *random,
                                 size_t k);

/* A rotation about z, as in the plane. */
ScreeQuat scene_turn_in_plane(double angle);

#endif
