/* Coulomb's law for the way to the solution, where contacts creep.
 *
 * De Saxce writes the law as r = the point of the cone K = {|r_t| <= mu r_n} that minimises
 *     1/2 r W r + (q + mu |u_t| n) r,
 * in which |u_t| is itself part of the solution. Without that term this is the associated law:
 * a contact that slides opens, too, with u_n = mu |u_t|. It is the law of a convex problem, the
 * same for all contacts that hold, and on the way to a solution at rest contacts that will hold
 * slide a little, in directions that mean nothing. Exact friction answers to that: what has lost
 * its grip gets no more load. The associated law presses harder until it holds.
 *
 * So the term counts only from a speed on,
 *     u_n + mu max(|u_t| - creep, 0),
 * at the present u_t, and whoever iterates lets `creep` go to zero with what is left to change. The
 * solution is that of the exact law: where |u_t| = 0 there is no difference, and elsewhere it goes
 * away with `creep`. */
#ifndef SCREE_LAW_CREEP_H
#define SCREE_LAW_CREEP_H

#include "law/real.h"

#include <float.h>

/* One contact with W = diag(1/mass_n, 1/mass_t[, 1/mass_t]). Given are x = r - W^-1 u by its normal
 * part *xn and its tangential length, and the sliding speed |u_t|. *xn becomes r_n; returns what
 * the tangential part of x is to be scaled with. On the cone r_n minimises
 *     (r_n - x_n)^2 / mass_n + (mu r_n - |x_t|)^2 / mass_t. */
LAW_INLINE Real law_creep(Real mass_n, Real mass_t, Real mu, Real creep, Real speed, Real length,
                          Real *xn) {
    const Real one = real_all(1.0), least = real_all(DBL_MIN);
    Real push = real_mul(mass_n, mu);
    Real x = real_msub(*xn, push, real_positive(real_sub(speed, creep)));
    Real weight = real_max(real_madd(mass_t, mu, push), least);
    Real on_cone = real_div(real_madd(real_mul(mass_t, x), push, length), weight);
    RealMask outside = real_above(length, real_mul(mu, x));
    *xn = real_positive(real_select(outside, on_cone, x));
    return real_select(outside, real_div(real_mul(mu, *xn), real_max(length, least)), one);
}

#endif
