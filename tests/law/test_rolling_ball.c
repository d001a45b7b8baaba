/* Sliding, rolling and torsion friction of round bodies: closed forms of a ball and a disk on a
 * plane, bodies that are held, and special numbers. */
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

static void ball_on_a_plane(void) {
    const double g = 9.81;
    const double dt = 1e-3;
    for (int disk = 0; disk < 2; disk++) {
        Ball b = {1.7, 0.3, 0.0, 2.0, 0.0};
        double share = disk ? 0.5 : 0.4; /* I / m r^2 */
        b.inertia = share * b.mass * b.radius * b.radius;
        double weight = b.mass * g * dt;
        /* Rolling: deceleration rho g / (r (1 + I/mr^2)), without sliding; then it stops for good.
         */
        double rho = 0.01;
        double deceleration = rho * g / (b.radius * (1.0 + share));
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

        /* Set sliding: with mu and rho both at work, v = v0 - mu g t and w' = (mu r - rho) m g / I
         * until v = r w, at t = v0 / (g (mu + (mu r - rho) m r / I)). */
        b.v = 2.0;
        b.w = 0.0;
        double gain = (0.3 * b.radius - rho) * b.mass * b.radius / b.inertia;
        double onset = 2.0 / (g * (0.3 + gain));
        int before = (int)(onset / dt);
        ball_step(&b, 0.0, weight, 0.3, rho); /* not yet turning, rho may hold nothing back */
        for (int i = 1; i < before; i++) {
            CHECK(ball_step(&b, 0.0, weight, 0.3, rho) == LAW_FORCE_SLIDES + LAW_TORQUE_SLIDES);
        }
        CHECK_CLOSE(b.v, 2.0 - 0.3 * g * dt * before, 1e-12);
        CHECK_CLOSE(b.radius * b.w, gain * g * dt * before, 1e-12);
        ball_step(&b, 0.0, weight, 0.3, rho);
        CHECK(ball_step(&b, 0.0, weight, 0.3, rho) == LAW_TORQUE_SLIDES);

        /* On an incline: at rest iff tan <= mu and tan <= rho / r; rolls without sliding iff
         * (tan + s rho / r) / (1 + s) <= mu ... with s = m r^2 / I the force is what u = 0 needs.
         */
        for (int i = 1; i < 400; i++) {
            double slope = 0.005 * i + 0.001;
            double tilt = atan(slope);
            double mu = 0.25 + 0.5 * (i % 7) / 7.0;
            double r = 0.06 + 0.3 * (i % 5) / 5.0;
            Ball c = {b.mass, b.radius, b.inertia, 0.0, 0.0};
            int slides = ball_step(&c, weight * sin(tilt), weight * cos(tilt), mu, r);
            double s = 1.0 / share;
            double force = (slope + s * r / c.radius) / (1.0 + s);
            double speed = g * dt * (sin(tilt) - r / c.radius * cos(tilt)) / (1.0 + share);
            if (slope <= mu && slope <= r / c.radius) {
                CHECK(slides == LAW_NOTHING_SLIDES && fabs(c.v) < 1e-16 && fabs(c.w) < 1e-15);
            } else if (slope > r / c.radius && force <= mu) {
                CHECK(slides == LAW_TORQUE_SLIDES);
                CHECK_NEAR(c.v, speed, 1e-15);
            } else if (slope > mu && mu <= r / c.radius) {
                CHECK(slides == LAW_FORCE_SLIDES && fabs(c.w) < 1e-15);
            } else {
                CHECK(slides == LAW_FORCE_SLIDES + LAW_TORQUE_SLIDES);
                CHECK_NEAR(c.v, g * dt * (sin(tilt) - mu * cos(tilt)), 1e-15);
            }
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

/* A ball whose centre is held: u = r o. Force and torque share the work; the force goes first. */
static void held_centre(void) {
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
    p.X = 0.5; /* then r X + Y are to make 5 / 8 */
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

static void special_inputs(void) {
    const double still[2] = {0.0, 0.0};
    const double qx[2] = {3.0, -4.0};
    const double qy[2] = {-6.0, 8.0};
    double x[2];
    double y[2];
    CHECK(law_rolling_space(2.0, 1.0, 3.0, still, still, 1.0, 1.0, x, y) == LAW_NOTHING_SLIDES);
    CHECK(x[0] == 0.0 && x[1] == 0.0 && y[0] == 0.0 && y[1] == 0.0);
    /* Frozen: the whole bound against what cannot be stopped; nothing where nothing moves. */
    law_rolling_space(0.0, 0.0, 2.0, qx, qy, 1.0, 100.0, x, y);
    CHECK_NEAR(x[0], -0.6, 1e-16);
    CHECK_NEAR(x[1], 0.8, 1e-16);
    CHECK(y[0] == 3.0 && y[1] == -4.0);
    CHECK(law_rolling_space(0.0, 0.0, 0.0, still, still, 1.0, 1.0, x, y) == LAW_NOTHING_SLIDES);
    CHECK(x[0] == 0.0 && y[1] == 0.0);
    law_rolling_space(0.0, 0.0, 0.0, qx, qy, INFINITY, INFINITY, x, y);
    CHECK(x[0] == 0.0 && x[1] == 0.0 && y[0] == 0.0 && y[1] == 0.0);
    /* Bounds that never end: the stop by Cramer's rule, determinant 5. */
    CHECK(law_rolling_space(2.0, 1.0, 3.0, qx, qy, INFINITY, INFINITY, x, y) == 0);
    CHECK_NEAR(x[0], -(3.0 * 3.0 + 6.0) / 5.0, 1e-15);
    CHECK_NEAR(y[0], -(2.0 * -6.0 - 3.0) / 5.0, 1e-15);
    Rolling p = {2.0, 1.0, 3.0, {3.0, -4.0}, {1.0, 1.0}, 0.7, INFINITY};
    CHECK(solve(&p, x, y) == LAW_FORCE_SLIDES && rolling_error(&p, x, y) <= 1e-15);
    p.X = INFINITY;
    p.Y = 0.2;
    CHECK(solve(&p, x, y) == LAW_TORQUE_SLIDES && rolling_error(&p, x, y) <= 1e-15);
    p.X = 0.0; /* no friction: only the torque acts */
    solve(&p, x, y);
    CHECK(x[0] == 0.0 && x[1] == 0.0);
    CHECK_CLOSE(y[0], -0.2 / sqrt(2.0), 1e-15);
}

int main(int argc, char **argv) {
    CHECK_RUN(ball_on_a_plane);
    CHECK_RUN(torsion_stops_a_spin);
    CHECK_RUN(held_centre);
    CHECK_RUN(special_inputs);
    return check_result();
}
