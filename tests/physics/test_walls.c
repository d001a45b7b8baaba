/* Walls that move at a given velocity, cylinders from inside and outside, and what grains do on
 * them. */
#include "rig.h"

/* A floor that accelerates: the ball moves along and weighs m (g + a). */
static void rising_floor_lifts_the_ball(void) {
    for (int dimension = 2; dimension <= 3; dimension++) {
        const double g = 9.81, a = 2.5, m = 1.4, dt = 0.005;
        ScreeWorld *world = rig_world(dimension, dt, rig_vec(0, -g, 0), 0.5);
        int32_t ground = rig_add_plane(world, rig_vec(0, 0, 0), rig_vec(0, 1, 0));
        rig_add_ball(world, rig_vec(0, 0.5, 0), 0.5, m);
        for (int n = 1; n <= 100; n++) {
            rig_must(scree_wall_set_velocity(world, (ScreeWallId){ground},
                                             rig_vec(0, a * n * dt, 0), rig_vec(0, 0, 0)),
                     "velocity");
            ScreeReport report = rig_step(world);
            CHECK_CLOSE(scree_world_get_bodies(world).velocity[0].y, a * n * dt, 1e-10);
            CHECK_CLOSE(rig_wall(world, ground).load.y, -m * (g + a), 1e-9);
            CHECK_NEAR(scree_world_get_bodies(world).position[0].y -
                           rig_wall(world, ground).now.point.y,
                       0.5, 1e-12);
            CHECK_CLOSE(report.work_walls, m * (g + a) * a * n * dt * dt, 1e-9);
            CHECK_NEAR(report.energy_error, 0, 1e-12);
        }
        CHECK_CLOSE(rig_wall(world, ground).displacement.y, a * dt * dt * 100 * 101 / 2, 1e-12);
        scree_world_destroy(world);
    }
}

/* A belt of speed V under a ball at rest: friction mu m g until the surfaces agree, then v = k / (1
 * + k) V: 2/7 for a sphere, 1/3 for a disk. */
static void belt_drags_the_ball(void) {
    for (int dimension = 2; dimension <= 3; dimension++) {
        const double k = rig_shape(dimension), g = 10, V = 1.7, mu = 0.3, m = 2, r = 0.25,
                     dt = 1e-3;
        ScreeVec3 along = dimension == 3 ? rig_vec(0.6, 0, -0.8) : rig_vec(-1, 0, 0);
        ScreeWorld *world = rig_world(dimension, dt, rig_vec(0, -g, 0), mu);
        ScreeWallDef wall = rig_plane(rig_vec(0, 0, 0), rig_vec(0, 1, 0));
        wall.motion = SCREE_WALL_MOVED;
        wall.velocity = rig_scale(V, along);
        rig_add_wall(world, &wall);
        rig_add_ball(world, rig_vec(0, r, 0), r, m);
        int last = (int)ceil(k * V / ((1 + k) * mu * g * dt)), slipped = 0;
        for (int n = 1; n <= last + 20; n++) {
            ScreeReport report = rig_step(world);
            slipped += (int)report.sliding;
            if (n < last) {
                CHECK_VEC(scree_world_get_bodies(world).velocity[0],
                          rig_scale(mu * g * n * dt, along), 1e-11);
                CHECK_VEC(rig_wall(world, 0).load,
                          rig_add(rig_vec(0, -m * g, 0), -mu * m * g, along), 1e-9);
                CHECK_CLOSE(report.work_walls, mu * m * g * V * dt, 1e-9);
            }
            CHECK_NEAR(report.energy_error, 0, 1e-13);
        }
        CHECK(slipped == last - 1);
        double part = dimension == 3 ? 2.0 / 7.0 : 1.0 / 3.0;
        CHECK_VEC(scree_world_get_bodies(world).velocity[0], rig_scale(part * V, along), 1e-12);
        scree_world_destroy(world);
    }
}

static ScreeWallDef cylinder(double radius, bool inside) {
    ScreeWallDef wall = scree_wall_def_default();
    wall.shape = SCREE_WALL_CYLINDER;
    wall.radius = radius;
    wall.inside = inside;
    return wall;
}

/* A drum turns with W; at its lowest point the surface moves at W R along x. A ball at rest there
 * first gets mu m g dt; one that spins with w = W R / r already rolls, and stays where it is. */
static void drum_spins_the_ball(void) {
    for (int dimension = 2; dimension <= 3; dimension++) {
        for (int finite = 0; finite < 2; finite++) {
            const double W = 0.8, R = 5, r = 0.5, m = 1.2, g = 9.81, mu = 0.4, dt = 0.002;
            ScreeWallDef wall = cylinder(R, true);
            wall.length = finite ? 3 : 0;
            wall.motion = SCREE_WALL_MOVED;
            wall.spin = rig_vec(0, 0, W);
            wall.point = rig_vec(1, 2, 0);
            ScreeWorld *world = rig_world(dimension, dt, rig_vec(0, -g, 0), mu);
            rig_add_wall(world, &wall);
            rig_add_ball(world, rig_vec(1, 2 - (R - r), 0), r, m);
            rig_step(world);
            ScreeContact c = rig_contact(world, 0, -1);
            CHECK_CLOSE(c.normal_impulse, m * g * dt, 1e-11);
            CHECK_VEC(c.tangential_impulse, rig_vec(-mu * m * g * dt, 0, 0), 1e-11);
            CHECK_CLOSE(scree_world_get_bodies(world).velocity[0].x, mu * g * dt, 1e-11);
            CHECK_CLOSE(scree_world_get_bodies(world).spin[0].z,
                        mu * g * dt / (rig_shape(dimension) * r), 1e-11);
            CHECK_VEC(rig_wall(world, 0).load_torque, rig_vec(0, 0, -mu * m * g * R), 1e-9);

            rig_must(scree_body_set_position(world, (ScreeBodyId){0}, rig_vec(1, 2 - (R - r), 0)),
                     "position");
            rig_must(scree_body_set_velocity(world, (ScreeBodyId){0}, rig_vec(0, 0, 0),
                                             rig_vec(0, 0, W * R / r)),
                     "velocity");
            for (int step = 0; step < 500; step++) {
                ScreeReport report = rig_step(world);
                CHECK(report.active == 1 && report.sliding == 0);
                CHECK_NEAR(rig_length(rig_contact(world, 0, -1).tangential_impulse), 0, 1e-13);
            }
            CHECK_VEC(scree_world_get_bodies(world).position[0], rig_vec(1, 2 - (R - r), 0), 1e-11);
            CHECK_CLOSE(scree_world_get_bodies(world).spin[0].z, W * R / r, 1e-12);
            scree_world_destroy(world);
        }
    }
}

/* A ball that rolls in a trough is a pendulum with p^2 = g / ((R - r) (1 + k)). The exact motion is
 * integrated finely to fourth order. */
static double pendulum(double p2, double angle, double time) {
    const int steps = 20000;
    double h = time / steps, x = angle, v = 0;
    for (int i = 0; i < steps; i++) {
        double a1 = -p2 * sin(x), x2 = x + 0.5 * h * v, v2 = v + 0.5 * h * a1;
        double a2 = -p2 * sin(x2), x3 = x + 0.5 * h * v2, v3 = v + 0.5 * h * a2;
        double a3 = -p2 * sin(x3), x4 = x + h * v3, v4 = v + h * a3, a4 = -p2 * sin(x4);
        x += h / 6 * (v + 2 * v2 + 2 * v3 + v4);
        v += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
    }
    return x;
}

typedef struct Swing {
    double angle;   /* at the end */
    double quarter; /* time of the first passage through the lowest point */
} Swing;

static Swing swing(int dimension, double angle, double time, int steps) {
    const double R = 3, r = 0.5, g = 9.81;
    double dt = time / steps;
    ScreeWorld *world = rig_world(dimension, dt, rig_vec(0, -g, 0), 2);
    ScreeWallDef wall = cylinder(R, true);
    rig_add_wall(world, &wall);
    rig_add_ball(world, rig_vec((R - r) * sin(angle), -(R - r) * cos(angle), 0), r, 1.1);
    Swing result = {0, 0};
    double before = angle;
    for (int n = 1; n <= steps; n++) {
        rig_step(world);
        ScreeVec3 x = scree_world_get_bodies(world).position[0];
        result.angle = atan2(x.x, -x.y);
        if (result.quarter == 0 && result.angle <= 0) {
            result.quarter = (n - result.angle / (result.angle - before)) * dt;
        }
        before = result.angle;
    }
    scree_world_destroy(world);
    return result;
}

static void ball_in_a_trough_is_a_pendulum(void) {
    for (int dimension = 2; dimension <= 3; dimension++) {
        const double p2 = 9.81 / (2.5 * (1 + rig_shape(dimension))), time = 1.7;
        /* small oscillations: a quarter of the period 2 pi / p, up to the first-order effect of
         * half a step */
        Swing small = swing(dimension, 0.01, time, 1700);
        CHECK_NEAR(small.quarter, 0.5 * RIG_PI / sqrt(p2), 1e-3);
        /* large oscillations: the error halves with the step */
        double exact = pendulum(p2, 0.9, time), error[3];
        for (int i = 0; i < 3; i++) {
            error[i] = fabs(swing(dimension, 0.9, time, 400 << i).angle - exact);
        }
        CHECK(error[0] < 0.05);
        CHECK(error[0] / error[1] > 1.8 && error[0] / error[1] < 2.2);
        CHECK(error[1] / error[2] > 1.9 && error[1] / error[2] < 2.1);
    }
}

/* Without friction a ball slides down a cylinder and leaves it where cos = 2/3, whatever its
 * inertia. */
static double leaves_at(int dimension, double dt) {
    const double R = 2, r = 0.5, start = 0.02;
    ScreeWorld *world = rig_world(dimension, dt, rig_vec(0, -10, 0), 0);
    ScreeWallDef wall = cylinder(R, false);
    rig_add_wall(world, &wall);
    rig_add_ball(world, rig_vec((R + r) * sin(start), (R + r) * cos(start), 0), r, 1);
    double last = 1;
    for (int n = 0; n < (int)(4 / dt); n++) {
        ScreeVec3 x = scree_world_get_bodies(world).position[0];
        if (rig_step(world).active > 0) {
            last = x.y / rig_length(x);
        }
        if (x.y < 0) {
            break;
        }
    }
    scree_world_destroy(world);
    return last;
}

static void ball_leaves_a_round_top_at_two_thirds(void) {
    for (int dimension = 2; dimension <= 3; dimension++) {
        /* starting at a small angle s, the height lost is cos s - cos t: cos t = 2/3 cos s */
        double exact = 2.0 / 3.0 * cos(0.02);
        CHECK_NEAR(leaves_at(dimension, 2e-3), exact, 0.01);
        CHECK_NEAR(leaves_at(dimension, 5e-4), exact, 0.0025);
    }
}

/* Removing the floor: free fall from the next step on. The wall's number stays unused. */
static void removed_floor_lets_the_ball_fall(void) {
    const double g = 10, dt = 0.01;
    ScreeWorld *world = rig_world(3, dt, rig_vec(0, -g, 0), 0.5);
    int32_t ground = rig_add_plane(world, rig_vec(0, 0, 0), rig_vec(0, 1, 0));
    rig_add_ball(world, rig_vec(0, 0.5, 0), 0.5, 1);
    for (int step = 0; step < 10; step++) {
        rig_step(world);
    }
    CHECK_NEAR(scree_world_get_bodies(world).velocity[0].y, 0, 1e-14);
    rig_must(scree_wall_remove(world, (ScreeWallId){ground}), "remove");
    CHECK(!rig_wall(world, ground).present && scree_world_get_wall_count(world) == 1);
    CHECK(scree_world_get_contacts(world).count == 0);
    CHECK(scree_wall_remove(world, (ScreeWallId){ground}) == SCREE_BAD_ID);
    for (int n = 1; n <= 20; n++) {
        ScreeReport report = rig_step(world);
        CHECK_CLOSE(scree_world_get_bodies(world).velocity[0].y, -g * n * dt, 1e-13);
        CHECK(report.contacts == 0);
    }
    CHECK(rig_add_plane(world, rig_vec(0, -1, 0), rig_vec(0, 1, 0)) == 1);
    scree_world_destroy(world);
}

/* A plate that turns about a distant pivot carries the ball on it: velocity w x (contact -
 * pivot). */
static void turning_plate_carries_the_ball(void) {
    const double w = 0.5, dt = 1e-3, m = 1;
    ScreeWorld *world = rig_world(2, dt, rig_vec(0, 0, 0), 0);
    ScreeWallDef wall = rig_plane(rig_vec(0, 0, 0), rig_vec(0, 1, 0));
    wall.motion = SCREE_WALL_MOVED;
    wall.spin = rig_vec(0, 0, w);
    wall.pivot = rig_vec(-2, 0, 0);
    wall.has_pivot = true;
    rig_add_wall(world, &wall);
    rig_add_ball(world, rig_vec(1, 0.5, 0), 0.5, m);
    rig_step(world);
    CHECK_VEC(scree_world_get_bodies(world).velocity[0], rig_vec(0, 3 * w, 0), 1e-13);
    CHECK_CLOSE(rig_wall(world, 0).load_torque.z, -3 * m * 3 * w / dt, 1e-12);
    ScreeWallState s = rig_wall(world, 0);
    CHECK_VEC(s.now.normal, rig_vec(-sin(w * dt), cos(w * dt), 0), 1e-15);
    CHECK_VEC(s.now.point, rig_vec(-2 + 2 * cos(w * dt), 2 * sin(w * dt), 0), 1e-15);
    CHECK_VEC(s.now.pivot, rig_vec(-2, 0, 0), 0);
    scree_world_destroy(world);
}

/* The point of a contact lies midway between the surfaces as they stand now. */
static void contact_point_lies_midway(void) {
    const double dt = 0.01, gap = 0.02;
    ScreeWorld *world = rig_world(3, dt, rig_vec(0, 0, 0), 0);
    rig_add_plane(world, rig_vec(0, 0, 0), rig_vec(0, 1, 0));
    ScreeBodyDef ball = rig_ball(rig_vec(0, 0.5 + gap, 0), 0.5, 1);
    ball.velocity = rig_vec(0, -5, 0);
    rig_add_body(world, &ball);
    rig_step(world); /* the gap is closed now */
    ScreeContact c = rig_contact(world, 0, -1);
    CHECK_VEC(scree_contact_get_point(world, &c), rig_vec(0, 0, 0), 1e-14);
    scree_world_destroy(world);
}

/* Without friction and gravity a ball runs round the inside of a cylinder. The first step follows
 * the tangent and ends at rho = sqrt(rho0^2 + (v dt)^2); from then on every step is a chord of that
 * circle: distance and speed are constant, and a chord of length s dt turns the velocity such that
 * the force is exactly m s^2 / rho. Along the axis nothing happens. */
static void ball_runs_round_inside_a_cylinder(void) {
    for (int dimension = 2; dimension <= 3; dimension++) {
        const double R = 2, r = 0.3, m = 1.7, v = 1.1, dt = 0.02, along = dimension == 3 ? 0.4 : 0;
        ScreeWorld *world = rig_world(dimension, dt, rig_vec(0, 0, 0), 0);
        ScreeWallDef wall = cylinder(R, true);
        int32_t drum_wall = rig_add_wall(world, &wall);
        ScreeBodyDef ball = rig_ball(rig_vec(R - r, 0, 0), r, m);
        ball.velocity = rig_vec(0, v, along);
        rig_add_body(world, &ball);
        double energy = scree_world_get_kinetic_energy(world),
               rho = sqrt((R - r) * (R - r) + v * v * dt * dt);
        double speed = 0;
        for (int n = 1; n <= 5000; n++) {
            ScreeReport report = rig_step(world);
            ScreeVec3 x = scree_world_get_bodies(world).position[0],
                      u = scree_world_get_bodies(world).velocity[0];
            CHECK_CLOSE(hypot(x.x, x.y), rho, 1e-11);
            CHECK_NEAR(x.z, along * n * dt, 1e-10);
            CHECK(scree_world_get_kinetic_energy(world) <= energy * (1 + 1e-14));
            CHECK_NEAR(report.energy_error, 0, 1e-13);
            energy = scree_world_get_kinetic_energy(world);
            speed = n == 2 ? hypot(u.x, u.y) : speed;
            if (n > 2) {
                CHECK_CLOSE(hypot(u.x, u.y), speed, 1e-11);
                CHECK_CLOSE(rig_length(rig_wall(world, drum_wall).load), m * speed * speed / rho,
                            1e-9);
            }
        }
        scree_world_destroy(world);
    }
}

int main(int argc, char **argv) {
    CHECK_RUN(rising_floor_lifts_the_ball);
    CHECK_RUN(belt_drags_the_ball);
    CHECK_RUN(drum_spins_the_ball);
    CHECK_RUN(ball_in_a_trough_is_a_pendulum);
    CHECK_RUN(ball_leaves_a_round_top_at_two_thirds);
    CHECK_RUN(removed_floor_lets_the_ball_fall);
    CHECK_RUN(turning_plate_carries_the_ball);
    CHECK_RUN(contact_point_lies_midway);
    CHECK_RUN(ball_runs_round_inside_a_cylinder);
    return check_result();
}
