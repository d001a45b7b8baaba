/* What the soft engine must conserve: momentum, angular momentum, energy, and the symmetries of
 * space. */
#include "soft_rig.h"

typedef struct Cloud {
    int dimension;
    bool periodic;
    ScreeIntegrator integrator;
    ScreeSoftFriction friction;
    ScreeLaw law;
    double time_step;
    ScreeVec3 drift; /* added to every velocity */
    double angle;    /* the cloud is turned about z */
    bool reversed;   /* bodies in the opposite order */
} Cloud;

enum { GRAINS = 60 };

/* Grains of many sizes that fly towards the middle. */
static ScreeWorld *make(const Cloud *c) {
    ScreeWorldDef def = soft_def(c->dimension, c->time_step, rig_vec(0, 0, 0));
    def.soft.integrator = c->integrator;
    def.soft.friction = c->friction;
    if (c->periodic) {
        def.periodic[0] = def.periodic[1] = true;
        def.periodic[2] = c->dimension == 3;
        def.cell_min = rig_vec(-1.7, -1.7, -1.7);
        def.cell_max = rig_vec(1.7, 1.7, 1.7);
    }
    ScreeWorld *world = soft_world(&def, &c->law);
    ScreeBodyDef body[GRAINS];
    uint64_t random = 99;
    for (int i = 0; i < GRAINS; i++) {
        int side = c->dimension == 3 ? 4 : 8;
        ScreeVec3 cell =
            rig_vec(i % side, i / side % side, c->dimension == 3 ? i / side / side : 0);
        double step = c->dimension == 3 ? 0.8 : 0.42, middle = -0.5 * step * (side - 1);
        ScreeVec3 x = rig_add(rig_vec(middle, middle, c->dimension == 3 ? middle : 0), step, cell);
        x = rig_add(x, 1, rig_random_vec(&random, 0.01, c->dimension));
        double size = c->dimension == 3 ? 0.26 : 0.15;
        body[i] = rig_ball(rig_rotate_z(c->angle, x), size + 0.04 * rig_random(&random), 0);
        ScreeVec3 v = rig_add(rig_scale(-1.5, x), 1, rig_random_vec(&random, 1, c->dimension));
        body[i].velocity = rig_add(rig_rotate_z(c->angle, v), 1, c->drift);
        ScreeVec3 spin = rig_random_vec(&random, 3, 3);
        body[i].spin = c->dimension == 3 ? rig_rotate_z(c->angle, spin) : rig_vec(0, 0, spin.z);
    }
    for (int i = 0; i < GRAINS; i++) {
        rig_add_body(world, &body[c->reversed ? GRAINS - 1 - i : i]);
    }
    return world;
}

static Cloud standard(int dimension) {
    return (Cloud){
        .dimension = dimension, .law = soft_law(2e3, 0.6, 0.4), .time_step = 5e-4, .angle = 0};
}

static ScreeLaw everything(void) {
    ScreeLaw law = soft_law(2e3, 0.6, 0.3);
    law.friction_static = 0.4;
    law.damping_tangential = 0.05;
    law.rolling = 0.1;
    law.torsion = 0.1;
    law.cohesion = 0.5;
    law.cohesion_range = 0.02;
    return law;
}

/* The midpoint between the surfaces is one point for both bodies, so angular momentum is conserved
 * to rounding, not only as far as overlaps are small. */
static void momentum_and_angular_momentum_are_kept(void) {
    for (int k = 0; k < 16; k++) {
        Cloud c = standard(k % 2 == 0 ? 2 : 3);
        c.periodic = k / 2 % 2 == 1;
        c.integrator = soft_integrators[k / 4 % 2];
        c.friction = k / 8 % 2 == 0 ? SCREE_SOFT_FRICTION_SPRING : SCREE_SOFT_FRICTION_VISCOUS;
        c.law = everything();
        ScreeWorld *world = make(&c);
        CHECK(soft_check_momenta(world, 2000, !c.periodic) > 20000);
        scree_world_destroy(world);
    }
}

/* ---------------------------------------------------------------- energy */

/* Elastic grains with friction so high that nothing slides: energy is only lost at the ends of
 * contacts, where a spring still under tension is released. Without friction none is lost. */
static double energy_drift(const Cloud *c, double time, double *lost) {
    ScreeWorld *world = make(c);
    double before = soft_kinetic(world), now = before;
    *lost = 0;
    while (scree_world_get_time(world) < time) {
        ScreeReport r = rig_step(world);
        now = r.kinetic_energy + r.energy_elastic;
        *lost += r.dissipation;
        CHECK_CLOSE(r.kinetic_energy, soft_kinetic(world), 1e-12);
    }
    scree_world_destroy(world);
    return now / before - 1;
}

static void energy_is_kept_without_losses(void) {
    for (int k = 0; k < 8; k++) {
        Cloud c = standard(k % 2 == 0 ? 2 : 3);
        c.law = soft_law(2e3, 1, 0);
        c.law.modulus = k / 2 % 2 == 1 ? 2e4 : 0;
        c.integrator = soft_integrators[k / 4 % 2];
        double lost, coarse, fine;
        c.time_step = 4e-4;
        coarse = energy_drift(&c, 1, &lost);
        CHECK_NEAR(lost, 0, 1e-12);
        c.time_step = 1e-4;
        fine = energy_drift(&c, 1, &lost);
        CHECK_NEAR(coarse, 0, 5e-3);
        CHECK_NEAR(fine, 0, 5e-4);
    }
}

/* The reports add up: energy now = before + work - dissipation + error, and the error is small. */
static void reports_add_up(void) {
    for (int k = 0; k < 8; k++) {
        Cloud c = standard(k % 2 == 0 ? 2 : 3);
        c.law = k / 2 % 2 == 0 ? everything() : soft_law(2e3, 0.3, 0.5);
        c.law.modulus = k / 4 % 2 == 1 ? 2e4 : 0;
        c.time_step = 5e-5;
        ScreeWorld *world = make(&c);
        double start = soft_kinetic(world), lost = 0, error = 0, parts = 0, last = 0;
        for (int i = 0; i < 10000; i++) {
            ScreeReport r = rig_step(world);
            lost += r.dissipation;
            parts += r.dissipation_normal + r.dissipation_friction + r.dissipation_rolling +
                     r.dissipation_torsion + r.dissipation_cohesion;
            error += r.energy_error;
            last = r.kinetic_energy + r.energy_elastic;
            CHECK(r.dissipation >= -1e-9 * start && r.dissipation_scheme == 0);
            CHECK(r.work_external == 0 && r.work_walls == 0);
        }
        CHECK_CLOSE(parts, lost, 1e-9);
        CHECK_NEAR(last, start - lost + error, 1e-9 * start);
        CHECK_NEAR(error, 0, 5e-4 * lost);
        CHECK(lost > 0.2 * start);
        scree_world_destroy(world);
    }
}

/* ---------------------------------------------------------------- turning with the contact */

/* Two glued balls that turn as one about a skew axis while the tangential spring between them
 * oscillates: no energy is lost, and the spring is neither shortened nor left behind. The bond
 * first needs a moment to come to rest. */
static void springs_turn_with_the_contact(void) {
    double drift[2];
    for (int k = 0; k < 2; k++) {
        ScreeLaw law = soft_law(1e4, 1, 1e6); /* never slides */
        law.cohesion = 1e6;                   /* never parts */
        law.cohesion_range = 1;
        ScreeWorldDef def = soft_def(3, k == 0 ? 4e-4 : 2e-4, rig_vec(0, 0, 0));
        ScreeWorld *world = soft_world(&def, &law);
        ScreeVec3 n = rig_vec(2.0 / 7, 3.0 / 7, 6.0 / 7), turn = rig_vec(1.5, -2, 3);
        for (int i = 0; i < 2; i++) {
            double side = i == 0 ? -1 : 1;
            ScreeBodyDef b = rig_ball(rig_scale((0.5 - 1e-9) * side, n), 0.5, 1);
            b.velocity = rig_cross(turn, b.position);
            b.spin = rig_add(turn, side, rig_vec(0.3, 0.2, -0.2)); /* and oscillate */
            rig_add_body(world, &b);
        }
        double least = INFINITY, most = 0, lost = 0;
        int steady = 0;
        while (scree_world_get_time(world) < 10) { /* six turns */
            ScreeReport r = rig_step(world);
            double energy = r.kinetic_energy + r.energy_elastic;
            steady += r.bonds == 1 && r.active == 1 && r.sliding == 0;
            if (scree_world_get_time(world) > 1) {
                least = fmin(least, energy);
                most = fmax(most, energy);
                lost += r.dissipation;
            }
        }
        drift[k] = (most - least) / most;
        CHECK(steady == (int)scree_world_get_step_count(world));
        CHECK_NEAR(lost, 0, 1e-4 * most);
        scree_world_destroy(world);
    }
    CHECK(drift[0] < 1e-4 && drift[1] < 1e-4);
}

/* A loaded spring in a pair that turns about its own normal turns along: in the frame of the pair
 * nothing changes. */
static void springs_turn_about_the_normal(void) {
    ScreeLaw law = soft_law(1e4, 1, 1e6);
    ScreeWorldDef def = soft_def(3, 1e-4, rig_vec(0, 0, 0));
    ScreeWorld *world = soft_world(&def, &law);
    for (int i = 0; i < 2; i++) { /* spinning in the same sense, they slip along y */
        ScreeBodyDef b = rig_ball(rig_vec(0, 0, 0.99 * i), 0.5, 1);
        b.frozen = SCREE_FREEZE_ALL;
        b.spin = rig_vec(0.1, 0, 0);
        rig_add_body(world, &b);
    }
    for (int i = 0; i < 100; i++) {
        rig_step(world);
    }
    /* both surfaces move at 0.1 x 0.495 apart */
    ScreeVec3 loaded = rig_scale(1e4, rig_contact(world, 0, 1).tangential_impulse);
    CHECK_NEAR(loaded.x, 0, 1e-12);
    CHECK_CLOSE(fabs(loaded.y), 2.0 / 7 * 1e4 * 2 * 0.1 * 0.495 * 0.01, 1e-2);
    for (int i = 0; i < 2; i++) {
        ScreeVec3 spin = rig_vec(0, 0, RIG_PI / 2);
        rig_must(scree_body_set_velocity(world, (ScreeBodyId){i}, rig_vec(0, 0, 0), spin),
                 "velocity");
    }
    for (int i = 0; i < 10000; i++) { /* a quarter of a turn */
        rig_step(world);
    }
    ScreeVec3 turned = rig_scale(1e4, rig_contact(world, 0, 1).tangential_impulse);
    CHECK_VEC(turned, rig_rotate_z(RIG_PI / 2, loaded), 1e-3 * fabs(loaded.y));
    scree_world_destroy(world);
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
        size_t j = a->reversed != b->reversed ? p.count - 1 - i : i;
        ScreeVec3 shift = rig_scale(scree_world_get_time(one), b->drift);
        ScreeVec3 x = rig_add(rig_rotate_z(b->angle, p.position[i]), 1, shift);
        CHECK_VEC(q.position[j], x, tolerance);
        ScreeVec3 v = rig_add(rig_rotate_z(b->angle, p.velocity[i]), 1, b->drift);
        CHECK_VEC(q.velocity[j], v, 10 * tolerance);
        CHECK_VEC(q.spin[j], rig_rotate_z(b->angle, p.spin[i]), 30 * tolerance);
    }
    scree_world_destroy(one);
    scree_world_destroy(other);
}

/* The order of bodies, the direction of the axes and a common velocity change nothing. */
static void order_axes_and_drift_change_nothing(void) {
    for (int k = 0; k < 8; k++) {
        Cloud a = standard(k % 2 == 0 ? 2 : 3);
        a.integrator = soft_integrators[k / 2 % 2];
        a.law = k / 4 % 2 == 0 ? soft_law(2e3, 0.6, 0.4) : everything();
        Cloud b = a;
        b.reversed = true;
        compare(&a, &b, 400, 1e-8);
        b = a;
        b.angle = 0.7;
        compare(&a, &b, 400, 1e-8);
        b = a;
        b.drift = rig_vec(0.3, -0.2, 0);
        compare(&a, &b, 400, 1e-8);
    }
}

int main(int argc, char **argv) {
    CHECK_RUN(momentum_and_angular_momentum_are_kept);
    CHECK_RUN(energy_is_kept_without_losses);
    CHECK_RUN(reports_add_up);
    CHECK_RUN(springs_turn_with_the_contact);
    CHECK_RUN(springs_turn_about_the_normal);
    CHECK_RUN(order_axes_and_drift_change_nothing);
    return check_result();
}
