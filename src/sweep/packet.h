/* The sweep's update of WIDE rows at a time that share no moving body. The result for a row depends
 * neither on the width nor on which rows are taken together.
 *
 * The rows of a packet are given as columns: PACKET_ROWS numbers of one member of Row, then those
 * of the next. */
#ifndef SCREE_SWEEP_PACKET_H
#define SCREE_SWEEP_PACKET_H

#define LAW_WIDE_REALS
#include "law/round.h"
#include "math/wide_memory.h"
#include "problem/problem.h"
#include "sweep/order.h"

#include <stddef.h>

/* Members of Row, counted in doubles; the last holds a and b. */
enum {
    ROW_NORMAL = 0,
    ROW_BIAS = 3,
    ROW_RN = 4,
    ROW_RT = 5,
    ROW_MASS_N = 8,
    ROW_MASS_T = 9,
    ROW_MU = 10,
    ROW_BODIES = 11,
    ROW_MEMBERS = 12,
    PACKET_NUMBERS = PACKET_ROWS * ROW_MEMBERS
};
_Static_assert(sizeof(Row) == ROW_MEMBERS * sizeof(double), "a row is made of doubles");
_Static_assert(offsetof(Row, bias) == ROW_BIAS * sizeof(double), "normal first");
_Static_assert(offsetof(Row, rn) == ROW_RN * sizeof(double), "then bias");
_Static_assert(offsetof(Row, mass_n) == ROW_MASS_N * sizeof(double), "then impulses");
_Static_assert(offsetof(Row, a) == ROW_BODIES * sizeof(double), "then masses and friction");
_Static_assert(offsetof(ProblemBody, s) == 3 * sizeof(double), "v, s");
_Static_assert(offsetof(ProblemBody, inverse_mass) == 6 * sizeof(double), "v, s, masses");

/* The bodies of WIDE rows, as the doubles that they consist of; `to` is where the new b goes. */
typedef struct Pairs {
    double *a[WIDE], *b[WIDE], *to[WIDE];
} Pairs;

/* Indices of a and b, alternating. */
typedef int32_t BodyIndex __attribute__((may_alias));

WIDE_INLINE const BodyIndex *body_indices(const double *c) {
    return (const BodyIndex *)(c + ROW_BODIES * PACKET_ROWS);
}

WIDE_INLINE Wide column(const double *c, int member) {
    return wide_load(c + member * PACKET_ROWS);
}
WIDE_INLINE WideVec3 column3(const double *c, int member) {
    return (WideVec3){column(c, member), column(c, member + 1), column(c, member + 2)};
}
WIDE_INLINE void put_column(double *c, int member, Wide x) {
    wide_store(c + member * PACKET_ROWS, x);
}
WIDE_INLINE void put_column3(double *c, int member, WideVec3 x) {
    put_column(c, member, x.x);
    put_column(c, member + 1, x.y);
    put_column(c, member + 2, x.z);
}

/* Where the members of WIDE records from number `first` on are. */
typedef struct Members {
    double *at[WIDE];
} Members;

WIDE_INLINE Members members(double *const record[WIDE], int first) {
    Members m;
    for (int k = 0; k < WIDE; k++) {
        m.at[k] = record[k] + first;
    }
    return m;
}

/* The same memory, but the compiler does not know that: so it reads a number twice, instead of
 * copying it because a fused operation overwrites it, or spilling it because registers are
 * short. */
WIDE_INLINE const double *read_again(const double *c) {
    __asm__("" : "+r"(c));
    return c;
}

WIDE_INLINE LawRound round_contacts(const double *c) {
    return (LawRound){column(c, ROW_MASS_N), column(c, ROW_MASS_T), column(c, ROW_MU)};
}

/* Round bodies in space: law/round.h. Contacts slower than `creep` creep; NULL: none does. Adds
 * |dR|^2 to `change`. */
WIDE_INLINE Wide packet_space(double *c, const Pairs *p, Wide change, const Wide *creep) {
    WideVec3 n = column3(c, ROW_NORMAL), u, s, rt = column3(c, ROW_RT);
    wide_relative(p->a, p->b, &u, &s); /* u = v_b - v_a - s x n, and s x n has no normal part */
    Wide un = wide_dot(u, n), push = wide_add(un, column(c, ROW_BIAS)), rn = column(c, ROW_RN);
    u = wide_msub3(wide_less_cross(u, s, n), un, n);
    const LawRound contacts = round_contacts(c);
    law_round_space(&contacts, push, u, creep, &rn, &rt);

    const double *old = read_again(c);
    Wide dn = wide_sub(rn, column(old, ROW_RN));
    WideVec3 dt = wide_sub3(rt, column3(old, ROW_RT));
    put_column(c, ROW_RN, rn);
    put_column3(c, ROW_RT, rt);
    n = column3(old, ROW_NORMAL);
    WideVec3 twist = wide_cross(n, dt), d = wide_madd3(dt, dn, n);
    wide_push(p->a, p->b, p->to, d, twist);
    change = wide_madd(wide_madd(change, d.x, d.x), d.y, d.y); /* dt has no normal part */
    return wide_madd(change, d.z, d.z);
}

/* The same in the plane: one tangent t = (-n.y, n.x), spins along z. */
WIDE_INLINE Wide packet_plane(double *c, const Pairs *p, Wide change, const Wide *creep) {
    Wide nx = column(c, ROW_NORMAL), ny = column(c, ROW_NORMAL + 1), ux, uy, s;
    WideLoaded loaded;
    wide_relative_plane(p->a, p->b, &loaded, &ux, &uy, &s);
    Wide un = wide_madd(wide_mul(ux, nx), uy, ny);
    Wide ut = wide_sub(wide_msub(wide_mul(uy, nx), ux, ny), s);

    Wide push = wide_add(un, column(c, ROW_BIAS)), rn = column(c, ROW_RN), rt = column(c, ROW_RT);
    const LawRound contacts = round_contacts(c);
    law_round_plane(&contacts, push, ut, creep, &rn, &rt);
    const double *old = read_again(c);
    Wide dn = wide_sub(rn, column(old, ROW_RN)), dt = wide_sub(rt, column(old, ROW_RT));
    put_column(c, ROW_RN, rn);
    put_column(c, ROW_RT, rt);
    wide_push_plane(p->a, p->b, p->to, &loaded, wide_msub(wide_mul(dn, nx), dt, ny),
                    wide_madd(wide_mul(dn, ny), dt, nx), dt);
    return wide_madd(wide_madd(change, dn, dn), dt, dt);
}

/* Whether none of the rows, in space, has an impulse (of any sign, since it may be extrapolated) or
 * gets one. A creeping contact does not if u_n >= mu min(|u_t|, creep). */
WIDE_INLINE bool packet_stays_open(const double *c, const Pairs *p, const Wide *creep) {
    const Wide zero = wide_all(0), rn = column(c, ROW_RN);
    const WideVec3 rt = column3(c, ROW_RT);
    WideVec3 u, s;
    wide_relative(p->a, p->b, &u, &s);
    Wide has = wide_madd(wide_dot(rt, rt), rn, rn);
    Wide push = wide_add(wide_dot(u, column3(c, ROW_NORMAL)), column(c, ROW_BIAS));
    push = creep != NULL ? wide_msub(push, column(c, ROW_MU), *creep) : push;
    return !wide_any(wide_above(has, zero)) && !wide_any(wide_above(zero, push));
}

/* ---------------------------------------------------------------- records and columns */

/* Where a member of the first `count` of WIDE rows is. */
WIDE_INLINE void find_member(Row *row, size_t count, int member, double *none, double *at[WIDE]) {
    for (size_t k = 0; k < WIDE; k++) {
        at[k] = k < count ? (double *)&row[k] + member : none;
    }
}

/* Turns the first `count` of WIDE rows into columns; missing rows are zero. */
WIDE_INLINE void to_columns(Row *row, size_t count, double *c) {
    double none[4] = {0}, *at[WIDE];
    for (int m = 0; m < ROW_MEMBERS; m += 4) {
        Wide x[4];
        find_member(row, count, m, none, at);
        wide_gather4(at, &x[0], &x[1], &x[2], &x[3]);
        for (int i = 0; i < 4; i++) {
            put_column(c, m + i, x[i]);
        }
    }
}

/* Writes members first .. first + 3 back into the records. */
WIDE_INLINE void to_records(const double *c, size_t count, int first, Row *row) {
    double none[4], *at[WIDE];
    find_member(row, count, first, none, at);
    wide_scatter4(at, column(c, first), column(c, first + 1), column(c, first + 2),
                  column(c, first + 3));
}

#endif
