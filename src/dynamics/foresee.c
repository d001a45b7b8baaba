/* Looks at the pairs that move fast where the solution would put them: see foresight.h. */
#include "dynamics/foresee.h"

#include "base/status.h"
#include "math/reduce.h"
#include "dynamics/pair_motion.h"

/* [radii] Overlaps that are not deeper than this are let pass, or than the step may add. Pairs that
 * come no farther than the second are not looked at. */
static const double neglected = 1e-3, far = 1e-2;

/* [radii] Where points have come in from is clear while they are no deeper than this. */
static const double shallow = 2e-2;

/* [radians] A pair is looked at as often as it turns by so much, but once at least. */
static const double glance = 0.05;
enum { MOST_GLANCES = 8, MOST_HALVINGS = 6 };

/* A pair on its way. */
typedef struct Way {
    const StepTask *task;
    const Placed *placed;
    Pair pair;
    PairMotion motion, path;
    ShapedPiece *piece;
    bool springs; /* between them */
} Way;

/* The deepest overlap after a part of the step; the points are left in the piece's work. */
static ScreeStatus look_at(const Way *w, double part, Vec3 *d, double *depth) {
    const StepMotion motion = scr_motion_in(part * w->task->with->time_step, &w->path);
    PairWork *work = &w->piece->work;
    SCR_TRY(scr_moved_points(w->task->state, w->placed, w->pair.a, w->pair.b, &motion, work, d));
    *depth = 0;
    for (size_t i = 0; i < work->touches.count; i++) {
        *depth = scr_max(*depth, -work->touches.item[i].gap);
    }
    return SCREE_OK;
}

/* Nothing is left that the law could do: it keeps points from coming nearer, and asks none to
 * part. A spring is there to be pressed together. */
static bool is_exhausted(const Way *w, const Foreseen *now) {
    const Foreseen *f = scr_find_foreseen(&w->task->foresight, now->pair, now->touch.feature);
    return f != NULL && (w->springs || (f->touch.gap == 0 && now->touch.gap == 0));
}

/* [radians, radii] A point of a smooth body is met at as many normals as the body turns it by, in each look at
 * another one; and where it is nearly flat, at places far from each other while the normal hardly turns. Were the last
 * one alone kept, two of them would take turns for ever. What the step began with is replaced wherever it was: of a
 * body that rolls it is the same contact, which has moved on, with its bond; and where it bears as well, the next look
 * finds it again. To keep it took a fifth more sweeps for 4,000 random fast pairs, with the same overlaps. */
static const double another_normal = 0.03, another_place = 0.1;

static int32_t name_of(const Way *w, const OutlineTouch *at, Vec3 arm) {
    const double away = another_place * scr_least_radius(w->task->state, w->pair.a, w->pair.b);
    for (int32_t name = at->feature; name != 0;
         name = scr_name_again(w->task->state, w->pair.a, w->pair.b, name)) {
        const Foreseen *f = scr_find_foreseen(&w->task->foresight, w->pair, name);
        if (f == NULL || (length(sub(f->touch.normal, at->normal)) <= another_normal &&
                          length(sub(f->arms.a, arm)) <= away)) {
            return name;
        }
    }
    return at->feature;
}

/* An impulse must not make angular momentum where the bodies are now, so its point is the same for
 * both, and the way that they have gone by then is shared: the arm of a gets the part x of it, taken
 * off, and that of b the rest. Their spins make of this an error of the speed at which they approach,
 *
 *   n . (x w_a + (1 - x) w_b) x way,
 *
 * which some x makes 0, or as small as it can be. */
static double share_of_a(const PairMotion *m, Vec3 normal, Vec3 way) {
    double a = dot(normal, cross(m->wa, way)), b = dot(normal, cross(m->wb, way));
    return a * b < 0 ? b / (b - a) : fabs(a) < fabs(b) ? 1 : fabs(a) > fabs(b) ? 0 : 0.5;
}

/* The points deeper than this, as contacts of the moment that they are seen at. */
static ScreeStatus note_points(const Way *w, double part, Vec3 d, double deeper_than) {
    ShapedPiece *piece = w->piece;
    double time = part * w->task->with->time_step;
    Vec3 d_now = scr_between(w->task->state, w->pair.a, w->pair.b), way = sub(d, d_now);
    for (size_t i = 0; i < piece->work.touches.count; i++) {
        const OutlineTouch *at = &piece->work.touches.item[i];
        Vec3 arm = add_scaled(at->arm, -share_of_a(&w->motion, at->normal, way), way);
        double u = scr_approach(&w->motion, d_now, arm, at->normal);
        const Foreseen now = {w->pair,
                              {scr_max(0, at->gap - time * u), at->normal, name_of(w, at, arm)},
                              {arm, sub(arm, d_now)}};
        if (at->gap >= -deeper_than || u >= 0 || is_exhausted(w, &now)) {
            continue;
        }
        if (!SCR_RESERVE_KEEPING(piece, foreseen, piece->foreseens + 1, piece->foreseens)) {
            return SCREE_NO_MEMORY;
        }
        piece->foreseen[piece->foreseens++] = now;
    }
    return SCREE_OK;
}

/* Of a pair that overlaps a little at the end of the step, the points as they are then: in what is
 * left of the step after it has begun to overlap, turning may bring it farther than its speed at
 * that moment. If they part again by then, the moment itself is looked for between two parts of the step. */
static ScreeStatus find_entry(const Way *w, double apart, double within, double deeper_than) {
    double depth, least = scr_least_radius(w->task->state, w->pair.a, w->pair.b);
    Vec3 d;
    SCR_TRY(look_at(w, 1, &d, &depth));
    if (depth > deeper_than && depth <= deeper_than + shallow * least) {
        size_t before = w->piece->foreseens;
        SCR_TRY(note_points(w, 1, d, deeper_than));
        if (w->piece->foreseens > before) {
            return SCREE_OK;
        }
    }
    for (int k = 0; k < MOST_HALVINGS; k++) {
        double middle = 0.5 * (apart + within);
        SCR_TRY(look_at(w, middle, &d, &depth));
        if (depth > deeper_than) {
            within = middle;
        } else {
            apart = middle;
        }
    }
    SCR_TRY(look_at(w, within, &d, &depth));
    return note_points(w, within, d, deeper_than);
}

/* Follows the pair until it overlaps by more than it does now. Where springs have been pressed together already,
 * the overlap is what they store, and its points stay what they are. */
static ScreeStatus follow(const Way *w, double turn, double allowed) {
    int glances = (int)scr_min(1 + floor(turn / glance), MOST_GLANCES);
    double before = -1, depth = 0;
    Vec3 d;
    for (int k = 1; k <= glances; k++) {
        SCR_TRY(look_at(w, (double)k / glances, &d, &depth));
        if (depth > allowed && before < 0) {
            double deepest = depth;
            SCR_TRY(look_at(w, 0, &d, &before));
            depth = deepest;
            if (w->springs && before > 0) {
                return SCREE_OK;
            }
        }
        if (depth > allowed + scr_max(before, 0)) {
            w->piece->missed = scr_max(w->piece->missed, depth - before);
            return find_entry(w, (k - 1.0) / glances, (double)k / glances, allowed + before);
        }
    }
    w->piece->deepest = scr_max(w->piece->deepest, depth);
    return SCREE_OK;
}

static ScreeStatus foresee_pair(const StepTask *t, const Placed *placed, Pair p,
                                ShapedPiece *piece) {
    const State *s = t->state;
    Way w = {.task = t,
             .placed = placed,
             .pair = p,
             .piece = piece,
             .springs = isfinite(scr_pair_law(s, p.a, p.b)->stiffness)};
    w.motion = scr_solved_motion(t, p);
    double least = scr_least_radius(s, p.a, p.b);
    double turn = t->with->time_step * (length(w.motion.wa) + length(w.motion.wb));
    double reach = scr_farthest_approach(t, &w.motion, p, scr_between(s, p.a, p.b));
    double allowed = least * scr_max(neglected, s->def.solver.overlap);
    if (scr_find_bond(&s->bonds, p.a, p.b) != NULL || !(reach > far * least) ||
        scr_touch_round(s, p.a, p.b).gap > reach) {
        return SCREE_OK;
    }
    w.path = scr_path_of(t, p, &w.motion);
    return follow(&w, turn, allowed);
}

/* ---------------------------------------------------------------- all pairs */

typedef struct Lookout {
    const StepTask *task;
    Outlines *outlines;
} Lookout;

static bool moves_far(const StepTask *t, int32_t body) {
    const ProblemBody *p = scr_problem_body(t, body);
    double way = t->with->time_step * (length(p->v) + length(p->s));
    if (t->with->deforms) { /* it brings the body that far towards its partners, at most */
        way += t->with->time_step * mat3_size(&t->problem.cell->rate) *
               (t->state->bodies.radius[body] + t->state->bodies.margin[body]);
    }
    return way > 0.5 * far * t->state->bodies.radius[body];
}

static void foresee_pairs(void *context, size_t piece) {
    const Lookout *l = context;
    const StepTask *t = l->task;
    const NearList *list = t->list;
    ShapedPiece *own = &l->outlines->piece[piece];
    size_t end = scr_piece_end(list->neighbours.count, piece);
    for (size_t i = scr_piece_begin(list->neighbours.count, piece);
         i < end && own->status == SCREE_OK; i++) {
        Pair p = scr_bodies_of(t->state, list, list->neighbours.pair[i]);
        if (scr_is_shaped(t->state, p.a, p.b) && (moves_far(t, p.a) || moves_far(t, p.b))) {
            own->status = foresee_pair(t, &l->outlines->placed, p, own);
        }
    }
}

static ScreeStatus foresee_walls(const StepTask *t, Outlines *outlines) {
    const State *s = t->state;
    ShapedPiece *own = &outlines->piece[0];
    for (size_t i = 0; i < scr_originals(s); i++) {
        bool looked_at = s->bodies.shape[i] >= 0 && moves_far(t, (int32_t)i);
        for (size_t w = 0; looked_at && w < s->walls.count; w++) {
            const Pair p = {(int32_t)i, scr_wall_code(w)};
            if (s->walls.item[w].present && !scr_never_meet(s, p.a, p.b)) {
                SCR_TRY(foresee_pair(t, &outlines->placed, p, own));
            }
        }
    }
    return SCREE_OK;
}

/* Whether anything moves far, and in a step that foresight is meant for. */
static bool is_needed(const StepTask *t) {
    const State *s = t->state;
    bool needed = false;
    if (s->shapes.count == 0 || !t->with->inertia || scr_is_variational(&s->def) ||
        t->impacts.detour != NULL) {
        return false;
    }
    for (size_t i = 0; i < s->bodies.count && !needed; i++) {
        needed = moves_far(t, (int32_t)i);
    }
    return scr_any_process(s->spread, needed);
}

/* What all pieces have found, and all processes. */
static ScreeStatus take_up(StepTask *t, const Outlines *outlines, bool *found) {
    Foresight *f = &t->foresight;
    size_t noted = 0;
    for (size_t k = 0; k < SCR_MOST_PIECES; k++) {
        const ShapedPiece *piece = &outlines->piece[k];
        SCR_TRY(piece->status);
        f->missed = scr_max(f->missed, piece->missed);
        f->deepest = scr_max(f->deepest, piece->deepest);
        if (t->share != NULL) {
            SCR_TRY(scr_share_note_foreseen(t->share, piece->foreseen, piece->foreseens, &noted));
            continue;
        }
        SCR_TRY(scr_add_foreseen(f, piece->foreseen, piece->foreseens));
        *found = *found || piece->foreseens > 0;
    }
    return t->share != NULL ? scr_share_foresight(t->share, noted, f, found) : SCREE_OK;
}

ScreeStatus scr_foresee(StepTask *t, Outlines *outlines, bool *found) {
    *found = false;
    t->foresight.missed = t->foresight.deepest = 0;
    if (!is_needed(t)) {
        return SCREE_OK;
    }
    Lookout l = {t, outlines};
    size_t pieces = scr_pieces(t->list->neighbours.count);
    for (size_t k = 0; k < SCR_MOST_PIECES; k++) {
        outlines->piece[k].foreseens = 0;
        outlines->piece[k].missed = outlines->piece[k].deepest = 0;
        outlines->piece[k].status = SCREE_OK;
    }
    scr_threads_loop(t->with->threads, pieces, foresee_pairs, &l);
    SCR_TRY(foresee_walls(t, outlines));
    return take_up(t, outlines, found);
}
