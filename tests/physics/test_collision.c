/* Collisions, piles at rest, and obstacles.
 *
 * A central inelastic collision takes two steps: the first lets the gap close exactly, the second
 * ends the approach. */
#include "rig.h"

/* Two balls on a line along `n`, a gap apart. */
static void run_central(int dimension, ScreeVec3 n, double ma, double mb, double friction) {
    const double ra = 0.3, rb = 0.5, gap = 0.004, dt = 0.01, va = 1.5, vb = -0.25;
    ScreeWorld *world = rig_world(dimension, dt, rig_vec(0, 0, 0), friction);
    ScreeBodyDef a = rig_ball(rig_vec(0.1, 0.2, dimension == 3 ? -0.3 : 0), ra, ma);
    ScreeBodyDef b = rig_ball(rig_add(a.position, ra + rb + gap, n), rb, mb);
    a.velocity = rig_scale(va, n);
    b.velocity = rig_scale(vb, n);
    rig_add_body(world, &a);
    rig_add_body(world, &b);
    double momentum = ma * va + mb * vb, reduced = ma * mb / (ma + mb);
    double energy = 0.5 * ma * va * va + 0.5 * mb * vb * vb, lost = 0;
    for (int step = 1; step <= 5; step++) {
        ScreeReport report = rig_step(world);
        ScreeBodyView view = scree_world_get_bodies(world);
        ScreeVec3 relative = rig_sub(view.velocity[1], view.velocity[0]);
        double expected = step == 1 ? -gap / dt : 0;
        /* with mass ratios of 1 to 1e-6 a change of impulse can be lost in the velocity, sweep by
         * sweep */
        CHECK_VEC(relative, rig_scale(expected, n), 1e-12);
        ScreeVec3 between = rig_sub(view.position[1], view.position[0]);
        CHECK_NEAR(rig_length(between) - (ra + rb), 0, 1e-13);
        ScreeVec3 p = rig_add(rig_scale(ma, view.velocity[0]), mb, view.velocity[1]);
        CHECK_VEC(p, rig_scale(momentum, n), 1e-14 * (ma * va + mb));
        double impulse = step == 1   ? reduced * (va - vb - gap / dt)
                         : step == 2 ? reduced * gap / dt
                                     : 0;
        CHECK_NEAR(rig_contact(world, 0, 1).normal_impulse, impulse, 1e-12 * reduced);
        lost += report.dissipation;
        CHECK_NEAR(report.energy_error, 0, 1e-13 * energy);
    }
    double inelastic = 0.5 * reduced * (va - vb) * (va - vb);
    CHECK_CLOSE(lost, inelastic, 1e-10);
    CHECK_CLOSE(scree_world_get_kinetic_energy(world), energy - inelastic, 1e-10);
    scree_world_destroy(world);
}

static void central_collision_takes_two_steps(void) {
    const double c = cos(0.6), s = sin(0.6);
    run_central(2, rig_vec(1, 0, 0), 1, 1, 0);
    run_central(2, rig_vec(c, -s, 0), 0.01, 7, 0.5);
    run_central(3, rig_vec(0, 0, 1), 2, 3, 0);
    run_central(3, rig_vec(2.0 / 3, -1.0 / 3, 2.0 / 3), 100, 0.5, 0.5);
    run_central(3, rig_vec(-0.6 * c, 0.8, -0.6 * s), 1, 1e-6, 0);
}

/* A ball that falls on a fixed plane, a moving one or an entirely frozen ball meets the same
 * resistance. */
static void obstacles_are_alike(void) {
    for (int kind = 0; kind < 3; kind++) {
        const double dt = 0.01, gap = 0.013, v0 = 3;
        ScreeWorld *world = rig_world(3, dt, rig_vec(0, 0, 0), 0.4);
        ScreeBodyDef ball = rig_ball(rig_vec(0, 1 + gap, 0), 1, 2);
        ball.velocity = rig_vec(0, -v0, 0);
        rig_add_body(world, &ball);
        if (kind < 2) {
            ScreeWallDef floor_plane = rig_plane(rig_vec(0, 0, 0), rig_vec(0, 1, 0));
            floor_plane.motion = kind == 0 ? SCREE_WALL_FIXED : SCREE_WALL_MOVED;
            rig_add_wall(world, &floor_plane);
        } else {
            ScreeBodyDef rock = rig_ball(rig_vec(0, -5, 0), 5, 1e-3);
            rock.frozen = SCREE_FREEZE_ALL;
            rig_add_body(world, &rock);
        }
        rig_step(world);
        CHECK_NEAR(scree_world_get_bodies(world).velocity[0].y, -gap / dt, 1e-12);
        CHECK_NEAR(scree_world_get_bodies(world).position[0].y, 1, 1e-14);
        rig_step(world);
        CHECK_NEAR(scree_world_get_bodies(world).velocity[0].y, 0, 1e-12);
        if (kind == 2) {
            CHECK_VEC(scree_world_get_bodies(world).velocity[1], rig_vec(0, 0, 0), 0);
            CHECK_VEC(scree_world_get_bodies(world).position[1], rig_vec(0, -5, 0), 0);
        }
        scree_world_destroy(world);
    }
}

/* An oblique hit with friction, in both dimensions: at zero gap the step is a single impulse with
 * the masses m_n, m_t of the contact. Stick leaves no velocity at the contact; slip takes mu
 * R_n. */
static void oblique_hit_sticks_or_slips(void) {
    for (int dimension = 2; dimension <= 3; dimension++) {
        for (int sticks = 0; sticks < 2; sticks++) {
            const double k = rig_shape(dimension), ma = 2, mb = 3, mu = sticks ? 0.9 : 0.1, v = 1,
                         w = 2;
            ScreeWorld *world = rig_world(dimension, 0.01, rig_vec(0, 0, 0), mu);
            ScreeBodyDef a = rig_ball(rig_vec(0, 0, 0), 0.5, ma),
                         b = rig_ball(rig_vec(1.25, 0, 0), 0.75, mb);
            a.velocity = rig_vec(v, w, 0);
            rig_add_body(world, &a);
            rig_add_body(world, &b);
            rig_step(world);
            ScreeContact c = rig_contact(world, 0, 1);
            double reduced = 1 / (1 / ma + 1 / mb),
                   tangential = 1 / ((1 / ma + 1 / mb) * (1 + 1 / k));
            double rt = fmin(tangential * w, mu * reduced * v);
            CHECK(sticks == (tangential * w < mu * reduced * v));
            CHECK_CLOSE(c.normal_impulse, reduced * v, 1e-12);
            CHECK_VEC(c.tangential_impulse, rig_vec(0, rt, 0), 1e-12);
            ScreeBodyView view = scree_world_get_bodies(world);
            CHECK_VEC(view.velocity[0], rig_vec(v - reduced * v / ma, w - rt / ma, 0), 1e-12);
            CHECK_VEC(view.velocity[1], rig_vec(reduced * v / mb, rt / mb, 0), 1e-12);
            CHECK_VEC(view.spin[0], rig_vec(0, 0, -rt / (k * ma * 0.5)), 1e-12);
            CHECK_VEC(view.spin[1], rig_vec(0, 0, -rt / (k * mb * 0.75)), 1e-12);
            scree_world_destroy(world);
        }
    }
}

/* ---------------------------------------------------------------- piles */

/* One disk on two. The upper contact leans by `t` from the vertical, sin t = (D / 2) / (2 r). A
 * lower disk carries three forces: weight and floor act through its foot, so the upper force does
 * too: it leans by t / 2 and makes the angle t / 2 with the normal. Hence N = W / 2 and T = W / 2
 * tan(t / 2), which needs mu >= tan(t / 2); the foot carries 3/2 W and the friction T. */
static ScreeWorld *three_disks(double distance, double mu, double mu_floor) {
    const double r = 0.5;
    ScreeWorld *world = rig_world(2, 1e-3, rig_vec(0, -10, 0), mu);
    int32_t base = rig_material(world, 1);
    ScreeLaw law = scree_law_default();
    law.friction = mu_floor;
    rig_must(scree_law_set(world, (ScreeMaterialId){0}, (ScreeMaterialId){base}, &law), "law");
    ScreeWallDef ground = rig_plane(rig_vec(0, 0, 0), rig_vec(0, 1, 0));
    ground.material.index = base;
    rig_add_wall(world, &ground);
    rig_add_ball(world, rig_vec(-distance / 2, r, 0), r, 1);
    rig_add_ball(world, rig_vec(distance / 2, r, 0), r, 1);
    rig_add_ball(world, rig_vec(0, r + sqrt(4 * r * r - distance * distance / 4), 0), r, 1);
    return world;
}

static void three_disks_apart_stand_by_friction(void) {
    const double distance = 1.1, half_lean = 0.5 * asin(distance / 2), W = 10, dt = 1e-3;
    ScreeWorld *world = three_disks(distance, 1.01 * tan(half_lean), 0.5);
    for (int step = 0; step < 300; step++) {
        ScreeReport report = rig_step(world);
        CHECK(report.converged == 1 && report.sliding == 0 && report.active == 4);
    }
    for (int i = 0; i < 2; i++) {
        ScreeContact top = rig_contact(world, i, 2), foot = rig_contact(world, i, -1);
        CHECK_CLOSE(top.normal_impulse / dt, W / 2, 1e-9);
        CHECK_CLOSE(rig_length(top.tangential_impulse) / dt, W / 2 * tan(half_lean), 1e-9);
        CHECK_CLOSE(foot.normal_impulse / dt, 1.5 * W, 1e-9);
        CHECK_CLOSE(foot.tangential_impulse.x / dt, (i == 0 ? -1 : 1) * W / 2 * tan(half_lean),
                    1e-9);
    }
    ScreeBodyView b = scree_world_get_bodies(world);
    CHECK_VEC(b.position[0], rig_vec(-distance / 2, 0.5, 0), 1e-11);
    CHECK_VEC(b.position[1], rig_vec(distance / 2, 0.5, 0), 1e-11);
    scree_world_destroy(world);
}

/* The two lower disks touch: t = 30 degrees, so friction of 15 degrees. Their own contact may carry
 * any Q >= 0 that friction allows, so only this much of the forces is determined: N sqrt(3)/2 + T/2
 * = W/2 and N/2 + Q = T (1 + sqrt(3)/2); T = floor friction. */
static void three_touching_disks_balance(void) {
    const double W = 10, dt = 1e-3, need = tan(RIG_PI / 12);
    ScreeWorld *world = three_disks(1, 1.01 * need, 0.5);
    for (int step = 0; step < 300; step++) {
        rig_step(world);
    }
    double q = rig_contact(world, 0, 1).normal_impulse / dt;
    CHECK(q >= 0);
    for (int i = 0; i < 2; i++) {
        ScreeContact top = rig_contact(world, i, 2), foot = rig_contact(world, i, -1);
        double n = top.normal_impulse / dt, t = rig_length(top.tangential_impulse) / dt;
        CHECK_NEAR(n * sqrt(3) / 2 + t / 2, W / 2, 1e-9 * W);
        CHECK_NEAR(n / 2 + q, t * (1 + sqrt(3) / 2), 1e-9 * W);
        CHECK_NEAR(fabs(foot.tangential_impulse.x) / dt, t, 1e-9 * W);
        CHECK_CLOSE(foot.normal_impulse / dt, 1.5 * W, 1e-9);
    }
    for (int i = 0; i < 3; i++) {
        CHECK_VEC(scree_world_get_bodies(world).velocity[i], rig_vec(0, 0, 0), 1e-11);
    }
    scree_world_destroy(world);
}

/* With too little friction between the grains, or on the floor (where a third of it suffices), the
 * pile slides apart at once. */
static void three_disks_collapse_below_their_friction(void) {
    const double need = tan(RIG_PI / 12);
    const double mu[4] = {0.99 * need, 1.01 * need, 1.01 * need, 0.99 * need};
    const double mu_floor[4] = {0.5, 0.99 * need / 3, 1.01 * need / 3, 0.99 * need / 3};
    const bool stands[4] = {false, false, true, false};
    for (int i = 0; i < 4; i++) {
        ScreeWorld *world = three_disks(1, mu[i], mu_floor[i]);
        rig_step(world);
        double v = scree_world_get_bodies(world).velocity[2].y;
        CHECK(stands[i] ? fabs(v) < 1e-12 : v < -1e-6);
        for (int step = 0; step < 5000; step++) {
            rig_step(world);
        }
        double height = scree_world_get_bodies(world).position[2].y;
        CHECK(stands[i] ? fabs(height - 0.5 - sqrt(0.75)) < 1e-10 : height < 0.6);
        scree_world_destroy(world);
    }
}

/* Contact k from the top carries k weights; nothing moves. */
static void column_of_ten_carries_its_weights(void) {
    for (int dimension = 2; dimension <= 3; dimension++) {
        const double r = 0.5, m = 1.3, dt = 1e-3, g = 9.81;
        ScreeWorld *world = rig_world(dimension, dt, rig_vec(0, -g, 0), 0.5);
        rig_add_plane(world, rig_vec(0, 0, 0), rig_vec(0, 1, 0));
        for (int i = 0; i < 10; i++) {
            rig_add_ball(world, rig_vec(0, r + i, 0), r, m);
        }
        for (int step = 0; step < 1000; step++) {
            ScreeReport report = rig_step(world);
            CHECK(report.converged == 1 && report.active == 10);
            CHECK_NEAR(report.overlap_max, 0, 1e-11);
        }
        for (int i = 0; i < 10; i++) {
            ScreeContact c = i == 0 ? rig_contact(world, 0, -1) : rig_contact(world, i - 1, i);
            CHECK_CLOSE(c.normal_impulse / dt, (10 - i) * m * g, 1e-10);
            CHECK_NEAR(rig_length(c.tangential_impulse), 0, 1e-15);
            CHECK_VEC(scree_world_get_bodies(world).position[i], rig_vec(0, r + i, 0), 1e-11);
        }
        CHECK_CLOSE(rig_wall(world, 0).load.y, -10 * m * g, 1e-10);
        CHECK_CLOSE(scree_world_get_coordination(world), 19.0 / 10.0, 1e-15);
        scree_world_destroy(world);
    }
}

int main(int argc, char **argv) {
    CHECK_RUN(central_collision_takes_two_steps);
    CHECK_RUN(obstacles_are_alike);
    CHECK_RUN(oblique_hit_sticks_or_slips);
    CHECK_RUN(three_disks_apart_stand_by_friction);
    CHECK_RUN(three_touching_disks_balance);
    CHECK_RUN(three_disks_collapse_below_their_friction);
    CHECK_RUN(column_of_ten_carries_its_weights);
    return check_result();
}
