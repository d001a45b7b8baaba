/* Sweeps over contact problems in matrices, and one contact alone. */
#include "check.h"
#include "matrix/reduce.h"
#include "matrix/local.h"
#include "matrix/sweep.h"
#include "matrix/sample.h"

static const NamedSolver solvers[] = {{"gauss_seidel", scr_matrix_gauss_seidel},
                                      {"accelerated", scr_matrix_accelerated}};

/* ---------------------------------------------------------------- one contact */

/* The least of m.A m / 2 + b.m over a disk, against a fine grid over the disk and its boundary. */
static void least_on_a_disk_matches_a_fine_grid(void) {
    for (int round = 0; round < 300; round++) {
        double first = sample_draw(), second = sample_draw();
        double root[4], a[3], b[2] = {first, second}, m[2];
        double bound = round % 10 == 0 ? 0 : 2 * fabs(sample_draw());
        for (int k = 0; k < 4; k++) {
            root[k] = sample_draw();
        }
        if (round % 3 == 0) { /* a singular A */
            root[2] = 2 * root[0];
            root[3] = 2 * root[1];
        }
        a[0] = root[0] * root[0] + root[1] * root[1];
        a[1] = root[0] * root[2] + root[1] * root[3];
        a[2] = root[2] * root[2] + root[3] * root[3];
        scr_least_on_disk(a, b, bound, m);
        CHECK(hypot(m[0], m[1]) <= bound * (1 + 1e-15));
        double found = 0.5 * (a[0] * m[0] * m[0] + 2 * a[1] * m[0] * m[1] + a[2] * m[1] * m[1]) +
                       b[0] * m[0] + b[1] * m[1];
        for (int i = 0; i <= 40; i++) {
            for (int j = 0; j < 60; j++) {
                double x = bound * i / 40 * cos(6.283185307179586 * j / 60);
                double y = bound * i / 40 * sin(6.283185307179586 * j / 60);
                double other =
                    0.5 * (a[0] * x * x + 2 * a[1] * x * y + a[2] * y * y) + b[0] * x + b[1] * y;
                CHECK(found <= other + 1e-13);
            }
        }
    }
}

/* A ball on a plane: W_nn = 1 / m, sliding and rolling coupled by the radius. The law is checked as
 * it is stated, not by the natural map. */
static void rolling_contact_obeys_the_law(void) {
    for (int round = 0; round < 400; round++) {
        double w[25] = {0}, q[5], r[5] = {0}, u[5];
        double root[25];
        for (int k = 0; k < 25; k++) {
            root[k] = sample_draw();
        }
        for (int i = 0; i < 5; i++) {
            for (int j = 0; j < 5; j++) {
                for (int k = 0; k < 5; k++) {
                    w[5 * i + j] += 0.2 * root[5 * i + k] * root[5 * j + k];
                }
            }
            w[6 * i] += 1;
            q[i] = sample_draw();
        }
        double mu = fabs(sample_draw()), rolling = 0.5 * fabs(sample_draw());
        MatrixLocal local = scr_matrix_local(5, w, NULL);
        for (int i = 0; i < 20; i++) { /* the solution is where it stays */
            scr_matrix_local_solve(&local, 5, mu, rolling, q, r);
        }
        scr_matrix_local_multiply(&local, 5, r, u);
        for (int i = 0; i < 5; i++) {
            double sum = 0;
            for (int j = 0; j < 5; j++) {
                sum += w[5 * i + j] * r[j];
            }
            CHECK_NEAR(u[i], sum, 1e-13);
            u[i] += q[i];
        }
        CHECK(sample_law_error(5, mu, rolling, r, u) < 1e-10);
    }
}

static void falling_ball_sticks_or_slides_as_computed(void) {
    for (size_t i = 0; i < 2; i++) {
        sample_falling_ball(solvers[i].solve, 1e-12, 1e-9);
    }
}

/* ---------------------------------------------------------------- many contacts */

/* Both solvers reach the tolerance, the law holds as it is stated, and the velocities are the same:
 * with little friction they are unique, though W is singular and impulses are not. */
static void both_solvers_find_the_same_velocities(void) {
    static const int blocks[] = {2, 3, 5};
    for (int round = 0; round < 18; round++) {
        int block = blocks[round % 3];
        MatrixProblem p = {0};
        size_t contacts = 14, m = (size_t)block * contacts;
        double *r = calloc(m, sizeof *r), *u = calloc(2 * m, sizeof *u);
        MatrixSettings settings = scr_matrix_settings();
        settings.tolerance = 1e-11;
        CHECK(sample_global(&p, block, contacts, round % 2 == 0 ? 3 : 8));
        CHECK(scr_matrix_reduce(&p).status == SCREE_OK);
        for (size_t c = 0; c < contacts; c++) {
            p.mu[c] *= 0.2;
        }
        for (size_t i = 0; i < 2; i++) {
            memset(r, 0, m * sizeof *r);
            MatrixReport report = solvers[i].solve(&p, &settings, r);
            CHECK(report.status == MATRIX_SOLVED);
            MatrixResidual judged = scr_matrix_residual(&p, r, u + i * m);
            CHECK(judged.siconos <= 1e-11);
            CHECK(judged.siconos == report.residual.siconos);
            CHECK(sample_worst_law_error(&p, r, u + i * m) < 1e-8);
        }
        for (size_t i = 0; i < m; i++) {
            CHECK_NEAR(u[i], u[m + i], 1e-7);
        }
        free(r);
        free(u);
        scr_matrix_problem_free(&p);
    }
}

/* W need not be symmetric, and contacts may be springs. */
static void unsymmetric_matrices_and_springs_are_solved(void) {
    for (int round = 0; round < 8; round++) {
        MatrixProblem global = {0}, p = {0};
        MatrixSettings settings = scr_matrix_settings();
        settings.tolerance = 1e-10;
        CHECK(sample_global(&global, 3, 6, 6));
        CHECK(scr_matrix_reduce(&global).status == SCREE_OK);
        CHECK(scr_matrix_problem_begin(&p, 3, 6, 0, false, round % 2 == 1));
        p.delassus = global.delassus;
        memcpy(p.q, global.q, 18 * sizeof *p.q);
        for (size_t i = 0; i < 18; i++) {
            p.mu[i / 3] = 0.3;
            if (p.compliance != NULL) {
                p.compliance[i] = 0.5;
            }
        }
        for (int32_t e = 0; e < p.delassus.start[18]; e++) {
            p.delassus.value[e] += 0.02 * sample_draw();
        }
        for (size_t i = 0; i < 2; i++) {
            double r[18] = {0}, u[18];
            CHECK(solvers[i].solve(&p, &settings, r).status == MATRIX_SOLVED);
            scr_matrix_residual(&p, r, u);
            CHECK(sample_worst_law_error(&p, r, u) < 1e-7);
        }
        p.delassus = (Sparse){0};
        scr_matrix_problem_free(&p);
        scr_matrix_problem_free(&global);
    }
}

/* ---------------------------------------------------------------- how they end */

static void every_ending_is_reported(void) {
    MatrixProblem p = {0};
    MatrixSettings settings = scr_matrix_settings();
    double start[60], r[60], u[60];
    CHECK(sample_global(&p, 3, 20, 4));
    CHECK(scr_matrix_reduce(&p).status == SCREE_OK);
    for (size_t i = 0; i < 2; i++) {
        settings.tolerance = 1e-9;
        settings.iterations_most = 0;
        memset(start, 0, sizeof start);
        CHECK(solvers[i].solve(&p, &settings, start).status == MATRIX_SOLVED);
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
    }
    p.contacts = 0;
    CHECK(scr_matrix_gauss_seidel(&p, &settings, r).status == MATRIX_SOLVED);
    p.contacts = 20;
    scr_matrix_problem_free(&p);
}

int main(int argc, char **argv) {
    CHECK_RUN(least_on_a_disk_matches_a_fine_grid);
    CHECK_RUN(rolling_contact_obeys_the_law);
    CHECK_RUN(falling_ball_sticks_or_slides_as_computed);
    CHECK_RUN(both_solvers_find_the_same_velocities);
    CHECK_RUN(unsymmetric_matrices_and_springs_are_solved);
    CHECK_RUN(every_ending_is_reported);
    return check_result();
}
