/* How the interior-point method starts in statics. */
#include "check.h"

#include "bench/random_problems.h"
#include "interior/point.h"

/* H r + f = 0. */
static void check_balance(const MatrixProblem *p, const double *r, double force) {
    size_t n = (size_t)p->h.rows;
    double *rest = malloc(n * sizeof *rest);
    memcpy(rest, p->f, n * sizeof *rest);
    scr_sparse_multiply(&p->h, 1, r, rest);
    for (size_t i = 0; i < n; i++) {
        CHECK_NEAR(rest[i] / force, 0, 1e-8 * sqrt((double)n));
    }
    free(rest);
}

/* Starting from the impulses of a similar problem, in the static limit. In the similar problem
 * contacts that carry nothing are open by a hundred units more, which changes nothing else, so its
 * impulses are known. With them fewer iterations are needed; from senseless ones the same solution
 * is reached with at most four iterations more than without any. */
static void known_impulses_save_iterations(void) {
    InteriorWork work = {0};
    int without = 0, with = 0, most = 0;
    for (int i = 0; i < 40; i++) {
        const RandomKind kind = {i % 2 == 0 ? 2 : 3, 25, 100, true, i % 4 < 2, 0};
        InteriorPointSettings settings = scr_interior_point_settings();
        MatrixProblem p = {0};
        CHECK(random_problem(&p, &kind, (uint64_t)i + 900));
        size_t n = (size_t)p.h.rows, m = scr_matrix_rows(&p), d = (size_t)p.block;
        double *r = malloc((3 * m + n) * sizeof *r), *s = r + m, *known = s + m, *v = known + m;
        CHECK(scr_interior_point(&work, &p, &settings, known, s, v).status == INTERIOR_SOLVED);
        settings.force = work.force;
        settings.velocity = work.velocity;
        for (size_t c = 0; c < p.contacts; c++) {
            p.w[c * d] += known[c * d] < 1e-5 * work.force ? 100 * work.velocity : 0;
        }
        InteriorPointReport cold = scr_interior_point(&work, &p, &settings, r, s, v);
        settings.known = known;
        InteriorPointReport warm = scr_interior_point(&work, &p, &settings, r, s, v);
        CHECK(cold.status == INTERIOR_SOLVED && warm.status == INTERIOR_SOLVED);
        check_balance(&p, r, work.force);
        without += cold.iterations;
        with += warm.iterations;
        most = warm.iterations > most ? warm.iterations : most;
        for (size_t j = 0; j < m; j++) {
            known[j] = (j % d == 0 ? 1e7 : 1e6) * work.force * (double)((j / d) % 7 == 0);
        }
        InteriorPointReport mad = scr_interior_point(&work, &p, &settings, r, s, v);
        CHECK(mad.status == INTERIOR_SOLVED && mad.iterations <= cold.iterations + 4);
        check_balance(&p, r, work.force);
        free(r);
        scr_matrix_problem_free(&p);
    }
    CHECK(with < 0.8 * without && most <= 20);
    scr_interior_work_free(&work);
}

int main(int argc, char **argv) {
    CHECK_RUN(known_impulses_save_iterations);
    return check_result();
}
