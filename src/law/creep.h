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

/* A part of the impulse that the pressure P bounds: |r_i| <= bound P. Friction is one, rolling and
 * torsion are others. */
typedef struct LawCreepPart {
    Real mass, bound;
    Real length, speed; /* of what would stop it, r_i - mass u_i, and of u_i */
    Real creep;         /* in the unit of u_i */
} LawCreepPart;

/* The pressure of a contact with several such parts, from the one that would stop the normal motion,
 * x. As above, but for the cone of all parts: it minimises
 *     (P - x)^2 / mass_n + sum_i max(length_i - bound_i P, 0)^2 / mass_i.
 * Where the derivative vanishes for the parts that are too long at one P, P is larger, and fewer are
 * too long: so there are as many rounds as parts. */
LAW_INLINE Real law_creep_pressure(Real mass_n, Real x, const LawCreepPart *part, int parts) {
    const Real zero = real_all(0.0), one = real_all(1.0), least = real_all(DBL_MIN);
    for (int i = 0; i < parts; i++) {
        Real fast = real_positive(real_sub(part[i].speed, part[i].creep));
        x = real_msub(x, real_mul(mass_n, part[i].bound), fast);
    }
    Real pressure = real_positive(x);
    for (int round = 0; round < parts; round++) {
        Real sum = x, weight = one;
        for (int i = 0; i < parts; i++) {
            Real ratio = real_div(real_mul(mass_n, part[i].bound), real_max(part[i].mass, least));
            RealMask outside = real_above(part[i].length, real_mul(part[i].bound, pressure));
            ratio = real_select(outside, ratio, zero);
            sum = real_madd(sum, ratio, part[i].length);
            weight = real_madd(weight, ratio, part[i].bound);
        }
        pressure = real_positive(real_div(sum, weight));
    }
    return pressure;
}

/* The normal impulse for that pressure where there may be a bond; one that spans a gap does not
 * creep, and keeps rn, what law/normal.h gives. */
LAW_INLINE Real law_creep_bond(Real rn, Real creeping, Real adhesion, Real lowest,
                               Real most_at_rest) {
    Real pushed = real_max(real_sub(creeping, adhesion), lowest);
    return real_select(real_above(most_at_rest, lowest), rn, pushed);
}

#endif
