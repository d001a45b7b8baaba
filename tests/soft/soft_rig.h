/* What the tests of the soft engine share. */
#ifndef SCREE_TESTS_SOFT_RIG_H
#define SCREE_TESTS_SOFT_RIG_H

#include "physics/rig.h"

static const ScreeIntegrator soft_integrators[] = {SCREE_INTEGRATOR_VELOCITY_VERLET,
                                                   SCREE_INTEGRATOR_VERLET};

static inline ScreeLaw soft_law(double stiffness, double restitution, double friction) {
    ScreeLaw law = scree_law_default();
    law.stiffness = stiffness;
    law.restitution = restitution;
    law.friction = friction;
    return law;
}

static inline ScreeWorldDef soft_def(int dimension, double time_step, ScreeVec3 gravity) {
    ScreeWorldDef def = scree_world_def_default();
    def.engine = SCREE_ENGINE_SOFT;
    def.dimension = dimension;
    def.time_step = time_step;
    def.gravity = gravity;
    return def;
}

static inline void soft_material(ScreeWorld *world, const ScreeLaw *law) {
    ScreeMaterialDef def = scree_material_def_default();
    def.law = *law;
    rig_must(scree_world_add_material(world, &def, NULL), "material");
}

/* With one material, number 0. */
static inline ScreeWorld *soft_world(const ScreeWorldDef *def, const ScreeLaw *law) {
    ScreeWorld *world = rig_create(def);
    soft_material(world, law);
    return world;
}

/* Duration of a head-on collision with the damping ratio z, in units of sqrt(m* / k): from first
 * touch until N = k d + c d' has come down to zero. */
static inline double soft_phase(double z) {
    return z == 0 ? RIG_PI : z == 1 ? 2 : 2 * acos(z) / sqrt(1 - z * z);
}

/* Kinetic energy, summed by the test itself. */
static inline double soft_kinetic(const ScreeWorld *world) {
    ScreeBodyView b = scree_world_get_bodies(world);
    double twice = 0;
    for (size_t i = 0; i < b.count; i++) {
        twice += b.mass[i] * rig_dot(b.velocity[i], b.velocity[i]) +
                 b.inertia[i] * rig_dot(b.spin[i], b.spin[i]);
    }
    return 0.5 * twice;
}

typedef struct SoftMomenta {
    ScreeVec3 linear, angular;
    double scale_linear, scale_angular; /* sums of the sizes of the parts */
} SoftMomenta;

static inline SoftMomenta soft_momenta(const ScreeWorld *world) {
    ScreeBodyView b = scree_world_get_bodies(world);
    SoftMomenta m = {0};
    for (size_t i = 0; i < b.count; i++) {
        ScreeVec3 orbital = rig_scale(b.mass[i], rig_cross(b.position[i], b.velocity[i]));
        m.linear = rig_add(m.linear, b.mass[i], b.velocity[i]);
        m.angular = rig_add(rig_add(m.angular, 1, orbital), b.inertia[i], b.spin[i]);
        m.scale_linear += b.mass[i] * rig_length(b.velocity[i]);
        m.scale_angular += rig_length(orbital) + b.inertia[i] * rig_length(b.spin[i]);
    }
    return m;
}

/* Bodies that nothing holds keep their momentum to rounding, and their angular momentum where space
 * has a middle. Gives the number of contacts that pushed, over all steps. */
static inline int soft_check_momenta(ScreeWorld *world, int steps, bool angular) {
    SoftMomenta before = soft_momenta(world);
    int hits = 0;
    for (int i = 0; i < steps; i++) {
        hits += (int)rig_step(world).active;
    }
    SoftMomenta after = soft_momenta(world);
    CHECK_VEC(after.linear, before.linear, 1e-12 * before.scale_linear);
    if (angular) {
        CHECK_VEC(after.angular, before.angular, 1e-11 * before.scale_angular);
    }
    return hits;
}

#endif
