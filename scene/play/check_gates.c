/* Checks of inlets and outlets when the scene is loaded. */
#include "scene/play/gates.h"

#include "scene/make/inlet.h"
#include "scene/make/shapes.h"

#include <math.h>

static const char *const axes[3] = {"x", "y", "z"};

static bool covers(const SceneSpan *span, const SceneSpan *cell) {
    return span->to - span->from >= (cell->to - cell->from) * (1 - 1e-12);
}

/* Periodic directions may be left out: the region then reaches around the cell. */
static bool check_region(const Scene *scene, SceneInletSpec *spec, double largest,
                         SceneError *error) {
    for (int k = 0; k < (int)scene->model.dimension; k++) {
        const SceneSpan *cell = &scene->model.periodic.axis[k];
        SceneSpan *span = &spec->region.axis[k];
        if (!span->given && !cell->given) {
            return scene_fail(error, scene_location_of(scene, &spec->head, "region"), NULL,
                              "inlets.%.60s: the region has no bounds along %s", spec->head.name,
                              axes[k]);
        }
        *span = span->given ? *span : *cell;
        const bool around = cell->given && covers(span, cell);
        if (span->to - span->from < 2 * largest && !around) {
            return scene_fail(error, scene_location_of(scene, &spec->region.head, axes[k]),
                              "widen the region or take smaller grains",
                              "inlets.%.60s: a grain of radius %g does not fit into the region",
                              spec->head.name, largest);
        }
    }
    return true;
}

static bool check_flat(const Scene *scene, const SceneRegionSpec *region, SceneError *error) {
    return scene->model.dimension == 3 || !region->axis[2].given ||
           scene_fail(error, scene_location_of(scene, &region->head, "z"), NULL,
                      "a region in two dimensions has no bounds along z");
}

static bool check_rate(const Scene *scene, const SceneInletSpec *spec, SceneError *error) {
    const SceneRateSpec *rate = &spec->rate;
    const int given = (rate->number > 0) + (rate->mass > 0) + (rate->volume > 0);
    return given == 1 || scene_fail(error, scene_location_of(scene, &spec->head, "rate"),
                                    "for example rate: {number: 100}",
                                    "inlets.%.60s: the rate is given by one of number, mass and "
                                    "volume",
                                    spec->head.name);
}

static bool check_form(const Scene *scene, const SceneInletSpec *spec, SceneError *error) {
    const SceneGrainsSpec *grain = &spec->grain;
    const bool round = grain->radius.kind != SIZES_NONE;
    const char *extra = scene_has(scene, &spec->head, "scale")   ? "scale"
                        : scene_has(scene, &spec->head, "angle") ? "angle"
                                                                 : "orientation";
    if (round == (grain->shape != NULL)) {
        return scene_fail(error, scene_location_of(scene, &spec->head, round ? "radius" : NULL),
                          NULL, "inlets.%.60s: give either 'radius' or 'shape'", spec->head.name);
    }
    if (round && scene_has(scene, &spec->head, extra)) {
        return scene_fail(error, scene_location_of(scene, &spec->head, extra), "leave it out",
                          "inlets.%.60s: %s applies to shapes, but these grains are round",
                          spec->head.name, extra);
    }
    if (grain->scale.kind != SIZES_NONE && !(grain->scale.min > 0)) {
        return scene_fail(error, scene_location_of(scene, &spec->head, "scale"), NULL,
                          "inlets.%.60s: scale must be greater than 0", spec->head.name);
    }
    return round || scene_find_shape(scene, grain->shape,
                                     scene_location_of(scene, &spec->head, "shape"), error);
}

static bool find_material(const Scene *scene, SceneInletSpec *spec, SceneError *error) {
    const SceneLocation location = scene_location_of(scene, &spec->head, "material");
    spec->material = 0;
    if (spec->grain.material) {
        spec->material = scene_material_number(scene, spec->grain.material, location, error);
        return spec->material >= 0;
    }
    return scene->model.materials.count == 1 ||
           scene_fail(error, location, "add material: ...",
                      "inlets.%.60s must name its material, since there are several",
                      spec->head.name);
}

static bool check_inlet(Scene *scene, size_t i, SceneError *error) {
    SceneInletSpec *spec = (SceneInletSpec *)scene->model.inlets.items + i;
    spec->grain.head = spec->head;
    if (!scene_has(scene, &spec->head, "end")) {
        spec->end = INFINITY;
    }
    return check_rate(scene, spec, error) && check_form(scene, spec, error) &&
           find_material(scene, spec, error) && check_flat(scene, &spec->region, error) &&
           check_region(scene, spec, scene_inlet_largest(scene, i), error);
}

static bool check_outlet(const Scene *scene, const SceneOutletSpec *spec, SceneError *error) {
    const ScreeVec3 n = spec->plane.normal;
    const int given =
        !!spec->plane.head.node + !!spec->inside.head.node + !!spec->outside.head.node;
    if (given != 1) {
        return scene_fail(error, scene_location_of(scene, &spec->head, NULL),
                          "give one of plane, inside, outside",
                          "outlets.%.60s must say where grains are removed", spec->head.name);
    }
    if (spec->plane.head.node && !(n.x * n.x + n.y * n.y + n.z * n.z > 0)) {
        return scene_fail(error, scene_location_of(scene, &spec->plane.head, "normal"), NULL,
                          "outlets.%.60s: the normal must not be zero", spec->head.name);
    }
    return check_flat(scene, &spec->inside, error) && check_flat(scene, &spec->outside, error);
}

/* What bodies that come and go make no sense with, or what is not made for them. */
static bool check_combination(const Scene *scene, SceneError *error) {
    const SceneModel *m = &scene->model;
    const SceneLocation location =
        scene_location_of(scene, &m->head, m->inlets.count > 0 ? "inlets" : "outlets");
    if (m->engine == SCREE_ENGINE_QUASISTATIC) {
        return scene_fail(error, location, "take engine: contact_dynamics",
                          "without inertia, grains that appear have no motion: inlets and outlets "
                          "cannot be combined with engine: quasistatic");
    }
    if (m->cell.head.node) {
        return scene_fail(error, location, NULL,
                          "inlets and outlets cannot be combined with a cell that deforms");
    }
    const SceneEventSpec *events = m->events.items;
    for (size_t i = 0; i < m->events.count; i++) {
        const SceneGrainRange *ranges[] = {&events[i].set_velocity.grains,
                                           &events[i].set_force.grains};
        for (int k = 0; k < 2; k++) {
            if (ranges[k]->given && !ranges[k]->all) {
                return scene_fail(error, scene_location_of(scene, &events[i].head, NULL),
                                  "say grains: all",
                                  "events[%zu]: where grains come and go, they have no numbers", i);
            }
        }
    }
    return true;
}

bool scene_check_gates(Scene *scene, SceneError *error) {
    SceneModel *m = &scene->model;
    const SceneOutletSpec *outlets = m->outlets.items;
    const size_t count = m->inlets.count + m->outlets.count;
    if (count == 0) {
        return true;
    }
    if (count > 1000) {
        return scene_fail(error, scene_location(&scene->document, 1), NULL,
                          "at most 1000 inlets and outlets");
    }
    scene->gates = scene_alloc(&scene->arena, count, sizeof *scene->gates);
    scene->inlet_shapes = scene_alloc(&scene->arena, count, sizeof *scene->inlet_shapes);
    if (!scene->gates || !scene->inlet_shapes) {
        return scene_out_of_memory(error, scene_location(&scene->document, 0), NULL);
    }
    for (size_t i = 0; i < count; i++) {
        scene->gates[i] = (SceneGate){0};
        scene->inlet_shapes[i] = (SceneInletPool){0};
    }
    bool ok = check_combination(scene, error);
    for (size_t i = 0; i < m->inlets.count && ok; i++) {
        ok = check_inlet(scene, i, error);
    }
    for (size_t i = 0; i < m->outlets.count && ok; i++) {
        ok = check_outlet(scene, &outlets[i], error);
    }
    return ok;
}
