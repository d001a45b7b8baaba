/* What a step does with one candidate and one contact of round bodies, for the passes of the processor over all
 * of them and for those of a device. */
#ifndef SCREE_DYNAMICS_PLAIN_CONTACTS_H
#define SCREE_DYNAMICS_PLAIN_CONTACTS_H

#include "dynamics/held.h"
#include "narrow/narrow.h"

/* ---------------------------------------------------------------- candidates */

/* What it takes to choose among pairs of ranks. */
typedef struct PairSearch {
    const StepTask *task;
    const Spot *spot;    /* [ranks] */
    const double *reach; /* [ranks] */
    double slack;
    double farther; /* 1, or more where a cell deforms: it brings bodies together, too */
    bool periodic;
} PairSearch;

static inline PairSearch scr_pair_search(const StepTask *t, double farther, bool periodic) {
    return (PairSearch){t, t->list->neighbours.spot, t->reach, t->list->slack, farther, periodic};
}

/* From the first to the second of two spots. */
static inline Vec3 scr_between_spots(const PairSearch *f, const Spot *a, const Spot *b) {
    Vec3 d = sub(b->x, a->x);
    return f->periodic ? scr_nearest_image(&f->task->state->def, d) : d;
}

/* A pair outside of the slack: whether it closes at free motion. */
static inline bool scr_pair_closes(const PairSearch *f, Pair p, Vec3 d) {
    const StepTask *t = f->task;
    const Spot *a = &f->spot[p.a], *b = &f->spot[p.b];
    Touch touch = scr_touch_balls(d, a->reach, b->reach);
    double approach = dot(sub(t->problem.body[p.b].v, t->problem.body[p.a].v), touch.normal);
    approach += scr_cell_approach(&t->free->rate, t->with->deforms, d, touch.normal);
    if (t->with->grows) {
        const int32_t *order = t->list->neighbours.order;
        approach -= scr_growth(t->with, t->state, (size_t)order[p.a]) +
                    scr_growth(t->with, t->state, (size_t)order[p.b]);
    }
    return scr_may_close(t->with, t->list, touch.gap, approach, scr_min(a->reach, b->reach));
}

/* Whether a pair of round bodies is taken up: within the slack whatever its motion, beyond it when it may
 * close. Most of the others are too far apart in any direction of approach. */
static inline bool scr_takes_pair(const PairSearch *f, Pair p) {
    const Spot *a = &f->spot[p.a], *b = &f->spot[p.b];
    Vec3 d = scr_between_spots(f, a, b);
    double square = dot(d, d);
    double near = a->reach + b->reach + f->slack * scr_min(a->reach, b->reach);
    double far = (near + f->reach[p.a] + f->reach[p.b]) * f->farther;
    /* doubt is rare, so its branch is predicted well; the common decision needs no branch */
    bool take = square <= near * near, doubt = !take & (square <= far * far);
    if (doubt) {
        take = scr_pair_closes(f, p, d);
    }
    return take;
}

/* The gap and normal of a pair of ranks, and its bodies. `first` is where the first of them is. */
static inline Touch scr_meet_pair(const PairSearch *f, Pair ranks, Pair *bodies, Vec3 *first) {
    const NearList *list = f->task->list;
    *bodies = scr_bodies_of(f->task->state, list, ranks);
    const bool swapped = bodies->a != list->neighbours.order[ranks.a];
    const Spot *a = &f->spot[swapped ? ranks.b : ranks.a];
    const Spot *b = &f->spot[swapped ? ranks.a : ranks.b];
    *first = a->x;
    return scr_touch_balls(scr_between_spots(f, a, b), a->reach, b->reach);
}

/* Whether a body and a wall are taken up, which the wall sees at `seen`. */
static inline bool scr_takes_wall(const StepTask *t, const ScreeWallDef *w, size_t i, Vec3 seen,
                                  Touch touch) {
    const double radius = t->state->bodies.radius[i];
    Vec3 point = add_scaled(seen, radius, touch.normal);
    double approach = dot(sub(scr_wall_motion(w, point), t->free->motion[i]), touch.normal);
    approach -= scr_growth(t->with, t->state, i);
    return scr_may_close(t->with, t->list, touch.gap, approach, radius);
}

/* ---------------------------------------------------------------- what they carry over */

/* A gap as small as rounding counts as closed. If it did not, several such gaps at one body whose
 * contacts stick could not all close without sliding, and the impulses would grow until they slid. */
static inline double scr_gap_beyond_rounding(const State *s, int32_t a, int32_t b, double gap) {
    return gap <= 0 || gap > 1e-9 * (b >= 0 ? scr_min(s->bodies.radius[a], s->bodies.radius[b])
                                            : s->bodies.radius[a])
               ? gap
               : 0;
}

/* A contact with what the old one of its pair had, if there was one: its impulses times `part`, the
 * tangential one turned into the new tangent plane. */
static inline void scr_carry_round(Contact *c, Pair pair, const Touch *touch, double gap,
                                   double part, const Contact *before) {
    const Vec3 n = touch->normal;
    c->a = pair.a;
    c->b = pair.b;
    c->feature = touch->feature;
    c->normal = n;
    c->gap = gap;
    if (before != NULL && before->state != SCREE_CONTACT_OPEN) {
        const Vec3 t = before->tangential_impulse;
        c->state = before->state;
        c->normal_impulse = part * before->normal_impulse;
        c->tangential_impulse = scale(part, add_scaled(t, -dot(t, n), n));
    } else {
        c->state = SCREE_CONTACT_OPEN;
        c->normal_impulse = 0;
        c->tangential_impulse = vec3(0, 0, 0);
    }
}

/* ---------------------------------------------------------------- rows */

/* Between bodies a and b of the problem. */
static inline Row scr_coulomb_row(const State *s, const Contact *c, double bias, int32_t a,
                                  int32_t b) {
    const bool warm = s->def.solver.warm_start;
    Row row = {
        .normal = c->normal,
        .bias = bias,
        .rn = warm ? c->normal_impulse : 0,
        .rt = warm ? c->tangential_impulse : vec3(0, 0, 0),
        .mu =
            s->materials.count == 1 ? s->materials.law->friction : scr_contact_law(s, c)->friction,
        .a = a,
        .b = b,
    };
    if (s->def.dimension == 2) {
        const Vec3 rt = row.rt;
        row.rt = vec3(rt.y * c->normal.x - rt.x * c->normal.y, 0, 0);
    }
    return row;
}

/* Sliding means that friction is fully mobilised, to rounding. */
static inline int32_t scr_state_of(const Row *r, double pressure, bool open) {
    double limit = r->mu * pressure * (1 - 1e-9);
    bool slides = dot(r->rt, r->rt) >= limit * limit;
    return open ? SCREE_CONTACT_OPEN : slides ? SCREE_CONTACT_SLIP : SCREE_CONTACT_STICK;
}

/* The impulse of a solved row into its contact. */
static inline void scr_take_impulse(const Row *r, bool space, Contact *c) {
    c->normal_impulse = r->rn;
    c->tangential_impulse = space ? r->rt : vec3(-r->normal.y * r->rt.x, r->normal.x * r->rt.x, 0);
}

/* ---------------------------------------------------------------- after the solution */

/* A pair of ranks that is no contact. */
typedef struct LeftOut {
    Vec3 d;
    Touch touch;
    double growth, radius; /* of the smaller one */
} LeftOut;

/* Whether a pair of round bodies was left out. */
static inline bool scr_is_left_out(const StepTask *t, Pair p, LeftOut *out) {
    const Neighbours *nb = &t->list->neighbours;
    const Spot *a = &nb->spot[p.a], *b = &nb->spot[p.b];
    const int32_t i = nb->order[p.a], j = nb->order[p.b];
    const Vec3 d = scr_nearest_image(&t->state->def, sub(b->x, a->x));
    const Touch touch = scr_touch_balls(d, a->reach, b->reach);
    const double growth =
        scr_growth(t->with, t->state, (size_t)i) + scr_growth(t->with, t->state, (size_t)j);
    double free = dot(sub(t->free->motion[j], t->free->motion[i]), touch.normal);
    free += scr_cell_approach(&t->free->rate, t->with->deforms, d, touch.normal) - growth;
    *out = (LeftOut){d, touch, growth, scr_min(a->reach, b->reach)};
    return !scr_may_close(t->with, t->list, touch.gap, free, out->radius);
}

/* Whether such a pair would overlap at the new velocities. */
static inline bool scr_overlaps_then(const StepTask *t, Pair p, const LeftOut *out) {
    const Vec3 n = out->touch.normal;
    double now = dot(sub(t->problem.body[p.b].v, t->problem.body[p.a].v), n) - out->growth;
    if (t->with->deforms) {
        now += scr_cell_approach(&t->problem.cell->rate, true, out->d, n);
    }
    return out->touch.gap + now * t->with->time_step < -1e-9 * out->radius;
}

/* The same for a body and a wall that sees it at `seen`. A piston has the velocity that was found for it. */
static inline bool scr_ball_overlaps_wall(const StepTask *t, const ScreeWallDef *wall, size_t i,
                                          Vec3 seen, Touch touch, const Vec3 *piston) {
    const State *s = t->state;
    const double radius = s->bodies.radius[i], growth = scr_growth(t->with, s, i);
    const Vec3 point = add_scaled(seen, radius, touch.normal), free = scr_wall_motion(wall, point);
    const double before = dot(sub(free, t->free->motion[i]), touch.normal) - growth;
    if (scr_may_close(t->with, t->list, touch.gap, before, radius)) {
        return false;
    }
    const Vec3 now = piston != NULL ? *piston : free;
    const Vec3 by = scr_displacement(t, t->list->neighbours.rank[i]);
    double approach = dot(sub(scale(t->with->time_step, now), by), touch.normal);
    approach -= t->with->time_step * growth;
    return touch.gap + approach < -1e-9 * radius;
}

/* What holds the frozen axes of a body at their velocities works against every impulse and torque
 * on it. */
static inline double scr_holding_work(const State *s, int32_t body, Vec3 arm, Vec3 impulse,
                                      Vec3 torque) {
    const Bodies *b = &s->bodies;
    uint32_t frozen = b->frozen[body];
    const int32_t piston = scr_holding_piston(s, body);
    if (frozen == 0) {
        return 0;
    }
    if (piston >= 0) { /* free but for its sliding */
        return -dot(impulse, scr_sliding(&s->walls.item[piston].now));
    }
    Vec3 v = scr_frozen_part(frozen, b->velocity[body]);
    Vec3 w = scr_frozen_part(frozen >> 3, b->spin[body]);
    return -dot(impulse, add(v, cross(w, arm))) - dot(torque, w);
}

/* Work of a moved wall, which is body `wall` of the problem, and of whatever moves the frozen bodies of a
 * contact; `torque` is its torque impulse. */
static inline double scr_driving_work(const StepTask *t, const Contact *c, Arms arms, Vec3 torque,
                                      int32_t wall) {
    const State *s = t->state;
    const Vec3 impulse = add_scaled(c->tangential_impulse, c->normal_impulse, c->normal);
    double work = 0;
    work += scr_holding_work(s, c->a, arms.a, scale(-1, impulse), scale(-1, torque));
    if (c->b >= 0) {
        work += scr_holding_work(s, c->b, arms.b, impulse, torque);
        return work;
    }
    const ScreeWallDef *w = &s->walls.item[scr_wall_of(c->b)].now;
    if (w->motion == SCREE_WALL_MOVED) {
        work -= dot(impulse, t->problem.body[wall].v) + dot(torque, w->spin);
    } else if (w->motion == SCREE_WALL_PISTON) {
        work -= dot(impulse, scr_sliding(w));
    }
    return work;
}

/* The energy that a contact of two round grains takes by its normal impulse and by friction, at their mean
 * velocities. The contact itself has all that is needed, since its tangential impulse has no component
 * along the normal. */
typedef struct RoundTaken {
    double normal, friction;
} RoundTaken;

static inline RoundTaken scr_taken_by_round(const Contact *c, const ProblemBody *a,
                                            const ProblemBody *b) {
    const Vec3 u = sub(sub(b->v, a->v), cross(add(a->s, b->s), c->normal));
    return (RoundTaken){-c->normal_impulse * dot(u, c->normal), -dot(c->tangential_impulse, u)};
}

/* The gap of two spots, as the bodies stand. */
static inline double scr_gap_of_spots(const State *s, bool periodic, const Spot *a, const Spot *b) {
    Vec3 d = sub(b->x, a->x);
    d = periodic ? scr_nearest_image(&s->def, d) : d;
    return sqrt(dot(d, d)) - (a->reach + b->reach);
}

#endif
