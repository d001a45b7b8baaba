/* Impacts with restitution, one after the other within a step (cascade.c). */
#ifndef SCREE_DYNAMICS_CASCADE_H
#define SCREE_DYNAMICS_CASCADE_H

#include "dynamics/step_task.h"

/* Finds the chains of impacts of the step, while the problem's bodies are at free motion. Their
 * rows then have the impulses that solve them, and biases that say so. */
ScreeStatus scr_chain_impacts(StepTask *task);

/* After the solution: if something else has changed the velocity of a body in a chain, the step is
 * to be posed `again`, where such chains are left to the law of the whole step. */
ScreeStatus scr_ban_disturbed(StepTask *task, bool *again);

/* The normals at which the bodies met, into the contacts. */
void scr_collect_normals(const StepTask *task, State *state);

/* What the impacts of chains take, by normal impulses and by friction, instead of what their rows
 * say over the whole step; while the problem's bodies have their mean velocities. */
void scr_attribute_impacts(const StepTask *task, double *normal, double *friction);

/* Whether two round bodies that are no contact, of the ranks given, come to overlap, of which at
 * least one makes a detour; d is their difference at the start. */
bool scr_detours_overlap(const StepTask *task, Pair ranks, Vec3 d, double margin);

#endif
