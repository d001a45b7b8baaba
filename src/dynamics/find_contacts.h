/* The contacts of a step: candidates of the near list that may close. */
#ifndef SCREE_DYNAMICS_FIND_CONTACTS_H
#define SCREE_DYNAMICS_FIND_CONTACTS_H

#include "dynamics/carry.h"
#include "dynamics/shaped_pairs.h"
#include "dynamics/step_task.h"

/* Puts the contacts of the step into the state, with the impulses that they had before, and their
 * extent into the task, whose bodies have been placed. */
ScreeStatus scr_find_contacts(StepTask *task, State *state, Outlines *outlines, bool list_changed,
                              Arena *arena);

#endif
