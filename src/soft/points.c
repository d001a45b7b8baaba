/* Forces at the contact points of shapes (Muth et al., eqs 5 and 6).
 *
 * The law of a contact is that of round bodies. The arms differ: a normal force also turns the
 * bodies, and both moments are taken about one point, the middle of the overlap, so that momentum
 * and angular momentum are conserved. */
#include "soft/contact.h"
#include "soft/engine.h"

#include "narrow/narrow.h"
#include "shape/wall.h"

/* How a body or a wall moves at the contact point. */
typedef struct Side {
    Vec3 v, dv; /* of its material there, at the middle of the step and the increment to its end */
    Vec3 w, dw;
    Vec3 arm; /* from its centre; not for walls */
} Side;

static Side body_side(const SoftMotion *m, Vec3 arm) {
    return (Side){add(m->v, cross(m->w, arm)), add(m->dv, cross(m->dw, arm)), m->w, m->dw, arm};
}

static Side wall_side(const ScreeWallDef *d, const SoftWall *wall, Vec3 point) {
    Side side = {.dv = wall->dv};
    if (d->motion != SCREE_WALL_FIXED) {
        side.v = scr_wall_velocity_at(d, point);
    }
    if (d->motion == SCREE_WALL_MOVED) {
        side.w = d->spin;
    }
    return side;
}

/* Half of the change of the normal of two bodies over the step. Between a corner and an edge it
 * turns with the edge; between two corners it follows them, unless they are so near to each other
 * that it spins round. */
static void turn_normal(SoftApproach *m, const SoftPoint *p, const Side *a, const Side *b,
                        double dt, int dimension) {
    if (p->at.distance == 0 && dimension == 3) {
        return; /* what it turns with depends on what meets: the spring is laid into its new plane */
    }
    if (p->at.distance == 0) {
        bool edge_of_a = scr_feature_a(p->at.feature) % 2 == 1;
        m->half_dn = scale(0.5 * dt, cross(edge_of_a ? a->w : b->w, m->n));
        return;
    }
    double of_b = p->at.distance - p->at.lever;
    Vec3 va = sub(a->v, cross(scale(p->at.lever, a->w), m->n));
    Vec3 vb = add(b->v, cross(scale(of_b, b->w), m->n)), v = sub(vb, va);
    Vec3 half = scale(0.5 * dt / p->at.distance, add_scaled(v, -dot(v, m->n), m->n));
    if (dot(half, half) < 0.01) {
        m->half_dn = half;
        m->wall = false;
    }
}

/* The slip and the turn about the normal that only bodies in space have: see pairs.c. */
static void turn_in_space(SoftApproach *m, const SoftPoint *p, const Side *a, const Side *b,
                          double dt) {
    Vec3 spin = add_scaled(scale(p->at.lever, a->w), p->at.distance - p->at.lever, b->w);
    m->slip = add_scaled(m->slip, dot(spin, m->n), cross(m->n, m->half_dn));
    m->twist = 0.5 * dt * dot(add(a->w, b->w), m->n);
}

static SoftApproach approach(const SoftPoint *p, const Side *a, const Side *b, double dt,
                             int dimension) {
    SoftApproach m = {.n = p->at.normal, .overlap = -p->at.gap, .wall = true, .fresh = p->fresh};
    Vec3 u = sub(b->v, a->v), du = sub(b->dv, a->dv);
    m.opening = dot(u, m.n);
    m.opening_end = m.opening + dot(du, m.n);
    m.slip = add_scaled(u, -m.opening, m.n);
    m.slip_end = add_scaled(add(u, du), -m.opening_end, m.n);
    m.spin = sub(b->w, a->w);
    m.spin_end = add(m.spin, sub(b->dw, a->dw));
    if (p->b >= 0) {
        turn_normal(&m, p, a, b, dt, dimension);
        m.slip = add_scaled(m.slip, m.opening, m.half_dn); /* as in pairs.c */
    }
    if (dimension == 3) {
        turn_in_space(&m, p, a, b, dt);
    }
    return m;
}

/* What a body adds to the inverse of the effective mass by turning. */
static double turning(const State *s, const Soft *w, int32_t rank, Vec3 arm_across) {
    const Sym3 inverse = scr_soft_inverse_inertia(s, w, (size_t)w->order[rank]);
    return dot(arm_across, sym3_apply(&inverse, arm_across));
}

/* The dashpot of a corner acts on the effective mass there, rotation included: so an impact on one
 * corner has the restitution that was asked for. */
static double damping_of(const State *s, const Soft *w, const SoftPoint *p, const SoftLaw *law,
                         const Side *a, const Side *b) {
    Vec3 ta = cross(a->arm, p->at.normal), tb = cross(b->arm, p->at.normal);
    double inverse = p->inverse_mass;
    if (s->def.dimension == 3) {
        inverse += turning(s, w, p->a, ta) + (p->b >= 0 ? turning(s, w, p->b, tb) : 0);
    } else {
        inverse += ta.z * ta.z * p->inverse_inertia[0];
        inverse += p->b >= 0 ? tb.z * tb.z * p->inverse_inertia[1] : 0;
    }
    return scr_soft_damping(law, p->contact.stiffness, inverse > 0 ? 1 / inverse : 0);
}

static void push(State *s, Soft *w, const SoftPoint *p, const Side *b, Vec3 point,
                 const SoftAction *act) {
    SoftLoad *la = &w->load[p->a];
    la->force = sub(la->force, act->force);
    la->torque = sub(la->torque, add(cross(p->at.arm, act->force), act->torque));
    if (p->b >= 0) {
        SoftLoad *lb = &w->load[p->b];
        lb->force = add(lb->force, act->force);
        lb->torque = add(lb->torque, add(cross(b->arm, act->force), act->torque));
    } else {
        ScreeWallState *wall = &s->walls.item[scr_wall_of(p->b)];
        Vec3 moment = cross(sub(point, wall->now.pivot), act->force);
        wall->load = add(wall->load, act->force);
        wall->load_torque = add(wall->load_torque, add(moment, act->torque));
    }
}

/* Subtracts the spring of a reflex corner. */
static SoftAction take_off(const SoftPoint *p, const SoftLaw *law, SoftTally *t) {
    NormalSpring spring = law->uses & SOFT_HERTZ
                              ? scr_spring_hertz(p->contact.stiffness, -p->at.gap)
                              : scr_spring_linear(p->contact.stiffness, -p->at.gap);
    t->elastic -= spring.energy;
    return (SoftAction){.force = scale(-spring.force, p->at.normal)};
}

/* False when the contact has ended. */
static bool act_at(State *s, Soft *w, SoftPoint *p) {
    const Vec3 xa = w->ball[p->a].x;
    int32_t other = 0; /* material */
    Side a = body_side(&w->motion[p->a], p->at.arm), b;
    Vec3 point = p->at.arm; /* for walls: a point in space */
    if (p->b >= 0) {
        Vec3 d = scr_nearest_image(&s->def, sub(w->ball[p->b].x, xa));
        b = body_side(&w->motion[p->b], sub(p->at.arm, d));
        other = w->material[p->b];
    } else {
        const ScreeWallDef *wall = &s->walls.item[scr_wall_of(p->b)].now;
        point = add(scr_seen_by_wall(&s->def, wall, xa), p->at.arm);
        b = wall_side(wall, &w->wall[scr_wall_of(p->b)], point);
        other = wall->material.index;
    }
    const SoftLaw *law = scr_soft_law(s, w, w->material[p->a], other);
    if (p->at.surplus) {
        SoftAction off = take_off(p, law, &w->tally);
        push(s, w, p, &b, point, &off);
        return true;
    }
    SoftApproach m = approach(p, &a, &b, w->time_step, s->def.dimension);
    p->contact.damping = damping_of(s, w, p, law, &a, &b);
    SoftAction act = scr_soft_act(law, &m, &p->contact, &p->extra, w->time_step, s->def.dimension,
                                  w->uses, &w->tally);
    if (act.gone) {
        return false;
    }
    push(s, w, p, &b, point, &act);
    return true;
}

void scr_soft_point_forces(State *s, Soft *w) {
    SoftShapes *h = &w->shapes;
    bool extra = scr_soft_needs_extra(w);
    size_t kept = 0;
    for (size_t i = 0; i < h->points; i++) {
        SoftPoint *p = &h->point[i];
        if (!act_at(s, w, p)) {
            scr_soft_lose(w, &p->contact, extra ? &p->extra : NULL, w->tally.lost);
        } else if (kept++ != i) {
            h->point[kept - 1] = *p;
        }
    }
    h->points = kept;
    for (int i = 0; i < LOSSES; i++) {
        w->tally.lost[i] += h->lost[i];
        h->lost[i] = 0;
    }
}
