#include "bench/solver_cases.h"

#include "bench/noise.h"
#include "bench/packing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double spacing = 2.02; /* at the start; radii are 0.5 to 1 */

const char bench_solver_case_forms[] =
    "plane-N-SEED, space-N-SEED, either with -xCOPIES or -rolling, -cohesion, -springs, "
    "plane-N-SEED-polygons, chain-N, array-N";

/* What grains may be besides round, rigid and rough. */
typedef enum Special { ORDINARY, ROLLING, COHESION, SPRINGS, POLYGONS, SPECIALS } Special;

static const char *const special_names[SPECIALS] = {"", "-rolling", "-cohesion", "-springs",
                                                    "-polygons"};

/* The name of a packing, taken apart. */
typedef struct CaseName {
    int dimension, count, seed, copies;
    Special special;
    char name[64];
} CaseName;

/* The number after `before`, if nothing follows it; else 0. */
static int read_number(const char *name, const char *before) {
    size_t length = strlen(before);
    int number = 0, read = 0;
    bool ok = strncmp(name, before, length) == 0 &&
              sscanf(name + length, "%7d%n", &number, &read) == 1 &&
              name[length + (size_t)read] == 0;
    return ok ? number : 0;
}

static bool read_packing_name(const char *name, CaseName *c) {
    char kind[6];
    int end = 0, all = 0;
    *c = (CaseName){.copies = 1};
    if (strlen(name) >= sizeof c->name || sscanf(name, "%5[a-z]-%7d-%7d%n-x%4d%n", kind, &c->count,
                                                 &c->seed, &end, &c->copies, &all) < 3) {
        return false;
    }
    memcpy(c->name, name, strlen(name) + 1);
    c->dimension = strcmp(kind, "plane") == 0 ? 2 : strcmp(kind, "space") == 0 ? 3 : 0;
    const char *rest = name + (all > 0 ? all : end);
    while (c->special < SPECIALS && strcmp(rest, special_names[c->special]) != 0) {
        c->special++;
    }
    bool may = c->special == ORDINARY || (all == 0 && c->special < POLYGONS) ||
               (all == 0 && c->special == POLYGONS && c->dimension == 2);
    return c->dimension > 0 && c->count > 0 && c->copies > 0 && may;
}

/* Grains weigh 5 to 40. */
static bool set_special_law(ScreeWorld *world, Special special) {
    const ScreeMaterialId only = {0};
    ScreeLaw law;
    if (special == ORDINARY || scree_law_get(world, only, only, &law) != SCREE_OK) {
        return special == ORDINARY;
    }
    if (special == ROLLING) {
        law.rolling = law.torsion = 0.1;
    } else if (special == COHESION) {
        law.cohesion = 10;
        law.cohesion_range = 0.01;
    } else if (special == SPRINGS) {
        law.stiffness = law.stiffness_tangential = 1e6;
    }
    return scree_law_set(world, only, only, &law) == SCREE_OK;
}

static ScreeWorld *make_world(int dimension, uint64_t seed, double time_step, double gravity,
                              double friction) {
    ScreeWorldDef def = scree_world_def_default();
    def.dimension = dimension;
    def.seed = seed;
    def.time_step = time_step;
    def.gravity = dimension == 3 ? (ScreeVec3){0, 0, -gravity} : (ScreeVec3){0, -gravity, 0};
    ScreeWorld *world = NULL;
    if (scree_world_create(&def, &world, NULL) == SCREE_OK) {
        ScreeMaterialDef material = scree_material_def_default();
        material.law.friction = friction;
        scree_world_add_material(world, &material, NULL);
    }
    return world;
}

/* ---------------------------------------------------------------- packings */

/* Where grain number i falls from: in the plane rows of `across`, every other one shifted by half a
 * spacing; in space layers of `across` such rows. */
static ScreeVec3 start_position(int dimension, int across, int i, uint64_t *random) {
    double x = i % across + 0.5 + 0.004 * bench_noise(random);
    if (dimension == 2) {
        int row = i / across;
        return (ScreeVec3){spacing * (x + (row % 2 == 1 ? 0.5 : 0)),
                           spacing * (0.5 + row * 0.5 * sqrt(3)), 0};
    }
    double y = i / across % across + 0.5 + 0.004 * bench_noise(random);
    return (ScreeVec3){spacing * x, spacing * y, spacing * (i / across / across + 0.5)};
}

enum { SHAPES = 64 };

static bool add_shapes(ScreeWorld *world, uint64_t *random) {
    bool ok = true;
    for (int i = 0; ok && i < SHAPES; i++) {
        ok = bench_add_polygon(world, random);
    }
    return ok;
}

static bool add_grains(ScreeWorld *world, int dimension, int across, int count, bool polygons,
                       uint64_t random) {
    ScreeBodyDef *body = calloc((size_t)count, sizeof *body);
    bool ok = body != NULL && (!polygons || add_shapes(world, &random));
    for (int i = 0; ok && i < count; i++) {
        body[i] = scree_body_def_default();
        body[i].radius = 0.75 + 0.5 * bench_noise(&random);
        if (polygons) {
            body[i].radius = 0;
            body[i].shape = (ScreeShapeId){(int32_t)(SHAPES * bench_unit(&random))};
        }
        body[i].position = start_position(dimension, across, i, &random);
        body[i].velocity =
            (ScreeVec3){bench_noise(&random), dimension == 3 ? bench_noise(&random) : 0, 0};
    }
    ok = ok && scree_world_add_bodies(world, body, (size_t)count, NULL) == SCREE_OK;
    free(body);
    return ok;
}

/* What gravity adds to a velocity in one step. */
static double step_velocity(const ScreeWorld *world) {
    ScreeWorldDef def = scree_world_get_def(world);
    return fabs(def.gravity.y + def.gravity.z) * def.time_step;
}

static double square(ScreeVec3 v) {
    return v.x * v.x + v.y * v.y + v.z * v.z;
}

double bench_unrest(const ScreeWorld *world) {
    ScreeBodyView view = scree_world_get_bodies(world);
    double sum = 0;
    for (size_t i = 0; i < view.count; i++) {
        sum += square(view.velocity[i]);
    }
    return sqrt(sum / (double)view.count) / step_velocity(world);
}

/* The mean square is dominated by a few loose grains; but if hardly any grain moves, no part of the
 * packing is giving way. */
static bool is_at_rest(const ScreeWorld *world) {
    const double slow = 0.01 * step_velocity(world), moving_most = 0.01;
    ScreeBodyView view = scree_world_get_bodies(world);
    size_t moving = 0;
    for (size_t i = 0; i < view.count; i++) {
        moving += square(view.velocity[i]) > slow * slow;
    }
    return bench_unrest(world) < 0.1 && (double)moving <= moving_most * (double)view.count;
}

/* Makes steps until the packing is at rest. */
static bool settle(ScreeWorld *world, int threads, int steps) {
    enum { FEWEST = 100, BETWEEN = 20, FALLING = 25, SLOW = 100 };
    ScreeSolverDef solver = scree_solver_def_default();
    solver.method = SCREE_METHOD_ACCELERATED;
    solver.criterion = SCREE_CRITERION_FIXED;
    solver.iterations = FALLING;
    solver.projection = 0; /* the sweeps alone bring it to rest */
    scree_world_set_solver(world, &solver);
    scree_world_set_threads(world, threads);
    for (int i = 1; i <= steps; i++) {
        if (scree_world_step(world, NULL) != SCREE_OK) {
            return false;
        }
        if (i % BETWEEN == 0 && i >= FEWEST) {
            if (is_at_rest(world)) {
                break;
            }
            solver.iterations = bench_unrest(world) < 5 ? SLOW : FALLING;
            scree_world_set_solver(world, &solver);
        }
    }
    scree_world_set_threads(world, 1);
    return true;
}

/* How many grains lie side by side: with 0.735 the settled packing is as high as it is wide. */
static int grains_across(int dimension, int count) {
    return (int)lround(0.735 * pow(count, 1.0 / dimension));
}

static double box_width(int dimension, int count) {
    return spacing * (grains_across(dimension, count) + (dimension == 2 ? 0.5 : 0));
}

/* An open box, `times` as long as it is wide. */
static ScreeWorld *make_box(int dimension, double width, int times, int seed) {
    ScreeWorld *world = make_world(dimension, (uint64_t)seed, 1.0 / 200, 9.81, 0.5);
    bool ok = world != NULL && bench_add_plane(world, (ScreeVec3){0, 0, 0}, (ScreeVec3){1, 0, 0}) &&
              bench_add_plane(world, (ScreeVec3){times * width, 0, 0}, (ScreeVec3){-1, 0, 0}) &&
              bench_add_plane(world, (ScreeVec3){0, 0, 0}, (ScreeVec3){0, 1, 0});
    if (ok && dimension == 3) {
        ok = bench_add_plane(world, (ScreeVec3){0, width, 0}, (ScreeVec3){0, -1, 0}) &&
             bench_add_plane(world, (ScreeVec3){0, 0, 0}, (ScreeVec3){0, 0, 1});
    }
    return world;
}

/* Returns the world once it has settled; or destroys it and says why. */
static ScreeWorld *settled(ScreeWorld *world, bool ok, int threads, int steps) {
    if (!ok || !settle(world, threads, steps)) {
        fprintf(stderr, "bench: %s\n",
                world != NULL ? scree_world_get_message(world) : "no memory");
        scree_world_destroy(world);
        return NULL;
    }
    return world;
}

static ScreeWorld *make_packing(const CaseName *c, int threads, int steps) {
    ScreeWorld *world = make_box(c->dimension, box_width(c->dimension, c->count), 1, c->seed);
    bool ok = world != NULL && set_special_law(world, c->special) &&
              add_grains(world, c->dimension, grains_across(c->dimension, c->count), c->count,
                         c->special == POLYGONS, (uint64_t)c->seed);
    return settled(world, ok, threads, steps);
}

static ScreeWorld *read_packing(const char *path) {
    FILE *file = fopen(path, "rb");
    ScreeWorld *world = NULL;
    if (file != NULL && fseek(file, 0, SEEK_END) == 0) {
        long size = ftell(file);
        void *bytes = size > 0 ? malloc((size_t)size) : NULL;
        rewind(file);
        if (bytes != NULL && fread(bytes, 1, (size_t)size, file) == (size_t)size) {
            scree_world_load(bytes, (size_t)size, &world, NULL);
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
    scree_world_save(world, NULL, &size);
    void *bytes = malloc(size);
    FILE *file = bytes != NULL ? fopen(path, "wb") : NULL;
    bool ok = file != NULL && scree_world_save(world, bytes, &size) == SCREE_OK &&
              fwrite(bytes, 1, size, file) == size;
    ok = file != NULL && fclose(file) == 0 && ok;
    free(bytes);
    return ok;
}

static ScreeWorld *find_packing(const CaseName *c, const char *folder, int threads, int steps);

/* Adds the grains of a settled packing, shifted by `boxes` widths, as they are or mirrored. */
static bool add_settled(ScreeWorld *world, const ScreeWorld *from, double width, int boxes,
                        bool mirrored) {
    ScreeBodyView view = scree_world_get_bodies(from);
    ScreeBodyDef *body = calloc(view.count, sizeof *body);
    bool ok = body != NULL;
    for (size_t i = 0; ok && i < view.count; i++) {
        body[i] = scree_body_def_default();
        body[i].radius = view.radius[i];
        body[i].position = view.position[i];
        body[i].velocity = view.velocity[i];
        if (mirrored) {
            body[i].position.x = width - body[i].position.x;
            body[i].velocity.x = -body[i].velocity.x;
        }
        body[i].position.x += boxes * width;
    }
    ok = ok && scree_world_add_bodies(world, body, view.count, NULL) == SCREE_OK;
    free(body);
    return ok;
}

/* Packings of two seeds alternately, then both mirrored, and so on; settled together. */
static ScreeWorld *make_row(const CaseName *c, const char *folder, int threads, int steps) {
    double width = box_width(c->dimension, c->count);
    ScreeWorld *part[2] = {NULL, NULL}, *world = make_box(c->dimension, width, c->copies, c->seed);
    bool ok = world != NULL;
    for (int k = 0; ok && k < 2; k++) {
        CaseName one = {c->dimension, c->count, c->seed + k, 1, ORDINARY, ""};
        snprintf(one.name, sizeof one.name, "%s-%d-%d", c->dimension == 2 ? "plane" : "space",
                 c->count, one.seed);
        part[k] = find_packing(&one, folder, threads, steps);
        ok = part[k] != NULL;
    }
    for (int k = 0; ok && k < c->copies; k++) {
        ok = add_settled(world, part[k % 2], width, k, k / 2 % 2 == 1);
    }
    scree_world_destroy(part[0]);
    scree_world_destroy(part[1]);
    return settled(world, ok, threads, steps);
}

static ScreeWorld *find_packing(const CaseName *c, const char *folder, int threads, int steps) {
    char path[1024];
    snprintf(path, sizeof path, "%s/%s.scree", folder != NULL ? folder : "", c->name);
    ScreeWorld *world = folder != NULL ? read_packing(path) : NULL;
    if (world != NULL && (steps == 0 || is_at_rest(world))) {
        return world;
    }
    if (world != NULL) { /* saved as it is after the allowed steps */
        world = settled(world, true, threads, steps);
    } else {
        world =
            c->copies > 1 ? make_row(c, folder, threads, steps) : make_packing(c, threads, steps);
    }
    if (world != NULL && folder != NULL && !write_packing(world, path)) {
        fprintf(stderr, "bench: cannot write %s\n", path);
    }
    return world;
}

/* ---------------------------------------------------------------- chain and array */

static ScreeWorld *make_chain(int count) {
    ScreeWorld *world = make_world(2, 1, 1.0 / 200, 9.81, 0.5);
    bool ok = world != NULL && bench_add_plane(world, (ScreeVec3){0, 0, 0}, (ScreeVec3){0, 1, 0});
    for (int i = 0; ok && i < count; i++) {
        ScreeBodyDef body = scree_body_def_default();
        body.radius = 0.5;
        body.position = (ScreeVec3){0, i + 0.5, 0};
        ok = scree_world_add_bodies(world, &body, 1, NULL) == SCREE_OK;
    }
    return world;
}

/* A material with this friction against disks, which have the first material. */
static ScreeMaterialId add_rough(ScreeWorld *world, double friction) {
    ScreeMaterialDef material = scree_material_def_default();
    ScreeMaterialId id = SCREE_NO_MATERIAL;
    material.law.friction = friction;
    scree_world_add_material(world, &material, &id);
    scree_law_set(world, (ScreeMaterialId){0}, id, &material.law);
    return id;
}

/* The push is 14 and the brake 0.01 times the weight of a disk; friction is 0.006 between disks,
 * 0.1 with the plane, and 0.001 with the blocks, which have almost no mass. */
static ScreeWorld *make_array(int count) {
    ScreeWorld *world = make_world(2, 1, 0.01, 1, 0.006);
    if (world == NULL) {
        return NULL;
    }
    ScreeWallDef wall = scree_wall_def_default();
    wall.normal = (ScreeVec3){0, 1, 0};
    wall.material = add_rough(world, 0.1);
    bool ok = scree_world_add_wall(world, &wall, NULL) == SCREE_OK;
    wall.material = add_rough(world, 0.001);
    wall.motion = SCREE_WALL_PISTON;
    wall.mass = 1e-9;
    for (int side = -1; ok && side <= 1; side += 2) {
        wall.point = (ScreeVec3){side * count, 0, 0};
        wall.normal = (ScreeVec3){-side, 0, 0};
        wall.force = (ScreeVec3){side < 0 ? 14 : -0.01, 0, 0};
        ok = scree_world_add_wall(world, &wall, NULL) == SCREE_OK;
    }
    for (int i = 0; ok && i < count; i++) {
        ScreeBodyDef body = scree_body_def_default();
        body.radius = body.mass = 1;
        body.position = (ScreeVec3){2 * i + 1 - count, 1, 0};
        ok = scree_world_add_bodies(world, &body, 1, NULL) == SCREE_OK;
    }
    return world;
}

/* ---------------------------------------------------------------- names */

bool bench_is_solver_case(const char *name) {
    CaseName c;
    return read_packing_name(name, &c) || read_number(name, "chain-") > 0 ||
           read_number(name, "array-") > 0;
}

ScreeWorld *bench_solver_case(const char *name, const char *folder, int threads, int steps) {
    CaseName c;
    if (read_packing_name(name, &c)) {
        return find_packing(&c, folder, threads, steps);
    }
    if (read_number(name, "chain-") > 0) {
        return make_chain(read_number(name, "chain-"));
    }
    if (read_number(name, "array-") > 0) {
        return make_array(read_number(name, "array-"));
    }
    fprintf(stderr, "bench: '%s' is none of %s\n", name, bench_solver_case_forms);
    return NULL;
}
