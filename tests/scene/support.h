/* Small scenes from strings. */
#ifndef SCREE_TESTS_SCENE_SUPPORT_H
#define SCREE_TESTS_SCENE_SUPPORT_H

#include "check.h"

#include "scene/scene.h"

#include <stdlib.h>

#define BASE                                                                                       \
    "time: {step: 1e-3, end: 1}\n"                                                                 \
    "materials: {stone: {density: 2, friction: 0.5}}\n"
#define ONE "grains: [{position: [0, 0, 5], radius: 1}]\n"

/* The scene, or NULL after printing why. */
static inline Scene *parsed(const char *text) {
    SceneError error;
    Scene *scene = scene_parse(text, strlen(text), "test.yaml", NULL, 0, &error);
    if (!scene) {
        fprintf(stderr, "%s", error.text);
    }
    CHECK(scene != NULL);
    return scene;
}

/* Scene and world; false, with nothing to free, after printing why. */
static inline bool built(const char *text, Scene **scene, ScreeWorld **world) {
    SceneError error;
    *scene = parsed(text);
    *world = NULL;
    if (!*scene) {
        return false;
    }
    bool ok = scene_build(*scene, world, &error);
    if (!ok) {
        fprintf(stderr, "%s", error.text);
        scene_free(*scene);
        *scene = NULL;
    }
    CHECK(ok);
    return ok;
}

static inline void dropped(Scene *scene, ScreeWorld *world) {
    scree_world_destroy(world);
    scene_free(scene);
}

#endif
