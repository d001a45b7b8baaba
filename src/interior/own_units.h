/* A contact problem in units of its own.
 *
 * The scaling of the cones takes the root of a velocity over an impulse, which has the unit of
 * mass; in another unit of mass, an odd power of two, that root would be rounded otherwise. And
 * norms over all components add torques to impulses. So the iteration works with masses and
 * impulses over 2^k, where 2^k is about the mass that matters, and with torques over 2^l more,
 * where 2^l is about the arm of rolling friction. Both are exact, and whatever units the caller
 * has, the numbers inside are the same. Velocities stay as they are, spins are times 2^l. */
#ifndef SCREE_INTERIOR_OWN_UNITS_H
#define SCREE_INTERIOR_OWN_UNITS_H

#include "matrix/problem.h"

/* Zero-initialise it. */
typedef struct OwnUnits {
    int mass, length;      /* k and l */
    MatrixProblem problem; /* borrows from the one given what stays as it is */
    double *known;         /* [rows]; NULL: none */
    Block block;
} OwnUnits;

/* `mass` is typical, from given units of force and velocity; 0: found from the problem. `known`
 * [rows] are impulses to be taken along, or NULL. False when out of memory. */
bool scr_own_units_take(OwnUnits *units, const MatrixProblem *problem, double mass,
                        const double *known);

/* Impulses r and velocities s [rows] of the problem given, from those in its own units; `to` may be
 * NULL. */
void scr_own_units_impulses(const OwnUnits *units, const double *from, double *to);
void scr_own_units_velocities(const OwnUnits *units, const double *from, double *to);

void scr_own_units_free(OwnUnits *units);

#endif
