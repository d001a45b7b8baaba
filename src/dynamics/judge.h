/* Whether a solution is still one once everything has moved: a step that is not has not converged. */
#ifndef SCREE_DYNAMICS_JUDGE_H
#define SCREE_DYNAMICS_JUDGE_H

#include "dynamics/engine.h"

/* The law sees gaps that are linear in the motion; bodies that turn, or move far, may have come
 * closer than that. What was really added is reported, and if it is too much the step has not
 * converged, whatever the residuals say. */
void scr_judge_motion(StepTask *task, double added, ScreeReport *report);

/* What contacts take is never negative in an exact solution without springs (docs/certificate.md),
 * with what is lost to the time stepping where forces reverse a motion: from v' M dv - dv M dv / 2,
 * the gain of kinetic energy, the two are dv M dv / 2 - R u', and R u' <= 0 where contacts are asked
 * for nothing. (What bridges hold more than by their linear gaps, since round surfaces pass by each
 * other, is no gain of the contacts.) If they give more than velocities within the tolerance of the
 * law can explain, the step has not converged. */
void scr_judge_energy(StepTask *task, const EnergyBalance *balance, double straight,
                      ScreeReport *report);

#endif
