/* Coulomb's law at a contact between round bodies: eq (1.30) of Brendel, Unger and Wolf, "Contact
 * Dynamics for Beginners", in impulses. This is its only implementation: the sweeps decide where
 * numbers are stored and how velocities follow impulses, and call it for everything else.
 *
 * Between round bodies the normal and the tangential impulse do not affect each other's velocity: W
 * is diagonal, with entries 1 / mass_n and 1 / mass_t. The paper starts from the velocity without
 * the contact's own impulse, U = u - W R. We need not compute it, because the impulse that would
 * stop the contact, -m U, is R - m u in terms of the present impulse and velocity. Its normal part
 * is independent of the rest and is cut off at zero. That determines the cone |R_t| <= mu R_n, and
 * a tangential part outside of it is scaled back to it: the contact slides.
 *
 * A mass is 0 where nothing can move. The tangential part is a vector perpendicular to the normal,
 * in any frame; in the plane it is a number. Squares of impulses and velocities must not overflow
 * or underflow.
 *
 * An open contact without an impulse that gets none keeps exactly zero. Sweeps rely on it: they leave
 * packets of such contacts alone. */
#ifndef SCREE_LAW_ROUND_H
#define SCREE_LAW_ROUND_H

#include "law/creep.h"
#include "law/normal.h"

/* The factor that brings a vector x, |x|^2 = square, down to |x| <= limit: 1 if it is no longer
 * than that, and 0 if nothing presses. The root and the division are slow and rarely needed. */
LAW_INLINE Real law_cut_factor(Real limit, Real square) {
    const Real zero = real_all(0.0), one = real_all(1.0);
    RealMask presses = real_above(limit, zero);
    RealMask slides = real_and(real_above(square, real_mul(limit, limit)), presses);
    Real factor = real_select(presses, one, zero);
    if (real_any(slides)) {
        Real length = real_sqrt(real_select(slides, square, one));
        factor = real_select(slides, real_div(limit, length), factor);
    }
    return factor;
}

/* The vector nearest to x that is no longer than the limit. */
LAW_INLINE RealVec3 law_cut(RealVec3 x, Real limit) {
    Real square = real_dot(x, x);
    if (!real_every(real_above(real_mul(limit, limit), square))) {
        x = real_scale3(law_cut_factor(limit, square), x);
    }
    return x;
}

/* The constants of a rigid contact. */
typedef struct LawRound {
    Real mass_n, mass_t;
    Real mu;
} LawRound;

/* One update in space: *rn and *rt, the present impulse, become the new one. `un` is u_n + bias, so
 * that it is zero when the gap just closes within the step. With `creep`, contacts that slide more
 * slowly than *creep obey law/creep.h; without (NULL), the law is exact. */
LAW_INLINE void law_round_space(const LawRound *c, Real un, RealVec3 ut, const Real *creep,
                                Real *rn, RealVec3 *rt) {
    const Real zero = real_all(0.0);
    Real has = creep != 0 ? real_madd(real_dot(*rt, *rt), *rn, *rn) : zero;
    Real stop_n = real_msub(*rn, c->mass_n, un);
    RealVec3 stop_t = real_msub3(*rt, c->mass_t, ut);
    *rn = real_positive(stop_n);
    *rt = stop_t;
    Real limit = real_mul(c->mu, *rn), square = real_dot(stop_t, stop_t);
    RealMask holds = real_above(real_mul(limit, limit), square);
    if (creep != 0) {
        Real speed = real_dot(ut, ut);
        if (!real_every(real_and(holds, real_above(real_mul(*creep, *creep), speed)))) {
            RealMask acts =
                real_or(real_above(has, zero), real_above(zero, real_msub(un, c->mu, *creep)));
            Real factor = law_creep(c->mass_n, c->mass_t, c->mu, *creep, real_sqrt(speed),
                                    real_sqrt(square), &stop_n);
            *rn = real_select(acts, stop_n, zero); /* rounding may make a little more of it */
            *rt = real_scale3(real_select(acts, factor, zero), stop_t);
        }
    } else if (!real_every(holds)) {
        *rt = real_scale3(law_cut_factor(limit, square), stop_t);
    }
}

/* The same in the plane. */
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
        Real factor = law_creep(c->mass_n, c->mass_t, c->mu, *creep, speed, length, &stop_n);
        *rn = stop_n;
        *rt = real_mul(factor, stop_t);
    }
}

/* |R|^2 of the impulse with the normal part rn, from the sliding velocity at zero impulse. It needs
 * no root. */
LAW_INLINE Real law_impulse_square(Real rn, Real limit, Real mass_t, Real ut_square) {
    Real stop = real_mul(real_mul(mass_t, mass_t), ut_square);
    return real_add(real_mul(rn, rn), real_min(stop, real_mul(limit, limit)));
}

/* |R|^2 after one update from zero impulse; `un` is u_n + bias. */
LAW_INLINE Real law_round_alone_square(const LawRound *c, Real un, Real ut_square) {
    Real rn = real_positive(real_msub(real_all(0.0), c->mass_n, un));
    return law_impulse_square(rn, real_mul(c->mu, rn), c->mass_t, ut_square);
}

#endif
