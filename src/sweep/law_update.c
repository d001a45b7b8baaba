#include "sweep/law_update.h"

#include "law/alone.h"
#include "law/round.h"

static double new_normal(const Row *r, const LawRow *l, double un, double mass, double mass_soft) {
    const LawNormal law = {l->adhesion, l->least, l->most_at_rest, l->soft_n, mass, mass_soft};
    return law_normal_update(&law, un, un + r->bias, r->rn);
}

static Vec3 slip_of(const Row *r, const LawRow *l, RowVelocity u) {
    return law_spring_slip(u.t, l->bias_t, l->soft_t, r->rt);
}

static LawRolls rolls_of(const LawRow *l) {
    return (LawRolls){.torque = {l->torque.roll, l->torque.twist},
                      .torsion = l->torsion,
                      .coupling = l->coupling,
                      .mass_o = l->mass_o};
}

static void roll_plane(const Row *r, const LawRow *l, double slip, double spin, double pressure,
                       Share *x) {
    const LawRolls rolls = rolls_of(l);
    law_roll_alone_plane(r->mu, l->mass_t, r->rt.x, &rolls, slip, spin, pressure,
                         scr_rolling_bound(2, l, pressure), &x->t.x, &x->torque.twist);
}

void scr_roll_space(const Row *r, const LawRow *l, Vec3 slip, Vec3 spin, double pressure,
                    Share *x) {
    const LawRolls rolls = rolls_of(l);
    LawTorque torque;
    law_roll_alone_space(r->mu, l->mass_t, r->normal, r->rt, &rolls, slip, spin, pressure,
                         scr_rolling_bound(3, l, pressure), &x->t, &torque);
    x->torque = (Torque){torque.roll, torque.twist};
}

/* Adds the change to the velocities and keeps the new share. */
static double take(Problem *p, size_t row, Share x) {
    Row *r = &p->row[row];
    LawRow *l = &p->law[p->law_of[row]];
    const GeneralRow *g = scr_general_row(p, row);
    double dn = x.n - r->rn;
    Vec3 dt = sub(x.t, r->rt);
    Vec3 across = p->dimension == 3 ? dt : vec3(-r->normal.y * dt.x, r->normal.x * dt.x, 0);
    Vec3 d = add_scaled(across, dn, r->normal);
    r->rn = x.n;
    r->rt = x.t;
    if (g != NULL) {
        scr_general_push(p, r, g, d);
    } else {
        scr_round_push(p, r, d);
    }
    double change = dn * dn + dot(dt, dt);
    if (l->torques) {
        const Torque d_torque = {sub(x.torque.roll, l->torque.roll),
                                 x.torque.twist - l->torque.twist};
        scr_torque_push(p, r, l, g, scr_whole_torque(p->dimension, r->normal, d_torque));
        l->torque = x.torque;
        change +=
            (dot(d_torque.roll, d_torque.roll) + d_torque.twist * d_torque.twist) * l->per_square;
    }
    return change;
}

/* Round bodies: the normal part stands alone, and gives the others their bounds. */
static double update_round(Problem *p, size_t row) {
    const Row *r = &p->row[row];
    const LawRow *l = &p->law[p->law_of[row]];
    RowVelocity u = scr_row_velocity(p, row);
    Vec3 slip = slip_of(r, l, u);
    Share x = {new_normal(r, l, u.n, r->mass_n, l->mass_n), r->rt, l->torque};
    double pressure = law_pressure(x.n, l->adhesion);
    if (!l->torques) {
        x.t = law_cut(add_scaled(r->rt, -l->mass_t, slip), r->mu * pressure);
    } else if (p->dimension == 2) {
        roll_plane(r, l, slip.x, scr_row_spin(p, r, l).z, pressure, &x);
    } else {
        scr_roll_space(r, l, slip, scr_row_spin(p, r, l), pressure, &x);
    }
    return take(p, row, x);
}

/* Any bodies: parts one after another, each a step of projection that is short enough for any
 * direction, repeated until the row is nearly at rest; the next sweep goes on from there. Where it
 * rests, the law holds exactly. */
enum { MOST_ROUNDS = 20 };

static double update_any(Problem *p, size_t row) {
    const GeneralRow *g = scr_general_row(p, row);
    const Row *r = &p->row[row];
    const LawRow *l = &p->law[p->law_of[row]];
    bool space = p->dimension == 3;
    double wn = g->block[0], wt = g->block[3] + (space ? g->block[5] : 0);
    double mass_n = wn > 0 ? 1 / wn : 0, change = 0, last = INFINITY;
    double mass_soft = wn + l->soft_n > 0 ? 1 / (wn + l->soft_n) : 0;
    double mass_t = wt + l->soft_t > 0 ? 1 / (wt + l->soft_t) : 0;
    for (int round = 0; round < MOST_ROUNDS && last > 1e-4 * change; round++) {
        Share x = {0, r->rt, l->torque};
        x.n = new_normal(r, l, scr_row_velocity(p, row).n, mass_n, mass_soft);
        last = take(p, row, x);
        double pressure = law_pressure(r->rn, l->adhesion);
        Vec3 slip = slip_of(r, l, scr_row_velocity(p, row));
        x.t = law_cut(add_scaled(r->rt, -mass_t, slip), r->mu * pressure);
        last += take(p, row, x);
        if (l->torques) {
            Torque w = scr_torque_parts(p->dimension, r->normal, scr_row_spin(p, r, l));
            Vec3 roll = add_scaled(l->torque.roll, -l->mass_o, w.roll);
            double twist = l->torque.twist - l->mass_o * w.twist;
            double bound = scr_rolling_bound(p->dimension, l, pressure); /* in the plane of T */
            x.torque = (Torque){law_cut(roll, bound),
                                law_clamp(twist, space ? l->torsion * pressure : bound)};
            last += take(p, row, x);
        }
        change += last;
    }
    return change;
}

double scr_update_law(Problem *p, size_t row) {
    return scr_general_row(p, row) != NULL ? update_any(p, row) : update_round(p, row);
}
