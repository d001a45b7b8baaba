/* Contact problems in matrices: projection, residual, reduction and checks. */
#include "check.h"
#include "matrix/reduce.h"
#include "matrix/sample.h"

/* ---------------------------------------------------------------- projection */

static double distance_square(const double *x, const double *y, int count) {
    double sum = 0;
    for (int k = 0; k < count; k++) {
        sum += (x[k] - y[k]) * (x[k] - y[k]);
    }
    return sum;
}

static bool in_cone(int block, double mu, double rolling, const double *y, double slack) {
    double t = block == 2 ? fabs(y[1]) : hypot(y[1], y[2]);
    return y[0] >= 0 && t <= mu * y[0] + slack &&
           (block != 5 || hypot(y[3], y[4]) <= rolling * y[0] + slack);
}

/* The nearest point y of a convex cone lies in the cone, and no other point of it is nearer to x:
 * (x - y).(z - y) <= 0 for every z in the cone. Tried with many z, among them some on the boundary
 * near y. */
static void projection_is_the_nearest_point(void) {
    static const int blocks[] = {2, 3, 5};
    for (int round = 0; round < 3000; round++) {
        int block = blocks[round % 3];
        double mu = round % 7 == 0 ? 0 : fabs(sample_draw()) * (round % 5 == 0 ? 20 : 1);
        double rolling = round % 11 == 0 ? 0 : fabs(sample_draw());
        double x[5], y[5];
        for (int k = 0; k < 5; k++) {
            x[k] = sample_draw();
        }
        scr_matrix_project(block, mu, rolling, x, y);
        CHECK(in_cone(block, mu, rolling, y, 1e-14 * (1 + mu)));
        for (int i = 0; i < 40; i++) {
            double z[5], part = 0, width = i % 2 == 0 ? 2 : 0.1;
            for (int k = 0; k < 5; k++) {
                z[k] = y[k] + width * sample_draw();
            }
            z[0] = fabs(z[0]);
            double t = block == 2 ? fabs(z[1]) : hypot(z[1], z[2]), m = hypot(z[3], z[4]);
            for (int k = 1; k < block; k++) {
                double bound = (k < 3 ? mu : rolling) * z[0], length = k < 3 ? t : m;
                z[k] *= length > bound ? bound / length : 1;
            }
            for (int k = 0; k < block; k++) {
                part += (x[k] - y[k]) * (z[k] - y[k]);
            }
            CHECK(part <= 1e-13);
        }
    }
}

/* Points in the cone stay; those in the polar cone go to the tip. */
static void cone_stays_and_polar_goes_to_the_tip(void) {
    const double inside[5] = {1, 0.3, -0.4, 0.1, 0.1}, below[5] = {-1, 0.5, 0.5, 0.5, -0.5};
    double y[5];
    scr_matrix_project(5, 0.5, 0.2, inside, y);
    CHECK(distance_square(inside, y, 5) == 0);
    scr_matrix_project(5, 0.5, 0.2, below, y); /* 0.5 hypot + 0.2 hypot < 1 */
    CHECK(y[0] == 0 && y[1] == 0 && y[2] == 0 && y[3] == 0 && y[4] == 0);
}

/* ---------------------------------------------------------------- residual */

/* A ball on the ground, W diagonal with 1 along the normal and 3 along the others: sticking,
 * sliding and flying off have closed forms, whose residuals vanish in every measure. */
static void residual_vanishes_at_closed_forms(void) {
    const double w[9] = {1, 0, 0, 0, 3, 0, 0, 0, 3},
                 q[3][3] = {{-2, 0.3, 0.4}, {-2, 6, 8}, {1, 5, 0}};
    const double exact[3][3] = {{2, -0.1, -0.4 / 3}, {2, -0.6, -0.8}, {0, 0, 0}};
    for (int i = 0; i < 3; i++) {
        MatrixProblem p = {0};
        double u[3], r[3];
        memcpy(r, exact[i], sizeof r);
        CHECK(sample_single(&p, 3, w, q[i], 0.5, 0));
        MatrixResidual e = scr_matrix_residual(&p, r, u);
        CHECK(e.siconos < 1e-15 && e.paper < 1e-15 && e.fclib < 1e-15 && e.relative < 1e-15);
        CHECK_NEAR(u[0], q[i][0] + r[0], 1e-15);
        CHECK_NEAR(u[1], q[i][1] + 3 * r[1], 1e-15);
        /* without friction the error along the normal is that of the approach alone */
        memset(r, 0, sizeof r);
        p.mu[0] = 0;
        e = scr_matrix_residual(&p, r, u);
        double size = sqrt(q[i][0] * q[i][0] + q[i][1] * q[i][1] + q[i][2] * q[i][2]);
        double approach = q[i][0] < 0 ? 2 : 0;
        CHECK_NEAR(e.siconos, approach / size, 1e-15);
        CHECK_NEAR(e.paper, approach / size, 1e-15);
        CHECK_NEAR(e.fclib, approach / (1 + sqrt(size)), 1e-15);
        CHECK_NEAR(e.relative, approach / size, 1e-15); /* rho cancels */
        scr_matrix_problem_free(&p);
    }
}

/* The measures siconos and paper differ only by the larger of |r| and |u|; a large r shows it. */
static void measures_differ_by_their_scales(void) {
    const double w[4] = {1e-3, 0, 0, 1e-3}, q[2] = {-1, 0};
    double r[2] = {999, 0}, u[2];
    MatrixProblem p = {0};
    CHECK(sample_single(&p, 2, w, q, 0.5, 0));
    MatrixResidual e = scr_matrix_residual(&p, r, u);
    CHECK_CLOSE(u[0], -1e-3, 1e-10);
    CHECK_CLOSE(e.siconos, 1e-3 / 999, 1e-10); /* e_n = -u_n */
    CHECK_CLOSE(e.paper, 1e-3, 1e-10);
    CHECK_CLOSE(e.fclib, 0.5e-3, 1e-10);
    CHECK_CLOSE(e.relative, 1.0 / 1000, 1e-9); /* rho = 1000: |rho u| over |rho q| */
    scr_matrix_problem_free(&p);
}

/* The relative measure stays the same in other units of mass, length and time. */
static void relative_residual_is_free_of_units(void) {
    const double mass = 7, length = 0.01, time = 3;
    double w[25], scaled[25], q[5], scaled_q[5], r[5], scaled_r[5], u[5];
    for (int round = 0; round < 50; round++) {
        double impulse = mass * length / time, torque = impulse * length;
        double velocity = length / time, spin = 1 / time;
        for (int i = 0; i < 5; i++) {
            for (int j = 0; j <= i; j++) {
                double value = i == j ? 2 + sample_draw() : 0.3 * sample_draw();
                double of_i = i < 3 ? velocity : spin, of_j = j < 3 ? impulse : torque;
                double from_j = j < 3 ? velocity : spin, from_i = i < 3 ? impulse : torque;
                w[5 * i + j] = w[5 * j + i] = value;
                scaled[5 * i + j] = value * of_i / of_j;
                scaled[5 * j + i] = value * from_j / from_i;
            }
            q[i] = sample_draw();
            r[i] = sample_draw();
            scaled_q[i] = q[i] * (i < 3 ? velocity : spin);
            scaled_r[i] = r[i] * (i < 3 ? impulse : torque);
        }
        MatrixProblem p = {0}, other = {0};
        CHECK(sample_single(&p, 5, w, q, 0.4, 0.1));
        CHECK(sample_single(&other, 5, scaled, scaled_q, 0.4, 0.1 * length));
        double one = scr_matrix_residual(&p, r, u).relative;
        CHECK_CLOSE(scr_matrix_residual(&other, scaled_r, u).relative, one, 1e-12);
        scr_matrix_problem_free(&p);
        scr_matrix_problem_free(&other);
    }
}

/* With compliance the law is about u + C r: a ball pressed on its own spring. */
static void compliance_enters_the_residual(void) {
    MatrixProblem p = {0};
    const SparseEntry entry[] = {{0, 0, 1}, {1, 1, 1}};
    double r[2] = {1.5, 0}, u[2];
    CHECK(scr_matrix_problem_begin(&p, 2, 1, 0, false, true));
    CHECK(scr_sparse_gather(&p.delassus, 2, 2, entry, 2));
    p.q[0] = -3;
    p.compliance[0] = 1; /* (1 + 1) r = 3 */
    MatrixResidual e = scr_matrix_residual(&p, r, u);
    CHECK(e.siconos < 1e-15 && e.relative < 1e-15);
    CHECK_NEAR(u[0], -1.5, 1e-15);
    scr_matrix_problem_free(&p);
}

/* ---------------------------------------------------------------- reduction */

/* u from the local form equals u from the global form; M v = H r + f is checked as it stands,
 * without an inverse. */
static void local_and_global_forms_agree(void) {
    static const int blocks[] = {2, 3, 5};
    for (int round = 0; round < 12; round++) {
        int block = blocks[round % 3], bodies = 2 + round;
        MatrixProblem p = {0};
        size_t m = (size_t)block * 9, n = (size_t)bodies * 6;
        CHECK(sample_global(&p, block, 9, bodies));
        CHECK(!p.local);
        CHECK(scr_matrix_reduce(&p).status == SCREE_OK);
        CHECK(p.local);
        double *r = calloc(m, sizeof *r), *u = calloc(m, sizeof *u), *v = calloc(n, sizeof *v),
               *rest = calloc(n, sizeof *rest);
        for (size_t i = 0; i < m; i++) {
            r[i] = sample_draw();
        }
        CHECK(scr_matrix_velocities(&p, r, v).status == SCREE_OK);
        memcpy(rest, p.f, n * sizeof *rest);
        scr_sparse_multiply(&p.h, 1, r, rest);
        scr_sparse_multiply(&p.mass, -1, v, rest);
        for (size_t i = 0; i < n; i++) {
            CHECK_NEAR(rest[i], 0, 1e-12);
        }
        scr_matrix_residual(&p, r, u);
        for (size_t i = 0; i < m; i++) {
            u[i] -= p.w[i];
        }
        scr_sparse_multiply_transposed(&p.h, -1, v, u);
        for (size_t i = 0; i < m; i++) {
            CHECK_NEAR(u[i], 0, 1e-12);
        }
        free(r);
        free(u);
        free(v);
        free(rest);
        scr_matrix_problem_free(&p);
    }
}

/* ---------------------------------------------------------------- checks */

static void faulty_problems_are_refused(void) {
    const double w[9] = {1, 0, 0, 0, 3, 0, 0, 0, 3}, q[3] = {-1, 0, 0};
    size_t where = 0;
    for (int i = 0; i < 6; i++) {
        MatrixProblem p = {0};
        CHECK(sample_single(&p, 3, w, q, 0.5, 0));
        CHECK(scr_matrix_problem_fault(&p, &where) == NULL);
        switch (i) {
        case 0:
            p.mu[0] = -0.1;
            break;
        case 1:
            p.mu[0] = NAN;
            break;
        case 2:
            p.q[1] = INFINITY;
            break;
        case 3:
            p.delassus.value[4] = NAN;
            break;
        case 4:
            p.delassus.value[1] = 1; /* its mirror image is 0: W is unsymmetric */
            break;
        default:
            p.block = 4;
        }
        CHECK(scr_matrix_problem_fault(&p, &where) != NULL);
        scr_matrix_problem_free(&p);
    }
}

int main(int argc, char **argv) {
    CHECK_RUN(projection_is_the_nearest_point);
    CHECK_RUN(cone_stays_and_polar_goes_to_the_tip);
    CHECK_RUN(residual_vanishes_at_closed_forms);
    CHECK_RUN(measures_differ_by_their_scales);
    CHECK_RUN(relative_residual_is_free_of_units);
    CHECK_RUN(compliance_enters_the_residual);
    CHECK_RUN(local_and_global_forms_agree);
    CHECK_RUN(faulty_problems_are_refused);
    return check_result();
}
