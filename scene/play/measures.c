/* Measures to record during a run. */
#include "scene/internal.h"

/* Checks regions against the dimension and the periodic cell. */
bool scene_check_measures(const Scene *scene, SceneError *error) {
    static const char *const name[3] = {"x", "y", "z"};
    const SceneModel *m = &scene->model;
    const SceneMeasureSpec *specs = m->measures.items;
    for (size_t i = 0; i < m->measures.count; i++) {
        const SceneRegionSpec *region = &specs[i].region;
        if (m->dimension == 2 && region->axis[2].given) {
            return scene_fail(error, scene_location_of(scene, &region->head, "z"), NULL,
                              "a region in two dimensions has no bounds along z");
        }
        for (int k = 0; k < 3; k++) {
            const SceneSpan *cell = &m->periodic.axis[k], *span = &region->axis[k];
            if (cell->given && span->given && span->to - span->from > cell->to - cell->from) {
                return scene_fail(error, scene_location_of(scene, &region->head, name[k]), NULL,
                                  "the region must not be longer than the periodic cell, %g",
                                  cell->to - cell->from);
            }
        }
        if (specs[i].least_contacts > INT32_MAX) {
            return scene_fail(error, scene_location_of(scene, &specs[i].head, "least_contacts"),
                              NULL, "least_contacts must be at most %d", INT32_MAX);
        }
    }
    if (m->measures.count > 1000) {
        return scene_fail(error, scene_location_of(scene, &m->head, "measures"), NULL,
                          "at most 1000 measures");
    }
    return true;
}

size_t scene_measure_count(const Scene *scene) {
    return scene->model.measures.count;
}

ScreeSeriesDef scene_measure(const Scene *scene, size_t number) {
    const SceneMeasureSpec *specs = scene->model.measures.items;
    const SceneMeasureSpec *spec = &specs[number];
    ScreeSeriesDef measure = {spec->head.name, spec->every, scree_measure_def_default()};
    double *low[3] = {&measure.def.min.x, &measure.def.min.y, &measure.def.min.z};
    double *high[3] = {&measure.def.max.x, &measure.def.max.y, &measure.def.max.z};
    for (int k = 0; k < 3; k++) {
        if (spec->region.axis[k].given) {
            *low[k] = spec->region.axis[k].from;
            *high[k] = spec->region.axis[k].to;
        }
    }
    measure.def.least_contacts = (int32_t)spec->least_contacts;
    return measure;
}
