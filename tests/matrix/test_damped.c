/* Exact friction without inertia, as the end of a damped motion. */
#include "check.h"
#include "matrix/damped.h"

/* A massless block before a smooth wall, on a floor that is pulled away under it at the velocity
 * -1. Degrees of freedom x and y, load (push, -10). Contacts: floor (normal y, tangent x), wall
 * (normal x, from the left). */
static void make_block(MatrixProblem *p, double mu, double push) {
    const SparseEntry h[] = {{1, 0, 1}, {0, 1, 1}, {0, 2, 1}, {1, 3, 1}};
    const SparseEntry mass[] = {{0, 0, 0}, {1, 1, 0}};
    CHECK(scr_matrix_problem_begin(p, 2, 2, 2, true, false));
    CHECK(scr_sparse_gather(&p->mass, 2, 2, mass, 2) && scr_sparse_gather(&p->h, 2, 4, h, 4));
    p->f[0] = push;
    p->f[1] = -10;
    p->w[1] = 1; /* relative to the floor the block slides to the right */
    p->mu[0] = mu;
}

static const DampedSettings settings = {10, 1, 1e-8, 150, 0.03, 1e4};

/* The floor drags the block to the left against the wall, which bears mu 10: it stays in place,
 * while the associated law would lift it by mu. Also from a start far away. */
static void dragged_block_stays_before_the_wall(void) {
    MatrixDamped work = {0};
    for (int i = 0; i < 6; i++) {
        const double mu = 0.1 + 0.15 * i;
        MatrixProblem p = {0};
        double r[4] = {10, -mu * 10, mu * 10, 0}, v[2] = {0, mu};
        make_block(&p, mu, 0);
        if (i % 2 == 1) {
            r[0] = r[1] = r[2] = 0;
            v[0] = -3;
        }
        DampedReport report = scr_matrix_damped(&work, &p, &settings, r, v);
        CHECK(report.status == MATRIX_SOLVED && report.law <= 1e-8 && report.momentum <= 1e-8);
        const double expected[4] = {10, -mu * 10, mu * 10, 0};
        for (int k = 0; k < 4; k++) {
            CHECK_NEAR(r[k], expected[k], 1e-6);
        }
        CHECK_NEAR(v[0], 0, 1e-6);
        CHECK_NEAR(v[1], 0, 1e-6);
        scr_matrix_problem_free(&p);
    }
    scr_matrix_damped_free(&work);
}

/* Pushed away from the wall by more than friction can hold, the block never comes to rest; the
 * given impulses are left as they are. */
static void pushed_block_never_comes_to_rest(void) {
    MatrixDamped work = {0};
    MatrixProblem p = {0};
    double r[4] = {10, -3, 3, 0}, v[2] = {0.5, 0.25};
    make_block(&p, 0.3, 4);
    DampedReport report = scr_matrix_damped(&work, &p, &settings, r, v);
    CHECK(report.status == MATRIX_ITERATIONS && report.steps == settings.steps_most);
    CHECK(report.momentum > 1e-3);
    CHECK(r[0] == 10 && r[1] == -3 && r[2] == 3 && v[0] == 0.5 && v[1] == 0.25);
    scr_matrix_problem_free(&p);
    scr_matrix_damped_free(&work);
}

int main(int argc, char **argv) {
    CHECK_RUN(dragged_block_stays_before_the_wall);
    CHECK_RUN(pushed_block_never_comes_to_rest);
    return check_result();
}
