/* Newton's law knows the velocity of one contact. Where several act at one time, one that moves apart
 * may have to be stopped by the blow of another, and then u_n' = 0 costs the bodies less than u_n' =
 * -e u_n gives them: with impulses p,
 *     gain = sum of p (u + u') / 2 = -(1 - e) / 2 |p u| at impacts, but + p u / 2 where u > 0 = u'.
 * Without restitution the gain is -p W p / 2, never positive. What a bridge comes to hold counts as a gain, too:
 * the rebound has paid for it by the masses of its two bodies alone. So wherever bodies that exchange
 * impulses have gained energy, they have less and less restitution until they do not: down to none. */
#include "dynamics/tame.h"

#include "base/status.h"
#include "dynamics/bridges.h"
#include "dynamics/held.h"

#include <string.h>

/* What is left of the coefficients each time, and the part of the work of impacts that counts as
 * rounding. */
static const double part_left[] = {1, 0.9, 0.7, 0.4, 0};
enum { TAMEST = 4 };
static const double negligible = 1e-6;

double scr_tamed_part(const StepTask *t, const Contact *c) {
    const Impacts *all = &t->impacts;
    if (all->tamed_count == 0) {
        return 1;
    }
    double part = part_left[all->tamed[c->a]];
    return c->b >= 0 ? scr_min(part, part_left[all->tamed[c->b]]) : part;
}

static bool takes_part(const StepTask *t) {
    const State *s = t->state;
    return (s->materials.uses & LAW_RESTITUTION) != 0 && t->with->inertia && t->with->theta == 1 &&
           !s->def.signed_gap && s->contacts.count > 0;
}

/* Only an impact asks for a velocity apart, or leaves a bridge across a gap. */
static bool has_impacts(const StepTask *t) {
    const Problem *p = &t->problem;
    if ((t->state->materials.uses & LAW_BRIDGES) != 0) {
        return true;
    }
    for (size_t i = 0; i < p->rows; i++) {
        if (p->row[i].bias < 0 && p->row[i].rn > 0) {
            return true;
        }
    }
    return false;
}

/* ---------------------------------------------------------------- groups of bodies */

/* Bodies that exchange impulses, also by way of a cell whose stress is held; the numbers are those of the body that stands for them. */
typedef struct Group {
    int32_t of; /* another of the group; itself: it stands for it */
    double gain, impacts;
    bool springs; /* which give back what they had before */
} Group;

static Group *group_of(Group *group, int32_t body) {
    while (group[body].of != body) {
        group[body].of = group[group[body].of].of;
        body = group[body].of;
    }
    return &group[body];
}

static void join(Group *group, int32_t a, int32_t b) {
    Group *one = group_of(group, a), *other = group_of(group, b);
    if (one != other) {
        other->of = (int32_t)(one - group);
    }
}

static bool has_gained(const Group *g) {
    return !g->springs && g->impacts > 0 && g->gain > negligible * g->impacts;
}

/* ---------------------------------------------------------------- what impulses have done */

/* The body of a contact just before its impulses, at free motion: what forces press together in the
 * step is no gain. */
static ProblemBody body_before(const StepTask *t, int32_t body, const ProblemBody *now) {
    const State *s = t->state;
    ProblemBody before = *now;
    int32_t piston = body >= 0 ? scr_holding_piston(s, body) : -1;
    body = piston >= 0 ? scr_wall_code((size_t)piston) : body;
    if (body >= 0) {
        before.v = t->free->motion[body];
        before.s = scale(s->bodies.radius[body], scr_free_turn(t->with, s, (size_t)body));
    } else if (scr_is_movable(now)) {
        before.v = scr_free_piston(t->with, &s->walls.item[scr_wall_of(body)].now);
    }
    return before;
}

static RowVelocity velocity_before(StepTask *t, const Contact *c, size_t slot) {
    Problem *p = &t->problem;
    ProblemBody *a = &p->body[p->row[slot].a], *b = &p->body[p->row[slot].b];
    const ProblemBody now_a = *a, now_b = *b;
    *a = body_before(t, c->a, a);
    *b = body_before(t, c->b, b);
    RowVelocity u;
    if (p->cell != NULL) {
        const Mat3 now = p->cell->rate;
        p->cell->rate = t->free->rate;
        u = scr_row_velocity(p, slot);
        p->cell->rate = now;
    } else {
        u = scr_row_velocity(p, slot);
    }
    *a = now_a;
    *b = now_b;
    return u;
}

/* It pushes, or its liquid pulls. */
static bool acts(const StepTask *t, size_t contact) {
    const size_t slot = (size_t)t->order.slot[contact];
    const LawRow *l = scr_law_row(&t->problem, slot);
    return t->problem.row[slot].rn > 0 || (l != NULL && l->bridged);
}

/* What its bridge comes to hold, which is a part of what the bodies have. */
static double drawn(const StepTask *t, size_t contact, RowVelocity after) {
    const State *s = t->state;
    const Contact *c = &s->contacts.item[contact];
    const Bridge bridge = scr_contact_bridge(s, c);
    const LawRow *l = scr_law_row(&t->problem, (size_t)t->order.slot[contact]);
    const double gap = scr_max(c->gap, 0), end = gap + t->with->time_step * after.n;
    const double held = l != NULL && l->bridged ? scr_bridge_energy(&bridge, gap) : 0;
    return scr_bridge_energy(&bridge, end) - held;
}

static void add_contact(StepTask *t, size_t contact, Group *group) {
    const Contact *c = &t->state->contacts.item[contact];
    size_t slot = (size_t)t->order.slot[contact];
    const Row *r = &t->problem.row[slot];
    if (!acts(t, contact)) {
        return;
    }
    RowVelocity before = velocity_before(t, c, slot), after = scr_row_velocity(&t->problem, slot);
    const ScreeLaw *law = scr_contact_law(t->state, c);
    bool impact = law->restitution > 0 || law->restitution_tangential > 0;
    Group *g = group_of(group, c->a);
    const LawRow *l = scr_law_row(&t->problem, slot);
    const bool bond = l != NULL && l->adhesion > 0 && !l->bridged;
    g->springs = g->springs || bond || (l != NULL && (l->soft_n > 0 || l->soft_t > 0));
    g->gain += (t->state->materials.uses & LAW_BRIDGES) != 0 ? drawn(t, contact, after) : 0;
    g->gain += 0.5 * (r->rn * (before.n + after.n) + dot(r->rt, add(before.t, after.t)));
    g->impacts += impact && before.n < 0 && r->rn > 0 ? -r->rn * before.n : 0;
}

static bool gather(StepTask *t, Group *group) {
    const State *s = t->state;
    for (size_t i = 0; i < s->bodies.count; i++) {
        group[i] = (Group){.of = (int32_t)i};
    }
    const bool through_cell = t->problem.cell != NULL && t->problem.cell->inverse_mass > 0;
    for (size_t i = 0; i < s->contacts.count; i++) {
        const Contact *c = &s->contacts.item[i];
        if (c->b >= 0 && acts(t, i)) {
            join(group, c->a, c->b);
            join(group, c->a, through_cell ? 0 : c->a);
        }
    }
    for (size_t i = 0; i < s->contacts.count; i++) {
        add_contact(t, i, group);
    }
    for (size_t i = 0; i < s->bodies.count; i++) {
        if (group[i].of == (int32_t)i && has_gained(&group[i])) {
            return true;
        }
    }
    return false;
}

/* Bodies of chains are left to the law of the whole step, which is what is tamed. */
static bool ban_and_tame(Impacts *all, const Group *own, int32_t body) {
    bool more =
        own->gain > negligible * own->impacts && own->impacts > 0 && all->tamed[body] < TAMEST;
    if (more) {
        all->tamed[body]++;
        all->tamed_count++;
        all->banned[body] = true;
        all->bans++;
    }
    return more;
}

ScreeStatus scr_tame_impacts(StepTask *t, bool *again) {
    Impacts *all = &t->impacts;
    size_t bodies = t->state->bodies.count;
    if (!takes_part(t) || !has_impacts(t)) {
        return SCREE_OK;
    }
    if (!scr_block_reserve(&all->group_block, bodies, sizeof(Group), 0)) {
        return SCREE_NO_MEMORY;
    }
    Group *group = all->group_block.data;
    if (!gather(t, group)) {
        return SCREE_OK;
    }
    if (!SCR_RESERVE_KEEPING(all, banned, bodies, all->bans > 0 ? bodies : 0) ||
        !SCR_RESERVE_KEEPING(all, tamed, bodies, all->tamed_count > 0 ? bodies : 0)) {
        return SCREE_NO_MEMORY;
    }
    if (all->bans == 0) {
        memset(all->banned, 0, bodies * sizeof *all->banned);
    }
    if (all->tamed_count == 0) {
        memset(all->tamed, 0, bodies * sizeof *all->tamed);
    }
    for (size_t i = 0; i < bodies; i++) {
        *again = ban_and_tame(all, group_of(group, (int32_t)i), (int32_t)i) || *again;
    }
    all->hits = *again ? 0 : all->hits; /* what has been noted of them does not hold */
    return SCREE_OK;
}
