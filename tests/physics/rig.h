/* What the physics tests share: short ways to set up a world, and a few vector helpers of their
 * own, so that an expectation is not computed by the code that it judges. */
#ifndef SCREE_TESTS_RIG_H
#define SCREE_TESTS_RIG_H

#include "check.h"

#include <scree/scree.h>

#include <stdlib.h>

#define RIG_PI 3.14159265358979323846

static inline ScreeVec3 rig_vec(double x, double y, double z) {
    return (ScreeVec3){x, y, z};
}
static inline ScreeVec3 rig_add(ScreeVec3 a, double s, ScreeVec3 b) {
    return rig_vec(a.x + s * b.x, a.y + s * b.y, a.z + s * b.z);
}
static inline ScreeVec3 rig_sub(ScreeVec3 a, ScreeVec3 b) {
    return rig_add(a, -1, b);
}
static inline ScreeVec3 rig_scale(double s, ScreeVec3 a) {
    return rig_vec(s * a.x, s * a.y, s * a.z);
}
static inline double rig_dot(ScreeVec3 a, ScreeVec3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
static inline ScreeVec3 rig_cross(ScreeVec3 a, ScreeVec3 b) {
    return rig_vec(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
static inline double rig_length(ScreeVec3 a) {
    return sqrt(rig_dot(a, a));
}

/* Numbers in [0, 1) of the tests' own (xorshift), the same on every machine. */
static inline double rig_random(uint64_t *state) {
    uint64_t x = *state;
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    *state = x;
    return (double)(x >> 11) * 0x1p-53;
}
static inline ScreeVec3 rig_random_vec(uint64_t *state, double half, int dimension) {
    double x = half * (2 * rig_random(state) - 1), y = half * (2 * rig_random(state) - 1);
    return rig_vec(x, y, dimension == 3 ? half * (2 * rig_random(state) - 1) : 0);
}

/* A test cannot go on without its world. */
static inline void rig_must(ScreeStatus status, const char *what) {
    if (status != SCREE_OK) {
        fprintf(stderr, "%s: %s\n", what, scree_status_text(status));
        abort();
    }
}

/* Solver accuracy at which one contact is exact to rounding and a few are exact to 1e-12. */
static inline ScreeWorldDef rig_def(int dimension, double time_step, ScreeVec3 gravity) {
    ScreeWorldDef def = scree_default_world();
    def.dimension = dimension;
    def.time_step = time_step;
    def.gravity = gravity;
    def.solver.tolerance = 1e-13;
    def.solver.iterations = 20000;
    return def;
}
static inline ScreeWorld *rig_create(const ScreeWorldDef *def) {
    ScreeWorld *world = NULL;
    rig_must(scree_create_world(def, &world, NULL), "create");
    return world;
}
static inline int32_t rig_material(ScreeWorld *world, double friction) {
    ScreeMaterialDef def = scree_default_material();
    def.law.friction = friction;
    int32_t id = -1;
    rig_must(scree_add_material(world, &def, &id), "material");
    return id;
}
/* A world with one material, number 0. */
static inline ScreeWorld *rig_world(int dimension, double time_step, ScreeVec3 gravity,
                                    double friction) {
    ScreeWorldDef def = rig_def(dimension, time_step, gravity);
    ScreeWorld *world = rig_create(&def);
    rig_material(world, friction);
    return world;
}
static inline ScreeBodyDef rig_ball(ScreeVec3 position, double radius, double mass) {
    ScreeBodyDef def = scree_default_body();
    def.position = position;
    def.radius = radius;
    def.mass = mass;
    return def;
}
static inline int32_t rig_add_body(ScreeWorld *world, const ScreeBodyDef *def) {
    int32_t id = -1;
    rig_must(scree_add_bodies(world, def, 1, &id), "body");
    return id;
}
static inline int32_t rig_add_ball(ScreeWorld *world, ScreeVec3 position, double radius,
                                   double mass) {
    ScreeBodyDef def = rig_ball(position, radius, mass);
    return rig_add_body(world, &def);
}
static inline ScreeWallDef rig_plane(ScreeVec3 point, ScreeVec3 normal) {
    ScreeWallDef def = scree_default_wall();
    def.point = point;
    def.normal = normal;
    return def;
}
static inline int32_t rig_add_wall(ScreeWorld *world, const ScreeWallDef *def) {
    int32_t id = -1;
    rig_must(scree_add_wall(world, def, &id), "wall");
    return id;
}
static inline int32_t rig_add_plane(ScreeWorld *world, ScreeVec3 point, ScreeVec3 normal) {
    ScreeWallDef def = rig_plane(point, normal);
    return rig_add_wall(world, &def);
}
static inline ScreeReport rig_step(ScreeWorld *world) {
    ScreeReport report;
    rig_must(scree_step(world, &report), scree_message(world));
    return report;
}
static inline ScreeWallState rig_wall(const ScreeWorld *world, int32_t wall) {
    ScreeWallState state;
    rig_must(scree_wall(world, wall, &state), "wall state");
    return state;
}

/* The contact of a pair (a wall w as -1 - w); all zero and open when there is none. */
static inline ScreeContact rig_contact(const ScreeWorld *world, int32_t a, int32_t b) {
    ScreeContactView view = scree_contacts(world);
    for (size_t i = 0; i < view.count; i++) {
        ScreeContact c = view.contact[i];
        if ((c.a == a && c.b == b) || (b >= 0 && c.a == b && c.b == a)) {
            return c;
        }
    }
    return (ScreeContact){.a = a, .b = b};
}

/* Shape factor k of the inertia k m r^2. */
static inline double rig_shape(int dimension) {
    return dimension == 2 ? 0.5 : 0.4;
}

/* Turn about z by an angle, as a quaternion and applied to a vector. */
static inline ScreeQuat rig_turn_z(double angle) {
    return (ScreeQuat){cos(0.5 * angle), 0, 0, sin(0.5 * angle)};
}
static inline ScreeVec3 rig_rotate_z(double angle, ScreeVec3 a) {
    double c = cos(angle), s = sin(angle);
    return rig_vec(c * a.x - s * a.y, s * a.x + c * a.y, a.z);
}

static inline void rig_check_vec(ScreeVec3 a, ScreeVec3 b, double tolerance, const char *file,
                                 int line, const char *text) {
    check_near(a.x, b.x, tolerance, file, line, text);
    check_near(a.y, b.y, tolerance, file, line, text);
    check_near(a.z, b.z, tolerance, file, line, text);
}
/* Every component within an absolute tolerance. */
#define CHECK_VEC(a, b, tolerance)                                                                 \
    rig_check_vec((a), (b), (tolerance), __FILE__, __LINE__, #a " near " #b)

#endif
