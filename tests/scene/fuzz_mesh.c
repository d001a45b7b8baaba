/* Any bytes as a mesh file, whose format the first byte chooses: a mesh whose faces name vertices
 * that are there, or an error, never a crash. */
#include "scene/fuzz_try.h"

#include "scene/read/mesh.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char *const names[] = {"a.stl", "a.obj", "a.ply", "a.off"};
    if (size == 0) {
        return 0;
    }
    SceneError error = {0};
    SceneMesh mesh;
    /* a copy of its own size, so that the sanitizer sees what is read beyond it */
    char *text = malloc(size);
    if (!text) {
        return 0;
    }
    memcpy(text, data + 1, size - 1);
    text[size - 1] = '\0'; /* as scene_read_regular_file leaves it */
    const SceneSource source = {names[data[0] % 4], text, size - 1, false};
    if (!scene_read_mesh(&source, &mesh, &error)) {
        fuzz_check_error(&error);
        free(text);
        return 0;
    }
    size_t total = 0;
    for (size_t i = 0; i < mesh.faces; i++) {
        total += (size_t)mesh.corners[i];
    }
    for (size_t i = 0; i < mesh.total; i++) {
        if (mesh.corner[i] < 0 || (size_t)mesh.corner[i] >= mesh.vertices || total != mesh.total) {
            abort();
        }
    }
    scene_mesh_free(&mesh);
    free(text);
    return 0;
}
