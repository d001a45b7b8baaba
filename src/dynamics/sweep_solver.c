/* Impulses by sweeps: one contact after another, until the criterion holds. And what is said of
 * their result. */
#include "dynamics/step_solver.h"

#include "base/clock.h"
#include "base/status.h"
#include "sweep/iteration.h"

/* After so many sweeps the velocities are the sum of many small changes, and are made anew. */
enum { MANY_SWEEPS = 100, MANY_ACCELERATED = 10 };

ScreeStatus scr_run_sweeps(StepTask *t, SolverWork *work, ScreeReport *report) {
    const ScreeSolverDef *def = &t->state->def.solver;
    bool accelerated = scr_is_accelerated(def);
    size_t bytes = accelerated ? scr_momentum_bytes(&t->problem) : 0;
    size_t drawn = def->order == SCREE_ORDER_RANDOM ? t->problem.rows + 1 : 0;
    if (!scr_block_reserve(&work->momentum_block, bytes, 1, 0) ||
        !scr_block_reserve(&work->sequence_block, drawn, sizeof(int32_t), 0)) {
        return SCREE_NO_MEMORY;
    }
    double dt = t->with->time_step;
    const SolveSettings settings = {
        .def = *def,
        .approach = def->overlap * t->free->least_radius / dt,
        .small_impulse = def->small_force * dt,
        .seed = t->state->def.seed,
        .step = t->state->step,
        .momentum = accelerated ? work->momentum_block.data : NULL,
        .sequence = work->sequence_block.data,
        .stored = &t->order,
        .threads = t->with->threads,
    };
    double begin = scr_seconds();
    SolveReport solved = scr_solve(&t->problem, &settings);
    report->iterations += solved.iterations;
    work->equivalent += solved.equivalent;
    report->residual = solved.residual.relative;
    report->residual_fclib = solved.residual.fclib;
    report->overlap_added = solved.residual.approach * dt;
    report->unsettled = (int64_t)solved.unsettled;
    work->seconds += scr_seconds() - begin;
    work->updates += (double)solved.iterations * (double)t->problem.rows;
    return SCREE_OK;
}

bool scr_is_converged(const StepTask *t, const ScreeReport *report) {
    const ScreeSolverDef *def = &t->state->def.solver;
    return report->residual <= def->tolerance && report->unsettled == 0 &&
           report->overlap_added <= def->overlap * t->free->least_radius;
}

void scr_judge_rows(const StepTask *t, ScreeReport *report) {
    Residual judged = scr_problem_residual(&t->problem, t->with->threads);
    report->residual = judged.relative;
    report->residual_fclib = judged.fclib;
    report->overlap_added = judged.approach * t->with->time_step;
}

/* What every solver of contact dynamics ends with. */
ScreeStatus scr_settle_rows(StepTask *t, SolverWork *work, ScreeReport *report) {
    bool accelerated = scr_is_accelerated(&t->state->def.solver);
    if (report->iterations > (accelerated ? MANY_ACCELERATED : MANY_SWEEPS)) {
        scr_refresh_velocities(t);
    }
    SCR_TRY(scr_cut_step(t, work, report));
    report->converged = scr_is_converged(t, report);
    return SCREE_OK;
}

static ScreeStatus solve(StepTask *t, SolverWork *work, ScreeReport *report, char *message) {
    (void)message;
    SCR_TRY(scr_run_sweeps(t, work, report));
    return scr_settle_rows(t, work, report);
}

const StepSolver scr_sweep_solver = {.solve = solve};

void scr_solver_work_free(SolverWork *work) {
    scr_step_matrices_free(&work->matrices);
    SCR_FREE_BLOCKS(&work->momentum_block, &work->sequence_block, &work->cut_block,
                    &work->start_block);
    *work = (SolverWork){0};
}
