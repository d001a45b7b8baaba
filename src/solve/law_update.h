/* The update of a row whose law is more than rigid Coulomb. */
#ifndef SCREE_SOLVE_LAW_UPDATE_H
#define SCREE_SOLVE_LAW_UPDATE_H

#include "problem/problem.h"

/* Solves the row that has a law row exactly with the present velocities, and adds its change to
 * them. Returns |dR|^2, torques counted over the reduced radius. */
double scr_update_law(Problem *problem, size_t row);

#endif
