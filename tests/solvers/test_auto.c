/* The table of solvers, and the one that chooses among them. */
#include "check.h"
#include "matrix/reduce.h"
#include "solvers/solvers.h"
#include "matrix/sample.h"

static void every_method_is_found_by_its_name(void) {
    const MatrixMethod *method;
    size_t count = 0;
    for (; (method = scr_matrix_method(count)) != NULL; count++) {
        CHECK(scr_find_matrix_method(method->name) == method);
        CHECK(method->about[0] != '\0');
    }
    CHECK(count > 3);
    CHECK(strcmp(scr_matrix_method(0)->name, "auto") == 0);
    CHECK(scr_find_matrix_method("none") == NULL);
}

/* A tolerance that no solver can reach: `auto` tries them all, and its result is no worse than that
 * of plain Gauss-Seidel from the same start. The limits on iterations hold for all tries
 * together. */
static void auto_is_never_worse_than_gauss_seidel(void) {
    static const int blocks[] = {2, 3, 5};
    for (int i = 0; i < 3; i++) {
        MatrixProblem p = {0};
        MatrixSettings settings = scr_matrix_settings();
        double r[40] = {0}, plain[40] = {0}, u[40];
        settings.tolerance = 1e-300;
        CHECK(sample_global(&p, blocks[i], 8, 3));
        CHECK(scr_matrix_reduce(&p).status == SCREE_OK);
        MatrixReport by_auto = scr_matrix_auto(&p, &settings, r);
        MatrixReport by_sweeps =
            scr_find_matrix_method("gauss_seidel")->solve(&p, &settings, plain);
        CHECK(by_auto.status != MATRIX_SOLVED || by_auto.residual.siconos <= 1e-300);
        CHECK(by_auto.residual.siconos <= by_sweeps.residual.siconos);
        CHECK(scr_matrix_residual(&p, r, u).siconos == by_auto.residual.siconos);
        settings.iterations_most = 7;
        memset(r, 0, sizeof r);
        CHECK(scr_matrix_auto(&p, &settings, r).iterations <= 7);
        scr_matrix_problem_free(&p);
    }
}

int main(int argc, char **argv) {
    CHECK_RUN(every_method_is_found_by_its_name);
    CHECK_RUN(auto_is_never_worse_than_gauss_seidel);
    return check_result();
}
