/* Walls of the soft engine: which bodies are near, how walls move, and the forces.
 *
 * A list holds the bodies whose anchor is nearer to a wall than their margin plus an allowance for
 * the wall's own motion. Contacts with a wall are visited in the order of the bodies along space,
 * so nothing depends on when a list was made. */
#include "soft/engine.h"

#include "base/status.h"
#include "soft/contact.h"
#include "narrow/narrow.h"
#include "shape/wall.h"

#include <string.h>

static bool moves(const ScreeWallState *w) {
    return w->present && w->now.motion != SCREE_WALL_FIXED;
}

/* ---------------------------------------------------------------- lists */

/* Whether the spin maps a wall onto itself. */
static bool turns_in_place(const ScreeWallDef *w) {
    Vec3 own = w->shape == SCREE_WALL_PLANE ? w->normal : w->axis;
    double spin = length(w->spin);
    bool along = length(cross(w->spin, own)) <= 1e-12 * spin;
    bool centred = length(cross(sub(w->pivot, w->point), w->axis)) <= 1e-12 * w->radius;
    return spin == 0 ||
           (along &&
            (w->shape == SCREE_WALL_PLANE ||
             ((w->shape == SCREE_WALL_CYLINDER || w->shape == SCREE_WALL_CONE) && centred)));
}

/* How far from its pivot a wall may have bodies. */
static double farthest_body(const State *s, const ScreeWallDef *w) {
    double farthest = 0;
    for (size_t i = 0; i < s->bodies.count; i++) {
        Vec3 seen = scr_seen_by_wall(&s->def, w, s->bodies.anchor[i]);
        farthest = scr_max(farthest, length(sub(seen, w->pivot)) + s->bodies.margin[i]);
    }
    return farthest;
}

/* Speed of the surface of a wall wherever a body may be. */
static double sweep_of(const ScreeWallDef *w, double farthest) {
    double spin = turns_in_place(w) ? 0 : length(w->spin);
    return length(w->velocity) + spin * farthest;
}

static bool add_entry(Soft *w, int32_t rank) {
    if ((w->wall_entries + 1) * sizeof *w->wall_entry > w->wall_entry_block.bytes &&
        !SCR_RESERVE_KEEPING(w, wall_entry, w->wall_entries + 64, w->wall_entries)) {
        return false;
    }
    w->wall_entry[w->wall_entries++] = (SoftEntry){rank, -1};
    return true;
}

static bool list_wall(const State *s, Soft *w, size_t index) {
    const ScreeWallDef *d = &s->walls.item[index].now;
    SoftWall *wall = &w->wall[index];
    bool moving = moves(&s->walls.item[index]);
    wall->begin = wall->end = w->wall_entries;
    wall->allowance = moving ? 0.2 * w->mean_radius : 0;
    wall->farthest = moving ? farthest_body(s, d) : 0;
    for (size_t k = 0; k < w->bodies && s->walls.item[index].present; k++) {
        int32_t i = w->order[k];
        double reach = s->bodies.margin[i] + wall->allowance + w->bond_reach;
        double gap = scr_touch_wall(&s->def, d, s->bodies.anchor[i], s->bodies.radius[i]).gap;
        if (gap <= reach && !add_entry(w, (int32_t)k)) {
            return false;
        }
    }
    wall->end = w->wall_entries;
    return true;
}

ScreeStatus scr_soft_wall_lists(const State *s, Soft *w) {
    size_t walls = s->walls.count + 1;
    if (!SCR_RESERVE(w, wall, walls) || !SCR_RESERVE(w, wall_before, walls)) {
        return SCREE_NO_MEMORY;
    }
    w->walls = s->walls.count;
    w->wall_entries = 0;
    for (size_t i = 0; i < s->walls.count; i++) {
        w->wall[i] = (SoftWall){0};
        if (!list_wall(s, w, i)) {
            return SCREE_NO_MEMORY;
        }
    }
    return SCREE_OK;
}

/* A contact of the list, saved while the list is rebuilt. */
typedef struct SavedContact {
    int32_t wall, rank, slot;
} SavedContact;

static bool save_contacts(const State *s, Soft *w, size_t *count) {
    if (!scr_block_reserve(&w->slot_block, w->wall_entries + 1, sizeof(SavedContact), 0)) {
        return false;
    }
    SavedContact *saved = w->slot_block.data;
    *count = 0;
    for (size_t i = 0; i < s->walls.count; i++) {
        for (size_t e = w->wall[i].begin; e < w->wall[i].end; e++) {
            if (w->wall_entry[e].slot >= 0) {
                saved[(*count)++] =
                    (SavedContact){(int32_t)i, w->wall_entry[e].other, w->wall_entry[e].slot};
            }
        }
    }
    return true;
}

/* Both are in the order of walls and ranks, so one pass finds all of them. */
static void restore_contacts(const State *s, Soft *w, size_t count) {
    const SavedContact *saved = w->slot_block.data;
    size_t next = 0;
    for (size_t i = 0; i < s->walls.count; i++) {
        for (size_t e = w->wall[i].begin; e < w->wall[i].end && next < count; e++) {
            if (saved[next].wall == (int32_t)i && saved[next].rank == w->wall_entry[e].other) {
                w->wall_entry[e].slot = saved[next++].slot;
            }
        }
    }
}

/* Every entry may come into touch and then needs a slot. */
bool scr_soft_reserve_contacts(Soft *w) {
    size_t slots = w->entries + w->wall_entries + 1;
    bool extra = scr_soft_needs_extra(w);
    size_t extras = w->extra != NULL ? w->slots : 0;
    w->extra = extra ? w->extra : NULL;
    return SCR_RESERVE_KEEPING(w, contact, slots, w->slots) &&
           SCR_RESERVE_KEEPING(w, vacant, slots, w->vacancies) &&
           (!extra || SCR_RESERVE_KEEPING(w, extra, slots, extras));
}

ScreeStatus scr_soft_update_wall_lists(const State *s, Soft *w) {
    bool used_up = false;
    for (size_t i = 0; i < s->walls.count; i++) {
        if (moves(&s->walls.item[i])) {
            SoftWall *wall = &w->wall[i];
            wall->allowance -= w->time_step * sweep_of(&s->walls.item[i].now, wall->farthest);
            used_up = used_up || !(wall->allowance >= 0);
        }
    }
    size_t count = 0;
    if (!used_up) {
        return SCREE_OK;
    }
    bool ok = save_contacts(s, w, &count);
    w->wall_entries = ok ? 0 : w->wall_entries;
    for (size_t i = 0; i < s->walls.count && ok; i++) {
        ok = list_wall(s, w, i);
    }
    if (!ok || !scr_soft_reserve_contacts(w)) {
        return SCREE_NO_MEMORY;
    }
    restore_contacts(s, w, count);
    return SCREE_OK;
}

/* ---------------------------------------------------------------- motion */

/* Brings a piston, under its force and its load at the start of the step, to the middle of the
 * step. */
static void push_piston(const State *s, ScreeWallState *state, SoftWall *wall, double dt,
                        ScreeReport *report) {
    ScreeWallDef *d = &state->now;
    double force = dot(d->force, d->direction), load = dot(state->load, d->direction);
    wall->dv = scale(0.5 * dt * (force + load) / d->mass, d->direction);
    wall->v = d->velocity = add(d->velocity, wall->dv);
    report->work_external += dt * force * dot(wall->v, d->direction);
    if (s->def.soft.integrator == SCREE_INTEGRATOR_VERLET) {
        wall->dv = vec3(0, 0, 0);
    }
}

ScreeStatus scr_soft_move_walls(State *s, Soft *w, ScreeReport *report, char *message) {
    double dt = w->time_step;
    for (size_t i = 0; i < s->walls.count; i++) {
        const ScreeWallState *state = &s->walls.item[i];
        w->wall_before[i] = *state;
        w->wall[i].load = state->load;
        w->wall[i].torque = state->load_torque;
        w->wall[i].v = state->now.velocity;
        w->wall[i].dv = vec3(0, 0, 0);
    }
    for (size_t i = 0; i < s->walls.count && dt > 0; i++) {
        ScreeWallState *state = &s->walls.item[i];
        if (!moves(state)) {
            continue;
        }
        if (state->now.motion == SCREE_WALL_PISTON) {
            push_piston(s, state, &w->wall[i], dt, report);
        }
        scr_wall_advance(state, state->now.velocity, dt);
        Vec3 v = state->now.velocity;
        if (!is_finite(state->now.point) || !isfinite(16 * state->now.mass * dot(v, v))) {
            return scr_fail(
                message, SCREE_NOT_FINITE,
                "step %llu: wall %zu would exceed all bounds (speed %.3g); check its mass and "
                "force, and the time step",
                (unsigned long long)s->step + 1, i, length(v));
        }
    }
    return SCREE_OK;
}

void scr_soft_restore_walls(State *s, const Soft *w) {
    if (s->walls.count > 0) {
        memcpy(s->walls.item, w->wall_before, s->walls.count * sizeof *w->wall_before);
    }
}

/* A piston moves through the step with its velocity in the middle; at the end it has the one that
 * follows from the forces there. Moving walls do work against the load, averaged over both ends. */
void scr_soft_kick_walls(State *s, Soft *w, ScreeReport *report) {
    double dt = w->time_step;
    for (size_t i = 0; i < s->walls.count; i++) {
        ScreeWallState *state = &s->walls.item[i];
        const SoftWall *wall = &w->wall[i];
        ScreeWallDef *d = &state->now;
        if (!moves(state)) {
            continue;
        }
        if (d->motion == SCREE_WALL_PISTON) {
            Vec3 before = w->wall_before[i].now.velocity;
            double force = dot(add(d->force, state->load), d->direction);
            d->velocity = add_scaled(wall->v, 0.5 * dt * force / d->mass, d->direction);
            w->gain += 0.5 * d->mass * dot(add(d->velocity, before), sub(d->velocity, before));
            report->kinetic_energy += 0.5 * scr_piston_energy(d);
            report->work_walls -= 0.5 * dt * dot(add(wall->load, state->load), scr_sliding(d));
        } else {
            Vec3 load = add(wall->load, state->load);
            Vec3 torque = add(wall->torque, state->load_torque);
            report->work_walls -= 0.5 * dt * (dot(load, d->velocity) + dot(torque, d->spin));
        }
    }
}

/* ---------------------------------------------------------------- forces */

static SoftApproach approach_wall(const ScreeWallDef *d, const SoftWall *wall, const SoftMotion *a,
                                  Touch touch, double arm, Vec3 point, double dt) {
    SoftApproach m = {.n = touch.normal, .overlap = -touch.gap, .wall = true};
    Vec3 v = d->motion == SCREE_WALL_FIXED ? vec3(0, 0, 0) : scr_wall_velocity_at(d, point);
    Vec3 spin = d->motion == SCREE_WALL_MOVED ? d->spin : vec3(0, 0, 0);
    Vec3 u = sub(v, add(a->v, cross(scale(arm, a->w), m.n)));
    Vec3 du = sub(wall->dv, add(a->dv, cross(scale(arm, a->dw), m.n)));
    m.opening = dot(u, m.n);
    m.opening_end = m.opening + dot(du, m.n);
    m.slip = add_scaled(u, -m.opening, m.n);
    m.slip_end = add_scaled(add(u, du), -m.opening_end, m.n);
    m.spin = sub(spin, a->w);
    m.spin_end = sub(m.spin, a->dw);
    m.twist = 0.5 * dt * dot(add(spin, a->w), m.n);
    return m;
}

static void act_on_wall(State *s, Soft *w, size_t index, SoftEntry *entry) {
    size_t k = (size_t)entry->other;
    ScreeWallState *state = &s->walls.item[index];
    const ScreeWallDef *d = &state->now;
    const SoftBall *ball = &w->ball[k];
    Touch touch = scr_touch_wall(&s->def, d, ball->x, ball->radius);
    const SoftLaw *law = scr_soft_law(s, w, w->material[k], d->material.index);
    bool fresh = entry->slot < 0;
    bool bonded = fresh ? scr_soft_bonds(law, -touch.gap, ball->radius)
                        : w->extra != NULL && w->extra[entry->slot].opening >= 0;
    if (!(touch.gap < 0) && !bonded) {
        if (!fresh) {
            scr_soft_end_contact(w, entry, &w->tally);
        }
        return;
    }
    if (fresh) {
        entry->slot = scr_soft_begin_contact(s, w, w->order[k], scr_wall_code(index));
    }
    double arm = ball->radius + 0.5 * touch.gap, dt = w->time_step;
    Vec3 point = add_scaled(scr_seen_by_wall(&s->def, d, ball->x), arm, touch.normal);
    SoftApproach m = approach_wall(d, &w->wall[index], &w->motion[k], touch, arm, point, dt);
    m.fresh = fresh;
    SoftExtra *x = w->extra != NULL ? &w->extra[entry->slot] : NULL;
    SoftAction act = scr_soft_act(law, &m, &w->contact[entry->slot], x, dt, s->def.dimension,
                                  w->uses, &w->tally);
    if (act.gone) {
        scr_soft_end_contact(w, entry, &w->tally);
        return;
    }
    SoftLoad *a = &w->load[k];
    a->force = sub(a->force, act.force);
    a->torque = sub(add_scaled(a->torque, arm, cross(act.tangential, m.n)), act.torque);
    state->load = add(state->load, act.force);
    Vec3 moment = cross(sub(point, d->pivot), act.force);
    state->load_torque = add(state->load_torque, add(moment, act.torque));
}

void scr_soft_wall_forces(State *s, Soft *w) {
    const bool shaped = w->shapes.bodies > 0;
    for (size_t i = 0; i < s->walls.count; i++) {
        s->walls.item[i].load = s->walls.item[i].load_torque = vec3(0, 0, 0);
        for (size_t e = w->wall[i].begin; e < w->wall[i].end; e++) {
            SoftEntry *entry = &w->wall_entry[e];
            if (!shaped || s->bodies.shape[w->order[entry->other]] < 0) {
                act_on_wall(s, w, i, entry);
            }
        }
    }
}
