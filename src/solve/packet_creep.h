/* The sweep's update for WIDE rows between round bodies by the law of law/creep.h: packet.h with
 * another last step. law_creep has the same for one row. */
#ifndef SCREE_SOLVE_PACKET_CREEP_H
#define SCREE_SOLVE_PACKET_CREEP_H

#include "solve/packet.h"

#include <float.h>

/* law_creep; `xn` becomes r_n. Returns what the tangential part is scaled with. */
WIDE_INLINE Wide wide_creep(const double *c, Wide creep, Wide speed, Wide length, Wide *xn) {
    const Wide one = wide_all(1), least = wide_all(DBL_MIN);
    Wide mu = column(c, ROW_MU), mass_n = column(c, ROW_MASS_N), mass_t = column(c, ROW_MASS_T);
    Wide push = wide_mul(mass_n, mu);
    Wide x = wide_msub(*xn, push, wide_positive(wide_sub(speed, creep)));
    Wide weight = wide_max(wide_madd(mass_t, mu, push), least);
    Wide on_cone = wide_div(wide_madd(wide_mul(mass_t, x), push, length), weight);
    WideMask outside = wide_above(length, wide_mul(mu, x));
    *xn = wide_positive(wide_select(outside, on_cone, x));
    return wide_select(outside, wide_div(wide_mul(mu, *xn), wide_max(length, least)), one);
}

/* packet_space with another last step. */
WIDE_INLINE Wide packet_creep_space(double *c, const Pairs *p, Wide creep, Wide change) {
    WideVec3 n = column3(c, ROW_NORMAL), u, s;
    wide_relative(p->a, p->b, &u, &s);
    Wide un = wide_dot(u, n);
    Wide push = wide_add(un, column(c, ROW_BIAS));
    Wide rn = wide_msub(column(c, ROW_RN), column(c, ROW_MASS_N), push);
    u = wide_msub3(wide_less_cross(u, s, n), un, n);

    WideVec3 rt = wide_msub3(column3(c, ROW_RT), column(c, ROW_MASS_T), u);
    Wide limit = wide_mul(column(c, ROW_MU), wide_positive(rn));
    Wide square = wide_dot(rt, rt), speed = wide_dot(u, u);
    WideMask inside = wide_above(wide_mul(limit, limit), square);
    if (!wide_every(wide_and(inside, wide_above(wide_mul(creep, creep), speed)))) {
        Wide keep = wide_creep(c, creep, wide_sqrt(speed), wide_sqrt(square), &rn);
        rt = wide_scale3(keep, rt);
    }

    const double *old = read_again(c);
    Wide dn = wide_sub(rn, column(old, ROW_RN));
    WideVec3 dt = wide_sub3(rt, column3(old, ROW_RT));
    put_column(c, ROW_RN, rn);
    put_column3(c, ROW_RT, rt);
    n = column3(old, ROW_NORMAL);
    WideVec3 twist = wide_cross(n, dt), d = wide_madd3(dt, dn, n);
    wide_push(p->a, p->b, p->to, d, twist);
    return wide_add(change, wide_dot(d, d)); /* dt has no normal part */
}

/* packet_plane likewise. */
WIDE_INLINE Wide packet_creep_plane(double *c, const Pairs *p, Wide creep, Wide change) {
    Wide nx = column(c, ROW_NORMAL), ny = column(c, ROW_NORMAL + 1), ux, uy, s;
    const Wide zero = wide_all(0);
    WideHeld held;
    wide_relative_plane(p->a, p->b, &held, &ux, &uy, &s);
    Wide un = wide_madd(wide_mul(ux, nx), uy, ny);
    Wide ut = wide_sub(wide_msub(wide_mul(uy, nx), ux, ny), s);

    Wide push = wide_add(un, column(c, ROW_BIAS));
    Wide rn = wide_msub(column(c, ROW_RN), column(c, ROW_MASS_N), push);
    Wide rt = wide_msub(column(c, ROW_RT), column(c, ROW_MASS_T), ut);
    Wide speed = wide_max(ut, wide_sub(zero, ut)), length = wide_max(rt, wide_sub(zero, rt));
    WideMask inside = wide_above(wide_mul(column(c, ROW_MU), rn), length);
    if (!wide_every(wide_and(inside, wide_above(creep, speed)))) {
        rt = wide_mul(wide_creep(c, creep, speed, length, &rn), rt);
    }
    const double *old = read_again(c);
    Wide dn = wide_sub(rn, column(old, ROW_RN)), dt = wide_sub(rt, column(old, ROW_RT));
    put_column(c, ROW_RN, rn);
    put_column(c, ROW_RT, rt);
    wide_push_plane(p->a, p->b, p->to, &held, wide_msub(wide_mul(dn, nx), dt, ny),
                    wide_madd(wide_mul(dn, ny), dt, nx), dt);
    return wide_madd(wide_madd(change, dn, dn), dt, dt);
}

/* As packet_stays_open. With r = 0 the cone is left alone where u_n >= mu min(|u_t|, creep). */
WIDE_INLINE bool packet_creep_stays_open(const double *c, const Pairs *p, Wide creep) {
    const Wide zero = wide_all(0), rn = column(c, ROW_RN);
    const WideVec3 rt = column3(c, ROW_RT);
    WideVec3 u, s;
    wide_relative(p->a, p->b, &u, &s);
    Wide has = wide_madd(wide_dot(rt, rt), rn, rn);
    Wide push = wide_add(wide_dot(u, column3(c, ROW_NORMAL)), column(c, ROW_BIAS));
    push = wide_msub(push, column(c, ROW_MU), creep);
    return !wide_any(wide_above(has, zero)) && !wide_any(wide_above(zero, push));
}

#endif
