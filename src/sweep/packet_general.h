/* The sweep's update of WIDE rows in the plane between bodies of any shape, with scalar masses: the
 * full block of two, solved exactly. */
#ifndef SCREE_SWEEP_PACKET_GENERAL_H
#define SCREE_SWEEP_PACKET_GENERAL_H

#include "sweep/packet.h"
#include "sweep/packet_takes.h"

#include <float.h>

enum { GENERAL_ARM_A = 0, GENERAL_ARM_B = 3, GENERAL_BLOCK = 12, BODY_SPIN = 4 };
_Static_assert(offsetof(GeneralRow, arm_b) == GENERAL_ARM_B * sizeof(double), "arms first");
_Static_assert(offsetof(GeneralRow, block) == GENERAL_BLOCK * sizeof(double), "arms, frame, block");

/* One body: velocity, spin and inverse masses in the plane. */
typedef struct WideBody {
    Wide vx, vy, s, other, mass, inertia;
} WideBody;

WIDE_INLINE WideBody wide_body(double *const at[WIDE]) {
    WideBody b;
    Wide vz, sx;
    wide_gather4(at, &b.vx, &b.vy, &vz, &sx);
    wide_gather4(members(at, BODY_SPIN).at, &b.other, &b.s, &b.mass, &b.inertia);
    return b;
}

WIDE_INLINE void wide_put_body(double *const at[WIDE], const WideBody *b) {
    wide_scatter2(at, b->vx, b->vy);
    wide_scatter2(members(at, BODY_SPIN).at, b->other, b->s);
}

/* law_coulomb_block2 with 1 / W_nn and 1 / (W_tt - W_nt^2 / W_nn) given. */
WIDE_INLINE void wide_block2(Wide nn, Wide nt, Wide per_nn, Wide per_rest, Wide qn, Wide qt,
                             Wide mu, Wide *rn, Wide *rt) {
    const Wide zero = wide_all(0), one = wide_all(1), minus = wide_all(-1);
    Wide p = wide_msub(qt, wide_mul(nt, per_nn), qn);
    Wide stick_t = wide_mul(wide_sub(zero, p), per_rest);
    Wide stick_n = wide_mul(wide_sub(zero, wide_madd(qn, nt, stick_t)), per_nn);
    Wide size = wide_select(wide_above(zero, stick_t), wide_sub(zero, stick_t), stick_t);
    WideMask pushes = wide_above(zero, qn);
    WideMask slides = wide_above(size, wide_mul(mu, wide_positive(stick_n)));
    *rn = wide_positive(stick_n);
    *rt = stick_t;
    if (wide_any(wide_and(slides, pushes))) {
        Wide d = wide_select(wide_above(p, zero), minus, one);
        Wide coupled = wide_madd(nn, wide_mul(mu, d), nt);
        WideMask solvable = wide_above(coupled, zero);
        Wide slip_n = wide_div(wide_sub(zero, qn), wide_select(solvable, coupled, nn));
        Wide slip_t = wide_select(solvable, wide_mul(wide_mul(mu, slip_n), d), zero);
        *rn = wide_select(slides, slip_n, *rn);
        *rt = wide_select(slides, slip_t, *rt);
    }
    *rn = wide_select(pushes, *rn, zero);
    *rt = wide_select(pushes, *rt, zero);
}

/* The associated law, see law/creep.h: the point of the cone that minimises r W r / 2 + q r. Beyond
 * the cone it lies on that edge, r = length (1, -mu) or length (1, mu), where the minimum is lower. */
WIDE_INLINE void wide_creep2(Wide nn, Wide nt, Wide tt, Wide per_nn, Wide per_rest, Wide qn,
                             Wide qt, Wide mu, Wide *rn, Wide *rt) {
    const Wide zero = wide_all(0), two = wide_all(2), tiny = wide_all(DBL_MIN);
    Wide p = wide_msub(qt, wide_mul(nt, per_nn), qn);
    Wide stick_t = wide_mul(wide_sub(zero, p), per_rest);
    Wide stick_n = wide_mul(wide_sub(zero, wide_madd(qn, nt, stick_t)), per_nn);
    WideMask beyond = wide_above(wide_size(stick_t), wide_mul(mu, stick_n));
    Wide both = wide_madd(nn, wide_mul(mu, mu), tt), skew = wide_mul(wide_mul(two, mu), nt);
    Wide right = wide_max(wide_add(both, skew), tiny), left = wide_max(wide_sub(both, skew), tiny);
    Wide to_right = wide_positive(wide_msub(wide_sub(zero, qn), mu, qt));
    Wide to_left = wide_positive(wide_madd(wide_sub(zero, qn), mu, qt));
    to_right = wide_div(to_right, right), to_left = wide_div(to_left, left);
    WideMask is_right = wide_above(wide_mul(wide_mul(to_right, to_right), right),
                                   wide_mul(wide_mul(to_left, to_left), left));
    Wide length = wide_select(is_right, to_right, to_left), side = wide_mul(mu, length);
    *rn = wide_select(beyond, length, stick_n);
    *rt = wide_select(beyond, wide_select(is_right, side, wide_sub(zero, side)), stick_t);
}

/* Contacts slower than `creep` creep; NULL: none does. */
WIDE_INLINE Wide packet_plane_general(double *c, const Pairs *p, double *const general[WIDE],
                                      const Wide *creep, Wide change) {
    Wide nx = column(c, ROW_NORMAL), ny = column(c, ROW_NORMAL + 1);
    Wide old_n = column(c, ROW_RN), old_t = column(c, ROW_RT);
    Wide ax, ay, bx, by, nn, nt, tt, per_rest, z, w;
    wide_gather4(members(general, GENERAL_ARM_A).at, &ax, &ay, &z, &w);
    wide_gather4(members(general, GENERAL_ARM_B).at, &bx, &by, &z, &w);
    wide_gather4(members(general, GENERAL_BLOCK).at, &nn, &nt, &per_rest, &tt);
    WideBody a = wide_body(p->a), b = wide_body(p->b);
    /* u = v_b + s_b x arm_b - v_a - s_a x arm_a */
    Wide ux = wide_madd(wide_msub(wide_sub(b.vx, a.vx), b.s, by), a.s, ay);
    Wide uy = wide_msub(wide_madd(wide_sub(b.vy, a.vy), b.s, bx), a.s, ax);
    Wide un = wide_madd(wide_mul(ux, nx), uy, ny), ut = wide_msub(wide_mul(uy, nx), ux, ny);
    Wide qn = wide_msub(wide_msub(wide_add(un, column(c, ROW_BIAS)), nn, old_n), nt, old_t);
    Wide qt = wide_msub(wide_msub(ut, nt, old_n), tt, old_t), rn, rt;
    const Wide mu = column(c, ROW_MU);
    if (creep != NULL) {
        Wide fast = wide_positive(wide_sub(wide_size(ut), *creep));
        wide_creep2(nn, nt, tt, column(c, ROW_MASS_N), per_rest, wide_madd(qn, mu, fast), qt, mu,
                    &rn, &rt);
    } else {
        wide_block2(nn, nt, column(c, ROW_MASS_N), per_rest, qn, qt, mu, &rn, &rt);
    }

    Wide dn = wide_sub(rn, old_n), dt = wide_sub(rt, old_t);
    put_column(c, ROW_RN, rn);
    put_column(c, ROW_RT, rt);
    Wide dx = wide_msub(wide_mul(dn, nx), dt, ny), dy = wide_madd(wide_mul(dn, ny), dt, nx);
    a.vx = wide_msub(a.vx, a.mass, dx);
    a.vy = wide_msub(a.vy, a.mass, dy);
    a.s = wide_msub(a.s, a.inertia, wide_msub(wide_mul(ax, dy), ay, dx));
    b.vx = wide_madd(b.vx, b.mass, dx);
    b.vy = wide_madd(b.vy, b.mass, dy);
    b.s = wide_madd(b.s, b.inertia, wide_msub(wide_mul(bx, dy), by, dx));
    wide_put_body(p->a, &a);
    wide_put_body(p->to, &b);
    return wide_madd(wide_madd(change, dn, dn), dt, dt);
}

#endif
