/* The theta method (L 4.4 to 4.7): v' = v + dt f / m, bodies move by w dt, w = theta v' + (1 -
 * theta) v, and the constraints act on this motion: no gap is negative at the end of the step, and
 * no contact that holds has moved (L 4.13, 4.14). theta = 1 is implicit Euler. */
#include "rig.h"

static const double thetas[] = {0.5, 0.6, 0.75, 1};

static ScreeWorldDef theta_def(int dimension, double dt, ScreeVec3 gravity, double theta) {
    ScreeWorldDef def = rig_def(dimension, dt, gravity);
    def.theta = theta;
    return def;
}

/* ---------------------------------------------------------------- free motion
 *
 * x_n = v_0 t + a t^2 / 2 + (theta - 1/2) a dt t, t = n dt: the parabola itself for theta = 1/2.
 * The work of the force along that path exceeds the energy gained by (theta - 1/2) m (a dt)^2 per
 * step, which is what the scheme takes. Likewise for rotation. */
static void run_flight(int dimension, double theta, double dt) {
    const double m = 1.3, r = 0.4, torque = 0.3;
    ScreeVec3 a = rig_vec(0.5, -9.81, dimension == 3 ? 0.7 : 0);
    ScreeWorldDef def = theta_def(dimension, dt, a, theta);
    ScreeWorld *world = rig_create(&def);
    rig_material(world, 0);
    ScreeBodyDef ball = rig_ball(rig_vec(0, 0, 0), r, m);
    ball.velocity = rig_vec(1, 2, dimension == 3 ? -0.5 : 0);
    ball.spin = rig_vec(0, 0, 0.2);
    ball.torque = rig_vec(0, 0, torque);
    rig_add_body(world, &ball);
    double spinning = torque / (rig_shape(dimension) * m * r * r);
    for (int n = 1; n <= 40; n++) {
        ScreeReport report = rig_step(world);
        double t = n * dt, square = 0.5 * t * t + (theta - 0.5) * dt * t;
        ScreeBodyView b = scree_world_get_bodies(world);
        CHECK_VEC(b.velocity[0], rig_add(ball.velocity, t, a), 1e-12 * (2 + 10 * t));
        CHECK_VEC(b.position[0], rig_add(rig_scale(t, ball.velocity), square, a),
                  1e-12 * (2 * t + 10 * t * t));
        double turned = 2 * atan2(b.orientation[0].z, b.orientation[0].w);
        double angle = 0.2 * t + square * spinning;
        CHECK_NEAR(remainder(turned - angle, 2 * RIG_PI), 0, 1e-11 * (1 + angle));
        double step = dt * dt * (m * rig_dot(a, a) + torque * spinning);
        CHECK_NEAR(report.dissipation_scheme, (theta - 0.5) * step, 1e-12 * step);
        CHECK_ENERGY(report, report.kinetic_energy);
    }
    scree_world_destroy(world);
}

static void free_flight_follows_the_scheme(void) {
    for (int dimension = 2; dimension <= 3; dimension++) {
        for (int i = 0; i < 4; i++) {
            run_flight(dimension, thetas[i], 0.01);
            run_flight(dimension, thetas[i], 0.11);
        }
    }
}

/* ---------------------------------------------------------------- impacts
 *
 * A pair at the gap part V dt: the step that closes it ends with u = V (1 - theta - part) / theta.
 * With part = 0 this is e = (1 - theta) / theta exactly. With part > 1 - theta it still approaches,
 * now without a gap, and the next step ends with -e times that velocity. */
static void run_impact(int dimension, int frame, double theta, double part, bool swapped) {
    const double V = 1.3, dt = 1.0 / 64, e = (1 - theta) / theta;
    RigPairDef d = rig_pair_def(dimension, dt, frame);
    d.world.theta = theta;
    d.gap = part * V * dt;
    d.swapped = swapped;
    RigPair p = rig_pair(&d);
    rig_set_motion(p.world, p.a, rig_scale(V, p.n), rig_vec(0, 0, 0));
    ScreeVec3 momentum = rig_momentum(p.world);
    double before = -V, energy = scree_world_get_kinetic_energy(p.world);
    for (int n = 1; n <= 4; n++) {
        ScreeReport report = rig_step(p.world);
        double u = n == 1 ? V * (1 - theta - part) / theta : before < 0 ? -e * before : before;
        CHECK_NEAR(rig_pair_speed(&p), u, 1e-12);
        CHECK_NEAR(rig_contact(p.world, p.a, p.b).normal_impulse, p.reduced * (u - before), 1e-12);
        CHECK_NEAR(report.dissipation_normal, 0.5 * p.reduced * (before * before - u * u), 1e-12);
        CHECK(n > 1 || fabs(rig_pair_gap(&p)) < 1e-14); /* where the step was to end */
        CHECK_VEC(rig_momentum(p.world), momentum, 1e-13);
        CHECK_ENERGY(report, energy);
        before = u;
    }
    scree_world_destroy(p.world);
}

static void impacts_rebound_by_theta(void) {
    static const double part[] = {0, 0.1, 0.45, 0.9};
    for (int dimension = 2; dimension <= 3; dimension++) {
        for (int i = 0; i < 4; i++) {
            for (int j = 0; j < 4; j++) {
                run_impact(dimension, (i + j) % RIG_FRAMES, thetas[i], part[j], j % 2 == 1);
            }
        }
    }
}

/* With enough friction the tangential motion of the step vanishes as well: u_t' = -e u_t; with less
 * it takes mu R_n. */
static void run_oblique(int dimension, int frame, double theta, double mu) {
    const double k = rig_shape(dimension), V = 1, dt = 1.0 / 64, e = (1 - theta) / theta;
    RigPairDef d = rig_pair_def(dimension, dt, frame);
    d.world.theta = theta;
    d.law.friction = mu;
    RigPair p = rig_pair(&d);
    ScreeVec3 side = dimension == 3 ? rig_in(d.frame, 0, 0.6, 0.8) : d.frame.y;
    ScreeVec3 vb = rig_add(rig_scale(-V, p.n), 0.7, side);
    rig_set_motion(p.world, p.b, vb, rig_vec(0, 0, 0));
    ScreeVec3 angular = rig_angular_momentum(p.world);
    double rn = (1 + e) * p.reduced * V, mt = p.reduced / (1 + 1 / k);
    double rt = fmin((1 + e) * mt * 0.7, mu * rn);
    ScreeVec3 R = rig_add(rig_scale(rn, p.n), -rt, side);
    ScreeReport report = rig_step(p.world);
    ScreeBodyView b = scree_world_get_bodies(p.world);
    CHECK_VEC(b.velocity[p.a], rig_scale(-1 / d.mass_a, R), 1e-12);
    CHECK_VEC(b.velocity[p.b], rig_add(vb, 1 / d.mass_b, R), 1e-12);
    CHECK_VEC(b.spin[p.a], rig_scale(-d.radius_a / p.inertia_a, rig_cross(p.n, R)), 1e-12);
    CHECK_VEC(b.spin[p.b], rig_scale(-d.radius_b / p.inertia_b, rig_cross(p.n, R)), 1e-12);
    CHECK_NEAR(report.dissipation_friction, rt * (0.7 - 0.5 * rt / mt), 1e-12);
    CHECK_ENERGY(report, 3);
    /* positions moved by w, which differs from the new velocity */
    if (theta == 1) {
        CHECK_VEC(rig_angular_momentum(p.world), angular, 1e-13);
    }
    scree_world_destroy(p.world);
}

static void oblique_impacts_rebound_by_theta(void) {
    for (int dimension = 2; dimension <= 3; dimension++) {
        for (int i = 0; i < 4; i++) {
            run_oblique(dimension, i, thetas[i], 5);
            run_oblique(dimension, i, thetas[i], 0.05);
        }
    }
}

/* Touching balls in a row, struck by one: all contacts act in one step, the first with e, as in
 * Newton's law: the others neither open nor close. */
static void struck_row_rebounds_at_the_first_contact(void) {
    for (int i = 0; i < 4; i++) {
        const double theta = thetas[i], e = (1 - theta) / theta;
        ScreeWorldDef def = theta_def(2 + i % 2, 0.01, rig_vec(0, 0, 0), theta);
        ScreeWorld *world = rig_create(&def);
        rig_material(world, 0);
        for (int j = 0; j < 3; j++) {
            ScreeBodyDef ball = rig_ball(rig_vec(j, 0, 0), 0.5, 1);
            ball.velocity = rig_vec(j == 0 ? 1 : 0, 0, 0);
            rig_add_body(world, &ball);
        }
        ScreeReport report = rig_step(world);
        double ahead = (1 + e) / 3;
        CHECK_VEC(scree_world_get_bodies(world).velocity[0], rig_vec(ahead - e, 0, 0), 1e-12);
        CHECK_VEC(scree_world_get_bodies(world).velocity[1], rig_vec(ahead, 0, 0), 1e-12);
        CHECK_VEC(scree_world_get_bodies(world).velocity[2], rig_vec(ahead, 0, 0), 1e-12);
        CHECK_NEAR(report.dissipation, (1 - e * e) / 3, 1e-12);
        CHECK_ENERGY(report, 1);
        scree_world_destroy(world);
    }
}

/* ---------------------------------------------------------------- on a plane */

/* A falling ball, step by step by the rule; the sum of kinetic and potential energy never grows. */
static void bouncing_ball_never_gains_energy(void) {
    const double g = 9.81, dt = 2e-3, radius = 0.25, m = 1.3;
    for (int dimension = 2; dimension <= 3; dimension++) {
        for (int i = 0; i < 4; i++) {
            const double theta = thetas[i];
            RigFrame f = rig_frame(dimension, i);
            ScreeWorldDef def = theta_def(dimension, dt, rig_scale(-g, f.y), theta);
            ScreeWorld *world = rig_create(&def);
            rig_material(world, 0.3);
            rig_add_plane(world, rig_vec(0, 0, 0), f.y);
            rig_add_ball(world, rig_scale(radius + 0.1, f.y), radius, m);
            double gap = 0.1, v = 0, energy = m * g * gap;
            for (int n = 0; n < 1500; n++) {
                ScreeReport report = rig_step(world);
                double after = fmax(v - g * dt, -(fmax(gap, 0) / dt + (1 - theta) * v) / theta);
                gap += dt * (theta * after + (1 - theta) * v);
                v = after;
                CHECK_NEAR(rig_dot(scree_world_get_bodies(world).velocity[0], f.y), v, 1e-8);
                CHECK_NEAR(rig_dot(scree_world_get_bodies(world).position[0], f.y), gap + radius,
                           1e-11);
                CHECK_NEAR(report.energy_error, 0, 1e-12 * m * g * 0.1);
                CHECK(report.dissipation + report.dissipation_scheme > -1e-12 * m * g * 0.1);
                double now = 0.5 * m * v * v + m * g * gap;
                CHECK(now <= energy + 1e-13 * m * g * 0.1);
                energy = now;
            }
            scree_world_destroy(world);
        }
    }
}

/* A block is slowed down by mu g. It slides while w = v - theta mu g dt > 0, and then holds its
 * place: v' = -(1 - theta) / theta v. */
static void sliding_block_stops_and_holds(void) {
    const double g = 9.81, dt = 0.01, mu = 0.3, v0 = 0.5, m = 1.3;
    for (int dimension = 2; dimension <= 3; dimension++) {
        for (int i = 0; i < 4; i++) {
            const double theta = thetas[i];
            RigFrame f = rig_frame(dimension, i);
            ScreeVec3 along = dimension == 3 ? rig_in(f, 0.28, 0, 0.96) : f.x;
            ScreeWorldDef def = theta_def(dimension, dt, rig_scale(-g, f.y), theta);
            ScreeWorld *world = rig_create(&def);
            rig_material(world, mu);
            rig_add_plane(world, rig_vec(0, 0, 0), f.y);
            ScreeBodyDef block = rig_ball(rig_scale(0.5, f.y), 0.5, m);
            block.frozen = SCREE_FREEZE_ROTATION;
            block.velocity = rig_scale(v0, along);
            rig_add_body(world, &block);
            double v = v0, x = 0;
            for (int n = 0; n < 40; n++) {
                ScreeReport report = rig_step(world);
                bool holds = fabs(v) <= theta * mu * g * dt;
                double after = holds ? -(1 - theta) / theta * v : v - copysign(mu * g * dt, v);
                x += dt * (theta * after + (1 - theta) * v);
                CHECK_VEC(scree_world_get_bodies(world).velocity[0], rig_scale(after, along),
                          1e-12);
                CHECK_NEAR(rig_dot(scree_world_get_bodies(world).position[0], along), x, 1e-12);
                CHECK_NEAR(report.dissipation_friction, 0.5 * m * (v * v - after * after), 1e-12);
                CHECK(report.sliding == !holds);
                CHECK_ENERGY(report, 0.5 * m * v0 * v0);
                v = after;
            }
            CHECK_NEAR(x, 0.5 * v0 * v0 / (mu * g), v0 * dt);
            scree_world_destroy(world);
        }
    }
}

/* A rolling ball is slowed down by a = arm g / (r (1 + k)) in the same way: the rotation of the
 * step vanishes when v <= theta a dt. */
static void rolling_ball_stops_and_holds(void) {
    const double g = 9.81, dt = 0.01, m = 1.3, r = 0.5, arm = 0.06, v0 = 0.3;
    for (int dimension = 2; dimension <= 3; dimension++) {
        for (int i = 0; i < 4; i++) {
            const double theta = thetas[i], k = rig_shape(dimension), a = arm * g / (r * (1 + k));
            RigFrame f = rig_frame(dimension, i);
            ScreeWorldDef def = theta_def(dimension, dt, rig_scale(-g, f.y), theta);
            ScreeWorld *world = rig_create(&def);
            ScreeLaw law = scree_law_default();
            law.friction = 0.8;
            law.rolling_length = arm;
            rig_law(world, &law);
            rig_add_plane(world, rig_vec(0, 0, 0), f.y);
            rig_add_ball(world, rig_scale(r, f.y), r, m);
            ScreeVec3 axis = rig_cross(f.y, f.x);
            rig_set_motion(world, 0, rig_scale(v0, f.x), rig_scale(v0 / r, axis));
            double v = v0, x = 0;
            for (int n = 0; n < 60; n++) {
                ScreeReport report = rig_step(world);
                bool holds = fabs(v) <= theta * a * dt;
                double after = holds ? -(1 - theta) / theta * v : v - copysign(a * dt, v);
                x += dt * (theta * after + (1 - theta) * v);
                CHECK_VEC(scree_world_get_bodies(world).velocity[0], rig_scale(after, f.x), 1e-11);
                CHECK_VEC(scree_world_get_bodies(world).spin[0], rig_scale(after / r, axis), 1e-10);
                CHECK_NEAR(rig_dot(scree_world_get_bodies(world).position[0], f.x), x, 1e-11);
                CHECK_NEAR(report.dissipation_rolling, 0.5 * m * (1 + k) * (v * v - after * after),
                           1e-12);
                CHECK_ENERGY(report, m * v0 * v0);
                v = after;
            }
            CHECK(rig_restarts(world, 5));
            scree_world_destroy(world);
        }
    }
}

/* A pair with its own restitution keeps it, normal and tangential. */
static void restitution_of_a_pair_overrides_theta(void) {
    for (int i = 0; i < 8; i++) {
        const double e = 0.8, e_t = i < 4 ? 0.4 : 0;
        RigPairDef d = rig_pair_def(2 + i % 2, 0.01, i % RIG_FRAMES);
        d.world.theta = thetas[i % 4];
        d.law.restitution = e;
        d.law.restitution_tangential = e_t;
        d.law.friction = 5;
        d.gap = d.world.theta < 1 ? 0.003 : 0; /* with 1, they would meet at another normal */
        RigPair p = rig_pair(&d);
        double m_t = p.reduced / (1 + 1 / rig_shape(d.world.dimension)), u = 0.3;
        ScreeVec3 va = rig_add(p.n, -u, d.frame.y); /* u_n = -1, u_t = u */
        rig_set_motion(p.world, p.a, va, rig_vec(0, 0, 0));
        ScreeVec3 R = rig_add(rig_scale((1 + e) * p.reduced, p.n), -(1 + e_t) * m_t * u, d.frame.y);
        ScreeReport report = rig_step(p.world);
        CHECK_NEAR(rig_pair_speed(&p), e, 1e-12);
        CHECK_VEC(scree_world_get_bodies(p.world).velocity[p.a], rig_add(va, -1 / d.mass_a, R),
                  1e-12);
        CHECK_VEC(scree_world_get_bodies(p.world).velocity[p.b], rig_scale(1 / d.mass_b, R), 1e-12);
        CHECK_ENERGY(report, 1);
        scree_world_destroy(p.world);
    }
}

/* Here too energy alone decides whether a kick breaks a bond. */
static void kicks_break_bonds_by_energy(void) {
    const double force = 7, range = 0.013;
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 2; j++) {
            RigPairDef d = rig_pair_def(2 + i % 2, 1e-3, i);
            d.world.theta = thetas[i];
            d.law.cohesion = force;
            d.law.cohesion_range = range;
            RigPair p = rig_pair(&d);
            rig_press(&p, 1);
            rig_step(p.world);
            rig_press(&p, 0);
            double V = sqrt(2 * force * range / p.reduced) * (1 + (j == 0 ? -1e-6 : 1e-6));
            rig_set_motion(p.world, p.a, rig_vec(0, 0, 0), rig_vec(0, 0, 0));
            rig_set_motion(p.world, p.b, rig_scale(V, p.n), rig_vec(0, 0, 0));
            ScreeReport report = rig_step(p.world);
            for (int n = 0; n < 400; n++) {
                CHECK_ENERGY(report, force * range);
                report = rig_step(p.world);
            }
            CHECK(report.bonds == 1 - j);
            double u = rig_pair_speed(&p);
            if (j == 1) {
                CHECK_NEAR(0.5 * p.reduced * u * u, 0.5 * p.reduced * V * V - force * range,
                           1e-11 * force * range);
            }
            scree_world_destroy(p.world);
        }
    }
}

int main(int argc, char **argv) {
    CHECK_RUN(free_flight_follows_the_scheme);
    CHECK_RUN(impacts_rebound_by_theta);
    CHECK_RUN(oblique_impacts_rebound_by_theta);
    CHECK_RUN(struck_row_rebounds_at_the_first_contact);
    CHECK_RUN(bouncing_ball_never_gains_energy);
    CHECK_RUN(sliding_block_stops_and_holds);
    CHECK_RUN(rolling_ball_stops_and_holds);
    CHECK_RUN(restitution_of_a_pair_overrides_theta);
    CHECK_RUN(kicks_break_bonds_by_energy);
    return check_result();
}
