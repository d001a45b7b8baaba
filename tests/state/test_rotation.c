/* Free rotation of bodies whose moments of inertia differ: closed forms, conservation, order of
 * convergence, and agreement with Euler's equations solved by other means. */
#include "check.h"
#include "state/rotation.h"

static Quat turned_frame(void) {
    return quat_normalise((Quat){0.3, -0.5, 0.7, 0.2});
}

static Quat turn_freely(Moments m, Vec3 momentum, double dt, int steps) {
    for (int k = 0; k < steps; k++) {
        m.frame = quat_renormalise(quat_multiply(scr_free_rotation(&m, momentum, dt), m.frame));
    }
    return m.frame;
}

static double apart(Quat a, Quat b) {
    double c = fabs(a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z);
    return c < 1 ? 2 * acos(c) : 0;
}

/* The part of a difference that acos cannot see. */
static double difference(Quat a, Quat b) {
    const Quat back = {b.w, -b.x, -b.y, -b.z}, d = quat_multiply(a, back);
    return 2 * length(vec3(d.x, d.y, d.z));
}

static double energy(const Moments *m, Vec3 momentum) {
    return 0.5 * dot(momentum, scr_spin_with(m, momentum));
}

/* I^-1 I = 1, the tensor is symmetric and has the moments along its axes. */
static void tensors_agree_with_their_inverses(void) {
    const Moments m = {{2, 3, 5}, turned_frame()};
    const Vec3 w = {0.3, -1.2, 0.9};
    Vec3 momentum = scr_angular_momentum(&m, w), back = scr_spin_with(&m, momentum);
    const Sym3 inverse = scr_inverse_inertia(&m, 0);
    CHECK(length(sub(back, w)) < 4e-15);
    CHECK(length(sub(sym3_apply(&inverse, momentum), w)) < 4e-15);
    for (int k = 0; k < 3; k++) {
        Vec3 axis = vec3(k == 0, k == 1, k == 2), world = quat_rotate(m.frame, axis);
        Vec3 along = scr_angular_momentum(&m, world);
        CHECK(length(sub(along, scale(component(m.moment, k), world))) < 1e-14);
    }
}

/* A body that may turn about some axes only: the inverse undoes the tensor between these. */
static void frozen_axes_are_left_out_of_the_inverse(void) {
    const Moments m = {{2, 3, 5}, turned_frame()};
    for (uint32_t frozen = 0; frozen < 8; frozen++) {
        const Sym3 inverse = scr_inverse_inertia(&m, frozen);
        for (int k = 0; k < 3; k++) {
            Vec3 w = vec3(k == 0, k == 1, k == 2);
            bool held = (frozen >> k & 1) != 0;
            Vec3 back = sym3_apply(&inverse, scr_angular_momentum(&m, w));
            Vec3 pushed = sym3_apply(&inverse, w);
            CHECK(held ? length(pushed) == 0 : length(sub(back, w)) < 1e-14);
            CHECK(!held || component(back, k) == 0);
        }
        Vec3 w = {0.4, -0.3, 1.1}, momentum = scr_angular_momentum(&m, w);
        CHECK(length(sub(scr_held_spin(&m, momentum, w, frozen), w)) < 1e-14);
    }
}

/* Two equal moments: the axis of the body goes around L at the rate L / I, and the body turns about
 * that axis at L_3 (1 / I_3 - 1 / I) besides. One step of any length is exact. */
static void symmetric_tops_are_exact(void) {
    const double moment[2][3] = {{2, 2, 3.5}, {4, 1.2, 4}};
    for (int k = 0; k < 2; k++) {
        const Moments m = {{moment[k][0], moment[k][1], moment[k][2]}, turned_frame()};
        const Vec3 momentum = {1.1, -0.4, 2.3};
        const int own = k == 0 ? 2 : 1;
        const double equal = moment[k][0], dt = 0.7;
        Vec3 axis = vec3(own == 0, own == 1, own == 2);
        double along = dot(momentum, quat_rotate(m.frame, axis));
        Quat about_axis =
            quat_from_turn(scale(dt * along * (1 / moment[k][own] - 1 / equal), axis));
        Quat about_momentum = quat_from_turn(scale(dt / equal, momentum));
        Quat expected = quat_multiply(about_momentum, quat_multiply(m.frame, about_axis));
        CHECK(difference(turn_freely(m, momentum, dt, 1), expected) < 1e-14);
        CHECK(difference(turn_freely(m, momentum, dt / 1000, 1000), expected) < 1e-12);
    }
}

/* Equal moments: the spin stays what it is. */
static void cubes_turn_about_their_spin(void) {
    const Moments m = {{2, 2, 2}, turned_frame()};
    const Vec3 momentum = {1.1, -0.4, 2.3};
    Quat expected = quat_multiply(quat_from_turn(scale(0.5 * 1.7, momentum)), m.frame);
    CHECK(difference(turn_freely(m, momentum, 1.7, 1), expected) < 1e-14);
}

/* q' = w q / 2 with w = I^-1 L, by the classical Runge-Kutta method: another way to the same. */
static Quat rate(const Moments *m, Vec3 momentum, Quat q) {
    const Moments now = {m->moment, q};
    Vec3 w = scr_spin_with(&now, momentum);
    Quat r = quat_multiply((Quat){0, w.x, w.y, w.z}, q);
    return (Quat){0.5 * r.w, 0.5 * r.x, 0.5 * r.y, 0.5 * r.z};
}

static Quat along(Quat q, double h, Quat r) {
    return (Quat){q.w + h * r.w, q.x + h * r.x, q.y + h * r.y, q.z + h * r.z};
}

static Quat runge_kutta(const Moments *m, Vec3 momentum, double time, int steps) {
    Quat q = m->frame;
    double h = time / steps;
    for (int k = 0; k < steps; k++) {
        Quat a = rate(m, momentum, q), b = rate(m, momentum, along(q, h / 2, a));
        Quat c = rate(m, momentum, along(q, h / 2, b)), d = rate(m, momentum, along(q, h, c));
        q = along(along(along(along(q, h / 6, a), h / 3, b), h / 3, c), h / 6, d);
        q = quat_normalise(q);
    }
    return q;
}

/* All moments different: second order, towards the solution of Euler's equations. */
static void convergence_is_of_second_order(void) {
    const Moments m = {{1, 1.7, 3.1}, turned_frame()};
    const Vec3 momentum = {0.9, -1.4, 2.3};
    Quat exact = runge_kutta(&m, momentum, 2, 8000);
    double error[4];
    for (int k = 0; k < 4; k++) {
        int steps = 40 << k;
        error[k] = apart(turn_freely(m, momentum, 2.0 / steps, steps), exact);
    }
    CHECK(error[3] < 1e-3);
    for (int k = 1; k < 4; k++) {
        CHECK_NEAR(error[k - 1] / error[k], 4, 0.2);
    }
}

/* The Dzhanibekov effect: a body that spins about its middle axis turns over, again and again. Its
 * energy swings by the square of the step and comes back, over a hundred thousand steps. */
static void flipping_bodies_keep_their_energy(void) {
    Moments m = {{1, 2, 3}, {1, 0, 0, 0}};
    const Vec3 momentum = {1e-3, 2 * 5, 1e-3};
    const double dt = 0.01, start = energy(&m, momentum);
    const int steps = CHECK_STRIDE == 1 ? 100000 : 20000;
    double worst = 0, late = 0, last = 1;
    int flips = 0;
    for (int k = 0; k < steps; k++) {
        m.frame = quat_renormalise(quat_multiply(scr_free_rotation(&m, momentum, dt), m.frame));
        double off = fabs(energy(&m, momentum) / start - 1);
        worst = scr_max(worst, k < steps / 10 ? off : 0);
        late = scr_max(late, k >= steps - steps / 10 ? off : 0);
        double up = quat_rotate(m.frame, vec3(0, 1, 0)).y;
        flips += fabs(up) > 0.9 && up * last < 0;
        last = fabs(up) > 0.9 ? up : last;
    }
    CHECK(flips > steps / 2000);
    CHECK(worst < 20 * dt * dt && worst > 0);
    CHECK(late < 1.05 * worst);
}

int main(int argc, char **argv) {
    CHECK_RUN(tensors_agree_with_their_inverses);
    CHECK_RUN(frozen_axes_are_left_out_of_the_inverse);
    CHECK_RUN(symmetric_tops_are_exact);
    CHECK_RUN(cubes_turn_about_their_spin);
    CHECK_RUN(convergence_is_of_second_order);
    CHECK_RUN(flipping_bodies_keep_their_energy);
    return check_result();
}
