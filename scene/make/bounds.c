/* The planes that bound the area on which a piston exerts its stress. */
#include "scene/internal.h"

#include "math/vec.h"

#include <math.h>
#include <stdio.h>

static size_t planes_needed(int dimension, int periodic) {
    return periodic < dimension - 1 ? 2 * (size_t)(dimension - 1 - periodic) : 0;
}

size_t scene_count_bounds(const Scene *scene) {
    const SceneSpan *cell = scene->model.periodic.axis;
    return planes_needed((int)scene->model.dimension,
                         cell[0].given + cell[1].given + cell[2].given);
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

/* The numbers of the planes that the scene names. */
static bool find_named(const Scene *scene, const ScenePistonSpec *piston, ScreeWallDef *def,
                       SceneError *error) {
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

static bool is_across(const ScreeWallDef *plane, ScreeVec3 normal) {
    return plane->shape == SCREE_WALL_PLANE && fabs(dot(plane->normal, normal)) < 1e-9;
}

static bool face_each_other(const ScreeWallDef *a, const ScreeWallDef *b) {
    return dot(a->normal, b->normal) < -1 + 1e-9 && dot(a->normal, sub(b->point, a->point)) > 0;
}

/* Puts the plane that faces the one at `k` beside it. */
static bool pair_bounds(const Scene *scene, ScreeWallId *between, size_t k, size_t count) {
    for (size_t j = k + 1; j < count; j++) {
        if (face_each_other(&scene->walls[between[k].index].def,
                            &scene->walls[between[j].index].def)) {
            const ScreeWallId opposite = between[j];
            between[j] = between[k + 1];
            between[k + 1] = opposite;
            return true;
        }
    }
    return false;
}

/* The name of a plane across the piston that no other faces, or NULL. */
static const char *lone_plane(const Scene *scene, ScreeVec3 normal) {
    for (size_t i = 0; i < scene->wall_count; i++) {
        const ScreeWallDef *one = &scene->walls[i].def;
        bool faced = !is_across(one, normal);
        for (size_t j = 0; j < scene->wall_count && !faced; j++) {
            faced = is_across(&scene->walls[j].def, normal) &&
                    face_each_other(one, &scene->walls[j].def);
        }
        if (!faced) {
            return scene_wall_name(scene, (int32_t)i);
        }
    }
    return NULL;
}

static bool tell_unknown_area(const Scene *scene, size_t needed, size_t found, ScreeVec3 normal,
                              SceneLocation location, SceneError *error) {
    const char *const lone = found < needed ? lone_plane(scene, normal) : NULL;
    char hint[320];
    if (lone != NULL) {
        snprintf(hint, sizeof hint,
                 "no plane faces '%.60s': give the wall on the other side a plane (which may hold "
                 "grains, "
                 "too), or the piston a force",
                 lone);
    } else {
        snprintf(hint, sizeof hint, "%s",
                 found < needed ? "give a force: only planes that face each other bound an area"
                 : needed == 2
                     ? "name the two that bound its area, as in between: [left, right]"
                     : "name the four that bound its area, opposite ones side by side, as "
                       "in between: [left, right, front, back]");
    }
    return scene_fail(
        error, location, hint,
        found == 1 ? "%zu plane stands across the piston: the area of its stress is not known"
        : found == needed
            ? "the %zu planes that stand across the piston do not face each other: the area "
              "of its stress is not known"
            : "%zu planes stand across the piston: the area of its stress is not known",
        found);
}

/* The planes that stand across the piston and face each other, if there are as many as it needs, and
 * no others. */
static bool choose(const Scene *scene, size_t needed, const ScenePistonSpec *piston,
                   ScreeWallDef *def, SceneError *error) {
    const ScreeVec3 normal = def->shape == SCREE_WALL_PLANE ? def->normal : def->direction;
    ScreeWallId across[sizeof def->between / sizeof *def->between];
    size_t found = 0;
    for (size_t i = 0; i < scene->wall_count; i++) {
        if (is_across(&scene->walls[i].def, normal) && found++ < needed) {
            across[found - 1] = (ScreeWallId){(int32_t)i};
        }
    }
    bool paired = found == needed;
    for (size_t k = 0; k < needed && paired; k += 2) {
        paired = pair_bounds(scene, across, k, needed);
    }
    for (size_t k = 0; k < needed && paired; k++) {
        def->between[k] = across[k];
    }
    return paired || tell_unknown_area(scene, needed, found, normal,
                                       scene_location_of(scene, &piston->head, "stress"), error);
}

bool scene_find_bounds(const Scene *scene, const ScreeWorld *world, const ScenePistonSpec *piston,
                       ScreeWallDef *def, SceneError *error) {
    if (piston->between.count > 0 || !scene_has(scene, &piston->head, "stress")) {
        return find_named(scene, piston, def, error);
    }
    const ScreeWorldDef of = scree_world_get_def(world); /* its cell may be that of a run */
    const size_t needed =
        planes_needed(of.dimension, of.periodic[0] + of.periodic[1] + of.periodic[2]);
    return needed == 0 || choose(scene, needed, piston, def, error);
}
