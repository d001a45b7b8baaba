/* Sliding and rolling friction of round bodies: against the law itself in extended precision, a
 * plain descent, enumeration, and the symmetries it must have. */
#include "check.h"
#include "law/rolling_problem.h"

#include "law/round.h"

#include <time.h>

static void space_obeys_the_law(void) {
    Random random = {1};
    double worst = 0.0;
    long calls[4] = {0, 0, 0, 0};
    long steps_taken[2] = {0, 0};
    int most[2] = {0, 0};
    for (int i = 0; i < 400000 / CHECK_STRIDE; i++) {
        double coupling = random_coupling(&random);
        Rolling p = random_rolling(&random, coupling, 6.0, i % 3 ? 0.3 : 4.0);
        double x[2];
        double y[2];
        int steps;
        int slides = law_rolling_space_counted(p.a, p.k, p.c, p.qx, p.qy, p.X, p.Y, x, y, &steps);
        double error = rolling_error(&p, x, y);
        worst = fmax(worst, error);
        int singular = fabs(coupling) > 0.99;
        calls[slides]++;
        if (steps > 0) {
            steps_taken[singular] += steps;
            most[singular] = steps > most[singular] ? steps : most[singular];
        }
        if (!(error <= 4e-15)) {
            CHECK(error <= 4e-15);
            print_rolling(&p);
            return;
        }
    }
    for (int k = 0; k < 4; k++) {
        CHECK(calls[k] > 5000 / CHECK_STRIDE);
    }
    CHECK(most[0] <= 15 && most[1] <= 40);
    printf("       stick %ld, force slides %ld, torque slides %ld, both %ld; largest error %.2g\n",
           calls[0], calls[1], calls[2], calls[3], worst);
    printf("       most steps %d, nearly singular %d; mean over both sliding %.2f\n", most[0],
           most[1], (double)(steps_taken[0] + steps_taken[1]) / (double)calls[3]);
}

/* Points where several borders meet: singular, all along one line, and both bounds just reached; or
 * one velocity so small that its direction is lost. */
static void corners_of_the_law_are_solved(void) {
    const Rolling corner[] = {
        {2.5730827548881197e-05,
         1.3285511514427263e-05,
         6.8596634082084023e-06,
         {-0.0042789008270978776, -0.0027243046962811858},
         {-0.0022093104535950404, -0.0014066310689313875},
         3.7886478672815768e-06,
         381.81114022119101},
        {1.0325761402932085,
         0.0066417025403388763,
         4.2720542256477016e-05,
         {3.4426562970876962, -3.377949648443952},
         {0.022143741445922266, -0.021727537452915086},
         4.0034376797705136,
         103.77753513924091},
        {0.17930726886057524,
         2.3404576379743021,
         30.549469577898719,
         {-0.41055267062083506, 0.084355897241789629},
         {-5.3588520970248794, 1.1010786414980358},
         1.1199843438824939,
         0.093275782244973252},
        {5.8432409190314134,
         -271.61618341326647,
         12625.75890970012,
         {0.04041851951844521, 0.058412965782126444},
         {-1.8788073541616861, -2.7152580301653702},
         0.0098462979837580233,
         4.9698879097692134e-05},
        {1.0, 1.0, 1.0, {-1e-320, 4.0}, {3e-310, 0.0}, 1e-140, 1e-105},
        {1.0, -1.0, 1.0, {1e-318, 3e-319}, {3.0, 4e-300}, 1e-120, 1e-100},
    };
    for (size_t i = 0; i < sizeof corner / sizeof *corner; i++) {
        double x[2];
        double y[2];
        solve(&corner[i], x, y);
        CHECK(rolling_error(&corner[i], x, y) <= 4e-15);
    }
}

/* Alternating projections, the simplest method that must converge. */
static void space_agrees_with_descent(void) {
    Random random = {2};
    for (int i = 0; i < 3000; i++) {
        Rolling p = random_rolling(&random, random_between(&random, -0.95, 0.95), 2.0, 0.5);
        double x[2];
        double y[2];
        double dx[2] = {0.0, 0.0};
        double dy[2] = {0.0, 0.0};
        solve(&p, x, y);
        for (int round = 0; round < 500; round++) {
            for (int part = 0; part < 2; part++) {
                double *z = part ? dy : dx;
                double *other = part ? dx : dy;
                double w = part ? p.c : p.a;
                double bound = part ? p.Y : p.X;
                for (int j = 0; j < 2; j++) {
                    z[j] = -((part ? p.qy[j] : p.qx[j]) + p.k * other[j]) / w;
                }
                double length = hypot(z[0], z[1]);
                for (int j = 0; j < 2 && length > bound; j++) {
                    z[j] *= bound / length;
                }
            }
        }
        double size_x = hypot(dx[0], dx[1]);
        double size_y = hypot(dy[0], dy[1]);
        double scale_x = size_x + size_y * sqrt(p.c / p.a);
        double scale_y = size_y + size_x * sqrt(p.a / p.c);
        CHECK_NEAR(hypot(x[0] - dx[0], x[1] - dx[1]), 0.0, 2e-12 * scale_x);
        CHECK_NEAR(hypot(y[0] - dy[0], y[1] - dy[1]), 0.0, 2e-12 * scale_y);
    }
}

/* In the plane: every combination of stopped and sliding is tried, in extended precision. */
static void plane_matches_enumeration(void) {
    Random random = {3};
    for (int i = 0; i < 100000; i++) {
        Rolling p = random_rolling(&random, random_between(&random, -0.999, 0.999), 6.0, 1.0);
        double qx = p.qx[0];
        double qy = p.qy[0];
        double x;
        double y;
        double line_x[2];
        double line_y[2];
        int slides = law_rolling_plane(p.a, p.k, p.c, qx, qy, p.X, p.Y, &x, &y);
        int found = 0;
        for (int state = 0; state < 9; state++) {
            int xs = state % 3 - 1; /* -1, 1: at that bound; 0: stopped */
            int ys = state / 3 - 1;
            long double ex = xs * p.X;
            long double ey = ys * p.Y;
            long double determinant = (long double)p.a * p.c - (long double)p.k * p.k;
            if (xs == 0 && ys == 0) {
                ex = ((long double)p.k * qy - (long double)p.c * qx) / determinant;
                ey = ((long double)p.k * qx - (long double)p.a * qy) / determinant;
            } else if (xs == 0) {
                ex = -((long double)qx + p.k * ey) / p.a;
            } else if (ys == 0) {
                ey = -((long double)qy + p.k * ex) / p.c;
            }
            long double u = qx + p.a * ex + p.k * ey;
            long double o = qy + p.k * ex + p.c * ey;
            bool valid = fabsl(ex) <= p.X && fabsl(ey) <= p.Y && (xs == 0 || u * xs < 0) &&
                         (ys == 0 || o * ys < 0);
            if (valid) {
                found++;
                CHECK_NEAR(x, (double)ex, 1e-12 * (fabs(x) + fabs(y) * sqrt(p.c / p.a)));
                CHECK_NEAR(y, (double)ey, 1e-12 * (fabs(y) + fabs(x) * sqrt(p.a / p.c)));
                CHECK(slides == (xs ? LAW_FORCE_SLIDES : 0) + (ys ? LAW_TORQUE_SLIDES : 0));
            }
        }
        CHECK(found == 1);
        Rolling line = p; /* the same in space, in a turned frame */
        double angle = random_between(&random, 0.0, 6.3);
        line.qx[0] = qx * cos(angle);
        line.qx[1] = qx * sin(angle);
        line.qy[0] = qy * cos(angle);
        line.qy[1] = qy * sin(angle);
        CHECK(solve(&line, line_x, line_y) == slides);
        double along = line_x[0] * cos(angle) + line_x[1] * sin(angle);
        CHECK_NEAR(along, x, 1e-12 * (fabs(x) + fabs(y) * sqrt(p.c / p.a)));
    }
}

static void turn(double angle, const double v[2], double out[2]) {
    out[0] = cos(angle) * v[0] - sin(angle) * v[1];
    out[1] = cos(angle) * v[1] + sin(angle) * v[0];
}

static double gap(const double a[2], const double b[2]) {
    return hypot(a[0] - b[0], a[1] - b[1]);
}

/* Turned frame, mirror image, force and torque exchanged, k with the other sign, other units. */
static void law_has_its_symmetries(void) {
    Random random = {4};
    for (int i = 0; i < 50000; i++) {
        Rolling p = random_rolling(&random, random_between(&random, -0.98, 0.98), 3.0, 0.5);
        double x[2];
        double y[2];
        double x2[2];
        double y2[2];
        double expected[2];
        int slides = solve(&p, x, y);
        double near_x = 2e-13 * (hypot(x[0], x[1]) + hypot(y[0], y[1]) * sqrt(p.c / p.a));
        double near_y = near_x * sqrt(p.a / p.c);

        Rolling t = p;
        double angle = random_between(&random, 0.0, 6.3);
        turn(angle, p.qx, t.qx);
        turn(angle, p.qy, t.qy);
        solve(&t, x2, y2);
        turn(angle, x, expected);
        CHECK_NEAR(gap(x2, expected), 0.0, near_x);
        turn(angle, y, expected);
        CHECK_NEAR(gap(y2, expected), 0.0, near_y);

        Rolling m = p;
        m.qx[1] = -p.qx[1];
        m.qy[1] = -p.qy[1];
        CHECK(solve(&m, x2, y2) == slides);
        CHECK(x2[0] == x[0] && x2[1] == -x[1] && y2[0] == y[0] && y2[1] == -y[1]);

        Rolling s = {p.c, -p.k, p.a, {p.qy[0], p.qy[1]}, {-p.qx[0], -p.qx[1]}, p.Y, p.X};
        solve(&s, y2, x2); /* exchanged, and x reversed */
        x2[0] = -x2[0];
        x2[1] = -x2[1];
        CHECK_NEAR(gap(x2, x), 0.0, near_x);
        CHECK_NEAR(gap(y2, y), 0.0, near_y);

        Rolling units = p; /* mass 2^-40, length 2^10, time 2^6; and as an extreme: mass 2^600 */
        int mass = i % 2 ? -40 : 600;
        for (int j = 0; j < 2; j++) {
            units.qx[j] = ldexp(p.qx[j], 10 - 6);
            units.qy[j] = ldexp(p.qy[j], -6);
        }
        units.a = ldexp(p.a, -mass);
        units.k = ldexp(p.k, -mass - 10);
        units.c = ldexp(p.c, -mass - 20);
        units.X = ldexp(p.X, mass + 10 - 6);
        units.Y = ldexp(p.Y, mass + 20 - 6);
        CHECK(solve(&units, x2, y2) == slides);
        const double back_x[2] = {ldexp(x2[0], -mass - 10 + 6), ldexp(x2[1], -mass - 10 + 6)};
        const double back_y[2] = {ldexp(y2[0], -mass - 20 + 6), ldexp(y2[1], -mass - 20 + 6)};
        CHECK_NEAR(gap(back_x, x), 0.0, near_x);
        CHECK_NEAR(gap(back_y, y), 0.0, near_y);
    }
}

/* Without rolling friction, or without coupling, it is the law of round.h. */
static void agrees_with_coulomb(void) {
    Random random = {5};
    for (int i = 0; i < 50000; i++) {
        Rolling p = random_rolling(&random, random_between(&random, -1.0, 1.0), 6.0, 0.5);
        p.k = i % 2 ? p.k : 0.0;
        p.Y = i % 2 ? 0.0 : p.Y;
        double x[2];
        double y[2];
        double normal = 0.0;
        const LawRound contact = {1.0, 1.0 / p.a, p.X};
        const RealVec3 ut = {p.qx[0], p.qx[1], 0.0};
        RealVec3 t = {0.0, 0.0, 0.0};
        int slides = solve(&p, x, y);
        law_round_space(&contact, -1.0, ut, NULL, &normal, &t);
        const double plain[2] = {t.x, t.y};
        CHECK((hypot(ut.x, ut.y) > p.a * p.X) == (slides % 2 == LAW_FORCE_SLIDES));
        CHECK_NEAR(gap(x, plain), 0.0, 1e-15 * hypot(x[0], x[1]));
        double x1;
        double y1;
        law_rolling_plane(p.a, p.k, p.c, p.qx[0], p.qy[0], p.X, p.Y, &x1, &y1);
        normal = t.x = 0.0;
        law_round_plane(&contact, -1.0, p.qx[0], NULL, &normal, &t.x);
        CHECK_NEAR(x1, t.x, 1e-15 * fabs(x1));
        CHECK(p.Y > 0.0 || (y1 == 0.0 && y[0] == 0.0 && y[1] == 0.0));
    }
}

/* The whole range of double: results are finite and within the bounds. */
static void extreme_numbers_stay_finite(void) {
    Random random = {6};
    const double special[6] = {0.0, 1e-320, 1e-300, 1.0, 1e300, INFINITY};
    int lost = 0;
    for (int i = 0; i < 300000 / CHECK_STRIDE; i++) {
        double a = decades(&random, 300.0);
        double c = random_unit(&random) < 0.3 ? a : decades(&random, 300.0);
        double k = random_coupling(&random) * sqrt(a) * sqrt(c);
        double X = i % 2 ? decades(&random, 300.0) : special[i / 2 % 6];
        double Y = i % 5 ? decades(&random, 300.0) : special[i / 5 % 6];
        double q[4];
        double x[2];
        double y[2];
        for (int j = 0; j < 4; j++) {
            q[j] = random_between(&random, -1.0, 1.0);
            q[j] *= random_unit(&random) < 0.1 ? 0.0 : decades(&random, i % 3 ? 300.0 : 5.0);
        }
        law_rolling_space(a, k, c, q, q + 2, X, Y, x, y);
        lost += !isfinite(x[0]) || !isfinite(x[1]) || !isfinite(y[0]) || !isfinite(y[1]);
        lost += law_norm2(x[0], x[1]) > X * (1.0 + 1e-12) + 1e-307;
        lost += law_norm2(y[0], y[1]) > Y * (1.0 + 1e-12) + 1e-307;
        law_rolling_plane(a, k, c, q[0], q[2], X, Y, &x[0], &y[0]);
        lost += !isfinite(x[0]) || !isfinite(y[0]) || fabs(x[0]) > X || fabs(y[0]) > Y;
    }
    CHECK(lost == 0);
}

static void cost_of_a_call_is_printed(void) {
    enum { COUNT = 512, ROUNDS = 20, REPEATS = 20 };
    static Rolling problem[COUNT];
    const char *name[4] = {"stick", "force slides", "torque slides", "both slide"};
    double sum = 0.0;
    for (int kind = 0; kind < 4; kind++) {
        Random random = {8};
        double best[2] = {1e9, 1e9};
        for (int i = 0; i < COUNT;) {
            Rolling p = {3.5, 2.5, 2.5, {0.0, 0.0}, {0.0, 0.0}, 0.0, 0.0};
            double x[2];
            double y[2];
            for (int j = 0; j < 2; j++) {
                p.qx[j] = random_between(&random, -1.0, 1.0);
                p.qy[j] = random_between(&random, -1.0, 1.0);
            }
            p.X = random_between(&random, 0.0, 0.6);
            p.Y = random_between(&random, 0.0, 0.6);
            problem[i] = p;
            i += solve(&p, x, y) == kind;
        }
        for (int repeat = 0; repeat < 2 * REPEATS; repeat++) {
            struct timespec begin;
            struct timespec end;
            clock_gettime(CLOCK_MONOTONIC, &begin);
            for (int i = 0; i < ROUNDS * COUNT; i++) {
                const Rolling *p = &problem[i % COUNT];
                double x[2];
                double y[2];
                if (repeat % 2) {
                    law_rolling_plane(p->a, p->k, p->c, p->qx[0], p->qy[0], p->X, p->Y, x, y);
                } else {
                    solve(p, x, y);
                }
                sum += x[0] + y[0];
            }
            clock_gettime(CLOCK_MONOTONIC, &end);
            double seconds =
                (double)(end.tv_sec - begin.tv_sec) + 1e-9 * (double)(end.tv_nsec - begin.tv_nsec);
            best[repeat % 2] = fmin(best[repeat % 2], 1e9 * seconds / (ROUNDS * COUNT));
        }
        printf("       %-13s %.0f ns in space, %.0f ns in the plane\n", name[kind], best[0],
               best[1]);
    }
    CHECK(isfinite(sum));
}

int main(int argc, char **argv) {
    CHECK_RUN(space_obeys_the_law);
    CHECK_RUN(corners_of_the_law_are_solved);
    CHECK_RUN(space_agrees_with_descent);
    CHECK_RUN(plane_matches_enumeration);
    CHECK_RUN(law_has_its_symmetries);
    CHECK_RUN(agrees_with_coulomb);
    CHECK_RUN(extreme_numbers_stay_finite);
    CHECK_RUN(cost_of_a_call_is_printed);
    return check_result();
}
