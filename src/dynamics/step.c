/* The contact dynamics step, after Unger and Kertesz, "The contact dynamics method for granular
 * media":
 *
 *   1. candidates   which pairs may touch, with gap and normal (eqs 24, 25)
 *   2. problem      free velocities, effective masses, the impulses of the step before (eqs 17 to
 * 23)
 *   3. solution     the iterative solver: one-contact shock law, contact by contact (eq 34)
 *   4. motion       implicit Euler with the new velocities (eqs 1, 2)
 *
 * The candidates are chosen at the free velocities. Should the new velocities close a gap that was
 * left out, the step takes more candidates and solves again: no contact is ever missed. */
#include "dynamics/engine.h"

#include "base/clock.h"
#include "dynamics/cut.h"
#include "statics/strides.h"
#include "narrow/narrow.h"
#include "shape/wall.h"
#include "sweep/split.h"

#include <stdio.h>
#include <string.h>

enum { MOST_ATTEMPTS = 12, MANY_SWEEPS = 100, MANY_ACCELERATED = 10 };

static ScreeStatus solve_problem(const State *s, Engine *e, ScreeReport *report, char *message) {
    report->iterations = 0;
    e->equivalent = 0;
    if (scr_is_variational(&s->def)) {
        return scr_run_interior(s, e, report, message);
    }
    ScreeStatus status = scr_is_matrix_method(&s->def.solver)
                             ? scr_run_matrices(s, e, report, message)
                             : scr_run_solver(s, e, report);
    if (status != SCREE_OK) {
        return status;
    }
    /* velocities are the sum of many small changes by now */
    int many = scr_is_accelerated(&s->def.solver) ? MANY_ACCELERATED : MANY_SWEEPS;
    if (report->iterations > many) {
        scr_refresh_velocities(s, e);
    }
    return scr_cut_step(s, e, report);
}

/* Candidates, problem, solution; again while a contact was missed, each time from the impulses of
 * the step before: they stay in the contacts until the solution is accepted. */
static ScreeStatus find_impulses(State *s, Engine *e, ScreeReport *report, char *message) {
    bool again = true;
    e->slack = scr_is_variational(&s->def) ? s->def.variational.range : 0.01;
    e->matrices.limit = 0;
    e->solved_bodies = 0;
    if (scr_predict(s, e) != SCREE_OK) {
        return SCREE_NO_MEMORY;
    }
    for (int attempt = 0; again && attempt < MOST_ATTEMPTS; attempt++) {
        bool rebuilt = false;
        ScreeStatus status = scr_update_list(s, e, attempt > 0, &rebuilt, message);
        report->rebuilt |= rebuilt;
        if (status == SCREE_OK) {
            status = scr_place_bodies(s, e);
        }
        if (status == SCREE_OK) {
            status = scr_find_contacts(s, e, rebuilt);
        }
        if (status == SCREE_OK) {
            status = scr_assemble(s, e);
        }
        if (status == SCREE_OK) {
            scr_lower_rows(s, e);
        }
        if (status != SCREE_OK) {
            return status;
        }
        status = solve_problem(s, e, report, message);
        if (status != SCREE_OK) {
            return status;
        }
        bool beyond = false;
        if (scr_is_static(&s->def)) {
            status = scr_limit_motion(s, e, &beyond, message);
            if (status != SCREE_OK) {
                return status;
            }
        }
        again = scr_missed_contact(s, e) || beyond;
    }
    e->missed = again;
    return scr_keep_solved(e);
}

/* Which body it was that would leave the range of numbers; the audit has summed energies in another
 * order, so there may be none. */
static ScreeStatus find_infinite(const State *s, const Engine *e, char *message) {
    const Bodies *b = &s->bodies;
    double energy = 0;
    for (size_t i = 0; i < b->count; i++) {
        const ProblemBody *p = scr_problem_body(e, (int32_t)i);
        Vec3 x = add_scaled(b->position[i], s->def.time_step, p->v);
        energy += scr_motion_energy(s, i, p);
        if (!is_finite(x) || !isfinite(16 * energy)) {
            snprintf(message, SCREE_MESSAGE_SIZE,
                     "step %llu: body %zu would leave all bounds (speed %.3g); check masses, "
                     "forces and the time step",
                     (unsigned long long)s->step + 1, i, length(p->v));
            return SCREE_NOT_FINITE;
        }
    }
    return SCREE_OK;
}

/* The new positions and energies must be numbers, with room for sums of them, before anything
 * moves. */
static ScreeStatus check_finite(const State *s, const Engine *e, const ScreeReport *report,
                                char *message) {
    ScreeStatus status = e->finite ? SCREE_OK : find_infinite(s, e, message);
    if (status == SCREE_OK && (!isfinite(report->residual) || !isfinite(report->residual_fclib))) {
        snprintf(message, SCREE_MESSAGE_SIZE,
                 "step %llu: impulses leave the range of numbers; check masses, forces and the "
                 "time step",
                 (unsigned long long)s->step + 1);
        return SCREE_NOT_FINITE;
    }
    return status;
}

/* What the grains exerted on each wall during the step. */
static void load_walls(State *s, size_t first) {
    for (size_t i = 0; i < s->walls.count; i++) {
        s->walls.item[i].load = s->walls.item[i].load_torque = vec3(0, 0, 0);
    }
    for (size_t i = first; i < s->contacts.count; i++) {
        const ScreeContact *c = &s->contacts.item[i];
        if (c->state == SCREE_CONTACT_OPEN) {
            continue;
        }
        ScreeWallState *w = &s->walls.item[-1 - c->b];
        Vec3 force = scale(1 / s->def.time_step,
                           add_scaled(c->tangential_impulse, c->normal_impulse, c->normal));
        Vec3 seen = scr_seen_by_wall(&s->def, &w->now, s->bodies.position[c->a]);
        Vec3 point = add(seen, scr_contact_arms(s, c).a);
        w->load = add(w->load, force);
        w->load_torque = add(w->load_torque, cross(sub(point, w->now.pivot), force));
        if (s->contacts.extra != NULL) {
            w->load_torque = add_scaled(w->load_torque, 1 / s->def.time_step,
                                        s->contacts.extra[i].torque_impulse);
        }
    }
}

/* As many threads as the definition wants; without them, should the system refuse, the result is
 * the same. */
static void update_threads(const State *s, Engine *e) {
    if (e->thread_count != s->def.threads) {
        scr_threads_destroy(e->threads);
        e->threads = s->def.threads > 1 ? scr_threads_create(s->def.threads) : NULL;
        e->thread_count = s->def.threads;
    }
}

/* The solution into the contacts, bodies and walls. */
static void move_all(State *s, Engine *e, ScreeReport *report) {
    scr_collect(s, e, report);
    if (report->cuts > 0) {
        scr_join_pieces(s, e, report);
    }
    s->contacts.steady = e->steady;
    scr_certify_drives(s, e, report);
    load_walls(s, e->first_wall_contact);
    scr_move(s, e, report);
    scr_share_all(&e->problem, &e->order);
    s->contacts.undone = report->overlap_added;
    scr_certify(s, e, report);
}

/* Solves for a time step as long as the definition has it, and moves everything through it; or
 * through its first part, where the solution goes too far: then the definition has that part, and
 * the rest is left to be made. */
static ScreeStatus go_on(State *s, Engine *e, int stride, ScreeReport *report, char *message) {
    ScreeStatus status = find_impulses(s, e, report, message);
    if (status == SCREE_OK) {
        status = check_finite(s, e, report, message);
    }
    double part = 1;
    if (status == SCREE_OK) {
        status = scr_part_to_follow(s, e, stride, &part);
    }
    if (status == SCREE_OK) {
        status = scr_shorten_step(s, e, part);
    }
    if (status == SCREE_OK) {
        move_all(s, e, report);
    }
    return status == SCREE_OK ? scr_keep_memory(s, e, part) : status;
}

ScreeStatus scr_contact_dynamics_step(State *s, Engine *e, ScreeReport *report, char *message) {
    const double begin = scr_seconds(), whole = s->def.time_step;
    double left = whole;
    memset(report, 0, sizeof *report);
    update_threads(s, e);
    scr_begin_strides(&e->strides);
    ScreeStatus status = scr_copy_contacts(s, &e->copy) ? SCREE_OK : SCREE_NO_MEMORY;
    for (int stride = 1; left > 0 && status == SCREE_OK; stride++) {
        ScreeReport one = {0};
        s->def.time_step = left;
        e->strides.left = left / whole;
        status = go_on(s, e, stride, &one, message);
        left -= s->def.time_step;
        scr_join_reports(report, &one, stride);
    }
    s->def.time_step = whole;
    s->contacts.slid = NULL;
    if (status == SCREE_OK) {
        s->step++;
        s->time = s->time_base + (double)(s->step - s->step_base) * whole;
        report->step = (int64_t)s->step;
        report->time = s->time;
    } else { /* what was half done is forgotten */
        scr_undo_strides(s, &e->strides);
        scr_put_back_contacts(s, &e->copy);
        s->list_stale = true;
    }
    e->seconds_total += scr_seconds() - begin;
    return status;
}

void scr_engine_free(Engine *e) {
    scr_threads_destroy(e->threads);
    scr_neighbours_free(&e->neighbours);
    scr_order_free(&e->order);
    scr_contacts_copy_free(&e->copy);
    scr_strides_free(&e->strides);
    scr_placed_free(&e->placed);
    scr_step_matrices_free(&e->matrices);
    Block *const blocks[] = {&e->wall_pair_block, &e->body_block,     &e->tensor_block,
                             &e->tensor_of_block, &e->general_block,  &e->general_of_block,
                             &e->sequence_block,  &e->momentum_block, &e->row_block,
                             &e->free_block,      &e->scratch_block,  &e->law_block,
                             &e->law_of_block,    &e->two_block,      &e->touches.block,
                             &e->cut_block,       &e->start_block,    &e->solved_block};
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++) {
        scr_block_free(blocks[i]);
    }
    *e = (Engine){0};
}
