/* The sweep's update of WIDE rows between round bodies some of which have a law row: cohesion,
 * springs, restitution, rolling and torsion friction. law_update.c has the same for single rows,
 * and the cases that are missing here.
 *
 * `parts` says what the rows of the packet have (law_columns.h). It is a constant at each call, so
 * that each case is compiled separately and reads only what it needs; a row gets the same result in
 * all of them that have its parts. */
#ifndef SCREE_SWEEP_PACKET_LAW_H
#define SCREE_SWEEP_PACKET_LAW_H

#include "sweep/law_columns.h"
#include "sweep/law_update.h"
#include "sweep/packet.h"
#include "sweep/packet_general.h"

/* The numbers of WIDE rows that do not have these parts are not read. In the plane only x is. */
WIDE_INLINE LawTerms terms_of(const double *c, const double *l, unsigned parts, bool space) {
    const Wide zero = wide_all(0);
    LawTerms t = {.rn = column(c, ROW_RN),
                  .rt = {column(c, ROW_RT), zero, zero},
                  .bias = column(c, ROW_BIAS),
                  .mass_n = column(c, ROW_MASS_N),
                  .mass_t = column(c, ROW_MASS_T),
                  .mu = column(c, ROW_MU)};
    if (space) {
        t.rt = column3(c, ROW_RT);
    }
    if ((parts & LAW_BONDS) != 0) {
        t.adhesion = column(l, LAW_ADHESION);
        t.least = column(l, LAW_LEAST);
        t.most_at_rest = column(l, LAW_MOST_AT_REST);
    }
    if ((parts & LAW_SPRINGS) != 0) {
        t.soft_n = column(l, LAW_SOFT_N);
        t.soft_mass_n = column(l, LAW_MASS_N);
        t.soft_t = column(l, LAW_SOFT_T);
        t.soft_mass_t = column(l, LAW_MASS_T);
        t.bias_t = (WideVec3){column(l, LAW_BIAS_T), zero, zero};
        if (space) {
            t.bias_t = column3(l, LAW_BIAS_T);
        }
    }
    return t;
}

/* Of rows without torques: the normal part and the slip. */
WIDE_INLINE LawGrip press(const LawTerms *t, unsigned parts, bool space, Wide un, WideVec3 ut,
                          const Wide *creep) {
    LawGrip grip = law_press(t, parts, un, ut);
    if (creep != NULL) {
        const LawCreepPart friction = law_rub_creeps(t, &grip, space, *creep);
        law_press_creeping(t, parts, un, &friction, 1, &grip);
    }
    return grip;
}

/* The update in space, without torques. */
WIDE_INLINE Wide packet_law_space(double *c, const double *l, const Pairs *p, unsigned parts,
                                  const Wide *creep, Wide change) {
    WideVec3 n = column3(c, ROW_NORMAL), u, s;
    wide_relative(p->a, p->b, &u, &s);
    Wide un = wide_dot(u, n);
    u = wide_msub3(wide_less_cross(u, s, n), un, n);
    const LawTerms t = terms_of(c, l, parts, true);
    const LawGrip grip = press(&t, parts, true, un, u, creep);
    WideVec3 rt = law_rub_space(&t, &grip);

    const double *old = read_again(c);
    Wide dn = wide_sub(grip.rn, column(old, ROW_RN));
    WideVec3 dt = wide_sub3(rt, column3(old, ROW_RT));
    put_column(c, ROW_RN, grip.rn);
    put_column3(c, ROW_RT, rt);
    n = column3(old, ROW_NORMAL);
    WideVec3 twist = wide_cross(n, dt), d = wide_madd3(dt, dn, n);
    wide_push(p->a, p->b, p->to, d, twist);
    return wide_add(change, wide_dot(d, d));
}

WIDE_INLINE Wide packet_law_plane(double *c, const double *l, const Pairs *p, unsigned parts,
                                  const Wide *creep, Wide change) {
    Wide nx = column(c, ROW_NORMAL), ny = column(c, ROW_NORMAL + 1), ux, uy, s;
    const Wide zero = wide_all(0);
    WideLoaded loaded;
    wide_relative_plane(p->a, p->b, &loaded, &ux, &uy, &s);
    Wide un = wide_madd(wide_mul(ux, nx), uy, ny);
    Wide ut = wide_sub(wide_msub(wide_mul(uy, nx), ux, ny), s);
    const LawTerms t = terms_of(c, l, parts, false);
    const LawGrip grip = press(&t, parts, false, un, (WideVec3){ut, zero, zero}, creep);
    Wide rt = law_rub_plane(&t, &grip);
    Wide dn = wide_sub(grip.rn, column(c, ROW_RN)), dt = wide_sub(rt, column(c, ROW_RT));
    put_column(c, ROW_RN, grip.rn);
    put_column(c, ROW_RT, rt);
    wide_push_plane(p->a, p->b, p->to, &loaded, wide_msub(wide_mul(dn, nx), dt, ny),
                    wide_madd(wide_mul(dn, ny), dt, nx), dt);
    return wide_madd(wide_madd(change, dn, dn), dt, dt);
}

/* ---------------------------------------------------------------- rolling and torsion */

WIDE_INLINE LawTorque wide_torque(const double *l) {
    return (LawTorque){column3(l, LAW_ROLL), column(l, LAW_TWIST)};
}
WIDE_INLINE void put_wide_torque(double *l, LawTorque x) {
    put_column3(l, LAW_ROLL, x.roll);
    put_column(l, LAW_TWIST, x.twist);
}

WIDE_INLINE LawRolls rolls_of(const double *l) {
    return (LawRolls){.torque = wide_torque(l),
                      .rolling = column(l, LAW_ROLLING),
                      .torsion = column(l, LAW_TORSION),
                      .coupling = column(l, LAW_COUPLING),
                      .mass_o = column(l, LAW_MASS_O),
                      .mass_roll = column(l, LAW_MASS_ROLL),
                      .per_square = column(l, LAW_PER_SQUARE)};
}

/* Numbers of WIDE rows, to be changed one by one. */
typedef struct Lanes {
    double x[3][WIDE];
} Lanes;

WIDE_INLINE Lanes lanes_of(WideVec3 a) {
    Lanes lanes;
    wide_store(lanes.x[0], a.x), wide_store(lanes.x[1], a.y), wide_store(lanes.x[2], a.z);
    return lanes;
}
WIDE_INLINE WideVec3 from_lanes(const Lanes *a) {
    return (WideVec3){wide_load(a->x[0]), wide_load(a->x[1]), wide_load(a->x[2])};
}
static inline Vec3 lane(const Lanes *a, int k) {
    return vec3(a->x[0][k], a->x[1][k], a->x[2][k]);
}
static inline void put_lane(Lanes *a, int k, Vec3 x) {
    a->x[0][k] = x.x, a->x[1][k] = x.y, a->x[2][k] = x.z;
}

/* Updates one by one those rows in space that slide while friction and rolling are coupled:
 * law/rolling.h. `row` is the first of these rows. */
static void roll_alone(const Problem *p, size_t row, const double *c, const double *l,
                       const LawGrip *grip, WideVec3 spin, Wide which, WideVec3 *rt,
                       LawTorque *torque) {
    double beyond[WIDE], pressure[WIDE], twist[WIDE];
    const Lanes normal = lanes_of(column3(c, ROW_NORMAL)), old_t = lanes_of(column3(c, ROW_RT));
    const Lanes slip = lanes_of(grip->slip), turn = lanes_of(spin);
    Lanes x = lanes_of(*rt), roll = lanes_of(torque->roll);
    wide_store(beyond, which), wide_store(pressure, grip->pressure),
        wide_store(twist, torque->twist);
    for (int k = 0; k < WIDE; k++) {
        if (beyond[k] > 0) {
            const Row one = {.normal = lane(&normal, k),
                             .rt = lane(&old_t, k),
                             .mu = c[ROW_MU * PACKET_ROWS + k]};
            LawRow law = *scr_law_row(p, row + (size_t)k);
            law.torque = torque_at(l + k);
            Share share;
            scr_roll_space(&one, &law, lane(&slip, k), lane(&turn, k), pressure[k], &share);
            put_lane(&x, k, share.t);
            put_lane(&roll, k, share.torque.roll);
            twist[k] = share.torque.twist;
        }
    }
    *rt = from_lanes(&x);
    *torque = (LawTorque){from_lanes(&roll), wide_load(twist)};
}

/* Friction and torque together. Where the first try is not the solution, which is rare, roll_alone is asked if
 * `alone` is set; if not, the result is false. */
WIDE_INLINE bool wide_roll(const Problem *p, size_t row, const double *c, const double *l,
                           const LawTerms *t, const LawGrip *grip, WideVec3 spin, bool alone,
                           WideVec3 *rt, LawTorque *torque) {
    const LawRolls r = rolls_of(l);
    WideMask hard;
    if (law_roll_first(t, &r, grip, column3(c, ROW_NORMAL), spin, rt, torque, &hard)) {
        if (!alone) {
            return false;
        }
        const Wide which = wide_select(hard, wide_all(1), wide_all(0));
        roll_alone(p, row, c, l, grip, spin, which, rt, torque);
    }
    return true;
}

/* In space; `row` is the first of these rows. Friction creeps, rolling and torsion do not (law_roll_creeps).
 * Does nothing and returns false where wide_roll does: a call that may be made, however rarely, would keep numbers out of registers. */
WIDE_INLINE bool packet_rolling_space(const Problem *problem, size_t row, double *c, double *l,
                                      const Pairs *p, unsigned parts, const Wide *creep, bool alone,
                                      Wide *change) {
    WideVec3 n = column3(c, ROW_NORMAL), u, sa, sb, rt;
    LawTorque torque;
    wide_relative_spins(p->a, p->b, &u, &sa, &sb);
    Wide un = wide_dot(u, n);
    WideVec3 spin = wide_scale3(column(l, LAW_PER_LENGTH_B), sb);
    if ((parts & LAW_TURNS) != 0) {
        spin = wide_madd3(column3(l, LAW_TURN), column(l, LAW_PER_LENGTH_B), sb);
    }
    spin = wide_msub3(spin, column(l, LAW_PER_LENGTH_A), sa);
    u = wide_msub3(wide_less_cross(u, wide_add3(sa, sb), n), un, n);
    const LawTerms t = terms_of(c, l, parts, true);
    const LawGrip grip = press(&t, parts, true, un, u, creep);
    if (!wide_roll(problem, row, c, l, &t, &grip, spin, alone, &rt, &torque)) {
        return false;
    }
    const double *old = read_again(c);
    const LawTorque before = wide_torque(read_again(l));
    Wide dn = wide_sub(grip.rn, column(old, ROW_RN)), dz = wide_sub(torque.twist, before.twist);
    WideVec3 dt = wide_sub3(rt, column3(old, ROW_RT)), dy = wide_sub3(torque.roll, before.roll);
    put_column(c, ROW_RN, grip.rn);
    put_column3(c, ROW_RT, rt);
    put_wide_torque(l, torque);
    n = column3(old, ROW_NORMAL);
    WideVec3 d = wide_madd3(dt, dn, n), twist = wide_cross(n, dt);
    WideVec3 dw = wide_madd3(wide_cross(n, dy), dz, n);
    wide_push_spins(p->a, p->b, p->to, d, wide_madd3(twist, column(l, LAW_PER_LENGTH_A), dw),
                    wide_msub3(twist, column(l, LAW_PER_LENGTH_B), dw));
    Wide turned = wide_madd(wide_dot(dy, dy), dz, dz);
    *change = wide_add(*change, wide_madd(wide_dot(d, d), turned, column(l, LAW_PER_SQUARE)));
    return true;
}

/* In the plane, with torques along z and y = T: exact in all cases, see law/rolling.h. */
WIDE_INLINE Wide packet_rolling_plane(double *c, double *l, const Pairs *p, unsigned parts,
                                      const Wide *creep, Wide change) {
    const Wide zero = wide_all(0), per_a = column(l, LAW_PER_LENGTH_A);
    const Wide per_b = column(l, LAW_PER_LENGTH_B);
    Wide nx = column(c, ROW_NORMAL), ny = column(c, ROW_NORMAL + 1);
    WideBody a = wide_body(p->a), b = wide_body(p->b);
    Wide ux = wide_sub(b.vx, a.vx), uy = wide_sub(b.vy, a.vy);
    Wide un = wide_madd(wide_mul(ux, nx), uy, ny);
    Wide ut = wide_sub(wide_msub(wide_mul(uy, nx), ux, ny), wide_add(a.s, b.s));
    Wide turn = (parts & LAW_TURNS) != 0 ? column(l, LAW_TURN + 2) : zero;
    Wide spin = wide_msub(wide_madd(turn, per_b, b.s), per_a, a.s), rt, y;
    const LawTerms t = terms_of(c, l, parts, false);
    const LawRolls r = rolls_of(l);
    LawGrip grip = law_press(&t, parts, un, (WideVec3){ut, zero, zero});
    if (creep != NULL) {
        const LawCreepPart part[] = {law_rub_creeps(&t, &grip, false, *creep),
                                     law_roll_creeps(&r, spin, *creep)};
        law_press_creeping(&t, parts, un, part, 2, &grip);
    }
    law_roll_plane(&t, &r, &grip, spin, &rt, &y);
    Wide dn = wide_sub(grip.rn, column(c, ROW_RN)), dt = wide_sub(rt, t.rt.x);
    Wide dy = wide_sub(y, r.torque.twist);
    put_column(c, ROW_RN, grip.rn);
    put_column(c, ROW_RT, rt);
    put_column(l, LAW_TWIST, y);
    Wide dx = wide_msub(wide_mul(dn, nx), dt, ny), dz = wide_madd(wide_mul(dn, ny), dt, nx);
    a.vx = wide_msub(a.vx, a.mass, dx);
    a.vy = wide_msub(a.vy, a.mass, dz);
    a.s = wide_msub(a.s, a.inertia, wide_madd(dt, per_a, dy));
    b.vx = wide_madd(b.vx, b.mass, dx);
    b.vy = wide_madd(b.vy, b.mass, dz);
    b.s = wide_msub(b.s, b.inertia, wide_msub(dt, per_b, dy));
    wide_put_body(p->a, &a);
    wide_put_body(p->to, &b);
    change = wide_madd(wide_madd(change, dn, dn), dt, dt);
    return wide_madd(change, wide_mul(dy, dy), column(l, LAW_PER_SQUARE));
}

#endif
