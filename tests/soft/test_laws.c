/* The force laws of the soft engine by themselves, without bodies. */
#include "physics/rig.h"

#include "soft/force/bond.h"
#include "soft/force/damping.h"
#include "soft/force/normal.h"
#include "soft/force/torque.h"

/* ---------------------------------------------------------------- damping */

/* Restitution of m d'' = -N(d, d') from d = 0, d' = v until N = 0, by Runge and Kutta's method.
 * `power` is that of the spring; the dashpot has half of (power - 1). */
static double collide(double k, double c, double m, double v, double power, double *duration) {
    double d = 0, u = v, time = pow(m * v * v / k, 1 / (power + 1)) / v, h = time / 20000, t = 0;
    for (;;) {
        double kd[4], ku[4];
        for (int s = 0; s < 4; s++) {
            double part = s == 0 ? 0 : s == 3 ? h : h / 2;
            double x = d + (s == 0 ? 0 : part * kd[s - 1]), y = u + (s == 0 ? 0 : part * ku[s - 1]);
            x = fmax(x, 0);
            kd[s] = y;
            ku[s] = -(k * pow(x, power) + c * pow(x, (power - 1) / 2) * y) / m;
        }
        double du = h / 6 * (ku[0] + 2 * ku[1] + 2 * ku[2] + ku[3]);
        if (t > time && du > 0) { /* it would pull */
            *duration = t;
            return -u / v;
        }
        d += h / 6 * (kd[0] + 2 * kd[1] + 2 * kd[2] + kd[3]);
        u += du;
        t += h;
    }
}

static void restitution_and_duration_match_integration(void) {
    static const double ratio[] = {0.01, 0.2, 0.6, 0.9995, 1, 1.0005, 2};
    for (int i = 0; i < 7; i++) {
        double z = ratio[i], k = 7, m = 0.3, duration;
        double e = collide(k, 2 * z * sqrt(k * m), m, 1.7, 1, &duration);
        CHECK_CLOSE(scr_restitution_of(z), e, 1e-4);
        CHECK_CLOSE(scr_collision_phase(z) * sqrt(m / k), duration, 1e-3);
        e = collide(k, z * sqrt(5 * k * m), m, 0.4, 1.5, &duration); /* Hertz */
        CHECK_CLOSE(scr_restitution_of(z), e, 1e-3);
    }
    CHECK_CLOSE(scr_collision_phase(0), RIG_PI, 1e-15);
    for (double z = 0.998; z < 1.002; z += 1e-5) { /* smooth where the series takes over */
        CHECK_NEAR(scr_collision_phase(z) - 2 - 2.0 / 3 * (1 - z), 4.0 / 15 * (1 - z) * (1 - z),
                   1e-9);
    }
}

static void damping_ratio_inverts_restitution(void) {
    for (int i = 0; i <= 100; i++) {
        double e = i / 100.0, z = scr_damping_ratio(e);
        CHECK(z >= 0 && z <= 1);
        CHECK_NEAR(scr_restitution_of(z), fmax(e, exp(-2)), 1e-12);
    }
    CHECK(scr_damping_ratio(1) == 0 && scr_damping_ratio(0) == 1);
}

/* ---------------------------------------------------------------- springs */

/* The force is the derivative of the energy, and the slope that of the force. */
static void spring_force_is_the_slope_of_its_energy(void) {
    for (double d = 0.01; d < 3; d *= 1.7) {
        double h = 1e-4 * d;
        for (int hertz = 0; hertz < 2; hertz++) {
            NormalSpring (*spring)(double, double) = hertz ? scr_spring_hertz : scr_spring_linear;
            NormalSpring s = spring(5, d), up = spring(5, d + h), down = spring(5, d - h);
            CHECK_CLOSE(s.force, (up.energy - down.energy) / (2 * h), 1e-6);
            CHECK_CLOSE(s.slope, (up.force - down.force) / (2 * h), 1e-6);
            CHECK_CLOSE(s.force, 5 * pow(d, hertz ? 1.5 : 1), 1e-12);
            CHECK_CLOSE(s.dashpot, hertz ? pow(d, 0.25) : 1.0, 1e-12);
        }
    }
    CHECK(scr_push_only(3, -2) == 1 && scr_push_only(3, -4) == 0);
}

/* The rotation that takes m to n and turns by an angle about n, applied exactly. */
static ScreeVec3 rotate(ScreeVec3 s, ScreeVec3 m, ScreeVec3 n, double angle) {
    ScreeVec3 sum = rig_add(m, 1, n);
    ScreeVec3 r = rig_add(s, -rig_dot(s, n) / (1 + rig_dot(m, n)), sum);
    return rig_add(rig_scale(cos(angle), r), sin(angle), rig_cross(n, r));
}

/* Turning is right to second order: the error of one turn falls with the cube of its size. */
static void springs_turn_to_second_order(void) {
    uint64_t random = 7;
    for (int i = 0; i < 50; i++) {
        ScreeVec3 m = rig_random_vec(&random, 1, 3), side = rig_random_vec(&random, 1, 3);
        m = rig_scale(1 / rig_length(m), m);
        side = rig_cross(m, side);
        side = rig_scale(1 / rig_length(side), side);
        ScreeVec3 s = rig_cross(m, rig_random_vec(&random, 1, 3));
        double error[2], length[2];
        for (int k = 0; k < 2; k++) {
            double by = k == 0 ? 0.02 : 0.01;
            ScreeVec3 n = rig_add(rig_scale(cos(by), m), sin(by), side);
            ScreeVec3 half = rig_scale(0.5, rig_sub(n, m));
            half = rig_add(half, -rig_dot(half, n), n); /* as the velocities give it */
            ScreeVec3 turned = scr_spring_turn(s, n, half, by), exact = rotate(s, m, n, by);
            error[k] = rig_length(rig_sub(turned, exact)) / rig_length(s);
            length[k] = fabs(rig_length(turned) / rig_length(s) - 1);
            ScreeVec3 laid = scr_spring_lay(s, n, 0);
            CHECK_NEAR(rig_dot(laid, n), 0, 1e-12);
            CHECK_CLOSE(rig_length(laid), rig_length(s), 1e-12);
        }
        CHECK(error[0] < 1e-5 && error[1] < 0.2 * error[0] + 1e-12);
        CHECK(length[0] < 1e-6);
    }
}

static void springs_are_cut_to_their_bound(void) {
    ScreeVec3 s = {3, 4, 0};
    CHECK(scr_spring_cut(&s, 2, 10) == 0 && s.x == 3);
    CHECK_NEAR(scr_spring_cut(&s, 2, 5), 0.5, 1e-15);
    CHECK_VEC(s, rig_vec(1.5, 2, 0), 1e-15);
    CHECK(scr_spring_cut(&s, 2, 0) == 1 && s.x == 0 && s.y == 0);
    ScreeVec3 f = {0, -3, 4};
    CHECK(!scr_force_cut(&f, 5) && scr_force_cut(&f, 1));
    CHECK_VEC(f, rig_vec(0, -0.6, 0.8), 1e-15);
    bool slides;
    CHECK_VEC(scr_viscous_friction(rig_vec(0, 2, 0), 3, 10, &slides), rig_vec(0, -6, 0), 1e-15);
    CHECK(!slides);
    CHECK_VEC(scr_viscous_friction(rig_vec(0, 2, 0), 30, 10, &slides), rig_vec(0, -10, 0), 1e-15);
    CHECK(slides);
    double angle = -3;
    CHECK_NEAR(scr_angle_cut(&angle, 2, 4), -1, 1e-15);
    CHECK(angle == -2 && scr_angle_cut(&angle, 2, 4) == 0);
    CHECK_CLOSE(scr_rolling_limit(2, 0.1, 0.2, 1, 9), (0.1 + 0.2 * 3) * 9, 1e-14);
    CHECK_CLOSE(scr_rolling_limit(3, 0.1, 0.2, 0.5, 16), (0.1 + 0.2 * 2) * 16, 1e-14);
}

/* ---------------------------------------------------------------- bonds */

/* Pulled open along any path, the work done is stored or lost, and the bond tears when the work
 * reaches F d. */
static void work_on_a_bond_is_stored_or_lost(void) {
    const Bond bond = {40, 0.004, 1e6};
    double opening = 0, work = 0, lost = 0, before = 0, h = 1e-8, gap = 0;
    for (int i = 0; i < 1000000; i++) {
        gap = i * h;
        BondPull pull = scr_bond_pull(&bond, gap, &opening);
        lost += pull.lost;
        if (pull.torn) {
            break;
        }
        work += 0.5 * h * (before + pull.tension);
        before = pull.tension;
        CHECK(pull.tension <= bond.strength * (1 + 1e-9) && opening >= 0);
        CHECK_NEAR(work, lost + pull.energy, 1e-5 * bond.strength * bond.range);
    }
    CHECK_CLOSE(work, bond.strength * bond.range, 1e-4);
    CHECK_CLOSE(lost, bond.strength * bond.range, 1e-9);
    CHECK_CLOSE(gap, scr_bond_reach(&bond), 1e-4);
}

/* To and fro: the loss is F times the growth of the opening, and closing costs nothing. */
static void closing_a_bond_is_free(void) {
    const Bond bond = {40, 0.004, 1e6};
    double opening = 0, stretch = bond.strength / bond.stiffness;
    BondPull p = scr_bond_pull(&bond, 0.001, &opening);
    CHECK_CLOSE(opening, 0.001 - stretch, 1e-12);
    CHECK_CLOSE(p.lost, bond.strength * opening, 1e-12);
    p = scr_bond_pull(&bond, 0.001 - stretch / 2, &opening); /* the spring relaxes first */
    CHECK(p.lost == 0);
    CHECK_CLOSE(p.tension, bond.strength / 2, 1e-9);
    p = scr_bond_pull(&bond, 0.0004, &opening); /* the opening closes */
    CHECK(p.lost == 0 && p.tension == 0 && opening == 0.0004);
    p = scr_bond_pull(&bond, 0.0005, &opening);
    CHECK_CLOSE(p.lost, bond.strength * (0.0001 - stretch), 1e-9);
    p = scr_bond_pull(&bond, 1, &opening); /* far beyond: torn, with no more lost than there was */
    CHECK(p.torn && p.tension == 0);
    CHECK_CLOSE(p.lost, bond.strength * (bond.range - (0.0005 - stretch)), 1e-9);
}

int main(int argc, char **argv) {
    CHECK_RUN(restitution_and_duration_match_integration);
    CHECK_RUN(damping_ratio_inverts_restitution);
    CHECK_RUN(spring_force_is_the_slope_of_its_energy);
    CHECK_RUN(springs_turn_to_second_order);
    CHECK_RUN(springs_are_cut_to_their_bound);
    CHECK_RUN(work_on_a_bond_is_stored_or_lost);
    CHECK_RUN(closing_a_bond_is_free);
    return check_result();
}
