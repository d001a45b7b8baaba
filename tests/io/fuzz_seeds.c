/* Makes the seeds of the fuzz targets: fuzz_seeds RUN_FOLDER CHECKPOINT_FOLDER, which must be
 * there. */
#include "io/checkpoint.h"
#include "tests/io/sample_run.h"

#include <stdio.h>

static bool make_runs(const char *folder) {
    IoError error = {0};
    char path[4096];
    for (size_t frames = 0; frames < 4; frames++) {
        snprintf(path, sizeof path, "%s/run-%zu.h5", folder, frames);
        if (!sample_run(path, frames, &error)) {
            fprintf(stderr, "%s\n", error.text);
            return false;
        }
    }
    return true;
}

/* A checkpoint with a true world in it. */
static bool make_checkpoint(const char *folder, const ScreeWorld *world) {
    IoError error = {0};
    char path[4096], state[8] = "state";
    Checkpoint checkpoint = {.position = {1, 2, 3},
                             .report = sample_report(1),
                             .has_report = true,
                             .state = state,
                             .state_size = sizeof state};
    bool ok = scree_save(world, NULL, &checkpoint.world_size) == SCREE_OK;
    checkpoint.world = ok ? malloc(checkpoint.world_size) : NULL;
    snprintf(path, sizeof path, "%s/checkpoint", folder);
    ok = checkpoint.world != NULL &&
         scree_save(world, checkpoint.world, &checkpoint.world_size) == SCREE_OK &&
         checkpoint_write(path, &checkpoint, &error);
    free(checkpoint.world);
    return ok;
}

/* A world with a hook and a disk in it, which touch after a few steps. */
static ScreeWorld *make_world(void) {
    static const ScreeVec3 corner[] = {{0, 0, 0}, {2, 0, 0}, {2, 1, 0},
                                       {1, 1, 0}, {1, 2, 0}, {0, 2, 0}};
    static const ScreeShapePart part = {6, 0.1};
    const ScreeShapeDef shape = {&part, 1, corner};
    ScreeWorldDef def = scree_default_world();
    ScreeMaterialDef material = scree_default_material();
    ScreeBodyDef body[2] = {scree_default_body(), scree_default_body()};
    ScreeWorld *world = NULL;
    def.dimension = 2;
    def.time_step = 1e-3;
    body[0].shape = 0;
    body[1].radius = 1;
    body[1].position.x = 3;
    body[1].velocity.x = -500;
    bool ok = scree_create_world(&def, &world, NULL) == SCREE_OK &&
              scree_add_material(world, &material, NULL) == SCREE_OK &&
              scree_add_shape(world, &shape, NULL) == SCREE_OK &&
              scree_add_bodies(world, body, 2, NULL) == SCREE_OK;
    for (int i = 0; ok && i < 4; i++) {
        ok = scree_step(world, NULL) == SCREE_OK;
    }
    if (!ok) {
        scree_destroy_world(world);
        return NULL;
    }
    return world;
}

int main(int argc, char **argv) {
    if (argc != 3) {
        fprintf(stderr, "usage: fuzz_seeds RUN_FOLDER CHECKPOINT_FOLDER\n");
        return 2;
    }
    ScreeWorld *world = make_world();
    bool ok = make_runs(argv[1]) && world != NULL && make_checkpoint(argv[2], world);
    scree_destroy_world(world);
    return ok ? 0 : 1;
}
