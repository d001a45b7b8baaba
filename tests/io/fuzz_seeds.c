/* Makes the seeds of the fuzz targets: fuzz_seeds RUN_FOLDER CHECKPOINT_FOLDER. The folders must
 * exist. */
#include "io/run/checkpoint.h"
#include "io/sample_run.h"

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

/* A checkpoint that holds a real world. */
static bool make_checkpoint(const char *folder, int number, const ScreeWorld *world) {
    IoError error = {0};
    char path[4096], state[8] = "state";
    Checkpoint checkpoint = {.position = {1, 2, 3},
                             .report = sample_report(1),
                             .has_report = true,
                             .state = state,
                             .state_size = sizeof state};
    bool ok = scree_world_save(world, NULL, &checkpoint.world_size) == SCREE_OK;
    checkpoint.world = ok ? malloc(checkpoint.world_size) : NULL;
    snprintf(path, sizeof path, "%s/checkpoint-%d", folder, number);
    ok = checkpoint.world != NULL &&
         scree_world_save(world, checkpoint.world, &checkpoint.world_size) == SCREE_OK &&
         checkpoint_write(path, &checkpoint, &error);
    free(checkpoint.world);
    return ok;
}

/* A circle of radius 1/2 about (5, 0). */
static ScreeStatus add_circle(ScreeWorld *world) {
    static const ScreeVec3 point[] = {{5.5, 0, 0},   {5.5, 0.5, 0},  {5, 0.5, 0},
                                      {4.5, 0.5, 0}, {4.5, 0, 0},    {4.5, -0.5, 0},
                                      {5, -0.5, 0},  {5.5, -0.5, 0}, {5.5, 0, 0}};
    static const double knot[] = {0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 4};
    const double w = 0.70710678118654752, weight[] = {1, w, 1, w, 1, w, 1, w, 1};
    const ScreeNurbs circle = {2, 9, 12, point, weight, knot};
    return scree_world_add_nurbs(world, &circle, NULL);
}

/* A hook, a disk and a plane, and with rigid grains also a curve; they touch after a few steps. */
static ScreeWorld *make_world(ScreeEngine engine) {
    static const ScreeVec3 corner[] = {{0, 0, 0}, {2, 0, 0}, {2, 1, 0},
                                       {1, 1, 0}, {1, 2, 0}, {0, 2, 0}};
    static const ScreeShapePart part = {6, 0.1};
    const ScreeShapeDef shape = {&part, 1, corner};
    const bool rigid = engine == SCREE_ENGINE_CONTACT_DYNAMICS;
    ScreeWorldDef def = scree_world_def_default();
    ScreeMaterialDef material = scree_material_def_default();
    ScreeWallDef wall = scree_wall_def_default();
    ScreeBodyDef body[3] = {scree_body_def_default(), scree_body_def_default(),
                            scree_body_def_default()};
    ScreeWorld *world = NULL;
    def.dimension = 2;
    def.engine = engine;
    def.time_step = 1e-3;
    material.law.cohesion = 1; /* contacts have a memory */
    material.law.cohesion_range = 0.1;
    material.law.stiffness = rigid ? material.law.stiffness : 1e6;
    wall.point.y = -1.6;
    wall.normal.y = 1;
    body[0].shape.index = 0;
    body[0].velocity.y = -500;
    body[1].radius = 1;
    body[1].position.x = 3;
    body[1].velocity.x = rigid ? -500 : -1;
    body[2].shape.index = 1;
    body[2].position.x = 6;
    bool ok = scree_world_create(&def, &world, NULL) == SCREE_OK &&
              scree_world_add_material(world, &material, NULL) == SCREE_OK &&
              scree_world_add_wall(world, &wall, NULL) == SCREE_OK &&
              scree_world_add_shape(world, &shape, NULL) == SCREE_OK &&
              (!rigid || add_circle(world) == SCREE_OK) &&
              scree_world_add_bodies(world, body, rigid ? 3 : 2, NULL) == SCREE_OK;
    for (int i = 0; ok && i < 4; i++) {
        ok = scree_world_step(world, NULL) == SCREE_OK;
    }
    if (!ok) {
        fprintf(stderr, "%s\n", world != NULL ? scree_world_get_message(world) : "no world");
        scree_world_destroy(world);
        return NULL;
    }
    return world;
}

int main(int argc, char **argv) {
    static const ScreeEngine engine[] = {SCREE_ENGINE_CONTACT_DYNAMICS, SCREE_ENGINE_SOFT};
    if (argc != 3) {
        fprintf(stderr, "usage: fuzz_seeds RUN_FOLDER CHECKPOINT_FOLDER\n");
        return 2;
    }
    bool ok = make_runs(argv[1]);
    for (int i = 0; i < 2 && ok; i++) {
        ScreeWorld *world = make_world(engine[i]);
        ok = world != NULL && make_checkpoint(argv[2], i, world);
        scree_world_destroy(world);
    }
    return ok ? 0 : 1;
}
