/* The soft engine with walls of every shape and motion, frozen bodies, external forces and periodic
 * cells. */
#include "soft_rig.h"

static const double g = 9.81;

static void run_for(ScreeWorld *world, double time) {
    double end = scree_world_get_time(world) + time;
    while (scree_world_get_time(world) < end) {
        rig_step(world);
    }
}

/* ---------------------------------------------------------------- free motion */

/* Constant forces: both integrators are exact. */
static void free_flight_is_a_parabola(void) {
    for (int k = 0; k < 2; k++) {
        ScreeLaw law = soft_law(1e4, 1, 0);
        ScreeWorldDef def = soft_def(3, 1.0 / 1024, rig_vec(1, -g, 2));
        def.soft.integrator = soft_integrators[k];
        ScreeWorld *world = soft_world(&def, &law);
        ScreeBodyDef b = rig_ball(rig_vec(1, 2, 3), 0.3, 1.5);
        b.velocity = rig_vec(3, 4, -1);
        b.spin = rig_vec(0, 0.5, 0);
        b.force = rig_vec(0.3, 0, -0.6);
        b.torque = rig_vec(0, 0.02, 0);
        rig_add_body(world, &b);
        ScreeVec3 a = rig_add(def.gravity, 1 / 1.5, b.force);
        double w = 0.02 / (0.4 * 1.5 * 0.09), work = 0;
        for (int n = 1; n <= 2048; n++) {
            work += rig_step(world).work_external;
            double t = n / 1024.0;
            ScreeBodyView v = scree_world_get_bodies(world);
            ScreeVec3 x = rig_add(rig_add(b.position, t, b.velocity), t * t / 2, a);
            CHECK_VEC(v.position[0], x, 1e-10);
            CHECK_VEC(v.velocity[0], rig_add(b.velocity, t, a), 1e-10);
            CHECK_VEC(v.spin[0], rig_vec(0, 0.5 + w * t, 0), 1e-10);
            double angle = 0.5 * t + 0.5 * w * t * t;
            CHECK_NEAR(fabs(v.orientation[0].w), fabs(cos(angle / 2)), 1e-6);
            CHECK_NEAR(fabs(v.orientation[0].y), fabs(sin(angle / 2)), 1e-6);
        }
        ScreeVec3 travel = rig_sub(scree_world_get_bodies(world).position[0], b.position);
        CHECK_CLOSE(work, rig_dot(travel, rig_scale(1.5, a)) + 0.02 * (1 + 2 * w), 1e-9);
        scree_world_destroy(world);
    }
}

/* Velocities and forces set from outside, and a new time step, take effect at once, for both
 * integrators. */
static void changes_from_outside_act_at_once(void) {
    for (int k = 0; k < 2; k++) {
        ScreeLaw law = soft_law(1e4, 1, 0);
        ScreeWorldDef def = soft_def(2, 0.01, rig_vec(0, -2, 0));
        def.soft.integrator = soft_integrators[k];
        ScreeWorld *world = soft_world(&def, &law);
        rig_add_ball(world, rig_vec(0, 0, 0), 0.3, 2);
        run_for(world, 0.995);
        rig_must(
            scree_body_set_velocity(world, (ScreeBodyId){0}, rig_vec(1, 5, 0), rig_vec(0, 0, 3)),
            "v");
        rig_must(scree_body_set_force(world, (ScreeBodyId){0}, rig_vec(0, 4, 0), rig_vec(0, 0, 0)),
                 "f");
        rig_must(scree_world_set_time_step(world, 0.002), "step");
        rig_must(scree_body_set_position(world, (ScreeBodyId){0}, rig_vec(7, 7, 0)), "x");
        run_for(world, 0.999);
        CHECK_VEC(scree_world_get_bodies(world).position[0], rig_vec(8, 12, 0),
                  1e-9); /* no net force */
        CHECK_VEC(scree_world_get_bodies(world).velocity[0], rig_vec(1, 5, 0), 1e-9);
        CHECK_NEAR(scree_world_get_bodies(world).spin[0].z, 3, 1e-12);
        rig_must(scree_world_set_gravity(world, rig_vec(0, 0, 0)), "g");
        run_for(world, 0.999);
        CHECK_VEC(scree_world_get_bodies(world).position[0], rig_vec(9, 18, 0), 1e-9);
        scree_world_destroy(world);
    }
}

/* ---------------------------------------------------------------- at rest */

/* A column: each contact carries what stands above it. */
static void column_carries_the_weight_above(void) {
    for (int i = 0; i < 4; i++) {
        ScreeLaw law = soft_law(1e5, 0, 0.3);
        law.modulus = i / 2 == 1 ? 1e7 : 0;
        ScreeWorldDef def = soft_def(i % 2 == 0 ? 2 : 3, 0, rig_vec(0, -g, 0));
        ScreeWorld *world = soft_world(&def, &law);
        rig_add_plane(world, rig_vec(0, 0, 0), rig_vec(0, 1, 0));
        for (int n = 0; n < 5; n++) {
            rig_add_ball(world, rig_vec(0, 0.5 + n, 0), 0.5, 2);
        }
        run_for(world, 2);
        double dt = scree_world_get_contacts(world).time_step;
        ScreeReport r = rig_step(world);
        CHECK(r.contacts == 5 && r.active == 5 && r.sliding == 0);
        for (int n = 0; n < 5; n++) {
            ScreeContact c = n == 0 ? rig_contact(world, 0, -1) : rig_contact(world, n - 1, n);
            CHECK_CLOSE(c.normal_impulse / dt, 2 * g * (5 - n), 1e-6);
            CHECK(c.gap < 0 && c.state == SCREE_CONTACT_STICK);
            if (n > 0) {
                CHECK(c.a.index == n - 1 && c.b.code == n && c.normal.y > 0.999);
            }
        }
        CHECK_VEC(rig_wall(world, 0).load, rig_vec(0, -10 * g, 0), 1e-4);
        CHECK_CLOSE(scree_world_get_coordination(world), 9.0 / 5, 1e-12);
        if (i / 2 == 0) {
            CHECK_CLOSE(r.overlap_max, 10 * g / 1e5, 1e-6);
            CHECK_CLOSE(-rig_contact(world, 0, -1).gap, 10 * g / 1e5, 1e-6);
            CHECK_CLOSE(r.overlap_mean, 6 * g / 1e5, 1e-6);
            double squares = 100 + 64 + 36 + 16 + 4;
            CHECK_CLOSE(r.energy_elastic, squares * g * g / 2e5, 1e-6);
            CHECK(r.stiffness == 1e5);
        }
        scree_world_destroy(world);
    }
}

/* Every wall shape carries a ball, wherever it can. */
static void every_wall_shape_carries_a_ball(void) {
    for (int shape = 0; shape < 5; shape++) {
        for (int dimension = 2; dimension <= 3; dimension++) {
            ScreeWallDef w = rig_plane(rig_vec(0, 0, 0), rig_vec(0, 1, 0));
            if (shape == 1) {
                if (dimension == 3) {
                    continue;
                }
                w.shape = SCREE_WALL_SEGMENT;
                w.point = rig_vec(-2, 0, 0);
                w.end = rig_vec(2, 0, 0);
            } else if (shape == 2) {
                w.shape = SCREE_WALL_BLOCK;
                w.point = rig_vec(0, -0.5, 0);
                w.half = rig_vec(1, 0.5, 1);
            } else if (shape >= 3) {
                w.shape = SCREE_WALL_CYLINDER;
                w.inside = shape == 3;
                w.radius = 2;
                w.point = rig_vec(0, shape == 3 ? 2 : -2, 0);
            }
            ScreeLaw law = soft_law(1e5, 0, 0.5);
            ScreeWorldDef def = soft_def(dimension, 0, rig_vec(0, -g, 0));
            ScreeWorld *world = soft_world(&def, &law);
            rig_add_wall(world, &w);
            rig_add_ball(world, rig_vec(0, 0.5, 0), 0.5, 2);
            run_for(world, 1);
            CHECK_CLOSE(rig_wall(world, 0).load.y, -2 * g, 1e-6);
            CHECK_CLOSE(scree_world_get_bodies(world).position[0].y, 0.5 - 2 * g / 1e5, 1e-6);
            ScreeContact c = rig_contact(world, 0, -1);
            CHECK_VEC(scree_contact_get_point(world, &c), rig_vec(0, -g / 1e5, 0), 1e-6);
            scree_world_destroy(world);
        }
    }
}

/* ---------------------------------------------------------------- walls that move */

/* A piston alone is a body that moves along one direction. */
static void piston_alone_moves_by_its_force(void) {
    for (int k = 0; k < 2; k++) {
        ScreeLaw law = soft_law(1e4, 1, 0);
        ScreeWorldDef def = soft_def(2, 1.0 / 512, rig_vec(0, -g, 0));
        def.soft.integrator = soft_integrators[k];
        ScreeWorld *world = soft_world(&def, &law);
        ScreeWallDef lid = rig_plane(rig_vec(0, 5, 0), rig_vec(0, -1, 0));
        lid.motion = SCREE_WALL_PISTON;
        lid.mass = 4;
        lid.force = rig_vec(9, -6, 0);
        lid.velocity = rig_vec(0, 1, 0);
        rig_add_wall(world, &lid);
        double work = 0, kinetic = 0;
        for (int n = 0; n < 512; n++) {
            ScreeReport r = rig_step(world);
            work += r.work_external;
            kinetic = r.kinetic_energy;
            CHECK_NEAR(r.energy_error, 0, 1e-12);
        }
        ScreeWallState w = rig_wall(world, 0);
        CHECK_NEAR(w.now.point.y, 5 + 1 - 0.75, 1e-10);
        CHECK_NEAR(w.now.velocity.y, 1 - 1.5, 1e-10);
        CHECK_NEAR(w.displacement.y, 0.25, 1e-10);
        CHECK_CLOSE(kinetic, 2 * 0.25, 1e-9);
        CHECK_CLOSE(work, -6 * 0.25, 1e-9);
        scree_world_destroy(world);
    }
}

/* A ball flies into a piston: momentum along its direction, and restitution. */
static void piston_hit_by_a_ball_keeps_momentum(void) {
    for (int k = 0; k < 2; k++) {
        double e = 0.6, m = 1.2, big = 3;
        ScreeLaw law = soft_law(1e5, e, 0);
        ScreeWorldDef def = soft_def(3, 2e-5, rig_vec(0, 0, 0));
        def.soft.integrator = soft_integrators[k];
        ScreeWorld *world = soft_world(&def, &law);
        ScreeWallDef lid = rig_plane(rig_vec(0, 1, 0), rig_vec(0, -1, 0));
        lid.motion = SCREE_WALL_PISTON;
        lid.mass = big;
        rig_add_wall(world, &lid);
        ScreeBodyDef ball = rig_ball(rig_vec(0, 0.4, 0), 0.5, m);
        ball.velocity = rig_vec(0.5, 2, 0);
        rig_add_body(world, &ball);
        double lost = 0, end = 0;
        while (scree_world_get_time(world) < 0.2) {
            ScreeReport r = rig_step(world);
            lost += r.dissipation;
            end = r.kinetic_energy;
        }
        double v = scree_world_get_bodies(world).velocity[0].y,
               u = rig_wall(world, 0).now.velocity.y;
        CHECK_CLOSE(m * v + big * u, 2 * m, 1e-9);
        CHECK_NEAR(u - v, 2 * e, k == 0 ? 1e-3 : 1e-2);
        CHECK_NEAR(scree_world_get_bodies(world).velocity[0].x, 0.5, 1e-12);
        CHECK_CLOSE(lost, 0.5 * m * 4.25 - end, 1e-2);
        scree_world_destroy(world);
    }
}

/* A piston on balls on a floor: the load is its force, and the floor also bears the balls. */
static void piston_hands_its_force_on(void) {
    ScreeLaw law = soft_law(1e5, 0, 0.4);
    ScreeWorldDef def = soft_def(2, 0, rig_vec(0, -g, 0));
    ScreeWorld *world = soft_world(&def, &law);
    rig_add_plane(world, rig_vec(0, 0, 0), rig_vec(0, 1, 0));
    ScreeWallDef lid = rig_plane(rig_vec(0, 1.001, 0), rig_vec(0, -1, 0));
    lid.motion = SCREE_WALL_PISTON;
    lid.mass = 4;
    lid.force = rig_vec(0, -100, 0);
    rig_add_wall(world, &lid);
    for (int i = 0; i < 3; i++) {
        rig_add_ball(world, rig_vec(1.2 * i, 0.5, 0), 0.5, 2);
    }
    run_for(world, 2);
    CHECK_NEAR(rig_wall(world, 1).load.y, 100, 1e-4);
    CHECK_NEAR(rig_wall(world, 0).load.y, -100 - 6 * g, 1e-4);
    CHECK_NEAR(rig_wall(world, 1).now.velocity.y, 0, 1e-8);
    scree_world_destroy(world);
}

/* A rising floor carries a ball along; its work is what the ball gains. A belt drags it. */
static void moving_floor_carries_and_drags(void) {
    for (int k = 0; k < 4; k++) {
        bool belt = k / 2 == 1;
        ScreeLaw law = soft_law(1e5, 0, 0.5);
        law.damping_tangential = 100;
        ScreeWorldDef def = soft_def(3, 0, rig_vec(0, -g, 0));
        def.soft.integrator = soft_integrators[k % 2];
        ScreeWorld *world = soft_world(&def, &law);
        ScreeWallDef floor = rig_plane(rig_vec(0, 0, 0), rig_vec(0, 1, 0));
        floor.motion = SCREE_WALL_MOVED;
        floor.velocity = belt ? rig_vec(1, 0, 0) : rig_vec(0, 0.7, 0);
        rig_add_wall(world, &floor);
        rig_add_ball(world, rig_vec(0, 0.5, 0), 0.5, 2);
        rig_must(scree_body_set_frozen(world, (ScreeBodyId){0}, SCREE_FREEZE_ROTATION), "frozen");
        double work = 0, sum = 0, kinetic = 0;
        while (scree_world_get_time(world) < 1) {
            ScreeReport r = rig_step(world);
            work += r.work_walls;
            sum += r.work_walls + r.work_external - r.dissipation;
            kinetic = r.kinetic_energy + r.energy_elastic;
        }
        ScreeVec3 v = scree_world_get_bodies(world).velocity[0];
        CHECK_VEC(v, floor.velocity, 1e-6);
        CHECK_NEAR(kinetic, sum, 5e-3 * work);
        if (belt) { /* half of the work is lost in sliding */
            CHECK_CLOSE(work, 2.0, 0.01);
        } else {
            CHECK_CLOSE(work, 2 * g * 0.7 + 0.5 * 2 * 0.49 + 0.5 * 2 * 0.49, 0.02);
        }
        scree_world_destroy(world);
    }
}

/* A wall that comes from afar and a block that turns must find the bodies in their way. */
static void sweeping_walls_find_the_bodies(void) {
    for (int k = 0; k < 2; k++) {
        ScreeLaw law = soft_law(1e5, 0.5, 0.3);
        ScreeWorldDef def = soft_def(2, 1e-4, rig_vec(0, 0, 0));
        ScreeWorld *world = soft_world(&def, &law);
        ScreeWallDef w = rig_plane(rig_vec(-5, 0, 0), rig_vec(1, 0, 0));
        w.motion = SCREE_WALL_MOVED;
        w.velocity = rig_vec(4, 0, 0);
        if (k == 1) {
            w = scree_wall_def_default();
            w.shape = SCREE_WALL_BLOCK;
            w.point = rig_vec(0, 3, 0);
            w.half = rig_vec(3, 0.1, 1);
            w.motion = SCREE_WALL_MOVED; /* set turning later */
            w.pivot = rig_vec(-3, 3, 0);
            w.has_pivot = true;
        }
        rig_add_wall(world, &w);
        for (int i = 0; i < 5; i++) {
            rig_add_ball(world, rig_vec(0, 1.5 * i - 1, 0), 0.3, 1);
        }
        double deepest = 0;
        int hits = 0;
        for (int n = 0; n < 20000; n++) {
            if (n == 50 && k == 1) {
                rig_must(scree_wall_set_velocity(world, (ScreeWallId){0}, rig_vec(0, 0, 0),
                                                 rig_vec(0, 0, 2)),
                         "w");
            }
            ScreeReport r = rig_step(world);
            deepest = fmax(deepest, r.overlap_max);
            hits += (int)r.active;
        }
        CHECK(hits > 100 && deepest < 0.15);
        for (int i = 0; i < 5 && k == 0; i++) {
            CHECK(scree_world_get_bodies(world).position[i].x > 3 &&
                  scree_world_get_bodies(world).velocity[i].x > 4);
        }
        scree_world_destroy(world);
    }
}

/* ---------------------------------------------------------------- held bodies */

/* A body frozen at a velocity pushes another along; the work is counted as that of walls. */
static void frozen_body_pushes(void) {
    for (int k = 0; k < 2; k++) {
        ScreeLaw law = soft_law(1e5, 0, 0);
        ScreeWorldDef def = soft_def(3, 1e-5, rig_vec(0, 0, 0));
        def.soft.integrator = soft_integrators[k];
        ScreeWorld *world = soft_world(&def, &law);
        ScreeBodyDef a = rig_ball(rig_vec(0, 0, 0), 0.5, 1);
        a.velocity = rig_vec(0.7, 0, 0);
        a.frozen = SCREE_FREEZE_ALL;
        rig_add_body(world, &a);
        rig_add_ball(world, rig_vec(1.001, 0, 0), 0.5, 2);
        double work = 0, lost = 0, end = 0;
        while (scree_world_get_time(world) < 0.5) {
            ScreeReport r = rig_step(world);
            work += r.work_walls;
            lost += r.dissipation;
            end = r.kinetic_energy + r.energy_elastic;
        }
        double e = exp(-2), v = scree_world_get_bodies(world).velocity[1].x;
        CHECK_CLOSE(v, 0.7 * (1 + e), 5e-3);
        CHECK(scree_world_get_bodies(world).velocity[0].x == 0.7);
        CHECK_CLOSE(work, 2 * v * 0.7, 1e-3); /* impulse times velocity */
        CHECK_CLOSE(work - lost, end - 0.5 * 0.49, k == 0 ? 1e-3 : 3e-3);
        scree_world_destroy(world);
    }
}

/* Frozen axes: no force changes what is held, and the rest feels all of it. */
static void frozen_axes_keep_their_velocity(void) {
    for (int k = 0; k < 2; k++) {
        ScreeLaw law = soft_law(1e5, 1, 0.5);
        ScreeWorldDef def = soft_def(3, 1e-5, rig_vec(0, -g, 0));
        def.soft.integrator = soft_integrators[k];
        ScreeWorld *world = soft_world(&def, &law);
        ScreeBodyDef a = rig_ball(rig_vec(0, 0, 0), 0.5, 1);
        a.velocity = rig_vec(1, 0.3, 0);
        a.spin = rig_vec(0, 0, 4);
        a.frozen = SCREE_FREEZE_Y | SCREE_FREEZE_ROTATION_Z;
        rig_add_body(world, &a);
        ScreeBodyDef b = rig_ball(rig_vec(1.2, 0.3, 0.2), 0.5, 2);
        rig_add_body(world, &b);
        double hits = 0;
        while (scree_world_get_time(world) < 0.4) {
            hits += (double)rig_step(world).active;
        }
        ScreeBodyView v = scree_world_get_bodies(world);
        CHECK(hits > 0 && v.velocity[0].x < 0.9);
        CHECK(v.velocity[0].y == 0.3 && v.spin[0].z == 4 && v.spin[0].x != 0);
        CHECK_NEAR(v.position[0].y, 0.3 * scree_world_get_time(world), 1e-9);
        CHECK_CLOSE(v.velocity[0].x + 2 * v.velocity[1].x, 1.0, 1e-9); /* x is free for both */
        scree_world_destroy(world);
    }
}

/* ---------------------------------------------------------------- periodic */

/* Two balls that meet across the boundary behave as in the middle of the cell. */
static void collisions_cross_the_boundary(void) {
    for (int dimension = 2; dimension <= 3; dimension++) {
        ScreeVec3 v[2][2];
        for (int k = 0; k < 2; k++) {
            ScreeLaw law = soft_law(1e5, 0.7, 0.4);
            ScreeWorldDef def = soft_def(dimension, 1e-5, rig_vec(0, 0, 0));
            def.periodic[0] = def.periodic[1] = true;
            def.cell_max = rig_vec(4, 4, 4);
            ScreeWorld *world = soft_world(&def, &law);
            ScreeVec3 middle = k == 0 ? rig_vec(2, 2, 0) : rig_vec(4, 0, 0);
            for (int i = 0; i < 2; i++) {
                double side = i == 0 ? -1 : 1;
                ScreeBodyDef b = rig_ball(rig_add(middle, side, rig_vec(0.51, 0.1, 0)), 0.5, 1 + i);
                b.velocity = rig_vec(-side, 0.2 * side, 0);
                b.spin = rig_vec(0, 0, 2);
                rig_add_body(world, &b);
            }
            double hits = 0;
            while (scree_world_get_time(world) < 0.1) {
                hits += (double)rig_step(world).active;
            }
            CHECK(hits > 10);
            for (int i = 0; i < 2; i++) {
                ScreeVec3 x = scree_world_get_bodies(world).position[i];
                v[k][i] = scree_world_get_bodies(world).velocity[i];
                CHECK(x.x >= 0 && x.x <= 4 && x.y >= 0 && x.y <= 4);
            }
            scree_world_destroy(world);
        }
        CHECK_VEC(v[0][0], v[1][0], 1e-9);
        CHECK_VEC(v[0][1], v[1][1], 1e-9);
    }
}

int main(int argc, char **argv) {
    CHECK_RUN(free_flight_is_a_parabola);
    CHECK_RUN(changes_from_outside_act_at_once);
    CHECK_RUN(column_carries_the_weight_above);
    CHECK_RUN(every_wall_shape_carries_a_ball);
    CHECK_RUN(piston_alone_moves_by_its_force);
    CHECK_RUN(piston_hit_by_a_ball_keeps_momentum);
    CHECK_RUN(piston_hands_its_force_on);
    CHECK_RUN(moving_floor_carries_and_drags);
    CHECK_RUN(sweeping_walls_find_the_bodies);
    CHECK_RUN(frozen_body_pushes);
    CHECK_RUN(frozen_axes_keep_their_velocity);
    CHECK_RUN(collisions_cross_the_boundary);
    return check_result();
}
