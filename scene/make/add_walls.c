/* The walls of a scene put into its world. */
#include "scene/make/start.h"

#include "math/elementary.h"
#include "math/vec.h"

#include <math.h>

/* A wall of mass 0 should have no inertia of its own. It gets so little, relative to the lightest
 * grain, that it takes up a billionth of a force on a grain. The soft engine has to resolve its
 * oscillations, with a time step proportional to the root of its mass. */
static const double massless = 1e-9, massless_soft = 1e-2;

static double lightest(const ScreeWorld *world) {
    ScreeBodyView bodies = scree_world_get_bodies(world);
    double least = INFINITY;
    for (size_t i = 0; i < bodies.count; i++) {
        least = scr_min(least, bodies.mass[i]);
    }
    return isfinite(least) ? least : 1;
}

/* Like a layer of the grains that it pushes: n of them, of the mass m all together, are n^(1/d) layers. So it neither
 * hammers on them nor follows each of them. What it hands on at rest is its force, whatever its mass. */
static double layer(const ScreeWorld *world) {
    ScreeBodyView bodies = scree_world_get_bodies(world);
    double sum = 0;
    for (size_t i = 0; i < bodies.count; i++) {
        sum += bodies.mass[i];
    }
    const double n = scr_max((double)bodies.count, 1);
    return sum / (scree_world_get_def(world).dimension == 2 ? sqrt(n) : scr_cbrt(n));
}

double scene_piston_mass(const Scene *scene, const ScreeWorld *world, const SceneHead *head,
                         double mass) {
    bool soft = scene->model.engine == SCREE_ENGINE_SOFT;
    return !scene_has(scene, head, "mass") ? layer(world)
           : mass > 0                      ? mass
                                           : lightest(world) * (soft ? massless_soft : massless);
}

static bool weigh_piston(const Scene *scene, const ScreeWorld *world, const ScenePistonSpec *piston,
                         ScreeWallDef *def, SceneError *error) {
    def->mass = scene_piston_mass(scene, world, &piston->head, def->mass);
    return def->mass > 0 ||
           scene_fail(
               error, scene_location_of(scene, &piston->head, NULL),
               "add a mass, for example that of a few of the grains which will be there",
               "a piston has the mass of a layer of the grains at the start, and there are none");
}

/* The middle of the grains that a wall is made of, where they stand. */
static bool find_middle(const Scene *scene, const ScreeWorld *world, size_t wall,
                        const SceneHeld *held, size_t count, ScreeVec3 *middle) {
    const ScreeVec3 *x = scree_world_get_bodies(world).position;
    ScreeVec3 sum = {0, 0, 0};
    size_t found = 0;
    for (size_t k = 0; k < count; k++) {
        bool its = held[k].by && scene_wall_has_name(scene, wall, held[k].by);
        for (size_t i = 0; its && i < held[k].count; i++, found++) {
            sum = add(sum, x[held[k].first + i]);
        }
    }
    *middle = found > 0 ? scale(1 / (double)found, sum) : sum;
    return found > 0;
}

static bool hold(const Scene *scene, ScreeWorld *world, const SceneHeld *held, SceneError *error) {
    SceneLocation location = scene_location_of(scene, held->head, "held_by");
    size_t wall = 0;
    if (!scene_check_wall_name(scene, held->by, location, error)) {
        return false;
    }
    while (!scene_wall_has_name(scene, wall, held->by)) {
        wall++;
    }
    if (wall + 1 < scene->wall_count && scene_wall_has_name(scene, wall + 1, held->by)) {
        return scene_fail(error, location, "name one of them, as box.left",
                          "'%.60s' has several parts", held->by);
    }
    for (size_t i = 0; i < held->count; i++) {
        const ScreeBodyId body = {(int32_t)(held->first + i)};
        ScreeStatus status = scree_body_set_holder(world, body, (ScreeWallId){(int32_t)wall});
        if (status != SCREE_OK) {
            return scene_fail_status(world, status, location, error);
        }
    }
    return true;
}

bool scene_hold_grains(const Scene *scene, ScreeWorld *world, const SceneHeld *held, size_t count,
                       SceneError *error) {
    bool ok = true;
    for (size_t k = 0; k < count && ok; k++) {
        ok = !held[k].by || hold(scene, world, &held[k], error);
    }
    return ok;
}

bool scene_add_walls(const Scene *scene, ScreeWorld *world, const SceneHeld *held,
                     size_t held_count, SceneError *error) {
    const SceneWallSpec *specs = scene->model.walls.items;
    for (size_t i = 0; i < scene->wall_count; i++) {
        ScreeWallDef def = scene->walls[i].def;
        const ScenePistonSpec *piston = &specs[scene->walls[i].entry].piston;
        if (!scene_find_bounds(scene, world, piston, &def, error) ||
            (def.motion == SCREE_WALL_PISTON && !weigh_piston(scene, world, piston, &def, error))) {
            return false;
        }
        ScreeVec3 middle;
        if (def.shape == SCREE_WALL_HOLDER &&
            find_middle(scene, world, i, held, held_count, &middle)) {
            const SceneWallSpec *spec = &specs[scene->walls[i].entry];
            const bool point = scene_has(scene, &spec->holder.head, "point");
            const bool pivot = scene_has(scene, &spec->head, "pivot");
            def.point = point ? def.point : middle;
            def.pivot = pivot || point ? def.pivot : middle;
        }
        (void)scene_start_wall(scene->started, i, &def);
        ScreeStatus status = scree_world_add_wall(world, &def, NULL);
        if (status != SCREE_OK) {
            const SceneHead *head = &specs[scene->walls[i].entry].head;
            return scene_fail_status(world, status, scene_location_of(scene, head, NULL), error);
        }
    }
    return true;
}
