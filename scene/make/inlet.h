/* The grains of inlets: what each is follows from the seed, the inlet and its number alone. */
#ifndef SCREE_SCENE_MAKE_INLET_H
#define SCREE_SCENE_MAKE_INLET_H

#include "scene/internal.h"

/* One of the shapes that the grains of an inlet may have. */
typedef struct SceneInletShape {
    ScreeShapeId id;
    double radius, volume;
} SceneInletShape;

/* Adds the shapes of all inlets to the world, before the run begins. */
bool scene_add_inlet_shapes(Scene *scene, ScreeWorld *world, SceneError *error);

/* Grain number k of an inlet without its place; `amount` receives what counts of it for the rate: 1,
 * its mass or its volume. */
ScreeBodyDef scene_inlet_grain(const Scene *scene, size_t inlet, int64_t k, double *amount);

/* The largest radius that its grains may have. */
double scene_inlet_largest(const Scene *scene, size_t inlet);

#endif
