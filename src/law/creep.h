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

#include <math.h>

#include "law/coulomb.h"

/* One contact with W = diag(1/mass_n, 1/mass_t[, 1/mass_t]): the new r_n, and in *keep the factor
 * on the tangential part. Given are x = r - W^-1 u, its tangential length, and |u_t|. On the cone
 * r_n minimises (r_n - x_n)^2 / mass_n + (mu r_n - |x_t|)^2 / mass_t. */
LAW_INLINE double law_creep(double mass_n, double mass_t, double mu, double creep, double speed,
                            double xn, double length, double *keep) {
    xn -= mass_n * mu * law_max(speed - creep, 0.0);
    *keep = 1.0;
    if (length <= mu * xn) {
        return xn;
    }
    double weight = mass_t + mu * mu * mass_n;
    double rn = weight > 0.0 ? (mass_t * xn + mass_n * mu * length) / weight : 0.0;
    rn = law_max(rn, 0.0);
    *keep = length > 0.0 ? mu * rn / length : 0.0;
    return rn;
}

#endif
