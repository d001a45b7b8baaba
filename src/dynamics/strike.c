#include "dynamics/strike.h"

#include "base/status.h"
#include "dynamics/laws.h"
#include "sweep/sweep.h"

/* ---------------------------------------------------------------- when */

Vec3 scr_apart(const Cascade *c, size_t contact, double time) {
    const Contact *k = scr_chain_contact(c, contact);
    const Row *r = scr_chain_row(c, contact);
    const Bodies *b = &c->state->bodies;
    const ProblemBody *body = c->problem->body;
    Vec3 d = scale(k->gap + b->radius[k->a] + b->radius[k->b], k->normal);
    d = add(d, sub(scr_shift_of(c, r->b), scr_shift_of(c, r->a)));
    return add_scaled(d, time, sub(body[r->b].v, body[r->a].v));
}

/* From a flat wall, likewise. */
static double wall_gap(const Cascade *c, const Contact *k, double speed, double time) {
    const Row *r = scr_chain_row(c, (size_t)(k - c->state->contacts.item));
    return k->gap + time * speed - dot(scr_shift_of(c, r->a), k->normal);
}

/* |d + t u| = reach. The root is taken in the form that does not cancel. */
static double meeting_time(Vec3 d, Vec3 u, double reach) {
    double approach = -dot(d, u), outside = dot(d, d) - reach * reach;
    double square = approach * approach - dot(u, u) * outside;
    if (!(approach > 0) || square < 0) {
        return INFINITY;
    }
    return outside > 0 ? outside / (approach + sqrt(square)) : 0;
}

static double linear_time(double gap, double speed) {
    return speed < 0 ? scr_max(gap, 0) / -speed : INFINITY;
}

double scr_closing_time(const Cascade *c, size_t contact, double now, double *gap) {
    const Contact *k = scr_chain_contact(c, contact);
    const Row *r = scr_chain_row(c, contact);
    double speed = scr_row_velocity(c->problem, scr_chain_slot(c, contact)).n, time;
    if (!c->flight) {
        *gap = k->gap;
        return scr_max(k->gap, 0) + c->dt * speed <= 0 ? linear_time(k->gap, speed) : INFINITY;
    }
    if (k->b < 0) {
        *gap = wall_gap(c, k, speed, now);
        time = now + linear_time(*gap, speed);
    } else {
        const Bodies *b = &c->state->bodies;
        double reach = b->radius[k->a] + b->radius[k->b];
        Vec3 d = scr_apart(c, contact, now),
             u = sub(c->problem->body[r->b].v, c->problem->body[r->a].v);
        *gap = length(d) - reach;
        time = now + meeting_time(d, u, reach);
    }
    return time < c->dt ? time : INFINITY;
}

double scr_room_left(const Cascade *c, size_t contact) {
    const Contact *k = scr_chain_contact(c, contact);
    double speed = scr_row_velocity(c->problem, scr_chain_slot(c, contact)).n, end;
    if (!c->flight) {
        end = k->gap + c->dt * speed;
    } else if (k->b < 0) {
        end = wall_gap(c, k, speed, c->dt);
    } else {
        const Bodies *b = &c->state->bodies;
        end = length(scr_apart(c, contact, c->dt)) - (b->radius[k->a] + b->radius[k->b]);
    }
    return end - scr_min(k->gap, 0); /* an overlap may stay */
}

/* ---------------------------------------------------------------- what it does */

bool scr_is_restituting(const ScreeLaw *law, double speed) {
    return speed < 0 && speed < -law->restitution_threshold &&
           (law->restitution > 0 || law->restitution_tangential > 0);
}

bool scr_need_hit(const Cascade *c, size_t contact) {
    Impacts *all = c->all;
    if (all->hit_of[contact] >= 0) {
        return true;
    }
    if (!SCR_RESERVE_KEEPING(all, hit, all->hits + 1, all->hits)) {
        return false;
    }
    size_t slot = scr_chain_slot(c, contact);
    const LawRow *l = scr_law_row(c->problem, slot);
    Hit *h = &all->hit[all->hits];
    *h = (Hit){.contact = (int32_t)contact,
               .row = c->problem->row[slot],
               .law_of = c->problem->law_of[slot]};
    if (l != NULL) {
        h->law = *l;
    }
    all->hit_of[contact] = (int32_t)all->hits++;
    return true;
}

/* The part of a body's motion that external forces add in this step. */
static ProblemBody forced_motion(const Cascade *c, int32_t body) {
    const State *s = c->state;
    ProblemBody by = {.inverse_mass = 0};
    if (c->flight) {
        return by;
    }
    if ((size_t)body < s->bodies.count) {
        size_t i = (size_t)c->task->list->neighbours.order[body];
        by.v = sub(c->task->free->motion[i], s->bodies.velocity[i]);
        by.s =
            scale(s->bodies.radius[i], sub(scr_free_turn(c->task->with, s, i), s->bodies.spin[i]));
    } else if ((size_t)body > s->bodies.count && scr_moves(c, body)) {
        const ScreeWallDef *w = &s->walls.item[(size_t)body - s->bodies.count - 1].now;
        by.v = sub(scr_free_piston(c->task->with, w), w->velocity);
    }
    return by;
}

/* The velocity before an impact: what the bodies had at the start of the step, and impacts since
 * then have made of it. */
static RowVelocity impact_velocity(const Cascade *c, size_t slot) {
    Problem *p = c->problem;
    ProblemBody *a = &p->body[p->row[slot].a], *b = &p->body[p->row[slot].b];
    const ProblemBody now_a = *a, now_b = *b;
    const ProblemBody by_a = forced_motion(c, p->row[slot].a);
    const ProblemBody by_b = forced_motion(c, p->row[slot].b);
    a->v = sub(a->v, by_a.v);
    a->s = sub(a->s, by_a.s);
    b->v = sub(b->v, by_b.v);
    b->s = sub(b->s, by_b.s);
    RowVelocity u = scr_row_velocity(p, slot);
    *a = now_a;
    *b = now_b;
    return u;
}

void scr_turn_row(const Cascade *c, size_t contact, Vec3 towards) {
    Problem *p = c->problem;
    size_t slot = scr_chain_slot(c, contact);
    Row *r = &p->row[slot];
    double size = length(towards);
    if (!(size > 0)) {
        return;
    }
    r->normal = scale(1 / size, towards);
    if (scr_general_row(p, slot) != NULL) {
        GeneralRow *g = &p->general[p->general_of[slot]];
        g->arm_a = r->normal;
        g->arm_b = scale(-1, r->normal);
        scr_general_complete(p, r, g);
    }
}

/* The row alone, from no impulse, as it is to leave. */
static void solve_alone(Problem *p, size_t slot, const ScreeLaw *law, RowVelocity u) {
    Row *r = &p->row[slot];
    r->rn = 0;
    r->rt = vec3(0, 0, 0);
    r->bias = law->restitution * u.n;
    p->law_of[slot] = -1;
    if (law->restitution_tangential > 0) {
        LawRow l = {.bias_t = scale(law->restitution_tangential, u.t)};
        scr_law_complete(p, r, &l);
        p->law_of[slot] = (int32_t)slot;
        p->law[slot] = l;
    }
    Problem one = *p;
    one.rows = 1;
    one.parts = 0;
    one.row = r;
    one.law_of = &p->law_of[slot];
    one.general_of = p->general_of != NULL ? &p->general_of[slot] : NULL;
    scr_sweep(&one, (SweepOrder){.sequence = NULL}, NULL);
}

/* The tangential impulse of a row in world axes. */
static Vec3 tangential(int dimension, const Row *r) {
    return dimension == 3 ? r->rt : vec3(-r->normal.y * r->rt.x, r->normal.x * r->rt.x, 0);
}

/* What an impact does to the path of a body. */
static void turn_path(const Cascade *c, int32_t body, const ProblemBody *before, double time) {
    Flyer *f = scr_flyer_at(c, body);
    const ProblemBody *now = &c->problem->body[body];
    Vec3 dv = sub(now->v, before->v);
    f->hits++;
    f->jolt += length(dv) + length(sub(now->s, before->s));
    f->detour.since = time;
    f->detour.stray += length(dv) * (c->dt - time);
    f->detour.shift = add_scaled(f->detour.shift, -time, dv);
}

ScreeStatus scr_strike(const Cascade *c, size_t contact, double time, bool *sound) {
    Problem *p = c->problem;
    const Contact *k = scr_chain_contact(c, contact);
    const ScreeLaw *law = scr_contact_law(c->state, k);
    size_t slot = scr_chain_slot(c, contact);
    if (!scr_need_hit(c, contact)) {
        return SCREE_NO_MEMORY;
    }
    Hit *h = &c->all->hit[c->all->hit_of[contact]];
    const Row *r = &p->row[slot];
    /* Meeting again, they do so along another line; but a row that has friction has one only. */
    if (c->flight && k->b >= 0 && (h->strikes == 0 || !(r->mu > 0))) {
        scr_turn_row(c, contact, scr_apart(c, contact, time));
    }
    RowVelocity u = impact_velocity(c, slot);
    *sound = scr_is_restituting(law, u.n);
    if (!*sound) {
        return SCREE_OK;
    }
    const ProblemBody before_a = p->body[r->a], before_b = p->body[r->b];
    solve_alone(p, slot, law, u);
    h->strikes++;
    h->push = add_scaled(h->push, r->rn, r->normal);
    h->drag = add(h->drag, tangential(p->dimension, r));
    RowVelocity after = scr_row_velocity(p, slot);
    h->lost[0] -= 0.5 * r->rn * (u.n + after.n);
    h->lost[1] -= 0.5 * dot(r->rt, add(u.t, after.t));
    if (scr_moves(c, r->a)) {
        turn_path(c, r->a, &before_a, c->flight ? time : 0);
    }
    if (scr_moves(c, r->b)) {
        turn_path(c, r->b, &before_b, c->flight ? time : 0);
    }
    return SCREE_OK;
}
