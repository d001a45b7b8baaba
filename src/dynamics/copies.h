/* Copies of bodies that are split over the boxes of the sweep. */
#ifndef SCREE_DYNAMICS_COPIES_H
#define SCREE_DYNAMICS_COPIES_H

#include "dynamics/step_task.h"

/* Room for the copies, with `more` bodies to come before them. */
ScreeStatus scr_reserve_copies(StepTask *task, size_t more);

/* Rows of split bodies go over to the copies, when all that depends on the true masses is done. */
void scr_use_copies(StepTask *task);

#endif
