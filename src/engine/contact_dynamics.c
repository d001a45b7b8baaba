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
#include "engine/engine.h"

#include "base/clock.h"
#include "engine/cut.h"
#include "narrow/narrow.h"
#include "shape/wall.h"
#include "solve/split.h"

#include <stdio.h>
#include <string.h>

enum { MOST_ATTEMPTS = 12, MANY_SWEEPS = 100 };

/* Candidates, problem, solution; again while a contact was missed, each time from the impulses of
 * the step before: they stay in the contacts until the solution is accepted. */
static ScreeStatus find_impulses(State *s, Engine *e, ScreeReport *report, char *message) {
    bool again = true;
    e->slack = 0.01;
    if (!scr_copy_contacts(s, &e->copy) || scr_predict(s, e) != SCREE_OK) {
        return SCREE_NO_MEMORY;
    }
    for (int attempt = 0; again && attempt < MOST_ATTEMPTS; attempt++) {
        bool rebuilt = false;
        ScreeStatus status = scr_update_list(s, e, attempt > 0, &rebuilt, message);
        report->rebuilt |= rebuilt;
        if (status == SCREE_OK) {
            status = scr_find_contacts(s, e, rebuilt);
        }
        if (status == SCREE_OK) {
            status = scr_assemble(s, e);
        }
        if (status != SCREE_OK) {
            return status;
        }
        report->iterations = 0;
        scr_run_solver(s, e, report);
        if (report->iterations > MANY_SWEEPS) {
            scr_refresh_velocities(s, e);
        }
        status = scr_cut_step(s, e, report);
        if (status != SCREE_OK) {
            return status;
        }
        again = scr_missed_contact(s, e);
    }
    e->missed = again;
    scr_collect(s, e, report);
    if (report->cuts > 0) {
        scr_join_pieces(s, e, report);
    }
    s->contacts.steady = e->steady;
    return SCREE_OK;
}

/* The new positions and energies must be numbers, with room for sums of them, before anything
 * moves. */
static ScreeStatus check_finite(const State *s, const Engine *e, const ScreeReport *report,
                                char *message) {
    const Bodies *b = &s->bodies;
    double energy = 0;
    for (size_t i = 0; i < b->count; i++) {
        const ProblemBody *p = scr_problem_body(e, (int32_t)i);
        Vec3 x = add_scaled(b->position[i], s->def.time_step, p->v);
        energy += b->mass[i] * dot(p->v, p->v) +
                  b->inertia[i] / (b->radius[i] * b->radius[i]) * dot(p->s, p->s);
        if (!is_finite(x) || !isfinite(16 * energy)) {
            snprintf(message, SCREE_MESSAGE_SIZE,
                     "step %llu: body %zu would leave all bounds (speed %.3g); check masses, "
                     "forces and the time step",
                     (unsigned long long)s->step + 1, i, length(p->v));
            return SCREE_NOT_FINITE;
        }
    }
    if (!isfinite(report->residual) || !isfinite(report->residual_fclib)) {
        snprintf(message, SCREE_MESSAGE_SIZE,
                 "step %llu: impulses leave the range of numbers; check masses, forces and the "
                 "time step",
                 (unsigned long long)s->step + 1);
        return SCREE_NOT_FINITE;
    }
    return SCREE_OK;
}

/* Back into the periodic cell; the anchor goes along, so that the distance moved since the list was
 * built stays true. */
static void wrap(const ScreeWorldDef *def, Vec3 *position, Vec3 *anchor) {
    Vec3 middle = scale(0.5, add(def->cell_min, def->cell_max));
    Vec3 from_middle = sub(*position, middle);
    Vec3 shift = sub(scr_nearest_image(def, from_middle), from_middle);
    if (shift.x != 0 || shift.y != 0 || shift.z != 0) {
        *position = add(*position, shift);
        *anchor = add(*anchor, shift);
    }
}

/* The motion again, from the new velocity and the mean of old and new, which the problem's body
 * holds now: theta v' + (1 - theta) v = (2 theta - 1) v' + (1 - theta) (v + v'). */
static Vec3 motion_again(const State *s, Vec3 after, Vec3 mean) {
    double theta = s->def.theta;
    return add(scale(2 * theta - 1, after), scale(2 * (1 - theta), mean));
}

static void move_bodies(State *s, const Engine *e) {
    Bodies *b = &s->bodies;
    double dt = s->def.time_step;
    bool periodic = scr_any_periodic(&s->def);
    for (size_t i = 0; i < b->count; i++) {
        Vec3 motion = b->velocity[i], spin = b->spin[i];
        if (s->def.theta < 1) {
            const ProblemBody *mean = scr_problem_body(e, (int32_t)i);
            motion = motion_again(s, motion, mean->v);
            spin = motion_again(s, spin, scale(1 / b->radius[i], mean->s));
        }
        b->position[i] = add_scaled(b->position[i], dt, motion);
        Vec3 turn = scale(dt, spin);
        if (turn.x != 0 || turn.y != 0 || turn.z != 0) {
            b->orientation[i] =
                quat_renormalise(quat_multiply(quat_from_turn(turn), b->orientation[i]));
        }
        if (periodic) {
            wrap(&s->def, &b->position[i], &b->anchor[i]);
        }
    }
}

static void move_walls(State *s, const Engine *e) {
    for (size_t i = 0; i < s->walls.count; i++) {
        ScreeWallState *w = &s->walls.item[i];
        Vec3 motion = w->now.velocity;
        if (w->now.motion == SCREE_WALL_PISTON) {
            motion = motion_again(s, motion, e->problem.body[scr_wall_place(s, i)].v);
        }
        if (w->present && w->now.motion != SCREE_WALL_FIXED) {
            scr_wall_advance(w, motion, s->def.time_step);
        }
    }
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

ScreeStatus scr_contact_dynamics_step(State *s, Engine *e, ScreeReport *report, char *message) {
    double begin = scr_seconds();
    memset(report, 0, sizeof *report);
    update_threads(s, e);
    ScreeStatus status = find_impulses(s, e, report, message);
    if (status == SCREE_OK) {
        status = check_finite(s, e, report, message);
    }
    if (status == SCREE_OK) {
        scr_certify_springs(e);
        scr_advance_velocities(s, e, report);
        scr_share_all(&e->problem, &e->order);
        scr_certify_energy(s, e, report);
        load_walls(s, e->first_wall_contact);
        move_bodies(s, e);
        move_walls(s, e);
        s->step++;
        s->time = s->time_base + (double)(s->step - s->step_base) * s->def.time_step;
        scr_certify_shape(s, e, report);
    } else { /* what was half done is forgotten */
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
    scr_placed_free(&e->placed);
    Block *const blocks[] = {
        &e->wall_pair_block, &e->body_block,       &e->tensor_block,   &e->tensor_of_block,
        &e->general_block,   &e->general_of_block, &e->sequence_block, &e->row_block,
        &e->free_block,      &e->scratch_block,    &e->law_block,      &e->law_of_block,
        &e->two_block,       &e->touches.block,    &e->cut_block,      &e->start_block};
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++) {
        scr_block_free(blocks[i]);
    }
    *e = (Engine){0};
}
