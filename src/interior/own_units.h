/* The units in which the interior-point method works (matrix/units.h).
 *
 * The scaling of the cones takes the root of a velocity over an impulse, which has the unit of
 * mass; and norms over all components add torques to impulses. So masses and impulses are over 2^k,
 * where 2^k is about the mass that matters, and torques over 2^l more, where 2^l is about the arm
 * of rolling friction. Velocities stay as they are, spins are times 2^l. */
#ifndef SCREE_INTERIOR_OWN_UNITS_H
#define SCREE_INTERIOR_OWN_UNITS_H

#include "matrix/units.h"

/* `mass` is typical, from given units of force and velocity; 0: found from the problem. */
MatrixScales scr_own_scales(const MatrixProblem *problem, double mass);

#endif
