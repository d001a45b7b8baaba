/* The general one-contact solver against brute force, and the symmetries it must have. */
#include "check.h"
#include "law/brute.h"

#include "law/coulomb.h"
#include "law/round.h"

#include <time.h>

static double distance(const double a[3], const double b[3]) {
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
                (a[2] - b[2]) * (a[2] - b[2]));
}

static double size(const double a[3]) {
    const double zero[3] = {0.0, 0.0, 0.0};
    return distance(a, zero);
}

static void print_problem(const Problem3 *k) {
    fprintf(stderr, "    W = {%.17g, %.17g, %.17g, %.17g, %.17g, %.17g}\n", k->W[0], k->W[1],
            k->W[2], k->W[3], k->W[4], k->W[5]);
    fprintf(stderr, "    q = {%.17g, %.17g, %.17g}, mu = %.17g\n", k->q[0], k->q[1], k->q[2],
            k->mu);
}

typedef struct Tally {
    int open, stick, slip, several, skipped;
    double worst_error;
} Tally;

/* The documented choice: open, else stick, else the slip of smallest normal impulse. */
static void compare(const Problem3 *k, Tally *tally) {
    double r[3];
    LawState state = law_coulomb_block3(k->W, k->q, k->mu, r);
    double error = law_error(k, r, (int)state);
    tally->worst_error = fmax(tally->worst_error, error);
    CHECK(error <= 1e-14);
    int before = check_failures;
    if (k->q[0] >= 0.0) {
        tally->open++;
        CHECK(state == LAW_OPEN);
        return;
    }
    Solutions all;
    brute_stick(k, &all);
    if (fabs(all.stick_margin) < 1e-9) {
        tally->skipped++;
        return;
    }
    if (all.stick) {
        tally->stick++;
        CHECK(state == LAW_STICK);
        return; /* u = 0 was checked, and W is regular */
    }
    tally->slip++;
    CHECK(state == LAW_SLIP);
    if (k->mu == 0.0) {
        return;
    }
    brute_slips(k, &all);
    int least = -1;
    int close = 0;
    for (int i = 0; i < all.slips; i++) {
        least = least < 0 || all.slip_r[i][0] < all.slip_r[least][0] ? i : least;
    }
    for (int i = 0; i < all.slips; i++) {
        close += distance(all.slip_r[i], all.slip_r[least]) < 1e-6 * size(all.slip_r[least]);
    }
    if (all.doubtful || close > 1 || least < 0) {
        tally->skipped++;
        CHECK(all.doubtful || least >= 0); /* a solution exists, and this is one */
        return;
    }
    tally->several += all.slips > 1;
    CHECK_NEAR(distance(r, all.slip_r[least]) / size(r), 0.0, 1e-13 * all.condition[least]);
    if (check_failures != before) {
        print_problem(k);
        for (int i = 0; i < all.slips; i++) {
            fprintf(stderr, "    slip %d: %.17g %.17g %.17g, condition %.3g\n", i, all.slip_r[i][0],
                    all.slip_r[i][1], all.slip_r[i][2], all.condition[i]);
        }
        fprintf(stderr, "    ours:   %.17g %.17g %.17g\n", r[0], r[1], r[2]);
    }
}

static void compare_many(uint64_t seed, int count, double coupling, double floor_part,
                         double decades, Tally *tally) {
    Random random = {seed};
    *tally = (Tally){0};
    for (int i = 0; i < count; i++) {
        Problem3 k = random_problem(&random, coupling, floor_part, decades);
        compare(&k, tally);
    }
    printf("       coupling %.2g: %d open, %d stick, %d slip (%d with several slips), %d skipped, "
           "largest error %.2g\n",
           coupling, tally->open, tally->stick, tally->slip, tally->several, tally->skipped,
           tally->worst_error);
    CHECK(tally->skipped < count / 50);
    CHECK(tally->stick > count / 50 && tally->slip > count / 5);
}

static void weak_coupling_matches_brute_force(void) {
    Tally tally;
    compare_many(1, 10000, 0.1, 0.3, 0.0, &tally);
    CHECK(tally.several == 0);
    compare_many(2, 5000, 0.3, 0.1, 12.0, &tally);
}

static void strong_coupling_matches_brute_force(void) {
    Tally tally;
    compare_many(3, 10000, 1.0, 0.01, 0.0, &tally);
    compare_many(4, 10000, 1.0, 1e-5, 8.0, &tally);
}

static void of_several_slips_the_smallest_is_taken(void) {
    Random random = {14};
    Tally tally = {0};
    for (int i = 0; i < 30000; i++) {
        double small = pow(10.0, random_between(&random, -4.0, -1.0));
        Problem3 k = anisotropic_problem(&random, small);
        compare(&k, &tally);
    }
    printf("       %d stick, %d slip (%d with several slips), %d skipped, largest error %.2g\n",
           tally.stick, tally.slip, tally.several, tally.skipped, tally.worst_error);
    CHECK(tally.several > 30);
    CHECK(tally.skipped < 300);
}

/* S of rank one, sliding along its null axis: one, three or no slips. */
static void singular_blocks_match_brute_force(void) {
    Random random = {15};
    int none = 0;
    int some = 0;
    int skipped = 0;
    for (int i = 0; i < 20000; i++) {
        Problem3 k = anisotropic_problem(&random, i % 2 ? 0.0 : 1e-18);
        Solutions all;
        double r[3];
        CHECK(law_coulomb_block3(k.W, k.q, k.mu, r) == LAW_SLIP);
        brute_slips(&k, &all);
        int least = 0;
        for (int j = 1; j < all.slips; j++) {
            least = all.slip_r[j][0] < all.slip_r[least][0] ? j : least;
        }
        if (all.doubtful || (all.slips > 0 && all.condition[least] > 1e6)) {
            skipped++;
        } else if (all.slips == 0) {
            none++;
            CHECK(r[1] == 0.0 && r[2] == 0.0);
            CHECK_CLOSE(r[0], -k.q[0] / k.W[0], 1e-15);
        } else {
            some++;
            CHECK(law_error(&k, r, LAW_SLIP) <= 1e-14);
            CHECK(distance(r, all.slip_r[least]) <= 1e-13 * all.condition[least] * size(r));
        }
    }
    printf("       %d with slips, %d without, %d skipped\n", some, none, skipped);
    CHECK(none > 300 && some > 5000 && skipped < 1000);
}

static void plane_matches_enumeration(void) {
    Random random = {5};
    int slips = 0;
    for (int i = 0; i < 40000; i++) {
        Problem3 k = random_problem(&random, 1.0, 1e-3, i % 2 ? 10.0 : 0.0);
        double W[3] = {k.W[0], k.W[1], k.W[3]};
        double r[2];
        LawState state = law_coulomb_block2(W, k.q, k.mu, r);
        k.W[2] = 0.0;
        k.W[4] = 0.0;
        k.q[2] = 0.0;
        double r3[3] = {r[0], r[1], 0.0};
        CHECK(law_error(&k, r3, (int)state) <= 1e-14);
        /* The other slip direction must not be a solution of smaller normal impulse. */
        double other = W[0] - k.mu * W[1] * copysign(1.0, r[1]);
        if (state == LAW_SLIP && k.mu > 0.0 && other > 0.0) {
            double n = -k.q[0] / other;
            double t = -k.mu * n * copysign(1.0, r[1]);
            double u = W[1] * n + W[2] * t + k.q[1];
            CHECK(u * t >= 0.0 || n > r[0]);
            slips++;
        }
        double in_space[3];
        LawState state3 = law_coulomb_block3(k.W, k.q, k.mu, in_space);
        double gap = fabs(fabs(r[1]) - k.mu * r[0]);
        CHECK(state3 == state || gap <= 1e-12 * k.mu * r[0]);
        double tolerance = 1e-14 * (W[0] + k.mu * fabs(W[1])) * r[0] / fabs(k.q[0]);
        if (state == LAW_STICK) { /* conditioned by W, not by the slip denominator */
            tolerance = 1e-14 * W[0] * W[2] / (W[0] * W[2] - W[1] * W[1]);
        }
        CHECK(distance(r3, in_space) <= fmax(tolerance, 4e-16) * size(r3));
    }
    CHECK(slips > 10000);
}

/* A diagonal block is that of round bodies, which have a law of their own. */
static void diagonal_blocks_match_round_bodies(void) {
    Random random = {6};
    int slips = 0;
    for (int i = 0; i < 20000; i++) {
        Problem3 k = random_problem(&random, 0.5, 0.1, i % 2 ? 30.0 : 0.0);
        double wt = k.W[3];
        double W3[6] = {k.W[0], 0.0, 0.0, wt, 0.0, wt};
        double W2[3] = {k.W[0], 0.0, wt};
        const LawRound contact = {1.0 / k.W[0], 1.0 / wt, k.mu};
        const RealVec3 ut = {0.0, k.q[1], k.q[2]};
        double n = 0.0;
        RealVec3 t = {0.0, 0.0, 0.0};
        double r[3];
        LawState state = law_coulomb_block3(W3, k.q, k.mu, r);
        law_round_space(&contact, k.q[0], ut, NULL, &n, &t);
        const double round[3] = {n, t.y, t.z};
        CHECK(t.x == 0.0);
        CHECK(distance(round, r) <= 2e-15 * size(r));
        n = t.x = 0.0;
        law_coulomb_block2(W2, k.q, k.mu, r);
        law_round_plane(&contact, k.q[0], k.q[1], NULL, &n, &t.x);
        CHECK_CLOSE(n, r[0], 2e-15);
        CHECK_CLOSE(t.x, r[1], 2e-15);
        slips += state == LAW_SLIP;
    }
    CHECK(slips > 5000);
}

static void the_tangent_frame_does_not_matter(void) {
    Random random = {7};
    for (int i = 0; i < 20000; i++) {
        Problem3 k = random_problem(&random, 0.2, 0.1, 0.0);
        double angle = random_between(&random, -4.0, 4.0);
        Problem3 other = turned(&k, angle);
        double r[3];
        double s[3];
        LawState a = law_coulomb_block3(k.W, k.q, k.mu, r);
        LawState b = law_coulomb_block3(other.W, other.q, other.mu, s);
        double back[3] = {s[0], cos(angle) * s[1] - sin(angle) * s[2],
                          sin(angle) * s[1] + cos(angle) * s[2]};
        CHECK(a == b);
        CHECK(distance(r, back) <= 1e-11 * size(r));
    }
}

static void units_do_not_matter(void) {
    Random random = {8};
    for (int i = 0; i < 20000; i++) {
        Problem3 k = random_problem(&random, 0.6, 0.01, 0.0);
        double r[3];
        double s[3];
        LawState a = law_coulomb_block3(k.W, k.q, k.mu, r);
        double mass = ldexp(1.0, (int)random_between(&random, -500.0, 500.0));
        double speed = ldexp(1.0, (int)random_between(&random, -500.0, 500.0));
        Problem3 other = k;
        for (int j = 0; j < 6; j++) {
            other.W[j] = k.W[j] / mass;
        }
        for (int j = 0; j < 3; j++) {
            other.q[j] = k.q[j] * speed;
        }
        LawState b = law_coulomb_block3(other.W, other.q, other.mu, s);
        for (int j = 0; j < 3; j++) {
            s[j] = s[j] / speed / mass;
        }
        CHECK(a == b);
        CHECK(law_error(&k, s, (int)b) <= 1e-14);
    }
}

/* Across the edge of the cone the impulse does not jump: q = -W r for r on the edge, then a little
 * more or less tangential velocity. */
static void stick_turns_into_slip_without_a_jump(void) {
    Random random = {9};
    for (int i = 0; i < 5000; i++) {
        Problem3 k = random_problem(&random, 0.1, 0.3, 0.0);
        k.mu = random_between(&random, 0.05, 0.8);
        double angle = random_between(&random, 0.0, 6.283185307179586);
        double edge[3] = {1.0, k.mu * cos(angle), k.mu * sin(angle)};
        double zero[3] = {0.0, 0.0, 0.0};
        double u[3];
        double sizes[3];
        Problem3 free = k;
        memcpy(free.q, zero, sizeof zero);
        velocity(&free, edge, u, sizes);
        for (int step = 3; step <= 15; step += 3) {
            double small = pow(10.0, -step);
            double r[3];
            k.q[0] = -u[0];
            k.q[1] = -u[1] - small * k.W[3] * cos(angle);
            k.q[2] = -u[2] - small * k.W[3] * sin(angle);
            LawState beyond = law_coulomb_block3(k.W, k.q, k.mu, r);
            CHECK(beyond == LAW_SLIP || step >= 14);
            CHECK(distance(r, edge) <= 30.0 * small + 1e-14);
            k.q[1] = -u[1] + small * k.W[3] * cos(angle);
            k.q[2] = -u[2] + small * k.W[3] * sin(angle);
            LawState within = law_coulomb_block3(k.W, k.q, k.mu, r);
            CHECK(within == LAW_STICK || step >= 14);
            CHECK(distance(r, edge) <= 30.0 * small + 1e-14);
        }
    }
}

static void frozen_directions_get_the_limits_of_the_law(void) {
    double r[3];
    const double frozen_normal[6] = {0.0, 0.0, 0.0, 1.0, 0.0, 2.0};
    const double approach[3] = {-1.0, 0.5, 0.5};
    CHECK(law_coulomb_block3(frozen_normal, approach, 0.5, r) == LAW_OPEN && size(r) == 0.0);

    /* Sticks along a free axis; along the frozen one there is no velocity. */
    Random random = {10};
    for (int i = 0; i < 2000; i++) {
        double angle = i == 0 ? 0.0 : random_between(&random, 0.0, 6.3);
        Problem3 axis = {{2.0, 0.3, 0.0, 4.0, 0.0, 0.0}, {-1.0, -0.2, 0.0}, 0.5};
        Problem3 k = turned(&axis, angle);
        /* by hand: S = 4 - 0.045, p = -0.2 + 0.15, r_t = 0.05 / 3.955 */
        double t = 0.05 / 3.955;
        double n = (1.0 - 0.3 * t) / 2.0;
        double expected[3] = {n, t * cos(angle), -t * sin(angle)};
        CHECK(law_coulomb_block3(k.W, k.q, k.mu, r) == LAW_STICK);
        CHECK(distance(r, expected) <= 1e-15);
        /* Velocity along the frozen axis: full friction, mostly against it. */
        axis.q[2] = 0.7;
        k = turned(&axis, angle);
        CHECK(law_coulomb_block3(k.W, k.q, k.mu, r) == LAW_SLIP);
        CHECK(law_error(&k, r, LAW_SLIP) <= 1e-14);
        /* Both axes frozen: friction against the velocity, whatever its size. */
        axis.W[1] = 0.0;
        axis.W[3] = 0.0;
        axis.q[2] = i % 2 ? 0.7 : 1e-200;
        axis.q[1] = 0.0;
        k = turned(&axis, angle);
        double against[3] = {0.5, -0.25 * sin(angle), -0.25 * cos(angle)};
        CHECK(law_coulomb_block3(k.W, k.q, k.mu, r) == LAW_SLIP);
        CHECK(distance(r, against) <= 1e-15);
    }
    const double W2[3] = {2.0, 0.0, 0.0};
    const double rest[2] = {-1.0, 0.0};
    const double sliding[2] = {-1.0, -1e-9};
    CHECK(law_coulomb_block2(W2, rest, 0.5, r) == LAW_STICK && r[0] == 0.5 && r[1] == 0.0);
    CHECK(law_coulomb_block2(W2, sliding, 0.5, r) == LAW_SLIP && r[0] == 0.5 && r[1] == 0.25);
}

/* Rank one, W = k k^T with k = (1, 2): the partners only move along one line. With mu = 1 and a
 * sliding direction in which friction increases the approach (W_nn + mu w d = 1 - 2 < 0) there is
 * no solution. */
static void paradox_gets_the_frictionless_impulse(void) {
    const double W[3] = {1.0, 2.0, 4.0};
    const double bad[2] = {-1.0, 1.0}; /* p = 1 + 2 = 3 > 0: impulse along -t */
    double r[3];
    CHECK(law_coulomb_block2(W, bad, 1.0, r) == LAW_SLIP);
    CHECK(r[0] == 1.0 && r[1] == 0.0);
    const double good[2] = {-1.0, -3.0}; /* p = -1: impulse along t, 1 + 2 > 0 */
    CHECK(law_coulomb_block2(W, good, 1.0, r) == LAW_SLIP);
    CHECK_NEAR(r[0], 1.0 / 3.0, 1e-16);
    CHECK_NEAR(r[1], 1.0 / 3.0, 1e-16);
    const double W3[6] = {1.0, 0.0, 2.0, 1.0, 0.0, 4.0};
    const double q3[3] = {-1.0, 1e-3, 1.0};
    CHECK(law_coulomb_block3(W3, q3, 1.0, r) == LAW_SLIP);
    CHECK(r[0] == 1.0 && r[1] == 0.0 && r[2] == 0.0);
}

static void extreme_numbers_stay_finite(void) {
    const double value[] = {0.0,   5e-324, 1e-300, 1e-160, 1e-100, 1e-30, 1e-8,
                            0.999, 1.0,    1e8,    1e30,   1e100,  1e160, 1e300};
    const double share[] = {0.0, 1e-200, -0.3, 0.9, -1.0, 1.0};
    enum { VALUES = sizeof value / sizeof value[0], SHARES = sizeof share / sizeof share[0] };
    Random random = {11};
    int bad = 0;
    int outside = 0;
    for (int i = 0; i < 1000000 / CHECK_STRIDE; i++) {
        double pick[7];
        for (int j = 0; j < 7; j++) {
            pick[j] = value[(int)(random_unit(&random) * VALUES)];
            pick[j] *= random_unit(&random) < 0.3 ? random_unit(&random) : 1.0;
        }
        double rho[3];
        for (int j = 0; j < 3; j++) {
            rho[j] = share[(int)(random_unit(&random) * SHARES)];
        }
        double n = sqrt(pick[0]);
        double a = sqrt(pick[1]);
        double b = sqrt(pick[2]);
        double W[6] = {pick[0], rho[0] * n * a, rho[1] * n * b, pick[1], rho[2] * a * b, pick[2]};
        double q[3] = {-pick[3], pick[4], -pick[5]};
        double r[3];
        LawState state = law_coulomb_block3(W, q, pick[6], r);
        bad += !(isfinite(r[0]) && isfinite(r[1]) && isfinite(r[2])) || r[0] < 0.0;
        double t = hypot(r[1], r[2]);
        outside += r[0] < 1e307 && fmin(r[0], t) > 1e-290 && t > pick[6] * r[0] * (1.0 + 1e-14);
        bad += state == LAW_OPEN && (r[0] != 0.0 || t != 0.0);
        double W2[3] = {W[0], W[1], W[3]};
        law_coulomb_block2(W2, q, pick[6], r);
        bad += !(isfinite(r[0]) && isfinite(r[1])) || r[0] < 0.0;
    }
    CHECK(bad == 0);
    CHECK(outside == 0);
}

/* Nearly singular blocks: the smaller tangential eigenvalue falls by decades. */
static void nearly_singular_blocks_are_solved(void) {
    Random random = {12};
    double worst = 0.0;
    for (int i = 0; i < 60000; i++) {
        Problem3 axis = {{1.0, 0.0, 0.0, 1.0, 0.0, 0.0}, {-1.0, 0.0, 0.0}, 0.0};
        double small = pow(10.0, random_between(&random, -20.0, -6.0));
        axis.mu = random_between(&random, 0.01, 0.9);
        axis.W[5] = small;
        axis.W[1] = random_between(&random, -0.9, 0.9);
        axis.W[2] = random_between(&random, -0.4, 0.4) * sqrt(small);
        axis.q[1] = random_between(&random, -1.0, 1.0);
        axis.q[2] = pow(10.0, random_between(&random, -25.0, 0.0));
        Problem3 k = i % 3 ? turned(&axis, random_between(&random, 0.0, 6.3)) : axis;
        double r[3];
        LawState state = law_coulomb_block3(k.W, k.q, k.mu, r);
        worst = fmax(worst, law_error(&k, r, (int)state));
    }
    printf("       largest error %.2g\n", worst);
    CHECK(worst <= 1e-14);
}

static void cost_of_a_slip_is_printed(void) {
    enum { COUNT = 1024, ROUNDS = 200 };
    static Problem3 problem[COUNT];
    for (int strong = 0; strong < 2; strong++) {
        Random random = {13};
        double sum = 0.0;
        for (int i = 0; i < COUNT;) {
            double r[3];
            problem[i] = random_problem(&random, strong ? 1.0 : 0.2, strong ? 0.001 : 0.1, 0.0);
            i += law_coulomb_block3(problem[i].W, problem[i].q, problem[i].mu, r) == LAW_SLIP &&
                 problem[i].mu > 0.0;
        }
        struct timespec begin;
        struct timespec end;
        clock_gettime(CLOCK_MONOTONIC, &begin);
        for (int j = 0; j < ROUNDS; j++) {
            for (int i = 0; i < COUNT; i++) {
                double r[3];
                law_coulomb_block3(problem[i].W, problem[i].q, problem[i].mu, r);
                sum += r[0];
            }
        }
        clock_gettime(CLOCK_MONOTONIC, &end);
        double seconds =
            (double)(end.tv_sec - begin.tv_sec) + 1e-9 * (double)(end.tv_nsec - begin.tv_nsec);
        printf("       %s coupling: %.0f ns per slip\n", strong ? "strong" : "weak",
               1e9 * seconds / (COUNT * ROUNDS));
        CHECK(isfinite(sum));
    }
}

int main(int argc, char **argv) {
    CHECK_RUN(weak_coupling_matches_brute_force);
    CHECK_RUN(strong_coupling_matches_brute_force);
    CHECK_RUN(of_several_slips_the_smallest_is_taken);
    CHECK_RUN(singular_blocks_match_brute_force);
    CHECK_RUN(plane_matches_enumeration);
    CHECK_RUN(diagonal_blocks_match_round_bodies);
    CHECK_RUN(the_tangent_frame_does_not_matter);
    CHECK_RUN(units_do_not_matter);
    CHECK_RUN(stick_turns_into_slip_without_a_jump);
    CHECK_RUN(frozen_directions_get_the_limits_of_the_law);
    CHECK_RUN(paradox_gets_the_frictionless_impulse);
    CHECK_RUN(extreme_numbers_stay_finite);
    CHECK_RUN(nearly_singular_blocks_are_solved);
    CHECK_RUN(cost_of_a_slip_is_printed);
    return check_result();
}
