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
        if (!sample_run_with(frames == 3 ? sample_header_with_meshes : sample_header, path, frames,
                             &error)) {
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

/* A bracket, which is not convex, or every kind of smooth part; and a ball. */
static bool add_solids(ScreeWorld *world, bool smooth) {
    static const ScreeVec3 vertex[] = {{0, 0, 0}, {2, 0, 0}, {2, 1, 0}, {1, 1, 0}, {1, 2, 0},
                                       {0, 2, 0}, {0, 0, 1}, {2, 0, 1}, {2, 1, 1}, {1, 1, 1},
                                       {1, 2, 1}, {0, 2, 1}, {5, 0, 0}, {6, 0, 0}, {5, 1, 0},
                                       {5, 0, 1}, {0, 5, 0}, {0, 5, 1}};
    static const int32_t corners[] = {6, 6, 4, 4, 4, 4, 4, 4},
                         corner[] = {5, 4, 3, 2, 1, 0, 6, 7, 8,  9, 10, 11, 0,  1,  7, 6, 1, 2,
                                     8, 7, 2, 3, 9, 8, 3, 4, 10, 9, 4,  5,  11, 10, 5, 0, 6, 11};
    static const ScreeSolidPart part[] = {
        {.vertices = 12, .faces = 8},
        {.vertices = 4, .kind = SCREE_PART_ELLIPSOID, .form = {4, 3}},
        {.vertices = 2, .kind = SCREE_PART_CONE, .rounding = 0.1, .form = {0.4, 0.2}}};
    const ScreeSolidDef solid[] = {{&part[0], 1, vertex, corners, corner},
                                   {&part[1], 1, vertex + 12, NULL, NULL},
                                   {&part[2], 1, vertex + 16, NULL, NULL}};
    ScreeBodyDef body = scree_body_def_default();
    bool ok = true;
    for (int k = smooth ? 1 : 0; ok && k < 4; k += smooth ? 1 : 3) {
        const bool ball = k == 3;
        body.position = (ScreeVec3){3 * k, 0, k == 0 ? 0.6 : 0.2};
        body.radius = ball ? 0.5 : 0;
        body.velocity = (ScreeVec3){-30, 0, -500};
        body.shape = scree_body_def_default().shape;
        ok = (ball || scree_world_add_solid(world, &solid[k], &body.shape) == SCREE_OK) &&
             scree_world_add_bodies(world, &body, 1, NULL) == SCREE_OK;
    }
    return ok;
}

/* They fall on a plane, or on two triangles. */
static ScreeWorld *make_world_of_solids(bool smooth) {
    static const ScreeVec3 at[] = {{-9, -9, -1}, {20, -9, -1}, {20, 9, -1.5}, {-9, 9, -1}};
    static const int32_t corner[] = {0, 1, 2, 0, 2, 3}, part[] = {0, 1};
    ScreeMesh *mesh = scree_mesh_create(&(ScreeMeshDef){4, 2, at, corner, part, 2}, NULL);
    ScreeWorldDef def = scree_world_def_default();
    ScreeMaterialDef material = scree_material_def_default();
    ScreeWallDef wall = scree_wall_def_default();
    ScreeWorld *world = NULL;
    def.dimension = 3;
    def.time_step = 1e-3;
    wall.shape =
        smooth ? SCREE_WALL_PLANE : SCREE_WALL_MESH; /* smooth bodies on triangles are refused */
    wall.mesh = smooth ? NULL : mesh;
    wall.point.z = smooth ? -1 : 0;
    wall.normal.z = smooth ? 1 : 0;
    bool ok = mesh != NULL && scree_world_create(&def, &world, NULL) == SCREE_OK &&
              scree_world_add_material(world, &material, NULL) == SCREE_OK &&
              scree_world_add_wall(world, &wall, NULL) == SCREE_OK && add_solids(world, smooth);
    for (int i = 0; ok && i < 4; i++) {
        ok = scree_world_step(world, NULL) == SCREE_OK;
    }
    scree_mesh_destroy(mesh);
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
    for (int i = 0; i < 4 && ok; i++) {
        ScreeWorld *world = i < 2 ? make_world(engine[i]) : make_world_of_solids(i == 3);
        ok = world != NULL && make_checkpoint(argv[2], i, world);
        scree_world_destroy(world);
    }
    return ok ? 0 : 1;
}
