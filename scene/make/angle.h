/* Angles of bodies in the plane. */
#ifndef SCREE_SCENE_MAKE_ANGLE_H
#define SCREE_SCENE_MAKE_ANGLE_H

#include "scene/model.h"
#include "scene/make/random.h"

/* Cosine and sine, the same on every machine. */
typedef struct SceneTrig {
    double c, s;
} SceneTrig;

SceneTrig scene_trig(double angle);

/* Draws an angle from its distribution; of a list it takes number `k`. */
double scene_draw_angle(const SceneAngle *angle, SceneRandom *random, size_t k);

#endif
