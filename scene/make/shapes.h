/* Shapes as written in the scene: checked, made into outlines or solids, measured. */
#ifndef SCREE_SCENE_MAKE_SHAPES_H
#define SCREE_SCENE_MAKE_SHAPES_H

#include "scene/internal.h"
#include "scene/make/random.h"

/* The shape of an entry's grains; NULL when they are round or a file decides. */
const SceneShapeSpec *scene_shape_of(const Scene *scene, const SceneGrainsSpec *spec);

/* Whether a checked shape is one; that of an entry of grains need not be. */
bool scene_has_form(const SceneShapeSpec *shape);

/* A shape by its name, or NULL after an error. */
const SceneShapeSpec *scene_find_shape(const Scene *scene, const char *name, SceneLocation location,
                                       SceneError *error);

/* Draws a polygon of at most random->corners.to corners and returns their number. They lie on the
 * circle; size and centroid are left to the caller. */
int scene_draw_corners(const SceneRandomPolygonSpec *spec, SceneRandom *random, ScreeVec3 *corner);

/* Multiplies every length of a definition. */
void scene_scale_shape(ScreeShapePart *part, size_t parts, ScreeVec3 *corner, double scale);

#endif
