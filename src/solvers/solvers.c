#include "solvers/solvers.h"

#include "base/clock.h"
#include "base/random.h"
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
    case MATRIX_UNBOUNDED:
        return "W is not positive semi-definite";
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
    MatrixReport best;
    double *r;     /* [rows] the impulses that it belongs to */
    double *other; /* [rows] those of a try that may be worse */
    double *u;     /* [rows] scratch */
    bool jammed;   /* the associated law has no solution */
} Trial;

/* Makes one try, with the time and the iterations that are left. */
static MatrixReport make_try(Trial *t, const char *name, double *r) {
    MatrixSettings bounded = *t->settings;
    if (t->end > 0) {
        bounded.seconds_most = scr_max(t->end - scr_thread_seconds(), 1e-9);
    }
    if (bounded.iterations_most > 0) {
        bounded.iterations_most -= t->iterations;
    }
    MatrixReport report = scr_find_matrix_method(name)->solve(t->p, &bounded, r);
    t->iterations += report.iterations;
    return report;
}

static bool is_time_up(const Trial *t) {
    return t->end > 0 && scr_thread_seconds() >= t->end;
}

static bool is_over(const Trial *t) {
    return t->best.status == MATRIX_SOLVED || t->best.status == MATRIX_INFEASIBLE ||
           is_time_up(t) ||
           (t->settings->iterations_most > 0 && t->iterations >= t->settings->iterations_most);
}

/* A try from `other`, which replaces the best if it is better. Returns how it ended. */
static MatrixStatus try_other(Trial *t, const char *name) {
    MatrixReport report = make_try(t, name, t->other);
    double measure = scr_matrix_measured(t->settings, &report.residual);
    if (report.status != MATRIX_NO_MEMORY &&
        (t->best.status == MATRIX_NO_MEMORY ||
         measure < scr_matrix_measured(t->settings, &t->best.residual))) {
        MatrixStatus last = t->best.status;
        memcpy(t->r, t->other, scr_matrix_rows(t->p) * sizeof *t->r);
        t->best = report;
        t->best.status = report.status == MATRIX_INFEASIBLE ? last : report.status;
    }
    return report.status;
}

/* Whether the last digits of the impulses forbid to come to the tolerance. */
static bool is_at_its_last_digits(const Trial *t) {
    if (t->settings->yardstick == NULL) {
        return false;
    }
    (void)scr_matrix_law_error(t->settings->yardstick, t->r, t->u, NULL);
    return scr_matrix_law_rounding(t->settings->yardstick) > t->settings->tolerance;
}

/* As long as there is time: Newton's method from the best impulses, each of them changed by up to
 * half. Where it gets to depends on where it begins. */
static void shake(Trial *t) {
    for (uint64_t turn = 0; t->end > 0 && !is_over(t) && !is_at_its_last_digits(t); turn++) {
        uint64_t key = scr_random_key(20, turn, 0);
        for (size_t i = 0; i < scr_matrix_rows(t->p); i++) {
            t->other[i] = (0.5 + scr_random_unit(key, i)) * t->r[i];
        }
        (void)try_other(t, "newton");
    }
}

/* Where everything fails, the interior point may tell why: if even the associated law, a convex
 * programme, has no solution, friction jams bodies. That is no proof for the exact law, in which
 * contacts may slide without dilating; the verdict sees to that. */
static void ask_interior_point(Trial *t) {
    enum { ROWS_MOST = 3000 }; /* its factorisations take long, and cannot be interrupted */
    size_t m = scr_matrix_rows(t->p);
    if (is_over(t) || m > ROWS_MOST || !t->settings->patient) {
        return;
    }
    memcpy(t->other, t->r, m * sizeof *t->other);
    t->jammed = try_other(t, "interior_point") == MATRIX_INFEASIBLE;
}

/* After the other tries comes plain Gauss-Seidel from the original start, so that auto never ends
 * up worse than that. */
static void try_all(Trial *t) {
    for (size_t i = 0; i < sizeof tries / sizeof *tries && !is_over(t); i++) {
        t->best = make_try(t, tries[i], t->r);
    }
    if (!is_over(t)) {
        (void)try_other(t, "gauss_seidel");
    }
    ask_interior_point(t);
    shake(t);
    t->best.iterations = t->iterations;
    if (t->best.status != MATRIX_SOLVED && t->best.status != MATRIX_NO_MEMORY && is_time_up(t)) {
        t->best.status = MATRIX_SECONDS;
        t->best.reason = NULL;
    }
    if (t->best.status != MATRIX_SOLVED && t->jammed) {
        t->best.status = MATRIX_INFEASIBLE;
        t->best.reason = NULL;
    }
}

MatrixReport scr_matrix_auto(const MatrixProblem *p, const MatrixSettings *settings, double *r) {
    Block block = {0};
    size_t m = scr_matrix_rows(p);
    Trial trial = {.p = p, .settings = settings, .r = r};
    trial.best.status = MATRIX_NO_MEMORY;
    trial.end = settings->seconds_most > 0 ? scr_thread_seconds() + settings->seconds_most : 0;
    if (!scr_block_reserve_exact(&block, 2 * m + 1, sizeof *r, 0)) {
        return trial.best;
    }
    trial.other = block.data;
    trial.u = trial.other + m;
    memcpy(trial.other, r, m * sizeof *r);
    try_all(&trial);
    scr_block_free(&block);
    return trial.best;
}
