/* Coulomb's law at a contact between round bodies: eq (1.30) of Brendel, Unger and Wolf, "Contact
 * Dynamics for Beginners", in impulses. It stands here once for all who sweep over contacts; what
 * is left to them is where numbers are kept and how velocities follow impulses.
 *
 * Between round bodies no part of the impulse moves another part: W is diagonal, with 1 / mass_n
 * and 1 / mass_t. The velocity without the contact's own impulse, U = u - W R in the paper, need
 * not be formed: the impulse that would stop the contact is -m U = R - m u, from the present
 * impulse and velocity. Its normal part stands alone and is cut at zero; it bounds the tangential
 * part, which is scaled back to the cone |R_t| <= mu R_n where it has left it: that contact slides.
 *
 * A mass is 0 where nothing can move. The tangential part is a vector across the normal in any
 * frame; in the plane it is a number. Squares of impulses and of velocities must be in the range of
 * double. */
#ifndef SCREE_LAW_ROUND_H
#define SCREE_LAW_ROUND_H

#include "law/creep.h"
#include "law/normal.h"

/* What a tangential part x with |x|^2 = square is to be scaled with so that |x| <= limit: 1 where
 * it is, and 0 where nothing presses. A root and a division take their time, and most hold. */
LAW_INLINE Real law_cut_factor(Real limit, Real square) {
    const Real zero = real_all(0.0), one = real_all(1.0);
    RealMask presses = real_above(limit, zero);
    RealMask slides = real_and(real_above(square, real_mul(limit, limit)), presses);
    Real keep = real_select(presses, one, zero);
    if (real_any(slides)) {
        Real length = real_sqrt(real_select(slides, square, one));
        keep = real_select(slides, real_div(limit, length), keep);
    }
    return keep;
}

/* The vector itself, or what is nearest to it among those that are no longer than the limit. */
LAW_INLINE RealVec3 law_cut(RealVec3 x, Real limit) {
    Real square = real_dot(x, x);
    if (!real_every(real_above(real_mul(limit, limit), square))) {
        x = real_scale3(law_cut_factor(limit, square), x);
    }
    return x;
}

/* What rigid contacts do with impulses. */
typedef struct LawRound {
    Real mass_n, mass_t;
    Real mu;
} LawRound;

/* One update in space. `un` is u_n + bias, so that it is zero where the gap just closes; *rn and
 * *rt are the present impulse and become the new one. Contacts slower than *creep follow
 * law/creep.h; NULL: none does, and the law is exact. */
LAW_INLINE void law_round_space(const LawRound *c, Real un, RealVec3 ut, const Real *creep,
                                Real *rn, RealVec3 *rt) {
    Real stop_n = real_msub(*rn, c->mass_n, un);
    RealVec3 stop_t = real_msub3(*rt, c->mass_t, ut);
    *rn = real_positive(stop_n);
    *rt = stop_t;
    Real limit = real_mul(c->mu, *rn), square = real_dot(stop_t, stop_t);
    RealMask holds = real_above(real_mul(limit, limit), square);
    if (creep != 0) {
        Real speed = real_dot(ut, ut);
        if (!real_every(real_and(holds, real_above(real_mul(*creep, *creep), speed)))) {
            Real keep = law_creep(c->mass_n, c->mass_t, c->mu, *creep, real_sqrt(speed),
                                  real_sqrt(square), &stop_n);
            *rn = stop_n;
            *rt = real_scale3(keep, stop_t);
        }
    } else if (!real_every(holds)) { /* rare */
        *rt = real_scale3(law_cut_factor(limit, square), stop_t);
    }
}

/* The same in the plane, where the tangential parts are numbers. */
LAW_INLINE void law_round_plane(const LawRound *c, Real un, Real ut, const Real *creep, Real *rn,
                                Real *rt) {
    Real stop_n = real_msub(*rn, c->mass_n, un), stop_t = real_msub(*rt, c->mass_t, ut);
    *rn = real_positive(stop_n);
    *rt = stop_t;
    Real limit = real_mul(c->mu, *rn);
    if (creep == 0) {
        *rt = real_clamp(stop_t, limit);
        return;
    }
    Real speed = real_abs(ut), length = real_abs(stop_t);
    RealMask holds = real_above(limit, length);
    if (!real_every(real_and(holds, real_above(*creep, speed)))) {
        Real keep = law_creep(c->mass_n, c->mass_t, c->mu, *creep, speed, length, &stop_n);
        *rn = stop_n;
        *rt = real_mul(keep, stop_t);
    }
}

/* |R|^2 of an impulse from its normal part and the velocity at zero impulse, without a root. */
LAW_INLINE Real law_impulse_square(Real rn, Real limit, Real mass_t, Real ut_square) {
    Real stop = real_mul(real_mul(mass_t, mass_t), ut_square);
    return real_add(real_mul(rn, rn), real_min(stop, real_mul(limit, limit)));
}

/* The same of a contact that is solved alone, from zero impulse; `un` is u_n + bias. */
LAW_INLINE Real law_round_alone_square(const LawRound *c, Real un, Real ut_square) {
    Real rn = real_positive(real_msub(real_all(0.0), c->mass_n, un));
    return law_impulse_square(rn, real_mul(c->mu, rn), c->mass_t, ut_square);
}

#endif
