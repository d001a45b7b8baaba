/* A static increment in strides.
 *
 * Gaps are linear in the motion of bodies. For round grains that is on the safe side: the linear
 * gap is the distance along the normal, and the true one is never less. An outline that turns by a
 * small angle f leaves its tangent by r f^2 / 2, one that slides by x along a hollow of radius r
 * comes to lie x^2 / (2 r) deep in it, and where two are nearly parallel a small turn brings a new
 * place together. Where a packing gives way, the motion to the next equilibrium may be as long as a
 * grain, and outlines that went it in one would end up in each other, some too deep to be pushed
 * out again.
 *
 * So one looks how far outlines would overlap after the motion that was solved for, beyond what
 * springs do. If that is more than the solver's `overlap`, only a part of the motion is followed,
 * after which gaps and normals are found anew, and the rest of the increment is solved for. A part
 * of the motion is an increment for itself: the same velocities and forces over a shorter time.
 * Errors go with the square of the part, and overlaps that one stride leaves are pushed apart by
 * the next, so a tenth of the motion is as a rule enough to end with. Loads are those of the whole
 * increment all the way; walls move in proportion.
 *
 * Where a sharp place slides over another one, the normal may turn so fast that the solution leads
 * past the equilibrium, and the next one back. Then the part that is followed is halved each time.
 * Should even that not end, then after some strides each may leave twice the overlap that the last
 * one could. */
#include "statics/strides.h"

#include "base/status.h"

#include <string.h>

/* The first strides must all keep to the permitted overlap. */
enum { EXACT_STRIDES = 8 };

/* When a motion is not followed to its end: the longest and the shortest part that is followed. */
static const double longest = 0.9, shortest = 0.02;

/* [radii] overlaps that the next stride can push apart; how far back counts as turning back. */
static const double undoable = 0.02, far_back = 0.05;

/* ---------------------------------------------------------------- how far */

/* The state after a part of the solved motion, as far as overlaps need it. */
static bool look_ahead(const StepTask *t, Outlines *outlines, Arena *memory, double part,
                       State *after) {
    const State *s = t->state;
    const Bodies *b = &s->bodies;
    size_t n = b->count, walls = s->walls.count;
    double dt = part * t->with->time_step;
    if (!scr_arena_begin(memory, scr_arena_bytes(n, sizeof(Vec3)) +
                                     scr_arena_bytes(n, sizeof(Quat)) +
                                     scr_arena_bytes(walls, sizeof(ScreeWallState)))) {
        return false;
    }
    *after = *s;
    after->bodies.position = scr_arena_take(memory, n, sizeof(Vec3));
    after->bodies.orientation = scr_arena_take(memory, n, sizeof(Quat));
    after->walls.item = scr_arena_take(memory, walls, sizeof(ScreeWallState));
    for (size_t i = 0; i < n; i++) {
        const ProblemBody *p = scr_problem_body(t, (int32_t)i);
        Vec3 turn = scale(dt / b->radius[i], p->s);
        after->bodies.position[i] = add_scaled(b->position[i], dt, p->v);
        after->bodies.orientation[i] = quat_multiply(quat_from_turn(turn), b->orientation[i]);
    }
    for (size_t i = 0; i < walls; i++) {
        ScreeWallState *w = &after->walls.item[i];
        *w = s->walls.item[i];
        if (w->present && w->now.motion != SCREE_WALL_FIXED) {
            bool piston = w->now.motion == SCREE_WALL_PISTON;
            Vec3 motion = piston ? t->problem.body[scr_wall_index(s, i)].v : w->now.velocity;
            scr_wall_advance(w, motion, dt);
        }
    }
    return scr_place_outlines(after, &outlines->placed);
}

/* What is looked for after a part of the motion. */
typedef struct Overlaps {
    const StepTask *task;
    const State *after;
    Outlines *outlines;   /* as they stand then */
    double time;          /* of the motion */
    double deepest, more; /* of all pairs, and how much deeper than the linear gaps of a pair say */
    size_t contact;       /* the next one; pairs come in the order of contacts */
} Overlaps;

/* How deep the linear gaps of a pair become: by springs, or as they were before. */
static double linear_overlap(Overlaps *o, int32_t a, int32_t b) {
    const StepTask *t = o->task;
    const Contacts *k = &t->state->contacts;
    double most = 0;
    while (o->contact < k->count && k->item[o->contact].a == a && k->item[o->contact].b == b) {
        double motion = scr_row_velocity(&t->problem, (size_t)t->order.slot[o->contact]).n;
        most = scr_max(most, -k->item[o->contact].gap - o->time * motion);
        o->contact++;
    }
    return most;
}

static ScreeStatus look_at(Overlaps *o, int32_t a, int32_t b) {
    const State *s = o->after;
    if (scr_never_meet(s, a, b)) {
        return SCREE_OK;
    }
    double linear = linear_overlap(o, a, b);
    if (!scr_is_shaped(s, a, b) || scr_touch_round(s, a, b).gap >= 0) {
        return SCREE_OK;
    }
    double deepest = 0;
    SCR_TRY(scr_pair_overlap(s, &o->outlines->placed, a, b, &o->outlines->piece[0].work, &deepest));
    o->deepest = scr_max(o->deepest, deepest);
    o->more = scr_max(o->more, deepest - linear);
    return SCREE_OK;
}

/* Walls that stand still, or those that move. */
static ScreeStatus look_at_walls(Overlaps *o, bool moving) {
    const State *s = o->after;
    for (size_t w = 0; w < s->walls.count; w++) {
        const ScreeWallState *wall = &s->walls.item[w];
        bool now = wall->present && moving == (wall->now.motion != SCREE_WALL_FIXED);
        for (size_t i = 0; now && i < s->bodies.count; i++) {
            SCR_TRY(look_at(o, (int32_t)i, scr_wall_code(w)));
        }
    }
    return SCREE_OK;
}

/* How much deeper outlines overlap after a part of the motion than the linear gaps say. No body has
 * left its margin, so the list has all pairs. */
static ScreeStatus excess(const StepTask *t, Outlines *outlines, Strides *strides, double part,
                          double *more) {
    const NearList *list = t->list;
    State after;
    Overlaps o = {
        .task = t, .after = &after, .outlines = outlines, .time = part * t->with->time_step};
    if (!look_ahead(t, outlines, &strides->ahead, part, &after)) {
        return SCREE_NO_MEMORY;
    }
    for (size_t i = 0; i < list->neighbours.count; i++) {
        Pair p = scr_bodies_of(t->state, list, list->neighbours.pair[i]);
        SCR_TRY(look_at(&o, p.a, p.b));
    }
    SCR_TRY(look_at_walls(&o, false));
    SCR_TRY(look_at_walls(&o, true));
    strides->deepest = o.deepest;
    *more = o.more;
    return SCREE_OK;
}

/* Whether some body goes back, by far, from where the stride before has brought it. Remembers the
 * motion for the next stride. */
static ScreeStatus turns_back(const StepTask *t, Strides *strides, int stride, bool *back) {
    const Bodies *b = &t->state->bodies;
    if (!scr_block_reserve(&strides->motion, b->count + 1, sizeof(Vec3), 0)) {
        return SCREE_NO_MEMORY;
    }
    Vec3 *before = strides->motion.data;
    *back = false;
    for (size_t i = 0; i < b->count; i++) {
        const ProblemBody *p = scr_problem_body(t, (int32_t)i);
        Vec3 now = scale(t->with->time_step, vec3(p->v.x, p->v.y, p->s.z));
        double far = far_back * b->radius[i];
        *back = *back || (stride > 1 && dot(now, before[i]) < 0 && dot(now, now) > far * far);
        before[i] = now;
    }
    return SCREE_OK;
}

/* Shortens the motion until it adds no more than `most`, and what was there in excess. */
static ScreeStatus shorten(const StepTask *t, Outlines *outlines, Strides *strides, double most,
                           double *part) {
    double before = 0, more = INFINITY;
    SCR_TRY(excess(t, outlines, strides, 0, &before));
    *part = 2 * strides->longest;
    while (more > most + before && *part > shortest) {
        *part *= 0.5;
        SCR_TRY(excess(t, outlines, strides, *part, &more));
    }
    return SCREE_OK;
}

/* The part of the motion that is followed where its end overlaps too much. */
static ScreeStatus choose_part(const StepTask *t, Outlines *outlines, Strides *strides, int stride,
                               double within, double *part) {
    double *most = &strides->longest;
    bool back = false;
    SCR_TRY(turns_back(t, strides, stride, &back));
    *most = stride == 1 ? longest : back ? 0.5 * *most : scr_min(longest, 2 * *most);
    return shorten(t, outlines, strides, scr_max(within, undoable * t->free->least_radius), part);
}

ScreeStatus scr_part_to_follow(const StepTask *t, Outlines *outlines, Strides *strides, int stride,
                               double *part) {
    const State *s = t->state;
    *part = 1;
    if (s->shapes.count == 0) {
        return SCREE_OK;
    }
    double more = 0, within = s->def.solver.overlap * t->free->least_radius;
    within *= stride > EXACT_STRIDES ? ldexp(1, stride - EXACT_STRIDES) : 1;
    SCR_TRY(excess(t, outlines, strides, 1, &more));
    if (more > within) {
        SCR_TRY(choose_part(t, outlines, strides, stride, within, part));
    }
    return scr_place_outlines(s, &outlines->placed) ? SCREE_OK : SCREE_NO_MEMORY;
}

/* ---------------------------------------------------------------- an increment of strides */

void scr_begin_strides(Strides *p) {
    p->before.made = false;
    p->deepest = 0;
}

void scr_strides_free(Strides *p) {
    scr_block_free(&p->before.block);
    scr_arena_free(&p->ahead);
    scr_block_free(&p->motion);
}

/* ---------------------------------------------------------------- a shorter step */

void scr_shorten_rows(Problem *p, double part) {
    for (size_t i = 0; i < p->rows; i++) {
        LawRow *l = scr_law_row(p, i);
        p->row[i].rn *= part;
        p->row[i].rt = scale(part, p->row[i].rt);
        if (l != NULL) { /* a spring: 1 / (k dt^2), and the velocity that its memory stands for */
            l->soft_n /= part * part;
            l->soft_t /= part * part;
            l->bias_t = scale(1 / part, l->bias_t);
            l->torque = (Torque){scale(part, l->torque.roll), part * l->torque.twist};
        }
    }
}

/* The impulse of a row's tangential spring after a part of its change from what it was before. */
static double spring_after(const Row *r, const LawRow *l, double part) {
    double before = -l->bias_t.x / l->soft_t;
    return (1 - part) * before + part * r->rt.x;
}

/* The velocity at which a row slides, that is beyond its spring. */
static double sliding(const Problem *p, size_t row, double part) {
    const LawRow *l = scr_law_row(p, row);
    double stretching = l != NULL ? l->bias_t.x + l->soft_t * p->row[row].rt.x : 0;
    return scr_row_velocity(p, row).t.x + part * stretching;
}

ScreeStatus scr_remember_sliding(const StepTask *t, State *s, double part) {
    Contacts *k = &s->contacts;
    bool first = k->slid == NULL;
    if (first && !SCR_RESERVE(k, slid, k->count + 1)) {
        return SCREE_NO_MEMORY;
    }
    for (size_t i = 0; i < k->count; i++) {
        size_t slot = (size_t)t->order.slot[i];
        const LawRow *l = scr_law_row(&t->problem, slot);
        double before = first ? 0 : k->slid[i];
        k->slid[i] = before + t->with->time_step * sliding(&t->problem, slot, part);
        if (l != NULL && l->soft_t > 0) {
            double spring = spring_after(&t->problem.row[slot], l, part);
            Vec3 n = k->item[i].normal;
            k->item[i].tangential_impulse = vec3(-n.y * spring, n.x * spring, 0);
        }
    }
    return SCREE_OK;
}
