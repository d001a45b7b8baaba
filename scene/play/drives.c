#include "scene/play/drives.h"

#include "scene/play/events.h"
#include "scene/read/drive.h"

/* ---------------------------------------------------------------- events */

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

static bool is_piston(const ScreeWorld *world, size_t wall, ScreeWallState *state) {
    (void)scree_wall_get_state(world, (ScreeWallId){(int32_t)wall}, state);
    return state->now.motion == SCREE_WALL_PISTON;
}

ScreeStatus scene_set_wall_velocity(Scene *scene, int32_t event, ScreeWorld *world) {
    const SceneEventSpec *events = scene->model.events.items;
    const SceneSetVelocitySpec *set = &events[event].set_velocity;
    double time = scree_world_get_time(world), step = scree_world_get_def(world).time_step;
    for (size_t i = 0; i < scene->wall_count; i++) {
        const ScreeWallId wall = {(int32_t)i};
        ScreeWallState now;
        ScreeStatus status = SCREE_OK;
        if (!is_driven(scene, world, i, set->wall, "motion")) {
            continue;
        }
        if (is_piston(world, i, &now)) {
            status = scree_wall_make_moved(world, wall);
        }
        if (status == SCREE_OK) {
            status =
                scree_wall_set_velocity(world, wall, scene_drive_mean(&set->velocity, time, step),
                                        scene_drive_mean(&set->spin, time, step));
        }
        if (status != SCREE_OK) {
            return status;
        }
        scene->wall_drive[i] = event;
        scene_add_news(scene, world, "wall '%s' has a new motion", scene->walls[i].name);
    }
    return SCREE_OK;
}

ScreeStatus scene_set_wall_force(Scene *scene, int32_t event, ScreeWorld *world) {
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

/* The load at this time: the one that is given. */
static ScreeStatus load_piston(ScreeWorld *world, ScreeWallId wall, const SceneDrive *force,
                               const SceneDrive *stress) {
    double time = scree_world_get_time(world), step = scree_world_get_def(world).time_step;
    return stress->kind != DRIVE_NONE
               ? scree_wall_set_stress(world, wall, scene_drive_mean(stress, time, step).x)
               : scree_wall_set_force(world, wall, scene_drive_mean(force, time, step));
}

static ScreeStatus set_one_piston(const Scene *scene, const SceneSetPistonSpec *set,
                                  ScreeWallId wall, ScreeWorld *world) {
    double time = scree_world_get_time(world), step = scree_world_get_def(world).time_step;
    ScreeWallState state;
    const bool was = is_piston(world, (size_t)wall.index, &state);
    const bool mass = scene_has(scene, &set->head, "mass");
    const bool direction = scene_has(scene, &set->head, "direction");
    ScreeStatus status = SCREE_OK;
    if (!was || mass || direction) {
        const ScreeVec3 way = direction ? set->direction : state.now.direction;
        const bool kept = !mass && state.now.mass > 0;
        const double own =
            kept ? state.now.mass : scene_piston_mass(scene, world, &set->head, set->mass);
        status = scree_wall_make_piston(world, wall, own, way);
    }
    if (status == SCREE_OK && set->velocity.kind != DRIVE_NONE) {
        const ScreeVec3 still = {0, 0, 0};
        status = scree_wall_set_velocity(world, wall, scene_drive_mean(&set->velocity, time, step),
                                         still);
    }
    return status == SCREE_OK ? load_piston(world, wall, &set->force, &set->stress) : status;
}

ScreeStatus scene_set_piston(Scene *scene, int32_t event, ScreeWorld *world) {
    const SceneEventSpec *events = scene->model.events.items;
    const SceneSetPistonSpec *set = &events[event].set_piston;
    for (size_t i = 0; i < scene->wall_count; i++) {
        if (!is_driven(scene, world, i, set->wall, "load")) {
            continue;
        }
        ScreeStatus status = set_one_piston(scene, set, (ScreeWallId){(int32_t)i}, world);
        if (status != SCREE_OK) {
            return status;
        }
        scene->wall_drive[i] = event;
        scene_add_news(scene, world, "wall '%s' is a piston with a new load", scene->walls[i].name);
    }
    return SCREE_OK;
}

/* ---------------------------------------------------------------- before each step */

/* What drives a wall now. What an event leaves out has no programme, but for the sliding of a piston,
 * which goes on as the scene has it until an event says otherwise. */
typedef struct Drives {
    const SceneDrive *velocity, *spin, *force, *stress;
} Drives;

static Drives drives_of(const Scene *scene, size_t wall, bool piston) {
    static const SceneDrive none = {.kind = DRIVE_NONE};
    const SceneEventSpec *events = scene->model.events.items;
    const SceneWall *own = &scene->walls[wall];
    const int32_t source = scene->wall_drive[wall];
    if (source < 0) {
        return (Drives){&own->velocity, &own->spin, &own->force, &own->stress};
    }
    const SceneEventSpec *event = &events[source];
    if (!piston) {
        return (Drives){&event->set_velocity.velocity, &event->set_velocity.spin, &none, &none};
    }
    const SceneSetPistonSpec *set = &event->set_piston;
    const bool slides = set->velocity.kind != DRIVE_NONE;
    const bool own_slide = own->def.motion == SCREE_WALL_PISTON;
    return (Drives){slides      ? &set->velocity
                    : own_slide ? &own->velocity
                                : &none,
                    &none, &set->force, &set->stress};
}

static ScreeStatus drive_wall(Scene *scene, ScreeWorld *world, size_t i) {
    double time = scree_world_get_time(world), step = scree_world_get_def(world).time_step;
    const ScreeWallId wall = {(int32_t)i};
    ScreeWallState now;
    const bool piston = is_piston(world, i, &now);
    const Drives d = drives_of(scene, i, piston);
    ScreeStatus status = SCREE_OK;
    if (scene_drive_changes(d.velocity) || scene_drive_changes(d.spin)) {
        status = scree_wall_set_velocity(world, wall, scene_drive_mean(d.velocity, time, step),
                                         scene_drive_mean(d.spin, time, step));
    }
    if (status == SCREE_OK && piston &&
        (scene_drive_changes(d.force) || scene_drive_changes(d.stress))) {
        status = load_piston(world, wall, d.force, d.stress);
    }
    return status;
}

bool scene_drive_walls(Scene *scene, ScreeWorld *world, SceneError *error) {
    const SceneWallSpec *specs = scene->model.walls.items;
    for (size_t i = 0; i < scene->wall_count; i++) {
        ScreeStatus status = SCREE_OK;
        if (scene->wall_drive[i] != WALL_REMOVED) {
            status = drive_wall(scene, world, i);
        }
        if (status != SCREE_OK) {
            const SceneHead *head = &specs[scene->walls[i].entry].head;
            return scene_fail_status(world, status, scene_location_of(scene, head, NULL), error);
        }
    }
    return true;
}
