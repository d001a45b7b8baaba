/* Every problem in tests/problems, and in the folder that SCREE_PROBLEMS names, is read and solved.
 *
 *     test_problem_folder FOLDER */
#include "io/problem/file.h"
#include "check.h"

#include <dirent.h>
#include <stdlib.h>

static bool is_problem(const char *name) {
    const char *dot = strrchr(name, '.');
    return dot != NULL && (strcmp(dot, ".hdf5") == 0 || strcmp(dot, ".dat") == 0);
}

/* One contact, by the statement of the law (see tests/matrix/sample.h), scaled by the largest
 * impulse and velocity of the problem. */
static double law_error(const ScreeProblemView *v, size_t c, const double *r, const double *u,
                        double impulse, double velocity) {
    double worst =
        fmax(fmax(-r[0] / impulse, -u[0] / velocity), r[0] * u[0] / (impulse * velocity));
    for (int k = 1; k < v->components; k += 2) {
        const double coefficient = k == 1 ? v->mu[c] : v->mu_r[c], bound = coefficient * r[0];
        bool line = v->components == 2;
        double force = line ? fabs(r[1]) : hypot(r[k], r[k + 1]);
        double speed = line ? fabs(u[1]) : hypot(u[k], u[k + 1]);
        double against = line ? r[1] * u[1] : r[k] * u[k] + r[k + 1] * u[k + 1];
        worst = fmax(worst, (force - bound) / impulse);
        worst = fmax(worst, fabs(against + bound * speed) / (impulse * velocity));
    }
    return worst;
}

static double worst_law_error(const ScreeProblemView *v, const double *r, const double *u) {
    double worst = 0, impulse = 1e-300, velocity = 1e-300;
    size_t n = (size_t)v->components;
    for (size_t i = 0; i < n * v->contacts; i++) {
        impulse = fmax(impulse, fabs(r[i]));
        velocity = fmax(velocity, fmax(fabs(u[i]), fabs(v->q[i])));
    }
    for (size_t c = 0; c < v->contacts; c++) {
        worst = fmax(worst, law_error(v, c, r + n * c, u + n * c, impulse, velocity));
    }
    return worst;
}

/* Solves twice: to the tolerance, to the same bits, and the law holds as it is stated. */
static void solve(const char *path, ScreeProblem *problem, bool own) {
    ScreeProblemView v = scree_problem_get_view(problem);
    size_t m = (size_t)v.components * v.contacts;
    double *r = calloc(m + 1, sizeof *r), *again = calloc(m + 1, sizeof *r),
           *u = calloc(m + 1, sizeof *u);
    ScreeProblemSettings settings = scree_problem_settings_default();
    ScreeProblemReport report = {0}, other = {0};
    ScreeProblemResidual judged = {0};
    int before = check_failures;
    CHECK(scree_problem_solve(problem, &settings, r, &report, NULL) == SCREE_OK);
    CHECK(report.solved && report.residual.siconos <= 1e-8);
    if (CHECK_STRIDE == 1) { /* only once under a sanitizer */
        CHECK(scree_problem_solve(problem, &settings, again, &other, NULL) == SCREE_OK);
        CHECK(report.iterations == other.iterations && memcmp(r, again, m * sizeof *r) == 0);
    }
    CHECK(scree_problem_compute_residual(problem, r, u, &judged, NULL) == SCREE_OK);
    CHECK(judged.siconos == report.residual.siconos);
    v = scree_problem_get_view(problem); /* now with q */
    if (own) {                           /* in foreign units one side of the law may be hidden */
        CHECK(worst_law_error(&v, r, u) < 100 * judged.relative + 1e-9);
    }
    if (check_failures > before) {
        fprintf(stderr, "    %s: %s, residual %.3g, law %.3g\n", path, report.reason,
                judged.siconos, worst_law_error(&v, r, u));
    }
    free(r);
    free(again);
    free(u);
}

static size_t visit(const char *folder, bool own) {
    struct dirent **entry = NULL;
    int count = scandir(folder, &entry, NULL, alphasort);
    size_t found = 0;
    for (int i = 0; i < count; i++) {
        char path[4096];
        IoError error = {0};
        snprintf(path, sizeof path, "%s/%s", folder, entry[i]->d_name);
        if (is_problem(entry[i]->d_name)) {
            ScreeProblem *problem = problem_read(path, &error);
            CHECK(problem != NULL);
            if (problem != NULL) {
                solve(path, problem, own);
            } else {
                fprintf(stderr, "    %s\n", error.text);
            }
            scree_problem_destroy(problem);
            found++;
        }
        free(entry[i]);
    }
    free(entry);
    printf("%zu problems in %s\n", found, folder);
    return found;
}

int main(int argc, char **argv) {
    const char *others = getenv("SCREE_PROBLEMS");
    CHECK(argc == 2);
    CHECK(argc == 2 && visit(argv[1], true) >= 10);
    if (others != NULL && others[0] != '\0') {
        CHECK(visit(others, false) > 0);
    }
    return check_result();
}
