/* The whole step on a device, where it can be had: round bodies, rigid Coulomb contacts, planes that do not turn, the
 * default order. Bodies and contacts then stay there from step to step; the state here is brought up to date when
 * somebody looks at it, or when a step turns out to need the processor. Every number has the bits of the processor,
 * since the device calls the same functions (device_steps.h). */
#ifndef SCREE_DYNAMICS_DEVICE_STEP_H
#define SCREE_DYNAMICS_DEVICE_STEP_H

#include "dynamics/engine.h"

/* Whether a step might be made on the device, as far as can be seen without a look at bodies. */
bool scr_may_step_there(const State *state, const Engine *engine);

/* Makes a step there, or nothing at all: `made` tells. Then the state is here, and up to date. */
ScreeStatus scr_step_there(State *state, Engine *engine, ScreeReport *report, bool *made,
                           char *message);

#endif
