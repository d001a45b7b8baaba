/* A step that does not converge is made again in halves, where these converge. */
#ifndef SCREE_DYNAMICS_HALVES_H
#define SCREE_DYNAMICS_HALVES_H

#include "dynamics/engine.h"

/* After scr_find_impulses, of a step or of a part of one: whether it is to be made in halves. */
bool scr_is_to_be_halved(const StepTask *task, const ScreeReport *report);

/* After scr_find_impulses: forgets the solution that was found for the whole step, before anything
 * has moved, and makes the step in strides. `report` has what was found, and gets the certificate. */
ScreeStatus scr_make_in_halves(State *state, Engine *engine, ScreeReport *report, char *message);

#endif
