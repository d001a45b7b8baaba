/* The soft-sphere step: grains overlap a little where they touch, and springs, dashpots and
 * friction act there. Explicit, so a step is cheap and must be short: a twentieth of a collision.
 *
 *   1. drift    positions to the end of the step, velocities to its middle (move.c)
 *   2. list     which pairs are near (list.c), which bodies are near walls (walls.c)
 *   3. forces   at every contact (contact.h): pair by pair (pairs.c), at walls (walls.c), and at
 *               the contact points of shapes (shapes.c, points.c)
 *   4. kick     velocities to the end of the step
 *
 * The forces at the end of a step are also those at the start of the next one. They are only
 * recomputed when something was changed from outside. */
#include "soft/engine.h"

#include "base/clock.h"
#include "base/status.h"

#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------- before the step */

/* Room for what the engine keeps. */
static ScreeStatus prepare_state(State *s) {
    if (s->soft == NULL) {
        s->soft = scr_soft_state_new();
        s->list_stale = true;
    }
    bool verlet = s->def.soft.integrator == SCREE_INTEGRATOR_VERLET;
    return s->soft != NULL && scr_soft_state_reserve(s->soft, s->bodies.count, verlet)
               ? SCREE_OK
               : SCREE_NO_MEMORY;
}

/* Takes the engine's own time step if none is given. Time is then counted from here. */
static ScreeStatus choose_time_step(State *s, char *message) {
    SCR_TRY(scr_soft_advise(s, &s->soft->advised));
    if (s->def.time_step > 0) {
        return SCREE_OK;
    }
    if (!(s->soft->advised > 0)) {
        return scr_fail(message, SCREE_BAD_ARGUMENT,
                        "there are no bodies from which the soft engine could choose its time "
                        "step: add some, or set a time step");
    }
    s->def.time_step = s->soft->advised;
    s->time_base = s->time;
    s->step_base = s->step;
    return SCREE_OK;
}

/* Finds the forces at every contact: loads of bodies and walls, and their sums. */
static ScreeStatus find_forces(State *s, Soft *w, char *message) {
    double begin = scr_seconds();
    SCR_TRY(scr_soft_find_points(s, w, message));
    scr_soft_pair_forces(s, w);
    scr_soft_wall_forces(s, w);
    scr_soft_point_forces(s, w);
    w->seconds_forces += scr_seconds() - begin;
    w->updates += (double)w->tally.contacts;
    w->most_contacts = w->tally.contacts > w->most_contacts ? w->tally.contacts : w->most_contacts;
    return scr_soft_check(s, w, message);
}

static void store_energies(SoftState *soft, const SoftTally *t) {
    soft->elastic = t->elastic;
    memcpy(soft->power, t->power, sizeof soft->power);
}

/* Finds the forces of the present state, without time passing. */
static ScreeStatus refresh_forces(State *s, Soft *w, ScreeReport *report, char *message) {
    w->time_step = 0;
    ScreeStatus status = scr_soft_drift(s, w, report, message);
    if (status == SCREE_OK) {
        status = scr_soft_move_walls(s, w, report, message);
    }
    if (status == SCREE_OK) {
        status = find_forces(s, w, message);
    }
    scr_soft_collect_loads(s, w);
    store_energies(s->soft, &w->tally);
    return status;
}

/* After a change from outside: a new list, and the forces that belong to it. */
static ScreeStatus begin_anew(State *s, Soft *w, ScreeReport *report, char *message) {
    SCR_TRY(choose_time_step(s, message));
    report->rebuilt = 1;
    SCR_TRY(scr_soft_build(s, w, SOFT_AT_POSITIONS, message));
    return refresh_forces(s, w, report, message);
}

static ScreeStatus prepare(State *s, Soft *w, ScreeReport *report, char *message) {
    ScreeStatus status = SCREE_OK;
    SCR_TRY(prepare_state(s));
    SCR_TRY(scr_soft_prepare_laws(s, w));
    bool changed = s->soft->new_constants || scr_soft_constants_changed(s, w);
    if (s->list_stale || changed || s->def.time_step == 0) {
        s->list_stale = true; /* if this fails, the next step tries again */
        status = begin_anew(s, w, report, message);
        s->list_stale = status != SCREE_OK;
    } else if (!w->built) {
        status = scr_soft_build(s, w, SOFT_AS_ANCHORED, message);
    }
    if (status == SCREE_OK && changed) {
        status = scr_soft_note_constants(s, w) ? SCREE_OK : SCREE_NO_MEMORY;
        s->soft->new_constants = false;
    }
    return status;
}

/* ---------------------------------------------------------------- the certificate */

static void certify(State *s, const Soft *w, ScreeReport *report) {
    const SoftTally *t = &w->tally;
    SoftState *soft = s->soft;
    double loss[LOSSES], dt = w->time_step;
    for (int i = 0; i < LOSSES; i++) {
        loss[i] = t->lost[i] + 0.5 * dt * (soft->power[i] + t->power[i]);
        report->dissipation += loss[i];
    }
    report->dissipation_normal = loss[LOSS_NORMAL];
    report->dissipation_friction = loss[LOSS_FRICTION];
    report->dissipation_rolling = loss[LOSS_ROLLING];
    report->dissipation_torsion = loss[LOSS_TORSION];
    report->dissipation_cohesion = loss[LOSS_COHESION];
    report->energy_elastic = t->elastic;
    report->energy_error = w->gain + (t->elastic - soft->elastic) -
                           (report->work_external + report->work_walls - report->dissipation);
    report->step = (int64_t)s->step;
    report->time = s->time;
    report->contacts = (int64_t)t->contacts;
    report->active = (int64_t)t->active;
    report->sliding = (int64_t)t->sliding;
    report->bonds = (int64_t)t->bonds;
    report->converged = soft->advised == 0 || s->def.time_step <= 2 * soft->advised;
    report->overlap_max = t->overlap_max;
    report->overlap_mean = t->active > 0 ? t->overlap_sum / (double)t->active : 0;
    report->stiffness = t->stiffest;
    if (w->bodies > 0) {
        report->sound_speed = 2 * w->mean_radius * sqrt(t->stiffest / w->mean_mass);
    }
}

/* ---------------------------------------------------------------- the step */

/* Positions at the end of the step, and a list that is valid there. */
static ScreeStatus drift(State *s, Soft *w, ScreeReport *report, char *message) {
    SCR_TRY(scr_soft_drift(s, w, report, message));
    if (!scr_soft_outrun(s, w)) {
        return SCREE_OK;
    }
    report->rebuilt = 1;
    SCR_TRY(scr_soft_build(s, w, SOFT_AT_PLACES, message));
    SCR_TRY(scr_soft_advise(s, &s->soft->advised)); /* speeds have changed */
    return scr_soft_drift(s, w, report, message);
}

static ScreeStatus advance(State *s, Soft *w, ScreeReport *report, char *message) {
    w->time_step = s->def.time_step;
    w->gain = 0;
    SCR_TRY(drift(s, w, report, message));
    ScreeStatus status = scr_soft_move_walls(s, w, report, message);
    if (status == SCREE_OK) {
        status = scr_soft_update_wall_lists(s, w);
    }
    if (status == SCREE_OK) {
        status = find_forces(s, w, message);
    }
    if (status != SCREE_OK) {
        scr_soft_restore_walls(s, w);
        return status;
    }
    scr_soft_kick(s, w, report);
    scr_soft_kick_walls(s, w, report);
    s->step++;
    s->time = s->time_base + (double)(s->step - s->step_base) * s->def.time_step;
    s->soft->time_step = s->def.time_step;
    certify(s, w, report);
    store_energies(s->soft, &w->tally);
    return SCREE_OK;
}

ScreeStatus scr_soft_step(State *s, Soft *w, ScreeReport *report, char *message) {
    double begin = scr_seconds();
    memset(report, 0, sizeof *report);
    ScreeStatus status = prepare(s, w, report, message);
    if (status == SCREE_OK) {
        status = advance(s, w, report, message);
    }
    if (status != SCREE_OK) { /* no body has moved; springs may be lost */
        if (s->soft != NULL && w->built) {
            s->soft->contacts = 0;
        }
        w->built = false;
        s->list_stale = true;
    }
    w->view_made = false;
    w->seconds_total += scr_seconds() - begin;
    return status;
}

/* ---------------------------------------------------------------- work space */

Soft *scr_soft_create(const State *s) {
    Soft *w = calloc(1, sizeof *w);
    if (w != NULL && !scr_soft_note_constants(s, w)) {
        scr_soft_destroy(w);
        return NULL;
    }
    return w;
}

void scr_soft_destroy(Soft *w) {
    if (w == NULL) {
        return;
    }
    scr_neighbours_free(&w->neighbours);
    scr_block_free(&w->view.block);
    scr_block_free(&w->view.extra_block);
    scr_soft_free_shapes(&w->shapes);
    Block *const blocks[] = {
        &w->order_block,   &w->material_block,   &w->ball_block,        &w->motion_block,
        &w->inertia_block, &w->load_block,       &w->begin_block,       &w->entry_block,
        &w->wall_block,    &w->wall_entry_block, &w->contact_block,     &w->extra_block,
        &w->vacant_block,  &w->law_block,        &w->wall_before_block, &w->margin_block,
        &w->table_block,   &w->slot_block,       &w->frozen_block};
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++) {
        scr_block_free(blocks[i]);
    }
    free(w);
}

size_t scr_soft_body_bytes(const Soft *w) {
    return scr_neighbours_body_bytes(&w->neighbours) + w->order_block.bytes +
           w->material_block.bytes + w->ball_block.bytes + w->motion_block.bytes +
           w->inertia_block.bytes + w->load_block.bytes + w->begin_block.bytes +
           w->margin_block.bytes;
}

size_t scr_soft_contact_bytes(const Soft *w) {
    return w->neighbours.pair_block.bytes + w->entry_block.bytes + w->wall_entry_block.bytes +
           w->contact_block.bytes + w->extra_block.bytes + w->vacant_block.bytes +
           w->table_block.bytes + w->slot_block.bytes + w->view.block.bytes +
           w->view.extra_block.bytes + scr_soft_shape_bytes(&w->shapes);
}
