/* Was a contact missed? The contacts of a step are chosen at free motion; here it is seen whether
 * the impulses have led some body into another that was left out. */
#include "dynamics/engine.h"

#include "base/status.h"
#include "dynamics/cascade.h"
#include "dynamics/plain_bodies.h"
#include "dynamics/plain_contacts.h"

enum { AHEAD = 8 };

typedef struct Audit {
    CellStretch cell;
    double beyond;        /* by how much the cell strains beyond its free motion */
    const StepTask *task; /* in its `reach`: how far the impulses have moved each body */
    BodyAudit found[SCR_MOST_PIECES];
} Audit;

static void audit_piece(void *context, size_t piece) {
    Audit *a = context;
    const StepTask *t = a->task;
    const State *s = t->state;
    const int32_t *rank = t->list->neighbours.rank;
    const Bodies *b = &s->bodies;
    const bool shapes = scr_any_shaped(s);
    double dt = t->with->time_step;
    BodyAudit f = {0};
    size_t end = scr_piece_end(b->count, piece);
    for (size_t i = scr_piece_begin(b->count, piece); i < end; i++) {
        if (i + AHEAD < end) {
            __builtin_prefetch(&t->problem.body[rank[i + AHEAD]]);
        }
        double shift = scr_body_shift(t, i) + a->beyond * (b->radius[i] + b->margin[i]);
        if (shapes && b->shape[i] >= 0) { /* its corners move also as it turns */
            Vec3 turn = scale(b->radius[i], scr_free_turn(t->with, s, i));
            shift += length(sub(t->problem.body[rank[i]].s, turn)) * dt;
        }
        scr_audit_body(t, &a->cell, i, shift, &f);
    }
    a->found[piece] = f;
}

/* The same of a wall: a piston. */
static double wall_shift(const StepTask *t, size_t w) {
    const State *s = t->state;
    const ScreeWallDef *wall = &s->walls.item[w].now;
    if (!s->walls.item[w].present || wall->motion != SCREE_WALL_PISTON) {
        return 0;
    }
    Vec3 d = sub(t->problem.body[scr_wall_index(s, w)].v, scr_wall_motion(wall, wall->point));
    return length(d) * t->with->time_step;
}

static BodyAudit audit_bodies(const StepTask *t) {
    Audit a = {.task = t};
    if (t->with->deforms) {
        const Mat3 more = mat3_add_scaled(t->problem.cell->rate, -1, t->free->rate);
        a.cell = scr_cell_stretch(t->with, t->state, &t->problem.cell->rate);
        a.beyond = t->with->time_step * mat3_size(&more);
    }
    size_t pieces = scr_pieces(t->state->bodies.count);
    scr_threads_loop(t->with->threads, pieces, audit_piece, &a);
    BodyAudit all = {0};
    for (size_t k = 0; k < pieces; k++) {
        const BodyAudit *f = &a.found[k];
        all.outruns = all.outruns || f->outruns;
        all.infinite = all.infinite || f->infinite;
        all.energy = all.energy >= f->energy ? all.energy : f->energy;
        all.most = scr_max(all.most, f->most);
    }
    for (size_t w = 0; w < t->state->walls.count; w++) {
        all.most = scr_max(all.most, wall_shift(t, w));
    }
    double most[] = {all.outruns, all.infinite || isnan(all.energy), all.energy, all.most};
    scr_most_over_processes(t->state->spread, most, sizeof most / sizeof most[0]);
    return (BodyAudit){most[0] > 0, most[1] > 0, most[2], most[3]};
}

/* Whether a pair of round bodies that is no contact would overlap at the new velocities. */
static bool balls_overlap(const StepTask *t, Pair p) {
    LeftOut out;
    if (!scr_is_left_out(t, p, &out)) {
        return false; /* is a contact */
    }
    return t->impacts.detour != NULL ? scr_detours_overlap(t, p, out.d, 1e-9 * out.radius)
                                     : scr_overlaps_then(t, p, &out);
}

typedef struct PairAudit {
    const StepTask *task;
    Outlines *outlines;
    bool missed[SCR_MOST_PIECES];
} PairAudit;

static void audit_pairs(void *context, size_t piece) {
    PairAudit *a = context;
    const StepTask *t = a->task;
    const Neighbours *nb = &t->list->neighbours;
    const bool shapes = scr_any_shaped(t->state);
    size_t end = scr_piece_end(nb->count, piece);
    PairWork *work = &a->outlines->piece[piece].work;
    a->missed[piece] = false;
    for (size_t i = scr_piece_begin(nb->count, piece); i < end && !a->missed[piece]; i++) {
        Pair p = nb->pair[i], bodies = scr_bodies_of(t->state, t->list, p);
        bool shaped = shapes && scr_is_shaped(t->state, bodies.a, bodies.b);
        double radius = scr_min(nb->spot[p.a].reach, nb->spot[p.b].reach);
        double slack = shaped ? scr_pair_slack(t, bodies) : t->list->slack * radius;
        if (t->reach[p.a] + t->reach[p.b] <= slack) {
            continue; /* too little to use up the slack */
        }
        work->solids.kept = scr_kept_of(&a->outlines->kept, i);
        a->missed[piece] =
            shaped ? scr_shapes_missed(t, &a->outlines->placed, bodies, work) : balls_overlap(t, p);
    }
    work->solids.kept = NULL;
}

static bool any_missed(PairAudit *a, size_t count, void (*audit)(void *context, size_t piece)) {
    const size_t pieces = scr_pieces(count);
    scr_threads_loop(a->task->with->threads, pieces, audit, a);
    bool missed = false;
    for (size_t k = 0; k < pieces; k++) {
        missed = missed || a->missed[k];
    }
    return missed;
}

/* Whether some pair of the list that is no contact would overlap. */
static bool pair_overlaps(const StepTask *t, Outlines *outlines) {
    PairAudit a = {.task = t, .outlines = outlines};
    return any_missed(&a, t->list->neighbours.count, audit_pairs);
}

/* The same for a body and a wall. */
static bool overlaps_wall(const StepTask *t, Outlines *outlines, size_t i, size_t w, size_t piece) {
    const State *s = t->state;
    const Bodies *k = &s->bodies;
    const ScreeWallDef *wall = &s->walls.item[w].now;
    if (scr_is_shaped(s, (int32_t)i, scr_wall_code(w))) {
        return scr_shapes_missed(t, &outlines->placed, (Pair){(int32_t)i, scr_wall_code(w)},
                                 &outlines->piece[piece].work);
    }
    Touch touch = scr_touch_wall(&s->def, wall, k->position[i], k->radius[i]);
    Vec3 seen = scr_seen_by_wall(&s->def, wall, k->position[i]);
    const bool piston = wall->motion == SCREE_WALL_PISTON;
    const Vec3 *own = piston ? &t->problem.body[scr_wall_index(s, w)].v : NULL;
    return scr_ball_overlaps_wall(t, wall, i, seen, touch, own);
}

/* Likewise for a piece of the bodies and all walls. */
static void audit_at_walls(void *context, size_t piece) {
    PairAudit *a = context;
    const StepTask *t = a->task;
    const State *s = t->state;
    const int32_t *rank = t->list->neighbours.rank;
    const size_t begin = scr_piece_begin(scr_originals(s), piece),
                 end = scr_piece_end(scr_originals(s), piece);
    a->missed[piece] = false;
    for (size_t w = 0; w < s->walls.count; w++) {
        double own = wall_shift(t, w);
        for (size_t i = begin; i < end && s->walls.item[w].present && !a->missed[piece]; i++) {
            a->missed[piece] = t->reach[rank[i]] + own > t->list->slack * s->bodies.radius[i] &&
                               !scr_never_meet(s, (int32_t)i, scr_wall_code(w)) &&
                               overlaps_wall(t, a->outlines, i, w, piece);
        }
    }
}

static bool wall_overlaps(const StepTask *t, Outlines *outlines) {
    PairAudit a = {.task = t, .outlines = outlines};
    return any_missed(&a, scr_originals(t->state), audit_at_walls);
}

/* What the next attempt must reckon with. */
static void note_strays(const StepTask *t) {
    const int32_t *rank = t->list->neighbours.rank;
    for (size_t i = 0; t->stray != NULL && i < t->state->bodies.count; i++) {
        t->stray[i] = scr_max(t->stray[i], t->reach[rank[i]]);
    }
}

bool scr_missed_contact(const StepTask *t, State *s, NearList *list, Outlines *outlines,
                        bool *finite) {
    if (t->there != NULL) {
        return scr_missed_there(t, list, finite);
    }
    const BodyAudit found = audit_bodies(t);
    double least = t->free->least_radius;
    *finite = !found.infinite && isfinite(16 * (double)scr_all_bodies(s) * found.energy);
    if (found.outruns) {
        note_strays(t);
        s->list_stale = true;
        return true;
    }
    if (2 * found.most <= list->slack * least) {
        return false; /* nothing outside of the slack can have closed */
    }
    bool missed =
        scr_any_process(s->spread, pair_overlaps(t, outlines) || wall_overlaps(t, outlines));
    if (missed) {
        note_strays(t);
        list->slack = scr_max(2 * list->slack, 2.2 * found.most / least);
    }
    return missed;
}

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
            return scr_fail(
                message, SCREE_NOT_FINITE,
                "step %llu: body %zu would exceed all bounds (speed %.3g); check masses, "
                "forces and the time step",
                (unsigned long long)t->with->number, i, length(p->v));
        }
    }
    return SCREE_OK;
}

ScreeStatus scr_check_finite(const StepTask *t, bool finite, const ScreeReport *report,
                             char *message) {
    if (!finite) {
        SCR_TRY(find_infinite(t, message));
    }
    if (!isfinite(report->residual) || !isfinite(report->residual_fclib) ||
        !isfinite(report->residual_loads) || !isfinite(report->residual_velocity)) {
        return scr_fail(
            message, SCREE_NOT_FINITE,
            "step %llu: impulses exceed the range of numbers; check masses, forces and the "
            "time step",
            (unsigned long long)t->with->number);
    }
    return SCREE_OK;
}
