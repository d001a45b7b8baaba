/* Impacts that act at one time must not make energy (tame.c). */
#ifndef SCREE_DYNAMICS_TAME_H
#define SCREE_DYNAMICS_TAME_H

#include "dynamics/step_task.h"

/* After the solution: where impacts that were solved together have made energy, the step is to be
 * posed `again`, with less restitution there. */
ScreeStatus scr_tame_impacts(StepTask *task, bool *again);

/* The part of its coefficients of restitution that a contact has in this step. */
double scr_tamed_part(const StepTask *task, const Contact *contact);

#endif
