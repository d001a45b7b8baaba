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

#include <string.h>

/* So many strides must keep to the overlap. */
enum { EXACT_STRIDES = 8 };

/* The longest part of a motion that is followed if not all of it is, and the shortest. */
static const double longest = 0.9, shortest = 0.02;

/* In radii: overlaps that the next stride can push apart; how far a body must go back. */
static const double undoable = 0.02, far_back = 0.05;

/* ---------------------------------------------------------------- how far */

/* The state after a part of the solved motion, as far as overlaps need it. */
static bool look_ahead(const State *s, Engine *e, double part, State *after) {
    const Bodies *b = &s->bodies;
    size_t n = b->count, walls = s->walls.count;
    size_t bytes = n * (sizeof(Vec3) + sizeof(Quat)) + walls * sizeof(ScreeWallState);
    double dt = part * s->def.time_step;
    if (!scr_block_reserve(&e->strides.ahead, bytes + 1, 1, 0)) {
        return false;
    }
    *after = *s;
    after->bodies.position = e->strides.ahead.data;
    after->bodies.orientation = (Quat *)(after->bodies.position + n);
    after->walls.item = (ScreeWallState *)(after->bodies.orientation + n);
    for (size_t i = 0; i < n; i++) {
        const ProblemBody *p = scr_problem_body(e, (int32_t)i);
        Vec3 turn = scale(dt / b->radius[i], p->s);
        after->bodies.position[i] = add_scaled(b->position[i], dt, p->v);
        after->bodies.orientation[i] = quat_multiply(quat_from_turn(turn), b->orientation[i]);
    }
    for (size_t i = 0; i < walls; i++) {
        ScreeWallState *w = &after->walls.item[i];
        *w = s->walls.item[i];
        if (w->present && w->now.motion != SCREE_WALL_FIXED) {
            bool piston = w->now.motion == SCREE_WALL_PISTON;
            Vec3 motion = piston ? e->problem.body[scr_wall_place(s, i)].v : w->now.velocity;
            scr_wall_advance(w, motion, dt);
        }
    }
    return scr_place_outlines(after, &e->placed);
}

/* What is looked for after a part of the motion. */
typedef struct Overlaps {
    const State *before;
    const State *after;
    Engine *engine;
    double time;          /* since then */
    double deepest, more; /* of all pairs, and how much deeper than the linear gaps of a pair say */
    size_t contact;       /* the next one; pairs come in the order of contacts */
} Overlaps;

/* How deep the linear gaps of a pair become: by springs, or as they were before. */
static double linear_overlap(Overlaps *o, int32_t a, int32_t b) {
    const Contacts *k = &o->before->contacts;
    const Engine *e = o->engine;
    double most = 0;
    while (o->contact < k->count && k->item[o->contact].a == a && k->item[o->contact].b == b) {
        double motion = scr_row_velocity(&e->problem, (size_t)e->order.slot[o->contact]).n;
        most = fmax(most, -k->item[o->contact].gap - o->time * motion);
        o->contact++;
    }
    return most;
}

static ScreeStatus look_at(Overlaps *o, int32_t a, int32_t b) {
    const State *s = o->after;
    double linear = linear_overlap(o, a, b);
    if (!scr_is_shaped(s, a, b) || scr_round_gap(s, a, b) >= 0) {
        return SCREE_OK;
    }
    double deepest = 0;
    ScreeStatus status =
        scr_shape_overlap(s, &o->engine->placed, a, b, &o->engine->touches, &deepest);
    o->deepest = fmax(o->deepest, deepest);
    o->more = fmax(o->more, deepest - linear);
    return status;
}

/* Walls that stand still, or those that move. */
static ScreeStatus look_at_walls(Overlaps *o, bool moving) {
    const State *s = o->after;
    ScreeStatus status = SCREE_OK;
    for (size_t w = 0; w < s->walls.count; w++) {
        const ScreeWallState *wall = &s->walls.item[w];
        bool now = wall->present && moving == (wall->now.motion != SCREE_WALL_FIXED);
        for (size_t i = 0; now && i < s->bodies.count && status == SCREE_OK; i++) {
            status = look_at(o, (int32_t)i, -1 - (int32_t)w);
        }
    }
    return status;
}

/* How much deeper outlines overlap after a part of the motion than the linear gaps say. No body has
 * left its margin, so the list has all pairs. */
static ScreeStatus excess(const State *s, Engine *e, double part, double *more) {
    State after;
    Overlaps o = {.before = s, .after = &after, .engine = e, .time = part * s->def.time_step};
    ScreeStatus status = look_ahead(s, e, part, &after) ? SCREE_OK : SCREE_NO_MEMORY;
    for (size_t i = 0; i < e->neighbours.count && status == SCREE_OK; i++) {
        Pair p = scr_bodies_of(e, e->neighbours.pair[i]);
        status = look_at(&o, p.a, p.b);
    }
    for (int moving = 0; moving < 2 && status == SCREE_OK; moving++) {
        status = look_at_walls(&o, moving);
    }
    e->strides.deepest = o.deepest;
    *more = o.more;
    return status;
}

/* Whether some body goes back, by far, from where the stride before has brought it. Keeps the
 * motion for the next stride. */
static ScreeStatus turns_back(const State *s, Engine *e, int stride, bool *back) {
    size_t n = s->bodies.count;
    if (!scr_block_reserve(&e->strides.motion, n + 1, sizeof(Vec3), 0)) {
        return SCREE_NO_MEMORY;
    }
    Vec3 *before = e->strides.motion.data;
    *back = false;
    for (size_t i = 0; i < n; i++) {
        const ProblemBody *p = scr_problem_body(e, (int32_t)i);
        Vec3 now = scale(s->def.time_step, vec3(p->v.x, p->v.y, p->s.z));
        double far = far_back * s->bodies.radius[i];
        *back = *back || (stride > 1 && dot(now, before[i]) < 0 && dot(now, now) > far * far);
        before[i] = now;
    }
    return SCREE_OK;
}

/* Shortens the motion until it adds no more than `most`, and what was there in excess. */
static ScreeStatus shorten(const State *s, Engine *e, double most, double *part) {
    double before = 0, more = INFINITY;
    ScreeStatus status = excess(s, e, 0, &before);
    *part = 2 * e->strides.longest;
    while (status == SCREE_OK && more > most + before && *part > shortest) {
        *part *= 0.5;
        status = excess(s, e, *part, &more);
    }
    return status;
}

/* The part of the motion that is followed where its end overlaps too much. */
static ScreeStatus choose_part(const State *s, Engine *e, int stride, double within, double *part) {
    double *most = &e->strides.longest;
    bool back = false;
    ScreeStatus status = turns_back(s, e, stride, &back);
    *most = stride == 1 ? longest : back ? 0.5 * *most : fmin(longest, 2 * *most);
    return status == SCREE_OK ? shorten(s, e, fmax(within, undoable * e->least_radius), part)
                              : status;
}

ScreeStatus scr_part_to_follow(const State *s, Engine *e, int stride, double *part) {
    *part = 1;
    if (!scr_is_static(&s->def) || s->shapes.count == 0) {
        return SCREE_OK;
    }
    double more = 0, within = s->def.solver.overlap * e->least_radius;
    within *= stride > EXACT_STRIDES ? ldexp(1, stride - EXACT_STRIDES) : 1;
    ScreeStatus status = excess(s, e, 1, &more);
    if (status == SCREE_OK && more > within) {
        status = choose_part(s, e, stride, within, part);
    }
    if (status == SCREE_OK && !scr_place_outlines(s, &e->placed)) {
        status = SCREE_NO_MEMORY;
    }
    return status;
}

/* ---------------------------------------------------------------- where it was */

/* Copies all that moves to `at`, or back. Returns its size; `at` may be NULL. */
static size_t exchange(const State *s, char *at, bool back) {
    const Bodies *b = &s->bodies;
    const struct {
        void *data;
        size_t bytes;
    } field[] = {{b->position, b->count * sizeof *b->position},
                 {b->orientation, b->count * sizeof *b->orientation},
                 {b->velocity, b->count * sizeof *b->velocity},
                 {b->spin, b->count * sizeof *b->spin},
                 {s->walls.item, s->walls.count * sizeof *s->walls.item}};
    size_t done = 0;
    for (size_t i = 0; i < sizeof field / sizeof field[0]; i++) {
        if (at != NULL && field[i].bytes > 0) {
            memcpy(back ? field[i].data : at + done, back ? at + done : field[i].data,
                   field[i].bytes);
        }
        done += field[i].bytes;
    }
    return done;
}

/* Before the first stride moves anything. */
static bool keep_bodies(const State *s, Strides *p) {
    if (!p->begun && scr_block_reserve(&p->before, exchange(s, NULL, false) + 1, 1, 0)) {
        exchange(s, p->before.data, false);
        p->begun = true;
    }
    return p->begun;
}

void scr_undo_strides(State *s, const Strides *p) {
    if (p->begun) {
        exchange(s, p->before.data, true);
    }
}

void scr_begin_strides(Strides *p) {
    p->begun = false;
    p->deepest = 0;
}

void scr_strides_free(Strides *p) {
    scr_block_free(&p->before);
    scr_block_free(&p->ahead);
    scr_block_free(&p->motion);
}

/* ---------------------------------------------------------------- a shorter step */

ScreeStatus scr_shorten_step(State *s, Engine *e, double part) {
    Problem *p = &e->problem;
    if (part == 1) {
        return SCREE_OK;
    }
    if (!keep_bodies(s, &e->strides)) {
        return SCREE_NO_MEMORY;
    }
    for (size_t i = 0; i < p->rows; i++) {
        LawRow *l = scr_law_row(p, i);
        p->row[i].rn *= part;
        p->row[i].rt = scale(part, p->row[i].rt);
        if (l != NULL) { /* a spring: 1 / (k dt^2), and the velocity that its memory stands for */
            l->soft_n /= part * part;
            l->soft_t /= part * part;
            l->bias_t = scale(1 / part, l->bias_t);
            l->torque = scale(part, l->torque);
        }
    }
    s->def.time_step *= part;
    s->contacts.time_step = s->def.time_step;
    return SCREE_OK;
}

/* The impulse of a row's tangential spring after a part of its way from what it had before. */
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

ScreeStatus scr_keep_memory(State *s, const Engine *e, double part) {
    Contacts *k = &s->contacts;
    if (part == 1) {
        return SCREE_OK;
    }
    bool first = k->slid == NULL;
    if (first && !scr_block_reserve(&k->slid_block, k->count + 1, sizeof *k->slid, 0)) {
        return SCREE_NO_MEMORY;
    }
    k->slid = k->slid_block.data;
    for (size_t i = 0; i < k->count; i++) {
        size_t slot = (size_t)e->order.slot[i];
        const LawRow *l = scr_law_row(&e->problem, slot);
        double before = first ? 0 : k->slid[i];
        k->slid[i] = before + s->def.time_step * sliding(&e->problem, slot, part);
        if (l != NULL && l->soft_t > 0) {
            double t = spring_after(&e->problem.row[slot], l, part);
            k->item[i].tangential_impulse =
                vec3(-k->item[i].normal.y * t, k->item[i].normal.x * t, 0);
        }
    }
    return SCREE_OK;
}

/* Over the step a contact obeys g + u_n >= mu |u_t|. When a part has been made of it, with g' and
 * s, what is left of that is (g' - mu |s|) + u_n >= mu |u_t|: otherwise contacts that slide would
 * have to close, and lose their forces, whenever a stride is shorter than the one before. */
void scr_lower_rows(const State *s, Engine *e) {
    const Contacts *k = &s->contacts;
    bool lifts = k->slid != NULL && !s->def.variational.exact;
    for (size_t i = 0; lifts && i < k->count; i++) {
        Row *r = &e->problem.row[e->order.slot[i]];
        r->bias -= r->mu * fabs(k->slid[i]) / s->def.time_step;
    }
}

/* ---------------------------------------------------------------- the certificate */

void scr_join_reports(ScreeReport *sum, const ScreeReport *one, int stride) {
    ScreeReport all = *one; /* what is not joined is that of the last stride */
    if (stride > 1) {
        all.iterations = sum->iterations > one->iterations ? sum->iterations : one->iterations;
        all.converged = sum->converged && one->converged;
        all.residual = fmax(sum->residual, one->residual);
        all.residual_fclib = fmax(sum->residual_fclib, one->residual_fclib);
        all.residual_associated = fmax(sum->residual_associated, one->residual_associated);
        all.overlap_added = fmax(sum->overlap_added, one->overlap_added);
        all.work_external += sum->work_external;
        all.work_walls += sum->work_walls;
        all.dissipation += sum->dissipation;
        all.dissipation_normal += sum->dissipation_normal;
        all.dissipation_friction += sum->dissipation_friction;
        all.dissipation_rolling += sum->dissipation_rolling;
        all.dissipation_torsion += sum->dissipation_torsion;
        all.dissipation_cohesion += sum->dissipation_cohesion;
        all.dissipation_scheme += sum->dissipation_scheme;
        all.energy_error += sum->energy_error;
        all.motion_max += sum->motion_max;
        all.cuts = stride - 1;
        all.rebuilt = sum->rebuilt || one->rebuilt;
    }
    *sum = all;
}
