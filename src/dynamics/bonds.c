#include "dynamics/bonds.h"

#include "dynamics/held.h"
#include "dynamics/laws.h"
#include "narrow/glued.h"
#include "narrow/pair_table.h"

#include <math.h>

/* A load so near to 1 differs from it by rounding. */
static const double broken = 1 - 1e-9;

/* [radii] An error so small is rounding of the positions, which over a short step would be many
 * roundings of the velocities: nothing is asked of it. */
static const double negligible = 1e-11;

bool scr_begin_bonds(State *s) {
    for (size_t i = 0; i < s->bonds.count; i++) {
        s->bonds.item[i].load = -INFINITY;
    }
    return scr_bonds_index(&s->bonds, s->bodies.count);
}

/* ---------------------------------------------------------------- the law of a row */

/* How the bodies of a bond stand to each other, less how they stood when it was made. */
typedef struct BondErrors {
    double gap;
    Vec3 slip; /* of the point of b past that of a, across the normal */
    Vec3 turn; /* of b relative to a, as a rotation vector */
} BondErrors;

static Vec3 unless_rounding(Vec3 error, double least) {
    return dot(error, error) > least * least ? error : vec3(0, 0, 0);
}

/* From the point of a to that of b. */
static Vec3 points_apart(const State *s, const Contact *c, const ScreeBond *bond) {
    const Bodies *k = &s->bodies;
    if (c->feature == SCR_GLUED || c->b < 0) {
        return scr_glued_apart(s, bond, c->a, c->b);
    }
    const double ra = k->radius[c->a], rb = k->radius[c->b];
    const Vec3 to_a = scale(ra, quat_rotate(k->orientation[c->a], bond->arm_a));
    const Vec3 to_b = scale(rb, quat_rotate(k->orientation[c->b], bond->arm_b));
    return add_scaled(sub(to_b, to_a), ra + rb + c->gap, c->normal);
}

static BondErrors errors_of(const State *s, const Contact *c, const ScreeBond *bond) {
    const Quat qa = s->bodies.orientation[c->a];
    const Quat qb = c->b >= 0 ? s->bodies.orientation[c->b] : (Quat){1, 0, 0, 0};
    const Vec3 apart = points_apart(s, c, bond);
    const Quat would = quat_multiply(qa, bond->turn);
    const Quat back = {would.w, -would.x, -would.y, -would.z};
    const double gap = c->gap - bond->gap, least = negligible * scr_least_radius(s, c->a, c->b);
    const Vec3 slip = add_scaled(apart, -dot(apart, c->normal), c->normal);
    return (BondErrors){
        .gap = fabs(gap) > least ? gap : 0,
        .slip = unless_rounding(slip, least),
        .turn = unless_rounding(quat_turn(quat_multiply(qb, back)), negligible),
    };
}

/* In the layout of a row. */
static Vec3 tangential(int dimension, Vec3 n, Vec3 v) {
    return dimension == 2 ? vec3(v.y * n.x - v.x * n.y, 0, 0) : v;
}

/* With the motion w = theta u' + (1 - theta) u that the rows are written in, u' = -e / dt reads
 * w + theta e / dt - (1 - theta) u = 0; the normal parts are those of the surfaces, which may grow. The row of a
 * wall that turns has not its spin, which is the same motion throughout the step. */
static void hold(const StepTask *t, const Contact *c, const ScreeBond *bond, Row *row, LawRow *l) {
    const State *s = t->state;
    const double theta = t->with->theta, rate = theta / t->with->time_step;
    BondErrors e = errors_of(s, c, bond);
    const Vec3 bend = scr_bend_at_wall(t->with, s, c), turns = scr_spin_of_wall(s, c->b);
    e.slip = add(e.slip, add_scaled(bend, -dot(bend, c->normal), c->normal));
    const double apart = e.gap + scr_gained_on_tangent(t->with, s, c) + dot(bend, c->normal);
    const RowVelocity start = scr_start_velocity(t->with, s, c, scr_arms_of(t, c));
    const Vec3 spin = sub(c->b >= 0 ? s->bodies.spin[c->b] : turns, s->bodies.spin[c->a]);
    const Vec3 slip = tangential(s->def.dimension, c->normal, e.slip);
    row->bias = rate * apart - (1 - theta) * start.n;
    row->bias -= t->problem.growth != NULL ? scr_closing_growth(t, c) : 0;
    l->bias_t = add_scaled(scale(rate, slip), theta - 1, start.t);
    l->turn = add(add_scaled(scale(rate, e.turn), theta - 1, spin), turns);
}

void scr_apply_bond(StepTask *t, size_t contact, const ScreeBond *bond) {
    const State *s = t->state;
    const Contact *c = &s->contacts.item[contact];
    const size_t slot = (size_t)t->order.slot[contact];
    Row *row = &t->problem.row[slot];
    const double per_a = 1 / s->bodies.radius[c->a];
    const double per_b = c->b >= 0 ? 1 / s->bodies.radius[c->b] : 0;
    LawRow l = {
        .bonded = true,
        .adhesion = bond->tension * t->with->time_step,
        .torques = true,
        .rolling = bond->bending / bond->tension,
        .torsion = bond->torsion / bond->tension,
        .reach = 1 / (per_a + per_b),
        .per_length_a = per_a,
        .per_length_b = per_b,
    };
    l.least = l.most_at_rest = -l.adhesion;
    row->mu = bond->shear / bond->tension;
    hold(t, c, bond, row, &l);
    if (s->def.solver.warm_start) {
        const Vec3 before = s->contacts.extra[contact].torque_impulse;
        l.torque = scr_torque_parts(s->def.dimension, row->normal, before);
    }
    scr_law_complete(&t->problem, row, &l);
    t->problem.law_of[slot] = (int32_t)slot;
    t->problem.law[slot] = l;
}

/* ---------------------------------------------------------------- breaking */

void scr_judge_bond(const StepTask *t, State *s, size_t contact) {
    const Contact *c = &s->contacts.item[contact];
    ScreeBond *bond = scr_find_bond(&s->bonds, c->a, c->b);
    const size_t slot = (size_t)t->order.slot[contact];
    const LawRow *l = scr_law_row(&t->problem, slot);
    if (bond == NULL || l == NULL || !l->bonded) {
        return;
    }
    const Row *r = &t->problem.row[slot];
    const double dt = t->with->time_step;
    const bool space = s->def.dimension == 3;
    const double roll = space ? length(l->torque.roll) : fabs(l->torque.twist);
    const double twist = space ? fabs(l->torque.twist) : 0;
    const double pull = -r->rn / (bond->tension * dt);
    const double bent = roll / (bond->bending * dt);
    const double sheared = length(r->rt) / (bond->shear * dt) + twist / (bond->torsion * dt);
    bond->load = pull + scr_max(bent, sheared);
    if (bond->load >= broken && (s->materials.uses & LAW_COMPLIANCE) != 0) {
        s->contacts.item[contact].state =
            SCREE_CONTACT_OPEN; /* what glue bore stretches no spring */
    }
}

/* The gap of a bond that has no contact: its bodies are both held, or have come apart. */
static double gap_of(const State *s, const ScreeBond *bond) {
    return bond->b.code >= 0 ? scr_touch_round(s, bond->a.index, bond->b.code).gap
                             : length(scr_glued_apart(s, bond, bond->a.index, bond->b.code));
}

void scr_break_bonds(State *s, ScreeReport *report) {
    const int64_t before = s->bonds.broken;
    for (size_t i = 0; i < s->bonds.count; i++) {
        ScreeBond *bond = &s->bonds.item[i];
        const bool found = bond->load > -INFINITY;
        const bool breaks = found ? bond->load >= broken : gap_of(s, bond) > s->bonds.reach;
        bond->load = breaks ? INFINITY : found ? bond->load : 0;
    }
    s->bonds.broken += (int64_t)scr_bonds_take_out(&s->bonds);
    report->glued = (int64_t)s->bonds.count;
    report->broken = s->bonds.broken - before;
}
