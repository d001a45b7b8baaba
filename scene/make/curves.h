/* Curved shapes of a scene: NURBS, ellipses, the library of grains. */
#ifndef SCREE_SCENE_MAKE_CURVES_H
#define SCREE_SCENE_MAKE_CURVES_H

#include "scene/internal.h"

enum { LIBRARY_SHAPES = 16 };

/* Makes, checks and measures spec->curve for an entry that has one. */
bool scene_make_curves(Scene *scene, SceneShapeSpec *spec, const char *owner, SceneError *error);

/* curve_arrays.c: room for the arrays of a curve; false when out of memory. */
bool scene_new_curve(SceneArena *arena, int32_t degree, size_t points, ScreeNurbs *curve);

/* A copy with all lengths multiplied by `scale`. */
bool scene_copy_curve(SceneArena *arena, const ScreeNurbs *from, double scale, ScreeNurbs *to);

/* Measures a curve. shape->def becomes the polygon through its nodes, in the arena, whose rounding
 * is the room that the curve may take beyond it. SCREE_NO_MEMORY, or what the library says. */
ScreeStatus scene_measure_curve(SceneArena *arena, const ScreeNurbs *curve, ScreeShape *shape,
                                char *message);

/* library.c: a shape of the library (number from 0), of mean diameter 1, about its centroid. */
bool scene_library_curve(SceneArena *arena, SceneLibrary set, int number, ScreeNurbs *curve);

/* point_file.c: the control points of a file that a scene names, in the arena. */
typedef struct ScenePointFile {
    ScreeVec3 *point;
    double *weight;
    size_t count;
} ScenePointFile;

bool scene_read_points(Scene *scene, const SceneHead *head, const char *name, int dimension,
                       ScenePointFile *file, SceneError *error);

#endif
