/* Pistons that exert a stress. */
#ifndef SCREE_STATE_PISTONS_H
#define SCREE_STATE_PISTONS_H

#include "state/state.h"

/* Sets the force of pistons that exert a stress, for the coming step; called before the step of any
 * engine. */
ScreeStatus scr_stress_pistons(State *state, char *message);

#endif
