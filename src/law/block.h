/* Coulomb's law at a contact in space between bodies of any shape, for blocks of ordinary magnitude
 * far from singular: the law of coulomb.h, in the frame in which it takes fewest operations, and for
 * several contacts at a time.
 *
 * The tangents are the principal axes of the tangential problem S = W_tt - w w^T / W_nn that is left
 * when u_n = 0 has eliminated r_n (l1 >= l2 are its eigenvalues). With k = w / W_nn, and from the
 * present impulse r and velocity u, the impulse x that would stop the contact is
 *
 *     x_i = r_i - (u_i - k_i u_n) / l_i,      x_n = push - k.x_t,     push = r_n + k.r_t - u_n / W_nn.
 *
 * W_nn push is -q_n, so the contact is open where push <= 0; it sticks where x lies in the cone; and
 * if it slides, r_i = l_i x_i / (l_i + s) with mu push / |r_t| = 1 + mu k.d. This is the equation of
 * slip.h with p = -(l1/l2 x_1, x_2), w = mu k, q_n = -mu push, a/mu = 1 and T = 1 + s / l2: ordinary
 * numbers need no other units. */
#ifndef SCREE_LAW_BLOCK_H
#define SCREE_LAW_BLOCK_H

#include "law/slip.h"

typedef struct LawBlock {
    Real per_nn;     /* 1 / W_nn */
    Real k1, k2;     /* W_n1 / W_nn, W_n2 / W_nn */
    Real per1, per2; /* 1 / l1, 1 / l2 */
    Real mu;
} LawBlock;

/* Frame components of an impulse or a velocity. */
typedef struct LawParts {
    Real n, t1, t2;
} LawParts;

/* A contact in the course of its update. */
typedef struct LawStop {
    LawParts x; /* the impulse that would stop it */
    Real push;
    RealMask closes, slides; /* open where it does not close */
} LawStop;

/* Stops a contact with the impulse r. u.n contains the bias. */
LAW_INLINE LawStop law_block_stop(const LawBlock *c, LawParts u, LawParts r) {
    const Real zero = real_all(0.0);
    Real push = real_madd(real_madd(r.n, c->k1, r.t1), c->k2, r.t2);
    push = real_msub(push, c->per_nn, u.n);
    /* in an order in which little has to wait for u.n */
    Real t1 = real_madd(real_msub(r.t1, c->per1, u.t1), real_mul(c->per1, c->k1), u.n);
    Real t2 = real_madd(real_msub(r.t2, c->per2, u.t2), real_mul(c->per2, c->k2), u.n);
    Real n = real_msub(real_msub(push, c->k1, t1), c->k2, t2), limit = real_mul(c->mu, n);
    Real square = real_madd(real_mul(t1, t1), t2, t2);
    RealMask inside = real_not(real_above(square, real_mul(limit, limit)));
    RealMask sticks = real_and(inside, real_above(n, zero)), closes = real_above(push, zero);
    LawStop stop = {{n, t1, t2}, push, closes, real_and(closes, real_not(sticks))};
    return stop;
}

/* The bracket of the root, as in law_slip_prepare, but |w| is replaced by a bound. */
LAW_INLINE void law_block_bracket(const LawSlip *s, Real per_e, Real *low, Real *high) {
    const Real one = real_all(1.0);
    Real size = real_add(real_abs(s->w1), real_abs(s->w2));
    Real far = real_mul(real_mul(real_all(1.4142135623730954), real_add(one, size)), per_e);
    Real near = real_mul(real_positive(real_sub(one, size)), per_e);
    Real p1 = real_abs(s->p1), p2 = real_abs(s->p2);
    Real high_t = real_max(real_sub(real_mul(far, p1), s->beta), real_mul(far, p2));
    Real low_t = real_max(real_sub(real_mul(near, p1), s->beta), real_mul(near, p2));
    *high = real_max(high_t, one);
    *low = real_min(real_max(low_t, one), *high);
}

/* The first guess: the root if friction had the direction of the present impulse r, or, without one,
 * that of -p. From r_i (l_i + s) = l_i x_i along d: T = -p.d (1 + w.d) / e - beta d_1^2. */
LAW_INLINE Real law_block_guess(const LawSlip *s, Real per_e, const LawParts *r) {
    const Real zero = real_all(0.0), one = real_all(1.0);
    Real square = real_madd(real_mul(r->t1, r->t1), r->t2, r->t2);
    RealMask known = real_above(square, real_all(1e-100));
    Real d1 = real_select(known, r->t1, real_sub(zero, s->p1));
    Real d2 = real_select(known, r->t2, real_sub(zero, s->p2));
    Real inverse = real_div(one, real_sqrt(real_madd(real_mul(d1, d1), d2, d2)));
    d1 = real_mul(d1, inverse), d2 = real_mul(d2, inverse);
    Real along = real_sub(zero, real_madd(real_mul(s->p1, d1), s->p2, d2));
    Real coupled = real_madd(real_madd(one, s->w1, d1), s->w2, d2);
    return real_msub(real_mul(real_mul(along, coupled), per_e), s->beta, real_mul(d1, d1));
}

/* A contact that slides. */
typedef struct LawSliding {
    Real push;
    LawParts was, x; /* its present impulse and the one that would stop it; then x is the new one */
    RealMask
        hard; /* x is left as it is, and law_coulomb_block3 has to be asked: there may be several
                        slips, or a number is out of the ordinary */
} LawSliding;

/* The impulse at the root: with d = -n / |n|, r_n = push / (1 + w.d). */
LAW_INLINE void law_block_slide(const LawBlock *c, const LawSlip *s, Real T, LawSliding *k) {
    const Real zero = real_all(0.0), one = real_all(1.0);
    Real L = real_add(T, s->beta), n1 = real_mul(s->p1, T), n2 = real_mul(s->p2, L);
    Real size = real_norm2(n1, n2), sum = real_msub(real_msub(size, s->w1, n1), s->w2, n2);
    Real rate = real_div(k->push, sum);
    RealMask rubs = real_above(c->mu, zero), done = real_not(k->hard);
    RealMask cancels = real_and(rubs, real_above(real_mul(real_all(0.125), size), sum));
    if (real_any(real_and(cancels, done))) { /* but |r_t| = |n| / (T L) loses no digits */
        Real by_length = real_div(one, real_mul(c->mu, real_mul(T, L)));
        rate = real_select(cancels, by_length, rate);
    }
    Real rub = real_sub(zero, real_mul(c->mu, rate));
    Real rn = real_select(rubs, real_mul(rate, size), k->push);
    k->x.n = real_select(done, rn, k->x.n);
    k->x.t1 = real_select(done, real_select(rubs, real_mul(rub, n1), zero), k->x.t1);
    k->x.t2 = real_select(done, real_select(rubs, real_mul(rub, n2), zero), k->x.t2);
}

/* A slip that is searched for. */
typedef struct LawSearch {
    LawSlip slip;
    Real low, high, guess, T;
    Real before, size; /* the last two steps */
    RealMask solved;   /* by this search */
} LawSearch;

/* Poses the search, and sets k->hard. */
LAW_INLINE void law_block_pose(const LawBlock *c, LawSliding *k, LawSearch *s) {
    const Real zero = real_all(0.0), one = real_all(1.0);
    const Real tiny = real_all(1e-40), huge = real_all(1e40);
    Real ratio = real_div(c->per2, c->per1), e = real_mul(c->mu, k->push);
    Real per_e = real_div(one, e), w1 = real_mul(c->mu, c->k1), w2 = real_mul(c->mu, c->k2);
    Real p1 = real_mul(real_sub(zero, k->x.t1), ratio), p2 = real_sub(zero, k->x.t2);
    Real largest = real_max(real_abs(p1), real_abs(p2));
    LawSlip slip = {one, p1, p2, w1, w2, one, e, one, real_sub(ratio, one)};
    s->slip = slip;
    law_block_bracket(&slip, per_e, &s->low, &s->high);
    RealMask rubs = real_above(c->mu, zero);
    RealMask solved = real_and(rubs, real_and(real_above(e, tiny), real_above(huge, e)));
    solved = real_and(solved, real_and(real_above(largest, tiny), real_above(huge, largest)));
    s->solved = real_and(solved, law_slip_is_simple(&slip, s->low));
    k->hard = real_and(rubs, real_not(s->solved));
    Real guess = law_block_guess(&slip, per_e, &k->was);
    s->T = s->guess = real_min(real_max(guess, s->low), s->high);
    s->before = s->size = zero;
}

LAW_INLINE void law_block_step(LawSearch *s) {
    Real step;
    law_slip_psi(&s->slip, s->T, &step);
    s->T = real_add(s->T, step);
    s->before = s->size;
    s->size = real_abs(step);
}

/* What is left after steps d and d' of Newton's method is about d'^3 / d^2. Where that is too much, the
 * root is searched for again, with care. */
LAW_INLINE void law_block_check(LawSearch *s, RealMask slides) {
    Real T = s->T, left = real_mul(real_mul(s->size, s->size), s->size);
    Real enough = real_mul(real_mul(s->before, s->before), real_mul(real_all(1e-14), T));
    RealMask small = real_above(real_mul(real_all(2e-15), T), s->size);
    RealMask outside = real_or(real_above(s->low, T), real_above(T, s->high));
    RealMask found = real_and(real_or(small, real_above(enough, left)), real_not(outside));
    RealMask again = real_and(real_and(s->solved, slides), real_not(found));
    if (real_any(again)) {
        Real root = law_slip_root(&s->slip, s->low, s->high, s->guess, again);
        s->T = real_select(again, root, T);
    }
}

/* Three steps of Newton's method nearly always get there. */
enum { LAW_BLOCK_STEPS = 3, LAW_BLOCKS = 8 };

/* Lets contacts slide, several at a time, so that none waits for the roots and quotients of another.
 * Those that do not slide get anything. */
LAW_INLINE void law_block_slip(const LawBlock *c, const RealMask *slides, LawSliding *k,
                               int count) {
    LawSearch s[LAW_BLOCKS];
    bool rubs = false;
    for (int j = 0; j < count; j++) {
        law_block_pose(&c[j], &k[j], &s[j]);
        rubs = real_any(real_and(s[j].solved, slides[j])) || rubs;
    }
    for (int i = 0; i < LAW_BLOCK_STEPS && rubs; i++) {
        for (int j = 0; j < count; j++) {
            law_block_step(&s[j]);
        }
    }
    for (int j = 0; j < count; j++) {
        law_block_check(&s[j], slides[j]);
        law_block_slide(&c[j], &s[j].slip, s[j].T, &k[j]);
    }
}

#endif
