#include "bench/solver_cases.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double spacing = 2.02; /* at the start; radii are 0.5 to 1 */

static double noise(uint64_t *state) {
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(*state >> 11) * 0x1p-53 - 0.5;
}

static ScreeWorld *make_world(int dimension, uint64_t seed, double time_step, double gravity,
                              double friction) {
    ScreeWorldDef def = scree_default_world();
    def.dimension = dimension;
    def.seed = seed;
    def.time_step = time_step;
    def.gravity = dimension == 3 ? (ScreeVec3){0, 0, -gravity} : (ScreeVec3){0, -gravity, 0};
    ScreeWorld *world = NULL;
    if (scree_create_world(&def, &world, NULL) == SCREE_OK) {
        ScreeMaterialDef material = scree_default_material();
        material.law.friction = friction;
        scree_add_material(world, &material, NULL);
    }
    return world;
}

static bool add_plane(ScreeWorld *world, ScreeVec3 point, ScreeVec3 normal) {
    ScreeWallDef wall = scree_default_wall();
    wall.point = point;
    wall.normal = normal;
    return scree_add_wall(world, &wall, NULL) == SCREE_OK;
}

/* ---------------------------------------------------------------- packings */

/* Where grain number i falls from: `across` in a row, in the plane every other row half a spacing
 * aside, in space `across` rows in a layer. */
static ScreeVec3 start_place(int dimension, int across, int i, uint64_t *random) {
    double x = i % across + 0.5 + 0.004 * noise(random);
    if (dimension == 2) {
        int row = i / across;
        return (ScreeVec3){spacing * (x + (row % 2 == 1 ? 0.5 : 0)),
                           spacing * (0.5 + row * 0.5 * sqrt(3)), 0};
    }
    double y = i / across % across + 0.5 + 0.004 * noise(random);
    return (ScreeVec3){spacing * x, spacing * y, spacing * (i / across / across + 0.5)};
}

static bool add_grains(ScreeWorld *world, int dimension, int across, int count, uint64_t random) {
    ScreeBodyDef *body = calloc((size_t)count, sizeof *body);
    bool ok = body != NULL;
    for (int i = 0; ok && i < count; i++) {
        body[i] = scree_default_body();
        body[i].radius = 0.75 + 0.5 * noise(&random);
        body[i].position = start_place(dimension, across, i, &random);
        body[i].velocity = (ScreeVec3){noise(&random), dimension == 3 ? noise(&random) : 0, 0};
    }
    ok = ok && scree_add_bodies(world, body, (size_t)count, NULL) == SCREE_OK;
    free(body);
    return ok;
}

double bench_unrest(const ScreeWorld *world) {
    ScreeBodyView view = scree_bodies(world);
    ScreeWorldDef def = scree_world_def(world);
    double sum = 0, added = fabs(def.gravity.y + def.gravity.z) * def.time_step;
    for (size_t i = 0; i < view.count; i++) {
        ScreeVec3 v = view.velocity[i];
        sum += v.x * v.x + v.y * v.y + v.z * v.z;
    }
    return sqrt(sum / (double)view.count) / added;
}

/* Steps until they are at rest: each grain slower than a tenth of what gravity adds in a step. */
static bool settle(ScreeWorld *world, int threads, int steps) {
    enum { FEWEST = 100, BETWEEN = 20, FALLING = 25, SLOW = 100 };
    ScreeSolverDef solver = scree_default_solver();
    solver.method = SCREE_METHOD_ACCELERATED;
    solver.criterion = SCREE_CRITERION_FIXED;
    solver.iterations = FALLING;
    scree_set_solver(world, &solver);
    scree_set_threads(world, threads);
    for (int i = 1; i <= steps; i++) {
        if (scree_step(world, NULL) != SCREE_OK) {
            return false;
        }
        if (i % BETWEEN == 0 && i >= FEWEST) {
            double unrest = bench_unrest(world);
            if (unrest < 0.1) {
                break;
            }
            solver.iterations = unrest < 5 ? SLOW : FALLING;
            scree_set_solver(world, &solver);
        }
    }
    scree_set_threads(world, 1);
    return true;
}

static ScreeWorld *make_packing(int dimension, int count, int seed, int threads, int steps) {
    /* 0.735: what makes the settled packing as high as wide */
    int across = (int)lround(0.735 * pow(count, 1.0 / dimension));
    double width = spacing * (across + (dimension == 2 ? 0.5 : 0));
    ScreeWorld *world = make_world(dimension, (uint64_t)seed, 1.0 / 200, 9.81, 0.5);
    bool ok = world != NULL && add_plane(world, (ScreeVec3){0, 0, 0}, (ScreeVec3){1, 0, 0}) &&
              add_plane(world, (ScreeVec3){width, 0, 0}, (ScreeVec3){-1, 0, 0}) &&
              add_plane(world, (ScreeVec3){0, 0, 0}, (ScreeVec3){0, 1, 0});
    if (ok && dimension == 3) {
        ok = add_plane(world, (ScreeVec3){0, width, 0}, (ScreeVec3){0, -1, 0}) &&
             add_plane(world, (ScreeVec3){0, 0, 0}, (ScreeVec3){0, 0, 1});
    }
    ok = ok && add_grains(world, dimension, across, count, (uint64_t)seed) &&
         settle(world, threads, steps);
    if (!ok) {
        fprintf(stderr, "bench: %s\n", world != NULL ? scree_message(world) : "no memory");
        scree_destroy_world(world);
        return NULL;
    }
    return world;
}

static ScreeWorld *read_packing(const char *path) {
    FILE *file = fopen(path, "rb");
    ScreeWorld *world = NULL;
    if (file != NULL && fseek(file, 0, SEEK_END) == 0) {
        long size = ftell(file);
        void *bytes = size > 0 ? malloc((size_t)size) : NULL;
        rewind(file);
        if (bytes != NULL && fread(bytes, 1, (size_t)size, file) == (size_t)size) {
            scree_load(bytes, (size_t)size, &world, NULL);
        }
        free(bytes);
    }
    if (file != NULL) {
        fclose(file);
    }
    return world;
}

static bool write_packing(const ScreeWorld *world, const char *path) {
    size_t size = 0;
    scree_save(world, NULL, &size);
    void *bytes = malloc(size);
    FILE *file = bytes != NULL ? fopen(path, "wb") : NULL;
    bool ok = file != NULL && scree_save(world, bytes, &size) == SCREE_OK &&
              fwrite(bytes, 1, size, file) == size;
    ok = file != NULL && fclose(file) == 0 && ok;
    free(bytes);
    return ok;
}

static ScreeWorld *find_packing(const char *name, const char *folder, int dimension, int count,
                                int seed, int threads, int steps) {
    char path[1024];
    snprintf(path, sizeof path, "%s/%s.scree", folder != NULL ? folder : "", name);
    ScreeWorld *world = folder != NULL ? read_packing(path) : NULL;
    if (world == NULL) {
        world = make_packing(dimension, count, seed, threads, steps);
        if (world != NULL && folder != NULL && !write_packing(world, path)) {
            fprintf(stderr, "bench: cannot write %s\n", path);
        }
    }
    return world;
}

/* ---------------------------------------------------------------- chain and array */

static ScreeWorld *make_chain(int count) {
    ScreeWorld *world = make_world(2, 1, 1.0 / 200, 9.81, 0.5);
    bool ok = world != NULL && add_plane(world, (ScreeVec3){0, 0, 0}, (ScreeVec3){0, 1, 0});
    for (int i = 0; ok && i < count; i++) {
        ScreeBodyDef body = scree_default_body();
        body.radius = 0.5;
        body.position = (ScreeVec3){0, i + 0.5, 0};
        ok = scree_add_bodies(world, &body, 1, NULL) == SCREE_OK;
    }
    return world;
}

/* A material of this friction with disks, which are the first. */
static int32_t add_rough(ScreeWorld *world, double friction) {
    ScreeMaterialDef material = scree_default_material();
    int32_t id = -1;
    material.law.friction = friction;
    scree_add_material(world, &material, &id);
    scree_set_law(world, 0, id, &material.law);
    return id;
}

/* Push 14, brake 0.01, both of a disk's weight; frictions 0.006 between disks, 0.1 with the plane,
 * 0.001 with the blocks, which have next to no mass. */
static ScreeWorld *make_array(int count) {
    ScreeWorld *world = make_world(2, 1, 0.01, 1, 0.006);
    if (world == NULL) {
        return NULL;
    }
    ScreeWallDef wall = scree_default_wall();
    wall.normal = (ScreeVec3){0, 1, 0};
    wall.material = add_rough(world, 0.1);
    bool ok = scree_add_wall(world, &wall, NULL) == SCREE_OK;
    wall.material = add_rough(world, 0.001);
    wall.motion = SCREE_WALL_PISTON;
    wall.mass = 1e-9;
    for (int side = -1; ok && side <= 1; side += 2) {
        wall.point = (ScreeVec3){side * count, 0, 0};
        wall.normal = (ScreeVec3){-side, 0, 0};
        wall.force = (ScreeVec3){side < 0 ? 14 : -0.01, 0, 0};
        ok = scree_add_wall(world, &wall, NULL) == SCREE_OK;
    }
    for (int i = 0; ok && i < count; i++) {
        ScreeBodyDef body = scree_default_body();
        body.radius = body.mass = 1;
        body.position = (ScreeVec3){2 * i + 1 - count, 1, 0};
        ok = scree_add_bodies(world, &body, 1, NULL) == SCREE_OK;
    }
    return world;
}

ScreeWorld *bench_solver_case(const char *name, const char *folder, int threads, int steps) {
    int count = 0, seed = 0, read = 0;
    if (sscanf(name, "plane-%7d-%7d%n", &count, &seed, &read) == 2 && name[read] == '\0') {
        return find_packing(name, folder, 2, count, seed, threads, steps);
    }
    if (sscanf(name, "space-%7d-%7d%n", &count, &seed, &read) == 2 && name[read] == '\0') {
        return find_packing(name, folder, 3, count, seed, threads, steps);
    }
    if (sscanf(name, "chain-%7d%n", &count, &read) == 1 && name[read] == '\0') {
        return make_chain(count);
    }
    if (sscanf(name, "array-%7d%n", &count, &read) == 1 && name[read] == '\0') {
        return make_array(count);
    }
    fprintf(stderr, "bench: '%s' is none of plane-N-SEED, space-N-SEED, chain-N, array-N\n", name);
    return NULL;
}
