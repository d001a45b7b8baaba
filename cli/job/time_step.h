/* Messages about the time step of the soft engine, which must resolve its springs. */
#ifndef SCREE_CLI_JOB_TIME_STEP_H
#define SCREE_CLI_JOB_TIME_STEP_H

#include "scene/scene.h"

/* Warns of a step that is too long; with `tell` also says which one was chosen automatically. */
void cli_judge_step(const Scene *scene, const ScreeWorld *world, bool tell);

#endif
