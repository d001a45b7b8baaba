#include "dynamics/shaped_pairs.h"

#include "base/status.h"
#include "dynamics/pair_motion.h"
#include "narrow/glued.h"
#include "math/reduce.h"

/* All contact points within the reach. Which way two corners pass each other is told by the
 * velocities at the start of the step: in free motion every body falls a little, and one that
 * glides slowly over a seam would seem to fall into it. */
static ScreeStatus find_points(const StepTask *t, const Placed *placed, Pair p, OldPoints old,
                               double reach, PairWork *work) {
    const PairMotion start = scr_start_motion(t->with, t->state, p);
    const StepMotion step = scr_motion_in(t->with->time_step, &start);
    return scr_pair_points(t->state, placed, p.a, p.b, old, &step, reach, work);
}

/* ---------------------------------------------------------------- contacts */

void scr_outlines_free(Outlines *outlines) {
    scr_placed_free(&outlines->placed);
    for (size_t k = 0; k < SCR_MOST_PIECES; k++) {
        scr_pair_work_free(&outlines->piece[k].work);
        SCR_FREE_BLOCKS(&outlines->piece[k].found_block, &outlines->piece[k].foreseen_block);
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

static bool may_close(const StepTask *t, const OutlineTouch *at, double approach, double slack) {
    return at->gap + scr_min(0, approach) * t->with->time_step <= slack;
}

/* What the pair is foreseen to turn into. */
static ScreeStatus note_foreseen(const StepTask *t, Pair p, OldPoints before, ShapedPiece *piece) {
    const Foresight *f = &t->foresight;
    for (size_t i = scr_foreseen_from(f, p, 0); i < f->count; i++) {
        const Foreseen *at = &f->item[i];
        if (at->pair.a != p.a || at->pair.b != p.b) {
            break;
        }
        const Contact *same = scr_point_before(t->state, p.a, p.b, before, at->touch.feature);
        SCR_TRY(scr_note_found(piece, p, at->touch, same));
    }
    return SCREE_OK;
}

ScreeStatus scr_try_shapes(const StepTask *t, const Placed *placed, OldCursor *cursor, Pair p,
                           ShapedPiece *piece) {
    const State *s = t->state;
    const OldContacts *old = cursor->old;
    OldPoints before = {NULL, 0};
    before.item = scr_find_old_points(cursor, p.a, p.b, &before.count);
    const bool was_glued = before.count == 1 && before.item->feature == SCR_GLUED;
    const ScreeBond *bond = scr_find_bond(&s->bonds, p.a, p.b);
    piece->work.touches.count = 0;
    if (bond != NULL) {
        return scr_note_found(piece, p, scr_glued_touch(s, bond, p.a, p.b),
                              was_glued ? before.item : NULL);
    }
    before.count = was_glued ? 0 : before.count;
    const PairMotion m = scr_free_pair_motion(t, p);
    Vec3 d = scr_between(s, p.a, p.b);
    double slack = scr_pair_slack(t, p), reach = slack + scr_farthest_approach(t, &m, p, d);
    reach = before.count > 0 ? scr_max(reach, s->materials.longest_range) : reach;
    if (scr_touch_round(s, p.a, p.b).gap <= reach) {
        SCR_TRY(find_points(t, placed, p, before, reach, &piece->work));
    }
    SCR_TRY(note_foreseen(t, p, before, piece));
    for (size_t i = 0; i < piece->work.touches.count; i++) {
        const OutlineTouch *at = &piece->work.touches.item[i];
        if (scr_find_foreseen(&t->foresight, p, at->feature) != NULL) {
            continue;
        }
        const Contact *same = scr_point_before(s, p.a, p.b, before, at->feature);
        if (!scr_was_bonded(old, same) &&
            !may_close(t, at, scr_approach(&m, d, at->arm, at->normal), slack)) {
            continue;
        }
        SCR_TRY(scr_note_found(piece, p, (Touch){at->gap, at->normal, at->feature}, same));
    }
    return SCREE_OK;
}

/* ---------------------------------------------------------------- turning */

/* How far a contact point would come in the step at the speed that its bodies approach with. */
static double way_of_approach(const StepParams *with, const State *s, const Contact *c) {
    const PairMotion m = scr_start_motion(with, s, (Pair){c->a, c->b});
    Vec3 d = scr_between(s, c->a, c->b), arm = scr_pair_arms(s, c).a;
    return scr_max(0, -with->time_step * scr_approach(&m, d, arm, c->normal));
}

double scr_lost_to_turning(const StepParams *with, const State *s, const Contact *c) {
    const PairMotion m = scr_start_motion(with, s, (Pair){c->a, c->b});
    const StepMotion step = scr_motion_in(with->time_step, &m);
    double loss = scr_pair_loss(s, c, &step);
    return loss > 0 ? scr_min(loss, way_of_approach(with, s, c)) : 0;
}

/* A corner that slides at u along an edge that turns at w loses w u dt^2 of its gap. To keep it, the
 * row is asked to open at w u dt, which is also how fast the corner does move, at the end of the
 * step, along the normal of its beginning: the edge has turned by w dt. So what is asked for is the
 * motion of the bodies, and makes no energy; the arms of corners are lost and won likewise. But no
 * point is sent back faster than it came: where bodies turn far, foresight does what is left. Of
 * curves the loss is known to second order only, which is not enough where they bend sharply. */
bool scr_correct_turning(StepTask *t) {
    const State *s = t->state;
    double permitted = s->def.solver.overlap * t->free->least_radius;
    bool corrected = false;
    for (size_t i = 0; t->lost != NULL && i < s->contacts.count; i++) {
        const Contact *c = &s->contacts.item[i];
        size_t slot = (size_t)t->order.slot[i];
        Row *row = &t->problem.row[slot];
        if (c->feature <= 0 || c->feature == SCR_GLUED || !(row->rn > 0) || scr_is_foreseen(t, c)) {
            continue;
        }
        const PairMotion m = scr_solved_motion(t, (Pair){c->a, c->b});
        const StepMotion step = scr_motion_in(t->with->time_step, &m);
        double most = scr_max(c->gap, 0) + way_of_approach(t->with, s, c);
        double lost = scr_min(scr_pair_loss(s, c, &step), most), more = lost - t->lost[slot];
        if (more > permitted) {
            row->bias -= more / t->with->time_step;
            t->lost[slot] = lost;
            corrected = true;
        }
    }
    return t->lost != NULL && scr_any_process(s->spread, corrected);
}

/* ---------------------------------------------------------------- audit */

bool scr_shapes_missed(const StepTask *t, const Placed *placed, Pair p, PairWork *work) {
    const State *s = t->state;
    if (scr_find_bond(&s->bonds, p.a, p.b) != NULL) {
        return false;
    }
    const PairMotion free = scr_free_pair_motion(t, p), now = scr_solved_motion(t, p);
    Vec3 d = scr_between(s, p.a, p.b);
    double least = scr_least_radius(s, p.a, p.b), dt = t->with->time_step;
    double slack = scr_pair_slack(t, p), reach = scr_farthest_approach(t, &now, p, d);
    if (scr_touch_round(s, p.a, p.b).gap > reach) {
        return false;
    }
    if (find_points(t, placed, p, (OldPoints){NULL, 0}, reach, work) != SCREE_OK) {
        return true; /* the next attempt will say that there is no memory */
    }
    for (size_t i = 0; i < work->touches.count; i++) {
        const OutlineTouch *at = &work->touches.item[i];
        bool taken = may_close(t, at, scr_approach(&free, d, at->arm, at->normal), slack);
        if (!taken && at->gap + dt * scr_approach(&now, d, at->arm, at->normal) < -1e-9 * least) {
            return true;
        }
    }
    return false;
}
