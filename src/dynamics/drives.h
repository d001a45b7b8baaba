/* The work of whatever moves on its own account: moved walls, pistons that slide, bodies that are held
 * along some axes. */
#ifndef SCREE_DYNAMICS_DRIVES_H
#define SCREE_DYNAMICS_DRIVES_H

#include "dynamics/step_task.h"

/* What they have done in the step; to be called when the impulses are in the contacts, and nothing has
 * moved. */
double scr_work_of_drives(const StepTask *task);

#endif
