/* The sweep's update for WIDE rows at a time that share no body that moves. What each row is given
 * does not depend on the width, nor on which rows are taken together. */
#ifndef SCREE_SOLVE_PACKET_H
#define SCREE_SOLVE_PACKET_H

#include "math/wide_memory.h"
#include "problem/problem.h"

#include <stddef.h>

/* Where the rows and bodies of a packet are, as the doubles that they are made of; `to` is where
 * the new b goes. */
typedef struct Packet {
    double *row[WIDE], *a[WIDE], *b[WIDE], *to[WIDE];
} Packet;

/* Members of Row, in doubles. */
enum { ROW_NORMAL = 0, ROW_IMPULSE = 4, ROW_MASS = 8 };
_Static_assert(offsetof(Row, rn) == ROW_IMPULSE * sizeof(double), "normal and bias first");
_Static_assert(offsetof(Row, mass_n) == ROW_MASS * sizeof(double), "then impulses");
_Static_assert(offsetof(ProblemBody, s) == 3 * sizeof(double), "v, s");
_Static_assert(offsetof(ProblemBody, inverse_mass) == 6 * sizeof(double), "v, s, masses");

typedef struct Places {
    double *at[WIDE];
} Places;

WIDE_INLINE Places places(double *const record[WIDE], int member) {
    Places p;
    for (int k = 0; k < WIDE; k++) {
        p.at[k] = record[k] + member;
    }
    return p;
}

/* Round bodies in space: eq (1.30) of Brendel, Unger and Wolf, in impulses. U_n of the paper is the
 * velocity without the row's own impulse, so U_n + bias = u_n + bias - W_nn R_n, and the new R_n =
 * R_n - m_n (u_n + bias), cut at zero; the tangential part likewise, scaled back to the cone where
 * it slides. Adds |dR|^2 to `change`. */
WIDE_INLINE Wide packet_space(const Packet *p, Wide change) {
    WideVec3 n, u, s, old_t;
    Wide bias, old_n, mass_n, mass_t, mu, unused;
    wide_gather4(places(p->row, ROW_NORMAL).at, &n.x, &n.y, &n.z, &bias);
    wide_gather4(places(p->row, ROW_IMPULSE).at, &old_n, &old_t.x, &old_t.y, &old_t.z);
    wide_gather4(places(p->row, ROW_MASS).at, &mass_n, &mass_t, &mu, &unused);
    wide_relative(p->a, p->b, &u, &s); /* u = v_b - v_a - s x n, and s x n has no normal part */
    Wide un = wide_dot(u, n);
    Wide rn = wide_positive(wide_msub(old_n, mass_n, wide_add(un, bias)));
    u = wide_msub3(wide_less_cross(u, s, n), un, n);

    WideVec3 rt = wide_msub3(old_t, mass_t, u);
    Wide limit = wide_mul(mu, rn), square = wide_dot(rt, rt);
    const Wide zero = wide_all(0), one = wide_all(1);
    WideMask held = wide_above(limit, zero), slides = wide_above(square, wide_mul(limit, limit));
    Wide keep = wide_select(held, one, zero);
    slides = wide_and(slides, held);
    if (wide_any(slides)) { /* rare, and a root and a division take their time */
        Wide length = wide_sqrt(wide_select(slides, square, one));
        keep = wide_select(slides, wide_div(limit, length), keep);
    }
    rt = wide_scale3(keep, rt);

    Wide dn = wide_sub(rn, old_n);
    WideVec3 dt = wide_sub3(rt, old_t);
    wide_scatter4(places(p->row, ROW_IMPULSE).at, rn, rt.x, rt.y, rt.z);
    wide_push(p->a, p->b, p->to, wide_madd3(dt, dn, n), wide_cross(n, dt));
    change = wide_madd(wide_madd(change, dn, dn), dt.x, dt.x);
    return wide_madd(wide_madd(change, dt.y, dt.y), dt.z, dt.z);
}

/* The same in the plane: one tangent t = (-n.y, n.x), spins along z. */
WIDE_INLINE Wide packet_plane(const Packet *p, Wide change) {
    Wide nx, ny, nz, bias, old_n, old_t, ty, tz, mass_n, mass_t, mu, unused, ux, uy, s;
    wide_gather4(places(p->row, ROW_NORMAL).at, &nx, &ny, &nz, &bias);
    wide_gather4(places(p->row, ROW_IMPULSE).at, &old_n, &old_t, &ty, &tz);
    wide_gather4(places(p->row, ROW_MASS).at, &mass_n, &mass_t, &mu, &unused);
    wide_relative_plane(p->a, p->b, &ux, &uy, &s);
    Wide un = wide_madd(wide_mul(ux, nx), uy, ny);
    Wide ut = wide_sub(wide_msub(wide_mul(uy, nx), ux, ny), s);

    Wide rn = wide_positive(wide_msub(old_n, mass_n, wide_add(un, bias)));
    Wide rt = wide_clamp(wide_msub(old_t, mass_t, ut), wide_mul(mu, rn));
    Wide dn = wide_sub(rn, old_n), dt = wide_sub(rt, old_t);
    wide_scatter2(places(p->row, ROW_IMPULSE).at, rn, rt);
    wide_push_plane(p->a, p->b, p->to, wide_msub(wide_mul(dn, nx), dt, ny),
                    wide_madd(wide_mul(dn, ny), dt, nx), dt);
    return wide_madd(wide_madd(change, dn, dn), dt, dt);
}

#endif
