/* Curves in the memory of a scene. */
#include "scene/make/curves.h"

#include "math/vec.h"

#include <string.h>

bool scene_new_curve(SceneArena *arena, int32_t degree, size_t points, ScreeNurbs *curve) {
    size_t knots = points + (size_t)degree + 1;
    ScreeVec3 *point = scene_alloc(arena, points, sizeof *point);
    double *weight = scene_alloc(arena, points, sizeof *weight);
    double *knot = scene_alloc(arena, knots, sizeof *knot);
    *curve = (ScreeNurbs){degree, points, knots, point, weight, knot};
    return point && weight && knot;
}

bool scene_copy_curve(SceneArena *arena, const ScreeNurbs *from, double factor, ScreeNurbs *to) {
    if (!scene_new_curve(arena, from->degree, from->points, to)) {
        return false;
    }
    ScreeVec3 *point = (ScreeVec3 *)to->point;
    for (size_t k = 0; k < from->points; k++) {
        point[k] = scale(factor, from->point[k]);
    }
    memcpy((double *)to->weight, from->weight, from->points * sizeof *from->weight);
    memcpy((double *)to->knot, from->knot, from->knots * sizeof *from->knot);
    return true;
}

ScreeStatus scene_measure_curve(SceneArena *arena, const ScreeNurbs *curve, ScreeShape *shape,
                                char *message) {
    size_t corners = 0;
    ScreeStatus status = scree_nurbs_measure(curve, shape, NULL, &corners, message);
    if (status != SCREE_OK) {
        return status;
    }
    ScreeShapePart *part = scene_alloc(arena, 1, sizeof *part);
    ScreeVec3 *corner = scene_alloc(arena, corners, sizeof *corner);
    if (!part || !corner) {
        return SCREE_NO_MEMORY;
    }
    status = scree_nurbs_measure(curve, shape, corner, &corners, message);
    *part = (ScreeShapePart){(int32_t)corners, 8e-4 * shape->radius};
    shape->def = (ScreeShapeDef){part, 1, corner};
    return status;
}
