/* From bodies and walls to the contacts of a step. */
#include "engine/engine.h"
#include "engine/margins.h"

#include "narrow/narrow.h"
#include "shape/wall.h"

#include <stdio.h>
#include <string.h>

/* ---------------------------------------------------------------- neighbour list */

/* Pairs past this number mean that grains stand in each other, or that the time step carries them
 * past many others. */
static size_t pair_limit(size_t bodies) {
    return 40 * bodies + 100000;
}

/* Speed for which a margin must suffice. In a second attempt the first solution's velocity is known
 * too. */
static double expected_speed(const State *s, const Engine *e, size_t i, bool again) {
    double speed = fmax(length(e->free_motion[i]), length(s->bodies.velocity[i]));
    return again ? fmax(speed, length(scr_problem_body(e, (int32_t)i)->v)) : speed;
}

/* New margins, and anchors where the bodies are. */
static void choose_margins(State *s, const Engine *e, bool again, bool outrun) {
    Bodies *b = &s->bodies;
    for (size_t i = 0; i < b->count; i++) {
        b->margin[i] = expected_speed(s, e, i, again) * s->def.time_step;
        b->anchor[i] = b->position[i];
    }
    const MarginRules rules = {
        .aim = 8,
        .cost = 40,
        .least = s->materials.longest_range, /* bonds are kept while they are open */
        .coming = 1.3,
        .outrun = outrun,
    };
    scr_choose_margins(s, &rules);
}

static ScreeStatus find_wall_pairs(const State *s, Engine *e) {
    e->wall_pairs = 0;
    for (size_t w = 0; w < s->walls.count; w++) {
        const ScreeWallState *wall = &s->walls.item[w];
        if (!wall->present || wall->now.motion != SCREE_WALL_FIXED) {
            continue;
        }
        for (size_t i = 0; i < s->bodies.count; i++) {
            Touch touch =
                scr_touch_wall(&s->def, &wall->now, s->bodies.anchor[i], s->bodies.radius[i]);
            if (touch.gap > s->bodies.margin[i]) {
                continue;
            }
            if (!scr_block_reserve(&e->wall_pair_block, e->wall_pairs + 1, sizeof(Pair),
                                   e->wall_pairs * sizeof(Pair))) {
                return SCREE_NO_MEMORY;
            }
            e->wall_pair = e->wall_pair_block.data;
            e->wall_pair[e->wall_pairs++] = (Pair){(int32_t)i, (int32_t)w};
        }
    }
    return SCREE_OK;
}

/* The list is a function of anchors, margins and fixed walls alone, so that a restarted run gets
 * the same one. */
static ScreeStatus build_list(State *s, Engine *e, char *message) {
    const BroadInput input = {
        .def = &s->def,
        .search = s->def.search,
        .count = s->bodies.count,
        .position = s->bodies.anchor,
        .radius = s->bodies.radius,
        .margin = s->bodies.margin,
        .pair_limit = pair_limit(s->bodies.count),
    };
    ScreeStatus status = scr_find_neighbours(&input, &e->neighbours);
    if (status == SCREE_TOO_CROWDED) {
        Pair p = e->neighbours.pair[e->neighbours.count - 1];
        snprintf(
            message, SCREE_MESSAGE_SIZE,
            "over %zu pairs of %zu grains are near each other (for instance %d and %d): grains "
            "stand in one place, or move past many others in one step",
            pair_limit(s->bodies.count), s->bodies.count, p.a, p.b);
    }
    if (status == SCREE_OK) {
        status = find_wall_pairs(s, e);
    }
    e->list_built = status == SCREE_OK;
    return status;
}

/* Whether a body is within a part of its margin at the end of the step. */
static bool stays_within(const State *s, size_t i, Vec3 velocity, double part) {
    const Bodies *b = &s->bodies;
    Vec3 way = sub(add_scaled(b->position[i], s->def.time_step, velocity), b->anchor[i]);
    double most = part * b->margin[i];
    return dot(way, way) <= most * most;
}

ScreeStatus scr_predict(const State *s, Engine *e) {
    if (!scr_block_reserve_exact(&e->free_block, s->bodies.count + 1, sizeof(Vec3), 0) ||
        !scr_block_reserve_exact(&e->scratch_block, s->bodies.count + 1, sizeof(double), 0) ||
        !scr_place_outlines(s, &e->placed)) {
        return SCREE_NO_MEMORY;
    }
    e->free_motion = e->free_block.data;
    e->least_radius = INFINITY;
    for (size_t i = 0; i < s->bodies.count; i++) {
        e->least_radius = fmin(e->least_radius, s->bodies.radius[i]);
        e->free_motion[i] = scr_motion(s, s->bodies.velocity[i], scr_free_velocity(s, i));
    }
    return SCREE_OK;
}

ScreeStatus scr_update_list(State *s, Engine *e, bool again, bool *rebuilt, char *message) {
    /* The impulses may yet change the velocities: a fifth of the margin is left to them. */
    bool outrun = false;
    for (size_t i = 0; i < s->bodies.count && !s->list_stale; i++) {
        s->list_stale = outrun = !stays_within(s, i, e->free_motion[i], 0.8);
    }
    if (e->list_built && !s->list_stale) {
        return SCREE_OK;
    }
    *rebuilt = s->list_stale;
    if (s->list_stale) {
        choose_margins(s, e, again, outrun);
    }
    ScreeStatus status = build_list(s, e, message);
    if (status == SCREE_OK && s->list_stale) {
        scr_note_list(s, e->neighbours.count);
    }
    s->list_stale = status != SCREE_OK && s->list_stale;
    return status;
}

/* ---------------------------------------------------------------- contacts */

static ScreeStatus try_bodies(State *s, Engine *e, OldContacts *old, Pair p) {
    const Bodies *k = &s->bodies;
    if (s->shapes.count > 0 && scr_is_shaped(s, p.a, p.b)) {
        return scr_try_shapes(s, e, old, p.a, p.b);
    }
    const ScreeContact *before = scr_find_old(old, p.a, p.b);
    Vec3 d = scr_nearest_image(&s->def, sub(k->position[p.b], k->position[p.a]));
    Vec3 dv = sub(e->free_motion[p.b], e->free_motion[p.a]);
    double ra = k->radius[p.a], rb = k->radius[p.b], least = fmin(ra, rb);
    /* most pairs of the list are too far apart at any direction of approach: no root needed */
    double far =
        ra + rb + e->slack * least + s->def.time_step * (fabs(dv.x) + fabs(dv.y) + fabs(dv.z));
    bool bonded = scr_was_bonded(old, before);
    if (dot(d, d) > far * far && !bonded) {
        return SCREE_OK;
    }
    Touch touch = scr_touch_balls(d, ra, rb);
    if (!bonded && !scr_may_close(s, e, touch.gap, dot(dv, touch.normal), least)) {
        return SCREE_OK;
    }
    e->largest_gap = fmax(e->largest_gap, touch.gap);
    return scr_carry_contact(s, p.a, p.b, touch, old, before);
}

static ScreeStatus try_wall(State *s, Engine *e, OldContacts *old, size_t body, size_t wall) {
    const Bodies *k = &s->bodies;
    int32_t b = -1 - (int32_t)wall;
    const ScreeWallDef *w = &s->walls.item[wall].now;
    if (k->shape[body] >= 0) {
        return scr_try_shapes(s, e, old, (int32_t)body, b);
    }
    const ScreeContact *before = scr_find_old(old, (int32_t)body, b);
    Touch touch = scr_touch_wall(&s->def, w, k->position[body], k->radius[body]);
    Vec3 seen = scr_seen_by_wall(&s->def, w, k->position[body]);
    Vec3 point = add_scaled(seen, k->radius[body], touch.normal);
    double approach = dot(sub(scr_wall_motion(w, point), e->free_motion[body]), touch.normal);
    if (!scr_was_bonded(old, before) &&
        !scr_may_close(s, e, touch.gap, approach, k->radius[body])) {
        return SCREE_OK;
    }
    e->largest_gap = fmax(e->largest_gap, touch.gap);
    return scr_carry_contact(s, (int32_t)body, b, touch, old, before);
}

ScreeStatus scr_find_contacts(State *s, Engine *e, bool list_changed) {
    OldContacts old;
    ScreeStatus status = scr_set_aside(s, &e->row_block, list_changed, &old);
    e->largest_gap = 0;
    for (size_t i = 0; i < e->neighbours.count && status == SCREE_OK; i++) {
        status = try_bodies(s, e, &old, e->neighbours.pair[i]);
    }
    e->first_wall_contact = s->contacts.count;
    for (size_t i = 0; i < e->wall_pairs && status == SCREE_OK; i++) {
        status = try_wall(s, e, &old, (size_t)e->wall_pair[i].a, (size_t)e->wall_pair[i].b);
    }
    for (size_t w = 0; w < s->walls.count; w++) {
        if (!s->walls.item[w].present || s->walls.item[w].now.motion == SCREE_WALL_FIXED) {
            continue;
        }
        for (size_t i = 0; i < s->bodies.count && status == SCREE_OK; i++) {
            status = try_wall(s, e, &old, i, w);
        }
    }
    e->most_contacts = s->contacts.count > e->most_contacts ? s->contacts.count : e->most_contacts;
    return status;
}

/* ---------------------------------------------------------------- audit */

/* How far the impulses have moved each body from where it would have gone; returns the largest of
 * bodies and pistons. */
static double measure_shifts(const State *s, const Engine *e, double *shift) {
    double most = 0, dt = s->def.time_step;
    for (size_t i = 0; i < s->bodies.count; i++) {
        Vec3 d = sub(scr_problem_body(e, (int32_t)i)->v, e->free_motion[i]);
        shift[i] = sqrt(dot(d, d)) * dt;
        if (s->bodies.shape[i] >= 0) { /* its corners move also as it turns */
            Vec3 turn =
                scale(s->bodies.radius[i], scr_motion(s, s->bodies.spin[i], scr_free_spin(s, i)));
            shift[i] += fabs(scr_problem_body(e, (int32_t)i)->s.z - turn.z) * dt;
        }
        most = fmax(most, shift[i]);
    }
    for (size_t w = 0; w < s->walls.count; w++) {
        const ScreeWallDef *wall = &s->walls.item[w].now;
        if (s->walls.item[w].present && wall->motion == SCREE_WALL_PISTON) {
            Vec3 d =
                sub(e->problem.body[scr_wall_place(s, w)].v, scr_wall_motion(wall, wall->point));
            most = fmax(most, length(d) * dt);
        }
    }
    return most;
}

/* Whether some pair of the list that is no contact would overlap at the new velocities. */
static bool pair_overlaps(const State *s, Engine *e, const double *shift) {
    const Bodies *k = &s->bodies;
    double dt = s->def.time_step;
    for (size_t i = 0; i < e->neighbours.count; i++) {
        Pair p = e->neighbours.pair[i];
        double radius = fmin(k->radius[p.a], k->radius[p.b]);
        if (shift[p.a] + shift[p.b] <= e->slack * radius) {
            continue; /* too little to use up the slack */
        }
        if (scr_is_shaped(s, p.a, p.b)) {
            if (scr_shapes_missed(s, e, p.a, p.b)) {
                return true;
            }
            continue;
        }
        Vec3 d = scr_nearest_image(&s->def, sub(k->position[p.b], k->position[p.a]));
        Touch touch = scr_touch_balls(d, k->radius[p.a], k->radius[p.b]);
        double free = dot(sub(e->free_motion[p.b], e->free_motion[p.a]), touch.normal);
        if (scr_may_close(s, e, touch.gap, free, radius)) {
            continue; /* is a contact */
        }
        double approach =
            dot(sub(scr_problem_body(e, p.b)->v, scr_problem_body(e, p.a)->v), touch.normal);
        if (touch.gap + approach * dt < -1e-9 * radius) {
            return true;
        }
    }
    return false;
}

static bool wall_overlaps(const State *s, Engine *e) {
    const Bodies *k = &s->bodies;
    double dt = s->def.time_step;
    for (size_t w = 0; w < s->walls.count; w++) {
        const ScreeWallDef *wall = &s->walls.item[w].now;
        for (size_t i = 0; i < k->count && s->walls.item[w].present; i++) {
            if (k->shape[i] >= 0) {
                if (scr_shapes_missed(s, e, (int32_t)i, -1 - (int32_t)w)) {
                    return true;
                }
                continue;
            }
            Touch touch = scr_touch_wall(&s->def, wall, k->position[i], k->radius[i]);
            Vec3 seen = scr_seen_by_wall(&s->def, wall, k->position[i]);
            Vec3 point = add_scaled(seen, k->radius[i], touch.normal);
            Vec3 free = scr_wall_motion(wall, point);
            double before = dot(sub(free, e->free_motion[i]), touch.normal);
            if (scr_may_close(s, e, touch.gap, before, k->radius[i])) {
                continue;
            }
            Vec3 now =
                wall->motion == SCREE_WALL_PISTON ? e->problem.body[scr_wall_place(s, w)].v : free;
            double approach = dot(sub(now, scr_problem_body(e, (int32_t)i)->v), touch.normal);
            if (touch.gap + approach * dt < -1e-9 * k->radius[i]) {
                return true;
            }
        }
    }
    return false;
}

/* Whether some body goes past its margin: it may then have met one that is not in the list. */
static bool outruns_list(const State *s, const Engine *e) {
    for (size_t i = 0; i < s->bodies.count; i++) {
        if (!stays_within(s, i, scr_problem_body(e, (int32_t)i)->v, 1)) {
            return true;
        }
    }
    return false;
}

bool scr_missed_contact(State *s, Engine *e) {
    if (outruns_list(s, e)) {
        s->list_stale = true;
        return true;
    }
    double *shift = e->scratch_block.data;
    double most = measure_shifts(s, e, shift), least = e->least_radius;
    if (2 * most <= e->slack * least) {
        return false; /* nothing outside of the slack can have closed */
    }
    bool missed = pair_overlaps(s, e, shift) || wall_overlaps(s, e);
    if (missed) {
        e->slack = fmax(2 * e->slack, 2.2 * most / least);
    }
    return missed;
}
