/* How round the surfaces are at a contact. */
#ifndef SCREE_DYNAMICS_REDUCED_H
#define SCREE_DYNAMICS_REDUCED_H

#include "state/state.h"

/* r* = 1 / (1/r_a + 1/r_b) of two radii, or of one and the wall's. */
double scr_reduced_radius(const State *state, const Contact *contact, double ra, double rb);

/* That of the balls around the bodies. */
double scr_reduced_bounds(const State *state, const Contact *contact);

#endif
