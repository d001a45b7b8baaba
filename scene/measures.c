/* Measures to record during a run. */
#include "scene/internal.h"
#include "scene/schema.h"

#include <math.h>

#define FIELD(type, name) offsetof(type, name)

static const SceneKey region_keys[] = {
    {"x", &scene_type_span, FIELD(SceneRegionSpec, axis[0]), "length", "(without bounds)", ANY,
     NULL, NULL, "along x"},
    {"y", &scene_type_span, FIELD(SceneRegionSpec, axis[1]), "length", "(without bounds)", ANY,
     NULL, NULL, "along y"},
    {"z", &scene_type_span, FIELD(SceneRegionSpec, axis[2]), "length", "(without bounds)", ANY,
     NULL, NULL, "along z (three dimensions)"},
};

static const SceneSection region_section = {
    "region",
    "A box. Grains that reach out of it count as far as they lie in it. Without bounds everything "
    "counts, and the volume is that of the periodic cell, or of the box around all grains.",
    "measures:\n  middle: {every: 10, region: {x: [0.2, 0.8], z: [0.1, 0.5]}}\n",
    SCENE_KEYS(region_keys), sizeof(SceneRegionSpec)};

static const SceneKey measure_keys[] = {
    {"every", &scene_type_integer, FIELD(SceneMeasureSpec, every), "1", "1", POSITIVE, NULL, NULL,
     "steps from one to the next; the first is at the start"},
    {"region", &scene_type_section, FIELD(SceneMeasureSpec, region), NULL, "(everything)", ANY,
     NULL, &region_section, "where"},
    {"least_contacts", &scene_type_integer, FIELD(SceneMeasureSpec, least_contacts), "1", "2",
     NOT_NEGATIVE, NULL, NULL, "a grain with fewer partners is a rattler"},
};

const SceneSection scene_section_measures = {
    "measures",
    "Coordination, solid fraction, stress, fabric and the other numbers of "
    "[measures.md](measures.md), recorded as time series in the run file; `scree measure RUN.h5 "
    "--what online` gives them back.",
    "measures:\n  all: {every: 10}\n", SCENE_KEYS(measure_keys), sizeof(SceneMeasureSpec)};

/* What the region says against the dimension and the periodic cell. */
bool scene_check_measures(const Scene *scene, SceneError *error) {
    static const char *const name[3] = {"x", "y", "z"};
    const SceneModel *m = &scene->model;
    const SceneMeasureSpec *specs = m->measures.items;
    for (size_t i = 0; i < m->measures.count; i++) {
        const SceneRegionSpec *region = &specs[i].region;
        if (m->dimension == 2 && region->axis[2].given) {
            return scene_fail(error, scene_place_of(scene, &region->head, "z"), NULL,
                              "a region in two dimensions has no bounds along z");
        }
        for (int k = 0; k < 3; k++) {
            const SceneSpan *cell = &m->periodic.axis[k], *span = &region->axis[k];
            if (cell->given && span->given && span->to - span->from > cell->to - cell->from) {
                return scene_fail(error, scene_place_of(scene, &region->head, name[k]), NULL,
                                  "the region must not be longer than the periodic cell, %g",
                                  cell->to - cell->from);
            }
        }
        if (specs[i].least_contacts > INT32_MAX) {
            return scene_fail(error, scene_place_of(scene, &specs[i].head, "least_contacts"), NULL,
                              "least_contacts must be at most %d", INT32_MAX);
        }
    }
    if (m->measures.count > 1000) {
        return scene_fail(error, scene_place_of(scene, &m->head, "measures"), NULL,
                          "at most 1000 measures");
    }
    return true;
}

size_t scene_measure_count(const Scene *scene) {
    return scene->model.measures.count;
}

SceneMeasure scene_measure(const Scene *scene, size_t number) {
    const SceneMeasureSpec *specs = scene->model.measures.items;
    const SceneMeasureSpec *spec = &specs[number];
    SceneMeasure measure = {spec->head.name, spec->every, scree_default_measure()};
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
