/* Newton's restitution: a contact that would close within the step, approaching faster than the
 * threshold, leaves with u_n' = -e u_n, where u is the velocity at the start of the step; its
 * tangential velocity becomes -e_t u_t unless that needs more than mu R_n. It does so at once, or,
 * without external forces, when the gap has closed. For impacts that follow from one another within
 * a step see test_impacts.c. */
#include "rig.h"

static ScreeLaw bouncy_law(double e, double e_t, double mu) {
    ScreeLaw law = scree_law_default();
    law.restitution = e;
    law.restitution_tangential = e_t;
    law.friction = mu;
    return law;
}

/* ---------------------------------------------------------------- central impacts */

static void run_central(int dimension, int frame, double e, double mass_a, bool swapped) {
    const double V = 1.7, dt = 0.01, drift = 0.4;
    RigPairDef d = rig_pair_def(dimension, dt, frame);
    d.law = bouncy_law(e, 0, 0.3);
    d.mass_a = mass_a;
    d.gap = 2.4 * V * dt; /* two steps of flight; the third would close the gap */
    d.swapped = swapped;
    RigPair p = rig_pair(&d);
    rig_set_motion(p.world, p.a, rig_scale(drift + V * p.reduced / d.mass_a, p.n),
                   rig_vec(0, 0, 0));
    rig_set_motion(p.world, p.b, rig_scale(drift - V * p.reduced / d.mass_b, p.n),
                   rig_vec(0, 0, 0));
    ScreeVec3 momentum = rig_momentum(p.world);
    double energy = scree_world_get_kinetic_energy(p.world), gap = d.gap;
    for (int n = 1; n <= 6; n++) {
        ScreeReport report = rig_step(p.world);
        double u = n < 3 ? -V : e * V, lost = n == 3 ? 0.5 * p.reduced * (1 - e * e) * V * V : 0;
        /* in the third step 0.4 dt towards each other, then 0.6 dt apart */
        gap = n == 3 ? 0.6 * u * dt : gap + u * dt;
        CHECK_CLOSE(rig_pair_speed(&p), u, 1e-12);
        CHECK_NEAR(rig_pair_gap(&p), gap, 1e-13);
        CHECK_NEAR(rig_contact(p.world, p.a, p.b).normal_impulse,
                   n == 3 ? (1 + e) * p.reduced * V : 0, 1e-12 * p.reduced * V);
        CHECK_NEAR(report.dissipation_normal, lost, 1e-12 * energy);
        CHECK_NEAR(report.dissipation, lost, 1e-12 * energy);
        CHECK_VEC(rig_momentum(p.world), momentum, 1e-13 * (1 + mass_a));
        CHECK_ENERGY(report, energy);
    }
    scree_world_destroy(p.world);
}

static void central_impact_obeys_newton(void) {
    static const double e[] = {0.25, 0.8, 1};
    for (int dimension = 2; dimension <= 3; dimension++) {
        for (int frame = 0; frame < RIG_FRAMES; frame++) {
            for (int i = 0; i < 3; i++) {
                run_central(dimension, frame, e[i], 2, i == 1);
                run_central(dimension, frame, e[i], 1e-3, i == 2);
            }
        }
    }
}

/* Slower than the threshold: the rigid law, which takes two steps to end the approach. */
static void slow_impacts_do_not_bounce(void) {
    for (int dimension = 2; dimension <= 3; dimension++) {
        for (int i = 0; i < 2; i++) {
            const double limit = 0.5, V = limit * (i == 0 ? 1 - 1e-9 : 1 + 1e-9), dt = 0.01;
            RigPairDef d = rig_pair_def(dimension, dt, i);
            d.law = bouncy_law(0.6, 0, 0);
            d.law.restitution_threshold = limit;
            d.gap = 0.3 * V * dt;
            RigPair p = rig_pair(&d);
            rig_set_motion(p.world, p.b, rig_scale(-V, p.n), rig_vec(0, 0, 0));
            rig_step(p.world);
            CHECK_CLOSE(rig_pair_speed(&p), i == 0 ? -0.3 * V : 0.6 * V, 1e-11);
            rig_step(p.world);
            CHECK_NEAR(rig_pair_speed(&p), i == 0 ? 0 : 0.6 * V, 1e-12);
            scree_world_destroy(p.world);
        }
    }
}

/* ---------------------------------------------------------------- oblique impacts
 *
 * At zero gap, with spins: R_n = (1 + e) m* V, R_t against u_t of the size min((1 + e_t) m_t u_t,
 * mu R_n), 1 / m_t = (1 / m*) (1 + 1 / k). */
typedef struct Oblique {
    int dimension, frame;
    double e, e_t, mu;
    bool swapped;
} Oblique;

static void run_oblique(const Oblique *o) {
    const double k = rig_shape(o->dimension), V = 1.1, z = o->dimension == 3;
    RigPairDef d = rig_pair_def(o->dimension, 1.0 / 64, o->frame);
    d.law = bouncy_law(o->e, o->e_t, o->mu);
    d.swapped = o->swapped;
    RigPair p = rig_pair(&d);
    RigFrame f = d.frame;
    ScreeVec3 va = rig_in(f, V, 0.4, -0.3 * z), vb = rig_in(f, 0, -0.5, 0.9 * z);
    ScreeVec3 wa = rig_in(f, 2 * z, z, -1.5), wb = rig_in(f, -z, 0.5 * z, 0.7);
    rig_set_motion(p.world, p.a, va, wa);
    rig_set_motion(p.world, p.b, vb, wb);
    ScreeVec3 surface =
        rig_add(rig_scale(-d.radius_b, rig_cross(wb, p.n)), -d.radius_a, rig_cross(wa, p.n));
    ScreeVec3 u = rig_add(rig_sub(vb, va), 1, surface);
    ScreeVec3 ut = rig_add(u, V, p.n);
    double rn = (1 + o->e) * p.reduced * V, mt = p.reduced / (1 + 1 / k), slip = rig_length(ut);
    double rt = fmin((1 + o->e_t) * mt * slip, o->mu * rn);
    ScreeVec3 R = rig_add(rig_scale(rn, p.n), -rt / slip, ut);
    ScreeVec3 momentum = rig_momentum(p.world), angular = rig_angular_momentum(p.world);
    double energy = scree_world_get_kinetic_energy(p.world);
    ScreeReport report = rig_step(p.world);
    ScreeBodyView b = scree_world_get_bodies(p.world);
    CHECK_VEC(b.velocity[p.a], rig_add(va, -1 / d.mass_a, R), 1e-12);
    CHECK_VEC(b.velocity[p.b], rig_add(vb, 1 / d.mass_b, R), 1e-12);
    ScreeVec3 turn = rig_cross(p.n, R);
    CHECK_VEC(b.spin[p.a], rig_add(wa, -d.radius_a / p.inertia_a, turn), 1e-11);
    CHECK_VEC(b.spin[p.b], rig_add(wb, -d.radius_b / p.inertia_b, turn), 1e-11);
    CHECK_VEC(rig_momentum(p.world), momentum, 1e-13);
    CHECK_VEC(rig_angular_momentum(p.world), angular, 1e-13);
    CHECK_NEAR(report.dissipation_normal, 0.5 * p.reduced * (1 - o->e * o->e) * V * V, 1e-12);
    CHECK_NEAR(report.dissipation_friction, rt * (slip - 0.5 * rt / mt), 1e-12);
    CHECK(report.sliding == (rt < (1 + o->e_t) * mt * slip));
    CHECK_ENERGY(report, energy);
    scree_world_destroy(p.world);
}

static void oblique_impact_obeys_newton_and_coulomb(void) {
    static const double e[] = {0, 0.7, 1}, e_t[] = {0, 0.4, 1}, mu[] = {0.05, 0.3, 9};
    for (int dimension = 2; dimension <= 3; dimension++) {
        for (int i = 0; i < 27; i++) {
            Oblique o = {dimension,      i % RIG_FRAMES, e[i % 3],
                         e_t[i / 3 % 3], mu[i / 9],      i % 2 == 1};
            if (o.e > 0 || o.e_t > 0) {
                run_oblique(&o);
            }
        }
    }
}

/* ---------------------------------------------------------------- a bouncing ball
 *
 * Height and velocity of every step by the rule alone, to rounding; the heights of the bounces fall
 * by e^2 as far as the time step resolves them. In the end it lies still. */
static void run_bounce(int dimension, int frame, double e, double limit) {
    const double g = 9.81, dt = 1e-3, start = 0.3, radius = 0.25, m = 1.3;
    RigFrame f = rig_frame(dimension, frame);
    ScreeWorldDef def = rig_def(dimension, dt, rig_scale(-g, f.y));
    ScreeWorld *world = rig_create(&def);
    ScreeLaw law = bouncy_law(e, 0, 0.5);
    law.restitution_threshold = limit;
    rig_law(world, &law);
    rig_add_plane(world, rig_vec(0, 0, 0), f.y);
    rig_add_ball(world, rig_scale(radius + start, f.y), radius, m);
    double gap = start, v = 0, top[2] = {start, 0};
    int bounces = 0;
    for (int n = 0; n < 4000; n++) {
        ScreeReport report = rig_step(world);
        double free = v - g * dt;
        bool impact = gap + dt * free <= 0 && v < 0 && v < -limit;
        bounces += impact;
        v = impact ? -e * v : fmax(free, -fmax(gap, 0) / dt);
        gap += dt * v;
        top[1] = bounces == 1 ? fmax(top[1], gap) : top[1];
        CHECK_NEAR(rig_dot(scree_world_get_bodies(world).velocity[0], f.y), v, 1e-11);
        CHECK_NEAR(rig_dot(scree_world_get_bodies(world).position[0], f.y), gap + radius, 1e-11);
        CHECK_ENERGY(report, m * g * start);
    }
    CHECK(bounces >= 2);
    CHECK_CLOSE(top[1], e * e * start, 0.03);
    CHECK(fabs(v) < 1e-12 || e > 0.85);
    scree_world_destroy(world);
}

static void bouncing_ball_follows_the_rule(void) {
    for (int dimension = 2; dimension <= 3; dimension++) {
        run_bounce(dimension, 0, 0.5, 0);
        run_bounce(dimension, 1, 0.8, 0.1);
        run_bounce(dimension, 2, 0.95, 0.02);
    }
}

/* ---------------------------------------------------------------- walls that move
 *
 * Off a wall of velocity W: v' = W + e (W - v). The wall's motor supplies R W; a piston is a
 * partner with a mass. */
static void moving_walls_strike_like_rackets(void) {
    const double W = 0.8, v0 = -1.2, m = 1.3, M = 5, e = 0.7, dt = 1.0 / 64;
    for (int dimension = 2; dimension <= 3; dimension++) {
        for (int kind = 0; kind < 3; kind++) {
            RigFrame f = rig_frame(dimension, kind);
            ScreeWorldDef def = rig_def(dimension, dt, rig_vec(0, 0, 0));
            ScreeWorld *world = rig_create(&def);
            ScreeLaw law = bouncy_law(e, 0, 0.2);
            rig_law(world, &law);
            ScreeBodyDef ball = rig_ball(rig_scale(0.5, f.y), 0.5, m);
            ball.velocity = rig_scale(v0, f.y);
            rig_add_body(world, &ball);
            ScreeWallDef wall = rig_plane(rig_vec(0, 0, 0), f.y);
            wall.motion = kind == 0 ? SCREE_WALL_MOVED : SCREE_WALL_PISTON;
            wall.velocity = rig_scale(W, f.y);
            wall.mass = M;
            ScreeBodyDef rock = rig_ball(rig_scale(-2, f.y), 2, 1);
            rock.frozen = SCREE_FREEZE_ALL;
            rock.velocity = wall.velocity;
            if (kind < 2) {
                rig_add_wall(world, &wall);
            } else {
                rig_add_body(world, &rock);
            }
            double reduced = kind == 1 ? m * M / (m + M) : m, R = (1 + e) * reduced * (W - v0);
            ScreeReport report = rig_step(world);
            CHECK_VEC(scree_world_get_bodies(world).velocity[0], rig_scale(v0 + R / m, f.y), 1e-12);
            CHECK_NEAR(report.dissipation_normal, 0.5 * reduced * (1 - e * e) * (W - v0) * (W - v0),
                       1e-12);
            CHECK_NEAR(report.work_walls, kind == 1 ? 0 : R * W, 1e-12);
            CHECK_ENERGY(report, 10);
            scree_world_destroy(world);
        }
    }
}

/* ---------------------------------------------------------------- cradles
 *
 * With gaps between them equal balls pass the velocity on, one after the other. Touching, all
 * contacts act in one step: the first leaves with e V and the others stay closed, so that three
 * balls have v = (-V, 2 V, 2 V) / 3 with e = 1, which conserves momentum and energy. */
static void cradle_with_gaps_passes_the_velocity_on(void) {
    enum { BALLS = 5 };
    const double V = 1, dt = 0.01, m = 2;
    for (int dimension = 2; dimension <= 3; dimension++) {
        RigFrame f = rig_frame(dimension, 1);
        ScreeWorldDef def = rig_def(dimension, dt, rig_vec(0, 0, 0));
        ScreeWorld *world = rig_create(&def);
        ScreeLaw law = bouncy_law(1, 1, 0);
        rig_law(world, &law);
        for (int i = 0; i < BALLS; i++) {
            ScreeBodyDef ball = rig_ball(rig_scale((1 + 2.3 * V * dt) * i, f.x), 0.5, m);
            ball.velocity = rig_scale(i == 0 ? V : 0, f.x);
            rig_add_body(world, &ball);
        }
        for (int n = 1; n <= 20; n++) {
            ScreeReport report = rig_step(world);
            CHECK_NEAR(report.kinetic_energy, 0.5 * m * V * V, 1e-13);
            CHECK_VEC(rig_momentum(world), rig_scale(m * V, f.x), 1e-13);
        }
        for (int i = 0; i < BALLS; i++) {
            CHECK_VEC(scree_world_get_bodies(world).velocity[i],
                      rig_scale(i == BALLS - 1 ? V : 0, f.x), 1e-13);
        }
        scree_world_destroy(world);
    }
}

static void touching_cradle_parts_in_one_step(void) {
    for (int i = 0; i < 2; i++) {
        const double V = 1, e = i == 0 ? 1 : 0.5;
        ScreeWorldDef def = rig_def(2 + i, 0.01, rig_vec(0, 0, 0));
        ScreeWorld *world = rig_create(&def);
        ScreeLaw law = bouncy_law(e, 0, 0.4);
        rig_law(world, &law);
        for (int j = 0; j < 3; j++) {
            ScreeBodyDef ball = rig_ball(rig_vec(j, 0, 0), 0.5, 1);
            ball.velocity = rig_vec(j == 0 ? V : 0, 0, 0);
            rig_add_body(world, &ball);
        }
        ScreeReport report = rig_step(world);
        double ahead = (1 + e) * V / 3; /* v1 = v2, v1 - v0 = e V, v0 + 2 v1 = V */
        CHECK_VEC(scree_world_get_bodies(world).velocity[0], rig_vec(ahead - e * V, 0, 0), 1e-12);
        CHECK_VEC(scree_world_get_bodies(world).velocity[1], rig_vec(ahead, 0, 0), 1e-12);
        CHECK_VEC(scree_world_get_bodies(world).velocity[2], rig_vec(ahead, 0, 0), 1e-12);
        CHECK_NEAR(report.dissipation, 0.5 * (2.0 / 3) * (1 - e * e) * V * V, 1e-12);
        CHECK_ENERGY(report, 1);
        scree_world_destroy(world);
    }
}

/* Many balls without friction: energy never grows, and with e = 1 nothing is lost. */
static ScreeWorld *make_gas(int dimension, double e) {
    ScreeWorldDef def = rig_def(dimension, 2e-3, rig_vec(0, 0, 0));
    for (int i = 0; i < dimension; i++) {
        def.periodic[i] = true;
    }
    def.cell_max = rig_vec(12, 12, dimension == 3 ? 4 : 1);
    ScreeWorld *world = rig_create(&def);
    ScreeLaw law = bouncy_law(e, 0, 0);
    rig_law(world, &law);
    uint64_t seed = 7;
    for (int i = 0; i < (dimension == 3 ? 3 : 1) * 81; i++) {
        int x = i % 9, y = i / 9 % 9, z = i / 81;
        ScreeVec3 at = rig_vec(0.7 + 1.32 * x, 0.7 + 1.32 * y, dimension == 3 ? 0.7 + 1.32 * z : 0);
        ScreeBodyDef ball = rig_ball(at, 0.4 + 0.2 * rig_random(&seed), 0);
        ball.mass = 1 + rig_random(&seed);
        ball.velocity = rig_random_vec(&seed, 1, dimension);
        rig_add_body(world, &ball);
    }
    return world;
}

static void gas_never_gains_energy(void) {
    for (int dimension = 2; dimension <= 3; dimension++) {
        for (int i = 0; i < 2; i++) {
            ScreeWorld *world = make_gas(dimension, i == 0 ? 0.7 : 1);
            ScreeVec3 momentum = rig_momentum(world);
            double start = scree_world_get_kinetic_energy(world), before = start;
            for (int n = 0; n < 1000; n++) {
                ScreeReport report = rig_step(world);
                CHECK_ENERGY(report, start);
                CHECK(report.kinetic_energy <= before * (1 + 1e-13));
                before = report.kinetic_energy;
            }
            CHECK(i == 0 ? before < 0.7 * start : before > (1 - 1e-12) * start);
            CHECK_VEC(rig_momentum(world), momentum, 1e-10);
            CHECK(rig_restarts(world, 10));
            scree_world_destroy(world);
        }
    }
}

int main(int argc, char **argv) {
    CHECK_RUN(central_impact_obeys_newton);
    CHECK_RUN(slow_impacts_do_not_bounce);
    CHECK_RUN(oblique_impact_obeys_newton_and_coulomb);
    CHECK_RUN(bouncing_ball_follows_the_rule);
    CHECK_RUN(moving_walls_strike_like_rackets);
    CHECK_RUN(cradle_with_gaps_passes_the_velocity_on);
    CHECK_RUN(touching_cradle_parts_in_one_step);
    CHECK_RUN(gas_never_gains_energy);
    return check_result();
}
