#include "solvers/solvers.h"

#include "base/clock.h"
#include "interior/point.h"
#include "matrix/newton.h"
#include "matrix/projected.h"
#include "matrix/sweep.h"

#include <math.h>
#include <string.h>

static const MatrixMethod methods[] = {
    {"auto", "chooses among the others by their progress", scr_matrix_auto},
    {"gauss_seidel", "one contact after another, each exactly", scr_matrix_gauss_seidel},
    {"accelerated", "Gauss-Seidel sweeps with extrapolation and restart", scr_matrix_accelerated},
    {"projected", "the same with a projection in place of the exact contact", scr_matrix_projected},
    {"proximal", "Newton's method on the contact equations, with a proximal term",
     scr_matrix_proximal},
    {"path", "Newton's method along smoothed contact equations", scr_matrix_path},
    {"interior_point", "Newton's method inside the cones; with high friction it may fail",
     scr_matrix_interior_point},
    {"newton", "projected sweeps, then proximal and path in turns", scr_matrix_newton},
};

const MatrixMethod *scr_matrix_method(size_t index) {
    return index < sizeof methods / sizeof *methods ? &methods[index] : NULL;
}

const MatrixMethod *scr_find_matrix_method(const char *name) {
    const MatrixMethod *method;
    for (size_t i = 0; (method = scr_matrix_method(i)) != NULL; i++) {
        if (strcmp(method->name, name) == 0) {
            return method;
        }
    }
    return NULL;
}

const char *scr_matrix_status_text(MatrixStatus status) {
    switch (status) {
    case MATRIX_SOLVED:
        return "solved";
    case MATRIX_ITERATIONS:
        return "the number of iterations is used up";
    case MATRIX_SECONDS:
        return "the time is used up";
    case MATRIX_STALLED:
        return "no further progress";
    case MATRIX_INFEASIBLE:
        return "the problem has no solution";
    case MATRIX_NOT_FINITE:
        return "a number is no longer finite";
    case MATRIX_NO_MEMORY:
        break;
    }
    return "out of memory";
}

/* What auto tries in turn, each time from the best impulses so far. Newton's method begins with
 * sweeps of its own and leaves them when they slow down. */
static const char *const tries[] = {"newton", "accelerated"};

/* How far auto has come. */
typedef struct Trial {
    const MatrixProblem *p;
    const MatrixSettings *settings;
    double end; /* when to stop, by scr_thread_seconds; 0: never */
    int iterations;
} Trial;

/* Makes one try, with the time and the iterations that are left. */
static MatrixReport make_try(Trial *t, const char *name, double *r) {
    MatrixSettings bounded = *t->settings;
    if (t->end > 0) {
        bounded.seconds_most = fmax(t->end - scr_thread_seconds(), 1e-9);
    }
    if (bounded.iterations_most > 0) {
        bounded.iterations_most -= t->iterations;
    }
    MatrixReport report = scr_find_matrix_method(name)->solve(t->p, &bounded, r);
    t->iterations += report.iterations;
    return report;
}

static bool is_over(const Trial *t, const MatrixReport *report) {
    return report->status == MATRIX_SOLVED || (t->end > 0 && scr_thread_seconds() >= t->end) ||
           (t->settings->iterations_most > 0 && t->iterations >= t->settings->iterations_most);
}

/* The last try is plain Gauss-Seidel from the original start, so that auto never ends up worse than
 * that. */
static MatrixReport try_plain(Trial *t, const MatrixReport *best, double *start, double *r) {
    MatrixReport plain = make_try(t, "gauss_seidel", start);
    double measure = scr_matrix_measured(t->settings, &plain.residual);
    if (plain.status != MATRIX_NO_MEMORY &&
        (best->status == MATRIX_NO_MEMORY ||
         measure < scr_matrix_measured(t->settings, &best->residual))) {
        memcpy(r, start, scr_matrix_rows(t->p) * sizeof *r);
        return plain;
    }
    return *best;
}

MatrixReport scr_matrix_auto(const MatrixProblem *p, const MatrixSettings *settings, double *r) {
    Block block = {0};
    size_t m = scr_matrix_rows(p);
    Trial trial = {.p = p, .settings = settings};
    MatrixReport report = {.status = MATRIX_NO_MEMORY};
    trial.end = settings->seconds_most > 0 ? scr_thread_seconds() + settings->seconds_most : 0;
    if (!scr_block_reserve_exact(&block, m + 1, sizeof *r, 0)) {
        return report;
    }
    memcpy(block.data, r, m * sizeof *r);
    for (size_t i = 0; i < sizeof tries / sizeof *tries && !is_over(&trial, &report); i++) {
        report = make_try(&trial, tries[i], r);
    }
    if (!is_over(&trial, &report)) {
        report = try_plain(&trial, &report, block.data, r);
    }
    report.iterations = trial.iterations;
    scr_block_free(&block);
    return report;
}
