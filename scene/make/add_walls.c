/* The walls of a scene put into its world. */
#include "scene/make/start.h"

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

double scene_light_mass(const Scene *scene, const ScreeWorld *world) {
    bool soft = scene->model.engine == SCREE_ENGINE_SOFT;
    return lightest(world) * (soft ? massless_soft : massless);
}

/* Nothing lies between a wall and itself: the stress would act on no area. Nor is a wall on two
 * sides of a piston. */
static bool check_bounds(const Scene *scene, const ScenePistonSpec *piston, const ScreeWallDef *def,
                         SceneError *error) {
    for (size_t k = 1; k < piston->between.count; k++) {
        for (size_t j = 0; j < k; j++) {
            if (def->between[j].index == def->between[k].index) {
                return scene_fail(error, scene_location(&scene->document, piston->between.nodes[k]),
                                  scene->model.dimension == 2
                                      ? "name the two walls at its ends"
                                      : "name four walls, opposite ones side by side",
                                  "the stress acts between '%.60s' and itself: on no area",
                                  piston->between.names[k]);
            }
        }
    }
    return true;
}

static bool is_across(const ScreeWallDef *plane, ScreeVec3 normal) {
    return plane->shape == SCREE_WALL_PLANE && fabs(dot(plane->normal, normal)) < 1e-9;
}

/* Puts the plane that faces the one at `k` beside it. */
static bool pair_bounds(const Scene *scene, ScreeWallId *between, size_t k, size_t count) {
    const ScreeVec3 normal = scene->walls[between[k].index].def.normal;
    for (size_t j = k + 1; j < count; j++) {
        if (dot(scene->walls[between[j].index].def.normal, normal) < -1 + 1e-9) {
            const ScreeWallId opposite = between[j];
            between[j] = between[k + 1];
            between[k + 1] = opposite;
            return true;
        }
    }
    return false;
}

/* Where the scene does not say what bounds the area of a stress, the planes do that stand across the piston
 * and face each other: if there are as many as it needs, and no others. */
static bool choose_bounds(const Scene *scene, const ScenePistonSpec *piston, ScreeWallDef *def,
                          SceneError *error) {
    const size_t most = sizeof def->between / sizeof *def->between;
    const size_t needed = scene_count_bounds(scene);
    const ScreeVec3 normal = def->shape == SCREE_WALL_PLANE ? def->normal : def->direction;
    size_t found = 0;
    for (size_t i = 0; i < scene->wall_count; i++) {
        if (is_across(&scene->walls[i].def, normal) && found++ < most) {
            def->between[found - 1] = (ScreeWallId){(int32_t)i};
        }
    }
    bool paired = found == needed;
    for (size_t k = 0; k < needed && paired; k += 2) {
        paired = pair_bounds(scene, def->between, k, needed);
    }
    const char *hint =
        found < needed ? "give a force: only planes that face each other bound an area"
        : needed == 2  ? "name the two that bound its area, as in between: [left, right]"
                       : "name the four that bound its area, opposite ones side by side, as in "
                         "between: [left, right, front, back]";
    return paired ||
           scene_fail(error, scene_location_of(scene, &piston->head, "stress"), hint,
                      "%zu planes stand across the piston: the area of its stress is not known",
                      found);
}

/* The numbers of the planes between which a stress acts, now or once its programme has begun. */
static bool find_bounds(const Scene *scene, const ScenePistonSpec *piston, ScreeWallDef *def,
                        SceneError *error) {
    const bool started = scene->model.start.head.node != 0; /* its run may have a cell */
    if (piston->between.count == 0 && scene_has(scene, &piston->head, "stress") && !started) {
        return choose_bounds(scene, piston, def, error);
    }
    for (size_t k = 0; k < piston->between.count; k++) {
        const char *name = piston->between.names[k];
        SceneLocation location = scene_location(&scene->document, piston->between.nodes[k]);
        if (!scene_check_wall_name(scene, name, location, error)) {
            return false;
        }
        size_t wall = 0;
        while (!scene_wall_has_name(scene, wall, name)) {
            wall++;
        }
        if (scene->walls[wall].def.shape != SCREE_WALL_PLANE) {
            return scene_fail(error, location, "for a face of a box write box.left",
                              "'%.60s' is not a plane", name);
        }
        def->between[k] = (ScreeWallId){(int32_t)wall};
    }
    return check_bounds(scene, piston, def, error);
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
    double least = scene_light_mass(scene, world);
    for (size_t i = 0; i < scene->wall_count; i++) {
        ScreeWallDef def = scene->walls[i].def;
        if (def.motion == SCREE_WALL_PISTON && def.mass == 0) {
            def.mass = least;
        }
        if (!find_bounds(scene, &specs[scene->walls[i].entry].piston, &def, error)) {
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
