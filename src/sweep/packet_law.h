/* The sweep's update of WIDE rows between round bodies some of which have a law row: cohesion,
 * springs, restitution, and in space rolling and torsion friction. law_update.c has the same for
 * single rows, and the cases that are missing here. */
#ifndef SCREE_SWEEP_PACKET_LAW_H
#define SCREE_SWEEP_PACKET_LAW_H

#include "sweep/law_update.h"
#include "sweep/packet.h"

#include <float.h>

/* Members of LawRow, counted in doubles, which are read four at a time. */
enum {
    LAW_ADHESION = 0, /* least, most_at_rest, soft_n */
    LAW_SOFT_T = 4,   /* mass_n, mass_t, bias_t.x */
    LAW_BIAS_T_Y = 8, /* bias_t.z, flags, rolling */
    LAW_TORSION = 13, /* reach, per_length_a, per_length_b */
    LAW_TURN = 17,    /* and coupling */
    LAW_MASS_O = 21   /* and torque */
};
#define LAW_AT(member, index) (offsetof(LawRow, member) == (index) * sizeof(double))
_Static_assert(LAW_AT(adhesion, LAW_ADHESION) && LAW_AT(soft_n, LAW_ADHESION + 3), "normal part");
_Static_assert(LAW_AT(soft_t, LAW_SOFT_T) && LAW_AT(bias_t, LAW_SOFT_T + 3), "tangential part");
_Static_assert(LAW_AT(rolling, LAW_BIAS_T_Y + 3) && LAW_AT(torsion, LAW_TORSION), "bounds");
_Static_assert(LAW_AT(per_length_b, LAW_TORSION + 3) && LAW_AT(turn, LAW_TURN), "spins");
_Static_assert(LAW_AT(coupling, LAW_TURN + 3) && LAW_AT(mass_o, LAW_MASS_O), "masses");
_Static_assert(LAW_AT(torque, LAW_MASS_O + 1) && sizeof(LawRow) >= 25 * sizeof(double), "torque");

/* Stands in for the law row of a row that has none. */
static inline LawRow no_law(double mass_n, double mass_t) {
    return (LawRow){.mass_n = mass_n, .mass_t = mass_t, .reach = 1, .ordinary = true};
}

/* What friction depends on, once the normal part is known. */
typedef struct WideFriction {
    Wide rn, pressure;
    Wide mass_t, rolling;
    WideVec3 slip; /* including the springs' share */
} WideFriction;

/* The normal part (law/normal.h), and the slip: from the relative velocity, its normal part and its
 * tangential part. In the plane only slip.x is used. */
WIDE_INLINE WideFriction wide_press(const double *c, double *const law[WIDE], Wide un,
                                    WideVec3 ut) {
    WideFriction f;
    LawNormal l;
    Wide soft_t, flags;
    WideVec3 bias;
    wide_gather4(members(law, LAW_ADHESION).at, &l.adhesion, &l.least, &l.most_at_rest, &l.soft);
    wide_gather4(members(law, LAW_SOFT_T).at, &soft_t, &l.mass_soft, &f.mass_t, &bias.x);
    wide_gather4(members(law, LAW_BIAS_T_Y).at, &bias.y, &bias.z, &flags, &f.rolling);
    l.mass = column(c, ROW_MASS_N);
    Wide gap = wide_add(un, column(c, ROW_BIAS));
    f.rn = law_normal_update(&l, un, gap, column(c, ROW_RN));
    f.pressure = law_pressure(f.rn, l.adhesion);
    f.slip = law_spring_slip(ut, bias, soft_t, column3(c, ROW_RT));
    return f;
}

/* The update in space, without torques. */
WIDE_INLINE Wide packet_law_space(double *c, const Pairs *p, double *const law[WIDE], Wide change) {
    WideVec3 n = column3(c, ROW_NORMAL), u, s;
    wide_relative(p->a, p->b, &u, &s);
    Wide un = wide_dot(u, n);
    u = wide_msub3(wide_less_cross(u, s, n), un, n);
    WideFriction f = wide_press(c, law, un, u);
    WideVec3 old_t = column3(c, ROW_RT);
    Wide limit = wide_mul(column(c, ROW_MU), f.pressure);
    WideVec3 rt = law_cut(wide_msub3(old_t, f.mass_t, f.slip), limit);
    Wide dn = wide_sub(f.rn, column(c, ROW_RN));
    WideVec3 dt = wide_sub3(rt, old_t), d = wide_madd3(dt, dn, n);
    put_column(c, ROW_RN, f.rn);
    put_column3(c, ROW_RT, rt);
    wide_push(p->a, p->b, p->to, d, wide_cross(n, dt));
    return wide_add(change, wide_dot(d, d));
}

WIDE_INLINE Wide packet_law_plane(double *c, const Pairs *p, double *const law[WIDE], Wide change) {
    Wide nx = column(c, ROW_NORMAL), ny = column(c, ROW_NORMAL + 1), ux, uy, s;
    const Wide zero = wide_all(0);
    WideLoaded loaded;
    wide_relative_plane(p->a, p->b, &loaded, &ux, &uy, &s);
    Wide un = wide_madd(wide_mul(ux, nx), uy, ny);
    Wide ut = wide_sub(wide_msub(wide_mul(uy, nx), ux, ny), s);
    WideFriction f = wide_press(c, law, un, (WideVec3){ut, zero, zero});
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

/* WIDE bodies: velocities, spins and inverse masses. */
typedef struct WideBall {
    WideVec3 v, s;
    Wide mass, inertia;
} WideBall;

WIDE_INLINE WideBall wide_ball(double *const at[WIDE]) {
    WideBall b;
    wide_gather4(at, &b.v.x, &b.v.y, &b.v.z, &b.s.x);
    wide_gather4(members(at, 4).at, &b.s.y, &b.s.z, &b.mass, &b.inertia);
    return b;
}

WIDE_INLINE void wide_put_ball(double *const at[WIDE], const WideBall *b) {
    wide_scatter4(at, b->v.x, b->v.y, b->v.z, b->s.x);
    wide_scatter4(members(at, 4).at, b->s.y, b->s.z, b->mass, b->inertia);
}

/* Updates one by one those rows that slide while friction and rolling are coupled:
 * law/rolling.h. */
static void roll_alone(const double *c, double *const law[WIDE], const WideFriction *f,
                       WideVec3 spin, Wide beyond, WideVec3 *rt, WideVec3 *torque) {
    double which[WIDE], pressure[WIDE], slip[3][WIDE], turn[3][WIDE], x[3][WIDE], t[3][WIDE];
    wide_store(which, beyond), wide_store(pressure, f->pressure);
    wide_store(slip[0], f->slip.x), wide_store(slip[1], f->slip.y), wide_store(slip[2], f->slip.z);
    wide_store(turn[0], spin.x), wide_store(turn[1], spin.y), wide_store(turn[2], spin.z);
    wide_store(x[0], rt->x), wide_store(x[1], rt->y), wide_store(x[2], rt->z);
    wide_store(t[0], torque->x), wide_store(t[1], torque->y), wide_store(t[2], torque->z);
    for (int k = 0; k < WIDE; k++) {
        if (which[k] > 0) {
            const double *m = c + k;
            const Row row = {
                .normal = {m[0], m[PACKET_ROWS], m[2 * PACKET_ROWS]},
                .rt = {m[ROW_RT * PACKET_ROWS], m[(ROW_RT + 1) * PACKET_ROWS],
                       m[(ROW_RT + 2) * PACKET_ROWS]},
                .mu = m[ROW_MU * PACKET_ROWS],
            };
            Share share;
            scr_roll_space(&row, (const LawRow *)law[k], vec3(slip[0][k], slip[1][k], slip[2][k]),
                           vec3(turn[0][k], turn[1][k], turn[2][k]), pressure[k], &share);
            x[0][k] = share.t.x, x[1][k] = share.t.y, x[2][k] = share.t.z;
            t[0][k] = share.torque.x, t[1][k] = share.torque.y, t[2][k] = share.torque.z;
        }
    }
    *rt = (WideVec3){wide_load(x[0]), wide_load(x[1]), wide_load(x[2])};
    *torque = (WideVec3){wide_load(t[0]), wide_load(t[1]), wide_load(t[2])};
}

/* Friction and torque together: the first try of law/rolling.h, which is the solution where
 * friction holds or is not coupled to rolling. In changes dx of the impulse and dT of the torque
 * from the present slip u and spin w, with y = T x n: if it were unbounded, dx = -m_t (u + k dy),
 * and then T_t = T_t - (w_t - k m_t n x u) m_o / (1 - k^2 m_t m_o), cut back to its own bound. */
WIDE_INLINE void wide_roll(const double *c, double *const law[WIDE], const WideFriction *f,
                           WideVec3 spin, Wide coupling, Wide mass_o, Wide torsion,
                           WideVec3 old_torque, WideVec3 *rt, WideVec3 *torque) {
    const Wide zero = wide_all(0), one = wide_all(1);
    const WideVec3 n = column3(c, ROW_NORMAL), old_t = column3(c, ROW_RT);
    Wide ratio = wide_mul(coupling, f->mass_t);
    Wide share = wide_div(mass_o, wide_msub(one, wide_mul(coupling, ratio), mass_o));
    Wide wn = wide_dot(spin, n), tn = wide_dot(old_torque, n);
    WideVec3 wt = wide_msub3(spin, wn, n), roll = wide_msub3(old_torque, tn, n), old_roll = roll;
    roll = wide_msub3(roll, share, wide_msub3(wt, ratio, wide_cross(n, f->slip)));
    roll = law_cut(roll, wide_mul(f->rolling, f->pressure));
    WideVec3 pull = wide_cross(wide_sub3(roll, old_roll), n);
    *rt = wide_msub3(old_t, f->mass_t, wide_madd3(f->slip, coupling, pull));
    Wide limit = wide_mul(column(c, ROW_MU), f->pressure);
    Wide twist = wide_clamp(wide_msub(tn, mass_o, wn), wide_mul(torsion, f->pressure));
    *torque = wide_madd3(roll, twist, n);
    Wide square = wide_dot(*rt, *rt);
    if (!wide_every(wide_above(wide_mul(limit, limit), square))) {
        Wide size = wide_mul(coupling, coupling), apart = wide_sub(square, wide_mul(limit, limit));
        WideMask both = wide_and(wide_above(apart, zero), wide_above(size, zero));
        both = wide_and(both, wide_above(f->pressure, zero));
        WideVec3 plain = wide_scale3(law_cut_factor(limit, square), *rt);
        if (wide_any(both)) {
            roll_alone(c, law, f, spin, wide_select(both, one, zero), rt, torque);
        }
        rt->x = wide_select(both, rt->x, plain.x);
        rt->y = wide_select(both, rt->y, plain.y);
        rt->z = wide_select(both, rt->z, plain.z);
    }
}

WIDE_INLINE Wide packet_rolling(double *c, const Pairs *p, double *const law[WIDE], Wide change) {
    const WideVec3 n = column3(c, ROW_NORMAL);
    WideBall a = wide_ball(p->a), b = wide_ball(p->b);
    WideVec3 u = wide_sub3(b.v, a.v);
    Wide un = wide_dot(u, n);
    u = wide_msub3(wide_less_cross(u, wide_add3(a.s, b.s), n), un, n);
    WideFriction f = wide_press(c, law, un, u);

    Wide torsion, reach, per_a, per_b, coupling, mass_o;
    WideVec3 turn, old_torque, rt, torque;
    wide_gather4(members(law, LAW_TORSION).at, &torsion, &reach, &per_a, &per_b);
    wide_gather4(members(law, LAW_TURN).at, &turn.x, &turn.y, &turn.z, &coupling);
    wide_gather4(members(law, LAW_MASS_O).at, &mass_o, &old_torque.x, &old_torque.y, &old_torque.z);
    WideVec3 spin = wide_msub3(wide_madd3(turn, per_b, b.s), per_a, a.s);
    wide_roll(c, law, &f, spin, coupling, mass_o, torsion, old_torque, &rt, &torque);

    Wide dn = wide_sub(f.rn, column(c, ROW_RN));
    WideVec3 dt = wide_sub3(rt, column3(c, ROW_RT)), d = wide_madd3(dt, dn, n);
    WideVec3 twist = wide_cross(n, dt), dw = wide_sub3(torque, old_torque);
    put_column(c, ROW_RN, f.rn);
    put_column3(c, ROW_RT, rt);
    wide_scatter4(members(law, LAW_MASS_O).at, mass_o, torque.x, torque.y, torque.z);
    a.v = wide_msub3(a.v, a.mass, d);
    b.v = wide_madd3(b.v, b.mass, d);
    a.s = wide_msub3(a.s, a.inertia, wide_madd3(twist, per_a, dw));
    b.s = wide_msub3(b.s, b.inertia, wide_msub3(twist, per_b, dw));
    wide_put_ball(p->a, &a);
    wide_put_ball(p->to, &b);
    /* rows without torques have no reach */
    Wide unit = wide_max(wide_mul(reach, reach), wide_all(DBL_MIN));
    Wide turned = wide_div(wide_dot(dw, dw), unit);
    return wide_add(wide_add(change, wide_dot(d, d)), turned);
}

#endif
