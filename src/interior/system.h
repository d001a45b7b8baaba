/* The linear system of a Newton step: setting it up for a problem, factoring, solving. What it
 * consists of is in equations.h. */
#ifndef SCREE_INTERIOR_SYSTEM_H
#define SCREE_INTERIOR_SYSTEM_H

#include "interior/equations.h"

/* Sets up a problem: cones, pattern, symbolic factor. */
FactorStatus scr_interior_begin(InteriorSystem *system, const MatrixProblem *problem);

/* Factors with the present scaling of the cones. */
FactorStatus scr_interior_factor(InteriorSystem *system);

/* The same with springs in place of the law: K = C + soft [contacts]. */
FactorStatus scr_interior_factor_springs(InteriorSystem *system, const double *soft);

/* Solves until |M dv - H dr - a| is at most `enough` or nothing more can be gained; a [freedoms]
 * and dv are not used in local form. False when out of memory. */
bool scr_interior_solve(InteriorSystem *system, const double *a, const double *b, double enough,
                        double *dv, double *dr);

void scr_interior_system_free(InteriorSystem *system);

/* y += factor C r. */
void scr_interior_comply(const MatrixProblem *problem, double factor, const double *r, double *y);

#endif
