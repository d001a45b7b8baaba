/* The time step that a scene of rigid grains leaves open. */
#ifndef SCREE_SCENE_MAKE_TIME_STEP_H
#define SCREE_SCENE_MAKE_TIME_STEP_H

#include "scene/internal.h"

/* [time] A step in which grains, walls and cell move little; a whole number of them lies between two frames. `of` becomes
 * what asks for so short a one, in words. 0 where nothing does. */
double scene_time_step(const Scene *scene, const ScreeWorld *world, const char **of);

#endif
