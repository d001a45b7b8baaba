/* Laws beyond rigid, inelastic Coulomb (laws.c). */
#ifndef SCREE_DYNAMICS_LAWS_H
#define SCREE_DYNAMICS_LAWS_H

#include "dynamics/step_task.h"

ScreeStatus scr_reserve_laws(StepTask *task);

/* The relative velocity at a contact at the start of the step, as scr_row_velocity has it. */
RowVelocity scr_start_velocity(const StepParams *with, const State *state, const Contact *contact,
                               Arms arms);

/* Bodies that hold together go round each other, while steps are straight: by how much their gap would grow on the
 * tangent, in second order. 0 at walls. */
double scr_gained_on_tangent(const StepParams *with, const State *state, const Contact *contact);

/* Completes the row of a contact by its law, while the problem's bodies are at free motion. */
void scr_apply_law(StepTask *task, size_t contact);

/* What a contact remembers of the solved step, besides impulses. */
ScreeContactExtra scr_extra_after(const StepTask *task, size_t contact);

/* Whether a contact had all the rolling torque that it can bear at the end of the last step. */
bool scr_rolled(const State *state, size_t contact);

#endif
