/* Solids for the physics tests. */
#ifndef SCREE_TESTS_SOLID_RIG_H
#define SCREE_TESTS_SOLID_RIG_H

#include "physics/rig.h"

#include "math/elementary.h"

/* The hull of some points as a shape. */
static inline ScreeShapeId rig_hull(ScreeWorld *world, const ScreeVec3 *vertex, size_t vertices,
                                    double rounding) {
    const ScreeSolidPart part = {.vertices = vertices, .rounding = rounding};
    const ScreeSolidDef def = {&part, 1, vertex, NULL, NULL};
    ScreeShapeId id;
    rig_must(scree_world_add_solid(world, &def, &id), "solid");
    return id;
}

/* A box about the origin with these sides. */
static inline ScreeShapeId rig_box(ScreeWorld *world, double x, double y, double z) {
    ScreeVec3 vertex[8];
    for (int k = 0; k < 8; k++) {
        vertex[k] = rig_vec(k & 1 ? x / 2 : -x / 2, k & 2 ? y / 2 : -y / 2, k & 4 ? z / 2 : -z / 2);
    }
    return rig_hull(world, vertex, 8, 0);
}

/* An outline in x and z, counterclockwise seen from -y, drawn out from -width to width along y. */
static inline ScreeShapeId rig_drawn_out(ScreeWorld *world, const double (*outline)[2], int n,
                                         double width) {
    ScreeVec3 vertex[32];
    int32_t corners[32], corner[128];
    int faces = 0, at = 0;
    for (int k = 0; k < n; k++) {
        vertex[k] = rig_vec(outline[k][0], -width, outline[k][1]);
        vertex[k + n] = rig_vec(outline[k][0], width, outline[k][1]);
    }
    for (int end = 0; end < 2; end++) {
        corners[faces++] = n;
        for (int k = 0; k < n; k++) {
            corner[at++] = end == 0 ? k : 2 * n - 1 - k;
        }
    }
    for (int k = 0; k < n; k++) {
        const int next = (k + 1) % n, side[4] = {next, k, k + n, next + n};
        corners[faces++] = 4;
        memcpy(corner + at, side, sizeof side);
        at += 4;
    }
    const ScreeSolidPart part = {.vertices = 2 * (size_t)n, .faces = (size_t)faces};
    const ScreeSolidDef def = {&part, 1, vertex, corners, corner};
    ScreeShapeId id;
    rig_must(scree_world_add_solid(world, &def, &id), scree_world_get_message(world));
    return id;
}

static inline ScreeQuat rig_rotation(ScreeVec3 axis, double angle) {
    double s = scr_sin(angle / 2) / rig_length(axis);
    return (ScreeQuat){scr_cos(angle / 2), s * axis.x, s * axis.y, s * axis.z};
}

/* About any axis, by up to an angle. */
static inline ScreeQuat rig_random_rotation(uint64_t *random, double most) {
    ScreeVec3 axis = rig_random_vec(random, 1, 3);
    return rig_rotation(axis, most * rig_random(random));
}

static inline ScreeVec3 rig_rotate(ScreeQuat q, ScreeVec3 a) {
    ScreeVec3 u = rig_vec(q.x, q.y, q.z), t = rig_scale(2, rig_cross(u, a));
    return rig_add(rig_add(a, q.w, t), 1, rig_cross(u, t));
}

static inline int32_t rig_add_solid(ScreeWorld *world, ScreeShapeId shape, ScreeVec3 position,
                                    ScreeQuat orientation) {
    ScreeBodyDef def = scree_body_def_default();
    def.shape = shape;
    def.position = position;
    def.orientation = orientation;
    return rig_add_body(world, &def);
}

static const ScreeQuat rig_upright = {1, 0, 0, 0};

/* One rotation after another. */
static inline ScreeQuat rig_compose(ScreeQuat last, ScreeQuat first) {
    return (ScreeQuat){last.w * first.w - last.x * first.x - last.y * first.y - last.z * first.z,
                       last.w * first.x + last.x * first.w + last.y * first.z - last.z * first.y,
                       last.w * first.y - last.x * first.z + last.y * first.w + last.z * first.x,
                       last.w * first.z + last.x * first.y - last.y * first.x + last.z * first.w};
}

#endif
