/* The problem of a contact dynamics step, solved in matrices: by the interior-point method, or by
 * Newton's on the local form. They find what the sweeps would find. What the first does not reach
 * is left to the second, and what that does not reach to the sweeps; each begins with the best
 * impulses so far, those of the step before at first. */
#include "dynamics/engine.h"

#include "base/clock.h"

#include <stdio.h>
#include <string.h>

/* Newton's method measures errors over all impulses, the judge over those that the free motion
 * asks for: so its tolerance is found in a few rounds. */
enum { ROUNDS = 4, POLISH = 500 /* sweeps */ };

static const char no_memory[] = "out of memory";

static ScreeStatus refuse(const State *s, const char *reason, char *message) {
    bool newton = s->def.solver.method == SCREE_METHOD_NEWTON;
    if (strcmp(reason, no_memory) == 0) {
        return SCREE_NO_MEMORY;
    }
    snprintf(message, SCREE_MESSAGE_SIZE, "step %llu: the method %s cannot solve this problem: %s",
             (unsigned long long)s->step + 1, newton ? "newton" : "interior_point", reason);
    return SCREE_BAD_ARGUMENT;
}

/* What the rows have reached, for the report. */
static void judge(const State *s, Engine *e, ScreeReport *report) {
    Residual judged = scr_problem_residual(&e->problem, e->threads);
    report->residual = judged.relative;
    report->residual_fclib = judged.fclib;
    report->overlap_added = judged.approach * s->def.time_step;
}

static bool is_near(const State *s, const Engine *e, const ScreeReport *report) {
    return report->overlap_added <= s->def.solver.overlap * e->least_radius;
}

static bool is_reached(const State *s, const Engine *e, const ScreeReport *report) {
    return report->residual <= s->def.solver.tolerance && is_near(s, e, report);
}

/* Gives the rows impulses, and the bodies the velocities that follow. */
static void set_impulses(const State *s, Engine *e, const double *r, bool rounded) {
    scr_matrix_set_impulses(&e->matrices.rows, r, &e->problem);
    if (rounded) {
        scr_round_rows(&e->matrices, &e->problem);
    }
    scr_refresh_velocities(s, e);
}

/* Errors of the law go with the root of r . s where a contact is just about to slide or to open. */
static const char *try_interior_point(const State *s, Engine *e, ScreeReport *report) {
    StepMatrices *k = &e->matrices;
    InteriorPointSettings settings = scr_interior_point_settings();
    double tolerance = s->def.solver.tolerance;
    settings.exact = true;
    settings.tolerance = fmin(1e-6, fmax(1e-13, tolerance * tolerance));
    if (!scr_find_units(k, &e->problem, &settings)) {
        memset(k->r, 0, scr_matrix_rows(&k->rows.problem) * sizeof *k->r);
        set_impulses(s, e, k->r, false);
        return NULL;
    }
    InteriorPointReport solved =
        scr_interior_point(&k->work, &k->rows.problem, &settings, k->r, k->s, k->v);
    report->iterations += solved.iterations;
    if (solved.status == INTERIOR_NO_MEMORY) {
        return no_memory;
    }
    if (solved.status != INTERIOR_NO_BALANCE && solved.status != INTERIOR_LOCKED) {
        set_impulses(s, e, k->r, true);
    }
    return NULL;
}

/* From the impulses r of the work space. */
static const char *try_newton(const State *s, Engine *e, double tolerance, ScreeReport *report) {
    MatrixRows *rows = &e->matrices.rows;
    double *r = e->matrices.r;
    MatrixSettings settings = scr_matrix_settings();
    settings.measure = MATRIX_MEASURE_RELATIVE;
    settings.tolerance = 0.5 * tolerance;
    const char *fault = scr_matrix_reduce_with(&e->matrices.reducer, &rows->problem);
    for (int round = 0; fault == NULL && round < ROUNDS; round++) {
        settings.tolerance = fmax(settings.tolerance, 1e-15);
        MatrixReport solved =
            scr_matrix_newton_with(&e->matrices.newton, &rows->problem, &settings, r);
        report->iterations += solved.iterations;
        if (solved.status == MATRIX_NO_MEMORY) {
            return no_memory;
        }
        set_impulses(s, e, r, false);
        judge(s, e, report);
        if (solved.status != MATRIX_SOLVED ||
            (report->residual <= tolerance && is_near(s, e, report))) {
            break;
        }
        settings.tolerance *= 0.1 * fmin(1, tolerance / report->residual);
    }
    return fault;
}

/* Newton's method begins with the best impulses so far; it also goes on where the interior-point
 * method did not reach the exact law. */
static const char *try_methods(const State *s, Engine *e, ScreeReport *report) {
    StepMatrices *k = &e->matrices;
    double before = report->residual;
    const char *fault = NULL;
    bool better = false;
    if (s->def.solver.method == SCREE_METHOD_INTERIOR_POINT) {
        fault = try_interior_point(s, e, report);
        judge(s, e, report);
        better = report->residual < before;
    }
    if (fault == NULL && !is_reached(s, e, report)) {
        if (!better) {
            memcpy(k->r, k->rows.now, scr_matrix_rows(&k->rows.problem) * sizeof *k->r);
        }
        fault = try_newton(s, e, s->def.solver.tolerance, report);
    }
    return fault;
}

ScreeStatus scr_run_matrices(const State *s, Engine *e, ScreeReport *report, char *message) {
    StepMatrices *k = &e->matrices;
    double begin = scr_seconds();
    if (e->problem.rows == 0) {
        return scr_run_solver(s, e, report);
    }
    if (e->problem.twos > 0) {
        return refuse(s, "two coefficients of friction cannot be said in matrices", message);
    }
    judge(s, e, report);
    ScreeReport before = *report;
    const char *fault = scr_matrix_from_rows(&k->rows, &e->problem, NULL, 0);
    if (fault == NULL && !scr_reserve_solution(k)) {
        fault = no_memory;
    }
    if (fault == NULL && k->rows.problem.h.rows > 0 && !is_reached(s, e, report)) {
        fault = try_methods(s, e, report);
    }
    if (fault != NULL) {
        return refuse(s, fault, message);
    }
    if (!(report->residual < before.residual) && !is_reached(s, e, report)) {
        set_impulses(s, e, k->rows.now, false); /* no better: not a number, perhaps */
    }
    e->updates += (double)report->iterations * (double)e->problem.rows;
    e->seconds_solver += scr_seconds() - begin;
    return is_reached(s, e, report) ? SCREE_OK : scr_run_solver(s, e, report);
}

ScreeStatus scr_polish(const State *s, Engine *e, bool newton, ScreeReport *report) {
    double tolerance = s->def.variational.tolerance;
    if (newton && try_newton(s, e, tolerance, report) != NULL) {
        return SCREE_NO_MEMORY;
    }
    scr_refresh_velocities(s, e);
    judge(s, e, report);
    if (report->residual <= tolerance) {
        return SCREE_OK;
    }
    const SolveSettings settings = {
        .def = {.method = SCREE_METHOD_GAUSS_SEIDEL,
                .order = SCREE_ORDER_FIXED,
                .criterion = SCREE_CRITERION_RESIDUAL,
                .tolerance = tolerance,
                .iterations = POLISH},
        .approach = INFINITY,
        .stored = &e->order,
        .threads = e->threads,
    };
    (void)scr_solve(&e->problem, &settings);
    scr_refresh_velocities(s, e);
    judge(s, e, report);
    return SCREE_OK;
}
