/* The sweep's update for WIDE rows at a time that share no body that moves. Same arithmetic as the
 * scalar update, lane by lane. */
#ifndef SCREE_SOLVE_PACKET_H
#define SCREE_SOLVE_PACKET_H

#include "math/wide.h"
#include "problem/problem.h"

typedef struct WideVec3 {
    Wide x, y, z;
} WideVec3;

static inline WideVec3 wide_cross(WideVec3 a, WideVec3 b) {
    return (WideVec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline Wide wide_dot(WideVec3 a, WideVec3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

/* Gathers two neighbouring members, named by the first of them, of WIDE structs. */
#define GATHER(p, member)                 wide_gather(&p[0]->member, &p[1]->member)
#define SCATTER(p, member, first, second) wide_scatter(first, second, &p[0]->member, &p[1]->member)

/* Two such groups are taken in step, so that the processor has work while it waits for the results
 * of either. */
enum { GROUPS = 2, PACKET = GROUPS * WIDE };

/* What one group needs between its loads and its stores. */
typedef struct SpaceGroup {
    WideVec3 n, va, vb, sa, sb, rt, dt;
    Wide ma, mb, ia, ib;
    Wide rn, bias, mass_n, mass_t, mu, dn;
} SpaceGroup;

static inline void space_load(SpaceGroup *g, Row *const r[WIDE], ProblemBody *const a[WIDE],
                              ProblemBody *const b[WIDE]) {
    WidePair x;
    x = GATHER(r, normal.x), g->n.x = x.first, g->n.y = x.second;
    x = GATHER(r, normal.z), g->n.z = x.first, g->rn = x.second;
    x = GATHER(r, rt.x), g->rt.x = x.first, g->rt.y = x.second;
    x = GATHER(r, rt.z), g->rt.z = x.first, g->bias = x.second;
    x = GATHER(r, mass_n), g->mass_n = x.first, g->mass_t = x.second;
    g->mu = (Wide){r[0]->mu, r[1]->mu};
    x = GATHER(a, v.x), g->va.x = x.first, g->va.y = x.second;
    x = GATHER(a, v.z), g->va.z = x.first, g->ma = x.second;
    x = GATHER(a, s.x), g->sa.x = x.first, g->sa.y = x.second;
    x = GATHER(a, s.z), g->sa.z = x.first, g->ia = x.second;
    x = GATHER(b, v.x), g->vb.x = x.first, g->vb.y = x.second;
    x = GATHER(b, v.z), g->vb.z = x.first, g->mb = x.second;
    x = GATHER(b, s.x), g->sb.x = x.first, g->sb.y = x.second;
    x = GATHER(b, s.z), g->sb.z = x.first, g->ib = x.second;
}

/* The law: see update_space in sweep.c. */
static inline void space_solve(SpaceGroup *g) {
    const Wide zero = {0, 0}, one = {1, 1};
    WideVec3 n = g->n, s = {g->sa.x + g->sb.x, g->sa.y + g->sb.y, g->sa.z + g->sb.z};
    WideVec3 c = wide_cross(s, n);
    WideVec3 u = {(g->vb.x - g->va.x) - c.x, (g->vb.y - g->va.y) - c.y, (g->vb.z - g->va.z) - c.z};
    Wide un = wide_dot(u, n);
    WideVec3 ut = {u.x + (-un) * n.x, u.y + (-un) * n.y, u.z + (-un) * n.z};
    Wide rn = g->rn - g->mass_n * (un + g->bias);
    rn = wide_select((WideMask)(rn > zero), rn, zero);
    Wide m = -g->mass_t;
    WideVec3 rt = {g->rt.x + m * ut.x, g->rt.y + m * ut.y, g->rt.z + m * ut.z};
    Wide limit = g->mu * rn, square = wide_dot(rt, rt);
    WideMask slides = (WideMask)(square > limit * limit);
    Wide keep = wide_select(slides, limit / wide_sqrt(wide_select(slides, square, one)), one);
    rt = (WideVec3){keep * rt.x, keep * rt.y, keep * rt.z};
    g->dn = rn - g->rn;
    g->dt = (WideVec3){rt.x - g->rt.x, rt.y - g->rt.y, rt.z - g->rt.z};
    g->rn = rn;
    g->rt = rt;
}

static inline void space_store(const SpaceGroup *g, Row *const r[WIDE], ProblemBody *const a[WIDE],
                               ProblemBody *const to[WIDE]) {
    WideVec3 n = g->n, dt = g->dt, twist = wide_cross(n, dt);
    WideVec3 d = {dt.x + g->dn * n.x, dt.y + g->dn * n.y, dt.z + g->dn * n.z};
    Wide ma = -g->ma, ia = -g->ia, mb = g->mb, ib = -g->ib;
    SCATTER(r, normal.z, n.z, g->rn);
    SCATTER(r, rt.x, g->rt.x, g->rt.y);
    SCATTER(r, rt.z, g->rt.z, g->bias);
    SCATTER(a, v.x, g->va.x + ma * d.x, g->va.y + ma * d.y);
    SCATTER(a, v.z, g->va.z + ma * d.z, g->ma);
    SCATTER(a, s.x, g->sa.x + ia * twist.x, g->sa.y + ia * twist.y);
    SCATTER(a, s.z, g->sa.z + ia * twist.z, g->ia);
    SCATTER(to, v.x, g->vb.x + mb * d.x, g->vb.y + mb * d.y);
    SCATTER(to, v.z, g->vb.z + mb * d.z, g->mb);
    SCATTER(to, s.x, g->sb.x + ib * twist.x, g->sb.y + ib * twist.y);
    SCATTER(to, s.z, g->sb.z + ib * twist.z, g->ib);
}

/* Returns sum |dR|^2. `to` is where the new b goes: itself, or a place of no concern for a wall. */
static inline double packet_update_space(Row *const r[PACKET], ProblemBody *const a[PACKET],
                                         ProblemBody *const b[PACKET],
                                         ProblemBody *const to[PACKET]) {
    SpaceGroup g[GROUPS];
    space_load(&g[0], r, a, b);
    space_load(&g[1], r + WIDE, a + WIDE, b + WIDE);
    space_solve(&g[0]);
    space_solve(&g[1]);
    space_store(&g[0], r, a, to);
    space_store(&g[1], r + WIDE, a + WIDE, to + WIDE);
    Wide c0 = g[0].dn * g[0].dn + wide_dot(g[0].dt, g[0].dt);
    Wide c1 = g[1].dn * g[1].dn + wide_dot(g[1].dt, g[1].dt);
    return ((c0[0] + c0[1]) + c1[0]) + c1[1];
}

/* As update_plane in sweep.c. */
static inline Wide packet_update_plane(Row *const r[WIDE], ProblemBody *const a[WIDE],
                                       ProblemBody *const b[WIDE], ProblemBody *const to[WIDE]) {
    WidePair n = GATHER(r, normal.x), rnt = GATHER(r, rn), mass = GATHER(r, mass_n);
    WidePair va = GATHER(a, v.x), vb = GATHER(b, v.x), sa = GATHER(a, s.z), sb = GATHER(b, s.z);
    Wide ux = vb.first - va.first, uy = vb.second - va.second;
    Wide un = ux * n.first + uy * n.second;
    Wide ut = uy * n.first - ux * n.second - (sa.first + sb.first);

    Wide bias = {r[0]->bias, r[1]->bias};
    Wide mu = {r[0]->mu, r[1]->mu};
    Wide ma = {a[0]->inverse_mass, a[1]->inverse_mass};
    Wide mb = {b[0]->inverse_mass, b[1]->inverse_mass};
    Wide zero = {0, 0};
    Wide rn = rnt.first - mass.first * (un + bias);
    rn = wide_select((WideMask)(rn > zero), rn, zero);
    Wide rt = rnt.second - mass.second * ut, limit = mu * rn;
    rt = wide_select((WideMask)(rt > limit), limit,
                     wide_select((WideMask)(rt < -limit), -limit, rt));

    Wide dn = rn - rnt.first, dt = rt - rnt.second;
    SCATTER(r, rn, rn, rt);
    Wide dx = dn * n.first - dt * n.second, dy = dn * n.second + dt * n.first;
    SCATTER(a, v.x, va.first - ma * dx, va.second - ma * dy);
    SCATTER(a, s.z, sa.first - sa.second * dt, sa.second);
    SCATTER(to, v.x, vb.first + mb * dx, vb.second + mb * dy);
    SCATTER(to, s.z, sb.first - sb.second * dt, sb.second);
    return dn * dn + dt * dt;
}

#endif
