/* Newton's law knows the velocity of one contact. Where several act at one time, one that moves apart
 * may have to be stopped by the blow of another, and then u_n' = 0 costs the bodies less than u_n' =
 * -e u_n gives them: with impulses p,
 *     gain = sum of p (u + u') / 2 = -(1 - e) / 2 |p u| at impacts, but + p u / 2 where u > 0 = u'.
 * Friction that turns a sliding contact round gives, too, what it has not taken (Kane's paradox). What a
 * bridge comes to hold counts as a gain: the rebound has paid for it by the masses of its two bodies alone.
 * So wherever bodies that exchange impulses have gained energy, they have less and less restitution until
 * they do not: down to none.
 *
 * Two velocities count as u, and there must be no gain over either:
 *   free    what forces press together within the step is no gain. Without restitution this is never
 *           positive: p u' - p W p / 2.
 *   start   but what a force adds to the free motion of a light piston is not there for impacts to spend:
 *           where these throw it back, the force has done no such work. Without restitution a gain over the
 *           start may be just what forces do that reverse a motion, F dt dv / 2 (scr_certify in certify.c),
 *           and p u' - dv M dv / 2, the gain without that, is never positive. The lesser of the two counts;
 *           a ball that bounces under gravity has p (u + u') / 2 <= 0, and keeps its restitution. */
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

/* Bodies and pistons that exchange impulses, also by way of a cell whose stress is held; the numbers are those of the
 * one that stands for them. */
typedef struct Group {
    int32_t of;     /* another of the group; itself: it stands for it */
    double gain;    /* of kinetic energy, over the free motion */
    double gained;  /* the same over the start of the step */
    double scheme;  /* of the latter, what forces have done that were reversed on their way */
    double impacts; /* the work of impacts */
    double errors;  /* what the errors of the solution may have done */
    bool springs;   /* which give back what they had before */
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

static bool has_gained(const StepTask *t, const Group *g) {
    if (g->springs || !(g->impacts > 0)) {
        return false;
    }
    const double least = negligible * g->impacts;
    const double more = t->problem.cell != NULL ? 0 : scr_min(g->gained, g->gained - g->scheme);
    return g->gain > least || more > least + g->errors;
}

/* ---------------------------------------------------------------- what impulses have done */

/* The body of a contact before its impulses: at the start of the step, or at free motion. */
static ProblemBody body_before(const StepTask *t, int32_t body, const ProblemBody *now, bool free) {
    const State *s = t->state;
    ProblemBody before = *now;
    int32_t piston = body >= 0 ? scr_holding_piston(s, body) : -1;
    body = piston >= 0 ? scr_wall_code((size_t)piston) : body;
    if (body >= 0) {
        const size_t i = (size_t)body;
        before.v = free ? t->free->motion[i] : scr_velocity_before(t->with, s, i);
        before.s = scale(s->bodies.radius[i],
                         free ? scr_free_turn(t->with, s, i) : scr_spin_at_impulse(t->with, s, i));
    } else if (scr_is_movable(now)) {
        const ScreeWallDef *w = &s->walls.item[scr_wall_of(body)].now;
        before.v = free ? scr_free_piston(t->with, w) : w->velocity;
    }
    return before;
}

/* In the row as it stands: one of a chain of impacts has turned. */
static RowVelocity velocity_before(StepTask *t, const Contact *c, size_t slot, bool free) {
    Problem *p = &t->problem;
    ProblemBody *a = &p->body[p->row[slot].a], *b = &p->body[p->row[slot].b];
    const ProblemBody now_a = *a, now_b = *b;
    *a = body_before(t, c->a, a, free);
    *b = body_before(t, c->b, b, free);
    RowVelocity u;
    if (p->cell != NULL) {
        const Mat3 now = p->cell->rate;
        p->cell->rate = free ? t->free->rate : t->with->rate;
        u = scr_row_velocity(p, slot);
        p->cell->rate = now;
    } else {
        u = scr_row_velocity(p, slot);
    }
    *a = now_a;
    *b = now_b;
    return u;
}

/* It pushes, or its bond or liquid pulls. */
static bool acts(const StepTask *t, size_t contact) {
    const size_t slot = (size_t)t->order.slot[contact];
    const LawRow *l = scr_law_row(&t->problem, slot);
    return t->problem.row[slot].rn > 0 || (l != NULL && l->adhesion > 0);
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

static double work(const Row *r, RowVelocity before, RowVelocity after) {
    return 0.5 * (r->rn * (before.n + after.n) + dot(r->rt, add(before.t, after.t)));
}

/* Bonds that hold take their bodies round the bend, which costs nothing: see judge.c. */
static double round_the_bend(const Row *r, const LawRow *l) {
    return l != NULL && l->keeps ? scr_max(0, -r->bias * r->rn) + scr_max(0, -dot(l->bias_t, r->rt))
                                 : 0;
}

static void add_contact(StepTask *t, size_t contact, Group *group) {
    const Contact *c = &t->state->contacts.item[contact];
    size_t slot = (size_t)t->order.slot[contact];
    const Row *r = &t->problem.row[slot];
    if (!acts(t, contact)) {
        return;
    }
    const RowVelocity after = scr_row_velocity(&t->problem, slot);
    const RowVelocity free = velocity_before(t, c, slot, true);
    const RowVelocity start = velocity_before(t, c, slot, false);
    const ScreeLaw *law = scr_contact_law(t->state, c);
    bool impact = law->restitution > 0 || law->restitution_tangential > 0;
    Group *g = group_of(group, c->a);
    const LawRow *l = scr_law_row(&t->problem, slot);
    const bool bridges = (t->state->materials.uses & LAW_BRIDGES) != 0;
    const double held = (bridges ? drawn(t, contact, after) : 0) - round_the_bend(r, l);
    g->springs = g->springs || (l != NULL && (l->soft_n > 0 || l->soft_t > 0 || l->bonded));
    g->gain += held + work(r, free, after);
    g->gained += held + work(r, start, after);
    g->errors += (fabs(r->rn) + length(r->rt)) * scr_row_error(&t->problem, slot);
    g->impacts += impact && free.n < 0 && r->rn > 0 ? -r->rn * free.n : 0;
}

/* Where forces change a motion by dv, the displacement at the velocity at its end takes F dt dv / 2 more of
 * them than the kinetic energy gets: scr_certify in certify.c. */
static void add_body(const StepTask *t, size_t i, Group *group) {
    const State *s = t->state;
    const Bodies *b = &s->bodies;
    if (scr_holding_piston(s, (int32_t)i) >= 0) {
        return;
    }
    const ProblemBody *now = scr_problem_body(t, (int32_t)i);
    const Vec3 before = scr_velocity_before(t->with, s, i), spin = scale(1 / b->radius[i], now->s);
    const double turned = dot(b->torque[i], sub(spin, b->spin[i])) * t->with->time_step;
    Group *g = group_of(group, (int32_t)i);
    g->scheme += 0.5 * b->mass[i] * dot(sub(t->free->motion[i], before), sub(now->v, before));
    g->scheme += 0.5 * turned;
}

static void add_piston(const StepTask *t, size_t wall, Group *group) {
    const State *s = t->state;
    const ScreeWallDef *w = &s->walls.item[wall].now;
    const ProblemBody *now = &t->problem.body[scr_wall_index(s, wall)];
    Group *g = group_of(group, (int32_t)(s->bodies.count + wall));
    const double push = dot(w->force, w->direction) * t->with->time_step;
    g->scheme += 0.5 * push * dot(w->direction, sub(now->v, w->velocity));
}

static bool is_piston(const State *s, size_t wall) {
    return s->walls.item[wall].present && s->walls.item[wall].now.motion == SCREE_WALL_PISTON;
}

/* The number in the groups of what a contact acts on, or -1: nothing that moves. */
static int32_t member(const State *s, int32_t body) {
    const size_t wall = body < 0 ? scr_wall_of(body) : 0;
    const int32_t piston =
        body < 0 ? (is_piston(s, wall) ? (int32_t)wall : -1) : scr_holding_piston(s, body);
    return piston >= 0 ? (int32_t)s->bodies.count + piston : body < 0 ? -1 : scr_origin(s, body);
}

static void join_partners(const StepTask *t, Group *group) {
    const State *s = t->state;
    const bool through_cell = t->problem.cell != NULL && t->problem.cell->inverse_mass > 0;
    for (size_t i = 0; i < s->contacts.count; i++) {
        const Contact *c = &s->contacts.item[i];
        const int32_t a = member(s, c->a), b = member(s, c->b);
        if (!acts(t, i)) {
            continue;
        }
        join(group, c->a, a);
        if (b >= 0) {
            join(group, a, b);
        }
        if (c->b >= 0) {
            join(group, b, c->b);
            join(group, a, through_cell ? 0 : a);
        }
    }
}

static bool gather(StepTask *t, Group *group) {
    const State *s = t->state;
    const size_t members = s->bodies.count + s->walls.count;
    for (size_t i = 0; i < members; i++) {
        group[i] = (Group){.of = (int32_t)i};
    }
    join_partners(t, group);
    for (size_t i = 0; i < s->contacts.count; i++) {
        add_contact(t, i, group);
    }
    for (size_t i = 0; i < scr_originals(s); i++) {
        add_body(t, i, group);
    }
    for (size_t i = 0; i < s->walls.count; i++) {
        if (is_piston(s, i)) {
            add_piston(t, i, group);
        }
    }
    for (size_t i = 0; i < members; i++) {
        if (group[i].of == (int32_t)i && has_gained(t, &group[i])) {
            return true;
        }
    }
    return false;
}

/* Bodies of chains are left to the law of the whole step, which is what is tamed. */
static bool ban_and_tame(const StepTask *t, Impacts *all, const Group *own, int32_t body) {
    bool more = has_gained(t, own) && all->tamed[body] < TAMEST;
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
    if (!scr_block_reserve(&all->group_block, bodies + t->state->walls.count, sizeof(Group), 0)) {
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
        *again = ban_and_tame(t, all, group_of(group, (int32_t)i), (int32_t)i) || *again;
    }
    all->hits = *again ? 0 : all->hits; /* what has been noted of them does not hold */
    return SCREE_OK;
}
