/* The problem of a contact dynamics step, solved in matrices: by the interior-point method, or by
 * Newton's on the local form. They find what the sweeps would find. What the first does not reach
 * is left to the second, and what that does not reach to the sweeps; each begins with the best
 * impulses so far, those of the step before at first. */
#include "dynamics/step_solver.h"

#include "base/clock.h"
#include "base/status.h"
#include "sweep/iteration.h"

#include <limits.h>
#include <string.h>

/* Newton's method measures errors over all impulses; the judge has other units, and looks at
 * velocities as well. So the tolerance that will do is found in a few rounds, each from what the
 * last one has reached. */
enum { ROUNDS = 6, POLISH = 500 /* sweeps */ };

static ScreeStatus refuse(const StepTask *t, Fault fault, char *message) {
    bool newton = t->state->def.solver.method == SCREE_METHOD_NEWTON;
    if (fault.status == SCREE_NO_MEMORY) {
        return fault.status;
    }
    return scr_fail(message, fault.status, "step %llu: the method %s cannot solve this problem: %s",
                    (unsigned long long)t->with->number, newton ? "newton" : "interior_point",
                    fault.words);
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
Fault scr_try_interior_point(StepTask *t, StepMatrices *k, ScreeReport *report) {
    InteriorPointSettings settings = scr_interior_point_settings();
    double tolerance = t->state->def.solver.tolerance;
    settings.exact = true;
    k->locked = false;
    settings.tolerance = scr_min(1e-6, scr_max(1e-13, tolerance * tolerance));
    if (!scr_find_units(k, &t->problem, &settings)) {
        memset(k->r, 0, scr_matrix_rows(&k->rows.problem) * sizeof *k->r);
        set_impulses(t, k, k->r, false);
        scr_judge_rows(t, report);
        return scr_no_fault();
    }
    InteriorPointReport solved =
        scr_interior_point(&k->work, &k->rows.problem, &settings, k->r, k->s, k->v);
    report->iterations += solved.iterations;
    k->locked = solved.status == INTERIOR_LOCKED;
    if (solved.status == INTERIOR_NO_MEMORY) {
        return scr_fault_of_memory();
    }
    if (solved.status != INTERIOR_NO_BALANCE && solved.status != INTERIOR_LOCKED) {
        set_impulses(t, k, k->r, true);
    }
    scr_judge_rows(t, report);
    return scr_no_fault();
}

Fault scr_try_newton(StepTask *t, StepMatrices *k, const ResidualLimits *limits, NewtonEffort most,
                     ScreeReport *report) {
    MatrixRows *rows = &k->rows;
    double *r = k->r;
    MatrixSettings settings = scr_matrix_settings();
    settings.measure = MATRIX_MEASURE_RELATIVE;
    settings.iterations_most = most.iterations;
    settings.flops_most = most.flops;
    settings.tolerance = 0.5 * limits->relative;
    Fault fault = scr_matrix_reduce_with(&k->reducer, &rows->problem);
    for (int round = 0; fault.status == SCREE_OK && round < ROUNDS; round++) {
        settings.tolerance = scr_max(settings.tolerance, 1e-15);
        MatrixReport solved = scr_matrix_newton_with(&k->newton, &rows->problem, &settings, r);
        report->iterations += solved.iterations;
        if (solved.status == MATRIX_NO_MEMORY) {
            return scr_fault_of_memory();
        }
        set_impulses(t, k, r, false);
        scr_judge_rows(t, report);
        double excess = scr_report_excess(t, limits, report);
        if (solved.status != MATRIX_SOLVED || excess <= scr_aim(limits)) {
            break;
        }
        double aim = excess > 1 ? 0.1 : 0.5 * scr_aim(limits);
        settings.tolerance = aim / excess * scr_min(settings.tolerance, solved.residual.relative);
    }
    return fault;
}

/* Newton's method begins with the best impulses so far; it also goes on where the interior-point
 * method did not reach the exact law. */
static Fault try_methods(StepTask *t, StepMatrices *k, ScreeReport *report) {
    const ScreeSolverDef *def = &t->state->def.solver;
    const ResidualLimits limits = scr_residual_limits(t);
    double before = scr_report_excess(t, &limits, report);
    Fault fault = scr_no_fault();
    bool better = false;
    if (def->method == SCREE_METHOD_INTERIOR_POINT) {
        fault = scr_try_interior_point(t, k, report);
        better = scr_report_excess(t, &limits, report) < before;
    }
    if (fault.status == SCREE_OK && !scr_is_converged(t, report)) {
        if (!better) {
            memcpy(k->r, k->rows.now, scr_matrix_rows(&k->rows.problem) * sizeof *k->r);
        }
        fault = scr_try_newton(t, k, &limits, (NewtonEffort){0}, report);
    }
    return fault;
}

/* Back to the impulses that the rows had, if those found are no better, or not even finite. */
void scr_keep_better(StepTask *t, StepMatrices *k, const ScreeReport *before, ScreeReport *report) {
    const ResidualLimits limits = scr_residual_limits(t);
    if (!(scr_report_excess(t, &limits, report) < scr_report_excess(t, &limits, before))) {
        set_impulses(t, k, k->rows.now, false);
        scr_judge_rows(t, report);
    }
}

/* Gets as close to the solution as the matrix methods can. */
static ScreeStatus run_matrices(StepTask *t, SolverWork *work, ScreeReport *report, char *message) {
    StepMatrices *k = &work->matrices;
    double begin = scr_seconds();
    scr_judge_rows(t, report);
    ScreeReport before = *report;
    Fault fault = scr_matrix_from_rows(&k->rows, &t->problem, NULL, 0, MATRIX_LAWS_EXACT);
    if (fault.status == SCREE_OK && !scr_reserve_solution(k)) {
        fault = scr_fault_of_memory();
    }
    if (fault.status == SCREE_OK && k->rows.problem.h.rows > 0 && !scr_is_converged(t, report)) {
        fault = try_methods(t, k, report);
    }
    if (fault.status != SCREE_OK) {
        return refuse(t, fault, message);
    }
    scr_keep_better(t, k, &before, report);
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
        SCR_TRY(scr_run_sweeps(t, INT_MAX, work, report));
    }
    return scr_settle_rows(t, work, report);
}

const StepSolver scr_matrix_solver = {.whole_bodies = true, .solve = solve};

ScreeStatus scr_polish(StepTask *t, SolverWork *work, bool newton, ScreeReport *report) {
    double tolerance = t->state->def.variational.tolerance;
    const ResidualLimits limits = scr_impulse_limits(tolerance);
    if (newton) {
        SCR_TRY(scr_try_newton(t, &work->matrices, &limits, (NewtonEffort){0}, report).status);
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
        .limits = limits,
        .stored = &t->order,
        .threads = t->with->threads,
    };
    (void)scr_solve(&t->problem, &settings);
    scr_refresh_velocities(t);
    scr_judge_rows(t, report);
    return SCREE_OK;
}
