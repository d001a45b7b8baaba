/* Which contacts the solution of a step would turn bodies into. */
#ifndef SCREE_DYNAMICS_FORESEE_H
#define SCREE_DYNAMICS_FORESEE_H

#include "dynamics/shaped_pairs.h"

/* Looks where the solution would put the pairs that turn fast, and takes up what it finds. `found`:
 * there is something, and the step must be solved again. */
ScreeStatus scr_foresee(StepTask *task, Outlines *outlines, bool *found);

#endif
