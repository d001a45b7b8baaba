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

int main(int argc, char **argv) {
    if (argc != 3) {
        fprintf(stderr, "usage: fuzz_seeds RUN_FOLDER CHECKPOINT_FOLDER\n");
        return 2;
    }
    ScreeWorldDef def = scree_default_world();
    def.time_step = 1e-3;
    ScreeWorld *world = NULL;
    bool ok = make_runs(argv[1]) && scree_create_world(&def, &world, NULL) == SCREE_OK &&
              make_checkpoint(argv[2], world);
    scree_destroy_world(world);
    return ok ? 0 : 1;
}
