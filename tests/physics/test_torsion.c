/* Torsion friction (BUW 1.40): a torque about the normal that opposes Omega_n, up to (torsion r* +
 * torsion_length) N. It is independent of rolling, and rolling of it. */
#include "rig.h"

static const double gravity = 9.81, radius = 0.25, mass = 1.7;

static ScreeLaw torsion_law(int form) {
    ScreeLaw law = scree_law_default();
    law.torsion = form != 1 ? 0.11 : 0;
    law.torsion_length = form != 0 ? 0.023 : 0;
    return law;
}
static double arm_of(const ScreeLaw *law, double reduced_radius) {
    return law->torsion * reduced_radius + law->torsion_length;
}

static ScreeWorld *ball_on_plane(RigFrame f, double dt, const ScreeLaw *law) {
    ScreeWorldDef def = rig_def(3, dt, rig_scale(-gravity, f.y));
    ScreeWorld *world = rig_create(&def);
    rig_law(world, law);
    rig_add_plane(world, rig_vec(0, 0, 0), f.y);
    rig_add_ball(world, rig_scale(radius, f.y), radius, mass);
    return world;
}

/* A top on a plane: the spin about the normal falls at the rate arm m g / I, to an exact stop. With
 * friction the ball may roll at the same time, without loss. */
static void run_top(int frame, int form, double w0, double dt, double roll) {
    RigFrame f = rig_frame(3, frame);
    ScreeLaw law = torsion_law(form);
    law.friction = 0.4;
    ScreeWorld *world = ball_on_plane(f, dt, &law);
    ScreeVec3 rolling = rig_scale(roll / radius, rig_cross(f.y, f.x));
    rig_set_motion(world, 0, rig_scale(roll, f.x), rig_add(rolling, w0, f.y));
    const double inertia = 0.4 * mass * radius * radius, arm = arm_of(&law, radius);
    double rate = arm * mass * gravity / inertia, before = fabs(w0), sign = w0 > 0 ? 1 : -1;
    double energy = 0.5 * inertia * w0 * w0, lost = 0, all = energy + 0.7 * mass * roll * roll;
    int last = (int)ceil(before / (rate * dt));
    for (int n = 1; n <= last + 5; n++) {
        ScreeReport report = rig_step(world);
        double now = n < last ? fabs(w0) - n * rate * dt : 0;
        CHECK_VEC(scree_world_get_bodies(world).spin[0], rig_add(rolling, sign * now, f.y),
                  1e-11 * fabs(w0) + 1e-12 * roll / radius);
        CHECK_VEC(scree_world_get_bodies(world).velocity[0], rig_scale(roll, f.x),
                  1e-12 * (1 + roll));
        CHECK_VEC(rig_extra(world, 0, -1).torque_impulse,
                  rig_scale(sign * inertia * (before - now), f.y), 1e-11 * inertia * fabs(w0));
        CHECK_NEAR(report.dissipation_torsion, 0.5 * inertia * (before * before - now * now),
                   1e-12 * all);
        CHECK_NEAR(report.dissipation, report.dissipation_torsion, 1e-12 * all);
        CHECK_ENERGY(report, all);
        lost += report.dissipation_torsion;
        before = now;
    }
    CHECK_CLOSE(lost, energy, 1e-10);
    scree_world_destroy(world);
}

static void top_slows_down_and_stops(void) {
    for (int frame = 0; frame < RIG_FRAMES; frame++) {
        for (int form = 0; form < 3; form++) {
            run_top(frame, form, 9, 1.0 / 128, 0);
            run_top(frame, form, -9, 1e-3, 0);
            run_top(frame, form, 4, 0.1, 0.6);
        }
    }
}

/* An external torque about the normal moves nothing up to the bound; beyond it, only the excess
 * accelerates. */
static void outer_torque_is_held_up_to_the_bound(void) {
    static const double part[] = {0.3, 0.9999, 1.0001, -2.5};
    const double dt = 0.01, inertia = 0.4 * mass * radius * radius;
    for (int i = 0; i < 4; i++) {
        RigFrame f = rig_frame(3, i);
        ScreeLaw law = torsion_law(2);
        ScreeWorld *world = ball_on_plane(f, dt, &law);
        double bound = arm_of(&law, radius) * mass * gravity, torque = part[i] * bound;
        rig_must(
            scree_body_set_force(world, (ScreeBodyId){0}, rig_vec(0, 0, 0), rig_scale(torque, f.y)),
            "twist");
        double net = fabs(part[i]) < 1 ? 0 : torque - copysign(bound, torque);
        for (int n = 1; n <= 30; n++) {
            ScreeReport report = rig_step(world);
            CHECK_VEC(scree_world_get_bodies(world).spin[0], rig_scale(net / inertia * n * dt, f.y),
                      1e-12 * bound / inertia * n * dt);
            CHECK_VEC(rig_extra(world, 0, -1).torque_impulse, rig_scale((torque - net) * dt, f.y),
                      1e-11 * bound * dt);
            CHECK_ENERGY(report, bound);
        }
        scree_world_destroy(world);
    }
}

/* A turntable takes the ball at its centre along; its motor supplies torque times spin. */
static void turntable_takes_the_ball_along(void) {
    const double W = 5, dt = 0.005, inertia = 0.4 * mass * radius * radius;
    for (int frame = 0; frame < RIG_FRAMES; frame++) {
        RigFrame f = rig_frame(3, frame);
        ScreeLaw law = torsion_law(0);
        law.friction = 0.5;
        ScreeWorldDef def = rig_def(3, dt, rig_scale(-gravity, f.y));
        ScreeWorld *world = rig_create(&def);
        rig_law(world, &law);
        ScreeWallDef table = rig_plane(rig_vec(0, 0, 0), f.y);
        table.motion = SCREE_WALL_MOVED;
        table.spin = rig_scale(W, f.y);
        rig_add_wall(world, &table);
        rig_add_ball(world, rig_scale(radius, f.y), radius, mass);
        double rate = arm_of(&law, radius) * mass * gravity / inertia, before = 0;
        for (int n = 1; n <= (int)(W / (rate * dt)) + 10; n++) {
            ScreeReport report = rig_step(world);
            double now = fmin(W, rate * n * dt), torque = inertia * (now - before);
            CHECK_VEC(scree_world_get_bodies(world).spin[0], rig_scale(now, f.y), 1e-11 * W);
            CHECK_VEC(rig_wall(world, 0).load_torque, rig_scale(-torque / dt, f.y),
                      1e-10 * inertia * rate);
            CHECK_NEAR(report.work_walls, torque * W, 1e-12 * W * W * inertia);
            CHECK_NEAR(report.dissipation_torsion, torque * (W - 0.5 * (now + before)),
                       1e-12 * W * W * inertia);
            CHECK_ENERGY(report, inertia * W * W);
            before = now;
        }
        scree_world_destroy(world);
    }
}

/* Two free balls pressed together, spinning against each other about all axes: the part along the
 * normal and the part across it fall at their own rates, each with its own bound, each to its own
 * stop; angular momentum is conserved. */
static void run_pair(int frame, bool swapped, double press) {
    const double dt = 0.004;
    RigPairDef d = rig_pair_def(3, dt, frame);
    d.law = torsion_law(2);
    d.law.rolling = 0.07;
    d.swapped = swapped;
    d.mass_b = frame == 1 ? 0.01 : 3;
    RigPair p = rig_pair(&d);
    rig_press(&p, press);
    ScreeVec3 wa = rig_in(d.frame, -3, 1, 2), wb = rig_in(d.frame, 4, -1, 0.5);
    rig_set_motion(p.world, p.a, rig_vec(0, 0, 0), wa);
    rig_set_motion(p.world, p.b, rig_vec(0, 0, 0), wb);
    double rs = d.radius_a * d.radius_b / (d.radius_a + d.radius_b);
    double inverse = 1 / p.inertia_a + 1 / p.inertia_b;
    double twist0 = rig_dot(rig_sub(wb, wa), p.n), twist_before = twist0;
    ScreeVec3 roll = rig_add(rig_sub(wb, wa), -twist0, p.n);
    double roll0 = rig_length(roll), roll_before = roll0,
           energy = scree_world_get_kinetic_energy(p.world);
    double twist_rate = arm_of(&d.law, rs) * press * inverse,
           roll_rate = 0.07 * rs * press * inverse;
    ScreeVec3 angular = rig_angular_momentum(p.world);
    int steps = (int)(fmax(twist0 / twist_rate, roll0 / roll_rate) / dt) + 5;
    for (int n = 1; n <= steps; n++) {
        ScreeReport report = rig_step(p.world);
        double twist_now = fmax(0, twist0 - twist_rate * n * dt);
        double roll_now = fmax(0, roll0 - roll_rate * n * dt);
        ScreeVec3 lost = rig_add(rig_scale((twist0 - twist_now) / inverse, p.n),
                                 (roll0 - roll_now) / (roll0 * inverse), roll);
        ScreeBodyView b = scree_world_get_bodies(p.world);
        CHECK_VEC(b.spin[p.a], rig_add(wa, 1 / p.inertia_a, lost), 1e-11 * 10);
        CHECK_VEC(b.spin[p.b], rig_add(wb, -1 / p.inertia_b, lost), 1e-11 * 10);
        CHECK_VEC(rig_angular_momentum(p.world), angular, 1e-12 * (1 + rig_length(angular)));
        CHECK_NEAR(report.dissipation_torsion,
                   (twist_before * twist_before - twist_now * twist_now) / (2 * inverse),
                   1e-12 * energy);
        CHECK_NEAR(report.dissipation_rolling,
                   (roll_before * roll_before - roll_now * roll_now) / (2 * inverse),
                   1e-12 * energy);
        CHECK_ENERGY(report, energy);
        twist_before = twist_now;
        roll_before = roll_now;
    }
    scree_world_destroy(p.world);
}

static void free_pair_stops_twisting_and_rolling(void) {
    for (int frame = 0; frame < RIG_FRAMES; frame++) {
        run_pair(frame, false, 3);
        run_pair(frame, true, 0.7);
    }
}

/* In the plane nothing turns about a normal, so the law changes no bit of the motion. */
static void torsion_does_nothing_in_the_plane(void) {
    ScreeWorld *world[2];
    for (int i = 0; i < 2; i++) {
        ScreeWorldDef def = rig_def(2, 0.01, rig_vec(1, -gravity, 0));
        world[i] = rig_create(&def);
        ScreeLaw law = scree_law_default();
        law.friction = 0.3;
        law.rolling = 0.1;
        law.torsion = i == 0 ? 0 : 0.5;
        rig_law(world[i], &law);
        rig_add_plane(world[i], rig_vec(0, 0, 0), rig_vec(0, 1, 0));
        rig_add_ball(world[i], rig_vec(0, radius, 0), radius, mass);
        rig_add_ball(world[i], rig_vec(0.1, 3 * radius, 0), radius, mass);
    }
    for (int n = 0; n < 200; n++) {
        rig_step(world[0]);
        ScreeReport report = rig_step(world[1]);
        CHECK(report.dissipation_torsion == 0);
        for (int i = 0; i < 2; i++) {
            ScreeBodyView a = scree_world_get_bodies(world[0]),
                          b = scree_world_get_bodies(world[1]);
            CHECK_VEC(a.position[i], b.position[i], 0);
            CHECK_VEC(a.spin[i], b.spin[i], 0);
        }
    }
    scree_world_destroy(world[0]);
    scree_world_destroy(world[1]);
}

static void restarted_top_goes_on_bit_for_bit(void) {
    ScreeLaw law = torsion_law(2);
    ScreeWorld *world = ball_on_plane(rig_frame(3, 2), 0.001, &law);
    rig_set_motion(world, 0, rig_vec(0, 0, 0), rig_vec(1, 8, -3));
    for (int n = 0; n < 5; n++) {
        rig_step(world);
    }
    CHECK(rig_restarts(world, 50));
    scree_world_destroy(world);
}

int main(int argc, char **argv) {
    CHECK_RUN(top_slows_down_and_stops);
    CHECK_RUN(outer_torque_is_held_up_to_the_bound);
    CHECK_RUN(turntable_takes_the_ball_along);
    CHECK_RUN(free_pair_stops_twisting_and_rolling);
    CHECK_RUN(torsion_does_nothing_in_the_plane);
    CHECK_RUN(restarted_top_goes_on_bit_for_bit);
    return check_result();
}
