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
 *   audit      was a contact left out that the new velocities close? Then again, with more of them.
 *              Has the solution not converged? Then again, in halves (halves.c)
 *   move       bodies and walls, at the new velocities (eqs 1, 2)
 *   certify    energy balance, overlaps, implied elasticity
 *
 * No contact is ever missed: candidates are chosen at free motion, and audited. */
#include "dynamics/engine.h"

#include "base/clock.h"
#include "base/status.h"
#include "dynamics/bonds.h"
#include "dynamics/cascade.h"
#include "dynamics/cell_step.h"
#include "dynamics/device_step.h"
#include "dynamics/find_contacts.h"
#include "dynamics/foresee.h"
#include "dynamics/halves.h"
#include "dynamics/held.h"
#include "dynamics/shared_step.h"
#include "dynamics/tame.h"
#include "sweep/split.h"

#include <string.h>

enum { MOST_ATTEMPTS = 12, MOST_CORRECTIONS = 3, MOST_LOOKS = 6 };

/* ---------------------------------------------------------------- until the impulses are known */

static ScreeStatus predict(const StepParams *with, State *s, Engine *e) {
    SCR_TRY(scr_predict(with, s, &e->task.sums, &e->free));
    if (with->deforms) {
        scr_predict_cell(with, s, &e->free);
    }
    return scr_no_strays(&e->task) && scr_place_outlines(s, &e->outlines.placed) ? SCREE_OK
                                                                                 : SCREE_NO_MEMORY;
}

ScreeStatus scr_predict_step(const StepParams *with, State *s, Engine *e) {
    e->list.slack = with->slack;
    e->task.with = with;
    e->task.state = s;
    e->task.free = &e->free;
    e->task.list = &e->list;
    e->task.share = s->spread != NULL ? &e->share : NULL;
    e->task.sums.over = s->spread;
    scr_lead_held(s, with->time_step);
    return predict(with, s, e);
}

/* What is known of bodies from earlier attempts at this step, which goes with them; NULL: nothing. False when
 * out of memory. */
static bool note_bodies(const StepTask *t, size_t bodies, const StepNote **note) {
    const Impacts *all = &t->impacts;
    Share *share = t->share;
    *note = NULL;
    if (t->stray == NULL && all->bans == 0 && all->tamed_count == 0) {
        return true;
    }
    if (!SCR_RESERVE(share, noted, bodies + 1)) {
        return false;
    }
    for (size_t i = 0; i < bodies; i++) {
        share->noted[i] = (StepNote){.stray = t->stray != NULL ? t->stray[i] : 0,
                                     .banned = all->bans > 0 && all->banned[i],
                                     .tamed = all->tamed_count > 0 ? all->tamed[i] : 0};
    }
    *note = share->noted;
    return true;
}

static bool take_notes(StepTask *t, size_t bodies) {
    Impacts *all = &t->impacts;
    const StepNote *note = t->share->note;
    if ((all->bans > 0 && !SCR_RESERVE(all, banned, bodies + 1)) ||
        (all->tamed_count > 0 && !SCR_RESERVE(all, tamed, bodies + 1))) {
        return false;
    }
    for (size_t i = 0; i < bodies; i++) {
        if (t->stray != NULL) {
            t->stray[i] = note[i].stray;
        }
        if (all->bans > 0) {
            all->banned[i] = note[i].banned != 0;
        }
        if (all->tamed_count > 0) {
            all->tamed[i] = (uint8_t)note[i].tamed;
        }
    }
    return true;
}

/* Bodies and contacts go to the processes that need them now; those that came are predicted like the
 * others. */
static ScreeStatus settle_share(bool new_list, State *s, Engine *e) {
    StepTask *task = &e->task;
    bool moved = false;
    if (task->share == NULL) {
        return SCREE_OK;
    }
    const StepNote *note;
    if (!note_bodies(task, s->bodies.count, &note)) {
        return SCREE_NO_MEMORY;
    }
    SCR_TRY(scr_share_settle(task->share, new_list, note, &moved));
    e->list.built = e->list.built && !moved;
    if (!moved) {
        return SCREE_OK;
    }
    SCR_TRY(predict(task->with, s, e));
    if (!take_notes(task, s->bodies.count)) {
        return SCREE_NO_MEMORY;
    }
    return scr_share_take_foresight(task->share, &task->foresight);
}

ScreeStatus scr_pose_problem(bool second, State *s, Engine *e, ScreeReport *report, char *message) {
    StepTask *task = &e->task;
    const SolvedWays first = {task->problem.body, task->impacts.detour};
    if (task->share != NULL && (s->list_stale || e->free.outrun)) {
        SCR_TRY(scr_share_keep_anchors(task->share));
    }
    const bool new_list =
        scr_renew_margins(task->with, s, &e->free, second ? &first : NULL, &e->list);
    SCR_TRY(settle_share(new_list, s, e));
    SCR_TRY(scr_build_list(task->with, s, &e->list, message));
    if (task->share != NULL) {
        SCR_TRY(scr_share_note_sizes(task->share, task->with->grows));
    }
    SCR_TRY(scr_place_bodies(task));
    const bool renamed = task->share != NULL || s->images > 0; /* since the step before */
    SCR_TRY(scr_find_contacts(task, s, &e->outlines, new_list || renamed, &e->arena));
    SCR_TRY(scr_assemble(task, &e->arena));
    report->rebuilt |= new_list;
    if (task->share != NULL && task->share->wanted > task->share->layer) {
        return scr_pose_problem(second, s, e, report, message); /* with more ghosts */
    }
    return SCREE_OK;
}

static bool has_given_up(const StepTask *task) {
    return task->share != NULL && task->share->given_up;
}

/* What has been found for bodies that other processes only see. */
static ScreeStatus tell_others(const StepTask *task) {
    return task->share == NULL || task->share->given_up
               ? SCREE_OK
               : scr_share_tell(task->share, task->list->neighbours.rank, task->problem.body,
                                task->impacts.detour);
}

/* Impulses for the problem as it is posed. */
static ScreeStatus solve_problem(StepTask *task, Engine *e, ScreeReport *report, char *message) {
    const StepSolver *solver = task->with->solver;
    report->iterations = 0;
    e->work.equivalent = 0;
    SCR_TRY(solver->solve(task, &e->work, report, message));
    for (int k = 0; k < MOST_CORRECTIONS && !has_given_up(task) && scr_correct_turning(task); k++) {
        SCR_TRY(solver->solve(task, &e->work, report, message));
    }
    scr_follow_pistons(task);
    return tell_others(task);
}

ScreeStatus scr_find_impulses(const StepParams *with, State *s, Engine *e, ScreeReport *report,
                              char *message) {
    const StepSolver *solver = with->solver;
    StepTask *task = &e->task;
    bool again = true, finite = true;
    int looks = 0;
    e->solved.count = 0;
    task->impacts.bans = task->impacts.tamed_count = 0;
    task->foresight.count = e->share.foresight.count = 0;
    task->miss = (ScreeMiss){NULL, 0, 0};
    SCR_TRY(scr_predict_step(with, s, e));
    for (int attempt = 0; again && attempt < MOST_ATTEMPTS; attempt++) {
        bool farther = false;
        SCR_TRY(scr_pose_problem(attempt > 0, s, e, report, message));
        if (!has_given_up(task)) {
            SCR_TRY(solve_problem(task, e, report, message));
        }
        if (has_given_up(task)) {
            return SCREE_OK;
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
    if (report->converged && again) {
        report->converged = false;
        task->miss = (ScreeMiss){"contacts were found too late", 0, 0};
    }
    size_t contacts = s->contacts.count;
    e->most_contacts = contacts > e->most_contacts ? contacts : e->most_contacts;
    SCR_TRY(scr_remember_solved(&task->problem, &e->solved));
    if (with->deforms) {
        SCR_TRY(scr_check_cell(task, message));
    }
    return scr_check_finite(task, finite, report, message);
}

/* ---------------------------------------------------------------- from there on */

void scr_move_and_certify(State *s, Engine *e, ScreeReport *report) {
    StepTask *task = &e->task;
    scr_collect(task, s, report);
    scr_collect_normals(task, s);
    if (report->cuts > 0) {
        scr_join_pieces(task, &e->work, s, report);
    }
    s->contacts.steady = e->work.steady;
    s->contacts.ratio = e->work.ratio;
    EnergyBalance balance = scr_certify_drives(task, report);
    scr_load_walls(task, s);
    if (task->with->deforms) {
        scr_move_cell(task, s, &balance.gain, report);
    }
    scr_move(task, s, &balance, report);
    scr_share_all(&task->problem, &task->order);
    scr_certify(task, s, &e->outlines, &balance, &e->work, report);
    if (s->spread ==
        NULL) { /* else when all bodies are together: the order of contacts is that before */
        scr_flip_cell(s);
    }
    if (!report->converged && e->miss.what == NULL) {
        e->miss = task->miss;
    }
}

static ScreeStatus make_step(State *s, Engine *e, ScreeReport *report, char *message) {
    const StepParams with = scr_step_params(s, e);
    e->work.slow_flops = 0;
    memset(report, 0, sizeof *report);
    if (!scr_copy_contacts(s, &e->before) || !scr_begin_bonds(s)) {
        return SCREE_NO_MEMORY;
    }
    SCR_TRY(scr_find_impulses(&with, s, e, report, message));
    const bool halved = scr_is_to_be_halved(&e->task, report);
    if (e->task.share != NULL) { /* halves are made by all processes together */
        e->share.given_up = e->share.given_up || halved;
    } else if (halved) {
        return scr_make_in_halves(s, e, report, message);
    }
    if (!has_given_up(&e->task)) {
        scr_move_and_certify(s, e, report);
    }
    return SCREE_OK;
}

/* By what this process has. If the step needs more than that, nothing has moved, and `made` is
 * false. */
static ScreeStatus make_shared_step(State *whole, Engine *e, ScreeReport *report, bool *made,
                                    char *message) {
    State *local = &e->share.local;
    SCR_TRY(scr_share_join(e, whole));
    ScreeStatus status = make_step(local, e, report, message);
    *made = status == SCREE_OK && !e->share.given_up;
    if (*made) {
        scr_end_step(local, e, status, report);
    }
    scr_share_leave(e, whole, *made, report->iterations);
    return status;
}

/* The largest cluster of grains in contact is known to none of the processes alone. */
static ScreeStatus measure_cluster(Engine *e, ScreeReport *report) {
    if (report->converged != 0) {
        return SCREE_OK;
    }
    SCR_TRY(scr_share_cluster_length(&e->share, &report->packing_length));
    report->spurious_elasticity = report->diffusion_length < report->packing_length;
    return SCREE_OK;
}

/* By the processor, or by several. */
static ScreeStatus make_step_here(State *s, Engine *e, ScreeReport *report, char *message) {
    bool made = false;
    if (s->images == 0 && scr_is_shareable(s, e)) {
        SCR_TRY(make_shared_step(s, e, report, &made, message));
    }
    if (made) {
        e->parts++;
        SCR_TRY(measure_cluster(e, report));
        if (scr_is_to_flip(s)) {
            SCR_TRY(scr_share_dissolve(e, s));
            scr_flip_cell(s);
        }
        return SCREE_OK;
    }
    SCR_TRY(scr_share_dissolve(e, s));
    const ScreeStatus status = make_step(s, e, report, message);
    scr_end_step(s, e, status, report);
    return status;
}

ScreeStatus scr_contact_dynamics_step(State *s, Engine *e, ScreeReport *report, char *message) {
    const double begin = scr_seconds();
    bool made = false;
    ScreeStatus status = scr_step_there(s, e, report, &made, message);
    if (made) {
        scr_end_step(s, e, status, report);
    } else if (status == SCREE_OK) {
        status = make_step_here(s, e, report, message);
    }
    e->seconds += scr_seconds() - begin;
    if (status == SCREE_DEVICE_FAILED) {
        return scr_fail(message, status, "the device that sweeps has failed: %s",
                        e->there.lost ? "bodies were there, and are lost"
                                      : e->device->fault(e->device->context));
    }
    return status;
}
