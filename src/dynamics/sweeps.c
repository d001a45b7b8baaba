/* Sweeps over the problem of a step, and what is said of their result. Cutting a step and the
 * solvers stand above this file. */
#include "dynamics/step_solver.h"

#include "base/clock.h"
#include "sweep/iteration.h"

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
