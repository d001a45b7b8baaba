/* What events do to the world. */
#include "scene/play/events.h"

#include "scene/make/laws.h"
#include "scene/make/cell.h"
#include "scene/read/drive.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void scene_add_news(Scene *scene, const ScreeWorld *world, const char *format, ...) {
    char line[320];
    int used = snprintf(line, sizeof line, "t = %g: ", scree_world_get_time(world));
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line + used, sizeof line - (size_t)used - 1, format, arguments);
    va_end(arguments);
    strcat(line, "\n"); /* vsnprintf left one byte for this */
    size_t length = strlen(line);
    if (scene->news_used + length + 1 > scene->news_size) {
        size_t size = 2 * (scene->news_used + length + 1);
        char *grown = realloc(scene->news, size);
        if (!grown) {
            return;
        }
        scene->news = grown;
        scene->news_size = size;
    }
    memcpy(scene->news + scene->news_used, line, length + 1);
    scene->news_used += length;
}

/* ---------------------------------------------------------------- walls */

/* Removes the walls of one name; that none is left of them is news. */
static ScreeStatus remove_named(Scene *scene, const char *name, ScreeWorld *world) {
    bool any = false;
    for (size_t i = 0; i < scene->wall_count; i++) {
        if (!scene_wall_has_name(scene, i, name) || scene->wall_drive[i] == WALL_REMOVED) {
            continue;
        }
        ScreeStatus status = scree_wall_remove(world, (ScreeWallId){(int32_t)i});
        if (status != SCREE_OK) {
            return status;
        }
        scene->wall_drive[i] = WALL_REMOVED;
        any = true;
        scene_add_news(scene, world, "wall '%s' removed", scene->walls[i].name);
    }
    if (!any) {
        scene_add_news(scene, world, "wall '%s' was removed before", name);
    }
    return SCREE_OK;
}

static ScreeStatus remove_walls(Scene *scene, const SceneNames *names, ScreeWorld *world) {
    ScreeStatus status = SCREE_OK;
    for (size_t n = 0; n < names->count && status == SCREE_OK; n++) {
        status = remove_named(scene, names->names[n], world);
    }
    return status;
}

/* Whether an event drives this wall: it has the name, and has not been removed, which is news. */
static bool is_driven(Scene *scene, const ScreeWorld *world, size_t wall, const char *name,
                      const char *what) {
    if (!scene_wall_has_name(scene, wall, name)) {
        return false;
    }
    bool removed = scene->wall_drive[wall] == WALL_REMOVED;
    if (removed) {
        scene_add_news(scene, world, "wall '%s' was removed before: its %s is not set",
                       scene->walls[wall].name, what);
    }
    return !removed;
}

static ScreeStatus set_wall_velocity(Scene *scene, int32_t event, ScreeWorld *world) {
    const SceneEventSpec *events = scene->model.events.items;
    const SceneSetVelocitySpec *set = &events[event].set_velocity;
    double time = scree_world_get_time(world), step = scree_world_get_def(world).time_step;
    for (size_t i = 0; i < scene->wall_count; i++) {
        if (!is_driven(scene, world, i, set->wall, "motion")) {
            continue;
        }
        ScreeStatus status = scree_wall_set_velocity(world, (ScreeWallId){(int32_t)i},
                                                     scene_drive_mean(&set->velocity, time, step),
                                                     scene_drive_mean(&set->spin, time, step));
        if (status != SCREE_OK) {
            return status;
        }
        scene->wall_drive[i] = event;
        scene_add_news(scene, world, "wall '%s' has a new motion", scene->walls[i].name);
    }
    return SCREE_OK;
}

static ScreeStatus set_wall_force(Scene *scene, int32_t event, ScreeWorld *world) {
    const SceneEventSpec *events = scene->model.events.items;
    const SceneSetForceSpec *set = &events[event].set_force;
    for (size_t i = 0; i < scene->wall_count; i++) {
        if (!is_driven(scene, world, i, set->wall, "force")) {
            continue;
        }
        ScreeStatus status = scree_wall_set_force(world, (ScreeWallId){(int32_t)i}, set->force);
        if (status != SCREE_OK) {
            return status;
        }
        scene->wall_drive[i] = event;
        scene_add_news(scene, world, "piston '%s' carries (%g, %g, %g)", scene->walls[i].name,
                       set->force.x, set->force.y, set->force.z);
    }
    return SCREE_OK;
}

bool scene_drive_walls(Scene *scene, ScreeWorld *world, SceneError *error) {
    const SceneEventSpec *events = scene->model.events.items;
    const SceneWallSpec *specs = scene->model.walls.items;
    double time = scree_world_get_time(world), step = scree_world_get_def(world).time_step;
    for (size_t i = 0; i < scene->wall_count; i++) {
        const SceneWall *wall = &scene->walls[i];
        int32_t source = scene->wall_drive[i];
        const SceneDrive *velocity = &wall->velocity, *spin = &wall->spin;
        ScreeStatus status = SCREE_OK;
        if (source == WALL_REMOVED) {
            continue;
        }
        if (wall->def.motion == SCREE_WALL_PISTON) {
            if (source == DRIVE_OWN && scene_drive_changes(&wall->force)) {
                status = scree_wall_set_force(world, (ScreeWallId){(int32_t)i},
                                              scene_drive_mean(&wall->force, time, step));
            }
        } else {
            if (source >= 0) {
                velocity = &events[source].set_velocity.velocity;
                spin = &events[source].set_velocity.spin;
            }
            if (scene_drive_changes(velocity) || scene_drive_changes(spin)) {
                status = scree_wall_set_velocity(world, (ScreeWallId){(int32_t)i},
                                                 scene_drive_mean(velocity, time, step),
                                                 scene_drive_mean(spin, time, step));
            }
        }
        if (status != SCREE_OK) {
            SceneLocation location = scene_location_of(scene, &specs[wall->entry].head, NULL);
            return scene_fail_status(world, status, location, error);
        }
    }
    return true;
}

/* ---------------------------------------------------------------- grains */

static int32_t last_of(const SceneGrainRange *range, const ScreeWorld *world) {
    size_t count = scree_world_get_bodies(world).count;
    return range->all || (size_t)range->last >= count ? (int32_t)count - 1 : (int32_t)range->last;
}

static ScreeStatus set_grain_velocity(Scene *scene, const SceneSetVelocitySpec *set,
                                      ScreeWorld *world) {
    int32_t last = last_of(&set->grains, world);
    for (int32_t i = (int32_t)set->grains.first; i <= last; i++) {
        ScreeBodyView bodies = scree_world_get_bodies(world);
        bool moves = set->velocity.kind != DRIVE_NONE, turns = set->spin.kind != DRIVE_NONE;
        ScreeStatus status = scree_body_set_velocity(
            world, (ScreeBodyId){i}, moves ? set->velocity.mean : bodies.velocity[i],
            turns ? set->spin.mean : bodies.spin[i]);
        if (status != SCREE_OK) {
            return status;
        }
    }
    scene_add_news(scene, world, "new velocity of grains %d to %d", (int)set->grains.first, last);
    return SCREE_OK;
}

static ScreeStatus set_grain_force(Scene *scene, const SceneSetForceSpec *set, ScreeWorld *world) {
    int32_t last = last_of(&set->grains, world);
    bool force = scene_has(scene, &set->head, "force");
    bool torque = scene_has(scene, &set->head, "torque");
    for (int32_t i = (int32_t)set->grains.first; i <= last; i++) {
        ScreeBodyView bodies = scree_world_get_bodies(world);
        ScreeStatus status =
            scree_body_set_force(world, (ScreeBodyId){i}, force ? set->force : bodies.force[i],
                                 torque ? set->torque : bodies.torque[i]);
        if (status != SCREE_OK) {
            return status;
        }
    }
    scene_add_news(scene, world, "new force on grains %d to %d", (int)set->grains.first, last);
    return SCREE_OK;
}

/* ---------------------------------------------------------------- the whole */

bool scene_carry_out(Scene *scene, int32_t event, ScreeWorld *world, SceneError *error) {
    const SceneEventSpec *events = scene->model.events.items;
    const SceneEventSpec *spec = &events[event];
    ScreeStatus status = SCREE_OK;
    scene->events[event].happened = true;
    status = remove_walls(scene, &spec->remove, world);
    if (status == SCREE_OK && spec->set_velocity.head.node) {
        status = spec->set_velocity.wall ? set_wall_velocity(scene, event, world)
                                         : set_grain_velocity(scene, &spec->set_velocity, world);
    }
    if (status == SCREE_OK && spec->set_force.head.node) {
        status = spec->set_force.wall ? set_wall_force(scene, event, world)
                                      : set_grain_force(scene, &spec->set_force, world);
    }
    if (status == SCREE_OK && spec->set_friction.head.node) {
        char line[240];
        status = scene_set_friction(scene, &spec->set_friction, world, line, sizeof line);
        scene_add_news(scene, world, "%s", line);
    }
    if (status == SCREE_OK && scene_has(scene, &spec->head, "set_gravity")) {
        status = scree_world_set_gravity(world, spec->set_gravity);
        scene_add_news(scene, world, "gravity is now (%g, %g, %g)", spec->set_gravity.x,
                       spec->set_gravity.y, spec->set_gravity.z);
    }
    if (status == SCREE_OK && spec->set_cell.head.node) {
        status = scene_set_cell(scene, event, world);
        scene_add_news(scene, world, "the cell has a new control");
    }
    return status == SCREE_OK ||
           scene_fail_status(world, status, scene_location_of(scene, &spec->head, NULL), error);
}
