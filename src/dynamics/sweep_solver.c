/* Impulses by sweeps: one contact after another, until the criterion holds. */
#include "dynamics/step_solver.h"

#include "base/status.h"
#include "sweep/iteration.h"

/* After so many sweeps the velocities are the sum of many small changes, and are made anew. */
enum { MANY_SWEEPS = 100, MANY_ACCELERATED = 10 };

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
