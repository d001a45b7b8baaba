/* Shapes as the scene writes them: checked, made into outlines, measured. */
#ifndef SCREE_SCENE_MAKE_SHAPES_H
#define SCREE_SCENE_MAKE_SHAPES_H

#include "scene/internal.h"
#include "scene/make/random.h"

/* The shape that the grains of an entry have; NULL when they are round, or a file decides. */
const SceneShapeSpec *scene_shape_of(const Scene *scene, const SceneGrainsSpec *spec);

/* A shape by its name, or NULL after an error. */
const SceneShapeSpec *scene_find_shape(const Scene *scene, const char *name, ScenePlace place,
                                       SceneError *error);

/* A polygon of random->corners.to corners at most; the number of its corners. They are those of the
 * circle; size and centroid are left to the caller. */
int scene_draw_corners(const SceneRandomPolygonSpec *spec, SceneRandom *random, ScreeVec3 *corner);

/* Multiplies every length of a definition. */
void scene_scale_shape(ScreeShapePart *part, size_t parts, ScreeVec3 *corner, double scale);

#endif
