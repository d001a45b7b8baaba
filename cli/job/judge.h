/* What is wrong with a scene before its first step. */
#ifndef SCREE_CLI_JOB_JUDGE_H
#define SCREE_CLI_JOB_JUDGE_H

#include "scene/scene.h"

/* Reports what is wrong with a scene and returns the corresponding exit status. */
int cli_scene_error(const SceneError *error);

/* Refuses a run where a command takes a scene: `scree run heap.h5`. The exit status. */
int cli_refuse_run(const char *command, const char *path);

/* Refuses, in words, what the first step would refuse, and warns of a time step that is too long
 * and of what is hardly meant; `tell` also names a time step that was chosen. The exit status. */
int cli_judge_world(const char *path, const Scene *scene, ScreeWorld *world, bool tell);

/* Refuses a world that the chosen device could not sweep. The exit status. */
int cli_judge_device(const char *path, ScreeDeviceChoice choice, ScreeWorld *world);

#endif
