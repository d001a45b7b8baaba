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
#include "math/reduce.h"

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
           !s->def.signed_gap && t->extent.contacts > 0;
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

static bool has_gained(const void *context, const double of[TAME_TERMS], bool springs) {
    const StepTask *t = context;
    if (springs || !(of[TAME_IMPACTS] > 0)) {
        return false;
    }
    const double least = negligible * of[TAME_IMPACTS];
    const double more =
        t->problem.cell != NULL ? 0 : scr_min(of[TAME_GAINED], of[TAME_GAINED] - of[TAME_SCHEME]);
    return of[TAME_GAIN] > least || more > least + of[TAME_ERRORS];
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

static bool add_contact(StepTask *t, size_t contact) {
    const Contact *c = &t->state->contacts.item[contact];
    TameGroups *groups = &t->tame_groups;
    size_t slot = (size_t)t->order.slot[contact];
    const Row *r = &t->problem.row[slot];
    if (!acts(t, contact)) {
        return true;
    }
    const RowVelocity after = scr_row_velocity(&t->problem, slot);
    const RowVelocity free = velocity_before(t, c, slot, true);
    const RowVelocity start = velocity_before(t, c, slot, false);
    const ScreeLaw *law = scr_contact_law(t->state, c);
    bool impact = law->restitution > 0 || law->restitution_tangential > 0;
    const LawRow *l = scr_law_row(&t->problem, slot);
    const bool bridges = (t->state->materials.uses & LAW_BRIDGES) != 0;
    const double held = (bridges ? drawn(t, contact, after) : 0) - round_the_bend(r, l);
    const bool springs = l != NULL && (l->soft_n > 0 || l->soft_t > 0 || l->bonded);
    const TameTerm term = {
        .member = c->a,
        .of = {[TAME_GAIN] = held + work(r, free, after),
               [TAME_GAINED] = held + work(r, start, after),
               [TAME_ERRORS] = (fabs(r->rn) + length(r->rt)) * scr_row_error(&t->problem, slot),
               [TAME_IMPACTS] = impact && free.n < 0 && r->rn > 0 ? -r->rn * free.n : 0}};
    return scr_tame_add(groups, &term) && (!springs || scr_tame_note_springs(groups, c->a));
}

/* Where forces change a motion by dv, the displacement at the velocity at its end takes F dt dv / 2 more of
 * them than the kinetic energy gets: scr_certify in certify.c. */
static bool add_body(StepTask *t, size_t i) {
    const State *s = t->state;
    const Bodies *b = &s->bodies;
    TameGroups *groups = &t->tame_groups;
    if (scr_holding_piston(s, (int32_t)i) >= 0 || scr_tame_is_alone(groups, t->share, (int32_t)i)) {
        return true;
    }
    const ProblemBody *now = scr_problem_body(t, (int32_t)i);
    const Vec3 before = scr_velocity_before(t->with, s, i), spin = scale(1 / b->radius[i], now->s);
    const double turned = dot(b->torque[i], sub(spin, b->spin[i])) * t->with->time_step;
    const Vec3 pushed = sub(t->free->motion[i], before);
    const double scheme = 0.5 * b->mass[i] * dot(pushed, sub(now->v, before)) + 0.5 * turned;
    return scr_tame_add(groups, &(TameTerm){(int32_t)i, {[TAME_SCHEME] = scheme}});
}

static bool add_piston(StepTask *t, size_t wall) {
    const State *s = t->state;
    const ScreeWallDef *w = &s->walls.item[wall].now;
    const ProblemBody *now = &t->problem.body[scr_wall_index(s, wall)];
    const double push = dot(w->force, w->direction) * t->with->time_step;
    const double scheme = 0.5 * push * dot(w->direction, sub(now->v, w->velocity));
    return scr_tame_add(&t->tame_groups,
                        &(TameTerm){(int32_t)(s->bodies.count + wall), {[TAME_SCHEME] = scheme}});
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

/* Returns a member of the group of the cell, or -1. */
static int32_t join_partners(StepTask *t) {
    const State *s = t->state;
    TameGroups *groups = &t->tame_groups;
    const bool through_cell = t->problem.cell != NULL && t->problem.cell->inverse_mass > 0;
    int32_t world = -1;
    for (size_t i = 0; i < s->contacts.count; i++) {
        const Contact *c = &s->contacts.item[i];
        const int32_t a = member(s, c->a), b = member(s, c->b);
        if (!acts(t, i)) {
            continue;
        }
        scr_tame_join(groups, c->a, a);
        if (b >= 0) {
            scr_tame_join(groups, a, b);
        }
        if (c->b >= 0) {
            scr_tame_join(groups, b, c->b);
        }
        if (c->b >= 0 && through_cell) {
            world = world < 0 ? a : world;
            scr_tame_join(groups, a, world);
        }
    }
    return world;
}

/* A body or piston counts once, in the process that counts it; the first one has the pistons. */
static ScreeStatus gather(StepTask *t) {
    const State *s = t->state;
    TameGroups *groups = &t->tame_groups;
    bool ok = scr_tame_begin(groups, s);
    const int32_t world = ok ? join_partners(t) : -1;
    for (size_t i = 0; i < s->contacts.count && ok; i++) {
        ok = add_contact(t, i);
    }
    for (size_t i = 0; i < scr_counted(s) && ok; i++) {
        ok = add_body(t, i);
    }
    const bool first = t->share == NULL || t->share->with->rank == 0;
    for (size_t i = 0; i < s->walls.count && first && ok; i++) {
        ok = !is_piston(s, i) || add_piston(t, i);
    }
    return ok ? scr_tame_judge(groups, s, t->share, world, has_gained, t) : SCREE_NO_MEMORY;
}

/* Bodies of chains are left to the law of the whole step, which is what is tamed. */
static bool ban_and_tame(const TameGroups *groups, Impacts *all, int32_t body) {
    bool more = scr_tame_has_gained(groups, body) && all->tamed[body] < TAMEST;
    if (more) {
        all->tamed[body]++;
        all->banned[body] = true;
    }
    return more;
}

static bool reserve_marks(Impacts *all, size_t bodies) {
    if (!SCR_RESERVE_KEEPING(all, banned, bodies, all->bans > 0 ? bodies : 0) ||
        !SCR_RESERVE_KEEPING(all, tamed, bodies, all->tamed_count > 0 ? bodies : 0)) {
        return false;
    }
    if (all->bans == 0) {
        memset(all->banned, 0, bodies * sizeof *all->banned);
    }
    if (all->tamed_count == 0) {
        memset(all->tamed, 0, bodies * sizeof *all->tamed);
    }
    return true;
}

ScreeStatus scr_tame_impacts(StepTask *t, bool *again) {
    Impacts *all = &t->impacts;
    const ScreeProcesses *with = t->state->spread;
    const size_t bodies = t->state->bodies.count;
    bool any = false;
    if (!takes_part(t) || !scr_any_process(with, has_impacts(t))) {
        return SCREE_OK;
    }
    SCR_TRY(gather(t));
    for (size_t i = 0; i < t->tame_groups.count && !any; i++) {
        any = t->tame_groups.group[i].gained;
    }
    if (!scr_any_process(with, any)) {
        return SCREE_OK;
    }
    if (!reserve_marks(all, bodies)) {
        return SCREE_NO_MEMORY;
    }
    any = false;
    for (size_t i = 0; i < bodies; i++) {
        any = ban_and_tame(&t->tame_groups, all, (int32_t)i) || any;
    }
    *again = scr_any_process(with, any);
    if (*again) {
        all->bans++;
        all->tamed_count++;
        all->hits = 0; /* what has been noted of them does not hold */
    }
    return SCREE_OK;
}
