/* Bodies with shapes in the soft engine: which pairs may touch, where they do, and what a contact
 * point keeps from step to step. points.c finds the forces there.
 *
 * Contact points are visited in the order of the pairs, and within a pair in the order in which the
 * geometry finds them, so nothing depends on when they began. */
#include "base/status.h"
#include "narrow/core_points.h"
#include "soft/contact.h"
#include "soft/engine.h"
#include "state/rotation.h"

#include <string.h>

/* ---------------------------------------------------------------- pairs */

static bool is_shaped(const State *s, const Soft *w, int32_t rank) {
    return s->bodies.shape[w->order[rank]] >= 0;
}

static SoftPair ordered(const Soft *w, int32_t a, int32_t b) {
    return w->order[a] < w->order[b] ? (SoftPair){a, b} : (SoftPair){b, a};
}

/* The entries keep their order; the remaining ones close up. */
static void split_entries(const State *s, Soft *w) {
    SoftShapes *h = &w->shapes;
    uint32_t kept = 0, e = 0;
    for (size_t k = 0; k < w->bodies; k++) {
        uint32_t end = w->begin[k + 1];
        w->begin[k] = kept;
        for (; e < end; e++) {
            int32_t other = w->entry[e].other;
            if (is_shaped(s, w, (int32_t)k) || is_shaped(s, w, other)) {
                h->pair[h->pairs++] = ordered(w, (int32_t)k, other);
            } else {
                w->entry[kept++] = w->entry[e];
            }
        }
    }
    w->begin[w->bodies] = kept;
    w->entries = kept;
}

bool scr_soft_split_shapes(const State *s, Soft *w) {
    SoftShapes *h = &w->shapes;
    h->bodies = h->pairs = h->points = 0;
    memset(h->lost, 0, sizeof h->lost);
    for (size_t i = 0; i < s->bodies.count; i++) {
        h->bodies += s->bodies.shape[i] >= 0;
    }
    if (h->bodies == 0) {
        return true;
    }
    if (!SCR_RESERVE(h, pair, w->entries + 1) || !SCR_RESERVE(h, orientation, s->bodies.count) ||
        (s->shapes.solids > 0 && !SCR_RESERVE(h, turn, s->bodies.count))) {
        return false;
    }
    split_entries(s, w);
    return true;
}

void scr_soft_free_shapes(SoftShapes *h) {
    scr_placed_free(&h->placed);
    scr_block_free(&h->found.block);
    scr_block_free(&h->orientation_block);
    scr_block_free(&h->turn_block);
    scr_block_free(&h->pair_block);
    scr_block_free(&h->point_block);
    scr_block_free(&h->next_block);
}

size_t scr_soft_shape_bytes(const SoftShapes *h) {
    return h->placed.outline_block.bytes + h->placed.corner_block.bytes +
           h->placed.ball_block.bytes + h->placed.solid_block.bytes + h->found.block.bytes +
           h->orientation_block.bytes + h->turn_block.bytes + h->pair_block.bytes +
           h->point_block.bytes + h->next_block.bytes;
}

/* ---------------------------------------------------------------- points */

static int32_t partner_of(const Soft *w, SoftPair p) {
    return p.b >= 0 ? w->order[p.b] : p.b;
}

static SoftMeeting meet(const State *s, const Soft *w, SoftPair p, int32_t feature) {
    return scr_soft_meet(s, w, w->order[p.a], partner_of(w, p), feature);
}

static SoftPoint new_point(const SoftMeeting *m, uint64_t pair, SoftPair p) {
    return (SoftPoint){
        .pair = pair,
        .a = p.a,
        .b = p.b,
        .inverse_mass = m->mass > 0 ? 1 / m->mass : 0,
        .inverse_inertia = {m->turning[0], m->turning[1]},
    };
}

bool scr_soft_revive_point(const State *s, Soft *w, uint64_t pair, SoftPair p,
                           const SoftMemory *m) {
    SoftShapes *h = &w->shapes;
    if (!SCR_RESERVE_KEEPING(h, point, h->points + 1, h->points)) {
        return false;
    }
    SoftMeeting meeting = meet(s, w, p, m->feature);
    SoftPoint *point = &h->point[h->points++];
    *point = new_point(&meeting, pair, p);
    point->at.feature = m->feature;
    scr_soft_revive(&meeting, m, &point->contact, scr_soft_needs_extra(w) ? &point->extra : NULL);
    return true;
}

void scr_soft_remember_points(const State *state, const Soft *w) {
    SoftState *s = state->soft;
    bool extra = scr_soft_needs_extra(w);
    for (size_t i = 0; i < w->shapes.points; i++) {
        const SoftPoint *p = &w->shapes.point[i];
        if (p->at.surplus || (p->b < 0 && !state->walls.item[scr_wall_of(p->b)].present)) {
            continue;
        }
        s->memory[s->contacts++] =
            scr_soft_remember(w->order[p->a], p->b >= 0 ? w->order[p->b] : p->b, p->at.feature,
                              &p->contact, extra ? &p->extra : NULL);
    }
}

/* ---------------------------------------------------------------- finding them */

double scr_soft_pair_reach(const SoftMeeting *m) {
    if (!(m->law->uses & SOFT_COHESION)) {
        return 0;
    }
    SoftContact c = scr_soft_contact(m);
    Bond bond = scr_soft_bond(m->law, c.stiffness);
    return scr_bond_reach(&bond);
}

/* The points of the step before, and how far they have been compared. */
typedef struct Before {
    SoftPoint *point;
    size_t count, first, end; /* those of the present pair */
} Before;

/* What the springs of a point stored is lost, and so is the work of tearing a bond. */
static void end_point(const State *s, Soft *w, const SoftPoint *p) {
    double *lost = w->shapes.lost;
    scr_soft_lose(w, &p->contact, scr_soft_needs_extra(w) ? &p->extra : NULL, lost);
    if (w->uses & SOFT_COHESION && p->extra.opening >= 0) {
        SoftMeeting meeting = meet(s, w, (SoftPair){p->a, p->b}, p->at.feature);
        Bond bond = scr_soft_bond(meeting.law, p->contact.stiffness);
        double opening = p->extra.opening;
        lost[LOSS_COHESION] += scr_bond_pull(&bond, 2 * scr_bond_reach(&bond), &opening).lost;
    }
}

/* Moves on to the points of a pair; those passed over without continuing have ended. */
static void pass_to_pair(const State *s, Soft *w, Before *b, uint64_t pair) {
    for (; b->first < b->count && b->point[b->first].pair < pair; b->first++) {
        if (!b->point[b->first].taken) {
            end_point(s, w, &b->point[b->first]);
        }
    }
    b->end = b->first;
    while (b->end < b->count && b->point[b->end].pair == pair) {
        b->end++;
    }
}

/* Whether an old point can continue as one found now. */
static bool can_continue(const Soft *w, const SoftPoint *p, const Penetration *now) {
    return now->gap < 0 || (w->uses & SOFT_COHESION && p->extra.opening >= 0);
}

static SoftPoint *find_same(const Soft *w, Before *b, const Penetration *now) {
    for (size_t i = b->first; i < b->end; i++) {
        SoftPoint *p = &b->point[i];
        if (p->at.feature == now->feature && p->at.surplus == now->surplus &&
            can_continue(w, p, now)) {
            return p;
        }
    }
    return NULL;
}

/* Whether a point may be called something else from one step to the next. */
static bool may_continue(const State *s, const Soft *w, const SoftPoint *p, int32_t now) {
    if (s->def.dimension == 2) {
        return scr_continues_as(p->at.feature, now);
    }
    const PlacedSolid *solid = w->shapes.placed.solid;
    return scr_core_continues_as(solid[w->order[p->a]].solid,
                                 p->b >= 0 ? solid[w->order[p->b]].solid : NULL, p->at.feature,
                                 now);
}

/* An old point that no other one continues. */
static SoftPoint *find_predecessor(const State *s, const Soft *w, Before *b,
                                   const Penetration *now) {
    for (size_t i = b->first; i < b->end; i++) {
        SoftPoint *p = &b->point[i];
        if (!p->taken && !p->at.surplus && !now->surplus && may_continue(s, w, p, now->feature) &&
            can_continue(w, p, now)) {
            return p;
        }
    }
    return NULL;
}

/* Whether a point found now is a new contact. */
static bool begins(const State *s, const Soft *w, SoftPair p, const Penetration *now) {
    if (now->gap < 0 || now->surplus || !(w->uses & SOFT_COHESION)) {
        return now->gap < 0;
    }
    double size = w->ball[p.a].radius + (p.b >= 0 ? w->ball[p.b].radius : 0);
    return scr_soft_bonds(meet(s, w, p, now->feature).law, -now->gap, size);
}

static bool add_point(SoftShapes *h, size_t *count, const SoftPoint *point) {
    if (!scr_block_reserve(&h->next_block, *count + 1, sizeof *point, *count * sizeof *point)) {
        return false;
    }
    ((SoftPoint *)h->next_block.data)[(*count)++] = *point;
    return true;
}

/* What was found for a pair becomes its points: old ones that continue, and new ones. */
static bool take_points(const State *s, Soft *w, Before *before, uint64_t pair, SoftPair p,
                        size_t *count) {
    SoftShapes *h = &w->shapes;
    pass_to_pair(s, w, before, pair);
    for (size_t i = 0; i < h->found.count; i++) {
        SoftPoint *same = find_same(w, before, &h->found.item[i]);
        if (same != NULL) {
            same->taken = true;
        }
    }
    for (size_t i = 0; i < h->found.count; i++) {
        const Penetration *now = &h->found.item[i];
        SoftPoint *old = find_same(w, before, now), point;
        old = old != NULL ? old : find_predecessor(s, w, before, now);
        if (old != NULL) {
            old->taken = true;
            point = *old;
            point.fresh = point.taken = false;
        } else if (begins(s, w, p, now)) {
            SoftMeeting meeting = meet(s, w, p, now->feature);
            point = new_point(&meeting, pair, p);
            point.contact = scr_soft_contact(&meeting);
            point.fresh = true;
            if (scr_soft_needs_extra(w)) {
                point.extra = scr_soft_extra(&meeting, &point.contact);
            }
            point.extra.opening = now->surplus ? -1 : point.extra.opening;
        } else {
            continue;
        }
        point.at = *now;
        if (!add_point(h, count, &point)) {
            return false;
        }
    }
    return true;
}

/* With any of its features. */
static double reach_of(const State *s, const Soft *w, SoftPair p) {
    if (!(w->uses & SOFT_COHESION)) {
        return 0;
    }
    SoftMeeting meeting = meet(s, w, p, 0);
    return scr_soft_pair_reach(&meeting);
}

static ScreeStatus find_in_pair(const State *s, Soft *w, SoftPair p, Penetrations *found) {
    PlacedPair pair;
    bool body = p.b >= 0;
    scr_place_pair(s, &w->shapes.placed, w->order[p.a], partner_of(w, p), w->ball[p.a].x,
                   w->ball[body ? p.b : p.a].x, &pair);
    found->count = 0;
    return scr_pair_penetrate(&pair, reach_of(s, w, p), found);
}

/* Cores without a distance between them have no force that parts them. */
static ScreeStatus refuse_cores(const State *s, const Soft *w, SoftPair p, char *message) {
    return scr_fail(
        message, SCREE_TOO_CROWDED,
        "step %llu: body %d and %s %d overlap by as much as they are rounded, and further "
        "in nothing parts them: take stiffer contacts or a larger rounding, or place "
        "them apart",
        (unsigned long long)s->step + 1, w->order[p.a], p.b >= 0 ? "body" : "wall",
        p.b >= 0 ? w->order[p.b] : (int)scr_wall_of(p.b));
}

static ScreeStatus visit(const State *s, Soft *w, Before *before, uint64_t pair, SoftPair p,
                         size_t *count, char *message) {
    SoftShapes *h = &w->shapes;
    ScreeStatus status = find_in_pair(s, w, p, &h->found);
    if (status == SCREE_TOO_CROWDED) {
        return refuse_cores(s, w, p, message);
    }
    if (status == SCREE_OK && h->found.count > 0 && !take_points(s, w, before, pair, p, count)) {
        status = SCREE_NO_MEMORY;
    }
    return status;
}

ScreeStatus scr_soft_find_points(const State *s, Soft *w, char *message) {
    SoftShapes *h = &w->shapes;
    if (h->bodies == 0) {
        return SCREE_OK;
    }
    scr_soft_orientations(s, w, h->orientation);
    if (!scr_place_turned(s, h->orientation, &h->placed)) {
        return SCREE_NO_MEMORY;
    }
    Before before = {.point = h->point, .count = h->points};
    ScreeStatus status = SCREE_OK;
    size_t count = 0;
    for (size_t i = 0; i < h->pairs && status == SCREE_OK; i++) {
        status = visit(s, w, &before, i, h->pair[i], &count, message);
    }
    for (size_t i = 0; i < w->walls; i++) {
        for (size_t e = w->wall[i].begin; e < w->wall[i].end && status == SCREE_OK; e++) {
            int32_t rank = w->wall_entry[e].other;
            if (is_shaped(s, w, rank)) {
                status = visit(s, w, &before, scr_soft_wall_pair(i, rank),
                               (SoftPair){rank, scr_wall_code(i)}, &count, message);
            }
        }
    }
    pass_to_pair(s, w, &before, UINT64_MAX);
    Block old = h->point_block;
    h->point_block = h->next_block;
    h->next_block = old;
    h->point = h->point_block.data;
    h->points = count;
    return status;
}
