/* Sliding, rolling and torsion friction of round bodies: closed forms of a ball and a disk on a
 * plane, held bodies, and special numbers. */
#include "check.h"
#include "law/rolling_problem.h"

/* A ball (or disk) on an incline: velocity along it and spin, with u = v - r w and o = -w. */
typedef struct Ball {
    double mass, radius, inertia;
    double v, w;
} Ball;

static int ball_step(Ball *b, double push, double pressure, double mu, double rho) {
    double x;
    double y;
    double a = 1.0 / b->mass + b->radius * b->radius / b->inertia;
    double free = b->v + push / b->mass;
    int slides =
        law_rolling_plane(a, b->radius / b->inertia, 1.0 / b->inertia, free - b->radius * b->w,
                          -b->w, mu * pressure, rho * pressure, &x, &y);
    b->v = free + x / b->mass;
    b->w -= (b->radius * x + y) / b->inertia;
    return slides;
}

static const double g = 9.81;
static const double dt = 1e-3;

/* share = I / (m r^2): 2/5 for a ball, 1/2 for a disk. */
static Ball resting(double share) {
    Ball b = {1.7, 0.3, 0.0, 0.0, 0.0};
    b.inertia = share * b.mass * b.radius * b.radius;
    return b;
}

/* Decelerates by rho g / (r (1 + I / (m r^2))) without sliding, then stops for good. */
static void rolling_ball_slows_down_and_stops(void) {
    for (int disk = 0; disk < 2; disk++) {
        double share = disk ? 0.5 : 0.4;
        double rho = 0.01;
        Ball b = resting(share);
        double weight = b.mass * g * dt;
        double deceleration = rho * g / (b.radius * (1.0 + share));
        b.v = 2.0;
        b.w = b.v / b.radius;
        for (int i = 1; i <= 1000; i++) {
            CHECK(ball_step(&b, 0.0, weight, 0.3, rho) == LAW_TORQUE_SLIDES);
            CHECK_CLOSE(b.v, 2.0 - deceleration * dt * i, 1e-12);
            CHECK_CLOSE(b.v, b.radius * b.w, 1e-12);
        }
        int stop = (int)(2.0 / (deceleration * dt)) + 1;
        for (int i = 1000; i < stop; i++) {
            ball_step(&b, 0.0, weight, 0.3, rho);
        }
        CHECK(ball_step(&b, 0.0, weight, 0.3, rho) == LAW_NOTHING_SLIDES);
        CHECK_NEAR(b.v, 0.0, 1e-15);
        CHECK_NEAR(b.w, 0.0, 1e-15);
    }
}

/* Thrown without spin: v = v0 - mu g t and r w = (mu r - rho) (m r / I) g t, until the two are
 * equal, at t = v0 / (g (mu + (mu r - rho) m r / I)). Without rho that is at 5/7 v0 (ball), 2/3 v0
 * (disk). */
static void thrown_ball_begins_to_roll_on_time(void) {
    for (int i = 0; i < 4; i++) {
        double share = i % 2 ? 0.5 : 0.4;
        double rho = i < 2 ? 0.0 : 0.01;
        Ball b = resting(share);
        double weight = b.mass * g * dt;
        double gain = (0.3 * b.radius - rho) * b.mass * b.radius / b.inertia;
        int before = (int)(2.0 / (g * (0.3 + gain)) / dt);
        int both = LAW_FORCE_SLIDES + LAW_TORQUE_SLIDES;
        b.v = 2.0;
        for (int j = 0; j < before; j++) {
            int slides = ball_step(&b, 0.0, weight, 0.3, rho);
            CHECK(slides == both || (rho == 0.0 && j == 0 && slides == LAW_FORCE_SLIDES));
        }
        CHECK_CLOSE(b.v, 2.0 - 0.3 * g * dt * before, 1e-12);
        CHECK_CLOSE(b.radius * b.w, gain * g * dt * before, 1e-12);
        CHECK(ball_step(&b, 0.0, weight, 0.3, rho) == LAW_TORQUE_SLIDES);
        CHECK_CLOSE(b.radius * b.w, b.v, 1e-14);
        if (rho == 0.0) {
            CHECK_CLOSE(b.v, 2.0 / (1.0 + share), 1e-12);
        }
    }
}

/* At rest if and only if tan <= mu and tan <= rho / r. Rolls without sliding if and only if the
 * friction that u = 0 needs, (tan + s rho / r) / (1 + s) with s = m r^2 / I, is available. */
static void ball_on_an_incline_rests_rolls_or_slides(void) {
    for (int i = 1; i < 800; i++) {
        double share = i % 2 ? 0.5 : 0.4;
        double slope = 0.0025 * i + 0.001;
        double tilt = atan(slope);
        double mu = 0.25 + 0.5 * (i % 7) / 7.0;
        double rho = 0.06 + 0.3 * (i % 5) / 5.0;
        Ball b = resting(share);
        double weight = b.mass * g * dt;
        int slides = ball_step(&b, weight * sin(tilt), weight * cos(tilt), mu, rho);
        double s = 1.0 / share;
        double turning = rho / b.radius;
        double force = (slope + s * turning) / (1.0 + s);
        if (slope <= mu && slope <= turning) {
            CHECK(slides == LAW_NOTHING_SLIDES && fabs(b.v) < 1e-16 && fabs(b.w) < 1e-15);
        } else if (slope > turning && force <= mu) {
            CHECK(slides == LAW_TORQUE_SLIDES);
            CHECK_NEAR(b.v, g * dt * (sin(tilt) - turning * cos(tilt)) / (1.0 + share), 1e-15);
        } else if (mu <= turning) {
            CHECK(slides == LAW_FORCE_SLIDES && fabs(b.w) < 1e-15);
            CHECK_NEAR(b.v, g * dt * (sin(tilt) - mu * cos(tilt)), 1e-15);
        } else {
            CHECK(slides == LAW_FORCE_SLIDES + LAW_TORQUE_SLIDES);
            CHECK_NEAR(b.v, g * dt * (sin(tilt) - mu * cos(tilt)), 1e-15);
        }
    }
}

static void torsion_stops_a_spin(void) {
    double spin = 3.0;
    double inertia = 0.2;
    double bound = 0.05; /* per step */
    for (int i = 1; i <= 13; i++) {
        spin += law_torsion(1.0 / inertia, spin, bound) / inertia;
        CHECK_NEAR(spin, fmax(3.0 - i * bound / inertia, 0.0), 1e-14);
    }
    CHECK(law_torsion(0.0, 1.0, 2.0) == -2.0 && law_torsion(0.0, 0.0, 2.0) == 0.0);
    CHECK(law_torsion(4.0, 1.0, INFINITY) == -0.25 && law_torsion(0.0, 1.0, INFINITY) == 0.0);
    CHECK(law_torsion(4.0, -9.0, 0.0) == 0.0);
}

/* A ball with a held centre: u = r o. Force and torque share the work; the force comes first. */
static void force_and_torque_share_the_work_on_a_held_ball(void) {
    const double r = 0.5;
    const double per_i = 8.0;
    Rolling p = {r * r * per_i, r * per_i, per_i, {1.5, -2.0}, {3.0, -4.0}, 0.0, 1.0};
    double x[2];
    double y[2];
    p.X = 2.0; /* |q_x| / a = 1.25 */
    CHECK(solve(&p, x, y) == LAW_NOTHING_SLIDES);
    CHECK_NEAR(x[0], -0.75, 1e-15);
    CHECK_NEAR(x[1], 1.0, 1e-15);
    CHECK_NEAR(hypot(y[0], y[1]), 0.0, 1e-15);
    p.X = 0.5; /* then r X + Y together make 5 / 8 */
    CHECK(solve(&p, x, y) == LAW_FORCE_SLIDES);
    CHECK_NEAR(x[0], -0.3, 1e-15);
    CHECK_NEAR(y[0], -0.225, 1e-15);
    CHECK_NEAR(y[1], 0.3, 1e-15);
    p.Y = 0.25;
    CHECK(solve(&p, x, y) == LAW_FORCE_SLIDES + LAW_TORQUE_SLIDES);
    CHECK_NEAR(y[0], -0.15, 1e-15);
    p.qy[0] = 9.0; /* a belt under it: sliding and turning cannot both stop */
    p.Y = 100.0;
    CHECK(solve(&p, x, y) == LAW_FORCE_SLIDES);
    CHECK(rolling_error(&p, x, y) <= 4e-15);
}

static void frozen_and_unbounded_cases_are_exact(void) {
    const double still[2] = {0.0, 0.0};
    const double qx[2] = {3.0, -4.0};
    const double qy[2] = {-6.0, 8.0};
    double x[2];
    double y[2];
    CHECK(law_rolling_space(2.0, 1.0, 3.0, still, still, 1.0, 1.0, x, y) == LAW_NOTHING_SLIDES);
    CHECK(x[0] == 0.0 && x[1] == 0.0 && y[0] == 0.0 && y[1] == 0.0);
    /* Frozen: the whole bound acts against what cannot be stopped; nothing acts where nothing
     * moves. */
    law_rolling_space(0.0, 0.0, 2.0, qx, qy, 1.0, 100.0, x, y);
    CHECK_NEAR(x[0], -0.6, 1e-16);
    CHECK_NEAR(x[1], 0.8, 1e-16);
    CHECK(y[0] == 3.0 && y[1] == -4.0);
    CHECK(law_rolling_space(0.0, 0.0, 0.0, still, still, 1.0, 1.0, x, y) == LAW_NOTHING_SLIDES);
    CHECK(x[0] == 0.0 && y[1] == 0.0);
    law_rolling_space(0.0, 0.0, 0.0, qx, qy, INFINITY, INFINITY, x, y);
    CHECK(x[0] == 0.0 && x[1] == 0.0 && y[0] == 0.0 && y[1] == 0.0);
    /* Infinite bounds: the stop follows from Cramer's rule, determinant 5. */
    CHECK(law_rolling_space(2.0, 1.0, 3.0, qx, qy, INFINITY, INFINITY, x, y) == 0);
    CHECK_NEAR(x[0], -(3.0 * 3.0 + 6.0) / 5.0, 1e-15);
    CHECK_NEAR(y[0], -(2.0 * -6.0 - 3.0) / 5.0, 1e-15);
    Rolling p = {2.0, 1.0, 3.0, {3.0, -4.0}, {1.0, 1.0}, 0.7, INFINITY};
    CHECK(solve(&p, x, y) == LAW_FORCE_SLIDES && rolling_error(&p, x, y) <= 1e-15);
    p.X = INFINITY;
    p.Y = 0.2;
    CHECK(solve(&p, x, y) == LAW_TORQUE_SLIDES && rolling_error(&p, x, y) <= 1e-15);
    const double fast[2] = {3e10, 4e10}; /* bound over speed underflows, but the impulse does not */
    law_rolling_space(1.0, 0.0, 1.0, fast, still, 1e-300, 0.0, x, y);
    CHECK_CLOSE(x[0], -6e-301, 1e-15);
    p.X = 0.0; /* no friction: only the torque acts */
    solve(&p, x, y);
    CHECK(x[0] == 0.0 && x[1] == 0.0);
    CHECK_CLOSE(y[0], -0.2 / sqrt(2.0), 1e-15);
}

int main(int argc, char **argv) {
    CHECK_RUN(rolling_ball_slows_down_and_stops);
    CHECK_RUN(thrown_ball_begins_to_roll_on_time);
    CHECK_RUN(ball_on_an_incline_rests_rolls_or_slides);
    CHECK_RUN(torsion_stops_a_spin);
    CHECK_RUN(force_and_torque_share_the_work_on_a_held_ball);
    CHECK_RUN(frozen_and_unbounded_cases_are_exact);
    return check_result();
}
