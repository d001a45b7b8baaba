/* What bodies with shapes conserve in the soft engine: momentum, angular momentum, energy, and the
 * symmetries of space. */
#include "shape_rig.h"

typedef struct Cloud {
    bool periodic;
    ScreeIntegrator integrator;
    ScreeSoftFriction friction;
    ScreeLaw law;
    double time_step;
    ScreeVec3 drift; /* added to every velocity */
    double angle;    /* the cloud is turned */
    bool reversed;   /* bodies in the opposite order */
} Cloud;

enum { SIDE = 5, GRAINS = SIDE * SIDE, SHAPES = 6 };

/* Sharp and rounded, convex and not, rods, disks, compounds and round bodies that fly towards the
 * middle. */
static ScreeWorld *make(const Cloud *c) {
    ScreeWorldDef def = soft_def(2, c->time_step, rig_vec(0, 0, 0));
    def.soft.integrator = c->integrator;
    def.soft.friction = c->friction;
    if (c->periodic) {
        def.periodic[0] = def.periodic[1] = true;
        def.cell_min = rig_vec(-3.9, -3.9, 0);
        def.cell_max = rig_vec(3.9, 3.9, 0);
    }
    ScreeWorld *world = soft_world(&def, &c->law);
    const ScreeVec3 rod[2] = {{-0.3, 0, 0}, {0.4, 0.1, 0}};
    const int32_t shape[SHAPES] = {shape_box(world, 0.4, 0.3, 0), shape_angle(world, 0.3, 0),
                                   shape_angle(world, 0.2, 0.05), shape_compound(world),
                                   shape_add(world, rod, 2, 0.2), shape_disk(world, 0.4)};
    ScreeBodyDef body[GRAINS];
    uint64_t random = 4;
    for (int i = 0; i < GRAINS; i++) {
        ScreeVec3 x = rig_vec(1.5 * (i % SIDE - 2), 1.5 * (i / SIDE - 2), 0);
        x = rig_add(x, 1, rig_random_vec(&random, 0.02, 2));
        int kind = i % (SHAPES + 1);
        double angle = 6 * rig_random(&random);
        body[i] = shape_body(kind < SHAPES ? shape[kind] : -1, rig_rotate_z(c->angle, x),
                             angle + c->angle);
        body[i].radius = kind < SHAPES ? 0 : 0.35;
        ScreeVec3 v = rig_add(rig_scale(-1, x), 1, rig_random_vec(&random, 1, 2));
        body[i].velocity = rig_add(rig_rotate_z(c->angle, v), 1, c->drift);
        body[i].spin = rig_vec(0, 0, 4 * rig_random(&random) - 2);
    }
    for (int i = 0; i < GRAINS; i++) {
        rig_add_body(world, &body[c->reversed ? GRAINS - 1 - i : i]);
    }
    return world;
}

static ScreeLaw everything(void) {
    ScreeLaw law = soft_law(4e3, 0.6, 0.3);
    law.friction_static = 0.4;
    law.damping_tangential = 0.05;
    law.rolling = 0.1;
    law.cohesion = 0.5;
    law.cohesion_range = 0.02;
    return law;
}

static void momentum_and_angular_momentum_are_kept(void) {
    for (int k = 0; k < 8; k++) {
        Cloud c = {.time_step = 4e-4, .law = everything()};
        c.integrator = soft_integrators[k % 2];
        c.friction = k / 2 % 2 == 0 ? SCREE_SOFT_FRICTION_SPRING : SCREE_SOFT_FRICTION_VISCOUS;
        c.periodic = k / 4 == 1;
        ScreeWorld *world = make(&c);
        CHECK(soft_check_momenta(world, 3000, !c.periodic) > 10000);
        scree_world_destroy(world);
    }
}

/* ---------------------------------------------------------------- energy */

/* Two letters L that hook into each other and part again, without losses. */
static double collision_drift(double rounding, double time_step, ScreeIntegrator integrator,
                              int *points) {
    ScreeLaw law = soft_law(2e4, 1, 0);
    ScreeWorldDef def = soft_def(2, time_step, rig_vec(0, 0, 0));
    def.soft.integrator = integrator;
    ScreeWorld *world = soft_world(&def, &law);
    int32_t shape = shape_angle(world, 0.3, rounding);
    for (int i = 0; i < 2; i++) {
        ScreeBodyDef b = shape_body(shape, rig_vec(1.2 * i, 0.25 * i, 0), i * (RIG_PI + 0.02));
        b.velocity = rig_vec(i == 0 ? 1 : -1, 0.1, 0);
        b.spin = rig_vec(0, 0, i == 0 ? 0.2 : -0.1);
        rig_add_body(world, &b);
    }
    SoftMomenta before = soft_momenta(world);
    double start = soft_kinetic(world), worst = 0;
    *points = 0;
    while (scree_world_get_time(world) < 1.5) {
        ScreeReport r = rig_step(world);
        worst = fmax(worst, fabs(r.kinetic_energy + r.energy_elastic - start));
        *points = r.contacts > *points ? (int)r.contacts : *points;
        CHECK_NEAR(r.dissipation, 0, 1e-13 * start);
    }
    SoftMomenta after = soft_momenta(world);
    CHECK_VEC(after.linear, before.linear, 1e-11 * before.scale_linear); /* 60,000 roundings */
    CHECK_VEC(after.angular, before.angular, 1e-11 * before.scale_angular);
    CHECK(scree_world_get_contacts(world).count == 0);
    scree_world_destroy(world);
    return worst / start;
}

/* The error of the energy falls with the square of the time step. */
static void collision_keeps_energy(void) {
    for (int k = 0; k < 4; k++) {
        double rounding = k % 2 * 0.05;
        int points;
        double coarse = collision_drift(rounding, 2e-4, soft_integrators[k / 2], &points);
        CHECK(points >= 1);
        double fine = collision_drift(rounding, 5e-5, soft_integrators[k / 2], &points);
        double finest = collision_drift(rounding, 1.25e-5, soft_integrators[k / 2], &points);
        double order = log(coarse / finest) / log(16);
        CHECK(coarse < 5e-3 && fine < coarse && finest < fine);
        CHECK(order > 1.7);
    }
}

static double cloud_drift(const Cloud *c) {
    ScreeWorld *world = make(c);
    double before = soft_kinetic(world), now = before;
    while (scree_world_get_time(world) < 1) {
        ScreeReport r = rig_step(world);
        now = r.kinetic_energy + r.energy_elastic;
        CHECK_CLOSE(r.kinetic_energy, soft_kinetic(world), 1e-12);
        CHECK_NEAR(r.dissipation, 0, 1e-12 * before);
    }
    scree_world_destroy(world);
    return now / before - 1;
}

static void cloud_keeps_energy(void) {
    for (int k = 0; k < 4; k++) {
        Cloud c = {.law = soft_law(4e4, 1, 0), .integrator = soft_integrators[k % 2]};
        c.law.modulus = k / 2 == 1 ? 2e4 : 0;
        c.time_step = 1e-4;
        CHECK_NEAR(cloud_drift(&c), 0, 3e-3);
        c.time_step = 2e-5;
        CHECK_NEAR(cloud_drift(&c), 0, 3e-4);
    }
}

/* The reports add up, and what is left over is small. */
static void reports_add_up(void) {
    for (int k = 0; k < 8; k++) {
        Cloud c = {.time_step = 5e-5};
        c.friction = k % 2 == 0 ? SCREE_SOFT_FRICTION_SPRING : SCREE_SOFT_FRICTION_VISCOUS;
        c.law = k / 2 % 2 == 0 ? everything() : soft_law(4e4, 0.3, 0.5);
        c.law.modulus = k / 4 == 1 ? 2e4 : 0;
        ScreeWorld *world = make(&c);
        double start = soft_kinetic(world), lost = 0, error = 0, last = 0;
        for (int i = 0; i < 20000; i++) {
            ScreeReport r = rig_step(world);
            lost += r.dissipation;
            error += r.energy_error;
            last = r.kinetic_energy + r.energy_elastic;
            CHECK(r.dissipation >= -1e-9 * start);
        }
        CHECK_NEAR(last, start - lost + error, 1e-9 * start);
        CHECK_NEAR(error, 0, 2e-3 * lost);
        CHECK(lost > 0.2 * start);
        scree_world_destroy(world);
    }
}

/* ---------------------------------------------------------------- symmetry */

static void compare(const Cloud *a, const Cloud *b, int steps, double tolerance) {
    ScreeWorld *one = make(a), *other = make(b);
    int hits = 0;
    for (int i = 0; i < steps; i++) {
        hits += (int)rig_step(one).active;
        rig_step(other);
    }
    CHECK(hits > 1000);
    ScreeBodyView p = scree_world_get_bodies(one), q = scree_world_get_bodies(other);
    for (size_t i = 0; i < p.count; i++) {
        size_t j = b->reversed ? p.count - 1 - i : i;
        ScreeVec3 shift = rig_scale(scree_world_get_time(one), b->drift);
        ScreeVec3 x = rig_add(rig_rotate_z(b->angle, p.position[i]), 1, shift);
        CHECK_VEC(q.position[j], x, tolerance);
        ScreeVec3 v = rig_add(rig_rotate_z(b->angle, p.velocity[i]), 1, b->drift);
        CHECK_VEC(q.velocity[j], v, 10 * tolerance);
        CHECK_NEAR(q.spin[j].z, p.spin[i].z, 30 * tolerance);
    }
    scree_world_destroy(one);
    scree_world_destroy(other);
}

/* The order of bodies, the direction of the axes and a common velocity change nothing. */
static void order_axes_and_drift_change_nothing(void) {
    for (int k = 0; k < 4; k++) {
        Cloud a = {.time_step = 4e-4, .integrator = soft_integrators[k % 2]};
        a.law = k / 2 == 0 ? soft_law(4e3, 0.6, 0.4) : everything();
        Cloud b = a;
        b.reversed = true;
        compare(&a, &b, 1000, 1e-8);
        b = a;
        b.angle = 0.7;
        compare(&a, &b, 1000, 1e-8);
        b = a;
        b.drift = rig_vec(0.3, -0.2, 0);
        compare(&a, &b, 1000, 1e-8);
    }
}

int main(int argc, char **argv) {
    CHECK_RUN(momentum_and_angular_momentum_are_kept);
    CHECK_RUN(collision_keeps_energy);
    CHECK_RUN(cloud_keeps_energy);
    CHECK_RUN(reports_add_up);
    CHECK_RUN(order_axes_and_drift_change_nothing);
    return check_result();
}
