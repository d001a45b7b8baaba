/* The contact dynamics step, after Unger and Kertesz, "The contact dynamics method for granular
 * media":
 *
 *   predict    how bodies would move if nothing touched them
 *   list       which pairs may touch
 *   place      the bodies of the contact problem
 *   find       contacts: pairs that may close, with gap and normal (eqs 24, 25)
 *   assemble   their rows: effective masses, the impulses of the step before (eqs 17 to 23), and
 *              impacts that follow from one another (cascade.c)
 *   solve      the impulses (eq 34 for sweeps)
 *   audit      was a contact left out that the new velocities close? Then again, with more of them
 *   move       bodies and walls, at the new velocities (eqs 1, 2)
 *   certify    energy balance, overlaps, implied elasticity
 *
 * No contact is ever missed: candidates are chosen at free motion, and audited. */
#include "dynamics/engine.h"

#include "base/clock.h"
#include "base/status.h"
#include "dynamics/cascade.h"
#include "dynamics/find_contacts.h"
#include "dynamics/foresee.h"
#include "dynamics/tame.h"
#include "sweep/split.h"

#include <string.h>

enum { MOST_ATTEMPTS = 12, MOST_CORRECTIONS = 3, MOST_LOOKS = 6 };

/* ---------------------------------------------------------------- until the impulses are known */

ScreeStatus scr_predict_step(const StepParams *with, State *s, Engine *e) {
    e->list.slack = with->slack;
    e->task.with = with;
    e->task.state = s;
    e->task.free = &e->free;
    e->task.list = &e->list;
    SCR_TRY(scr_predict(with, s, &e->task.sums, &e->free));
    return scr_no_strays(&e->task) && scr_place_outlines(s, &e->outlines.placed) ? SCREE_OK
                                                                                 : SCREE_NO_MEMORY;
}

ScreeStatus scr_pose_problem(bool second, State *s, Engine *e, ScreeReport *report, char *message) {
    StepTask *task = &e->task;
    const SolvedWays first = {task->problem.body, task->impacts.detour};
    bool new_list = false;
    SCR_TRY(scr_update_list(task->with, s, &e->free, second ? &first : NULL, &e->list, &new_list,
                            message));
    SCR_TRY(scr_place_bodies(task));
    SCR_TRY(scr_find_contacts(task, s, &e->outlines, new_list, &e->arena));
    SCR_TRY(scr_assemble(task, &e->arena));
    report->rebuilt |= new_list;
    return SCREE_OK;
}

ScreeStatus scr_find_impulses(const StepParams *with, State *s, Engine *e, ScreeReport *report,
                              char *message) {
    const StepSolver *solver = with->solver;
    StepTask *task = &e->task;
    bool again = true, finite = true;
    int looks = 0;
    e->solved.count = 0;
    e->work.slow_flops = 0;
    task->impacts.bans = task->impacts.tamed_count = 0;
    task->foresight.count = 0;
    SCR_TRY(scr_predict_step(with, s, e));
    for (int attempt = 0; again && attempt < MOST_ATTEMPTS; attempt++) {
        bool farther = false;
        SCR_TRY(scr_pose_problem(attempt > 0, s, e, report, message));
        report->iterations = 0;
        e->work.equivalent = 0;
        SCR_TRY(solver->solve(task, &e->work, report, message));
        for (int k = 0; k < MOST_CORRECTIONS && scr_correct_turning(task); k++) {
            SCR_TRY(solver->solve(task, &e->work, report, message));
        }
        if (solver->look_farther != NULL) {
            SCR_TRY(solver->look_farther(task, &e->work, s, &e->list, &farther, message));
        }
        again = scr_missed_contact(task, s, &e->list, &e->outlines, &finite) || farther;
        SCR_TRY(scr_ban_disturbed(task, &again));
        if (!again) {
            SCR_TRY(scr_tame_impacts(task, &again));
        }
        if (!again) {
            SCR_TRY(scr_foresee(task, &e->outlines, &again));
            again = again && looks++ < MOST_LOOKS;
        }
    }
    report->converged = report->converged && !again;
    size_t contacts = s->contacts.count;
    e->most_contacts = contacts > e->most_contacts ? contacts : e->most_contacts;
    SCR_TRY(scr_remember_solved(&task->problem, &e->solved));
    return scr_check_finite(task, finite, report, message);
}

/* ---------------------------------------------------------------- from there on */

/* The solution into the contacts, bodies and walls. Nothing can fail any more. */
static void move_and_certify(StepTask *task, State *s, Engine *e, ScreeReport *report) {
    scr_collect(task, s, report);
    scr_collect_normals(task, s);
    if (report->cuts > 0) {
        scr_join_pieces(task, &e->work, s, report);
    }
    s->contacts.steady = e->work.steady;
    s->contacts.ratio = e->work.ratio;
    EnergyBalance balance = scr_certify_drives(task, report);
    scr_load_walls(task, s);
    scr_move(task, s, &balance, report);
    scr_share_all(&task->problem, &task->order);
    scr_certify(task, s, &e->outlines, &balance, &e->work, report);
}

static ScreeStatus make_step(State *s, Engine *e, ScreeReport *report, char *message) {
    const StepParams with = scr_step_params(s, e);
    if (!scr_copy_contacts(s, &e->before)) {
        return SCREE_NO_MEMORY;
    }
    SCR_TRY(scr_find_impulses(&with, s, e, report, message));
    move_and_certify(&e->task, s, e, report);
    return SCREE_OK;
}

ScreeStatus scr_contact_dynamics_step(State *s, Engine *e, ScreeReport *report, char *message) {
    const double begin = scr_seconds();
    memset(report, 0, sizeof *report);
    ScreeStatus status = make_step(s, e, report, message);
    scr_end_step(s, e, status, report);
    e->seconds += scr_seconds() - begin;
    return status;
}
