#include "scene/read/mesh.h"

#include "scene/read/mesh_scan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void scene_mesh_free(SceneMesh *mesh) {
    free(mesh->vertex);
    free(mesh->corners);
    free(mesh->corner);
    free(mesh->part);
    free(mesh->name);
    *mesh = (SceneMesh){0};
}

typedef struct Format {
    const char *ending;
    bool (*read)(MeshScan *scan);
} Format;

static const Format formats[] = {{".stl", scene_read_stl},
                                 {".obj", scene_read_obj},
                                 {".ply", scene_read_ply},
                                 {".off", scene_read_off}};

static const Format *format_of(const char *name) {
    size_t length = strlen(name);
    MeshScan last = {.line = 0};
    snprintf(last.word, sizeof last.word, "%s", length >= 4 ? name + length - 4 : "");
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        if (scene_scan_is(&last, formats[i].ending)) {
            return &formats[i];
        }
    }
    return NULL;
}

bool scene_is_mesh_name(const char *name) {
    return format_of(name) != NULL;
}

bool scene_read_mesh(const SceneSource *source, SceneMesh *mesh, SceneError *error) {
    const SceneLocation whole = {source, 0, 0, 0};
    const Format *format = format_of(source->name);
    *mesh = (SceneMesh){0};
    if (!format) {
        return scene_fail(error, whole, NULL,
                          "a mesh file has a name that ends in .stl, .obj, .ply or .off");
    }
    MeshScan scan = {.mesh = mesh, .source = source, .error = error, .part = -1};
    scan.at = scan.next = source->text;
    scan.end = source->text + source->size;
    scan.face = malloc(MESH_MOST_CORNERS * sizeof *scan.face);
    bool ok = scan.face ? format->read(&scan) : scene_scan_no_memory(&scan);
    free(scan.face);
    if (ok && (mesh->vertices == 0 || mesh->faces == 0)) {
        ok = scene_fail(error, whole, NULL, "the file holds no %s",
                        mesh->vertices ? "faces" : "vertices");
    }
    ok = ok && (scene_mesh_weld(mesh) || scene_scan_no_memory(&scan));
    if (!ok) {
        scene_mesh_free(mesh);
    }
    return ok;
}
