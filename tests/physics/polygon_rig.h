/* Shortcuts to polygons for the physics tests. */
#ifndef SCREE_TESTS_POLYGON_RIG_H
#define SCREE_TESTS_POLYGON_RIG_H

#include "rig.h"

static inline int32_t rig_add_polygon_shape(ScreeWorld *world, const ScreeVec3 *corner,
                                            int32_t corners, double rounding) {
    const ScreeShapePart part = {corners, rounding};
    const ScreeShapeDef def = {&part, 1, corner};
    ScreeShapeId id;
    rig_must(scree_world_add_shape(world, &def, &id), scree_world_get_message(world));
    return id.index;
}

static inline int32_t rig_add_rectangle_shape(ScreeWorld *world, double width, double height) {
    const double x = 0.5 * width, y = 0.5 * height;
    const ScreeVec3 corner[4] = {{-x, -y, 0}, {x, -y, 0}, {x, y, 0}, {-x, y, 0}};
    return rig_add_polygon_shape(world, corner, 4, 0);
}

static inline ScreeBodyDef rig_shaped(int32_t shape, ScreeVec3 position, double angle) {
    ScreeBodyDef def = scree_body_def_default();
    def.shape.index = shape;
    def.position = position;
    def.orientation = rig_turn_z(angle);
    return def;
}

static inline int32_t rig_add_shaped(ScreeWorld *world, int32_t shape, ScreeVec3 position,
                                     double angle) {
    ScreeBodyDef def = rig_shaped(shape, position, angle);
    return rig_add_body(world, &def);
}

/* A body placed where its corners are. */
static inline int32_t rig_add_polygon(ScreeWorld *world, const ScreeVec3 *corner, int32_t corners) {
    int32_t shape = rig_add_polygon_shape(world, corner, corners, 0);
    ScreeShape measured;
    rig_must(scree_shape_get(world, (ScreeShapeId){shape}, &measured), "shape");
    return rig_add_shaped(world, shape, measured.centroid, 0);
}

/* Angle of a body about z, from -pi to pi. */
static inline double rig_angle(const ScreeWorld *world, int32_t body) {
    ScreeQuat q = scree_world_get_bodies(world).orientation[body];
    return 2 * atan2(q.z, q.w);
}

/* Force and torque about its centre that the contacts exerted on a body, over the step. */
typedef struct RigLoad {
    ScreeVec3 force;
    double torque;
    int contacts; /* number of contacts that carry something */
} RigLoad;

static inline RigLoad rig_load(const ScreeWorld *world, int32_t body) {
    ScreeContactView view = scree_world_get_contacts(world);
    RigLoad load = {.torque = 0};
    for (size_t i = 0; i < view.count; i++) {
        const ScreeContact *c = &view.contact[i];
        if ((c->a.index != body && c->b.code != body) || c->state == SCREE_CONTACT_OPEN) {
            continue;
        }
        ScreeVec3 on_b = rig_add(c->tangential_impulse, c->normal_impulse, c->normal);
        ScreeVec3 on = rig_scale((c->b.code == body ? 1 : -1) / view.time_step, on_b);
        ScreeVec3 arm = rig_sub(scree_contact_get_point(world, c),
                                scree_world_get_bodies(world).position[body]);
        load.force = rig_add(load.force, 1, on);
        load.torque += rig_cross(arm, on).z;
        load.contacts++;
    }
    return load;
}

#endif
