#include "scene/grains.h"

#include <stdlib.h>

double scene_volume(int dimension, double radius) {
    const double pi = 3.14159265358979323846;
    return dimension == 3 ? 4.0 / 3.0 * pi * radius * radius * radius : pi * radius * radius;
}

bool scene_make_room(Scene *scene, const SceneGrainsSpec *spec, double count, SceneBatch *batch,
                     SceneError *error) {
    ScenePlace place = scene_place_of(scene, &spec->head, NULL);
    if (!(count <= (double)scene->grain_limit)) {
        return scene_fail(error, place, "take fewer or larger grains",
                          "grains[%d] would make %.4g grains; the limit is %zu", spec->head.index,
                          count, scene->grain_limit);
    }
    batch->count = (size_t)count;
    batch->grains = calloc(batch->count + 1, sizeof *batch->grains);
    if (!batch->grains) {
        batch->count = 0;
        return scene_fail(error, place, "take fewer grains", "no memory for %.4g grains", count);
    }
    return true;
}
