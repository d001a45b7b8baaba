/* Conditions and what has become of them; shared by the programme and its checks. */
#ifndef SCREE_SCENE_PLAY_EVENTS_H
#define SCREE_SCENE_PLAY_EVENTS_H

#include "scene/internal.h"

/* Times within this count as equal: sums of steps are not exact. */
static inline double scene_time_slack(const ScreeWorld *world) {
    return 1e-3 * scree_world_get_def(world).time_step;
}

/* Whether the condition holds at the moment, given the state of the run. */
bool scene_condition_met(const Scene *scene, const SceneConditionSpec *condition,
                         const SceneProgress *progress, const ScreeWorld *world,
                         const ScreeReport *report);
/* Notes what the condition is now; once between two steps. */
void scene_condition_note(const Scene *scene, const SceneConditionSpec *condition,
                          SceneProgress *progress, const ScreeWorld *world,
                          const ScreeReport *report);

/* actions.c: carries out event number `event` and tells it in the news. */
bool scene_carry_out(Scene *scene, int32_t event, ScreeWorld *world, SceneError *error);
/* actions.c: velocities and forces of the coming step from their programmes. */
bool scene_drive_walls(Scene *scene, ScreeWorld *world, SceneError *error);

#endif
