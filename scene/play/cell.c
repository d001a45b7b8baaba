/* The control of the periodic cell in the course of a run: events, and programmes in time. */
#include "scene/make/cell.h"
#include "scene/play/events.h"
#include "scene/read/drive.h"

/* Whether the spec says what a component does, by its rate or by its stress. */
static bool names(const Scene *scene, const SceneCellSpec *spec, int component) {
    const char *name = scree_cell_get_component(component);
    return (spec->rate.head.node && scene_has(scene, &spec->rate.head, name)) ||
           (spec->stress.head.node && scene_has(scene, &spec->stress.head, name));
}

static const SceneCellSpec *spec_of(const Scene *scene, int32_t source) {
    const SceneEventSpec *events = scene->model.events.items;
    return source >= 0 ? &events[source].set_cell : &scene->model.cell;
}

static double now(const SceneDrive *drive, const ScreeWorld *world) {
    const ScreeWorldDef def = scree_world_get_def(world);
    return scene_drive_mean(drive, scree_world_get_time(world), def.time_step).x;
}

/* ---------------------------------------------------------------- events */

ScreeStatus scene_set_cell(Scene *scene, int32_t event, ScreeWorld *world) {
    const SceneCellSpec *spec = spec_of(scene, event);
    const ScreeWorldDef def = scree_world_get_def(world);
    ScreeCellDef cell = def.deform;
    scene_cell_control(scene, spec, scree_world_get_time(world), def.time_step, &cell);
    const ScreeStatus status = scree_world_set_cell(world, &cell);
    for (int k = 0; k < 9 && status == SCREE_OK; k++) {
        scene->cell_drive[k] = names(scene, spec, k) ? event : scene->cell_drive[k];
    }
    if (status == SCREE_OK && scene_has(scene, &spec->head, "pressure")) {
        scene->cell_drive[CELL_PRESSURE] = event;
    }
    return status;
}

/* ---------------------------------------------------------------- programmes */

static bool spec_changes(const SceneCellSpec *spec) {
    bool any = scene_drive_changes(&spec->pressure);
    for (int k = 0; k < 9; k++) {
        any = any || scene_drive_changes(&spec->rate.of[k]) ||
              scene_drive_changes(&spec->stress.of[k]);
    }
    return any;
}

bool scene_cell_is_driven(const Scene *scene) {
    bool any = spec_changes(&scene->model.cell);
    for (size_t i = 0; i < scene->model.events.count; i++) {
        any = any || spec_changes(spec_of(scene, (int32_t)i));
    }
    return any;
}

bool scene_drive_cell(Scene *scene, ScreeWorld *world, SceneError *error) {
    if (!scene_cell_is_driven(scene)) {
        return true;
    }
    ScreeCellDef c = scree_world_get_def(world).deform;
    bool any = false;
    for (int k = 0; k < 9; k++) {
        const SceneCellSpec *spec = spec_of(scene, scene->cell_drive[k]);
        const bool held = c.control[k] == SCREE_CELL_STRESS;
        const SceneDrive *drive = held ? &spec->stress.of[k] : &spec->rate.of[k];
        /* a pressure has taken over the rates along the axes */
        if (scene_drive_changes(drive) && !(c.isotropic && k % 4 == 0)) {
            *(held ? &c.stress[k] : &c.rate[k]) = now(drive, world);
            any = true;
        }
    }
    const SceneDrive *pressure = &spec_of(scene, scene->cell_drive[CELL_PRESSURE])->pressure;
    if (c.isotropic && scene_drive_changes(pressure)) {
        c.pressure = now(pressure, world);
        any = true;
    }
    const ScreeStatus status = any ? scree_world_set_cell(world, &c) : SCREE_OK;
    const SceneLocation place = scene_location_of(scene, &scene->model.cell.head, NULL);
    return status == SCREE_OK || scene_fail_status(world, status, place, error);
}

/* ---------------------------------------------------------------- checks */

/* With a pressure the rates along the axes are what is left of them without their mean, of which a
 * programme would have to know the others. */
static bool check_spec(const Scene *scene, const SceneCellSpec *spec, SceneError *error) {
    for (int k = 0; k < 9; k += 4) {
        if (scene_drive_changes(&spec->rate.of[k]) && scene_has(scene, &spec->head, "pressure")) {
            return scene_fail(
                error, scene_location_of(scene, &spec->rate.head, scree_cell_get_component(k)),
                "hold stresses by component instead of the pressure",
                "a rate along an axis cannot follow a programme while the pressure "
                "is held");
        }
    }
    return true;
}

bool scene_check_cell(const Scene *scene, SceneError *error) {
    bool good = check_spec(scene, &scene->model.cell, error);
    for (size_t i = 0; i < scene->model.events.count && good; i++) {
        good = check_spec(scene, spec_of(scene, (int32_t)i), error);
    }
    return good;
}
