/* Inlets and outlets during a run. */
#ifndef SCREE_SCENE_PLAY_GATES_H
#define SCREE_SCENE_PLAY_GATES_H

#include "scene/internal.h"

/* Removes what has reached an outlet, then adds what is due at inlets and finds room. */
bool scene_pass_gates(Scene *scene, ScreeWorld *world, SceneError *error);

/* check_gates.c: what a gate needs, and what cannot be combined. */
bool scene_check_gates(Scene *scene, SceneError *error);

#endif
