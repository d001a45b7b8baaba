/* The measure of the law: closed forms, what must not hide what, and units. */
#include "check.h"
#include "matrix/reduce.h"
#include "matrix/sample.h"
#include "matrix/solver.h"
#include "matrix/units.h"

#include <float.h>

static double law_of(const MatrixProblem *p, const double *r, size_t *worst) {
    MatrixYardstick yardstick = {0};
    double *u = malloc((scr_matrix_rows(p) + 1) * sizeof *u);
    CHECK(u != NULL && scr_matrix_yardstick_make(&yardstick, p));
    double law = scr_matrix_law_error(&yardstick, r, u, worst);
    scr_matrix_yardstick_free(&yardstick);
    free(u);
    return law;
}

/* A body of mass m that falls on the ground at speed v: r_n = m v. With r_n = m v (1 + d) it leaves
 * at d v or sinks in at -d v, and the largest velocity there is v: an error of |d|. Friction: the
 * body arrives at v (-1, 2) with mu = 0.5, so r_t = -m v / 2 and it goes on at 3 v / 2; the free
 * velocity is sqrt 5 v for none of the parts, 2 v at most. An r_t that is d m v too small is an
 * error of d in impulses over R_t = max(|r_t|, mu r_n, m V_t) = 2 m v. */
static void single_contacts_have_their_closed_forms(void) {
    const double m = 3, v = 0.7;
    const double w[4] = {1 / m, 0, 0, 1 / m}, falls[2] = {-v, 0}, slides[2] = {-v, 2 * v};
    static const double wrong[] = {-1, -0.3, -1e-9, 0, 1e-12, 1e-3, 0.5};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        MatrixProblem one = {0}, two = {0};
        double d = wrong[i], r[2] = {m * v * (1 + d), 0};
        CHECK(sample_single(&one, 2, w, falls, 0.3, 0));
        CHECK_NEAR(law_of(&one, r, NULL), fabs(d), 3e-15);
        CHECK(sample_single(&two, 2, w, slides, 0.5, 0));
        double slip[2] = {m * v, -m * v * 0.5 + fabs(d) * m * v * 0.5};
        CHECK_NEAR(law_of(&two, slip, NULL), fabs(d) * 0.25, 3e-15);
        scr_matrix_problem_free(&one);
        scr_matrix_problem_free(&two);
    }
}

/* Numbers that are not finite are never taken for small ones. */
static void what_is_not_finite_is_no_solution(void) {
    const double w[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, q[3] = {-1, 0.1, 0};
    static const double bad[] = {NAN, INFINITY, -INFINITY, 1e308};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        for (size_t k = 0; k < 3; k++) {
            MatrixProblem p = {0};
            double r[3] = {1, -0.1, 0};
            CHECK(sample_single(&p, 3, w, q, 0.3, 0));
            CHECK(law_of(&p, r, NULL) < 1e-15);
            r[k] = bad[i];
            CHECK(!(law_of(&p, r, NULL) < 0.1));
            scr_matrix_problem_free(&p);
        }
    }
}

/* Contacts in local form, each with its own diagonal block; `between` couples neighbours. */
static bool chain(MatrixProblem *p, size_t contacts, const double *inverse_mass, double between) {
    SparseEntry entry[64];
    size_t count = 0;
    for (int32_t c = 0; c < (int32_t)contacts; c++) {
        entry[count++] = (SparseEntry){2 * c, 2 * c, inverse_mass[c]};
        entry[count++] = (SparseEntry){2 * c + 1, 2 * c + 1, inverse_mass[c]};
        if (c > 0 && between != 0) {
            entry[count++] = (SparseEntry){2 * c, 2 * c - 2, between};
            entry[count++] = (SparseEntry){2 * c - 2, 2 * c, between};
        }
    }
    return scr_matrix_problem_begin(p, 2, contacts, 0, false, false) &&
           scr_sparse_gather(&p->delassus, 2 * (int32_t)contacts, 2 * (int32_t)contacts, entry,
                             count);
}

/* Two bodies that have nothing to do with each other, one hitting the ground at 1, the other at
 * 1e-9: the second one wrong by half is wrong by half. Norms over all contacts call it 1e-9. */
static void nothing_hides_in_another_cluster(void) {
    MatrixProblem p = {0};
    const double inverse_mass[2] = {1, 1}, r[4] = {1, 0, 0.5e-9, 0};
    double u[4];
    size_t worst = 9;
    CHECK(chain(&p, 2, inverse_mass, 0));
    p.q[0] = -1;
    p.q[2] = -1e-9;
    CHECK_NEAR(law_of(&p, r, &worst), 0.5, 1e-15);
    CHECK(worst == 1);
    CHECK(scr_matrix_residual(&p, r, u).siconos < 1e-9);
    scr_matrix_problem_free(&p);
}

/* A piston of mass e presses with the impulse F on a block of mass 1, held sideways, while the
 * block is pushed sideways on the ground by less than friction holds. Normal components: piston on
 * block (0), block on ground (1); the impulse of the block's push is T. Sticking: r_t0 + r_t1 = -T,
 * F of normal impulse at each. Friction left out altogether moves the block at T: the error is
 * judged by velocities of the block, F / 1, although the free piston would move at F / e. */
static void a_light_piston_does_not_hide_a_heavy_block(void) {
    const double e = 1e-10, force = 1, side = 0.2, mu = 0.5;
    MatrixProblem p = {0};
    SparseEntry entry[8] = {{0, 0, 1 / e + 1}, {0, 2, -1}, {2, 0, -1}, {2, 2, 1},
                            {1, 1, 1},         {1, 3, 1},  {3, 1, 1},  {3, 3, 1}};
    CHECK(scr_matrix_problem_begin(&p, 2, 2, 0, false, false));
    CHECK(scr_sparse_gather(&p.delassus, 4, 4, entry, 8));
    p.mu[0] = p.mu[1] = mu;
    p.q[0] = -force / e;
    p.q[1] = p.q[3] = side;
    double held[4] = {force, -0.5 * side, force, -0.5 * side};
    double free_to_slide[4] = {force, 0, force, 0}, u[4];
    CHECK(law_of(&p, held, NULL) < 1e-5); /* eps / e is 2e-6 */
    CHECK(law_of(&p, free_to_slide, NULL) > 0.1);
    CHECK(scr_matrix_residual(&p, free_to_slide, u).siconos < 1e-8);
    scr_matrix_problem_free(&p);
}

/* Impulses of any size leave a body that is squeezed at the full closing velocity. */
static void huge_impulses_do_not_hide_a_velocity(void) {
    for (double size = 1; size < 1e16; size *= 1e3) {
        MatrixProblem p = {0};
        const double inverse_mass[2] = {1, 1};
        double r[4] = {size, 0, size, 0};
        CHECK(chain(&p, 2, inverse_mass, -1));
        p.q[0] = p.q[2] = -1;
        CHECK(law_of(&p, r, NULL) >= 0.99);
        scr_matrix_problem_free(&p);
    }
}

/* Whatever impulses are judged, at law = e no contact closes faster than e times the largest free
 * velocity, pulls by more than e times what stops that velocity, or has both more impulse than e R
 * and opens faster than e V. */
static void the_measure_bounds_what_it_says(void) {
    static const int blocks[] = {2, 3, 5};
    for (int trial = 0; trial < 300; trial++) {
        MatrixProblem p = {0};
        int block = blocks[trial % 3];
        CHECK(sample_global(&p, block, 6, 3) && scr_matrix_reduce(&p).status == SCREE_OK);
        size_t m = scr_matrix_rows(&p);
        double r[30], u[30], most = 0, heavy = 0, loads = 0, spread = pow(10, -trial % 7);
        for (size_t i = 0; i < m; i++) {
            r[i] = spread * sample_draw();
            double part = fabs(p.q[i]) * (block == 5 ? 20 : 1); /* lengths of torques: below 20 */
            most = fmax(most, part);
            heavy = fmax(heavy, 1 / scr_sparse_entry(&p.delassus, (int32_t)i, (int32_t)i));
            loads = fmax(loads, fabs(r[i]));
        }
        double law = law_of(&p, r, NULL);
        (void)scr_matrix_residual(&p, r, u);
        for (size_t c = 0; c < p.contacts; c++) {
            const double *of = r + c * (size_t)block, *s = u + c * (size_t)block;
            double held = law * fmax(loads, heavy * sqrt(2) * most), speed = law * sqrt(2) * most;
            CHECK(s[0] >= -speed * (1 + 1e-12));
            CHECK(of[0] >= -held * (1 + 1e-12));
            CHECK(of[0] <= held * (1 + 1e-12) || s[0] <= speed * (1 + 1e-12));
        }
        scr_matrix_problem_free(&p);
    }
}

/* Mass, length and time in units that are powers of two apart: the same error, bit for bit. */
static void units_change_nothing(void) {
    static const int blocks[] = {2, 3, 5};
    for (int i = 0; i < 3; i++) {
        MatrixProblem p = {0};
        MatrixUnits units = {0};
        CHECK(sample_global(&p, blocks[i], 7, 3) && scr_matrix_reduce(&p).status == SCREE_OK);
        size_t m = scr_matrix_rows(&p);
        double r[35], other[35];
        for (size_t k = 0; k < m; k++) {
            r[k] = other[k] = fabs(sample_draw());
        }
        CHECK(scr_matrix_units_make(&units, &p, scr_matrix_scales(&p)));
        scr_matrix_impulses_in(&units, other, other);
        CHECK(law_of(&p, r, NULL) == law_of(&units.problem, other, NULL));
        scr_matrix_impulses_out(&units, other, other);
        CHECK(memcmp(r, other, m * sizeof *r) == 0);
        scr_matrix_units_free(&units);
        scr_matrix_problem_free(&p);
    }
}

int main(int argc, char **argv) {
    CHECK_RUN(single_contacts_have_their_closed_forms);
    CHECK_RUN(what_is_not_finite_is_no_solution);
    CHECK_RUN(nothing_hides_in_another_cluster);
    CHECK_RUN(a_light_piston_does_not_hide_a_heavy_block);
    CHECK_RUN(huge_impulses_do_not_hide_a_velocity);
    CHECK_RUN(the_measure_bounds_what_it_says);
    CHECK_RUN(units_change_nothing);
    return check_result();
}
