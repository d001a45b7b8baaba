/* Smooth bodies for the tests. */
#ifndef SCREE_TESTS_SMOOTH_RIG_H
#define SCREE_TESTS_SMOOTH_RIG_H

#include "physics/solid_rig.h"

static inline ScreeShapeId rig_smooth(ScreeWorld *world, const ScreeSolidPart *part,
                                      const ScreeVec3 *vertex) {
    const ScreeSolidDef def = {part, 1, vertex, NULL, NULL};
    ScreeShapeId id;
    rig_must(scree_world_add_solid(world, &def, &id), scree_world_get_message(world));
    return id;
}

static inline ScreeShapeId rig_superellipsoid(ScreeWorld *world, ScreeVec3 lengths, double q,
                                              double p) {
    const ScreeSolidPart part = {.vertices = 4, .kind = SCREE_PART_ELLIPSOID, .form = {q, p}};
    ScreeVec3 vertex[4];
    scree_solid_make_ellipsoid(lengths, vertex);
    return rig_smooth(world, &part, vertex);
}

static inline ScreeShapeId rig_ellipsoid(ScreeWorld *world, double x, double y, double z) {
    return rig_superellipsoid(world, rig_vec(x, y, z), 0, 0);
}

static inline ScreeShapeId rig_cone(ScreeWorld *world, double r0, double r1, double height,
                                    double rounding) {
    const ScreeSolidPart part = {
        .vertices = 2, .rounding = rounding, .kind = SCREE_PART_CONE, .form = {r0, r1}};
    ScreeVec3 vertex[2];
    scree_solid_make_cylinder(height, vertex);
    return rig_smooth(world, &part, vertex);
}

#endif
