/* The area of faces that are glued together, shared among the points at which they touch. */
#ifndef SCREE_DYNAMICS_BOND_AREA_H
#define SCREE_DYNAMICS_BOND_AREA_H

#include "dynamics/step_task.h"

/* Sets bond_area of a task, whose contacts have been found; NULL where no law asks for it. */
ScreeStatus scr_share_bond_areas(StepTask *task);

#endif
