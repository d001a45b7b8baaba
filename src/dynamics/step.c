/* The contact dynamics step, after Unger and Kertesz, "The contact dynamics method for granular
 * media":
 *
 *   predict    how bodies would move if nothing touched them
 *   list       which pairs may touch
 *   place      the bodies of the contact problem
 *   find       contacts: pairs that may close, with gap and normal (eqs 24, 25)
 *   assemble   their rows: effective masses, the impulses of the step before (eqs 17 to 23)
 *   solve      the impulses (eq 34 for sweeps)
 *   audit      was a contact left out that the new velocities close? Then again, with more of them
 *   move       bodies and walls, at the new velocities (eqs 1, 2)
 *   certify    energy balance, overlaps, implied elasticity
 *
 * No contact is ever missed: candidates are chosen at free motion, and audited. */
#include "dynamics/engine.h"

#include "base/clock.h"
#include "base/status.h"
#include "dynamics/find_contacts.h"
#include "sweep/split.h"

#include <stdio.h>
#include <string.h>

enum { MOST_ATTEMPTS = 12 };

/* ---------------------------------------------------------------- numbers */

/* Which body it was that would leave the range of numbers; the audit has summed energies in another
 * order, so there may be none. */
static ScreeStatus find_infinite(const StepTask *t, char *message) {
    const Bodies *b = &t->state->bodies;
    double energy = 0;
    for (size_t i = 0; i < b->count; i++) {
        const ProblemBody *p = scr_problem_body(t, (int32_t)i);
        Vec3 x = add_scaled(b->position[i], t->with->time_step, p->v);
        energy += scr_motion_energy(t->state, i, p);
        if (!is_finite(x) || !isfinite(16 * energy)) {
            snprintf(message, SCREE_MESSAGE_SIZE,
                     "step %llu: body %zu would leave all bounds (speed %.3g); check masses, "
                     "forces and the time step",
                     (unsigned long long)t->with->number, i, length(p->v));
            return SCREE_NOT_FINITE;
        }
    }
    return SCREE_OK;
}

/* The new positions and energies must be numbers, with room for sums of them, before anything
 * moves. */
static ScreeStatus check_finite(const StepTask *t, bool finite, const ScreeReport *report,
                                char *message) {
    if (!finite) {
        SCR_TRY(find_infinite(t, message));
    }
    if (!isfinite(report->residual) || !isfinite(report->residual_fclib)) {
        snprintf(message, SCREE_MESSAGE_SIZE,
                 "step %llu: impulses leave the range of numbers; check masses, forces and the "
                 "time step",
                 (unsigned long long)t->with->number);
        return SCREE_NOT_FINITE;
    }
    return SCREE_OK;
}

/* ---------------------------------------------------------------- until the impulses are known */

/* The bodies of the solved problem, before they move on, if they are wanted. */
static ScreeStatus remember_solved(const Problem *p, SolvedBodies *solved) {
    if (!solved->wanted) {
        return SCREE_OK;
    }
    if (!scr_block_reserve(&solved->block, p->bodies, sizeof *p->body, 0)) {
        return SCREE_NO_MEMORY;
    }
    memcpy(solved->block.data, p->body, p->bodies * sizeof *p->body);
    solved->count = p->bodies;
    return SCREE_OK;
}

ScreeStatus scr_predict_step(const StepParams *with, State *s, Engine *e) {
    e->list.slack = with->slack;
    e->task.with = with;
    e->task.state = s;
    e->task.free = &e->free;
    e->task.list = &e->list;
    SCR_TRY(scr_predict(with, s, &e->free));
    return scr_place_outlines(s, &e->outlines.placed) ? SCREE_OK : SCREE_NO_MEMORY;
}

ScreeStatus scr_pose_problem(bool second, State *s, Engine *e, ScreeReport *report, char *message) {
    StepTask *task = &e->task;
    const ProblemBody *solved = second ? task->problem.body : NULL;
    bool new_list = false;
    SCR_TRY(scr_update_list(task->with, s, &e->free, solved, &e->list, &new_list, message));
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
    e->solved.count = 0;
    SCR_TRY(scr_predict_step(with, s, e));
    for (int attempt = 0; again && attempt < MOST_ATTEMPTS; attempt++) {
        bool farther = false;
        SCR_TRY(scr_pose_problem(attempt > 0, s, e, report, message));
        report->iterations = 0;
        e->work.equivalent = 0;
        SCR_TRY(solver->solve(task, &e->work, report, message));
        if (solver->look_farther != NULL) {
            SCR_TRY(solver->look_farther(task, &e->work, s, &e->list, &farther, message));
        }
        again = scr_missed_contact(task, s, &e->list, &e->outlines, &finite) || farther;
    }
    report->converged = report->converged && !again;
    size_t contacts = s->contacts.count;
    e->most_contacts = contacts > e->most_contacts ? contacts : e->most_contacts;
    SCR_TRY(remember_solved(&task->problem, &e->solved));
    return check_finite(task, finite, report, message);
}

/* ---------------------------------------------------------------- from there on */

void scr_load_walls(const StepTask *t, State *s) {
    double per_step = 1 / t->with->time_step;
    for (size_t i = 0; i < s->walls.count; i++) {
        s->walls.item[i].load = s->walls.item[i].load_torque = vec3(0, 0, 0);
    }
    for (size_t i = t->extent.first_with_wall; i < s->contacts.count; i++) {
        const Contact *c = &s->contacts.item[i];
        if (c->state == SCREE_CONTACT_OPEN) {
            continue;
        }
        ScreeWallState *w = &s->walls.item[scr_wall_of(c->b)];
        Vec3 impulse = add_scaled(c->tangential_impulse, c->normal_impulse, c->normal);
        Vec3 force = scale(per_step, impulse);
        Vec3 seen = scr_seen_by_wall(&s->def, &w->now, s->bodies.position[c->a]);
        Vec3 point = add(seen, scr_contact_arms(s, c).a);
        w->load = add(w->load, force);
        w->load_torque = add(w->load_torque, cross(sub(point, w->now.pivot), force));
        if (s->contacts.extra != NULL) {
            w->load_torque =
                add_scaled(w->load_torque, per_step, s->contacts.extra[i].torque_impulse);
        }
    }
}

/* The solution into the contacts, bodies and walls. Nothing can fail any more. */
static void move_and_certify(StepTask *task, State *s, Engine *e, ScreeReport *report) {
    scr_collect(task, s, report);
    if (report->cuts > 0) {
        scr_join_pieces(task, &e->work, s, report);
    }
    s->contacts.steady = e->work.steady;
    EnergyBalance balance = scr_certify_drives(task, report);
    scr_load_walls(task, s);
    scr_move(task, s, &balance, report);
    scr_share_all(&task->problem, &task->order);
    s->contacts.undone = report->overlap_added;
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

/* ---------------------------------------------------------------- around it */

/* As many threads as the definition wants; without them, should the system refuse, the result is
 * the same. */
static Threads *threads_of(const ScreeWorldDef *def, Engine *e) {
    if (e->thread_count != def->threads) {
        scr_threads_destroy(e->threads);
        e->threads = def->threads > 1 ? scr_threads_create(def->threads) : NULL;
        e->thread_count = def->threads;
    }
    return e->threads;
}

StepParams scr_step_params(const State *s, Engine *e) {
    bool variational = scr_is_variational(&s->def);
    return (StepParams){
        .number = s->step + 1,
        .time_step = s->def.time_step,
        .theta = s->def.theta,
        .inertia = true,
        .slack = variational ? s->def.variational.range : 0.01,
        .solver = variational                            ? &scr_variational_solver
                  : scr_is_matrix_method(&s->def.solver) ? &scr_matrix_solver
                                                         : &scr_sweep_solver,
        .threads = threads_of(&s->def, e),
    };
}

void scr_end_step(State *s, Engine *e, ScreeStatus status, ScreeReport *report) {
    e->task.with = NULL;
    if (status != SCREE_OK) { /* what was half done is forgotten */
        scr_put_back_contacts(s, &e->before);
        s->list_stale = true;
        return;
    }
    s->step++;
    s->time = s->time_base + (double)(s->step - s->step_base) * s->def.time_step;
    report->step = (int64_t)s->step;
    report->time = s->time;
}

void scr_engine_free(Engine *e) {
    scr_threads_destroy(e->threads);
    scr_block_free(&e->free.block);
    scr_near_list_free(&e->list);
    scr_outlines_free(&e->outlines);
    scr_arena_free(&e->arena);
    scr_step_task_free(&e->task);
    scr_solver_work_free(&e->work);
    scr_contacts_copy_free(&e->before);
    scr_block_free(&e->solved.block);
    *e = (Engine){0};
}
