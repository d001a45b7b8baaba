/* Coulomb's law on the way to a solution, where contacts that will hold still creep.
 *
 * De Saxce writes the law as r = the point of the cone K = {|r_t| <= mu r_n} that minimises
 *     1/2 r W r + (q + mu |u_t| n) r,
 * in which |u_t| is itself part of the solution. Without the term mu |u_t| this is the associated
 * law, in which a sliding contact also opens, with u_n = mu |u_t|. That law belongs to a convex
 * problem, and for contacts that hold the two laws agree. While an iteration approaches a state of
 * rest, contacts that will hold in the end slide a little, in meaningless directions. The exact law
 * reacts to this: a contact that has lost its grip is given no more load. The associated law
 * presses harder until the contact holds.
 *
 * The term therefore counts only above a certain speed,
 *     u_n + mu max(|u_t| - creep, 0),
 * at the present u_t, and the iteration lets `creep` go to zero along with its changes. What it
 * converges to obeys the exact law: where |u_t| = 0 the two do not differ, and elsewhere the
 * difference vanishes with `creep`. */
#ifndef SCREE_LAW_CREEP_H
#define SCREE_LAW_CREEP_H

#include "law/real.h"

#include <float.h>

/* One contact with W = diag(1/mass_n, 1/mass_t[, 1/mass_t]). The impulse that would stop it,
 * x = r - W^-1 u, is given by its normal part *xn and its tangential length; `speed` is |u_t|. *xn
 * becomes r_n, and the factor by which to scale x_t is returned. If x is outside of the cone, r_n
 * minimises
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
