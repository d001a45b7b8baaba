/* From the scene to a world: settings, materials and laws, walls, grains. */
#include "scene/make/bonds.h"
#include "scene/make/cell.h"
#include "scene/make/inlet.h"
#include "scene/make/laws.h"
#include "scene/make/start.h"
#include "scene/make/time_step.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static ScreeWorldDef world_def(const SceneModel *m) {
    ScreeWorldDef def = scree_world_def_default();
    def.dimension = (int)m->dimension;
    def.engine = (ScreeEngine)m->engine;
    def.gravity = m->gravity;
    def.time_step = m->time.step > 0 || def.engine == SCREE_ENGINE_SOFT ? m->time.step : 1;
    def.theta = m->time.theta;
    def.signed_gap = m->signed_gap;
    def.search = (ScreeSearch)m->neighbours.method;
    def.skin = m->neighbours.skin > 0 ? m->neighbours.skin : m->skin;
    def.cell = m->neighbours.cell;
    def.seed = (uint64_t)m->seed;
    for (int k = 0; k < 3; k++) {
        def.periodic[k] = m->periodic.axis[k].given;
    }
    def.cell_min =
        (ScreeVec3){m->periodic.axis[0].from, m->periodic.axis[1].from, m->periodic.axis[2].from};
    def.cell_max =
        (ScreeVec3){m->periodic.axis[0].to, m->periodic.axis[1].to, m->periodic.axis[2].to};
    def.solver.method = (ScreeMethod)m->solver.method;
    def.solver.order = (ScreeOrder)m->solver.order;
    def.solver.criterion = (ScreeCriterion)m->solver.criterion;
    def.solver.tolerance = m->solver.tolerance;
    def.solver.overlap = m->solver.overlap;
    def.solver.small_force = m->solver.small_force;
    def.solver.iterations = (int)m->solver.iterations;
    def.solver.warm_start = m->solver.warm_start;
    def.solver.projection = m->solver.projection;
    def.solver.cuts = (int)m->solver.cuts;
    def.soft.integrator = (ScreeIntegrator)m->soft.integrator;
    def.soft.friction = (ScreeSoftFriction)m->soft.friction;
    def.variational.exact = m->variational.friction == 1;
    def.variational.tolerance = m->variational.tolerance;
    def.variational.iterations = (int)m->variational.iterations;
    def.variational.range = m->variational.range;
    return def;
}

/* The cell as the scene wants it to deform. */
static ScreeWorldDef with_cell(const Scene *scene, ScreeWorldDef def) {
    if (scene->model.cell.head.node) {
        scene_cell_control(scene, &scene->model.cell, 0, def.time_step, &def.deform);
    }
    return def;
}

/* [advised steps] A grain with z contacts vibrates up to sqrt(z) times as fast as a pair, of whose
 * collision the advised step is a twentieth; explicit steps are stable up to 2 / omega, so up to 40
 * / (pi sqrt(z)) advised ones: 3.7 with the most contacts that equal spheres can have, 12. */
static const double longest_stable = 4;

/* Refuses a step in which the springs of a packing would be unstable, unless the scene wants it. */
static bool judge_step(const Scene *scene, const ScreeWorld *world, SceneError *error) {
    const SceneModel *m = &scene->model;
    double advised = scree_world_advise_time_step(world); /* 0 with other engines */
    char hint[160];
    if (!(m->time.step > longest_stable * advised) || !(advised > 0) ||
        m->soft.long_step == SCENE_LONG_STEP_WARN) {
        return true;
    }
    snprintf(hint, sizeof hint,
             "give at most %.3g, omit it to have %.3g chosen, or set soft.long_step: warn",
             longest_stable * advised, advised);
    return scene_fail(error, scene_location_of(scene, &m->time.head, "step"), hint,
                      "a time step of %.3g is %.2g times as long as the contacts advise: a packing "
                      "of soft grains may blow up",
                      m->time.step, m->time.step / advised);
}

/* The soft engine's own step, shortened so that a whole number of steps lies between two frames. */
static double soft_step(const Scene *scene, const ScreeWorld *world, const char **of) {
    *of = "the stiffest pair of grains";
    double every = scene->settings.output_every, step = scree_world_advise_time_step(world);
    return step > 0 ? every / ceil(every / step) : 0;
}

/* Where the scene leaves the step open; before, rigid grains have a step of 1. */
static bool choose_step(Scene *scene, ScreeWorld *world, SceneError *error) {
    SceneSettings *settings = &scene->settings;
    const bool soft = scene->model.engine == SCREE_ENGINE_SOFT;
    if (!settings->automatic_step) {
        return judge_step(scene, world, error);
    }
    const SceneLocation place = scene_location_of(scene, &scene->model.time.head, NULL);
    const double step = soft ? soft_step(scene, world, &settings->step_for)
                             : scene_time_step(scene, world, &settings->step_for);
    if (!(step > 0)) {
        return scene_fail(error, place, "give time.step",
                          soft ? "no time step can be chosen: no grain can move"
                               : "no time step can be chosen: nothing tells how fast grains move");
    }
    if (!(settings->end / step < 1e15)) {
        return scene_fail(error, place, "give time.step",
                          "the run would take more than 1e15 steps of %.3g", step);
    }
    ScreeStatus status = scree_world_set_time_step(world, step);
    return status == SCREE_OK || scene_fail_status(world, status, place, error);
}

/* Grains named in events must exist; their number is only known now. */
static bool check_ranges(const Scene *scene, const ScreeWorld *world, SceneError *error) {
    const SceneEventSpec *events = scene->model.events.items;
    size_t count = scree_world_get_bodies(world).count;
    for (size_t i = 0; i < scene->model.events.count; i++) {
        const SceneHead *heads[] = {&events[i].set_velocity.head, &events[i].set_force.head};
        const SceneGrainRange *ranges[] = {&events[i].set_velocity.grains,
                                           &events[i].set_force.grains};
        for (int k = 0; k < 2; k++) {
            if (ranges[k]->given && !ranges[k]->all && (size_t)ranges[k]->last >= count) {
                char hint[80];
                snprintf(hint, sizeof hint, "the grains have numbers 0 to %zu", count - 1);
                return scene_fail(error, scene_location_of(scene, heads[k], "grains"), hint,
                                  "there is no grain %lld", (long long)ranges[k]->last);
            }
        }
    }
    return true;
}

/* What a world refuses is the fault of the control of the cell if it can be made without. */
static SceneLocation place_of_fault(const Scene *scene, ScreeWorldDef def) {
    ScreeWorld *world = NULL;
    def.deform = scree_world_def_default().deform;
    bool of_cell =
        scene->model.cell.head.node != 0 && scree_world_create(&def, &world, NULL) == SCREE_OK;
    scree_world_destroy(world);
    return of_cell ? scene_location_of(scene, &scene->model.cell.head, NULL)
                   : scene_location(&scene->document, 1);
}

static bool create(Scene *scene, const SceneStarted *started, ScreeWorld **made,
                   SceneError *error) {
    ScreeWorldDef def = with_cell(scene, world_def(&scene->model));
    char message[SCREE_MESSAGE_SIZE] = "";
    if (started && !scene_start_cell(scene, started, &def, error)) {
        return false;
    }
    ScreeStatus status = scree_world_create(&def, made, message);
    if (status != SCREE_OK) {
        return status == SCREE_NO_MEMORY
                   ? scene_out_of_memory(error, scene_location(&scene->document, 1), NULL)
                   : scene_fail(error, place_of_fault(scene, def), NULL, "%s",
                                message[0] ? message : scree_status_get_text(status));
    }
    return true;
}

/* `started` is what the scene begins from, or NULL. */
static bool fill(Scene *scene, SceneStarted *started, ScreeWorld **made, SceneError *error) {
    scene->started = started;
    bool ok = create(scene, started, made, error) && scene_add_materials(scene, *made, error) &&
              (!started || scene_start_bodies(scene, started, *made, error)) &&
              scene_add_grains(scene, *made, error) &&
              scene_add_inlet_shapes(scene, *made, error) &&
              (!started || scene_start_contacts(scene, started, *made, error)) &&
              scene_glue_at_start(scene, *made, error) && scene_wet_at_start(scene, *made, error) &&
              choose_step(scene, *made, error) && scene_start_growth(scene, *made, error) &&
              check_ranges(scene, *made, error);
    scene->started = NULL;
    return ok;
}

bool scene_build(Scene *scene, ScreeWorld **world, SceneError *error) {
    SceneError unused;
    error = error ? error : &unused;
    *error = (SceneError){0};
    *world = NULL;
    memset(scene->events, 0, (scene->model.events.count + 1) * sizeof *scene->events);
    for (size_t i = 0; i < scene->wall_count; i++) {
        scene->wall_drive[i] = DRIVE_OWN; /* a new run begins */
    }
    for (int k = 0; k < CELL_DRIVES; k++) {
        scene->cell_drive[k] = DRIVE_OWN;
    }
    for (size_t i = 0; i < scene_material_count(scene); i++) {
        scene->growth_drive[i] = DRIVE_OWN;
    }
    for (size_t i = 0; i < scene_gate_count(scene); i++) {
        scene->gates[i] = (SceneGate){0};
    }
    const bool starts = scene->model.start.head.node != 0;
    SceneStarted started = {0};
    ScreeWorld *made = NULL;
    bool ok = (!starts || scene_read_start(scene, &started, error)) &&
              fill(scene, starts ? &started : NULL, &made, error);
    scene_free_start(&started);
    if (!ok) {
        scree_world_destroy(made);
        return false;
    }
    *world = made;
    return true;
}
