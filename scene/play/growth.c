/* Grains that grow or shrink in the course of a run: of their own, or as the last event wants that named
 * their material. */
#include "scene/play/events.h"
#include "scene/read/drive.h"

#include <math.h>

static const SceneGrowthSpec *spec_of(const Scene *scene, size_t material) {
    const SceneEventSpec *events = scene->model.events.items;
    const SceneMaterialSpec *materials = scene->model.materials.items;
    const int32_t source = scene->growth_drive[material];
    return source >= 0 ? &events[source].set_growth : &materials[material].growth;
}

static bool is_given(const SceneGrowthSpec *spec) {
    return spec->rate.kind != DRIVE_NONE || spec->factor.kind != DRIVE_NONE;
}

static bool is_of(const Scene *scene, const SceneGrowthSpec *spec, size_t material) {
    const SceneLocation nowhere = {&scene->document.source, 0, 0, 0};
    return spec->material == NULL ||
           scene_material_number(scene, spec->material, nowhere, NULL) == (int32_t)material;
}

bool scene_makes_growth(const Scene *scene) {
    const SceneEventSpec *events = scene->model.events.items;
    const SceneMaterialSpec *materials = scene->model.materials.items;
    bool any = false;
    for (size_t i = 0; i < scene->model.materials.count; i++) {
        any = any || is_given(&materials[i].growth);
    }
    for (size_t i = 0; i < scene->model.events.count; i++) {
        any = any || is_given(&events[i].set_growth);
    }
    return any;
}

/* ---------------------------------------------------------------- rates */

/* exp(x) - 1; the series is exact to rounding as far as grains may grow in a step. */
static double exponential_less_one(double x) {
    double sum = 1;
    for (int k = 14; k > 1; k--) {
        sum = 1 + x / k * sum;
    }
    return x * sum;
}

/* A step multiplies the radii by 1 + rate dt: with this rate by what the programme says. */
static double rate_now(const SceneGrowthSpec *spec, double time, double step) {
    if (spec->factor.kind != DRIVE_NONE) {
        const double from = scene_drive_mean(&spec->factor, time, 0).x;
        return (scene_drive_mean(&spec->factor, time + step, 0).x / from - 1) / step;
    }
    return spec->rate.kind != DRIVE_NONE
               ? exponential_less_one(scene_drive_mean(&spec->rate, time, step).x * step) / step
               : 0;
}

static ScreeStatus set_now(const Scene *scene, size_t material, ScreeWorld *world) {
    const ScreeMaterialId id = {(int32_t)material};
    const SceneGrowthSpec *spec = spec_of(scene, material);
    const ScreeWorldDef def = scree_world_get_def(world);
    ScreeGrowth growth = scree_growth_default();
    ScreeStatus status = scree_material_get_growth(world, id, &growth);
    growth.rate = rate_now(spec, scree_world_get_time(world), def.time_step);
    if (scene_has(scene, &spec->head, "keep")) {
        growth.keeps = (ScreeGrowthKeeps)spec->keep;
    }
    return status == SCREE_OK ? scree_material_set_growth(world, id, &growth) : status;
}

ScreeStatus scene_set_growth(Scene *scene, int32_t event, ScreeWorld *world) {
    const SceneEventSpec *events = scene->model.events.items;
    ScreeStatus status = SCREE_OK;
    for (size_t i = 0; i < scene->model.materials.count && status == SCREE_OK; i++) {
        if (is_of(scene, &events[event].set_growth, i)) {
            scene->growth_drive[i] = event;
            status = set_now(scene, i, world);
        }
    }
    return status;
}

/* ---------------------------------------------------------------- programmes */

static bool spec_changes(const SceneGrowthSpec *spec) {
    return scene_drive_changes(&spec->rate) || spec->factor.kind != DRIVE_NONE;
}

bool scene_growth_is_driven(const Scene *scene) {
    const SceneEventSpec *events = scene->model.events.items;
    const SceneMaterialSpec *materials = scene->model.materials.items;
    bool any = false;
    for (size_t i = 0; i < scene->model.materials.count; i++) {
        any = any || spec_changes(&materials[i].growth);
    }
    for (size_t i = 0; i < scene->model.events.count; i++) {
        any = any || spec_changes(&events[i].set_growth);
    }
    return any;
}

bool scene_drive_growth(Scene *scene, ScreeWorld *world, SceneError *error) {
    if (!scene_growth_is_driven(scene)) {
        return true;
    }
    for (size_t i = 0; i < scene->model.materials.count; i++) {
        const SceneGrowthSpec *spec = spec_of(scene, i);
        const ScreeStatus status = spec_changes(spec) ? set_now(scene, i, world) : SCREE_OK;
        if (status != SCREE_OK) {
            return scene_fail_status(world, status, scene_location_of(scene, &spec->head, NULL),
                                     error);
        }
    }
    return true;
}

/* ---------------------------------------------------------------- the start */

/* Whether the world could grow so, which it need not do yet. */
static ScreeStatus try_growth(const SceneGrowthSpec *spec, size_t material, ScreeWorld *world) {
    const ScreeMaterialId id = {(int32_t)material};
    ScreeGrowth was = scree_growth_default(), tried = was;
    ScreeStatus status = scree_material_get_growth(world, id, &was);
    tried.rate =
        spec->rate.kind == DRIVE_CONSTANT && spec->rate.mean.x != 0 ? spec->rate.mean.x : 1e-300;
    if (status == SCREE_OK) {
        status = scree_material_set_growth(world, id, &tried);
    }
    if (status == SCREE_OK) {
        status = scree_world_check(world);
    }
    (void)scree_material_set_growth(world, id, &was);
    return status;
}

bool scene_start_growth(Scene *scene, ScreeWorld *world, SceneError *error) {
    const SceneEventSpec *events = scene->model.events.items;
    const SceneMaterialSpec *materials = scene->model.materials.items;
    const size_t count = scene->model.materials.count;
    if (!scene_makes_growth(scene) || scree_world_check(world) != SCREE_OK) {
        return true; /* whoever runs the world tells what is wrong with it */
    }
    for (size_t k = 0; k < scene->model.events.count + count; k++) {
        const SceneGrowthSpec *spec =
            k < count ? &materials[k].growth : &events[k - count].set_growth;
        for (size_t i = 0; i < count && is_given(spec); i++) {
            const bool meant = k < count ? i == k : is_of(scene, spec, i);
            const ScreeStatus status = meant ? try_growth(spec, i, world) : SCREE_OK;
            if (status != SCREE_OK) {
                return scene_fail_status(world, status, scene_location_of(scene, &spec->head, NULL),
                                         error);
            }
        }
    }
    for (size_t i = 0; i < count; i++) {
        const ScreeStatus status =
            is_given(spec_of(scene, i)) ? set_now(scene, i, world) : SCREE_OK;
        if (status != SCREE_OK) {
            return scene_fail_status(
                world, status, scene_location_of(scene, &spec_of(scene, i)->head, NULL), error);
        }
    }
    return true;
}

/* ---------------------------------------------------------------- checks */

/* Radii stay above zero. */
static bool check_factor(const Scene *scene, const SceneGrowthSpec *spec, SceneError *error) {
    const SceneDrive *f = &spec->factor;
    const SceneLocation place = scene_location_of(scene, &spec->head, "factor");
    bool above = f->kind != DRIVE_HARMONIC || f->mean.x > fabs(f->amplitude.x);
    for (size_t k = 0; f->kind == DRIVE_TABLE && k < f->table.count; k++) {
        above = above && f->table.rows[k][1] > 0;
    }
    if (f->kind == DRIVE_CONSTANT) {
        return scene_fail(error, place, "factor: {table: [[0, 1], [10, 1.2]]}",
                          "a factor that stays the same makes nothing grow");
    }
    return above || scene_fail(error, place, "with an oscillation, give mean: 1",
                               "a factor of radii must always be above 0");
}

static bool check_spec(const Scene *scene, const SceneGrowthSpec *spec, SceneError *error) {
    const SceneHead *head = &spec->head;
    if (!head->node) {
        return true;
    }
    if (scene_has(scene, head, "rate") == scene_has(scene, head, "factor")) {
        return scene_fail(error, scene_location_of(scene, head, NULL), NULL,
                          "give either 'rate' or 'factor'");
    }
    if (spec->material &&
        scene_material_number(scene, spec->material, scene_location_of(scene, head, "material"),
                              error) < 0) {
        return false;
    }
    return check_factor(scene, spec, error);
}

bool scene_check_growth(Scene *scene, SceneError *error) {
    const SceneEventSpec *events = scene->model.events.items;
    const SceneMaterialSpec *materials = scene->model.materials.items;
    const size_t count = scene->model.materials.count;
    bool good = true;
    scene->growth_drive = scene_alloc(&scene->arena, count + 1, sizeof *scene->growth_drive);
    if (!scene->growth_drive) {
        return scene_out_of_memory(error, scene_location(&scene->document, 0), NULL);
    }
    for (size_t i = 0; i < count && good; i++) {
        scene->growth_drive[i] = DRIVE_OWN;
        good = check_spec(scene, &materials[i].growth, error);
    }
    for (size_t i = 0; i < scene->model.events.count && good; i++) {
        good = check_spec(scene, &events[i].set_growth, error);
    }
    return good;
}
