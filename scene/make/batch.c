#include "scene/make/batch.h"

#include <stdlib.h>

double scene_volume(int dimension, double radius) {
    const double pi = 3.14159265358979323846;
    return dimension == 3 ? 4.0 / 3.0 * pi * radius * radius * radius : pi * radius * radius;
}

bool scene_grow_room(Scene *scene, const SceneGrainsSpec *spec, double count, SceneBatch *batch,
                     SceneError *error) {
    SceneLocation location = scene_location_of(scene, &spec->head, NULL);
    if (!(count <= (double)scene->grain_limit)) {
        return scene_fail(error, location, "take fewer or larger grains",
                          "grains[%d] would make %.4g grains; the limit is %zu", spec->head.index,
                          count, scene->grain_limit);
    }
    SceneGrain *grown = realloc(batch->grains, ((size_t)count + 1) * sizeof *grown);
    if (!grown) {
        return scene_out_of_memory(error, location, "take fewer grains");
    }
    batch->grains = grown;
    return true;
}

bool scene_make_room(Scene *scene, const SceneGrainsSpec *spec, double count, SceneBatch *batch,
                     SceneError *error) {
    if (!scene_grow_room(scene, spec, count, batch, error)) {
        return false;
    }
    batch->count = (size_t)count;
    for (size_t i = 0; i <= batch->count; i++) {
        batch->grains[i] = (SceneGrain){{0, 0, 0}, 0, -1};
    }
    return true;
}
