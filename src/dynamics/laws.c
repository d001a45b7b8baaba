/* Laws beyond rigid, inelastic Coulomb: what they make of a row, and what a contact remembers.
 *
 * With the motion w = theta u' + (1 - theta) u, in which the problem is written:
 *   restitution (Newton)   u_n' = -e u_n, so w_n = (1 - theta - theta e) u_n; likewise u_t
 *   compliance (L 4.13)    g + dt w_n + P / (k dt) = 0 under pressure: soft_n = 1 / (k dt^2)
 *              (L 4.14)    dt w_t + (R_t - R_t0) / (k_t dt) = 0 without slip
 *   cohesion (BUW 1.8)     R_n >= -F dt, all frictions with R_n + F dt
 *   bridges                the same with the F of the gap, also while this closes (bridges.h)
 *   torques (BUW 1.40)     bounds by the pressure
 *   two coefficients       the row has the one that its history says; see problem/two_frictions.c
 */
#include "dynamics/laws.h"

#include "dynamics/bond_area.h"
#include "dynamics/bridges.h"
#include "dynamics/reduced.h"
#include "dynamics/tame.h"
#include "law/normal.h"
#include "math/elementary.h"
#include "narrow/pair_table.h"
#include "sweep/packets.h"

ScreeStatus scr_reserve_laws(StepTask *t) {
    Problem *p = &t->problem;
    size_t n = t->state->contacts.count;
    unsigned uses = t->state->materials.uses;
    p->law_of = NULL;
    p->twos = p->twos_elsewhere = 0;
    if ((uses & ~(unsigned)LAW_TWO_FRICTIONS) != 0 || t->state->bonds.count > 0) {
        if (!scr_block_reserve(&t->law_block, n + 1, sizeof *p->law, 0) ||
            !scr_block_reserve(&t->law_of_block, n + 1, sizeof *p->law_of, 0)) {
            return SCREE_NO_MEMORY;
        }
        p->law = t->law_block.data;
        p->law_of = t->law_of_block.data;
    }
    p->packets = NULL;
    if (p->law_of != NULL || p->general_of != NULL || t->order.copies > 0) {
        if (!scr_block_reserve(&t->packets_block, scr_packet_room(p, &t->order, n) + 1, 1, 0)) {
            return SCREE_NO_MEMORY;
        }
        p->packets = t->packets_block.data;
    }
    if ((uses & LAW_TWO_FRICTIONS) != 0) {
        if (!scr_block_reserve(&t->two_block, n + 1, sizeof *p->two, 0)) {
            return SCREE_NO_MEMORY;
        }
        p->two = t->two_block.data;
    }
    return t->share != NULL ? SCREE_OK : scr_share_bond_areas(t); /* row_order.c has done it */
}

/* ---------------------------------------------------------------- velocities before the step */

/* Of a point of a body, `arm` from its centre. */
static Vec3 point_velocity(const StepParams *with, const State *s, int32_t i, Vec3 arm) {
    return add(scr_velocity_before(with, s, (size_t)i), cross(s->bodies.spin[i], arm));
}

RowVelocity scr_start_velocity(const StepParams *with, const State *s, const Contact *c,
                               Arms arms) {
    const Bodies *b = &s->bodies;
    Vec3 n = c->normal, other = vec3(0, 0, 0);
    if (c->b >= 0) {
        other = point_velocity(with, s, c->b, arms.b);
        if (with->deforms) {
            other = add(other, mat3_apply(&with->rate, scr_between(s, c->a, c->b)));
        }
    } else if (s->walls.item[scr_wall_of(c->b)].now.motion != SCREE_WALL_FIXED) {
        const ScreeWallDef *w = &s->walls.item[scr_wall_of(c->b)].now;
        Vec3 seen = scr_seen_by_wall(&s->def, w, b->position[c->a]);
        other = scr_wall_velocity_at(w, add(seen, arms.a));
    }
    Vec3 u = sub(other, point_velocity(with, s, c->a, arms.a));
    double un = dot(u, n), growth = scr_growth(with, s, (size_t)c->a);
    growth += c->b >= 0 ? scr_growth(with, s, (size_t)c->b) : 0;
    if (s->def.dimension == 2) {
        return (RowVelocity){un - growth, vec3(u.y * n.x - u.x * n.y, 0, 0)};
    }
    return (RowVelocity){un - growth, add_scaled(u, -un, n)};
}

/* Two bodies that turn as one with the spin w go from D to the turned D, while a step takes D along w x D dt. What is
 * left is
 *     w x (w x D) (1 - cos a) / w^2 + w x D (sin a - a) / |w|,   a = |w| dt.
 * In space it has a part across the normal: drawn in along D alone, D would tilt away from w a little in every step. Of
 * balls, which have no place by which to tell how far they have turned, the term of second order will do. */
static Vec3 bend_of_turn(double dt, Vec3 w, Vec3 d, bool round) {
    const double size = length(w), turn = size * dt;
    const Vec3 way = cross(w, d), inward = cross(w, way);
    if (round || !(turn > 1e-6)) {
        return scale(0.5 * dt * dt, inward);
    }
    const double half = scr_sin(0.5 * turn);
    const Vec3 in = scale(2 * half * half / (size * size), inward);
    return add_scaled(in, (scr_sin(turn) - turn) / size, way);
}

/* Balls that roll on each other have V = w x D with the mean of their spins over their radii. */
static Vec3 bend_between(const StepParams *with, const State *s, const Contact *c) {
    const Bodies *b = &s->bodies;
    const bool round = c->feature == 0;
    const double ra = round ? b->radius[c->a] : 1, rb = round ? b->radius[c->b] : 1;
    const Vec3 w = scale(1 / (ra + rb), add(scale(ra, b->spin[c->a]), scale(rb, b->spin[c->b])));
    return bend_of_turn(with->time_step, w, scr_between(s, c->a, c->b), round);
}

static Vec3 gained_across(const StepParams *with, const State *s, const Contact *c) {
    if (c->b < 0 || s->def.dimension == 2) {
        return vec3(0, 0, 0);
    }
    const Vec3 bend = bend_between(with, s, c);
    return add_scaled(bend, -dot(bend, c->normal), c->normal);
}

/* The centres, D apart, go by V dt along their tangent. Of round bodies the distance grows by D - sqrt(D^2 - |V dt|^2),
 * with what of V is across D; others turn as one. */
double scr_gained_on_tangent(const StepParams *with, const State *s, const Contact *c) {
    if (c->b < 0) {
        return 0;
    }
    if (c->feature != 0) {
        return -dot(c->normal, bend_between(with, s, c));
    }
    const Vec3 between = scr_between(s, c->a, c->b);
    Vec3 v =
        sub(scr_velocity_before(with, s, (size_t)c->b), scr_velocity_before(with, s, (size_t)c->a));
    if (with->deforms) {
        v = add(v, mat3_apply(&with->rate, between));
    }
    const Vec3 way = scale(with->time_step, add_scaled(v, -dot(v, c->normal), c->normal));
    const double apart = length(between), square = dot(way, way);
    return square / (apart + sqrt(scr_max(apart * apart - square, 0)));
}

/* The motion of a row as it stands now, of surfaces that may grow towards each other. */
static RowVelocity surface_motion(const Problem *p, size_t row) {
    RowVelocity u = scr_row_velocity(p, row);
    u.n -= p->growth != NULL ? p->growth[row] : 0;
    return u;
}

/* ---------------------------------------------------------------- the parts of a law row */

/* A contact and all that its law looks at. */
typedef struct Case {
    const StepParams *with;
    const State *state;
    const Contact *contact;
    const ScreeLaw *law;
    const ScreeContactExtra *extra; /* NULL without torques and cohesion */
    double bond;                    /* [force] the largest tension; 0: no bond */
    Bridge bridge;                  /* that there is or may be */
    Row *row;
    double tamed;            /* the part of its restitution that is left */
    RowVelocity start, free; /* velocity before the step, and motion without impulses */
} Case;

static void make_soft(const Case *k, LawRow *l) {
    const ScreeWorldDef *def = &k->state->def;
    double dt = k->with->time_step, per_square = 1 / (dt * dt);
    Vec3 memory = k->contact->tangential_impulse, n = k->contact->normal;
    if (def->dimension == 2) {
        memory = vec3(memory.y * n.x - memory.x * n.y, 0, 0);
    }
    l->soft_n = per_square / k->law->stiffness;
    l->soft_t = per_square / k->law->stiffness_tangential;
    l->bias_t = scale(-l->soft_t, memory);
    if (l->soft_n > 0 && !def->signed_gap) { /* the overlap is the spring's */
        k->row->bias += scr_min(k->contact->gap, 0) / dt;
    }
}

/* The tension that a point can bear: by itself, and for its share of the face around it. */
static double bond_force(const StepTask *t, size_t contact) {
    const ScreeLaw *law = scr_contact_law(t->state, &t->state->contacts.item[contact]);
    double area = t->bond_area != NULL ? t->bond_area[contact] : 0;
    return law->cohesion + law->cohesion_stress * area;
}

/* Bodies that a bond holds together may go round each other, while a step is straight. So their points, which were at
 * rest along the normal of the last step, part along that of this one. No work is done on a bond by
 * what the turn of its partners explains, however long they go round; and one that has never given
 * way, or by no more than this part of its range, keeps them on their circle.
 *
 * In a cluster the bonds close loops, and there are more of them than ways to move. What they ask for must be the motion
 * of a rigid body, for each of them: where one asks for a little else, and be it a millionth of a radius, the impulses
 * have no limit but the strength of the bonds, which then slide and open under a load that nobody has put on. So a bond
 * across a gap so `near`, in radii, is kept whether it pulls or pushes. */
static const double whole = 1e-6, enough = 1.5, near = 1e-3;

/* At most so fast do the points of a contact part because it has turned since the step before: with its bodies,
 * or as round ones go past each other. */
static double parting_by_turn(const StepParams *with, const State *s, const Contact *c) {
    Vec3 v = scale(-1, scr_velocity_before(with, s, (size_t)c->a));
    double turn = length(s->bodies.spin[c->a]);
    if (c->b >= 0) {
        v = add(v, scr_velocity_before(with, s, (size_t)c->b));
        turn = scr_max(turn, length(s->bodies.spin[c->b]));
    }
    if (c->b >= 0 && c->feature == 0) {
        const double apart = length(scr_between(s, c->a, c->b));
        v = add_scaled(v, -dot(v, c->normal), c->normal);
        turn = scr_max(turn, length(v) / apart);
    }
    return with->time_step * turn * length(v);
}

/* The velocity at which the partners of a bond part, as far as they have been set in motion against it. */
static double parting(const StepParams *with, const State *s, const Contact *c, double velocity) {
    const double turn = velocity > 0 ? parting_by_turn(with, s, c) : 0;
    return velocity > enough * turn ? velocity - turn : scr_min(velocity, 0);
}

static void make_bond(const Case *k, LawRow *l) {
    double theta = k->with->theta, force = k->bond;
    double left = force * (k->law->cohesion_range - k->extra->opening);
    double free = (k->free.n - (1 - theta) * k->start.n) / theta;
    double w = k->row->mass_n > 0 ? 1 / (k->row->mass_n * theta) : 0;
    double before = parting(k->with, k->state, k->contact, k->start.n);
    l->adhesion = force * k->with->time_step;
    l->least = -law_bond_tension(before, free, w, l->adhesion, left);
    const bool closed = k->contact->gap <= 0;
    const double little = near * scr_least_radius(k->state, k->contact->a, k->contact->b);
    l->keeps = l->soft_n == 0 && k->extra->opening <= whole * k->law->cohesion_range &&
               (k->contact->gap <= little || k->contact->normal_impulse <= 0);
    l->most_at_rest = closed || l->keeps ? l->least : 0;
    if (l->keeps) { /* a gap that is left all the same stays as it is */
        const double gained = scr_gained_on_tangent(k->with, k->state, k->contact);
        k->row->bias = (closed ? k->row->bias : 0) + gained / k->with->time_step;
        if (!(l->soft_t > 0)) {
            const Vec3 across = gained_across(k->with, k->state, k->contact);
            l->bias_t = scale(-1 / k->with->time_step, across);
        }
    }
}

static BridgeStep bridge_step(const Case *k) {
    return (BridgeStep){.time_step = k->with->time_step,
                        .theta = k->with->theta,
                        .gap = k->contact->gap,
                        .before = k->start.n,
                        .free = k->free.n,
                        .mass = k->row->mass_n,
                        .gained = scr_gained_on_tangent(k->with, k->state, k->contact)};
}

static void make_bridge(const Case *k, LawRow *l) {
    const BridgeStep step = bridge_step(k);
    l->bridged = true;
    l->adhesion = scr_bridge_pull(&k->bridge, &step);
    l->least = l->most_at_rest = -l->adhesion;
}

/* An impact is what would close within the step, faster than the threshold. It is a blow, so the
 * springs have no part in it. */
static bool is_impact(const Case *k) {
    const ScreeLaw *law = k->law;
    return k->with->inertia && (law->restitution > 0 || law->restitution_tangential > 0) &&
           k->start.n < 0 && k->start.n < -law->restitution_threshold &&
           k->contact->gap + k->with->time_step * k->free.n <= 0;
}

static void make_impact(const Case *k, LawRow *l) {
    double theta = k->with->theta;
    double e = k->tamed * k->law->restitution, et = k->tamed * k->law->restitution_tangential;
    k->row->bias = (theta * e - (1 - theta)) * k->start.n;
    if (k->bridge.reach > 0) {
        const BridgeStep step = bridge_step(k);
        const double leaving = scr_wet_rebound(&k->bridge, &step, e, l->bridged);
        k->row->bias = -theta * leaving - (1 - theta) * k->start.n;
    }
    l->bias_t = scale(theta * et - (1 - theta), k->start.t);
    l->soft_n = l->soft_t = 0;
}

/* r* of the law. A solid has no radius of its own: it rolls over the contact with its centre as far
 * from the contact's plane as the point on which it rolls is below it. Of a ball, and of a rod or a
 * cylinder on its side, that is the radius, at all the points on which they lie. */
static double rolling_radius(const State *s, const Contact *c) {
    bool solid_a = scr_surface_kind(s, c->a) == SURFACE_SOLID,
         solid_b = c->b >= 0 && scr_surface_kind(s, c->b) == SURFACE_SOLID;
    if (!solid_a && !solid_b) {
        return scr_reduced_bounds(s, c);
    }
    const Arms arms = scr_contact_arms(s, c);
    double ra = solid_a ? fabs(dot(arms.a, c->normal)) : s->bodies.radius[c->a];
    double rb = solid_b     ? fabs(dot(arms.b, c->normal))
                : c->b >= 0 ? s->bodies.radius[c->b]
                            : INFINITY;
    return scr_reduced_radius(s, c, ra, rb);
}

/* The same rows roll again in most cases, and take longer than others. */
bool scr_rolled(const State *s, size_t contact) {
    const Contact *c = &s->contacts.item[contact];
    const ScreeLaw *law = scr_contact_law(s, c);
    if (s->contacts.extra == NULL || (scr_law_uses(law) & LAW_TORQUES) == 0) {
        return false;
    }
    const ScreeContactExtra *extra = &s->contacts.extra[contact];
    const Vec3 n = c->normal;
    const Bridge bridge = scr_contact_bridge(s, c);
    const double pull = law->cohesion + scr_bridge_force(&bridge, c->gap);
    double bond = extra->opening >= 0 ? pull * s->def.time_step : 0;
    double pressure = scr_max(c->normal_impulse + bond, 0), lever = rolling_radius(s, c);
    Vec3 roll = s->def.dimension == 3 ? cross(extra->torque_impulse, n) : extra->torque_impulse;
    double bound = 0.99 * (law->rolling * lever + law->rolling_length) * pressure;
    return dot(roll, roll) > bound * bound;
}

static void make_torques(const Case *k, LawRow *l) {
    const State *s = k->state;
    const Contact *c = k->contact;
    const ScreeLaw *law = k->law;
    l->torques = true;
    double lever = rolling_radius(s, c);
    l->reach = scr_reduced_bounds(s, c); /* the unit of torque over impulse */
    l->rolling = law->rolling * lever + law->rolling_length;
    l->torsion = law->torsion * lever + law->torsion_length;
    double hertz = law->rolling_hertz, power = s->def.dimension == 2 ? hertz : hertz * hertz;
    l->hertz = power * hertz * (lever / k->with->time_step);
    l->per_length_a = 1 / s->bodies.radius[c->a];
    if (c->b >= 0) {
        l->per_length_b = 1 / s->bodies.radius[c->b];
    } else if (s->walls.item[scr_wall_of(c->b)].now.motion == SCREE_WALL_MOVED) {
        l->turn = s->walls.item[scr_wall_of(c->b)].now.spin;
    }
    if (s->def.solver.warm_start) {
        const Vec3 before = k->extra->torque_impulse;
        l->torque = scr_torque_parts(s->def.dimension, k->row->normal, before);
    }
}

/* A contact that did not slide holds; a new one holds if its surfaces do not move past each
 * other. */
static void note_two_frictions(const Case *k, Problem *p, int32_t slot) {
    double slip = sqrt(dot(k->start.t, k->start.t)) * k->with->time_step;
    bool holds = k->contact->state == SCREE_CONTACT_STICK ||
                 (k->contact->state == SCREE_CONTACT_OPEN &&
                  slip <= 1e-9 * k->state->bodies.radius[k->contact->a]);
    double holding = scr_static_friction(k->law), sliding = k->law->friction;
    p->two[p->twos++] = (TwoFriction){
        .sliding = sliding, .holding = holding, .before = k->start.t, .row = slot, .holds = holds};
    k->row->mu = holds ? holding : sliding;
}

/* ---------------------------------------------------------------- the whole */

void scr_apply_law(StepTask *t, size_t contact) {
    const State *s = t->state;
    Problem *p = &t->problem;
    int32_t slot = t->order.slot[contact];
    const Contact *c = &s->contacts.item[contact];
    Case k = {.with = t->with,
              .state = s,
              .contact = c,
              .law = scr_contact_law(s, c),
              .row = &p->row[slot],
              .tamed = scr_tamed_part(t, c)};
    unsigned uses = scr_law_uses(k.law);
    if (p->law_of != NULL) {
        p->law_of[slot] = -1;
    }
    if (uses == 0) {
        return;
    }
    k.extra = s->contacts.extra != NULL ? &s->contacts.extra[contact] : NULL;
    k.start = scr_start_velocity(t->with, s, c, scr_arms_of(t, c));
    k.free = surface_motion(p, (size_t)slot);
    LawRow l = {.adhesion = 0};
    k.bond = (uses & LAW_COHESION) != 0 && k.extra->opening >= 0 ? bond_force(t, contact) : 0;
    k.bridge = (uses & LAW_BRIDGES) != 0 ? scr_contact_bridge(s, c) : (Bridge){0, 0, 0};
    const bool bonded = k.bond > 0, bridged = k.bridge.reach > 0 && k.extra->opening >= 0;
    if ((uses & LAW_COMPLIANCE) != 0) {
        make_soft(&k, &l);
    }
    if (bridged) {
        make_bridge(&k, &l);
    }
    if (bonded) {
        make_bond(&k, &l);
    } else if ((uses & LAW_RESTITUTION) != 0 && is_impact(&k)) {
        make_impact(&k, &l);
    }
    if ((uses & LAW_TORQUES) != 0) {
        make_torques(&k, &l);
    }
    if ((uses & LAW_TWO_FRICTIONS) != 0) {
        note_two_frictions(&k, p, slot);
    }
    bool biased = l.bias_t.x != 0 || l.bias_t.y != 0 || l.bias_t.z != 0;
    if (bonded || bridged || biased || l.soft_n > 0 || l.soft_t > 0 || l.torques) {
        scr_law_complete(p, k.row, &l);
        p->law_of[slot] = slot; /* the sweep reads them in this order */
        p->law[slot] = l;
    }
}

/* ---------------------------------------------------------------- memory */

/* Which points of a face carry its load is not determined, so the glue of faces takes hold wherever
 * they touch. */
static bool touches_by_area(const StepTask *t, size_t contact, const ScreeLaw *law) {
    const Contact *c = &t->state->contacts.item[contact];
    size_t slot = (size_t)t->order.slot[contact];
    double way = surface_motion(&t->problem, slot).n * t->with->time_step;
    return law->cohesion_stress > 0 && t->problem.row[slot].rn >= 0 &&
           c->gap + way <= 1e-9 * t->state->bodies.radius[c->a];
}

/* Pushing a contact closed, by more than rounding, makes a bond or mends one. While a bond is
 * pulled open, the opening grows by the work done on it over its full force; while it closes again,
 * the opening shrinks by the distance. */
static double new_opening(const StepTask *t, size_t contact, double opening) {
    const State *s = t->state;
    double theta = t->with->theta, dt = t->with->time_step;
    const Contact *c = &s->contacts.item[contact];
    const ScreeLaw *law = scr_contact_law(s, c);
    size_t slot = (size_t)t->order.slot[contact];
    const Row *r = &t->problem.row[slot];
    const LawRow *l = scr_law_row(&t->problem, slot);
    /* a point whose face has yet to be found is judged by that of a body */
    double radius = s->bodies.radius[c->a], force = bond_force(t, contact);
    double usual = law->cohesion + law->cohesion_stress * radius * radius;
    bool pushed = r->rn > 1e-9 * scr_max(force, usual) * dt || touches_by_area(t, contact, law);
    if (!scr_is_cohesive(law) || (!pushed && (opening < 0 || !(force > 0)))) {
        return -1; /* without a share of a face left, there is nothing to hold */
    }
    if (pushed) {
        return 0;
    }
    double motion = surface_motion(&t->problem, slot).n;
    double before = scr_start_velocity(t->with, s, c, scr_arms_of(t, c)).n;
    double after = (motion - (1 - theta) * before) / theta;
    if (r->rn < 0) {
        bool spring = l->soft_n > 0 && r->rn > l->least;
        const double against = parting(t->with, s, c, before);
        opening -= spring ? 0 : 0.5 * r->rn * (against + after) / force;
    } else {
        opening += scr_min(0, motion) * dt;
    }
    return opening < law->cohesion_range * (1 - 1e-9) ? scr_max(opening, 0) : -1;
}

ScreeContactExtra scr_extra_after(const StepTask *t, size_t contact) {
    double before = t->state->contacts.extra[contact].opening;
    const ScreeLaw *law = scr_contact_law(t->state, &t->state->contacts.item[contact]);
    ScreeContactExtra extra = {.opening = scr_has_bridges(law)
                                              ? scr_bridge_after(t, contact, before)
                                              : new_opening(t, contact, before)};
    const size_t slot = (size_t)t->order.slot[contact];
    const LawRow *l = scr_law_row(&t->problem, slot);
    if (l != NULL && l->torques) {
        extra.torque_impulse =
            scr_whole_torque(t->problem.dimension, t->problem.row[slot].normal, l->torque);
    }
    return extra;
}
