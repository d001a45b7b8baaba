/* Measures that are recorded during a run. */
#include "scene/schema/sections.h"

#define FIELD(type, name) offsetof(type, name)

const SceneKey scene_region_keys[] = {
    {"x", &scene_type_span, FIELD(SceneRegionSpec, axis[0]), "length", "(without bounds)", ANY,
     NULL, NULL, "along x"},
    {"y", &scene_type_span, FIELD(SceneRegionSpec, axis[1]), "length", "(without bounds)", ANY,
     NULL, NULL, "along y"},
    {"z", &scene_type_span, FIELD(SceneRegionSpec, axis[2]), "length", "(without bounds)", ANY,
     NULL, NULL, "along z (three dimensions)"},
};

static const SceneSection region_section = {
    "region",
    "A box. Grains that straddle its boundary count by the part inside. Without bounds everything "
    "counts, and the volume is that of the periodic cell, or of the bounding box of all grains.",
    "measures:\n  middle: {every: 10, region: {x: [0.2, 0.8], z: [0.1, 0.5]}}\n",
    SCENE_KEYS(scene_region_keys), sizeof(SceneRegionSpec)};

static const SceneKey measure_keys[] = {
    {"every", &scene_type_integer, FIELD(SceneMeasureSpec, every), "1", "1", POSITIVE, NULL, NULL,
     "number of steps between records; the first is taken at the start"},
    {"region", &scene_type_section, FIELD(SceneMeasureSpec, region), NULL, "(everything)", ANY,
     NULL, &region_section, "where to measure"},
    {"least_contacts", &scene_type_integer, FIELD(SceneMeasureSpec, least_contacts), "1", "2",
     NOT_NEGATIVE, NULL, NULL, "a grain with fewer partners is a rattler"},
};

const SceneSection scene_section_measures = {
    "measures",
    "Coordination, solid fraction, stress, fabric and the other numbers of "
    "[measures.md](measures.md), recorded as time series in the run file; `scree measure RUN.h5 "
    "--what online` prints them.",
    "measures:\n  all: {every: 10}\n", SCENE_KEYS(measure_keys), sizeof(SceneMeasureSpec)};
