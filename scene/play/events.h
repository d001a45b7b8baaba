/* Conditions and their state; shared by the programme and its checks. */
#ifndef SCREE_SCENE_PLAY_EVENTS_H
#define SCREE_SCENE_PLAY_EVENTS_H

#include "scene/internal.h"

/* Times within this interval count as equal: sums of steps are not exact. */
static inline double scene_time_slack(const ScreeWorld *world) {
    return 1e-3 * scree_world_get_def(world).time_step;
}

/* Whether the condition holds at this moment, given the state of the run. */
bool scene_condition_met(const Scene *scene, const SceneConditionSpec *condition,
                         const SceneProgress *progress, const ScreeWorld *world,
                         const ScreeReport *report);
/* Records the present state of the condition; called once between two steps. */
void scene_condition_note(const Scene *scene, const SceneConditionSpec *condition,
                          SceneProgress *progress, const ScreeWorld *world,
                          const ScreeReport *report);

/* actions.c: adds one line of news; when out of memory the line is lost, but not the event. */
__attribute__((format(printf, 3, 4))) void scene_add_news(Scene *scene, const ScreeWorld *world,
                                                          const char *format, ...);

/* actions.c: carries out event number `event` and reports it in the news. */
bool scene_carry_out(Scene *scene, int32_t event, ScreeWorld *world, SceneError *error);
/* cell.c: a new control of the cell, and its rates and stresses for the coming step. */
ScreeStatus scene_set_cell(Scene *scene, int32_t event, ScreeWorld *world);
bool scene_drive_cell(Scene *scene, ScreeWorld *world, SceneError *error);
/* cell.c: whether anything of it changes with time, which is what a checkpoint must know. */
bool scene_cell_is_driven(const Scene *scene);

/* growth.c: another growth; the rates for the coming step; and whether any changes with time. */
ScreeStatus scene_set_growth(Scene *scene, int32_t event, ScreeWorld *world);
bool scene_drive_growth(Scene *scene, ScreeWorld *world, SceneError *error);
bool scene_growth_is_driven(const Scene *scene);

/* drives.c: sets velocities and forces for the coming step from their programmes. */
bool scene_drive_walls(Scene *scene, ScreeWorld *world, SceneError *error);

#endif
