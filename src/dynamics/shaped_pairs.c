#include "dynamics/shaped_pairs.h"

#include "base/status.h"

/* ---------------------------------------------------------------- motion */

/* How a pair moves through the step: velocities of the centres, and spins. */
typedef struct PairMotion {
    Vec3 va, vb, wa, wb;
} PairMotion;

/* At the start of the step. */
static PairMotion start_motion(const State *s, int32_t a, int32_t b) {
    const Bodies *k = &s->bodies;
    PairMotion m = {.va = k->velocity[a], .wa = k->spin[a]};
    if (b >= 0) {
        m.vb = k->velocity[b];
        m.wb = k->spin[b];
    } else {
        const ScreeWallDef *w = &s->walls.item[scr_wall_of(b)].now;
        m.vb = scr_wall_motion(w, w->point);
        m.wb = w->motion == SCREE_WALL_MOVED ? w->spin : vec3(0, 0, 0);
    }
    return m;
}

static PairMotion free_pair_motion(const StepTask *t, Pair p) {
    const State *s = t->state;
    PairMotion m = start_motion(s, p.a, p.b);
    m.va = t->free->motion[p.a];
    m.wa = scr_free_turn(t->with, s, (size_t)p.a);
    if (p.b >= 0) {
        m.vb = t->free->motion[p.b];
        m.wb = scr_free_turn(t->with, s, (size_t)p.b);
    }
    return m;
}

/* The same as the solution has it. */
static PairMotion solved_motion(const StepTask *t, Pair p) {
    const Bodies *k = &t->state->bodies;
    PairMotion m = free_pair_motion(t, p);
    m.va = scr_problem_body(t, p.a)->v;
    m.wa = scale(1 / k->radius[p.a], scr_problem_body(t, p.a)->s);
    if (p.b >= 0) {
        m.vb = scr_problem_body(t, p.b)->v;
        m.wb = scale(1 / k->radius[p.b], scr_problem_body(t, p.b)->s);
    } else if (t->state->walls.item[scr_wall_of(p.b)].now.motion == SCREE_WALL_PISTON) {
        m.vb = t->problem.body[scr_wall_index(t->state, scr_wall_of(p.b))].v;
    }
    return m;
}

/* Velocity of b against a along the normal of a contact point. */
static double approach(const PairMotion *m, Vec3 d, const OutlineTouch *t) {
    Vec3 ua = add(m->va, cross(m->wa, t->arm)), ub = add(m->vb, cross(m->wb, sub(t->arm, d)));
    return dot(sub(ub, ua), t->normal);
}

/* No point of the two can come nearer than this within the step. */
static double farthest_approach(const StepTask *t, const PairMotion *m, Pair p, Vec3 d) {
    const double *radius = t->state->bodies.radius;
    double ra = radius[p.a], rb = p.b >= 0 ? radius[p.b] : length(d) + ra;
    Vec3 v = sub(m->vb, m->va);
    double turning = length(m->wa) * ra + length(m->wb) * rb;
    return t->with->time_step * (fabs(v.x) + fabs(v.y) + fabs(v.z) + turning);
}

static StepMotion step_motion(double dt, const PairMotion *m) {
    return (StepMotion){scale(dt, sub(m->vb, m->va)), scale(dt, m->wa), scale(dt, m->wb)};
}

/* All contact points within the reach. Which way two corners pass each other is told by the
 * velocities at the start of the step: in free motion every body falls a little, and one that
 * glides slowly over a seam would seem to fall into it. */
static ScreeStatus find_points(const StepTask *t, const Placed *placed, Pair p, OldPoints old,
                               double reach, PairWork *work) {
    const PairMotion start = start_motion(t->state, p.a, p.b);
    const StepMotion step = step_motion(t->with->time_step, &start);
    return scr_pair_points(t->state, placed, p.a, p.b, old, &step, reach, work);
}

/* ---------------------------------------------------------------- contacts */

void scr_outlines_free(Outlines *outlines) {
    scr_placed_free(&outlines->placed);
    for (size_t k = 0; k < SCR_MOST_PIECES; k++) {
        scr_pair_work_free(&outlines->piece[k].work);
        scr_block_free(&outlines->piece[k].found_block);
    }
    scr_kept_pairs_free(&outlines->kept);
}

ScreeStatus scr_note_found(ShapedPiece *piece, Pair pair, Touch touch, const Contact *before) {
    if (!SCR_RESERVE_KEEPING(piece, found, piece->count + 1, piece->count)) {
        return SCREE_NO_MEMORY;
    }
    piece->found[piece->count++] = (FoundPoint){pair, touch, before};
    return SCREE_OK;
}

ScreeStatus scr_try_shapes(const StepTask *t, const Placed *placed, OldCursor *cursor, Pair p,
                           ShapedPiece *piece) {
    const State *s = t->state;
    const OldContacts *old = cursor->old;
    OldPoints before = {NULL, 0};
    before.item = scr_find_old_points(cursor, p.a, p.b, &before.count);
    const PairMotion m = free_pair_motion(t, p);
    Vec3 d = scr_between(s, p.a, p.b);
    double least = scr_least_radius(s, p.a, p.b);
    double reach = t->list->slack * least + farthest_approach(t, &m, p, d);
    reach = before.count > 0 ? scr_max(reach, s->materials.longest_range) : reach;
    if (scr_touch_round(s, p.a, p.b).gap > reach) {
        return SCREE_OK;
    }
    SCR_TRY(find_points(t, placed, p, before, reach, &piece->work));
    for (size_t i = 0; i < piece->work.touches.count; i++) {
        const OutlineTouch *at = &piece->work.touches.item[i];
        const Contact *same = scr_point_before(s, p.a, p.b, before, at->feature);
        if (!scr_was_bonded(old, same) &&
            !scr_may_close(t->with, t->list, at->gap, approach(&m, d, at), least)) {
            continue;
        }
        SCR_TRY(scr_note_found(piece, p, (Touch){at->gap, at->normal, at->feature}, same));
    }
    return SCREE_OK;
}

/* ---------------------------------------------------------------- turning */

double scr_lost_to_turning(const StepParams *with, const State *s, const Contact *c) {
    double dt = with->time_step;
    const PairMotion m = start_motion(s, c->a, c->b);
    const StepMotion step = step_motion(dt, &m);
    double loss = scr_pair_loss(s, c, &step);
    if (!(loss > 0)) {
        return 0;
    }
    const OutlineTouch touch = {.normal = c->normal, .arm = scr_pair_arms(s, c).a};
    return scr_min(loss, scr_max(0, -dt * approach(&m, scr_between(s, c->a, c->b), &touch)));
}

/* A corner that slides at u along an edge that turns at w loses w u dt^2 of its gap. To keep it, the
 * row is asked to open at w u dt, which is also how fast the corner does move, at the end of the
 * step, along the normal of its beginning: the edge has turned by w dt. So what is asked for is the
 * motion of the bodies, and makes no energy; the arms of corners are lost and won likewise. Of
 * curves the loss is known to second order only, which is not enough where they bend sharply. */
bool scr_correct_turning(StepTask *t) {
    const State *s = t->state;
    double permitted = s->def.solver.overlap * t->free->least_radius;
    bool corrected = false;
    for (size_t i = 0; t->lost != NULL && i < s->contacts.count; i++) {
        const Contact *c = &s->contacts.item[i];
        size_t slot = (size_t)t->order.slot[i];
        Row *row = &t->problem.row[slot];
        if (c->feature == 0 || !(row->rn > 0)) {
            continue;
        }
        const PairMotion m = solved_motion(t, (Pair){c->a, c->b});
        const StepMotion step = step_motion(t->with->time_step, &m);
        double lost = scr_pair_loss(s, c, &step), more = lost - t->lost[slot];
        if (more > permitted) {
            row->bias -= more / t->with->time_step;
            t->lost[slot] = lost;
            corrected = true;
        }
    }
    return corrected;
}

/* ---------------------------------------------------------------- audit */

bool scr_shapes_missed(const StepTask *t, const Placed *placed, Pair p, PairWork *work) {
    const State *s = t->state;
    const PairMotion free = free_pair_motion(t, p), now = solved_motion(t, p);
    Vec3 d = scr_between(s, p.a, p.b);
    double least = scr_least_radius(s, p.a, p.b), dt = t->with->time_step;
    double reach = farthest_approach(t, &now, p, d);
    if (scr_touch_round(s, p.a, p.b).gap > reach) {
        return false;
    }
    if (find_points(t, placed, p, (OldPoints){NULL, 0}, reach, work) != SCREE_OK) {
        return true; /* the next attempt will say that there is no memory */
    }
    for (size_t i = 0; i < work->touches.count; i++) {
        const OutlineTouch *at = &work->touches.item[i];
        bool taken = scr_may_close(t->with, t->list, at->gap, approach(&free, d, at), least);
        if (!taken && at->gap + dt * approach(&now, d, at) < -1e-9 * least) {
            return true;
        }
    }
    return false;
}
