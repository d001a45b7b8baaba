/* The tangential spring (L 4.14): dt u_t' + (R_t - R_t0) / (k_t dt) = -slip, R_t0 the force of the
 * step before, slip against R_t and only at |R_t| = mu R_n. So the force follows k_t times the
 * motion and is cut back along its own direction to the Coulomb limit. */
#include "rig.h"

#include <complex.h>

static const double gravity = 9.81, mass = 1.3, radius = 0.5, weight = 1.3 * 9.81;

static ScreeLaw shear_law(double mu, double k_t) {
    ScreeLaw law = scree_law_default();
    law.friction = mu;
    law.stiffness_tangential = k_t;
    return law;
}

/* A ball on the plane y = 0; `frozen` may keep it from turning or moving along the plane. */
static ScreeWorld *on_plane(int dimension, double dt, double theta, const ScreeLaw *law,
                            uint32_t frozen) {
    ScreeWorldDef def = rig_def(dimension, dt, rig_vec(0, -gravity, 0));
    def.theta = theta;
    ScreeWorld *world = rig_create(&def);
    rig_law(world, law);
    ScreeWallDef plane = rig_plane(rig_vec(0, 0, 0), rig_vec(0, 1, 0));
    plane.motion = SCREE_WALL_MOVED;
    rig_add_wall(world, &plane);
    ScreeBodyDef ball = rig_ball(rig_vec(0, radius, 0), radius, mass);
    ball.frozen = frozen;
    rig_add_body(world, &ball);
    return world;
}

/* ---------------------------------------------------------------- a plane drawn under a held block
 *
 * The motion is given, so the force is too: f' = cut(f + k_t V dt), where cut shortens a vector to
 * mu m g. Of the work f' V dt the spring keeps (f'^2 - f^2) / (2 k_t); the rest is lost: mu m g
 * times the slip, which is what was cut off over k_t, and (f' - f)^2 / (2 k_t), since the step uses
 * the force at its end. The plane is drawn in every direction of the list, for as many steps as it
 * says. */
typedef struct Leg {
    double angle, speed;
    int steps;
} Leg;

static void run_path(int dimension, const Leg *leg, int legs, double k_n) {
    const double dt = 1e-3, mu = 0.4, k_t = 5e3, limit = mu * weight;
    ScreeLaw law = shear_law(mu, k_t);
    law.stiffness = k_n;
    ScreeWorld *world =
        on_plane(dimension, dt, 1, &law, SCREE_FREEZE_X | SCREE_FREEZE_Z | SCREE_FREEZE_ROTATION);
    for (int n = 0; n < (isinf(k_n) ? 0 : 500); n++) {
        rig_step(world); /* it sinks in */
    }
    ScreeVec3 f = rig_vec(0, 0, 0); /* on the block */
    double worked = 0, lost = 0, stored = isinf(k_n) ? 0 : 0.5 * weight * weight / k_n;
    for (int i = 0; i < legs; i++) {
        ScreeVec3 V = rig_scale(leg[i].speed, rig_vec(cos(leg[i].angle), 0, sin(leg[i].angle)));
        V.z = dimension == 2 ? 0 : V.z;
        rig_must(scree_wall_set_velocity(world, (ScreeWallId){0}, V, rig_vec(0, 0, 0)), "velocity");
        for (int n = 0; n < leg[i].steps; n++) {
            ScreeReport report = rig_step(world);
            ScreeVec3 trial = rig_add(f, k_t * dt, V);
            double size = rig_length(trial);
            bool slides = size > limit;
            ScreeVec3 before = f;
            f = slides ? rig_scale(limit / size, trial) : trial;
            double loss = rig_dot(rig_sub(f, before), rig_sub(f, before)) / (2 * k_t) +
                          limit * fmax(0, size - limit) / k_t;
            CHECK_NEAR(report.dissipation_friction, loss, 1e-11 * limit);
            ScreeContact c = rig_contact(world, 0, -1); /* its impulse is on the plane */
            CHECK_VEC(c.tangential_impulse, rig_scale(-dt, f), 1e-10 * limit * dt);
            CHECK(c.state == (slides ? SCREE_CONTACT_SLIP : SCREE_CONTACT_STICK));
            CHECK_NEAR(report.work_walls, rig_dot(f, V) * dt, 1e-11 * limit);
            CHECK_NEAR(report.energy_elastic, rig_dot(f, f) / (2 * k_t) + stored, 1e-10 * limit);
            CHECK_NEAR(report.kinetic_energy, 0, 1e-20);
            CHECK_ENERGY(report, limit);
            worked += report.work_walls;
            lost += report.dissipation_friction;
        }
    }
    CHECK_NEAR(worked, lost + rig_dot(f, f) / (2 * k_t), 1e-10 * limit);
    scree_world_destroy(world);
}

static void drawn_plane_loads_and_cuts_the_spring(void) {
    const Leg turns[] = {{0.3, 0.1, 7}, {2, 0.2, 13}, {-1, 0.15, 60}, {0.4, 0.3, 5}, {3, 0.1, 40}};
    Leg circle[90];
    for (int i = 0; i < 90; i++) {
        circle[i] = (Leg){0.1 * i, 0.1, 1};
    }
    for (int dimension = 2; dimension <= 3; dimension++) {
        for (int i = 0; i < 2; i++) {
            run_path(dimension, turns, 5, i == 0 ? INFINITY : 2e5);
            run_path(dimension, circle, 90, i == 0 ? INFINITY : 2e5);
        }
    }
}

/* To and fro over +-A: once the first quarter is over the loop encloses 4 mu N (A - mu N / k_t), up
 * to the effect of the steps, which are small here. */
static void hysteresis_loop_has_its_area(void) {
    const double dt = 1e-4, mu = 0.4, k_t = 5e3, V = 0.1, limit = mu * weight;
    const int quarter = 300;
    const double A = V * dt * quarter;
    for (int dimension = 2; dimension <= 3; dimension++) {
        ScreeLaw law = shear_law(mu, k_t);
        ScreeWorld *world = on_plane(dimension, dt, 1, &law,
                                     SCREE_FREEZE_X | SCREE_FREEZE_Z | SCREE_FREEZE_ROTATION);
        double lost = 0, worked = 0;
        for (int part = 0; part < 3; part++) {
            double sense = part == 1 ? -1 : 1;
            rig_must(scree_wall_set_velocity(world, (ScreeWallId){0}, rig_vec(sense * V, 0, 0),
                                             rig_vec(0, 0, 0)),
                     "velocity");
            for (int n = 0; n < (part == 0 ? quarter : 2 * quarter); n++) {
                ScreeReport report = rig_step(world);
                lost += part > 0 ? report.dissipation_friction : 0;
                worked += part > 0 ? report.work_walls : 0;
            }
        }
        CHECK(A > 2 * limit / k_t);
        CHECK_CLOSE(lost, 4 * limit * (A - limit / k_t), 5e-3);
        CHECK_CLOSE(worked, lost, 1e-9); /* a closed loop */
        scree_world_destroy(world);
    }
}

/* ---------------------------------------------------------------- pushed
 *
 * A block under a force F below mu N oscillates about F / k_t; when the force is removed it
 * returns. A long step damps it. */
static void pushed_block_springs_back(void) {
    static const double part[] = {0.3, 0.9, -0.5, 0.95, 0};
    const double dt = 0.1, mu = 0.4, k_t = 5e3, limit = mu * weight;
    for (int dimension = 2; dimension <= 3; dimension++) {
        ScreeLaw law = shear_law(mu, k_t);
        ScreeWorld *world = on_plane(dimension, dt, 1, &law, SCREE_FREEZE_ROTATION);
        ScreeVec3 along = dimension == 3 ? rig_vec(0.6, 0, -0.8) : rig_vec(1, 0, 0);
        for (int i = 0; i < 5; i++) {
            ScreeVec3 F = rig_scale(part[i] * limit, along);
            rig_must(scree_body_set_force(world, (ScreeBodyId){0}, F, rig_vec(0, 0, 0)), "force");
            for (int n = 0; n < 60; n++) {
                ScreeReport report = rig_step(world);
                CHECK(report.sliding == 0);
                CHECK_ENERGY(report, limit);
            }
            CHECK_VEC(rig_sub(scree_world_get_bodies(world).position[0], rig_vec(0, radius, 0)),
                      rig_scale(1 / k_t, F), 1e-12);
            CHECK_VEC(rig_contact(world, 0, -1).tangential_impulse, rig_scale(dt, F),
                      1e-11 * limit);
        }
        /* too much: it moves, driven by what exceeds mu N; released, the spring is still loaded */
        ScreeVec3 F = rig_scale(1.5 * limit, along);
        rig_must(scree_body_set_force(world, (ScreeBodyId){0}, F, rig_vec(0, 0, 0)), "force");
        double v = 0;
        for (int n = 0; n < 20; n++) {
            rig_step(world);
            double now = rig_dot(scree_world_get_bodies(world).velocity[0], along);
            CHECK(n == 0 || fabs(now - v - 0.5 * limit / mass * dt) < 1e-11);
            v = now;
        }
        scree_world_destroy(world);
    }
}

/* A ball that may turn, with its foot set sliding at u_0, too slowly to reach mu N: the foot
 * oscillates with omega^2 = k_t / m_t, 1 / m_t = (1 + 1 / k) / m. Its displacement s obeys s' = s +
 * h (theta u' + (1 - theta) u), u' = u - h omega^2 s', whose solution from s = 0 is D^(-n/2) c
 * sin(n phi) (see test_compliance.c). */
static double foot(double omega_h, double theta, double u0_h, int n) {
    double D = 1 + theta * omega_h * omega_h;
    double phi = acos(0.5 * (2 - (1 - theta) * omega_h * omega_h) / sqrt(D));
    return pow(D, -0.5 * n) * u0_h / (sqrt(D) * sin(phi)) * sin(n * phi);
}

static void run_swing(int dimension, double theta, double omega_h) {
    const double dt = 1e-3, omega = omega_h / dt, share = rig_shape(dimension);
    const double m_t = mass / (1 + 1 / share), k_t = m_t * omega * omega, mu = 0.4;
    const double u0 = 0.8 * mu * weight * omega / k_t, D = 1 + theta * omega_h * omega_h;
    ScreeLaw law = shear_law(mu, k_t);
    ScreeWorld *world = on_plane(dimension, dt, theta, &law, 0);
    ScreeVec3 along = dimension == 3 ? rig_vec(0.6, 0, -0.8) : rig_vec(1, 0, 0);
    ScreeVec3 axis = rig_cross(rig_vec(0, 1, 0), along);
    const double v0 = 0.7 * u0, w0 = -0.3 * u0 / radius; /* u = v - r w */
    rig_set_motion(world, 0, rig_scale(v0, along), rig_scale(w0, axis));
    double energy = scree_world_get_kinetic_energy(world);
    for (int n = 1; n <= 200; n++) {
        ScreeReport report = rig_step(world);
        double s = foot(omega_h, theta, u0 * dt, n);
        double u = (D * foot(omega_h, theta, u0 * dt, n + 1) - s) / dt, given = m_t * (u0 - u);
        CHECK_VEC(scree_world_get_bodies(world).velocity[0], rig_scale(v0 - given / mass, along),
                  1e-10 * u0);
        CHECK_VEC(scree_world_get_bodies(world).spin[0],
                  rig_scale(w0 + given / (share * mass * radius), axis), 1e-9 * u0);
        CHECK_VEC(rig_contact(world, 0, -1).tangential_impulse, rig_scale(k_t * s * dt, along),
                  1e-9 * mu * weight * dt);
        CHECK_NEAR(report.energy_elastic, 0.5 * k_t * s * s, 1e-9 * energy);
        CHECK(report.sliding == 0);
        CHECK_ENERGY(report, 10 * energy);
    }
    scree_world_destroy(world);
}

static void foot_swings_on_its_spring(void) {
    for (int dimension = 2; dimension <= 3; dimension++) {
        run_swing(dimension, 1, 0.05);
        run_swing(dimension, 1, 1);
    }
}
static void foot_swings_on_its_spring_with_theta(void) {
    for (int dimension = 2; dimension <= 3; dimension++) {
        run_swing(dimension, 0.5, 0.05);
        run_swing(dimension, 0.5, 0.7);
    }
}

/* ---------------------------------------------------------------- a pair of gears
 *
 * Two balls that may turn, but whose centres may only move along the normal, pressed together with
 * F and spun against each other: 1 / m_t = r_a^2 / I_a + r_b^2 / I_b. */
static void gears_swing_on_their_spring(void) {
    const double dt = 1e-3, mu = 0.5, press = 6, omega = 50;
    for (int dimension = 2; dimension <= 3; dimension++) {
        for (int swapped = 0; swapped < 2; swapped++) {
            RigPairDef d = rig_pair_def(dimension, dt, 0);
            d.swapped = swapped == 1;
            double inertia_a = rig_shape(dimension) * d.mass_a * d.radius_a * d.radius_a;
            double inertia_b = rig_shape(dimension) * d.mass_b * d.radius_b * d.radius_b;
            double m_t =
                1 / (d.radius_a * d.radius_a / inertia_a + d.radius_b * d.radius_b / inertia_b);
            d.law = shear_law(mu, m_t * omega * omega);
            RigPair p = rig_pair(&d);
            rig_press(&p, press);
            rig_must(
                scree_body_set_frozen(p.world, (ScreeBodyId){p.a}, SCREE_FREEZE_Y | SCREE_FREEZE_Z),
                "");
            rig_must(
                scree_body_set_frozen(p.world, (ScreeBodyId){p.b}, SCREE_FREEZE_Y | SCREE_FREEZE_Z),
                "");
            double u0 = 0.9 * mu * press / (m_t * omega);
            ScreeVec3 wa = rig_vec(0, 0, -u0 / d.radius_a); /* u_y = -r_b w_b - r_a w_a */
            rig_set_motion(p.world, p.a, rig_vec(0, 0, 0), wa);
            double complex q = u0, factor = 1 / (1 - omega * dt * I);
            for (int n = 0; n < 150; n++) {
                ScreeReport report = rig_step(p.world);
                q *= factor;
                double given = m_t * (u0 - creal(q)); /* on a, along y */
                ScreeBodyView b = scree_world_get_bodies(p.world);
                CHECK_NEAR(b.spin[p.a].z, wa.z + given * d.radius_a / inertia_a, 1e-10 * u0);
                CHECK_NEAR(b.spin[p.b].z, given * d.radius_b / inertia_b, 1e-10 * u0);
                CHECK_NEAR(report.energy_elastic, 0.5 * m_t * cimag(q) * cimag(q),
                           1e-10 * m_t * u0 * u0);
                CHECK_ENERGY(report, m_t * u0 * u0);
            }
            scree_world_destroy(p.world);
        }
    }
}

/* A contact that opens forgets its spring. */
static void lifted_contact_forgets_its_spring(void) {
    const double dt = 1e-3, k_t = 5e3, V = 0.1;
    ScreeLaw law = shear_law(0.9, k_t);
    ScreeWorld *world =
        on_plane(3, dt, 1, &law, SCREE_FREEZE_X | SCREE_FREEZE_Z | SCREE_FREEZE_ROTATION);
    rig_must(scree_wall_set_velocity(world, (ScreeWallId){0}, rig_vec(V, 0, 0), rig_vec(0, 0, 0)),
             "");
    for (int n = 0; n < 10; n++) {
        rig_step(world);
    }
    CHECK_CLOSE(rig_contact(world, 0, -1).tangential_impulse.x, -10 * k_t * V * dt * dt, 1e-10);
    rig_must(
        scree_wall_set_velocity(world, (ScreeWallId){0}, rig_vec(0, -0.5, 0), rig_vec(0, 0, 0)),
        "");
    for (int n = 0; n < 3; n++) {
        rig_step(world);
        CHECK_NEAR(rig_length(rig_contact(world, 0, -1).tangential_impulse), 0, 0);
    }
    rig_must(scree_wall_set_velocity(world, (ScreeWallId){0}, rig_vec(0, 0, 0), rig_vec(0, 0, 0)),
             "");
    for (int n = 0; n < 100; n++) {
        rig_step(world); /* falls, lies */
    }
    CHECK_NEAR(rig_length(rig_contact(world, 0, -1).tangential_impulse), 0, 1e-16);
    CHECK_CLOSE(rig_contact(world, 0, -1).normal_impulse, weight * dt, 1e-10);
    scree_world_destroy(world);
}

static void restarted_springs_go_on_bit_for_bit(void) {
    for (int dimension = 2; dimension <= 3; dimension++) {
        for (int i = 0; i < 2; i++) {
            ScreeLaw law = shear_law(0.4, 5e3);
            law.stiffness = i == 0 ? INFINITY : 1e5;
            ScreeWorld *world = on_plane(dimension, 1e-3, i == 0 ? 1 : 0.6, &law, 0);
            rig_set_motion(world, 0, rig_vec(0.02, 0, 0), rig_vec(0, 0, 0.03));
            for (int n = 0; n < 7; n++) {
                rig_step(world);
            }
            CHECK(rig_length(rig_contact(world, 0, -1).tangential_impulse) > 0);
            CHECK(rig_restarts(world, 50));
            scree_world_destroy(world);
        }
    }
}

int main(int argc, char **argv) {
    CHECK_RUN(drawn_plane_loads_and_cuts_the_spring);
    CHECK_RUN(hysteresis_loop_has_its_area);
    CHECK_RUN(pushed_block_springs_back);
    CHECK_RUN(foot_swings_on_its_spring);
    CHECK_RUN(foot_swings_on_its_spring_with_theta);
    CHECK_RUN(gears_swing_on_their_spring);
    CHECK_RUN(lifted_contact_forgets_its_spring);
    CHECK_RUN(restarted_springs_go_on_bit_for_bit);
    return check_result();
}
