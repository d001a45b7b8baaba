/* Impulses by sweeps: one contact after another, until the criterion holds. */
#include "dynamics/there.h"
#include "dynamics/step_solver.h"

#include "base/status.h"
#include "sweep/iteration.h"

#include <limits.h>

/* After so many sweeps the velocities are the sum of many small changes, and are made anew. */
enum { MANY_SWEEPS = 100, MANY_ACCELERATED = 10 };

/* What every solver of contact dynamics ends with. */
ScreeStatus scr_settle_rows(StepTask *t, SolverWork *work, ScreeReport *report) {
    bool accelerated = scr_is_accelerated(&t->state->def.solver);
    if (report->iterations > (accelerated ? MANY_ACCELERATED : MANY_SWEEPS)) {
        (t->there != NULL ? scr_refresh_there : scr_refresh_velocities)(t);
    }
    SCR_TRY(scr_cut_step(t, work, report));
    report->converged = scr_is_converged(t, report);
    t->miss = scr_find_miss(t, report);
    return SCREE_OK;
}

/* With a handful of rows it costs as little as the sweeps that a small problem has free. */
enum { HANDFUL = 16 };

static bool is_good(const StepTask *t, const SolverWork *work, const ScreeReport *report) {
    const ResidualLimits limits = scr_residual_limits(t);
    double most = scr_all_rows(&t->problem) <= HANDFUL ? scr_aim(&limits) : 1;
    return report->unsettled == 0 && work->excess <= most;
}

static bool is_cold(const StepTask *t) {
    return t->there != NULL ? t->there->cold : scr_is_cold(&t->problem);
}

/* Large problems may need many sweeps for no other reason than their size, and all that there are
 * where there is nothing to begin with. */
static int patience(const StepTask *t) {
    const int most = t->state->def.solver.iterations;
    return scr_all_rows(&t->problem) <= SCR_MODERATE ? SCR_PATIENCE : is_cold(t) ? most : most / 2;
}

static ScreeStatus solve(StepTask *t, SolverWork *work, ScreeReport *report, char *message) {
    (void)message;
    const bool rescue = scr_can_be_rescued(t);
    SCR_TRY(scr_run_sweeps(t, rescue ? patience(t) : INT_MAX, work, report));
    if (t->there != NULL && (work->device.given_up || (rescue && !is_good(t, work, report)))) {
        t->there->given_up = true; /* patches of rows are the processor's */
        return SCREE_OK;
    }
    if (rescue && !is_good(t, work, report)) {
        if (t->share != NULL) { /* patches of rows need all of them */
            t->share->given_up = true;
            return SCREE_OK;
        }
        SCR_TRY(scr_rescue(t, work, report));
        if (!scr_is_converged(t, report) && !work->hopeless) {
            SCR_TRY(scr_run_sweeps(t, INT_MAX, work, report));
        }
        if (!scr_is_converged(t, report) && !work->hopeless) {
            SCR_TRY(scr_last_resort(t, work, report));
        }
    }
    return scr_settle_rows(t, work, report);
}

const StepSolver scr_sweep_solver = {.solve = solve};

void scr_solver_work_free(SolverWork *work) {
    scr_step_matrices_free(&work->matrices);
    scr_part_free(&work->part);
    scr_domain_free(&work->domain);
    scr_device_rows_free(&work->device);
    SCR_FREE_BLOCKS(&work->momentum_block, &work->sequence_block, &work->cut_block,
                    &work->start_block, &work->copy_block, &work->patch_block,
                    &work->settled_block);
    *work = (SolverWork){0};
}
