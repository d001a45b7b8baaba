/* Wide numbers from and to records anywhere in memory: number k of each Wide belongs to record k.
 * The records of the two bodies of a contact have eight doubles each,
 *
 *     v.x v.y v.z s.x | s.y s.z m i
 *
 * velocity, spin, and the inverses of mass and inertia. Sums and differences of whole records are
 * formed before they are taken apart, and changes are put together before they are added, so that
 * masses are never taken apart at all: that saves half of the shuffling. */
#ifndef SCREE_MATH_WIDE_MEMORY_H
#define SCREE_MATH_WIDE_MEMORY_H

#include "math/wide.h"

/* A few numbers in memory, of any alignment. */
#if WIDE_LANES == 1
typedef double WideInMemory;
#else
typedef double WideInMemory __attribute__((vector_size(8 * WIDE_LANES), aligned(8), may_alias));
#endif

WIDE_INLINE Wide wide_load(const double *p) {
    Wide a;
    WIDE_EACH a.r[k] = *(const WideInMemory *)(p + k * WIDE_LANES);
    return a;
}
WIDE_INLINE void wide_store(double *p, Wide a) {
    WIDE_EACH *(WideInMemory *)(p + k * WIDE_LANES) = a.r[k];
}

/* Numbers from here and there. (Zeros first: gcc takes a register that is filled lane by lane for one
 * that is read before it is set, and drops the zeros.) */
WIDE_INLINE Wide wide_pick(const double *p, const int at[WIDE]) {
    Wide a = wide_all(0);
#if WIDE_LANES == 1
    a.r[0] = p[at[0]];
#else
    WIDE_EACH for (int j = 0; j < WIDE_LANES; j++) {
        a.r[k][j] = p[at[k * WIDE_LANES + j]];
    }
#endif
    return a;
}

/* Four (or the first two of four) consecutive doubles of each record; relative velocity v_b - v_a
 * with the sum of spins, or with both spins; and v_a -= m_a d, s_a -= i_a t, v_b += m_b d, s_b -=
 * i_b t, where the new b goes to `to`: to b itself, or to memory that nobody reads when b must not
 * be written. With torques t is different for a and b. wide_push_turns takes the changes of the spins
 * themselves: s_a -= ta, s_b += tb. In the plane only v.x, v.y and s.z are used, and what has been
 * read may stay in registers until it is written. */

WIDE_INLINE void wide_push_spins(double *const a[WIDE], double *const b[WIDE],
                                 double *const to[WIDE], WideVec3 d, WideVec3 ta, WideVec3 tb);

WIDE_INLINE void wide_push(double *const a[WIDE], double *const b[WIDE], double *const to[WIDE],
                           WideVec3 d, WideVec3 t) {
    wide_push_spins(a, b, to, d, t, t);
}

#if WIDE_LANES == 1

WIDE_INLINE void wide_gather4(double *const p[WIDE], Wide *x, Wide *y, Wide *z, Wide *w) {
    x->r[0] = p[0][0], y->r[0] = p[0][1], z->r[0] = p[0][2], w->r[0] = p[0][3];
}
WIDE_INLINE void wide_scatter4(double *const p[WIDE], Wide x, Wide y, Wide z, Wide w) {
    p[0][0] = x.r[0], p[0][1] = y.r[0], p[0][2] = z.r[0], p[0][3] = w.r[0];
}
WIDE_INLINE void wide_scatter2(double *const p[WIDE], Wide x, Wide y) {
    p[0][0] = x.r[0], p[0][1] = y.r[0];
}
WIDE_INLINE void wide_relative(double *const a[WIDE], double *const b[WIDE], WideVec3 *v,
                               WideVec3 *s) {
    v->x.r[0] = b[0][0] - a[0][0], v->y.r[0] = b[0][1] - a[0][1], v->z.r[0] = b[0][2] - a[0][2];
    s->x.r[0] = b[0][3] + a[0][3], s->y.r[0] = b[0][4] + a[0][4], s->z.r[0] = b[0][5] + a[0][5];
}
WIDE_INLINE void wide_relative_spins(double *const a[WIDE], double *const b[WIDE], WideVec3 *v,
                                     WideVec3 *sa, WideVec3 *sb) {
    v->x.r[0] = b[0][0] - a[0][0], v->y.r[0] = b[0][1] - a[0][1], v->z.r[0] = b[0][2] - a[0][2];
    sa->x.r[0] = a[0][3], sa->y.r[0] = a[0][4], sa->z.r[0] = a[0][5];
    sb->x.r[0] = b[0][3], sb->y.r[0] = b[0][4], sb->z.r[0] = b[0][5];
}
WIDE_INLINE void wide_push_spins(double *const a[WIDE], double *const b[WIDE],
                                 double *const to[WIDE], WideVec3 d, WideVec3 ta, WideVec3 tb) {
    const double first[3] = {d.x.r[0], d.y.r[0], d.z.r[0]};
    const double of_a[3] = {ta.x.r[0], ta.y.r[0], ta.z.r[0]};
    const double of_b[3] = {tb.x.r[0], tb.y.r[0], tb.z.r[0]};
    for (int k = 0; k < 3; k++) {
        double new_v = reg_madd(b[0][k], b[0][6], first[k]);
        double new_s = reg_msub(b[0][k + 3], b[0][7], of_b[k]);
        a[0][k] = reg_msub(a[0][k], a[0][6], first[k]);
        a[0][k + 3] = reg_msub(a[0][k + 3], a[0][7], of_a[k]);
        to[0][k] = new_v, to[0][k + 3] = new_s;
    }
}
WIDE_INLINE void wide_push_turns(double *const a[WIDE], double *const b[WIDE],
                                 double *const to[WIDE], WideVec3 d, WideVec3 ta, WideVec3 tb) {
    const double first[3] = {d.x.r[0], d.y.r[0], d.z.r[0]};
    const double of_a[3] = {ta.x.r[0], ta.y.r[0], ta.z.r[0]};
    const double of_b[3] = {tb.x.r[0], tb.y.r[0], tb.z.r[0]};
    for (int k = 0; k < 3; k++) {
        double new_v = reg_madd(b[0][k], b[0][6], first[k]), new_s = b[0][k + 3] + of_b[k];
        a[0][k] = reg_msub(a[0][k], a[0][6], first[k]);
        a[0][k + 3] -= of_a[k];
        to[0][k] = new_v, to[0][k + 3] = new_s;
    }
}
typedef struct WideLoaded {
    double a[3], b[3];
} WideLoaded;

WIDE_INLINE void wide_relative_plane(double *const a[WIDE], double *const b[WIDE],
                                     WideLoaded *loaded, Wide *x, Wide *y, Wide *s) {
    *loaded = (WideLoaded){{a[0][0], a[0][1], a[0][5]}, {b[0][0], b[0][1], b[0][5]}};
    x->r[0] = loaded->b[0] - loaded->a[0], y->r[0] = loaded->b[1] - loaded->a[1];
    s->r[0] = loaded->b[2] + loaded->a[2];
}
WIDE_INLINE void wide_push_plane(double *const a[WIDE], double *const b[WIDE],
                                 double *const to[WIDE], const WideLoaded *loaded, Wide x, Wide y,
                                 Wide t) {
    double ma = a[0][6], ia = a[0][7], mb = b[0][6], ib = b[0][7];
    a[0][0] = reg_msub(loaded->a[0], ma, x.r[0]);
    a[0][1] = reg_msub(loaded->a[1], ma, y.r[0]);
    a[0][5] = reg_msub(loaded->a[2], ia, t.r[0]);
    to[0][0] = reg_madd(loaded->b[0], mb, x.r[0]);
    to[0][1] = reg_madd(loaded->b[1], mb, y.r[0]);
    to[0][5] = reg_msub(loaded->b[2], ib, t.r[0]);
}

#elif WIDE_LANES == 2

WIDE_INLINE WideReg pair_at(const double *p) {
    return *(const WideInMemory *)p;
}
WIDE_INLINE void put_pair(double *p, WideReg x) {
    *(WideInMemory *)p = x;
}
#define FIRSTS(a, b)         __builtin_shufflevector(a, b, 0, 2)
#define SECONDS(a, b)        __builtin_shufflevector(a, b, 1, 3)
#define BOTH_FIRST(a)        __builtin_shufflevector(a, a, 0, 0)
#define BOTH_SECOND(a)       __builtin_shufflevector(a, a, 1, 1)
#define MADD_FIRST(a, b, c)  reg_madd(a, b, BOTH_FIRST(c))
#define MSUB_FIRST(a, b, c)  reg_msub(a, b, BOTH_FIRST(c))
#define MSUB_SECOND(a, b, c) reg_msub(a, b, BOTH_SECOND(c))

WIDE_INLINE void wide_gather4(double *const p[WIDE], Wide *x, Wide *y, Wide *z, Wide *w) {
    WIDE_EACH {
        WideReg a = pair_at(p[2 * k]), b = pair_at(p[2 * k + 1]);
        WideReg c = pair_at(p[2 * k] + 2), d = pair_at(p[2 * k + 1] + 2);
        x->r[k] = FIRSTS(a, b), y->r[k] = SECONDS(a, b);
        z->r[k] = FIRSTS(c, d), w->r[k] = SECONDS(c, d);
    }
}
WIDE_INLINE void wide_scatter4(double *const p[WIDE], Wide x, Wide y, Wide z, Wide w) {
    WIDE_EACH {
        put_pair(p[2 * k], FIRSTS(x.r[k], y.r[k]));
        put_pair(p[2 * k] + 2, FIRSTS(z.r[k], w.r[k]));
        put_pair(p[2 * k + 1], SECONDS(x.r[k], y.r[k]));
        put_pair(p[2 * k + 1] + 2, SECONDS(z.r[k], w.r[k]));
    }
}
WIDE_INLINE void wide_scatter2(double *const p[WIDE], Wide x, Wide y) {
    WIDE_EACH {
        put_pair(p[2 * k], FIRSTS(x.r[k], y.r[k]));
        put_pair(p[2 * k + 1], SECONDS(x.r[k], y.r[k]));
    }
}
WIDE_INLINE void wide_relative(double *const a[WIDE], double *const b[WIDE], WideVec3 *v,
                               WideVec3 *s) {
    const WideReg sign = {-1, 1}; /* the product is exact */
    WIDE_EACH {
        const double *a0 = a[2 * k], *a1 = a[2 * k + 1], *b0 = b[2 * k], *b1 = b[2 * k + 1];
        WideReg v0 = pair_at(b0) - pair_at(a0), v1 = pair_at(b1) - pair_at(a1);
        WideReg m0 = reg_madd(pair_at(b0 + 2), pair_at(a0 + 2), sign);
        WideReg m1 = reg_madd(pair_at(b1 + 2), pair_at(a1 + 2), sign);
        WideReg s0 = pair_at(b0 + 4) + pair_at(a0 + 4), s1 = pair_at(b1 + 4) + pair_at(a1 + 4);
        v->x.r[k] = FIRSTS(v0, v1), v->y.r[k] = SECONDS(v0, v1);
        v->z.r[k] = FIRSTS(m0, m1), s->x.r[k] = SECONDS(m0, m1);
        s->y.r[k] = FIRSTS(s0, s1), s->z.r[k] = SECONDS(s0, s1);
    }
}
WIDE_INLINE void wide_relative_spins(double *const a[WIDE], double *const b[WIDE], WideVec3 *v,
                                     WideVec3 *sa, WideVec3 *sb) {
    WIDE_EACH {
        const double *a0 = a[2 * k], *a1 = a[2 * k + 1], *b0 = b[2 * k], *b1 = b[2 * k + 1];
        WideReg v0 = pair_at(b0) - pair_at(a0), v1 = pair_at(b1) - pair_at(a1);
        WideReg za = FIRSTS(pair_at(a0 + 2), pair_at(a1 + 2));
        v->x.r[k] = FIRSTS(v0, v1), v->y.r[k] = SECONDS(v0, v1);
        v->z.r[k] = FIRSTS(pair_at(b0 + 2), pair_at(b1 + 2)) - za;
        sa->x.r[k] = SECONDS(pair_at(a0 + 2), pair_at(a1 + 2));
        sb->x.r[k] = SECONDS(pair_at(b0 + 2), pair_at(b1 + 2));
        sa->y.r[k] = FIRSTS(pair_at(a0 + 4), pair_at(a1 + 4));
        sb->y.r[k] = FIRSTS(pair_at(b0 + 4), pair_at(b1 + 4));
        sa->z.r[k] = SECONDS(pair_at(a0 + 4), pair_at(a1 + 4));
        sb->z.r[k] = SECONDS(pair_at(b0 + 4), pair_at(b1 + 4));
    }
}
/* What a body gets: (d.x, d.y), (d.z, t.x) and (t.y, t.z). */
typedef struct WidePush {
    WideReg first, middle, last;
} WidePush;

WIDE_INLINE WidePush push_of_first(WideVec3 d, WideVec3 t, int k) {
    return (WidePush){FIRSTS(d.x.r[k], d.y.r[k]), FIRSTS(d.z.r[k], t.x.r[k]),
                      FIRSTS(t.y.r[k], t.z.r[k])};
}
WIDE_INLINE WidePush push_of_second(WideVec3 d, WideVec3 t, int k) {
    return (WidePush){SECONDS(d.x.r[k], d.y.r[k]), SECONDS(d.z.r[k], t.x.r[k]),
                      SECONDS(t.y.r[k], t.z.r[k])};
}
WIDE_INLINE void push_one(double *a, const double *b, double *to, WidePush of_a, WidePush of_b) {
    const WideReg sign = {1, -1};
    WideReg ma = pair_at(a + 6), mb = pair_at(b + 6), mixed = mb * sign;
    put_pair(a, MSUB_FIRST(pair_at(a), of_a.first, ma));
    put_pair(a + 2, reg_msub(pair_at(a + 2), of_a.middle, ma));
    put_pair(a + 4, MSUB_SECOND(pair_at(a + 4), of_a.last, ma));
    put_pair(to, MADD_FIRST(pair_at(b), of_b.first, mb));
    put_pair(to + 2, reg_madd(pair_at(b + 2), of_b.middle, mixed));
    put_pair(to + 4, MSUB_SECOND(pair_at(b + 4), of_b.last, mb));
}
WIDE_INLINE void wide_push_spins(double *const a[WIDE], double *const b[WIDE],
                                 double *const to[WIDE], WideVec3 d, WideVec3 ta, WideVec3 tb) {
    WIDE_EACH {
        const int i = 2 * k, j = 2 * k + 1;
        push_one(a[i], b[i], to[i], push_of_first(d, ta, k), push_of_first(d, tb, k));
        push_one(a[j], b[j], to[j], push_of_second(d, ta, k), push_of_second(d, tb, k));
    }
}
WIDE_INLINE void push_one_turns(double *a, const double *b, double *to, WidePush of_a,
                                WidePush of_b) {
    const WideReg one = {1, 1};
    WideReg ma = pair_at(a + 6), mb = pair_at(b + 6);
    put_pair(a, MSUB_FIRST(pair_at(a), of_a.first, ma));
    put_pair(a + 2, reg_msub(pair_at(a + 2), of_a.middle, FIRSTS(ma, one)));
    put_pair(a + 4, pair_at(a + 4) - of_a.last);
    put_pair(to, MADD_FIRST(pair_at(b), of_b.first, mb));
    put_pair(to + 2, reg_madd(pair_at(b + 2), of_b.middle, FIRSTS(mb, one)));
    put_pair(to + 4, pair_at(b + 4) + of_b.last);
}
WIDE_INLINE void wide_push_turns(double *const a[WIDE], double *const b[WIDE],
                                 double *const to[WIDE], WideVec3 d, WideVec3 ta, WideVec3 tb) {
    WIDE_EACH {
        const int i = 2 * k, j = 2 * k + 1;
        push_one_turns(a[i], b[i], to[i], push_of_first(d, ta, k), push_of_first(d, tb, k));
        push_one_turns(a[j], b[j], to[j], push_of_second(d, ta, k), push_of_second(d, tb, k));
    }
}
/* The pairs (v.x, v.y) and (s.y, s.z) of the bodies: reading them again before they are written
 * would cost as much as the arithmetic. */
typedef struct WideLoaded {
    WideReg av[WIDE], as[WIDE], bv[WIDE], bs[WIDE];
} WideLoaded;

WIDE_INLINE void wide_relative_plane(double *const a[WIDE], double *const b[WIDE],
                                     WideLoaded *loaded, Wide *x, Wide *y, Wide *s) {
    _Pragma("GCC unroll 4") for (int i = 0; i < WIDE; i++) {
        loaded->av[i] = pair_at(a[i]), loaded->as[i] = pair_at(a[i] + 4);
        loaded->bv[i] = pair_at(b[i]), loaded->bs[i] = pair_at(b[i] + 4);
    }
    WIDE_EACH {
        WideReg v0 = loaded->bv[2 * k] - loaded->av[2 * k];
        WideReg v1 = loaded->bv[2 * k + 1] - loaded->av[2 * k + 1];
        WideReg sa = SECONDS(loaded->as[2 * k], loaded->as[2 * k + 1]);
        x->r[k] = FIRSTS(v0, v1), y->r[k] = SECONDS(v0, v1);
        s->r[k] = SECONDS(loaded->bs[2 * k], loaded->bs[2 * k + 1]) + sa;
    }
}
WIDE_INLINE void push_one_plane(double *a, const double *b, double *to, const WideLoaded *loaded,
                                int i, WideReg d, WideReg t) {
    WideReg ma = pair_at(a + 6), mb = pair_at(b + 6);
    put_pair(a, MSUB_FIRST(loaded->av[i], d, ma));
    put_pair(a + 4, MSUB_SECOND(loaded->as[i], t, ma));
    put_pair(to, MADD_FIRST(loaded->bv[i], d, mb));
    put_pair(to + 4, MSUB_SECOND(loaded->bs[i], t, mb));
}
WIDE_INLINE void wide_push_plane(double *const a[WIDE], double *const b[WIDE],
                                 double *const to[WIDE], const WideLoaded *loaded, Wide x, Wide y,
                                 Wide t) {
    const WideReg zero = {0, 0};
    WIDE_EACH {
        int i = 2 * k, j = 2 * k + 1;
        push_one_plane(a[i], b[i], to[i], loaded, i, FIRSTS(x.r[k], y.r[k]), FIRSTS(zero, t.r[k]));
        push_one_plane(a[j], b[j], to[j], loaded, j, SECONDS(x.r[k], y.r[k]),
                       SECONDS(zero, t.r[k]));
    }
}

#else /* four or eight: half a record is a register of four */

typedef double Quad __attribute__((vector_size(32)));
typedef double QuadInMemory __attribute__((vector_size(32), aligned(8), may_alias));
typedef struct Quads {
    Quad q[4];
} Quads;

WIDE_INLINE Quad quad_at(const double *p) {
    return *(const QuadInMemory *)p;
}
WIDE_INLINE void put_quad(double *p, Quad x) {
    *(QuadInMemory *)p = x;
}
/* Turns rows into columns, and back. */
WIDE_INLINE Quads turn(Quads a) {
    Quad e = __builtin_shufflevector(a.q[0], a.q[1], 0, 4, 2, 6);
    Quad f = __builtin_shufflevector(a.q[0], a.q[1], 1, 5, 3, 7);
    Quad g = __builtin_shufflevector(a.q[2], a.q[3], 0, 4, 2, 6);
    Quad h = __builtin_shufflevector(a.q[2], a.q[3], 1, 5, 3, 7);
    return (Quads){
        {__builtin_shufflevector(e, g, 0, 1, 4, 5), __builtin_shufflevector(f, h, 0, 1, 4, 5),
         __builtin_shufflevector(e, g, 2, 3, 6, 7), __builtin_shufflevector(f, h, 2, 3, 6, 7)}};
}
#if WIDE_LANES == 4
#define QUADS 1
WIDE_INLINE Wide from_quads(const Quads *a, int i) {
    return (Wide){{a[0].q[i]}};
}
WIDE_INLINE Quad quad_of(Wide a, int k) {
    (void)k;
    return a.r[0];
}
#else
#define QUADS 2
WIDE_INLINE Wide from_quads(const Quads *a, int i) {
    return (Wide){{__builtin_shufflevector(a[0].q[i], a[1].q[i], 0, 1, 2, 3, 4, 5, 6, 7)}};
}
WIDE_INLINE Quad quad_of(Wide a, int k) {
    return k == 0 ? __builtin_shufflevector(a.r[0], a.r[0], 0, 1, 2, 3)
                  : __builtin_shufflevector(a.r[0], a.r[0], 4, 5, 6, 7);
}
#endif
#define QUAD_EACH _Pragma("GCC unroll 2") for (int k = 0; k < QUADS; k++)

/* Two doubles of each of two records. Halves of a register are put together as they are loaded, so that
 * nothing has to cross from one half to the other: that only one unit of the processor does. */
WIDE_INLINE Quad two_pairs(const double *p, const double *q) {
    typedef double PairInMemory __attribute__((vector_size(16), aligned(8), may_alias));
    return __builtin_shufflevector(*(const PairInMemory *)p, *(const PairInMemory *)q, 0, 1, 2, 3);
}
WIDE_INLINE void wide_gather4(double *const p[WIDE], Wide *x, Wide *y, Wide *z, Wide *w) {
    Quads a[QUADS];
    QUAD_EACH {
        double *const *at = p + 4 * k;
        Quad low[2], high[2];
        for (int j = 0; j < 2; j++) {
            low[j] = two_pairs(at[j], at[j + 2]);
            high[j] = two_pairs(at[j] + 2, at[j + 2] + 2);
        }
        a[k] = (Quads){{__builtin_shufflevector(low[0], low[1], 0, 4, 2, 6),
                        __builtin_shufflevector(low[0], low[1], 1, 5, 3, 7),
                        __builtin_shufflevector(high[0], high[1], 0, 4, 2, 6),
                        __builtin_shufflevector(high[0], high[1], 1, 5, 3, 7)}};
    }
    *x = from_quads(a, 0), *y = from_quads(a, 1), *z = from_quads(a, 2), *w = from_quads(a, 3);
}
WIDE_INLINE void wide_scatter4(double *const p[WIDE], Wide x, Wide y, Wide z, Wide w) {
    QUAD_EACH {
        Quads a = turn((Quads){{quad_of(x, k), quad_of(y, k), quad_of(z, k), quad_of(w, k)}});
        for (int j = 0; j < 4; j++) {
            put_quad(p[4 * k + j], a.q[j]);
        }
    }
}
WIDE_INLINE void put_half(double *p, Quad x, int half) {
    typedef double PairInMemory __attribute__((vector_size(16), aligned(8), may_alias));
    *(PairInMemory *)p =
        half == 0 ? __builtin_shufflevector(x, x, 0, 1) : __builtin_shufflevector(x, x, 2, 3);
}
WIDE_INLINE void wide_scatter2(double *const p[WIDE], Wide x, Wide y) {
    QUAD_EACH {
        Quad even = __builtin_shufflevector(quad_of(x, k), quad_of(y, k), 0, 4, 2, 6);
        Quad odd = __builtin_shufflevector(quad_of(x, k), quad_of(y, k), 1, 5, 3, 7);
        put_half(p[4 * k], even, 0);
        put_half(p[4 * k + 1], odd, 0);
        put_half(p[4 * k + 2], even, 1);
        put_half(p[4 * k + 3], odd, 1);
    }
}
WIDE_INLINE void wide_relative(double *const a[WIDE], double *const b[WIDE], WideVec3 *v,
                               WideVec3 *s) {
    const Quad sign = {-1, -1, -1, 1};
    Quads first[QUADS], last[QUADS];
    QUAD_EACH {
        for (int j = 0; j < 4; j++) {
            const double *pa = a[4 * k + j], *pb = b[4 * k + j];
            first[k].q[j] = quad_at(pb) + quad_at(pa) * sign;
            last[k].q[j] = quad_at(pb + 4) + quad_at(pa + 4);
        }
        first[k] = turn(first[k]);
        last[k] = turn(last[k]);
    }
    v->x = from_quads(first, 0), v->y = from_quads(first, 1), v->z = from_quads(first, 2);
    s->x = from_quads(first, 3), s->y = from_quads(last, 0), s->z = from_quads(last, 1);
}
WIDE_INLINE void wide_relative_spins(double *const a[WIDE], double *const b[WIDE], WideVec3 *v,
                                     WideVec3 *sa, WideVec3 *sb) {
    Wide none;
    WideVec3 va, vb;
    double *last_a[WIDE], *last_b[WIDE];
    for (int k = 0; k < WIDE; k++) {
        last_a[k] = a[k] + 4, last_b[k] = b[k] + 4;
    }
    wide_gather4(a, &va.x, &va.y, &va.z, &sa->x);
    wide_gather4(b, &vb.x, &vb.y, &vb.z, &sb->x);
    wide_gather4(last_a, &sa->y, &sa->z, &none, &none);
    wide_gather4(last_b, &sb->y, &sb->z, &none, &none);
    *v = wide_sub3(vb, va);
}
/* What four bodies get: (d, t.x) and (t.y, t.z, 0, 0). The masses in the last half are combined
 * with the zeros and do not change. */
typedef struct WidePush {
    Quads first, last;
} WidePush;

WIDE_INLINE WidePush push_of(WideVec3 d, WideVec3 t, int k) {
    const Quad zero = {0, 0, 0, 0};
    return (WidePush){
        turn((Quads){{quad_of(d.x, k), quad_of(d.y, k), quad_of(d.z, k), quad_of(t.x, k)}}),
        turn((Quads){{quad_of(t.y, k), quad_of(t.z, k), zero, zero}})};
}
WIDE_INLINE void push_one(double *a, const double *b, double *to, const WidePush *of_a,
                          const WidePush *of_b, int j) {
    const Quad sign = {1, 1, 1, -1};
    Quad ha = quad_at(a + 4), hb = quad_at(b + 4);
    Quad ma = __builtin_shufflevector(ha, ha, 2, 2, 2, 3);
    Quad mb = __builtin_shufflevector(hb, hb, 2, 2, 2, 3) * sign;
    put_quad(a, quad_at(a) - of_a->first.q[j] * ma);
    put_quad(a + 4, ha - of_a->last.q[j] * __builtin_shufflevector(ha, ha, 3, 3, 3, 3));
    put_quad(to, quad_at(b) + of_b->first.q[j] * mb);
    put_quad(to + 4, hb - of_b->last.q[j] * __builtin_shufflevector(hb, hb, 3, 3, 3, 3));
}
WIDE_INLINE void wide_push_spins(double *const a[WIDE], double *const b[WIDE],
                                 double *const to[WIDE], WideVec3 d, WideVec3 ta, WideVec3 tb) {
    QUAD_EACH {
        const WidePush of_a = push_of(d, ta, k), of_b = push_of(d, tb, k);
        for (int j = 0; j < 4; j++) {
            const int i = 4 * k + j;
            push_one(a[i], b[i], to[i], &of_a, &of_b, j);
        }
    }
}
WIDE_INLINE void push_one_turns(double *a, const double *b, double *to, const WidePush *of_a,
                                const WidePush *of_b, int j) {
    const Quad one = {1, 1, 1, 1};
    Quad ha = quad_at(a + 4), hb = quad_at(b + 4);
    Quad ma = __builtin_shufflevector(ha, one, 2, 2, 2, 4);
    Quad mb = __builtin_shufflevector(hb, one, 2, 2, 2, 4);
    put_quad(a, quad_at(a) - of_a->first.q[j] * ma);
    put_quad(a + 4, ha - of_a->last.q[j]);
    put_quad(to, quad_at(b) + of_b->first.q[j] * mb);
    put_quad(to + 4, hb + of_b->last.q[j]);
}
WIDE_INLINE void wide_push_turns(double *const a[WIDE], double *const b[WIDE],
                                 double *const to[WIDE], WideVec3 d, WideVec3 ta, WideVec3 tb) {
    QUAD_EACH {
        const WidePush of_a = push_of(d, ta, k), of_b = push_of(d, tb, k);
        for (int j = 0; j < 4; j++) {
            const int i = 4 * k + j;
            push_one_turns(a[i], b[i], to[i], &of_a, &of_b, j);
        }
    }
}
/* There are too many for the registers. */
typedef struct WideLoaded {
    char nothing;
} WideLoaded;

WIDE_INLINE void wide_relative_plane(double *const a[WIDE], double *const b[WIDE],
                                     WideLoaded *loaded, Wide *x, Wide *y, Wide *s) {
    WideVec3 v, w;
    loaded->nothing = 0;
    wide_relative(a, b, &v, &w);
    *x = v.x, *y = v.y, *s = w.z;
}
WIDE_INLINE void wide_push_plane(double *const a[WIDE], double *const b[WIDE],
                                 double *const to[WIDE], const WideLoaded *loaded, Wide x, Wide y,
                                 Wide t) {
    const Wide zero = wide_all(0);
    (void)loaded;
    wide_push(a, b, to, (WideVec3){x, y, zero}, (WideVec3){zero, zero, t});
}

#endif

#endif
