/* Public functions on surfaces of triangles. */
#include "api/world.h"

ScreeMesh *scree_mesh_create(const ScreeMeshDef *def, char *message) {
    Block block = {0};
    if (!scr_block_reserve_exact(&block, 1, sizeof(Mesh), 0)) {
        scr_no_memory(message);
        return NULL;
    }
    if (scr_mesh_build(def, block.data, message) != SCREE_OK) {
        scr_block_free(&block);
        return NULL;
    }
    return block.data;
}

void scree_mesh_destroy(ScreeMesh *mesh) {
    if (mesh != NULL) {
        Block block = {mesh, sizeof(Mesh)};
        scr_mesh_free(mesh);
        scr_block_free(&block);
    }
}

ScreeMeshDef scree_mesh_get(const ScreeMesh *mesh) {
    return scr_mesh_def(mesh);
}

size_t scree_mesh_get_bytes(const ScreeMesh *mesh) {
    return scr_mesh_bytes(mesh);
}

size_t scree_world_get_mesh_count(const ScreeWorld *world) {
    return world->state.meshes.count;
}

const ScreeMesh *scree_world_get_mesh(const ScreeWorld *world, size_t mesh) {
    return mesh < world->state.meshes.count ? world->state.meshes.item[mesh] : NULL;
}
