/* The step of the interior-point method for Coulomb's exact law. De Saxce's term mu |s_t| enters
 * the kinematics as a function that is smooth inside the cones,
 *     o(z) = sum over cones mu |z_1|^2 / z_0,   s = H^T v + w + C r + o n.
 * For a sliding contact |z_1| = z_0, and it is mu |s_t|; for a sticking one it vanishes; and for an
 * open one nothing is required beyond mu z_0 - o = mu det z / z_0 >= 0. */
#ifndef SCREE_INTERIOR_EXACT_H
#define SCREE_INTERIOR_EXACT_H

#include "interior/system.h"

/* o of each contact at the present s. */
void scr_interior_dilation(const InteriorSystem *system, const double *s, double *out);

/* Its first-order change with the step ds. */
void scr_interior_dilation_step(const InteriorSystem *system, const double *s, const double *ds,
                                double *out);

/* Makes the steps dv, dr, ds for a given `change` [contacts] of the offsets. */
typedef bool InteriorStep(void *context, const double *change);

/* Finds the change of the offsets that is consistent with the step it leads to: x =
 * dilation_step(ds(x)), an affine equation, is solved by GMRES, and the step for its solution is
 * made last. `basis` has room for INTERIOR_BASIS vectors of `contacts`. */
enum { INTERIOR_BASIS = 64 }; /* at most KRYLOV_MOST */

bool scr_interior_agree(const InteriorSystem *system, const double *s, const double *ds,
                        InteriorStep *step, void *context, double *basis);

#endif
