/* The schema of what a scene begins from. */
#include "scene/schema/sections.h"

#define FIELD(type, name) offsetof(type, name)

static const SceneChoice wall_words[] = {
    {"run", START_WALLS_RUN}, {"scene", START_WALLS_SCENE}, {NULL, 0}};

static const SceneKey start_keys[] = {
    {"run", &scene_type_name, FIELD(SceneStartSpec, run), NULL, SCENE_REQUIRED, ANY, NULL, NULL,
     "run file, with its checkpoint beside it; a relative path starts from the folder of the "
     "scene"},
    {"frame", &scene_type_frame, FIELD(SceneStartSpec, frame), "1", "last", NOT_NEGATIVE, NULL,
     NULL, "which frame of that run, counted from 0"},
    {"walls", &scene_type_choice, FIELD(SceneStartSpec, walls), NULL, "run", ANY, wall_words, NULL,
     "`run`: a wall that is written as in the scene of that run, under the same name, stands where "
     "the run has left it, and is absent if the run has removed it; `scene`: every wall stands "
     "where "
     "this scene puts it"},
    {"replicate", &scene_type_counts, FIELD(SceneStartSpec, replicate), "1", "(once)", ANY, NULL,
     NULL, "how many copies of a periodic packing lie side by side along each direction"},
};

const SceneSection scene_section_start = {
    "start",
    "Begins with the grains of another run: their shapes, positions and velocities, and their "
    "contacts with forces, bonds and springs; see [the guide](guides/restarts.md). Time begins at "
    "0. "
    "Materials are matched by their names, and what this scene says of them counts: laws, and "
    "densities, by which masses change in proportion. The periodic cell is the one "
    "that the run has left, unless the scene gives another than the scene of the run did. More "
    "grains may be added. A scene that `extends` the one of the run says "
    "`grains: null`.",
    "start: {run: settled.h5, frame: last}\n", SCENE_KEYS(start_keys), sizeof(SceneStartSpec)};
