/* A ball on an incline, and a sliding ball that begins to roll.
 *
 * With inertia k m r^2, weight along the slope m g sin a and normal force m g cos a, rolling needs
 * the friction k / (1 + k) m g sin a <= mu m g cos a, so tan a <= mu (1 + k) / k: 7/2 mu for a
 * sphere, 3 mu for a disk. The forces do not change with time, so implicit Euler gives v_n = a n dt
 * and s_n = a dt^2 n (n + 1) / 2 without error. */
#include "rig.h"

static const double gravity = 9.81, radius = 0.25, mass = 1.7, dt = 1.0 / 128;

/* What the ball lies on. */
typedef enum Ground { TILTED_GRAVITY, PLANE, BLOCK, SEGMENT, GROUNDS } Ground;

/* The slope falls towards `down`, and `up` is its normal. */
typedef struct Slope {
    ScreeVec3 down, up, gravity;
} Slope;

static Slope make_slope(Ground ground, double angle, double heading) {
    ScreeVec3 ahead = rig_vec(cos(heading), 0, sin(heading)), up = rig_vec(0, 1, 0);
    Slope s;
    if (ground == TILTED_GRAVITY) {
        s.down = ahead;
        s.up = up;
        s.gravity = rig_add(rig_scale(gravity * sin(angle), ahead), -gravity * cos(angle), up);
    } else {
        s.down = rig_add(rig_scale(cos(angle), ahead), -sin(angle), up);
        s.up = rig_add(rig_scale(sin(angle), ahead), cos(angle), up);
        s.gravity = rig_scale(-gravity, up);
    }
    return s;
}

/* A wall whose surface passes through the origin with the slope's normal. Blocks and segments are
 * turned about z. */
static ScreeWallDef make_ground(Ground ground, const Slope *s, double angle) {
    ScreeWallDef wall = rig_plane(rig_vec(0, 0, 0), s->up);
    if (ground == BLOCK) {
        wall.shape = SCREE_WALL_BLOCK;
        wall.half = rig_vec(40, 2, 3);
        wall.point = rig_scale(-2, s->up);
        wall.orientation = rig_turn_z(-angle);
    }
    if (ground == SEGMENT) {
        wall.shape = SCREE_WALL_SEGMENT;
        wall.point = rig_scale(-30, s->down);
        wall.end = rig_scale(30, s->down);
    }
    return wall;
}

static void run_slope(int dimension, Ground ground, double part_of_threshold, double heading) {
    const double k = rig_shape(dimension), mu = 0.2;
    double angle = atan(part_of_threshold * mu * (1 + k) / k);
    bool rolls = part_of_threshold < 1;
    Slope s = make_slope(ground, angle, heading);
    ScreeWorld *world = rig_world(dimension, dt, s.gravity, mu);
    ScreeWallDef wall = make_ground(ground, &s, angle);
    rig_add_wall(world, &wall);
    ScreeVec3 start = rig_scale(radius, s.up);
    rig_add_ball(world, start, radius, mass);
    double a = rolls ? gravity * sin(angle) / (1 + k) : gravity * (sin(angle) - mu * cos(angle));
    double spin = rolls ? a / radius : mu * gravity * cos(angle) / (k * radius);
    ScreeVec3 axis = rig_cross(s.up, s.down);
    double friction = mass * (gravity * sin(angle) - a) * dt;
    for (int n = 1; n <= 200; n++) {
        ScreeReport report = rig_step(world);
        ScreeBodyView b = scree_world_get_bodies(world);
        double v = a * n * dt, travel = a * dt * dt * n * (n + 1) / 2;
        CHECK_VEC(b.velocity[0], rig_scale(v, s.down), 1e-10 * v);
        CHECK_VEC(rig_sub(b.position[0], start), rig_scale(travel, s.down), 1e-10 * travel);
        CHECK_VEC(b.spin[0], rig_scale(spin * n * dt, axis), 1e-10 * spin * n * dt);
        ScreeContact c = rig_contact(world, 0, -1);
        CHECK_CLOSE(c.normal_impulse, mass * gravity * cos(angle) * dt, 1e-10);
        CHECK_VEC(c.tangential_impulse, rig_scale(friction, s.down), 1e-10 * friction);
        CHECK(c.state == (rolls ? SCREE_CONTACT_STICK : SCREE_CONTACT_SLIP));
        CHECK(report.sliding == !rolls && report.active == 1 && report.converged == 1);
        CHECK_NEAR(report.energy_error, 0, 1e-12 * (1 + report.kinetic_energy));
    }
    scree_world_destroy(world);
}

static void incline_rolls_or_slides(void) {
    static const double part[] = {0.3, 0.999, 1.001, 2.5};
    for (int dimension = 2; dimension <= 3; dimension++) {
        for (int ground = 0; ground < GROUNDS; ground++) {
            for (int i = 0; i < 4; i++) {
                if (ground != SEGMENT || dimension == 2) {
                    run_slope(dimension, (Ground)ground, part[i], 0);
                }
                if (dimension == 3 && (ground == TILTED_GRAVITY || ground == PLANE)) {
                    run_slope(3, (Ground)ground, part[i], 0.7);
                }
            }
        }
    }
}

/* With the surface velocity u_0 = v_0 + w_0 x (-r n) at the contact, friction acts against u_0 with
 * mu m g until u vanishes. u falls by mu g (1 + 1/k) dt per step, so rolling begins in the step
 * ceil(k |u_0| / ((1 + k) mu g dt)), and then v = v_0 - k / (1 + k) u_0: without spin 5/7 v_0 for a
 * sphere, 2/3 v_0 for a disk. Spin about the normal is not affected. */
static void run_slide(int dimension, ScreeVec3 v0, ScreeVec3 w0) {
    const double k = rig_shape(dimension), mu = 0.3, step = 1e-3;
    ScreeVec3 up = rig_vec(0, 1, 0);
    ScreeWorld *world = rig_world(dimension, step, rig_vec(0, -gravity, 0), mu);
    rig_add_plane(world, rig_vec(0, 0, 0), up);
    ScreeBodyDef ball = rig_ball(rig_vec(0, radius, 0), radius, mass);
    ball.velocity = v0;
    ball.spin = w0;
    rig_add_body(world, &ball);
    ScreeVec3 u0 = rig_add(v0, -radius, rig_cross(w0, up));
    double slip = rig_length(u0);
    ScreeVec3 along = rig_scale(1 / slip, u0);
    int last = (int)ceil(k * slip / ((1 + k) * mu * gravity * step));
    double full = mu * mass * gravity * step;
    double rest = mass * k / (1 + k) * slip - (last - 1) * full;
    for (int n = 1; n <= last + 50; n++) {
        ScreeReport report = rig_step(world);
        ScreeContact c = rig_contact(world, 0, -1);
        double impulse = n < last ? full : n == last ? rest : 0;
        double given = n < last ? n * full : mass * k / (1 + k) * slip;
        CHECK_VEC(c.tangential_impulse, rig_scale(impulse, along), 1e-10 * full);
        CHECK_VEC(scree_world_get_bodies(world).velocity[0], rig_add(v0, -given / mass, along),
                  1e-10 * slip);
        CHECK(c.state == (n < last ? SCREE_CONTACT_SLIP : SCREE_CONTACT_STICK));
        CHECK(report.dissipation >= -1e-14);
    }
    ScreeBodyView b = scree_world_get_bodies(world);
    CHECK_VEC(b.velocity[0], rig_add(v0, -k / (1 + k), u0), 1e-10 * slip);
    CHECK_NEAR(b.spin[0].y, w0.y, 1e-10 * (1 + fabs(w0.y)));
    ScreeVec3 surface = rig_add(b.velocity[0], -radius, rig_cross(b.spin[0], up));
    CHECK_NEAR(rig_length(surface), 0, 1e-10 * slip);
    scree_world_destroy(world);
}

static void sliding_ball_begins_to_roll(void) {
    const ScreeVec3 none = rig_vec(0, 0, 0);
    run_slide(2, rig_vec(1.2345, 0, 0), none);
    run_slide(2, rig_vec(-0.777, 0, 0), rig_vec(0, 0, 3.1));
    run_slide(2, rig_vec(0.5, 0, 0), rig_vec(0, 0, 21)); /* backspin: it comes back */
    run_slide(3, rig_vec(1.2345, 0, 0), none);
    run_slide(3, rig_vec(0.9, 0, -0.4), none);
    run_slide(3, rig_vec(0.9, 0, -0.4),
              rig_vec(2, 5, -7)); /* like a billiard ball: on a parabola */
}

/* The same numbers without the general formula. */
static void rolling_begins_at_the_known_fractions(void) {
    const double mu = 0.25, v0 = 2.0, step = 1e-3;
    for (int dimension = 2; dimension <= 3; dimension++) {
        ScreeWorld *world = rig_world(dimension, step, rig_vec(0, -10, 0), mu);
        rig_add_plane(world, rig_vec(0, 0, 0), rig_vec(0, 1, 0));
        ScreeBodyDef ball = rig_ball(rig_vec(0, 1, 0), 1, 1);
        ball.velocity = rig_vec(v0, 0, 0);
        rig_add_body(world, &ball);
        int sliding_steps = 0;
        for (int n = 0; n < 500; n++) {
            sliding_steps += (int)rig_step(world).sliding;
        }
        double time = dimension == 3 ? 2 * v0 / (7 * mu * 10) : v0 / (3 * mu * 10);
        CHECK_NEAR(sliding_steps * step, time, step);
        double end = dimension == 3 ? 5.0 / 7.0 * v0 : 2.0 / 3.0 * v0;
        CHECK_CLOSE(scree_world_get_bodies(world).velocity[0].x, end, 1e-12);
        CHECK_CLOSE(scree_world_get_bodies(world).spin[0].z, -end, 1e-12);
        scree_world_destroy(world);
    }
}

int main(int argc, char **argv) {
    CHECK_RUN(incline_rolls_or_slides);
    CHECK_RUN(sliding_ball_begins_to_roll);
    CHECK_RUN(rolling_begins_at_the_known_fractions);
    return check_result();
}
