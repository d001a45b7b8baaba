/* Liquid between all that is near. */
#include "scene/make/bonds.h"

bool scene_check_wetting(const Scene *scene, const SceneHead *head, const char *key,
                         SceneError *error) {
    const SceneModel *m = &scene->model;
    const SceneMaterialSpec *material = m->materials.items;
    const ScenePairSpec *pair = m->pairs.items;
    bool wet = false;
    for (size_t i = 0; i < m->materials.count; i++) {
        wet = wet || (scene_has(scene, &material[i].head, "bridge_volume") &&
                      material[i].law.bridge_volume > 0);
    }
    for (size_t i = 0; i < m->pairs.count; i++) {
        wet = wet ||
              (scene_has(scene, &pair[i].head, "bridge_volume") && pair[i].law.bridge_volume > 0);
    }
    return wet || scene_fail(error, scene_location_of(scene, head, key),
                             "give a material bridge_volume and bridge_tension",
                             "%s: no material has liquid for bridges", key);
}

bool scene_wet_at_start(const Scene *scene, ScreeWorld *world, SceneError *error) {
    const SceneHead *head = &scene->model.head;
    if (scene->model.bridges != SCENE_BRIDGES_NEAR) {
        return true;
    }
    if (!scene_check_wetting(scene, head, "bridges", error)) {
        return false;
    }
    const ScreeStatus status = scree_world_add_bridges(world, NULL);
    return status == SCREE_OK ||
           scene_fail_status(world, status, scene_location_of(scene, head, "bridges"), error);
}
