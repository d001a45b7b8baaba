/* The interior-point iteration:
 *     M v = H r + f,   s = H^T v + w + o n + C r,   r in K,  s in K*,  r . s = 0.
 * With o = 0 this is the associated law, the optimality system of a convex programme. For Coulomb's
 * exact law o depends on s (exact.h); then there is no such programme, and the iteration may
 * fail. */
#ifndef SCREE_INTERIOR_ITERATE_H
#define SCREE_INTERIOR_ITERATE_H

#include "interior/work.h"

/* Iterates from a start of its own or, with `warm`, from the present v, r, s. */
InteriorStatus scr_interior_iterate(InteriorWork *work, double tolerance, int most, bool warm,
                                    int *iterations, InteriorErrors *errors);

#endif
