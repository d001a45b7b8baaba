/* What the fuzz targets do with a scene: an error that ends its line, or a world. */
#ifndef SCREE_TESTS_SCENE_FUZZ_TRY_H
#define SCREE_TESTS_SCENE_FUZZ_TRY_H

#include "scene/internal.h"

#include <stdlib.h>
#include <string.h>

static inline void fuzz_check_error(const SceneError *error) {
    if (!error->text[0] || error->text[strlen(error->text) - 1] != '\n') {
        abort();
    }
}

/* Some steps of a small world: they may fail, in good order. */
static inline void fuzz_go_on(ScreeWorld *world) {
    for (int i = 0; i < 2 && scree_world_get_bodies(world).count <= 12; i++) {
        if (scree_world_step(world, NULL) != SCREE_OK && !scree_world_get_message(world)[0]) {
            abort();
        }
    }
}

static inline void fuzz_build(Scene *scene) {
    SceneError error;
    ScreeWorld *world = NULL;
    scene->grain_limit = 500;
    scene->file_limit = 0; /* the fuzzer must not open files of this machine */
    if (!scene_build(scene, &world, &error)) {
        fuzz_check_error(&error);
        return;
    }
    const char *why;
    if (!scene_finished(scene, world, NULL, &why)) {
        scene_before_step(scene, world, NULL, &error);
    }
    size_t bytes = scene_state_size(scene);
    void *state = malloc(bytes);
    if (state) {
        scene_state_save(scene, state);
        if (!scene_state_load(scene, state, bytes)) {
            abort();
        }
    }
    free(state);
    fuzz_go_on(world);
    scree_world_destroy(world);
}

static inline void fuzz_try(const char *text, size_t size, const char *const *overrides,
                            size_t count) {
    SceneError error;
    Scene *scene =
        scene_parse(text, size, "/nonexistent/folder/fuzz.yaml", overrides, count, &error);
    if (scene) {
        fuzz_build(scene);
    } else {
        fuzz_check_error(&error);
    }
    scene_free(scene);
}

#endif
