/* What events do to the world. */
#include "scene/play/events.h"

#include "base/plural.h"

#include "scene/make/bonds.h"
#include "scene/make/laws.h"
#include "scene/make/cell.h"
#include "scene/play/drives.h"
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

static bool is_within(const SceneHoldSpec *spec, ScreeVec3 x) {
    const double at[3] = {x.x, x.y, x.z};
    bool within = true;
    for (int k = 0; k < 3; k++) {
        const SceneSpan span = spec->region.axis[k];
        within = within && (!span.given || (at[k] >= span.from && at[k] <= span.to));
    }
    return within;
}

/* A wall takes the grains along whose centres are in a region, unless a wall holds them already. */
static ScreeStatus hold_grains(Scene *scene, const SceneHoldSpec *spec, ScreeWorld *world) {
    const ScreeBodyView bodies = scree_world_get_bodies(world);
    ScreeStatus status = SCREE_OK;
    size_t wall = 0, count = 0;
    while (!scene_wall_has_name(scene, wall, spec->wall)) {
        wall++;
    }
    if (scene->wall_drive[wall] == WALL_REMOVED) {
        scene_add_news(scene, world, "wall '%s' was removed before: it holds nothing", spec->wall);
        return SCREE_OK;
    }
    for (size_t i = 0; i < bodies.count && status == SCREE_OK; i++) {
        const ScreeWallId *holder = scree_world_get_bodies(world).holder;
        if (is_within(spec, bodies.position[i]) && (!holder || holder[i].index < 0)) {
            status = scree_body_set_holder(world, (ScreeBodyId){(int32_t)i},
                                           (ScreeWallId){(int32_t)wall});
            count++;
        }
    }
    scene_add_news(scene, world, "wall '%s' holds %zu more %s", spec->wall, count,
                   SCR_PLURAL(count, "grain", "grains"));
    return status;
}

static ScreeStatus let_go(Scene *scene, const char *name, ScreeWorld *world) {
    const ScreeBodyView bodies = scree_world_get_bodies(world);
    ScreeStatus status = SCREE_OK;
    size_t count = 0;
    for (size_t i = 0; bodies.holder && i < bodies.count && status == SCREE_OK; i++) {
        const int32_t wall = bodies.holder[i].index;
        if (wall >= 0 && scene_wall_has_name(scene, (size_t)wall, name)) {
            status = scree_body_set_holder(world, (ScreeBodyId){(int32_t)i}, SCREE_NO_WALL);
            count++;
        }
    }
    scene_add_news(scene, world, "wall '%s' lets %zu %s go", name, count,
                   SCR_PLURAL(count, "grain", "grains"));
    return status;
}

static ScreeStatus glue(Scene *scene, const char *name, ScreeWorld *world) {
    size_t made;
    const ScreeStatus status = scene_glue(scene, name, world, &made);
    scene_add_news(scene, world, "%zu %s '%s'%s", made, SCR_PLURAL(made, "bond", "bonds"), name,
                   made == 0 ? ": nothing touches that is not glued already" : "");
    return status;
}

bool scene_makes_plates(const Scene *scene) {
    const SceneEventSpec *events = scene->model.events.items;
    bool any = false;
    for (size_t i = 0; i < scene->model.events.count; i++) {
        any = any || events[i].hold.head.node || events[i].set_piston.head.node;
    }
    return any;
}

/* ---------------------------------------------------------------- the whole */

bool scene_carry_out(Scene *scene, int32_t event, ScreeWorld *world, SceneError *error) {
    const SceneEventSpec *events = scene->model.events.items;
    const SceneEventSpec *spec = &events[event];
    ScreeStatus status = SCREE_OK;
    scene->events[event].happened = true;
    status = remove_walls(scene, &spec->remove, world);
    if (status == SCREE_OK && spec->set_velocity.head.node) {
        status = spec->set_velocity.wall ? scene_set_wall_velocity(scene, event, world)
                                         : set_grain_velocity(scene, &spec->set_velocity, world);
    }
    if (status == SCREE_OK && spec->set_force.head.node) {
        status = spec->set_force.wall ? scene_set_wall_force(scene, event, world)
                                      : set_grain_force(scene, &spec->set_force, world);
    }
    if (status == SCREE_OK && spec->set_piston.head.node) {
        status = scene_set_piston(scene, event, world);
    }
    if (status == SCREE_OK && spec->hold.head.node) {
        status = hold_grains(scene, &spec->hold, world);
    }
    for (size_t k = 0; k < spec->let_go.count && status == SCREE_OK; k++) {
        status = let_go(scene, spec->let_go.names[k], world);
    }
    for (size_t k = 0; k < spec->glue.count && status == SCREE_OK; k++) {
        status = glue(scene, spec->glue.names[k], world);
    }
    if (status == SCREE_OK && spec->add_bridges) {
        size_t made = 0;
        status = scree_world_add_bridges(world, &made);
        scene_add_news(scene, world, "%zu more liquid %s", made,
                       SCR_PLURAL(made, "bridge", "bridges"));
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
    if (status == SCREE_OK && spec->set_growth.head.node) {
        const SceneGrowthSpec *growth = &spec->set_growth;
        const bool ends = growth->rate.kind == DRIVE_CONSTANT && growth->rate.mean.x == 0;
        status = scene_set_growth(scene, event, world);
        scene_add_news(scene, world, "grains%s%.60s %s", growth->material ? " of " : "",
                       growth->material ? growth->material : "",
                       ends ? "grow no more" : "have a new growth");
    }
    return status == SCREE_OK ||
           scene_fail_status(world, status, scene_location_of(scene, &spec->head, NULL), error);
}
