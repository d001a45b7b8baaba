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

/* What friction depends on, once the normal part is known. */
typedef struct WideFriction {
    Wide rn, pressure, mass_t;
    WideVec3 slip; /* including the springs' share */
} WideFriction;

/* The pressure where contacts creep, in addition to wide_press: `part` has the lengths and speeds of
 * friction, and of the torques. Nothing changes at contacts where everything holds and is slow. */
WIDE_INLINE void wide_creep(const double *c, const double *l, unsigned parts, Wide un,
                            const LawCreepPart *part, int count, WideFriction *f) {
    const bool bonds = (parts & LAW_BONDS) != 0, springs = (parts & LAW_SPRINGS) != 0;
    WideMask calm = wide_above(part[0].creep, part[0].speed);
    for (int i = 0; i < count; i++) {
        calm = wide_and(calm, wide_above(part[i].creep, part[i].speed));
        calm = wide_and(calm, wide_above(wide_mul(part[i].bound, f->pressure), part[i].length));
    }
    if (wide_every(calm)) {
        return;
    }
    const Wide mass = springs ? column(l, LAW_MASS_N) : column(c, ROW_MASS_N);
    Wide gap = wide_add(un, column(c, ROW_BIAS)), pressed = column(c, ROW_RN);
    if (bonds) {
        pressed = wide_add(pressed, column(l, LAW_ADHESION));
    }
    if (springs) {
        gap = wide_madd(gap, column(l, LAW_SOFT_N), pressed);
    }
    Wide pressure = law_creep_pressure(mass, wide_msub(pressed, mass, gap), part, count);
    Wide rn = bonds ? law_creep_bond(f->rn, pressure, column(l, LAW_ADHESION), column(l, LAW_LEAST),
                                     column(l, LAW_MOST_AT_REST))
                    : pressure;
    f->rn = wide_select(calm, f->rn, rn);
    f->pressure = bonds ? law_pressure(f->rn, column(l, LAW_ADHESION)) : f->rn;
}

WIDE_INLINE Wide wide_length(WideVec3 a) {
    return wide_sqrt(wide_dot(a, a));
}

/* Friction as a part of what creeps. */
WIDE_INLINE LawCreepPart creeping_friction(const double *c, const WideFriction *f, bool space,
                                           Wide creep) {
    WideVec3 stop = wide_msub3(column3(c, ROW_RT), f->mass_t, f->slip);
    return (LawCreepPart){.mass = f->mass_t,
                          .bound = column(c, ROW_MU),
                          .length = space ? wide_length(stop) : wide_size(stop.x),
                          .speed = space ? wide_length(f->slip) : wide_size(f->slip.x),
                          .creep = creep};
}

/* The normal part (law/normal.h), and the slip: from the relative velocity, its normal part and its
 * tangential part. In the plane only slip.x is used. */
WIDE_INLINE WideFriction wide_press(const double *c, const double *l, unsigned parts, bool space,
                                    Wide un, WideVec3 ut) {
    const bool bonds = (parts & LAW_BONDS) != 0, springs = (parts & LAW_SPRINGS) != 0;
    Wide gap = wide_add(un, column(c, ROW_BIAS)), rn = column(c, ROW_RN);
    LawNormal law = {.mass = column(c, ROW_MASS_N)};
    WideFriction f = {.mass_t = column(c, ROW_MASS_T), .slip = ut};
    if (bonds) {
        law.adhesion = column(l, LAW_ADHESION);
        law.least = column(l, LAW_LEAST);
        law.most_at_rest = column(l, LAW_MOST_AT_REST);
    }
    if (springs) {
        law.soft = column(l, LAW_SOFT_N);
        law.mass_soft = column(l, LAW_MASS_N);
        f.mass_t = column(l, LAW_MASS_T);
        const WideVec3 zero = {wide_all(0), wide_all(0), wide_all(0)};
        WideVec3 bias = space ? column3(l, LAW_BIAS_T) : zero;
        bias.x = column(l, LAW_BIAS_T);
        f.slip = law_spring_slip(ut, bias, column(l, LAW_SOFT_T), column3(c, ROW_RT));
    }
    f.rn = bonds && springs ? law_normal_update(&law, un, gap, rn)
           : bonds          ? law_bond_update(&law, un, gap, rn)
           : springs        ? law_spring_update(&law, gap, rn)
                            : wide_positive(wide_msub(rn, law.mass, gap));
    f.pressure = bonds ? law_pressure(f.rn, law.adhesion) : f.rn;
    return f;
}

/* The update in space, without torques. */
WIDE_INLINE Wide packet_law_space(double *c, const double *l, const Pairs *p, unsigned parts,
                                  const Wide *creep, Wide change) {
    WideVec3 n = column3(c, ROW_NORMAL), u, s;
    wide_relative(p->a, p->b, &u, &s);
    Wide un = wide_dot(u, n);
    u = wide_msub3(wide_less_cross(u, s, n), un, n);
    WideFriction f = wide_press(c, l, parts, true, un, u);
    if (creep != NULL) {
        const LawCreepPart friction = creeping_friction(c, &f, true, *creep);
        wide_creep(c, l, parts, un, &friction, 1, &f);
    }
    Wide limit = wide_mul(column(c, ROW_MU), f.pressure);
    WideVec3 rt = law_cut(wide_msub3(column3(c, ROW_RT), f.mass_t, f.slip), limit);

    const double *old = read_again(c);
    Wide dn = wide_sub(f.rn, column(old, ROW_RN));
    WideVec3 dt = wide_sub3(rt, column3(old, ROW_RT));
    put_column(c, ROW_RN, f.rn);
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
    WideFriction f = wide_press(c, l, parts, false, un, (WideVec3){ut, zero, zero});
    if (creep != NULL) {
        const LawCreepPart friction = creeping_friction(c, &f, false, *creep);
        wide_creep(c, l, parts, un, &friction, 1, &f);
    }
    Wide rt = wide_msub(column(c, ROW_RT), f.mass_t, f.slip.x);
    rt = wide_clamp(rt, wide_mul(column(c, ROW_MU), f.pressure));
    Wide dn = wide_sub(f.rn, column(c, ROW_RN)), dt = wide_sub(rt, column(c, ROW_RT));
    put_column(c, ROW_RN, f.rn);
    put_column(c, ROW_RT, rt);
    wide_push_plane(p->a, p->b, p->to, &loaded, wide_msub(wide_mul(dn, nx), dt, ny),
                    wide_madd(wide_mul(dn, ny), dt, nx), dt);
    return wide_madd(wide_madd(change, dn, dn), dt, dt);
}

/* ---------------------------------------------------------------- rolling and torsion */

/* See Torque. */
typedef struct WideTorque {
    WideVec3 roll;
    Wide twist;
} WideTorque;

WIDE_INLINE WideTorque wide_torque(const double *l) {
    return (WideTorque){column3(l, LAW_ROLL), column(l, LAW_TWIST)};
}
WIDE_INLINE void put_wide_torque(double *l, WideTorque x) {
    put_column3(l, LAW_ROLL, x.roll);
    put_column(l, LAW_TWIST, x.twist);
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
                       const WideFriction *f, WideVec3 spin, Wide which, WideVec3 *rt,
                       WideTorque *torque) {
    double beyond[WIDE], pressure[WIDE], twist[WIDE];
    const Lanes normal = lanes_of(column3(c, ROW_NORMAL)), old_t = lanes_of(column3(c, ROW_RT));
    const Lanes slip = lanes_of(f->slip), turn = lanes_of(spin);
    Lanes x = lanes_of(*rt), roll = lanes_of(torque->roll);
    wide_store(beyond, which), wide_store(pressure, f->pressure), wide_store(twist, torque->twist);
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
    *torque = (WideTorque){from_lanes(&roll), wide_load(twist)};
}

/* Friction and torque together: the first try of law/rolling.h, which is the solution where
 * friction holds or is not coupled to rolling. In changes dx of the impulse and dy of y = T x n,
 * from the present slip u and o = w x n: if it were unbounded, dx = -m_t (u + k dy), and then dy =
 * -(o - k m_t u) m_o / (1 - k^2 m_t m_o), cut back to its own bound. Where it is not the solution,
 * which is rare, roll_alone is asked if `alone` is set; if not, the result is false. */
WIDE_INLINE bool wide_roll(const Problem *p, size_t row, const double *c, const double *l,
                           const WideFriction *f, WideVec3 spin, bool alone, WideVec3 *rt,
                           WideTorque *torque) {
    const Wide zero = wide_all(0), one = wide_all(1), coupling = column(l, LAW_COUPLING);
    const WideVec3 n = column3(c, ROW_NORMAL);
    Wide twist = wide_msub(column(l, LAW_TWIST), column(l, LAW_MASS_O), wide_dot(spin, n));
    twist = wide_clamp(twist, wide_mul(column(l, LAW_TORSION), f->pressure));
    Wide ratio = wide_mul(coupling, f->mass_t);
    WideVec3 turned = wide_msub3(wide_cross(spin, n), ratio, f->slip);
    WideVec3 roll = wide_msub3(column3(l, LAW_ROLL), column(l, LAW_MASS_ROLL), turned);
    roll = law_cut(roll, wide_mul(column(l, LAW_ROLLING), f->pressure));
    const double *old = read_again(l);
    WideVec3 pulled =
        wide_madd3(f->slip, column(old, LAW_COUPLING), wide_sub3(roll, column3(old, LAW_ROLL)));
    *rt = wide_msub3(column3(c, ROW_RT), f->mass_t, pulled);
    Wide limit = wide_mul(column(c, ROW_MU), f->pressure), square = wide_dot(*rt, *rt);
    *torque = (WideTorque){roll, twist};
    if (!wide_every(wide_above(wide_mul(limit, limit), square))) {
        Wide size = wide_mul(coupling, coupling), apart = wide_sub(square, wide_mul(limit, limit));
        WideMask both = wide_and(wide_above(apart, zero), wide_above(size, zero));
        both = wide_and(both, wide_above(f->pressure, zero));
        *rt = wide_scale3(law_cut_factor(limit, square), *rt);
        if (wide_any(both) && !alone) {
            return false;
        }
        if (wide_any(both)) {
            roll_alone(p, row, c, l, f, spin, wide_select(both, one, zero), rt, torque);
        }
    }
    return true;
}

/* In space; `row` is the first of these rows. Friction creeps, rolling and torsion do not: in
 * packings of spheres, grains that roll are common, and letting them creep takes longer, see
 * docs/solvers.md. Does nothing and returns false where wide_roll does:
 * a call that may be made, however rarely, would keep numbers out of registers. */
WIDE_INLINE bool packet_rolling_space(const Problem *problem, size_t row, double *c, double *l,
                                      const Pairs *p, unsigned parts, const Wide *creep, bool alone,
                                      Wide *change) {
    WideVec3 n = column3(c, ROW_NORMAL), u, sa, sb, rt;
    WideTorque torque;
    wide_relative_spins(p->a, p->b, &u, &sa, &sb);
    Wide un = wide_dot(u, n);
    WideVec3 spin = wide_scale3(column(l, LAW_PER_LENGTH_B), sb);
    if ((parts & LAW_TURNS) != 0) {
        spin = wide_madd3(column3(l, LAW_TURN), column(l, LAW_PER_LENGTH_B), sb);
    }
    spin = wide_msub3(spin, column(l, LAW_PER_LENGTH_A), sa);
    u = wide_msub3(wide_less_cross(u, wide_add3(sa, sb), n), un, n);
    WideFriction f = wide_press(c, l, parts, true, un, u);
    if (creep != NULL) {
        const LawCreepPart friction = creeping_friction(c, &f, true, *creep);
        wide_creep(c, l, parts, un, &friction, 1, &f);
    }
    if (!wide_roll(problem, row, c, l, &f, spin, alone, &rt, &torque)) {
        return false;
    }
    const double *old = read_again(c);
    const WideTorque before = wide_torque(read_again(l));
    Wide dn = wide_sub(f.rn, column(old, ROW_RN)), dz = wide_sub(torque.twist, before.twist);
    WideVec3 dt = wide_sub3(rt, column3(old, ROW_RT)), dy = wide_sub3(torque.roll, before.roll);
    put_column(c, ROW_RN, f.rn);
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
    const Wide per_b = column(l, LAW_PER_LENGTH_B), k = column(l, LAW_COUPLING);
    Wide nx = column(c, ROW_NORMAL), ny = column(c, ROW_NORMAL + 1);
    Wide old_t = column(c, ROW_RT), old_y = column(l, LAW_TWIST);
    WideBody a = wide_body(p->a), b = wide_body(p->b);
    Wide ux = wide_sub(b.vx, a.vx), uy = wide_sub(b.vy, a.vy);
    Wide un = wide_madd(wide_mul(ux, nx), uy, ny);
    Wide ut = wide_sub(wide_msub(wide_mul(uy, nx), ux, ny), wide_add(a.s, b.s));
    Wide turn = (parts & LAW_TURNS) != 0 ? column(l, LAW_TURN + 2) : zero;
    Wide spin = wide_msub(wide_madd(turn, per_b, b.s), per_a, a.s);
    WideFriction f = wide_press(c, l, parts, false, un, (WideVec3){ut, zero, zero});
    if (creep != NULL) {
        const Wide mass_o = column(l, LAW_MASS_O), stop = wide_msub(old_y, mass_o, spin);
        const LawCreepPart part[] = {creeping_friction(c, &f, false, *creep),
                                     {mass_o, column(l, LAW_ROLLING), wide_size(stop),
                                      wide_size(spin),
                                      wide_mul(*creep, wide_sqrt(column(l, LAW_PER_SQUARE)))}};
        wide_creep(c, l, parts, un, part, 2, &f);
    }
    Wide most_t = wide_mul(column(c, ROW_MU), f.pressure);
    Wide most_y = wide_mul(column(l, LAW_ROLLING), f.pressure);
    Wide turned = wide_msub(spin, wide_mul(k, f.mass_t), f.slip.x);
    Wide y = wide_clamp(wide_msub(old_y, column(l, LAW_MASS_ROLL), turned), most_y);
    Wide free = wide_msub(old_t, f.mass_t, wide_madd(f.slip.x, k, wide_sub(y, old_y)));
    Wide rt = wide_clamp(free, most_t);
    WideMask slides = wide_above(wide_size(free), most_t);
    if (wide_any(slides)) {
        Wide pushed = wide_madd(spin, k, wide_sub(rt, old_t));
        Wide other = wide_clamp(wide_msub(old_y, column(l, LAW_MASS_O), pushed), most_y);
        y = wide_select(slides, other, y);
    }
    Wide dn = wide_sub(f.rn, column(c, ROW_RN)), dt = wide_sub(rt, old_t), dy = wide_sub(y, old_y);
    put_column(c, ROW_RN, f.rn);
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
