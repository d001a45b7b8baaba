/* Pistons that carry a stress. */
#ifndef SCREE_STATE_PISTONS_H
#define SCREE_STATE_PISTONS_H

#include "state/state.h"

/* Sets the force of pistons that carry a stress, for the step to come; before any engine's step. */
ScreeStatus scr_stress_pistons(State *state, char *message);

#endif
