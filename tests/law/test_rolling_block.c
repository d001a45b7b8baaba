/* The contact problem with coupled force and torque: against the law itself in extended precision,
 * enumeration in the plane, the exact solver of round bodies, and closed forms of adhesion. */
#include "check.h"
#include "law/brute.h"

#include "law/rolling.h"
#include "law/rolling_block.h"

#include <time.h>

typedef struct General {
    double W[36];
    double q[6];
    double F, mu, rho, tau;
} General;

/* A body's share of W: inverse mass along the axes n, t1, t2, inverse inertia I (a full matrix) and
 * the arm from its centre to the contact. Velocity at the contact is v + w x arm, and w counted in
 * the order t1, t2, n. */
static void add_body(const double inverse_mass[3], double I[3][3], const double arm[3],
                     double W[36]) {
    double J[6][6] = {{0.0}};
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3;
        int k = (i + 2) % 3;
        J[i][i] = 1.0;
        J[i][3 + j] = arm[k];
        J[i][3 + k] = -arm[j];
        J[3 + i][3 + j] = 1.0; /* rows t1, t2, n */
    }
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < 6; j++) {
            for (int k = 0; k < 3; k++) {
                W[6 * i + j] += J[i][k] * inverse_mass[k] * J[j][k];
                for (int l = 0; l < 3; l++) {
                    W[6 * i + j] += J[i][3 + k] * I[k][l] * J[j][3 + l];
                }
            }
        }
    }
}

/* Two bodies that are not round: arms off the normal, inertia with axes of its own; each direction
 * is held with some probability. */
static General random_general(Random *random, double off, double uneven, double held) {
    General g = {{0.0}, {0.0}, 0.0, 0.0, 0.0, 0.0};
    for (int body = 0; body < 2; body++) {
        double mass = random_between(random, 0.3, 1.0);
        double arm[3] = {body ? -1.0 : 1.0, off * random_between(random, -1.0, 1.0),
                         off * random_between(random, -1.0, 1.0)};
        double inverse_mass[3];
        double A[3][3];
        double I[3][3];
        for (int i = 0; i < 3; i++) {
            inverse_mass[i] = random_unit(random) < held ? 0.0 : mass;
            for (int j = 0; j < 3; j++) {
                A[i][j] = uneven * random_between(random, -1.0, 1.0) + (i == j ? 1.0 : 0.0);
            }
            if (random_unit(random) < held) {
                A[i][0] = A[i][1] = A[i][2] = 0.0;
            }
        }
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < 3; j++) {
                I[i][j] = 2.5 * mass * (A[i][0] * A[j][0] + A[i][1] * A[j][1] + A[i][2] * A[j][2]);
            }
        }
        add_body(inverse_mass, I, arm, g.W);
    }
    for (int i = 0; i < 6; i++) {
        g.q[i] = random_between(random, -1.0, 1.0);
    }
    g.q[0] = random_unit(random) < 0.8 ? -fabs(g.q[0]) : g.q[0];
    g.F = random_unit(random) < 0.5 ? 0.0 : random_between(random, 0.0, 0.3);
    g.mu = random_between(random, 0.0, 1.0);
    g.rho = random_unit(random) * random_unit(random);
    g.tau = random_between(random, 0.0, 0.3);
    return g;
}

/* No turning or sliding can press the partners together faster than P parts them. */
static bool is_tame(const General *g) {
    return g->mu * hypot(g->W[1], g->W[2]) + g->rho * hypot(g->W[3], g->W[4]) +
               g->tau * fabs(g->W[5]) <
           g->W[0];
}

/* One or two components of friction with the bound coefficient * P. P = r_n + F has the rounding of
 * F, hence the slack. */
static double friction_error(int n, const double *z, double coefficient, double P, double F,
                             const long double *v, double size) {
    double z2 = n > 1 ? z[1] : 0.0;
    double v2 = n > 1 ? (double)v[1] : 0.0;
    double length = hypot(z[0], z2);
    double bound = coefficient * P;
    double slack = 1e-15 * coefficient * (P + F);
    if (!(length <= bound + slack)) {
        return 1.0;
    }
    if (length < bound - slack) {
        return hypot((double)v[0], v2) / size;
    }
    if (length == 0.0) {
        return 0.0;
    }
    double along = ((double)v[0] * z[0] + v2 * z2) / length;
    double side = ((double)v[0] * z2 - v2 * z[0]) / length;
    return fmax(fabs(side), along) / size;
}

/* How far r is from the law, relative to the terms that cancel in each velocity. In the plane n, t
 * and T are 0, 1 and 2. */
static double general_error(const General *g, int dimension, const double *r) {
    int n = dimension == 3 ? 6 : 3;
    long double u[6];
    double size[6];
    for (int i = 0; i < n; i++) {
        u[i] = g->q[i];
        size[i] = fabs(g->q[i]) + fabs(g->W[n * i] * g->F) + 1e-300;
        for (int j = 0; j < n; j++) {
            u[i] += (long double)g->W[n * i + j] * r[j];
            size[i] += fabs(g->W[n * i + j] * r[j]);
        }
    }
    double P = r[0] + g->F;
    if (!(P >= 0.0)) {
        return 1.0;
    }
    double gap = (double)u[0];
    double error = (P > 0.0 ? fabs(gap) : fmax(-gap, 0.0)) / size[0];
    if (dimension == 2) {
        error = fmax(error, friction_error(1, r + 1, g->mu, P, g->F, u + 1, size[1]));
        return fmax(error, friction_error(1, r + 2, g->rho, P, g->F, u + 2, size[2]));
    }
    error = fmax(error, friction_error(2, r + 1, g->mu, P, g->F, u + 1, size[1] + size[2]));
    error = fmax(error, friction_error(2, r + 3, g->rho, P, g->F, u + 3, size[3] + size[4]));
    return fmax(error, friction_error(1, r + 5, g->tau, P, g->F, u + 5, size[5]));
}

static int solve_general(const General *g, double r[6]) {
    return law_general_block(g->W, g->q, g->F, g->mu, g->rho, g->tau, r);
}

/* off, uneven, held; tame problems are solved, almost always also singular ones. */
static void space_obeys_the_law(void) {
    const double kind[4][3] = {{0.0, 0.0, 0.0}, {0.2, 0.3, 0.0}, {1.0, 1.0, 0.0}, {0.2, 0.3, 0.2}};
    for (int i = 0; i < 4; i++) {
        Random random = {1};
        double worst = 0.0;
        int most = 0;
        long rounds = 0;
        long tame = 0;
        int unsettled = 0;
        for (int j = 0; j < 15000; j++) {
            General g = random_general(&random, kind[i][0], kind[i][1], kind[i][2]);
            double r[6] = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
            int settled = solve_general(&g, r);
            if (settled > 0 && g.W[0] > 0.0) {
                worst = fmax(worst, general_error(&g, 3, r));
            }
            if (is_tame(&g)) {
                CHECK(settled > 0 || kind[i][2] > 0.0);
                unsettled += settled == 0;
                tame++;
                rounds += settled;
                most = settled > most ? settled : most;
            }
        }
        CHECK(worst <= 2e-14);
        CHECK(unsettled <= 3);
        printf("       off %.1f, uneven %.1f, held %.1f: %.1f rounds, at most %d; error %.2g\n",
               kind[i][0], kind[i][1], kind[i][2], (double)rounds / (double)tame, most, worst);
    }
}

/* The three components of the plane taken out of a problem in space, where they are coupled among
 * themselves only (t2 is across; the torque turns about it). */
static General flat(const General *g) {
    const int index[3] = {0, 1, 4};
    General out = *g;
    for (int i = 0; i < 3; i++) {
        out.q[i] = g->q[index[i]];
        for (int j = 0; j < 3; j++) {
            out.W[3 * i + j] = g->W[6 * index[i] + index[j]];
        }
    }
    return out;
}

static long double det3(long double m[3][3]) {
    return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
           m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
           m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}

/* For P > 0 each of t and T stops or slides one way: nine linear systems in (P, r_t, T). Returns
 * how many solutions there are (with P = 0 as one), and the last. */
static int enumerate(const General *g, double r[3], double *margin) {
    int found = 0;
    *margin = 1.0;
    long double free_gap = (long double)g->q[0] - (long double)g->W[0] * g->F;
    if (free_gap >= 0.0L) {
        found++;
        r[0] = -g->F;
        r[1] = r[2] = 0.0;
    }
    for (int state = 0; state < 9; state++) {
        int way[3] = {0, state % 3 - 1, state / 3 - 1};
        double coefficient[3] = {0.0, g->mu, g->rho};
        long double m[3][3];
        long double right[3];
        long double x[3];
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < 3; j++) {
                m[i][j] = way[i] == 0 ? (long double)g->W[3 * i + j] : i == j ? 1.0L : 0.0L;
            }
            right[i] = way[i] == 0 ? (long double)g->W[3 * i] * g->F - g->q[i] : 0.0L;
            if (way[i] != 0) {
                m[i][0] -= way[i] * (long double)coefficient[i];
            }
        }
        long double determinant = det3(m);
        for (int k = 0; k < 3; k++) {
            long double replaced[3][3];
            for (int i = 0; i < 3; i++) {
                for (int j = 0; j < 3; j++) {
                    replaced[i][j] = j == k ? right[i] : m[i][j];
                }
            }
            x[k] = det3(replaced) / determinant;
        }
        bool valid = x[0] > 0.0L;
        for (int i = 1; i < 3; i++) {
            long double u = g->q[i] - (long double)g->W[3 * i] * g->F;
            for (int j = 0; j < 3; j++) {
                u += (long double)g->W[3 * i + j] * x[j];
            }
            valid = valid && (way[i] ? u * way[i] < 0.0L : fabsl(x[i]) <= coefficient[i] * x[0]);
            if (way[i] == 0) { /* how far from the border to sliding */
                long double room = coefficient[i] * x[0] - fabsl(x[i]);
                *margin = fmin(*margin, (double)(fabsl(room) / (fabsl(x[0]) + fabsl(x[i]))));
            }
        }
        if (valid) {
            found++;
            r[0] = (double)(x[0] - g->F);
            r[1] = (double)x[1];
            r[2] = (double)x[2];
        }
    }
    return found;
}

static void plane_matches_enumeration(void) {
    Random random = {2};
    int several = 0;
    int most = 0;
    int skipped = 0;
    double worst = 0.0;
    for (int i = 0; i < 30000; i++) {
        General whole = random_general(&random, i % 2 ? 0.3 : 1.0, 0.5, 0.0);
        General g = flat(&whole);
        double expected[3] = {0.0, 0.0, 0.0};
        double margin;
        double r[3] = {0.0, 0.0, random_between(&random, -1.0, 1.0)};
        int count = enumerate(&g, expected, &margin);
        int rounds = law_general_block_plane(g.W, g.q, g.F, g.mu, g.rho, r);
        several += count > 1;
        if (rounds > 0) {
            worst = fmax(worst, general_error(&g, 2, r));
            most = rounds > most ? rounds : most;
        }
        if (count == 1 && margin > 1e-9) {
            CHECK(rounds > 0);
            for (int j = 0; j < 3; j++) {
                CHECK_NEAR(r[j], expected[j], 1e-10 * (fabs(expected[0]) + g.F + 0.01));
            }
        } else {
            skipped++;
        }
    }
    CHECK(worst <= 2e-14);
    CHECK(skipped < 300);
    printf("       at most %d rounds; several solutions in %d; error %.2g\n", most, several, worst);
}

/* Round bodies as a block of six: y = n x T = (-T_2, T_1). The exact solver knows nothing of the
 * rounds. */
static void round_bodies_agree(void) {
    Random random = {3};
    for (int i = 0; i < 10000; i++) {
        double m = random_between(&random, 0.5, 2.0);
        double radius = random_between(&random, 0.2, 1.0);
        double per_i = 2.5 / (m * radius * radius);
        double a = 1.0 / m + radius * radius * per_i;
        double k = radius * per_i;
        General g = random_general(&random, 0.0, 0.0, 0.0);
        for (int j = 0; j < 36; j++) {
            g.W[j] = 0.0;
        }
        g.W[0] = 1.0 / m;
        g.W[7] = g.W[14] = a;
        g.W[21] = g.W[28] = g.W[35] = per_i;
        g.W[10] = g.W[25] = -k; /* t1 with T2 */
        g.W[15] = g.W[20] = k;
        double r[6] = {0.0, 0.0, 0.0, 0.3, 0.2, 0.1};
        int rounds = solve_general(&g, r);
        double P = fmax(g.F - g.q[0] * m, 0.0);
        const double qx[2] = {g.q[1], g.q[2]};
        const double qy[2] = {-g.q[4], g.q[3]};
        double x[2];
        double y[2];
        law_rolling_space(a, k, per_i, qx, qy, g.mu * P, g.rho * P, x, y);
        double near = 1e-13 * (P + 1.0);
        CHECK(rounds > 0 && rounds <= 20);
        CHECK_NEAR(r[0], P - g.F, near);
        CHECK_NEAR(r[1], x[0], near);
        CHECK_NEAR(r[2], x[1], near);
        CHECK_NEAR(r[3], y[1], near);
        CHECK_NEAR(r[4], -y[0], near);
        CHECK_NEAR(r[5], law_torsion(per_i, g.q[5], g.tau * P), near);
    }
}

/* Another tangent frame; and a start from the solution, which must be at rest at once. */
static void frame_and_start_do_not_matter(void) {
    Random random = {4};
    int again = 0;
    for (int i = 0; i < 5000; i++) {
        General g = random_general(&random, 0.2, 0.3, 0.0);
        General t = g;
        double angle = random_between(&random, 0.0, 6.3);
        double R[6][6] = {{0.0}};
        double r[6] = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
        double turned_r[6] = {0.0, 0.0, 0.0, 1.0, -1.0, 0.5};
        R[0][0] = R[5][5] = 1.0;
        for (int j = 1; j < 4; j += 2) {
            R[j][j] = R[j + 1][j + 1] = cos(angle);
            R[j][j + 1] = sin(angle);
            R[j + 1][j] = -sin(angle);
        }
        for (int j = 0; j < 6; j++) {
            t.q[j] = 0.0;
            for (int k = 0; k < 6; k++) {
                t.q[j] += R[j][k] * g.q[k];
                t.W[6 * j + k] = 0.0;
                for (int l = 0; l < 36; l++) {
                    t.W[6 * j + k] += R[j][l / 6] * g.W[l] * R[k][l % 6];
                }
            }
        }
        CHECK(solve_general(&g, r) > 0 && solve_general(&t, turned_r) > 0);
        for (int j = 0; j < 6; j++) {
            double back = 0.0;
            for (int k = 0; k < 6; k++) {
                back += R[k][j] * turned_r[k];
            }
            CHECK_NEAR(back, r[j], 1e-10 * (fabs(r[0]) + g.F));
        }
        double start[6] = {r[0], r[1], r[2], r[3], r[4], r[5]};
        int rounds = solve_general(&g, start);
        again = rounds > again ? rounds : again;
        CHECK_NEAR(start[0], r[0], 1e-12 * (fabs(r[0]) + g.F));
    }
    CHECK(again <= 4);
    printf("       from the solution at most %d rounds\n", again);
}

/* A ball held by adhesion F against a pull: m = 1, no tangential coupling. */
static void adhesion_holds(void) {
    General g = {{0.0}, {0.0}, 2.0, 0.5, 0.1, 0.05};
    for (int i = 0; i < 6; i++) {
        g.W[7 * i] = 1.0;
    }
    double r[6] = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
    g.q[0] = 1.5; /* pulled, less than F: stays, and friction acts with R_n + F */
    g.q[1] = 3.0;
    g.q[3] = 0.3;
    g.q[4] = -0.4;
    g.q[5] = 0.02;
    CHECK(solve_general(&g, r) > 0);
    CHECK_NEAR(r[0], -1.5, 1e-15);
    CHECK_NEAR(r[1], -0.25, 1e-15);
    CHECK_NEAR(r[3], -0.03, 1e-15);
    CHECK_NEAR(r[4], 0.04, 1e-15);
    CHECK_NEAR(r[5], -0.02, 1e-15);
    g.q[0] = 2.5; /* more than F: it opens, and only F is left */
    CHECK(solve_general(&g, r) > 0);
    CHECK(r[0] == -2.0 && r[1] == 0.0 && r[3] == 0.0 && r[4] == 0.0 && r[5] == 0.0);
}

/* Rolling that presses the partners together faster than P parts them has no solution: the torque
 * is left out. Everything else stays within its bounds. */
static void paradox_leaves_out_the_torque(void) {
    const double W[9] = {1.0, 0.0, 2.0, 0.0, 1.0, 0.0, 2.0, 0.0, 4.0}; /* singular in n and T */
    const double q[3] = {-1.0, 0.2, 5.0};
    double r[3] = {0.0, 0.0, 0.0};
    CHECK(law_general_block_plane(W, q, 0.0, 0.5, 1.0, r) == 0);
    CHECK(r[0] == 1.0 && r[1] == -0.2 && r[2] == 0.0);
    Random random = {5};
    int failed = 0;
    for (int i = 0; i < 2000; i++) {
        General g = random_general(&random, 1.0, 1.0, 0.5);
        double s[6] = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
        failed += solve_general(&g, s) == 0;
        double P = s[0] + g.F;
        double slack = 1e-15 * (P + g.F);
        CHECK(P >= 0.0 && hypot(s[1], s[2]) <= g.mu * P + slack);
        CHECK(hypot(s[3], s[4]) <= g.rho * P + slack && fabs(s[5]) <= g.tau * P + slack);
    }
    CHECK(failed > 0 && failed < 400);
}

/* A disk with unequal axes: 11, 12, 22. */
static void bounded_block(void) {
    Random random = {6};
    for (int i = 0; i < 20000; i++) {
        double angle = random_between(&random, 0.0, 6.3);
        double small = i % 4 ? pow(10.0, random_between(&random, -9.0, 0.0)) : 1.0;
        double c = cos(angle);
        double s = sin(angle);
        const double S[3] = {c * c + small * s * s, c * s * (1.0 - small), s * s + small * c * c};
        const double q[2] = {random_between(&random, -1.0, 1.0),
                             random_between(&random, -1.0, 1.0)};
        double bound = i % 50 ? pow(10.0, random_between(&random, -3.0, 3.0)) : INFINITY;
        double z[2];
        law_bounded2_block(S, q, bound, z);
        const long double v[2] = {
            (long double)q[0] + (long double)S[0] * z[0] + (long double)S[1] * z[1],
            (long double)q[1] + (long double)S[1] * z[0] + (long double)S[2] * z[1]};
        double size = hypot(q[0], q[1]) + hypot(z[0], z[1]);
        CHECK(friction_error(2, z, fmin(bound, 1e300), 1.0, 0.0, v, size) <= 1e-14);
        if (small == 1.0) {
            double plain[2];
            law_bounded2(1.0, q, bound, plain);
            CHECK_NEAR(hypot(z[0] - plain[0], z[1] - plain[1]), 0.0, 1e-14 * size);
        }
    }
}

static void cost_of_a_call(void) {
    enum { COUNT = 256, ROUNDS = 20 };
    static General problem[COUNT];
    static double start[COUNT][6];
    Random random = {7};
    double sum = 0.0;
    for (int i = 0; i < COUNT; i++) {
        problem[i] = random_general(&random, 0.2, 0.3, 0.0);
    }
    for (int warm = 0; warm < 2; warm++) {
        struct timespec begin;
        struct timespec end;
        clock_gettime(CLOCK_MONOTONIC, &begin);
        for (int i = 0; i < ROUNDS * COUNT; i++) {
            double *r = start[i % COUNT];
            for (int j = 0; j < 6 && !warm; j++) {
                r[j] = 0.0;
            }
            problem[i % COUNT].q[0] += warm ? 1e-6 : 0.0;
            solve_general(&problem[i % COUNT], r);
            sum += r[0];
        }
        clock_gettime(CLOCK_MONOTONIC, &end);
        double seconds =
            (double)(end.tv_sec - begin.tv_sec) + 1e-9 * (double)(end.tv_nsec - begin.tv_nsec);
        printf("       %s: %.0f ns\n", warm ? "from a neighbour" : "from nothing",
               1e9 * seconds / (ROUNDS * COUNT));
    }
    CHECK(isfinite(sum));
}

int main(int argc, char **argv) {
    CHECK_RUN(space_obeys_the_law);
    CHECK_RUN(plane_matches_enumeration);
    CHECK_RUN(round_bodies_agree);
    CHECK_RUN(frame_and_start_do_not_matter);
    CHECK_RUN(adhesion_holds);
    CHECK_RUN(paradox_leaves_out_the_torque);
    CHECK_RUN(bounded_block);
    CHECK_RUN(cost_of_a_call);
    return check_result();
}
