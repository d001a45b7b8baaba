/* A lane and its row where rows have laws beyond Coulomb's (src/law/terms.h): as the packets of the processor
 * update it (src/sweep/packet_law.h), or as it does so one by one (src/sweep/law_update.c). */
#ifndef SCREE_CUDA_LAW_ROWS_H
#define SCREE_CUDA_LAW_ROWS_H

#include "lane_row.h"

#include "law/alone.h"

/* ---------------------------------------------------------------- to and fro */

ON_DEVICE void ask_for_rolls(const SweepArguments *given, int row, SweepKind kind, LaneLaw *l) {
    double x[ROLL_NUMBERS];
    for (int k = 0; k < ROLL_NUMBERS; k += 2) {
        const Two two = read_two(given->rolls + two_at(row, k / 2, ROLL_NUMBERS));
        x[k] = two.x, x[k + 1] = two.y;
    }
    l->rolls.rolling = x[0], l->rolls.torsion = x[1];
    l->per_length_a = x[2], l->per_length_b = x[3];
    l->rolls.coupling = x[4], l->rolls.mass_o = x[5];
    l->rolls.mass_roll = x[6], l->rolls.per_square = x[7];
    l->turn = vector(x[8], x[9], x[10]);
    l->hertz = x[11];
    read_impulse(given->torque, row, true, x);
    l->rolls.torque.roll = vector(x[0], x[1], x[2]);
    l->rolls.torque.twist = x[3];
    if (kind.momentum) {
        read_impulse(given->torque_before, row, true, l->before);
    }
}

/* Asks for the law of a row. */
ON_DEVICE void ask_for_law(const SweepArguments *given, SweepKind kind, LaneRow *r) {
    double x[LAW_NUMBERS];
    LaneLaw *l = &r->law;
    if (!kind.laws || r->flags == 0) {
        return;
    }
    for (int k = 0; k < LAW_NUMBERS; k += 2) {
        const Two two = read_two(given->law + two_at(r->row, k / 2, LAW_NUMBERS));
        x[k] = two.x, x[k + 1] = two.y;
    }
    l->adhesion = x[0], l->least = x[1], l->most_at_rest = x[2];
    l->soft_n = x[3], l->soft_mass_n = x[4], l->soft_t = x[5], l->soft_mass_t = x[6];
    l->bias_t = vector(x[7], x[8], x[9]);
    if (kind.rolls) {
        ask_for_rolls(given, r->row, kind, l);
    }
}

/* After prepare_row. Torques are extrapolated where the processor does so: those of packets that have any, and
 * those of single rows. */
ON_DEVICE void prepare_law(SweepKind kind, double beta, LaneRow *r) {
    LawTorque *t = &r->law.rolls.torque;
    if (!kind.rolls) {
        return;
    }
    const bool turns = (parts_of(r) & LAW_ROLLS) != 0 || is(r, SCREE_DEVICE_TURNED);
    if (kind.momentum && turns) {
        const double *before = r->law.before;
        t->roll.x = lifted(beta, t->roll.x, before[0]);
        t->roll.y = lifted(beta, t->roll.y, before[1]);
        t->roll.z = lifted(beta, t->roll.z, before[2]);
        t->twist = lifted(beta, t->twist, before[3]);
    }
    r->law.signs = sign_of(t->roll.x) | sign_of(t->roll.y) << 1 | sign_of(t->roll.z) << 2 |
                   sign_of(t->twist) << 3;
    if (t->roll.x != 0 || t->roll.y != 0 || t->roll.z != 0 || t->twist != 0) {
        r->flags |= HAS_IMPULSE;
    }
}

/* What the row leaves, when others are at work already. */
ON_DEVICE void put_row_back(const SweepArguments *given, const BoxAtWork *at, SweepKind kind,
                            const LaneRow *r) {
    const double x[IMPULSES] = {r->rn, r->rt.x, r->rt.y, r->rt.z};
    const RealVec3 square =
        kind.laws ? r->n : vector(r->n.x * r->n.x, r->n.y * r->n.y, r->n.z * r->n.z);
    at->flag[place_of(r)] = (unsigned char)r->flags;
    at->place[r->row - at->row] = (uint16_t)place_of(r);
    write_impulse(kind.momentum ? given->before : given->impulse, r->row, kind.space, x);
    if (given->sum != NULL) {
        store_two(given->change + 2 * (size_t)r->row, square.x, square.y);
        given->change[2 * given->rows + (size_t)r->row] = square.z;
    }
    if (kind.rolls) {
        const LawTorque *t = &r->law.rolls.torque;
        const double torque[TORQUES] = {t->roll.x, t->roll.y, t->roll.z, t->twist};
        at->turn_sign[place_of(r)] = (unsigned char)r->law.signs;
        write_impulse(kind.momentum ? given->torque_before : given->torque, r->row, true, torque);
    }
}

/* ---------------------------------------------------------------- what passes between law and bodies */

ON_DEVICE LawTerms terms_of(const LaneRow *r) {
    const LaneLaw *l = &r->law;
    LawTerms t;
    t.rn = r->rn, t.rt = r->rt, t.bias = r->bias;
    t.mass_n = r->contact.mass_n, t.mass_t = r->contact.mass_t, t.mu = r->contact.mu;
    t.adhesion = l->adhesion, t.least = l->least, t.most_at_rest = l->most_at_rest;
    t.soft_n = l->soft_n, t.soft_mass_n = l->soft_mass_n;
    t.soft_t = l->soft_t, t.soft_mass_t = l->soft_mass_t;
    t.bias_t = l->bias_t;
    return t;
}

/* v_a -= m_a d, s_a -= i_a ta, v_b += m_b d, s_b -= i_b tb */
ON_DEVICE void push_bodies(const BoxAtWork *at, const LaneRow *r, RealVec3 d, RealVec3 ta,
                           RealVec3 tb) {
    LaneBody a = load_whole_body(at, body_a(r)), b = load_whole_body(at, body_b(r));
    a.v = real_msub3(a.v, a.per_mass, d);
    a.s = real_msub3(a.s, a.per_inertia, ta);
    store_body(at, body_a(r), &a);
    if (!is(r, SCREE_DEVICE_WALL)) {
        b.v = real_madd3(b.v, b.per_mass, d);
        b.s = real_msub3(b.s, b.per_inertia, tb);
        store_body(at, body_b(r), &b);
    }
}

/* The same in the plane, where spins are along z. */
ON_DEVICE void push_in_plane(const BoxAtWork *at, const LaneRow *r, double dn, double dt, double ta,
                             double tb) {
    LaneBody a = load_whole_body(at, body_a(r)), b = load_whole_body(at, body_b(r));
    const double dx = dn * r->n.x - dt * r->n.y, dy = dn * r->n.y + dt * r->n.x;
    a.v.x = a.v.x - a.per_mass * dx;
    a.v.y = a.v.y - a.per_mass * dy;
    a.s.z = a.s.z - a.per_inertia * ta;
    store_body(at, body_a(r), &a);
    if (!is(r, SCREE_DEVICE_WALL)) {
        b.v.x = b.v.x + b.per_mass * dx;
        b.v.y = b.v.y + b.per_mass * dy;
        b.s.z = b.s.z - b.per_inertia * tb;
        store_body(at, body_b(r), &b);
    }
}

/* Relative spin; `parts`: some law of the packet may have a wall that turns. */
ON_DEVICE RealVec3 relative_spin(const LaneRow *r, unsigned parts, const LaneBody *a,
                                 const LaneBody *b) {
    const LaneLaw *l = &r->law;
    RealVec3 spin = real_scale3(l->per_length_b, b->s);
    if ((parts & LAW_TURNS) != 0) {
        spin = real_madd3(l->turn, l->per_length_b, b->s);
    }
    return real_msub3(spin, l->per_length_a, a->s);
}

/* ---------------------------------------------------------------- rows of packets, in space */

/* As law_stays_open of src/sweep/sweep_laws.h. */
ON_DEVICE void note_open(LaneRow *r, unsigned parts, double un, const double *creep) {
    if ((parts & LAW_BONDS) == 0 && (creep == 0 || (parts & LAW_ROLLS) == 0)) {
        r->flags |= stays_open(r, un, creep);
    }
}

/* Friction and torque together. */
ON_DEVICE void roll_in_space(LaneRow *r, const LawTerms *t, const LawGrip *grip, RealVec3 spin,
                             RealVec3 *rt, LawTorque *torque) {
    const LaneLaw *l = &r->law;
    bool hard;
    if (law_roll_first(t, &l->rolls, grip, r->n, spin, rt, torque, &hard)) {
        const double most = law_most_rolling(true, l->rolls.rolling, l->hertz, grip->pressure);
        law_roll_alone_space(t->mu, l->soft_mass_t, r->n, r->rt, &l->rolls, grip->slip, spin,
                             grip->pressure, most, rt, torque);
    }
}

/* As packet_law_space and packet_rolling_space. */
ON_DEVICE void update_law_space(const BoxAtWork *at, const double *creep, bool rolls, LaneRow *r) {
    const LaneBody a = load_body(at, body_a(r)), b = load_body(at, body_b(r));
    const unsigned parts = parts_of(r);
    const RealVec3 n = r->n, old = r->rt;
    const LawTerms t = terms_of(r);
    LawTorque torque = r->law.rolls.torque;
    RealVec3 u = real_sub3(b.v, a.v), rt;
    const double un = real_dot(u, n);
    const RealVec3 s = real_add3(a.s, b.s);
    rolls = rolls && (parts & LAW_ROLLS) != 0;
    u = vector((u.x - s.y * n.z) + s.z * n.y, (u.y - s.z * n.x) + s.x * n.z,
               (u.z - s.x * n.y) + s.y * n.x);
    u = real_msub3(u, un, n);
    note_open(r, parts, un, creep);
    LawGrip grip = law_press(&t, parts, un, u);
    if (creep != 0) {
        const LawCreepPart friction = law_rub_creeps(&t, &grip, true, *creep);
        law_press_creeping(&t, parts, un, &friction, 1, &grip);
    }
    if (rolls) {
        roll_in_space(r, &t, &grip, relative_spin(r, parts, &a, &b), &rt, &torque);
    } else {
        rt = law_rub_space(&t, &grip);
    }
    const double dn = grip.rn - r->rn;
    const RealVec3 dt = real_sub3(rt, old), twist = real_cross(n, dt), d = real_madd3(dt, dn, n);
    double change = real_dot(d, d);
    r->rn = grip.rn, r->rt = rt;
    if (rolls) {
        const LaneLaw *l = &r->law;
        const RealVec3 dy = real_sub3(torque.roll, l->rolls.torque.roll);
        const double dz = torque.twist - l->rolls.torque.twist;
        const RealVec3 dw = real_madd3(real_cross(n, dy), dz, n);
        push_bodies(at, r, d, real_madd3(twist, l->per_length_a, dw),
                    real_msub3(twist, l->per_length_b, dw));
        change = change + (real_dot(dy, dy) + dz * dz) * l->rolls.per_square;
        r->law.rolls.torque = torque;
    } else {
        push_bodies(at, r, d, twist, twist);
    }
    r->n = vector(change, 0, 0);
}

/* ---------------------------------------------------------------- rows of packets, in the plane */

/* As packet_law_plane and packet_rolling_plane. */
ON_DEVICE void update_law_plane(const BoxAtWork *at, const double *creep, bool rolls, LaneRow *r) {
    const LaneBody a = load_body(at, body_a(r)), b = load_body(at, body_b(r));
    const unsigned parts = parts_of(r);
    const double nx = r->n.x, ny = r->n.y;
    const double ux = b.v.x - a.v.x, uy = b.v.y - a.v.y, un = ux * nx + uy * ny;
    const double ut = (uy * nx - ux * ny) - (a.s.z + b.s.z);
    const LawTerms t = terms_of(r);
    LaneLaw *l = &r->law;
    double rt, ta, tb, turned = 0;
    LawGrip grip = law_press(&t, parts, un, vector(ut, 0, 0));
    LawCreepPart part[2];
    rolls = rolls && (parts & LAW_ROLLS) != 0;
    const double turn = (parts & LAW_TURNS) != 0 ? l->turn.z : 0;
    const double spin = rolls ? (turn + l->per_length_b * b.s.z) - l->per_length_a * a.s.z : 0;
    if (creep != 0) {
        part[0] = law_rub_creeps(&t, &grip, false, *creep);
        part[1] = rolls ? law_roll_creeps(&l->rolls, spin, *creep) : part[0];
        law_press_creeping(&t, parts, un, part, rolls ? 2 : 1, &grip);
    }
    if (rolls) {
        const double old = l->rolls.torque.twist;
        law_roll_plane(&t, &l->rolls, &grip, spin, &rt, &l->rolls.torque.twist);
        const double dy = l->rolls.torque.twist - old;
        ta = (rt - r->rt.x) + l->per_length_a * dy;
        tb = (rt - r->rt.x) - l->per_length_b * dy;
        turned = dy * dy * l->rolls.per_square;
    } else {
        rt = law_rub_plane(&t, &grip);
        ta = tb = rt - r->rt.x;
    }
    const double dn = grip.rn - r->rn, dt = rt - r->rt.x;
    push_in_plane(at, r, dn, dt, ta, tb);
    r->rn = grip.rn, r->rt.x = rt;
    r->n = vector(dn * dn, dt * dt, turned);
}

/* ---------------------------------------------------------------- rows one by one */

/* As scr_round_velocity: the velocity of b seen from a at the contact; returns its normal part. */
ON_DEVICE double contact_velocity(const LaneBody *a, const LaneBody *b, RealVec3 n, bool space,
                                  RealVec3 *ut) {
    const RealVec3 s = real_add3(a->s, b->s);
    const RealVec3 u = real_sub3(real_sub3(b->v, a->v), real_cross(s, n));
    const double un = real_dot(u, n);
    *ut = space ? real_msub3(u, un, n) : vector(u.y * n.x - u.x * n.y, 0, 0);
    return un;
}

/* As update_round of src/sweep/law_update.c. */
ON_DEVICE void find_share(const LaneRow *r, bool space, bool rolls, double un, RealVec3 ut,
                          RealVec3 spin, double *rn, RealVec3 *rt, LawTorque *torque) {
    const LaneLaw *l = &r->law;
    LawNormal law;
    law.adhesion = l->adhesion, law.least = l->least, law.most_at_rest = l->most_at_rest;
    law.soft = l->soft_n, law.mass = r->contact.mass_n, law.mass_soft = l->soft_mass_n;
    *rn = law_normal_update(&law, un, un + r->bias, r->rn);
    const RealVec3 slip = law_spring_slip(ut, l->bias_t, l->soft_t, r->rt);
    const double pressure = law_pressure(*rn, l->adhesion), mu = r->contact.mu;
    if (!rolls) {
        *rt = law_cut(real_msub3(r->rt, l->soft_mass_t, slip), mu * pressure);
        return;
    }
    const double most = law_most_rolling(space, l->rolls.rolling, l->hertz, pressure);
    if (space) {
        law_roll_alone_space(mu, l->soft_mass_t, r->n, r->rt, &l->rolls, slip, spin, pressure, most,
                             rt, torque);
    } else {
        *rt = r->rt;
        law_roll_alone_plane(mu, l->soft_mass_t, r->rt.x, &l->rolls, slip.x, spin.z, pressure, most,
                             &rt->x, &torque->twist);
    }
}

/* As scr_torque_push and scr_round_push. */
ON_DEVICE void push_alone(const BoxAtWork *at, const LaneRow *r, bool rolls, RealVec3 d,
                          RealVec3 twist, RealVec3 torque) {
    const LaneLaw *l = &r->law;
    LaneBody a = load_whole_body(at, body_a(r)), b = load_whole_body(at, body_b(r));
    a.v = real_msub3(a.v, a.per_mass, d);
    a.s = real_msub3(a.s, a.per_inertia, twist);
    b.v = real_madd3(b.v, b.per_mass, d);
    b.s = real_msub3(b.s, b.per_inertia, twist);
    if (rolls) {
        a.s = real_add3(a.s, real_scale3(a.per_inertia, real_scale3(-l->per_length_a, torque)));
        b.s = real_add3(b.s, real_scale3(b.per_inertia, real_scale3(l->per_length_b, torque)));
    }
    store_body(at, body_a(r), &a);
    if (!is(r, SCREE_DEVICE_WALL)) {
        store_body(at, body_b(r), &b);
    }
}

/* Rows of a packet of which some cannot be updated together with others: with a law, and without. */
ON_DEVICE void update_alone(const BoxAtWork *at, bool space, bool may_roll, LaneRow *r) {
    const LaneBody a = load_body(at, body_a(r)), b = load_body(at, body_b(r));
    const bool ruled = is(r, SCREE_DEVICE_RULED), rolls = may_roll && is(r, SCREE_DEVICE_TURNED);
    LawTorque torque = r->law.rolls.torque;
    RealVec3 ut, rt = r->rt, spin = vector(0, 0, 0), whole = spin;
    const double un = contact_velocity(&a, &b, r->n, space, &ut);
    double rn = r->rn;
    if (rolls) {
        spin = relative_spin(r, LAW_TURNS, &a, &b);
    }
    if (ruled) {
        find_share(r, space, rolls, un, ut, spin, &rn, &rt, &torque);
    } else if (space) {
        law_round_space(&r->contact, un + r->bias, ut, 0, &rn, &rt);
    } else {
        law_round_plane(&r->contact, un + r->bias, ut.x, 0, &rn, &rt.x);
    }
    const double dn = rn - r->rn;
    const RealVec3 dt = real_sub3(rt, r->rt);
    const RealVec3 across = space ? dt : vector(-r->n.y * dt.x, r->n.x * dt.x, 0);
    const RealVec3 d = real_madd3(across, dn, r->n);
    double change = dn * dn + real_dot(dt, dt);
    if (rolls) {
        const LawTorque *old = &r->law.rolls.torque;
        const RealVec3 dy = real_sub3(torque.roll, old->roll);
        const double dz = torque.twist - old->twist;
        whole = space ? real_madd3(real_cross(r->n, dy), dz, r->n) : vector(0, 0, dz);
        change += (real_dot(dy, dy) + dz * dz) * r->law.rolls.per_square;
        r->law.rolls.torque = torque;
    }
    const RealVec3 arm = space && !ruled ? dt : d;
    push_alone(at, r, rolls, d, space || ruled ? real_cross(r->n, arm) : vector(0, 0, dt.x), whole);
    r->rn = rn, r->rt = rt;
    r->n = vector(change, 0, 0);
    r->flags |= IS_ALONE;
}

/* ---------------------------------------------------------------- any row */

ON_DEVICE void update_row(const SweepArguments *given, const BoxAtWork *at, SweepKind kind,
                          LaneRow *r) {
    const double *creep = kind.creeps ? &given->creep : 0;
    const bool wall = kind.laws ? is(r, SCREE_DEVICE_WALL) : meets_wall(r);
    if (kind.laws && is(r, SCREE_DEVICE_ALONE)) {
        update_alone(at, kind.space, kind.rolls, r);
    } else if (kind.laws && parts_of(r) != 0) {
        if (kind.space) {
            update_law_space(at, creep, kind.rolls, r);
        } else {
            update_law_plane(at, creep, kind.rolls, r);
        }
    } else {
        if (kind.space) {
            update_space(at, creep, wall, r);
        } else {
            update_plane(at, creep, wall, r);
        }
        if (kind.laws) {
            r->n = vector(r->n.x * r->n.x, r->n.y * r->n.y, r->n.z * r->n.z);
        }
    }
}

#endif
