/* Any bytes as a scene: an error or a world, never a crash. What follows a byte 0x01 is an
 * override. */
#include "scene/internal.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void build(Scene *scene) {
    SceneError error;
    ScreeWorld *world = NULL;
    scene->grain_limit = 500;
    scene->file_limit = 0; /* the fuzzer must not open files of this machine */
    if (!scene_build(scene, &world, &error)) {
        if (!error.text[0] || error.text[strlen(error.text) - 1] != '\n') {
            abort();
        }
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
    scree_world_destroy(world);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const uint8_t *mark = size ? memchr(data, 1, size) : NULL;
    size_t text = mark ? (size_t)(mark - data) : size;
    char *override = NULL;
    if (mark) {
        size_t length = size - text - 1;
        override = calloc(1, length + 1);
        if (!override) {
            return 0;
        }
        memcpy(override, mark + 1, length);
    }
    const char *const overrides[] = {override};
    SceneError error;
    Scene *scene = scene_parse((const char *)data, text, "/nonexistent/folder/fuzz.yaml", overrides,
                               mark ? 1 : 0, &error);
    if (scene) {
        build(scene);
    } else if (!error.text[0] || error.text[strlen(error.text) - 1] != '\n') {
        abort();
    }
    scene_free(scene);
    free(override);
    return 0;
}
