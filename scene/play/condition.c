#include "scene/play/events.h"

#include "scene/play/quantities.h"

static bool asks_state(const Scene *scene, const SceneConditionSpec *c) {
    const SceneHead *head = &c->head;
    return scene_has(scene, head, "kinetic_energy_below") ||
           scene_has(scene, head, "speed_below") || scene_has(scene, head, "coordination_above") ||
           scene_has(scene, head, "coordination_below") || scene_has(scene, head, "converged") ||
           c->expression;
}

/* The tests alone, without regard to how long they have held. */
static bool tests_hold(const Scene *scene, const SceneConditionSpec *c, const ScreeWorld *world,
                       const ScreeReport *report) {
    const SceneHead *head = &c->head;
    double slack = scene_time_slack(world);
    if (scene_has(scene, head, "time_after") &&
        scree_world_get_time(world) < c->time_after - slack) {
        return false;
    }
    if (scene_has(scene, head, "kinetic_energy_below") &&
        !(scree_world_get_kinetic_energy(world) < c->kinetic_energy_below)) {
        return false;
    }
    if (scene_has(scene, head, "speed_below") && !(scene_largest_speed(world) < c->speed_below)) {
        return false;
    }
    bool above = scene_has(scene, head, "coordination_above");
    bool below = scene_has(scene, head, "coordination_below");
    double z = above || below ? scree_world_get_coordination(world) : 0;
    if ((above && !(z > c->coordination_above)) || (below && !(z < c->coordination_below))) {
        return false;
    }
    if (scene_has(scene, head, "converged") &&
        !(report && (report->converged != 0) == c->converged)) {
        return false;
    }
    return !c->expression || scene_expression_now(scene, c->expression, world);
}

/* Whether it is time to check the condition at all. */
static bool is_watched(const Scene *scene, const SceneConditionSpec *c, const ScreeWorld *world) {
    double slack = scene_time_slack(world);
    uint64_t steps = scree_world_get_step_count(world);
    return steps > 0 && steps % (uint64_t)c->every == 0 &&
           (!scene_has(scene, &c->head, "after") ||
            scree_world_get_time(world) >= c->after - slack);
}

static bool ready(const Scene *scene, const SceneConditionSpec *c, const SceneProgress *progress) {
    return progress->armed || scene_has(scene, &c->head, "after") || !asks_state(scene, c);
}

bool scene_condition_met(const Scene *scene, const SceneConditionSpec *condition,
                         const SceneProgress *progress, const ScreeWorld *world,
                         const ScreeReport *report) {
    double slack = scene_time_slack(world);
    if (!condition->head.node || !is_watched(scene, condition, world) ||
        !ready(scene, condition, progress) || !tests_hold(scene, condition, world, report)) {
        return false;
    }
    double duration = progress->holding ? scree_world_get_time(world) - progress->held_since : 0;
    return duration >= condition->hold - slack;
}

void scene_condition_note(const Scene *scene, const SceneConditionSpec *condition,
                          SceneProgress *progress, const ScreeWorld *world,
                          const ScreeReport *report) {
    if (!condition->head.node || !is_watched(scene, condition, world)) {
        return;
    }
    if (!tests_hold(scene, condition, world, report)) {
        progress->armed = true;
        progress->holding = false;
    } else if (ready(scene, condition, progress) && !progress->holding) {
        progress->holding = true;
        progress->held_since = scree_world_get_time(world);
    }
}
