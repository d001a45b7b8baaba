/* Any bytes as a mesh file, whose format the first byte chooses: a mesh whose faces name vertices
 * that are there, or an error, never a crash. What can be read becomes a wall of triangles, and a
 * body or the hull of one, which a ball meets. */
#include "scene/fuzz_try.h"

#include "scene/read/mesh.h"

enum {
    MOST = 60
}; /* vertices and corners of meshes of which bodies are made: of others it takes long */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_numbers(const SceneMesh *mesh) {
    size_t total = 0;
    for (size_t i = 0; i < mesh->faces; i++) {
        total += (size_t)mesh->corners[i];
    }
    for (size_t i = 0; i < mesh->total; i++) {
        if (mesh->corner[i] < 0 || (size_t)mesh->corner[i] >= mesh->vertices ||
            total != mesh->total) {
            abort();
        }
    }
}

/* Every face as a fan of triangles. */
static ScreeMesh *make_surface(const SceneMesh *mesh) {
    int32_t corner[3 * MOST], part[MOST];
    const int32_t *of = mesh->corner;
    ScreeMeshDef def = {mesh->vertices, 0, mesh->vertex, corner, part, (int32_t)mesh->parts};
    for (size_t f = 0; f < mesh->faces; of += mesh->corners[f++]) {
        for (int32_t k = 2; k < mesh->corners[f]; k++, def.triangles++) {
            part[def.triangles] = mesh->part[f];
            corner[3 * def.triangles] = of[0];
            corner[3 * def.triangles + 1] = of[k - 1];
            corner[3 * def.triangles + 2] = of[k];
        }
    }
    return scree_mesh_create(&def, NULL);
}

/* The wall alone, the body alone, or both, beside a ball that moves towards them. */
static void make_world(const SceneMesh *mesh, const ScreeMesh *surface, bool hull) {
    const ScreeSolidPart part = {.vertices = mesh->vertices, .faces = hull ? 0 : mesh->faces};
    const ScreeSolidDef solid = {&part, 1, mesh->vertex, mesh->corners, mesh->corner};
    ScreeWorldDef def = scree_world_def_default();
    ScreeMaterialDef material = scree_material_def_default();
    ScreeWallDef wall = scree_wall_def_default();
    ScreeBodyDef body = scree_body_def_default();
    ScreeWorld *world = NULL;
    def.dimension = 3;
    def.time_step = 0.01;
    def.gravity = (ScreeVec3){0, 0, -10};
    wall.shape = SCREE_WALL_MESH;
    wall.mesh = surface;
    body.radius = 0.3;
    body.velocity = (ScreeVec3){-1, 1, -2};
    body.position = (ScreeVec3){0.5, 0.2, 0.9};
    if (scree_world_create(&def, &world, NULL) != SCREE_OK ||
        scree_world_add_material(world, &material, NULL) != SCREE_OK ||
        scree_world_add_bodies(world, &body, 1, NULL) != SCREE_OK) {
        abort();
    }
    (void)(surface != NULL && scree_world_add_wall(world, &wall, NULL));
    if (scree_world_add_solid(world, &solid, &body.shape) == SCREE_OK) {
        body.radius = 0;
        body.position.z = 2;
        (void)scree_world_add_bodies(world, &body, 1, NULL);
    }
    fuzz_go_on(world);
    scree_world_destroy(world);
}

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
    check_numbers(&mesh);
    if (mesh.vertices <= MOST && mesh.total <= MOST) {
        ScreeMesh *surface = make_surface(&mesh);
        make_world(&mesh, surface, data[0] & 4);
        scree_mesh_destroy(surface);
    }
    scene_mesh_free(&mesh);
    free(text);
    return 0;
}
