/* Newton's method on contact problems in matrices: the contact equations and their slopes, closed
 * forms, agreement with Gauss-Seidel, singular problems, every way to end, and the problems in
 * files. */
#include "check.h"
#include "matrix/reduce.h"
#include "matrix/contact_equation.h"
#include "matrix/newton.h"
#include "matrix/projected.h"
#include "matrix/sweep.h"
#include "matrix/sample.h"

static const NamedSolver solvers[] = {{"projected", scr_matrix_projected},
                                      {"proximal", scr_matrix_proximal},
                                      {"path", scr_matrix_path},
                                      {"newton", scr_matrix_newton}};
enum { SOLVERS = sizeof solvers / sizeof *solvers };

/* ---------------------------------------------------------------- one contact's equation */

static ContactEquation draw_equation(int block, double smooth) {
    double first = fabs(sample_draw()), second = 0.3 * fabs(sample_draw());
    return (ContactEquation){block, first, second, scr_exp(sample_draw()), smooth};
}

/* Slopes against differences of the values: the error is of second order, so a hundredth of the
 * step leaves a ten-thousandth of the error. */
static void slopes_are_derivatives(void) {
    static const int blocks[] = {2, 3, 5};
    for (int round = 0; round < 300; round++) {
        int n = blocks[round % 3];
        ContactEquation q = draw_equation(n, 0.2);
        double r[5], u[5], g[25], worst[2] = {0, 0};
        for (int i = 0; i < n; i++) {
            r[i] = sample_draw();
            u[i] = sample_draw();
        }
        scr_contact_slope(&q, r, u, g);
        for (int fine = 0; fine < 2; fine++) {
            double h = fine ? 1e-5 : 1e-3;
            for (int j = 0; j < n; j++) {
                double plus[5], minus[5], kept = u[j];
                u[j] = kept + h;
                scr_contact_value(&q, r, u, plus);
                u[j] = kept - h;
                scr_contact_value(&q, r, u, minus);
                u[j] = kept;
                for (int i = 0; i < n; i++) {
                    double slope = (plus[i] - minus[i]) / (2 * h);
                    worst[fine] = fmax(worst[fine], fabs(slope - q.rho * g[i * n + j]));
                }
            }
        }
        CHECK(worst[1] <= 1e-4 * worst[0] * 10 + 1e-8);
    }
}

/* Without smoothing the equation holds exactly where the law does: contacts that are open, stick or
 * slip give 0, and anything else does not. */
static void equation_vanishes_only_where_the_law_holds(void) {
    for (int round = 0; round < 300; round++) {
        int n = round % 2 == 0 ? 2 : 3, state = round / 2 % 3;
        ContactEquation q = draw_equation(n, 0);
        double r[3] = {0}, u[3] = {0}, f[3];
        double angle = 3 * sample_draw(), push = 0.1 + fabs(sample_draw());
        double direction[2] = {n == 2 ? (angle > 0 ? 1 : -1) : cos(angle), n == 2 ? 0 : sin(angle)};
        if (state == 0) {
            u[0] = push;
        } else {
            r[0] = push;
        }
        for (int i = 1; i < n; i++) {
            double length = state == 1 ? 0.9 : 1; /* inside of the cone when it sticks */
            r[i] = state == 0 ? 0 : length * q.mu * push * direction[i - 1];
            u[i] = state == 1 ? 0 : -push * direction[i - 1];
        }
        scr_contact_value(&q, r, u, f);
        CHECK(fabs(f[0]) + fabs(f[1]) + (n == 3 ? fabs(f[2]) : 0) < 1e-14);
        CHECK(sample_law_error(n, q.mu, 0, r, u) < 1e-14);
        r[0] += 0.1;
        u[0] += 0.1;
        scr_contact_value(&q, r, u, f);
        CHECK(fabs(f[0]) > 0.01 * law_min(1, q.rho));
    }
}

/* ---------------------------------------------------------------- closed forms */

static void falling_ball_sticks_or_slides_as_computed(void) {
    for (size_t i = 0; i < SOLVERS; i++) {
        sample_falling_ball(solvers[i].solve, 1e-12, 1e-9);
    }
}

/* A sticking contact with strong coupling of its normal and tangential parts: r = -W^-1 q.
 * Gauss-Seidel on the two rows reduces the error by 0.95^2 per sweep, so 180 sweeps suffice for
 * 1e-8 even if the extrapolation were useless. */
static void strongly_coupled_contact_is_solved(void) {
    const double w[4] = {1, 0.95, 0.95, 1}, q[2] = {-1, -0.97};
    double r[2] = {0}, determinant = w[0] * w[3] - w[1] * w[2];
    MatrixProblem p = {0};
    MatrixSettings settings = scr_matrix_settings();
    CHECK(sample_single(&p, 2, w, q, 10, 0));
    MatrixReport report = scr_matrix_projected(&p, &settings, r);
    CHECK(report.status == MATRIX_SOLVED && report.iterations <= 180);
    CHECK_NEAR(r[0], -(w[3] * q[0] - w[1] * q[1]) / determinant, 1e-6);
    CHECK_NEAR(r[1], -(w[0] * q[1] - w[2] * q[0]) / determinant, 1e-6);
    scr_matrix_problem_free(&p);
}

/* `n` balls of mass 1 on top of each other on the ground, each pushed down by 1: the contact below
 * the k-th ball from the top carries k. W is that of a chain, whose condition grows as n^2: sweeps
 * need thousands, Newton's method a few steps. */
static void columns_carry_the_weight_above(void) {
    enum { N = 120 };
    for (size_t i = 1; i < SOLVERS; i++) {
        SparseEntry entry[8 * N];
        double r[2 * N] = {0};
        size_t count = 0;
        MatrixProblem p = {0};
        MatrixSettings settings = scr_matrix_settings();
        CHECK(scr_matrix_problem_begin(&p, 2, N, 0, false, false));
        for (int32_t c = 0; c < N; c++) { /* contact c is below ball c */
            for (int32_t k = 0; k < 2; k++) {
                double stiff = k == 0 ? 1 : 3;
                int32_t row = 2 * c + k;
                entry[count++] = (SparseEntry){row, row, c == 0 ? stiff : 2 * stiff};
                if (c > 0) {
                    entry[count++] = (SparseEntry){row, row - 2, -stiff};
                    entry[count++] = (SparseEntry){row - 2, row, -stiff};
                }
            }
            p.mu[c] = 0.3;
        }
        p.q[0] = -1; /* the lowest ball approaches the ground; the others fall with it */
        CHECK(scr_sparse_gather(&p.delassus, 2 * N, 2 * N, entry, count));
        settings.tolerance = 1e-11;
        MatrixReport report = solvers[i].solve(&p, &settings, r);
        CHECK(report.status == MATRIX_SOLVED);
        for (size_t c = 0; c < N; c++) {
            CHECK_NEAR(r[2 * c], (double)(N - c), 1e-5);
            CHECK_NEAR(r[2 * c + 1], 0, 1e-6);
        }
        CHECK(report.iterations < 2000);
        scr_matrix_problem_free(&p);
    }
}

/* ---------------------------------------------------------------- many contacts */

/* However loose the tolerance: no contact pulls, and none rubs or rolls beyond its bound. */
static void impulses_stay_in_their_cones(void) {
    static const int blocks[] = {2, 3, 5};
    for (int round = 0; round < 30; round++) {
        int block = blocks[round % 3];
        size_t contacts = 40;
        MatrixProblem p = {0};
        double *r = calloc((size_t)block * contacts, sizeof *r);
        MatrixSettings settings = scr_matrix_settings();
        settings.tolerance = round % 2 == 0 ? 0.02 : 1e-4;
        CHECK(sample_global(&p, block, contacts, 8));
        CHECK(scr_matrix_reduce(&p).status == SCREE_OK);
        for (size_t i = 1; i < SOLVERS; i++) {
            memset(r, 0, (size_t)block * contacts * sizeof *r);
            (void)solvers[i].solve(&p, &settings, r);
            for (size_t c = 0; c < contacts; c++) {
                const double *of = r + c * (size_t)block, all = of[0] * (1 + 1e-14);
                CHECK(of[0] >= 0);
                CHECK(hypot(of[1], block > 2 ? of[2] : 0) <= p.mu[c] * all);
                CHECK(block < 5 || hypot(of[3], of[4]) <= p.rolling[c] * all);
            }
        }
        free(r);
        scr_matrix_problem_free(&p);
    }
}

/* Against Gauss-Seidel with exact contacts, an independent method. With little friction velocities
 * are unique, though W is singular (14 contacts on 18 degrees of freedom) and impulses are not. */
static void agrees_with_gauss_seidel(void) {
    static const int blocks[] = {2, 3, 5};
    for (int round = 0; round < 18; round++) {
        int block = blocks[round % 3];
        size_t contacts = 14, m = (size_t)block * contacts;
        MatrixProblem p = {0};
        double *r = calloc(m, sizeof *r), *u = calloc(2 * m, sizeof *u);
        MatrixSettings settings = scr_matrix_settings();
        settings.tolerance = 1e-11;
        CHECK(sample_global(&p, block, contacts, round % 2 == 0 ? 3 : 8));
        CHECK(scr_matrix_reduce(&p).status == SCREE_OK);
        for (size_t c = 0; c < contacts; c++) {
            p.mu[c] *= 0.2;
        }
        CHECK(scr_matrix_gauss_seidel(&p, &settings, r).status == MATRIX_SOLVED);
        scr_matrix_residual(&p, r, u + m);
        for (size_t i = 0; i < SOLVERS; i++) {
            memset(r, 0, m * sizeof *r);
            MatrixReport report = solvers[i].solve(&p, &settings, r);
            if (i > 0) { /* sweeps alone may take too long */
                CHECK(report.status == MATRIX_SOLVED);
            }
            MatrixResidual judged = scr_matrix_residual(&p, r, u);
            CHECK(judged.siconos == report.residual.siconos);
            CHECK((judged.siconos <= 1e-11) == (report.status == MATRIX_SOLVED));
            for (size_t k = 0; k < m && report.status == MATRIX_SOLVED; k++) {
                CHECK_NEAR(u[k], u[m + k], 1e-7);
            }
        }
        free(r);
        free(u);
        scr_matrix_problem_free(&p);
    }
}

/* W is slightly unsymmetric, or indefinite because of its printed digits; contacts may be
 * springs. */
static void unsymmetric_and_indefinite_matrices_are_solved(void) {
    for (int round = 0; round < 12; round++) {
        MatrixProblem global = {0}, p = {0};
        MatrixSettings settings = scr_matrix_settings();
        settings.tolerance = 1e-10;
        CHECK(sample_global(&global, 3, 8, round % 2 == 0 ? 3 : 8));
        CHECK(scr_matrix_reduce(&global).status == SCREE_OK);
        CHECK(scr_matrix_problem_begin(&p, 3, 8, 0, false, round % 3 == 1));
        p.delassus = global.delassus;
        for (size_t i = 0; i < 24; i++) {
            p.q[i] = global.q[i];
            p.mu[i / 3] = 0.3;
            if (p.compliance != NULL) {
                p.compliance[i] = 0.5;
            }
        }
        for (int32_t e = 0; e < p.delassus.start[24]; e++) {
            p.delassus.value[e] += (round % 2 == 0 ? 1e-7 : 0.02) * sample_draw();
        }
        for (size_t i = 1; i < SOLVERS; i++) {
            double r[24] = {0}, u[24];
            CHECK(solvers[i].solve(&p, &settings, r).status == MATRIX_SOLVED);
            scr_matrix_residual(&p, r, u);
            CHECK(sample_worst_law_error(&p, r, u) < 1e-7);
        }
        p.delassus = (Sparse){0};
        scr_matrix_problem_free(&p);
        scr_matrix_problem_free(&global);
    }
}

/* Other units of mass and time change every number of W and q but nothing else. Powers of two keep
 * even the bits of the path to the solution. */
static void units_do_not_change_the_path(void) {
    MatrixProblem p = {0};
    MatrixSettings settings = scr_matrix_settings();
    double r[42] = {0}, other[42] = {0};
    settings.measure = MATRIX_MEASURE_RELATIVE;
    CHECK(sample_global(&p, 3, 14, 3));
    CHECK(scr_matrix_reduce(&p).status == SCREE_OK);
    MatrixReport first = scr_matrix_newton(&p, &settings, r);
    for (int32_t e = 0; e < p.delassus.start[42]; e++) {
        p.delassus.value[e] *= 0x1p+40;
    }
    for (size_t i = 0; i < 42; i++) {
        p.q[i] *= 0x1p+10;
    }
    MatrixReport second = scr_matrix_newton(&p, &settings, other);
    CHECK(first.status == MATRIX_SOLVED && second.status == MATRIX_SOLVED);
    CHECK(first.iterations == second.iterations);
    for (size_t i = 0; i < 42; i++) {
        CHECK(other[i] == r[i] * 0x1p-30);
    }
    scr_matrix_problem_free(&p);
}

/* Work space that has served other problems, larger and smaller, changes no bit. */
static void used_work_space_gives_the_same_bits(void) {
    const MatrixSettings settings = scr_matrix_settings();
    MatrixReducer reducer = {0};
    MatrixNewton work = {0};
    for (int i = 0; i < 6; i++) {
        MatrixProblem p = {0};
        double r[90] = {0}, other[90] = {0}, q[90];
        int block = i % 2 == 0 ? 3 : 2;
        size_t contacts = (size_t[]){14, 5, 30, 8, 20, 3}[i], rows = contacts * (size_t)block;
        CHECK(sample_global(&p, block, contacts, 3 + i % 4));
        CHECK(scr_matrix_reduce(&p).status == SCREE_OK);
        size_t size = (size_t)p.delassus.start[rows] * sizeof *p.delassus.value;
        double *w = malloc(size);
        memcpy(w, p.delassus.value, size);
        memcpy(q, p.q, rows * sizeof *q);
        p.local = false;
        CHECK(scr_matrix_reduce_with(&reducer, &p).status == SCREE_OK);
        CHECK(memcmp(w, p.delassus.value, size) == 0 && memcmp(q, p.q, rows * sizeof *q) == 0);
        MatrixReport fresh = scr_matrix_newton(&p, &settings, r);
        MatrixReport again = scr_matrix_newton_with(&work, &p, &settings, other);
        CHECK(fresh.status == MATRIX_SOLVED && again.status == MATRIX_SOLVED);
        CHECK(fresh.iterations == again.iterations && memcmp(r, other, sizeof r) == 0);
        free(w);
        scr_matrix_problem_free(&p);
    }
    scr_matrix_reducer_free(&reducer);
    scr_matrix_newton_free(&work);
}

/* ---------------------------------------------------------------- how they end */

static void every_ending_is_reported(void) {
    MatrixProblem p = {0};
    MatrixSettings settings = scr_matrix_settings();
    double start[60], r[60], u[60];
    CHECK(sample_global(&p, 3, 20, 4));
    CHECK(scr_matrix_reduce(&p).status == SCREE_OK);
    for (size_t i = 0; i < SOLVERS; i++) {
        settings.tolerance = 1e-9;
        settings.iterations_most = 0;
        memset(start, 0, sizeof start);
        CHECK(scr_matrix_newton(&p, &settings, start).status == MATRIX_SOLVED);
        /* from a solution there is nothing to do */
        memcpy(r, start, sizeof r);
        MatrixReport report = solvers[i].solve(&p, &settings, r);
        CHECK(report.status == MATRIX_SOLVED && report.iterations == 0);
        CHECK(memcmp(r, start, sizeof r) == 0);
        /* an unreachable tolerance is reported, and the result is no worse than the start */
        settings.tolerance = 1e-300;
        settings.iterations_most = 3;
        report = solvers[i].solve(&p, &settings, r);
        CHECK(report.status == MATRIX_ITERATIONS && report.iterations == 3);
        CHECK(scr_matrix_residual(&p, r, u).siconos <= scr_matrix_residual(&p, start, u).siconos);
        /* without a limit on iterations it gives up, and returns no worse than it began */
        double before = scr_matrix_residual(&p, r, u).siconos;
        settings.iterations_most = 0;
        report = solvers[i].solve(&p, &settings, r);
        CHECK(report.status == MATRIX_STALLED && report.reason != NULL);
        CHECK(scr_matrix_residual(&p, r, u).siconos <= before);
        settings.seconds_most = 1e-9;
        CHECK(solvers[i].solve(&p, &settings, r).status == MATRIX_SECONDS);
        settings.seconds_most = 0;
        /* a start with NaN counts as none; a problem with NaN is reported */
        settings.tolerance = 1e-9;
        r[7] = NAN;
        CHECK(scr_matrix_newton(&p, &settings, r).status == MATRIX_SOLVED && isfinite(r[7]));
        double kept = p.q[4];
        p.q[4] = NAN;
        CHECK(solvers[i].solve(&p, &settings, r).status == MATRIX_NOT_FINITE);
        p.q[4] = kept;
        size_t contacts = p.contacts;
        p.contacts = 0;
        CHECK(solvers[i].solve(&p, &settings, r).status == MATRIX_SOLVED);
        p.contacts = contacts;
    }
    scr_matrix_problem_free(&p);
}

/* Extrapolated sweeps go up and down. The best iterate is returned, so more iterations are never
 * worse. */
static void more_iterations_are_never_worse(void) {
    MatrixSettings settings = scr_matrix_settings();
    settings.tolerance = 1e-300;
    for (int round = 0; round < 10; round++) {
        MatrixProblem p = {0};
        double r[60], last = INFINITY;
        CHECK(sample_global(&p, 3, 20, 4));
        CHECK(scr_matrix_reduce(&p).status == SCREE_OK);
        for (settings.iterations_most = 10; settings.iterations_most <= 100;
             settings.iterations_most += 10) {
            memset(r, 0, sizeof r);
            MatrixReport report = scr_matrix_projected(&p, &settings, r);
            CHECK(report.residual.siconos <= last);
            last = report.residual.siconos;
        }
        scr_matrix_problem_free(&p);
    }
}

/* q pulls two contacts of one body, which W ties together, against each other: u_1 = -u_2 - 1, so
 * both cannot be positive and no impulse helps. There is no solution, and the report does not hide
 * that. */
static void missing_solution_is_reported(void) {
    MatrixProblem p = {0};
    MatrixSettings settings = scr_matrix_settings();
    const SparseEntry entry[] = {{0, 0, 1},  {1, 1, 1},  {2, 2, 1},  {3, 3, 1},
                                 {0, 2, -1}, {2, 0, -1}, {1, 3, -1}, {3, 1, -1}};
    CHECK(scr_matrix_problem_begin(&p, 2, 2, 0, false, false));
    CHECK(scr_sparse_gather(&p.delassus, 4, 4, entry, sizeof entry / sizeof *entry));
    p.q[0] = p.q[2] = -0.5;
    /* the other measures are relative to impulses, which grow without bound */
    settings.measure = MATRIX_MEASURE_PAPER;
    for (size_t i = 0; i < SOLVERS; i++) {
        double r[4] = {0}, u[4];
        MatrixReport report = solvers[i].solve(&p, &settings, r);
        CHECK(report.status == MATRIX_STALLED);
        CHECK(scr_matrix_residual(&p, r, u).paper > 0.1);
    }
    scr_matrix_problem_free(&p);
}

int main(int argc, char **argv) {
    CHECK_RUN(slopes_are_derivatives);
    CHECK_RUN(equation_vanishes_only_where_the_law_holds);
    CHECK_RUN(falling_ball_sticks_or_slides_as_computed);
    CHECK_RUN(strongly_coupled_contact_is_solved);
    CHECK_RUN(columns_carry_the_weight_above);
    CHECK_RUN(impulses_stay_in_their_cones);
    CHECK_RUN(agrees_with_gauss_seidel);
    CHECK_RUN(unsymmetric_and_indefinite_matrices_are_solved);
    CHECK_RUN(units_do_not_change_the_path);
    CHECK_RUN(used_work_space_gives_the_same_bits);
    CHECK_RUN(every_ending_is_reported);
    CHECK_RUN(more_iterations_are_never_worse);
    CHECK_RUN(missing_solution_is_reported);
    return check_result();
}
