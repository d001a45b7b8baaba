/* Saving and loading: a world that was saved in the middle goes on bit for bit as the one that was
 * not. */
#include <scree/scree.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { SIDE = 5, STEPS = 100 };

/* Balls that fall into a corner, each beside the one below it, so that they tumble. */
static ScreeStatus fill(ScreeWorld *world) {
    static const ScreeVec3 normal[3] = {{0, 0, 1}, {0.2, 1, 0.3}, {1, 0.2, 0.3}};
    ScreeMaterialDef material = scree_material_def_default();
    material.law.friction = 0.4;
    ScreeStatus status = scree_world_add_material(world, &material, NULL);
    for (int i = 0; i < 3 && status == SCREE_OK; i++) {
        ScreeWallDef wall = scree_wall_def_default();
        wall.shape = SCREE_WALL_PLANE;
        wall.normal = normal[i];
        status = scree_world_add_wall(world, &wall, NULL);
    }
    for (int i = 0; i < SIDE * SIDE * SIDE && status == SCREE_OK; i++) {
        int x = i % SIDE, y = i / SIDE % SIDE, z = i / (SIDE * SIDE);
        ScreeBodyDef ball = scree_body_def_default();
        ball.position = (ScreeVec3){1 + x + 0.1 * z, 1 + y + 0.05 * z, 0.5 + z};
        ball.radius = 0.45;
        status = scree_world_add_bodies(world, &ball, 1, NULL);
    }
    return status;
}

static ScreeStatus step(ScreeWorld *world, int count) {
    ScreeStatus status = SCREE_OK;
    for (int i = 0; i < count && status == SCREE_OK; i++) {
        status = scree_world_step(world, NULL);
    }
    return status;
}

/* A copy by way of bytes, which might as well have been in a file. */
static ScreeWorld *copy(const ScreeWorld *world) {
    size_t size = 0;
    ScreeWorld *loaded = NULL;
    if (scree_world_save(world, NULL, &size) != SCREE_OK) { /* how many bytes? */
        return NULL;
    }
    void *buffer = malloc(size);
    if (buffer != NULL && scree_world_save(world, buffer, &size) == SCREE_OK) {
        scree_world_load(buffer, size, &loaded, NULL);
        printf("saved after %" PRIu64 " steps: %zu bytes\n", scree_world_get_step_count(world),
               size);
    }
    free(buffer);
    return loaded;
}

int main(void) {
    ScreeWorldDef def = scree_world_def_default();
    def.gravity = (ScreeVec3){0, 0, -1};
    def.time_step = 0.02;
    ScreeWorld *world = NULL, *loaded = NULL;
    bool same = false;
    if (scree_world_create(&def, &world, NULL) == SCREE_OK && fill(world) == SCREE_OK &&
        step(world, STEPS) == SCREE_OK && (loaded = copy(world)) != NULL &&
        step(world, STEPS) == SCREE_OK && step(loaded, STEPS) == SCREE_OK) {
        printf("the same %d steps later: %016" PRIx64 " and %016" PRIx64 "\n", STEPS,
               scree_world_hash(world), scree_world_hash(loaded));
        same = scree_world_hash(world) == scree_world_hash(loaded) &&
               scree_world_get_step_count(loaded) == 2 * STEPS;
    }
    scree_world_destroy(world);
    scree_world_destroy(loaded);
    return same ? EXIT_SUCCESS : EXIT_FAILURE;
}
