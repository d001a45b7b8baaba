/* What drives walls during a run: programmes of their own, or those of the last event that drove them. */
#ifndef SCREE_SCENE_PLAY_DRIVES_H
#define SCREE_SCENE_PLAY_DRIVES_H

#include "scene/internal.h"

/* What an event does to walls; told as news. */
ScreeStatus scene_set_wall_velocity(Scene *scene, int32_t event, ScreeWorld *world);
ScreeStatus scene_set_wall_force(Scene *scene, int32_t event, ScreeWorld *world);
ScreeStatus scene_set_piston(Scene *scene, int32_t event, ScreeWorld *world);

#endif
