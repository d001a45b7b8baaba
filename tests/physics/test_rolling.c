/* Rolling friction (BUW 1.38 to 1.45): the torque of a contact opposes the relative rolling
 * Omega_t, up to arm N, arm = rolling r* + rolling_length + rolling_hertz (r* N)^(1/3) (in two
 * dimensions ^(1/2)), and stops it where less is enough.
 *
 * All loads here are constant, so that implicit Euler gives the velocities of a constant
 * deceleration without error, down to an exact stop. */
#include "rig.h"

static const double gravity = 9.81, radius = 0.25, mass = 1.7;

/* Bound on the torque over the normal force N. */
static double arm_of(const ScreeLaw *law, int dimension, double reduced_radius, double N) {
    return law->rolling * reduced_radius + law->rolling_length +
           law->rolling_hertz * pow(reduced_radius * N, dimension == 2 ? 0.5 : 1.0 / 3);
}

/* The ways to give the coefficient: dimensionless, as a length, by Hertz, all at once. */
enum { FORMS = 4 };
static ScreeLaw rolling_law(int form, double friction) {
    ScreeLaw law = scree_law_default();
    law.friction = friction;
    law.rolling = form == 0 || form == 3 ? 0.12 : 0;
    law.rolling_length = form == 1 ? 0.031 : form == 3 ? 0.007 : 0;
    law.rolling_hertz = form == 2 ? 0.02 : form == 3 ? 0.004 : 0;
    return law;
}

/* A ball on a plane with the normal f.y; gravity acts against it, and partly along f.x. */
static ScreeWorld *ball_on_plane(int dimension, RigFrame f, double dt, const ScreeLaw *law,
                                 double along) {
    ScreeVec3 weight = rig_in(f, along, -gravity, 0);
    ScreeWorldDef def = rig_def(dimension, dt, weight);
    ScreeWorld *world = rig_create(&def);
    rig_law(world, law);
    rig_add_plane(world, rig_vec(0, 0, 0), f.y);
    rig_add_ball(world, rig_scale(radius, f.y), radius, mass);
    return world;
}

/* ---------------------------------------------------------------- rolling to rest
 *
 * Rolling without sliding, v = r w: about the contact point the torque arm m g brakes m r v (1 +
 * k), so v falls at the rate arm g / (r (1 + k)), and the step that would reverse it ends at rest.
 * All the loss is due to rolling friction. */
static void run_roll(int dimension, int frame, int form, double dt) {
    const double k = rig_shape(dimension), v0 = 0.8, weight = mass * gravity;
    RigFrame f = rig_frame(dimension, frame);
    ScreeLaw law = rolling_law(form, 0.9);
    ScreeWorld *world = ball_on_plane(dimension, f, dt, &law, 0);
    ScreeVec3 axis = rig_cross(f.y, f.x);
    double twirl = dimension == 3 ? 5 : 0; /* spin about the normal is not affected by this law */
    rig_set_motion(world, 0, rig_scale(v0, f.x), rig_add(rig_scale(v0 / radius, axis), twirl, f.y));
    double arm = arm_of(&law, dimension, radius, weight), a = arm * gravity / (radius * (1 + k));
    double energy = 0.5 * mass * (1 + k) * v0 * v0, lost = 0, travel = 0, before = v0;
    int last = (int)ceil(v0 / (a * dt));
    for (int n = 1; n <= last + 10; n++) {
        ScreeReport report = rig_step(world);
        double v = n < last ? v0 - a * n * dt : 0;
        travel += v * dt;
        ScreeBodyView b = scree_world_get_bodies(world);
        CHECK_VEC(b.velocity[0], rig_scale(v, f.x), 1e-11 * v0);
        CHECK_VEC(b.spin[0], rig_add(rig_scale(v / radius, axis), twirl, f.y),
                  1e-11 * (v0 / radius + twirl));
        CHECK_VEC(b.position[0], rig_add(rig_scale(radius, f.y), travel, f.x), 1e-10 * v0);
        ScreeContact c = rig_contact(world, 0, -1);
        CHECK_CLOSE(c.normal_impulse, weight * dt, 1e-11);
        CHECK_VEC(c.tangential_impulse, rig_scale(mass * (before - v), f.x), 1e-11 * weight * dt);
        ScreeVec3 torque = rig_scale(mass * radius * (1 + k) * (before - v), axis);
        /* the last step takes what is left of the motion, with the rounding of all steps */
        CHECK_VEC(rig_extra(world, 0, -1).torque_impulse, torque,
                  1e-11 * arm * weight * dt + 1e-13 * mass * radius * (1 + k) * v0);
        CHECK(n >= last || fabs(rig_length(torque) - arm * weight * dt) < 1e-11 * weight * dt);
        CHECK(c.state == SCREE_CONTACT_STICK && report.sliding == 0 && report.converged == 1);
        CHECK_NEAR(report.dissipation_rolling, 0.5 * mass * (1 + k) * (before * before - v * v),
                   1e-12 * energy);
        CHECK_NEAR(report.dissipation, report.dissipation_rolling, 1e-12 * energy);
        CHECK_ENERGY(report, energy + 0.2 * mass * radius * radius * twirl * twirl);
        lost += report.dissipation_rolling;
        before = v;
    }
    CHECK_CLOSE(lost, energy, 1e-10);
    scree_world_destroy(world);
}

static void ball_rolls_to_rest(void) {
    for (int dimension = 2; dimension <= 3; dimension++) {
        for (int frame = 0; frame < RIG_FRAMES; frame++) {
            for (int form = 0; form < FORMS; form++) {
                run_roll(dimension, frame, form, 1.0 / 128);
            }
        }
        run_roll(dimension, 1, 0, 1e-3);
        run_roll(dimension, 2, 3, 0.37); /* about one step */
    }
}

/* The torque acts on the wall too: p x load + T about its pivot. */
static void torque_loads_the_wall(void) {
    for (int dimension = 2; dimension <= 3; dimension++) {
        RigFrame f = rig_frame(dimension, 3);
        ScreeLaw law = rolling_law(0, 0.9);
        ScreeWorld *world = ball_on_plane(dimension, f, 0.01, &law, 0);
        rig_set_motion(world, 0, rig_scale(1, f.x), rig_scale(1 / radius, rig_cross(f.y, f.x)));
        rig_step(world);
        ScreeWallState wall = rig_wall(world, 0);
        ScreeVec3 torque = rig_scale(100, rig_extra(world, 0, -1).torque_impulse);
        double k = rig_shape(dimension), a = 0.12 * gravity / (1 + k);
        CHECK_VEC(wall.load, rig_in(f, mass * a, -mass * gravity, 0), 1e-10 * mass * gravity);
        CHECK_VEC(torque, rig_scale(0.12 * radius * mass * gravity, rig_cross(f.y, f.x)), 1e-10);
        /* the load passes through the origin at the start of the step */
        CHECK_VEC(wall.load_torque, torque, 1e-10);
        scree_world_destroy(world);
    }
}

/* ---------------------------------------------------------------- slopes
 *
 * About the contact point r m g sin a drives and arm m g cos a holds: rolling begins at tan a > arm
 * / r, with the acceleration g (sin a - arm / r cos a) / (1 + k). */
static void run_slope(int dimension, int frame, int form, double part) {
    const double k = rig_shape(dimension), dt = 1.0 / 64;
    RigFrame f = rig_frame(dimension, frame);
    ScreeLaw law = rolling_law(form, 5);
    double arm = arm_of(&law, dimension, radius, mass * gravity), slope = part * arm / radius;
    ScreeWorld *world = ball_on_plane(dimension, f, dt, &law, gravity * slope);
    double a = part > 1 ? gravity * (slope - arm / radius) / (1 + k) : 0;
    double torque = part > 1 ? arm * mass * gravity : mass * gravity * slope * radius;
    for (int n = 1; n <= 60; n++) {
        ScreeReport report = rig_step(world);
        double v = a * n * dt, size = gravity * slope * dt * n;
        CHECK_VEC(scree_world_get_bodies(world).velocity[0], rig_scale(v, f.x), 1e-12 * size);
        CHECK_VEC(rig_extra(world, 0, -1).torque_impulse,
                  rig_scale(torque * dt, rig_cross(f.y, f.x)), 1e-11 * torque * dt);
        CHECK_NEAR(report.dissipation_rolling, torque * dt * (v - 0.5 * a * dt) / radius,
                   1e-11 * torque * (size / radius) * dt);
        CHECK_ENERGY(report, mass * gravity * radius);
        CHECK(rig_contact(world, 0, -1).state == SCREE_CONTACT_STICK);
    }
    scree_world_destroy(world);
}

static void slope_holds_or_rolls(void) {
    static const double part[] = {0.4, 0.9999, 1.0001, 3};
    for (int dimension = 2; dimension <= 3; dimension++) {
        for (int i = 0; i < 4; i++) {
            for (int form = 0; form < FORMS; form++) {
                run_slope(dimension, i, form, part[i]);
                run_slope(dimension, 0, form, part[i]);
            }
        }
    }
}

/* ---------------------------------------------------------------- sliding and rolling
 *
 * A ball set sliding at v0. If arm >= mu r, friction cannot turn it: it slides like a block, and
 * the torque is mu r m g. Otherwise it gains spin at the rate (mu r - arm) m g / I while it slides;
 * sliding or rolling, m r v + I w falls at the rate arm m g. */
static void run_slide(int dimension, int frame, double mu) {
    const double k = rig_shape(dimension), v0 = 1.3, dt = 1e-3,
                 inertia = k * mass * radius * radius;
    RigFrame f = rig_frame(dimension, frame);
    ScreeLaw law = rolling_law(3, mu);
    ScreeWorld *world = ball_on_plane(dimension, f, dt, &law, 0);
    rig_set_motion(world, 0, rig_scale(v0, f.x), rig_vec(0, 0, 0));
    double arm = arm_of(&law, dimension, radius, mass * gravity);
    bool turns = arm < mu * radius;
    double spin_rate = turns ? (mu * radius - arm) * mass * gravity / inertia : 0;
    double slip_rate = mu * gravity + radius * spin_rate;
    int slide = (int)ceil(v0 / (slip_rate * dt)); /* the step in which sliding ends */
    double energy = 0.5 * mass * v0 * v0, friction = 0, rolling = 0;
    int n = 0;
    for (double v = v0; n < 5000 && (v > 0 || n < slide + 10);) {
        n++;
        ScreeReport report = rig_step(world);
        double angular = fmax(0, mass * radius * v0 - n * arm * mass * gravity * dt);
        double w = n < slide ? spin_rate * n * dt
                   : turns   ? angular / (mass * radius * radius * (1 + k))
                             : 0;
        v = n < slide ? v0 - mu * gravity * n * dt : w * radius;
        CHECK_VEC(scree_world_get_bodies(world).velocity[0], rig_scale(v, f.x), 1e-10 * v0);
        CHECK_VEC(scree_world_get_bodies(world).spin[0], rig_scale(w, rig_cross(f.y, f.x)),
                  1e-10 * v0 / radius);
        CHECK(rig_contact(world, 0, -1).state ==
              (n < slide ? SCREE_CONTACT_SLIP : SCREE_CONTACT_STICK));
        CHECK_ENERGY(report, energy);
        friction += report.dissipation_friction;
        rolling += report.dissipation_rolling;
    }
    CHECK(n > slide + 5 && n < 5000);
    CHECK_CLOSE(friction + rolling, energy, 1e-9);
    CHECK(turns ? rolling > 0.1 * energy : fabs(rolling) < 1e-12 * energy);
    scree_world_destroy(world);
}

static void rolling_friction_brakes_a_sliding_ball(void) {
    for (int dimension = 2; dimension <= 3; dimension++) {
        for (int frame = 0; frame < RIG_FRAMES; frame++) {
            run_slide(dimension, frame, 0.6);
            run_slide(dimension, frame, 0.1);
        }
    }
}

/* ---------------------------------------------------------------- a free pair
 *
 * Two balls pressed together with F, without sliding friction: the torque -T on a and T on b
 * reduces Omega_t at the rate arm F (1 / I_a + 1 / I_b); angular momentum is conserved.
 * The forces do not turn with the pair, so it buckles: a misalignment grows at the rate sqrt(F /
 * (m* distance)). The time step is small compared with that, and the spins are such that they end
 * after 20 and a half steps. */
static void run_pair(const RigPairDef *d, ScreeVec3 spin_a, ScreeVec3 spin_b, double press) {
    RigPair p = rig_pair(d);
    const double distance = d->radius_a + d->radius_b, inverse = 1 / p.inertia_a + 1 / p.inertia_b;
    double arm = arm_of(&d->law, d->world.dimension, d->radius_a * d->radius_b / distance, press);
    double dt = 0.05 / sqrt(press / (p.reduced * distance));
    rig_must(scree_world_set_time_step(p.world, dt), "time step");
    ScreeVec3 omega = rig_sub(spin_b, spin_a);
    double full = rig_length(rig_add(omega, -rig_dot(omega, p.n), p.n));
    double part = 20.5 * arm * press * inverse * dt / full;
    ScreeVec3 wa = rig_scale(part, spin_a), wb = rig_scale(part, spin_b);
    ScreeVec3 roll = rig_scale(part, rig_add(omega, -rig_dot(omega, p.n), p.n));
    const ScreeVec3 drift = rig_in(d->frame, 0.3, -0.7, d->world.dimension == 3 ? 0.4 : 0);
    rig_press(&p, press);
    rig_set_motion(p.world, p.a, drift, wa);
    rig_set_motion(p.world, p.b, drift, wb);
    double size = rig_length(roll), before = size, energy = scree_world_get_kinetic_energy(p.world);
    ScreeVec3 momentum = rig_momentum(p.world), angular = rig_angular_momentum(p.world);
    const int last = 21;
    for (int n = 1; n <= last + 5; n++) {
        ScreeReport report = rig_step(p.world);
        double now = n < last ? size - arm * press * inverse * dt * n : 0;
        ScreeVec3 lost = rig_scale((size - now) / (size * inverse), roll); /* angular momentum */
        ScreeBodyView b = scree_world_get_bodies(p.world);
        CHECK_VEC(b.spin[p.a], rig_add(wa, 1 / p.inertia_a, lost), 1e-11 * size);
        CHECK_VEC(b.spin[p.b], rig_add(wb, -1 / p.inertia_b, lost), 1e-11 * size);
        CHECK_VEC(b.velocity[p.a], drift, 1e-11);
        CHECK_VEC(rig_extra(p.world, p.a, p.b).torque_impulse,
                  rig_scale(-(before - now) / (size * inverse), roll), 1e-11 * size / inverse);
        CHECK_VEC(rig_momentum(p.world), momentum, 1e-13 * rig_length(momentum));
        CHECK_VEC(rig_angular_momentum(p.world), angular, 1e-12 * (1 + rig_length(angular)));
        CHECK_NEAR(report.dissipation_rolling, (before * before - now * now) / (2 * inverse),
                   1e-12 * energy);
        CHECK_NEAR(report.dissipation, report.dissipation_rolling, 1e-12 * energy);
        CHECK_ENERGY(report, energy);
        before = now;
    }
    scree_world_destroy(p.world);
}

static void free_pair_stops_rolling(void) {
    for (int dimension = 2; dimension <= 3; dimension++) {
        for (int frame = 0; frame < RIG_FRAMES; frame++) {
            for (int form = 0; form < FORMS; form++) {
                RigPairDef d = rig_pair_def(dimension, 0.01, frame);
                d.law = rolling_law(form, 0);
                d.swapped = (frame + form) % 2 == 1;
                d.mass_a = frame == 2 ? 1e-3 : 2;
                double z = dimension == 3;
                ScreeVec3 wa = rig_in(d.frame, 2 * z, -1.5 * z, 3);
                ScreeVec3 wb = rig_in(d.frame, -4 * z, 2.5 * z, -1);
                run_pair(&d, wa, wb, 4);
                run_pair(&d, wb, wa, 0.6);
            }
        }
    }
}

/* ---------------------------------------------------------------- curved partners
 *
 * A torque on a ball at the bottom of a hollow cylinder, on top of a solid one, on a flat block:
 * the contact holds it below arm N, and above that exerts arm N. */
typedef enum Ground { HOLLOW, SOLID, BLOCK, SEGMENT, FROZEN_BALL, GROUNDS } Ground;

static double add_ground(ScreeWorld *world, Ground ground, double R) {
    if (ground == FROZEN_BALL) {
        ScreeBodyDef rock = rig_ball(rig_vec(0, -R, 0), R, 1);
        rock.frozen = SCREE_FREEZE_ALL;
        rig_add_body(world, &rock);
        return 1 / (1 / radius + 1 / R);
    }
    ScreeWallDef wall = scree_wall_def_default();
    wall.shape = ground == BLOCK     ? SCREE_WALL_BLOCK
                 : ground == SEGMENT ? SCREE_WALL_SEGMENT
                                     : SCREE_WALL_CYLINDER;
    wall.point = rig_vec(ground == SEGMENT ? -9 : 0,
                         ground == BLOCK     ? -1
                         : ground == SEGMENT ? 0
                         : ground == HOLLOW  ? R
                                             : -R,
                         0);
    wall.end = rig_vec(9, 0, 0);
    wall.half = rig_vec(5, 1, 5);
    wall.radius = R;
    wall.inside = ground == HOLLOW;
    rig_add_wall(world, &wall);
    return ground == HOLLOW  ? 1 / (1 / radius - 1 / R)
           : ground == SOLID ? 1 / (1 / radius + 1 / R)
                             : radius;
}

static void run_curved(int dimension, Ground ground, int form, double part, double sign) {
    const double dt = 1e-3;
    ScreeLaw law = rolling_law(form, 3);
    ScreeWorldDef def = rig_def(dimension, dt, rig_vec(0, -gravity, 0));
    ScreeWorld *world = rig_create(&def);
    rig_law(world, &law);
    ScreeBodyDef ball = rig_ball(rig_vec(0, radius, 0), radius, mass);
    rig_add_body(world, &ball);
    double rs = add_ground(world, ground, 1.75);
    double moment = sign * part * arm_of(&law, dimension, rs, mass * gravity) * mass * gravity;
    rig_must(scree_body_set_force(world, (ScreeBodyId){0}, rig_vec(0, 0, 0), rig_vec(0, 0, moment)),
             "torque");
    int32_t partner = ground == FROZEN_BALL ? 1 : -1;
    for (int n = 1; n <= 3; n++) {
        ScreeReport report = rig_step(world);
        ScreeContact c = rig_contact(world, 0, partner);
        double torque = rig_extra(world, 0, partner).torque_impulse.z / dt;
        CHECK_CLOSE(c.normal_impulse, mass * gravity * dt, n == 1 ? 1e-10 : 1e-4);
        if (part < 1) {
            CHECK_CLOSE(torque, moment, 1e-10);
            CHECK_NEAR(rig_length(scree_world_get_bodies(world).spin[0]), 0, 1e-13);
        } else {
            double N = c.normal_impulse / dt;
            CHECK_CLOSE(torque, sign * arm_of(&law, dimension, rs, N) * N, 1e-10);
            CHECK(scree_world_get_bodies(world).spin[0].z * sign > 0);
        }
        if (n == 1 || ground == BLOCK || ground == SEGMENT) { /* a turning normal does work */
            CHECK_ENERGY(report, mass * gravity * radius);
        }
    }
    scree_world_destroy(world);
}

static void curved_partners_hold_by_reduced_radius(void) {
    for (int dimension = 2; dimension <= 3; dimension++) {
        for (int ground = 0; ground < GROUNDS; ground++) {
            for (int form = 0; form < FORMS && (ground != SEGMENT || dimension == 2); form++) {
                run_curved(dimension, (Ground)ground, form, 0.9999, 1);
                run_curved(dimension, (Ground)ground, form, 1.0001, -1);
                run_curved(dimension, (Ground)ground, form, 3, 1);
            }
        }
    }
}

/* ---------------------------------------------------------------- driven, restarted */

/* A ball held in place and kept spinning drives another one. Its motor does the work: torque times
 * spin. */
static void motor_turns_a_ball(void) {
    for (int dimension = 2; dimension <= 3; dimension++) {
        const double w = 3, press = 5, dt = 0.01;
        RigPairDef d = rig_pair_def(dimension, dt, 0);
        d.law = rolling_law(1, 0);
        RigPair p = rig_pair(&d);
        rig_press(&p, press);
        rig_must(scree_body_set_frozen(p.world, (ScreeBodyId){p.a}, SCREE_FREEZE_ALL), "frozen");
        rig_set_motion(p.world, p.a, rig_vec(0, 0, 0), rig_vec(0, 0, w));
        double rate = 0.031 * press / p.inertia_b, before = 0;
        for (int n = 1; n <= (int)(w / (rate * dt)) + 10; n++) {
            ScreeReport report = rig_step(p.world);
            double now = fmin(w, rate * n * dt), torque = p.inertia_b * (now - before);
            CHECK_VEC(scree_world_get_bodies(p.world).spin[p.b], rig_vec(0, 0, now), 1e-11 * w);
            CHECK_NEAR(report.work_walls, torque * w, 1e-12 * w * w);
            CHECK_NEAR(report.dissipation_rolling, torque * (w - 0.5 * (now + before)),
                       1e-12 * w * w);
            CHECK_ENERGY(report, w * w);
            before = now;
        }
        scree_world_destroy(p.world);
    }
}

static void restarted_rolling_goes_on_bit_for_bit(void) {
    for (int dimension = 2; dimension <= 3; dimension++) {
        RigFrame f = rig_frame(dimension, 1);
        ScreeLaw law = rolling_law(3, 0.6);
        ScreeWorld *world = ball_on_plane(dimension, f, 0.01, &law, 0.3);
        rig_set_motion(world, 0, rig_in(f, 1, 0, 0), rig_vec(0, 0, 7));
        for (int n = 0; n < 5; n++) {
            rig_step(world);
        }
        CHECK(rig_restarts(world, 40));
        scree_world_destroy(world);
    }
}

int main(int argc, char **argv) {
    CHECK_RUN(ball_rolls_to_rest);
    CHECK_RUN(torque_loads_the_wall);
    CHECK_RUN(slope_holds_or_rolls);
    CHECK_RUN(rolling_friction_brakes_a_sliding_ball);
    CHECK_RUN(free_pair_stops_rolling);
    CHECK_RUN(curved_partners_hold_by_reduced_radius);
    CHECK_RUN(motor_turns_a_ball);
    CHECK_RUN(restarted_rolling_goes_on_bit_for_bit);
    return check_result();
}
