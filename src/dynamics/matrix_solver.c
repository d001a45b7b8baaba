/* The problem of a contact dynamics step, solved in matrices: by the interior-point method, or by
 * Newton's on the local form. They find what the sweeps would find. What the first does not reach
 * is left to the second, and what that does not reach to the sweeps; each begins with the best
 * impulses so far, those of the step before at first. */
#include "dynamics/step_solver.h"

#include "base/clock.h"
#include "base/status.h"
#include "sweep/iteration.h"

#include <string.h>

/* Newton's method measures errors over all impulses, the judge over those that the free motion
 * asks for: so its tolerance is found in a few rounds. */
enum { ROUNDS = 4, POLISH = 500 /* sweeps */ };

static ScreeStatus refuse(const StepTask *t, Fault fault, char *message) {
    bool newton = t->state->def.solver.method == SCREE_METHOD_NEWTON;
    if (fault.status == SCREE_NO_MEMORY) {
        return fault.status;
    }
    return scr_fail(message, fault.status, "step %llu: the method %s cannot solve this problem: %s",
                    (unsigned long long)t->with->number, newton ? "newton" : "interior_point",
                    fault.words);
}

static bool is_near(const StepTask *t, const ScreeReport *report) {
    return report->overlap_added <= t->state->def.solver.overlap * t->free->least_radius;
}

/* Gives the rows impulses, and the bodies the velocities that follow. */
static void set_impulses(StepTask *t, const StepMatrices *k, const double *r, bool rounded) {
    scr_matrix_set_impulses(&k->rows, r, &t->problem);
    if (rounded) {
        scr_round_rows(k, &t->problem);
    }
    scr_refresh_velocities(t);
}

/* Errors of the law go with the root of r . s where a contact is just about to slide or to open. */
static Fault try_interior_point(StepTask *t, StepMatrices *k, ScreeReport *report) {
    InteriorPointSettings settings = scr_interior_point_settings();
    double tolerance = t->state->def.solver.tolerance;
    settings.exact = true;
    settings.tolerance = fmin(1e-6, fmax(1e-13, tolerance * tolerance));
    if (!scr_find_units(k, &t->problem, &settings)) {
        memset(k->r, 0, scr_matrix_rows(&k->rows.problem) * sizeof *k->r);
        set_impulses(t, k, k->r, false);
        return scr_no_fault();
    }
    InteriorPointReport solved =
        scr_interior_point(&k->work, &k->rows.problem, &settings, k->r, k->s, k->v);
    report->iterations += solved.iterations;
    if (solved.status == INTERIOR_NO_MEMORY) {
        return scr_fault_of_memory();
    }
    if (solved.status != INTERIOR_NO_BALANCE && solved.status != INTERIOR_LOCKED) {
        set_impulses(t, k, k->r, true);
    }
    return scr_no_fault();
}

/* From the impulses r of the work space. */
static Fault try_newton(StepTask *t, StepMatrices *k, double tolerance, ScreeReport *report) {
    MatrixRows *rows = &k->rows;
    double *r = k->r;
    MatrixSettings settings = scr_matrix_settings();
    settings.measure = MATRIX_MEASURE_RELATIVE;
    settings.tolerance = 0.5 * tolerance;
    Fault fault = scr_matrix_reduce_with(&k->reducer, &rows->problem);
    for (int round = 0; fault.status == SCREE_OK && round < ROUNDS; round++) {
        settings.tolerance = fmax(settings.tolerance, 1e-15);
        MatrixReport solved = scr_matrix_newton_with(&k->newton, &rows->problem, &settings, r);
        report->iterations += solved.iterations;
        if (solved.status == MATRIX_NO_MEMORY) {
            return scr_fault_of_memory();
        }
        set_impulses(t, k, r, false);
        scr_judge_rows(t, report);
        if (solved.status != MATRIX_SOLVED ||
            (report->residual <= tolerance && is_near(t, report))) {
            break;
        }
        settings.tolerance *= 0.1 * fmin(1, tolerance / report->residual);
    }
    return fault;
}

/* Newton's method begins with the best impulses so far; it also goes on where the interior-point
 * method did not reach the exact law. */
static Fault try_methods(StepTask *t, StepMatrices *k, ScreeReport *report) {
    const ScreeSolverDef *def = &t->state->def.solver;
    double before = report->residual;
    Fault fault = scr_no_fault();
    bool better = false;
    if (def->method == SCREE_METHOD_INTERIOR_POINT) {
        fault = try_interior_point(t, k, report);
        scr_judge_rows(t, report);
        better = report->residual < before;
    }
    if (fault.status == SCREE_OK && !scr_is_converged(t, report)) {
        if (!better) {
            memcpy(k->r, k->rows.now, scr_matrix_rows(&k->rows.problem) * sizeof *k->r);
        }
        fault = try_newton(t, k, def->tolerance, report);
    }
    return fault;
}

/* Gets as close to the solution as the matrix methods can. */
static ScreeStatus run_matrices(StepTask *t, SolverWork *work, ScreeReport *report, char *message) {
    StepMatrices *k = &work->matrices;
    double begin = scr_seconds();
    scr_judge_rows(t, report);
    ScreeReport before = *report;
    Fault fault = scr_matrix_from_rows(&k->rows, &t->problem, NULL, 0);
    if (fault.status == SCREE_OK && !scr_reserve_solution(k)) {
        fault = scr_fault_of_memory();
    }
    if (fault.status == SCREE_OK && k->rows.problem.h.rows > 0 && !scr_is_converged(t, report)) {
        fault = try_methods(t, k, report);
    }
    if (fault.status != SCREE_OK) {
        return refuse(t, fault, message);
    }
    if (!(report->residual < before.residual) && !scr_is_converged(t, report)) {
        set_impulses(t, k, k->rows.now, false); /* no better, perhaps not even finite */
    }
    work->updates += (double)report->iterations * (double)t->problem.rows;
    work->seconds += scr_seconds() - begin;
    return SCREE_OK;
}

static ScreeStatus solve(StepTask *t, SolverWork *work, ScreeReport *report, char *message) {
    bool empty = t->problem.rows == 0;
    if (!empty) {
        SCR_TRY(run_matrices(t, work, report, message));
    }
    if (empty || !scr_is_converged(t, report)) {
        SCR_TRY(scr_run_sweeps(t, work, report));
    }
    return scr_settle_rows(t, work, report);
}

const StepSolver scr_matrix_solver = {.whole_bodies = true, .solve = solve};

ScreeStatus scr_polish(StepTask *t, SolverWork *work, bool newton, ScreeReport *report) {
    double tolerance = t->state->def.variational.tolerance;
    if (newton) {
        SCR_TRY(try_newton(t, &work->matrices, tolerance, report).status);
    }
    scr_refresh_velocities(t);
    scr_judge_rows(t, report);
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
        .stored = &t->order,
        .threads = t->with->threads,
    };
    (void)scr_solve(&t->problem, &settings);
    scr_refresh_velocities(t);
    scr_judge_rows(t, report);
    return SCREE_OK;
}
