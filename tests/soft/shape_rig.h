/* Bodies with shapes, for the tests of the soft engine. */
#ifndef SCREE_TESTS_SOFT_SHAPE_RIG_H
#define SCREE_TESTS_SOFT_SHAPE_RIG_H

#include "soft_rig.h"

static inline int32_t shape_add(ScreeWorld *world, const ScreeVec3 *corner, int32_t count,
                                double rounding) {
    const ScreeShapePart part = {count, rounding};
    const ScreeShapeDef def = {&part, 1, corner};
    ScreeShapeId id;
    rig_must(scree_world_add_shape(world, &def, &id), "shape");
    return id.index;
}

static inline int32_t shape_box(ScreeWorld *world, double half_x, double half_y, double rounding) {
    const ScreeVec3 c[4] = {
        {-half_x, -half_y, 0}, {half_x, -half_y, 0}, {half_x, half_y, 0}, {-half_x, half_y, 0}};
    return shape_add(world, c, 4, rounding);
}

/* An L with arms of length 1 and width w: not convex, and not symmetric. */
static inline int32_t shape_angle(ScreeWorld *world, double w, double rounding) {
    const ScreeVec3 c[6] = {{0, 0, 0}, {1, 0, 0}, {1, w, 0}, {w, w, 0}, {w, 0.8, 0}, {0, 0.8, 0}};
    return shape_add(world, c, 6, rounding);
}

static inline int32_t shape_disk(ScreeWorld *world, double radius) {
    const ScreeVec3 middle = {0, 0, 0};
    return shape_add(world, &middle, 1, radius);
}

/* A rounded triangle, a disk and a rod as one. */
static inline int32_t shape_compound(ScreeWorld *world) {
    const ScreeShapePart part[3] = {{3, 0.05}, {1, 0.25}, {2, 0.1}};
    const ScreeVec3 corner[6] = {{-0.4, -0.2, 0}, {0, -0.2, 0},    {-0.3, 0.3, 0},
                                 {0.2, 0.1, 0},   {-0.1, -0.1, 0}, {0.5, -0.3, 0}};
    const ScreeShapeDef def = {part, 3, corner};
    ScreeShapeId id;
    rig_must(scree_world_add_shape(world, &def, &id), "shape");
    return id.index;
}

static inline ScreeBodyDef shape_body(int32_t shape, ScreeVec3 position, double angle) {
    ScreeBodyDef def = scree_body_def_default();
    def.shape.index = shape;
    def.position = position;
    def.orientation = rig_turn_z(angle);
    return def;
}

static inline double shape_angle_of(const ScreeWorld *world, int32_t body) {
    ScreeQuat q = scree_world_get_bodies(world).orientation[body];
    return 2 * atan2(q.z, q.w);
}

static inline void shape_run(ScreeWorld *world, double time) {
    double end = scree_world_get_time(world) + time;
    while (scree_world_get_time(world) < end) {
        rig_step(world);
    }
}

#endif
