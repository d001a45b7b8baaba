#include "bench/packing.h"

#include "bench/noise.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double spacing = 1.05; /* of the spheres at the start; disks need twice as much */

bool bench_add_polygon(ScreeWorld *world, uint64_t *random) {
    enum { MOST_SIDES = 8 };
    ScreeVec3 corner[MOST_SIDES];
    ScreeShapePart part = {5 + (int32_t)(4 * bench_unit(random)), 0};
    double radius = 0.5 + 0.5 * bench_unit(random);
    for (int32_t k = 0; k < part.corners; k++) {
        double angle = 2 * 3.14159265358979323846 * (k + bench_unit(random) / 3) / part.corners;
        corner[k] = (ScreeVec3){radius * cos(angle), radius * sin(angle), 0};
    }
    const ScreeShapeDef def = {&part, 1, corner};
    return scree_world_add_shape(world, &def, NULL) == SCREE_OK;
}

typedef struct Box {
    int dimension;
    double width, depth;
    bool periodic;
} Box;

bool bench_add_plane(ScreeWorld *world, ScreeVec3 point, ScreeVec3 normal) {
    ScreeWallDef wall = scree_wall_def_default();
    wall.point = point;
    wall.normal = normal;
    return scree_world_add_wall(world, &wall, NULL) == SCREE_OK;
}

/* Floor and sides: five planes in space, three in the plane; only the floor if the box is
 * periodic. */
static bool add_box(ScreeWorld *world, const Box *box) {
    const ScreeVec3 corner = {0, 0, 0}, far = {box->width, box->depth, 0};
    bool space = box->dimension == 3;
    bool ok = bench_add_plane(world, corner, space ? (ScreeVec3){0, 0, 1} : (ScreeVec3){0, 1, 0});
    if (ok && !box->periodic) {
        ok = bench_add_plane(world, corner, (ScreeVec3){1, 0, 0}) &&
             bench_add_plane(world, far, (ScreeVec3){-1, 0, 0});
    }
    if (ok && !box->periodic && space) {
        ok = bench_add_plane(world, corner, (ScreeVec3){0, 1, 0}) &&
             bench_add_plane(world, far, (ScreeVec3){0, -1, 0});
    }
    return ok;
}

static ScreeWorld *make_world(const Box *box, int iterations, ScreeOrder order) {
    const bool space = box->dimension == 3;
    ScreeWorldDef def = scree_world_def_default();
    def.dimension = box->dimension;
    def.time_step = 1.0 / 200;
    def.gravity = space ? (ScreeVec3){0, 0, -9.81} : (ScreeVec3){0, -9.81, 0};
    def.periodic[0] = box->periodic;
    def.periodic[1] = box->periodic && space;
    def.cell_max = (ScreeVec3){box->width, box->depth, 1};
    def.solver.criterion = SCREE_CRITERION_FIXED;
    def.solver.iterations = iterations;
    def.solver.order = order;
    ScreeWorld *world = NULL;
    char message[SCREE_MESSAGE_SIZE];
    if (scree_world_create(&def, &world, message) != SCREE_OK) {
        fprintf(stderr, "bench: %s\n", message);
        return NULL;
    }
    ScreeMaterialDef material = scree_material_def_default();
    material.law.friction = 0.5;
    scree_world_add_material(world, &material, NULL);
    return world;
}

static ScreeBodyDef grain(const PackingDef *def, int x, int y, int z, uint64_t *random) {
    double step = def->dimension == 3 ? spacing : 2 * spacing;
    ScreeBodyDef body = scree_body_def_default();
    body.radius = def->dimension == 3 ? 0.5 : 0.75 + 0.5 * bench_noise(random);
    body.position = (ScreeVec3){(x + 0.5) * step + 0.04 * bench_noise(random),
                                (y + 0.5) * step + 0.04 * bench_noise(random),
                                (z + 0.5) * step + 0.04 * bench_noise(random)};
    body.velocity = (ScreeVec3){0.4 * bench_noise(random), 0.4 * bench_noise(random), 0};
    if (def->dimension == 2) {
        body.position.z = 0;
    }
    return body;
}

static bool add_grains(ScreeWorld *world, const PackingDef *def) {
    int depth = def->dimension == 3 ? def->across : 1;
    size_t count = (size_t)def->across * (size_t)depth * (size_t)def->layers, k = 0;
    ScreeBodyDef *body = calloc(count, sizeof *body);
    if (body == NULL) {
        return false;
    }
    uint64_t random = 1;
    for (int layer = 0; layer < def->layers; layer++) {
        for (int j = 0; j < depth; j++) {
            for (int i = 0; i < def->across; i++) {
                body[k++] = def->dimension == 3 ? grain(def, i, j, layer, &random)
                                                : grain(def, i, layer, 0, &random);
            }
        }
    }
    ScreeStatus status = scree_world_add_bodies(world, body, count, NULL);
    free(body);
    return status == SCREE_OK;
}

static ScreeWorld *failed(ScreeWorld *world) {
    fprintf(stderr, "bench: %s\n", world != NULL ? scree_world_get_message(world) : "no world");
    scree_world_destroy(world);
    return NULL;
}

bool bench_steps(ScreeWorld *world, int steps, ScreeReport *report) {
    for (int i = 0; i < steps; i++) {
        if (scree_world_step(world, report) != SCREE_OK) {
            fprintf(stderr, "bench: %s\n", scree_world_get_message(world));
            return false;
        }
    }
    return true;
}

ScreeWorld *bench_copy_world(const ScreeWorld *from) {
    size_t size = 0;
    scree_world_save(from, NULL, &size);
    void *bytes = malloc(size);
    ScreeWorld *world = NULL;
    if (bytes == NULL || scree_world_save(from, bytes, &size) != SCREE_OK ||
        scree_world_load(bytes, size, &world, NULL) != SCREE_OK) {
        fprintf(stderr, "bench: cannot copy the world\n");
    }
    free(bytes);
    return world;
}

ScreeWorld *bench_settle(const PackingDef *def) {
    double width = def->across * (def->dimension == 3 ? spacing : 2 * spacing);
    const Box box = {def->dimension, width, width, def->periodic};
    ScreeWorld *world = make_world(&box, def->iterations, def->order);
    bool ok = world != NULL && add_box(world, &box) && add_grains(world, def);
    for (int i = 0; ok && i < def->steps; i++) {
        ok = scree_world_step(world, NULL) == SCREE_OK;
    }
    return ok ? world : failed(world);
}

/* The box of a world that bench_settle has made. */
static Box box_of(const ScreeWorld *world) {
    const ScreeWorldDef def = scree_world_get_def(world);
    ScreeWallState side;
    if (def.periodic[0]) {
        return (Box){def.dimension, def.cell_max.x, def.cell_max.y, true};
    }
    scree_wall_get_state(world, (ScreeWallId){2}, &side);
    return (Box){def.dimension, side.now.point.x, side.now.point.y, false};
}

ScreeWorld *bench_tile(const ScreeWorld *from, int along_x, int along_y, int iterations) {
    ScreeBodyView view = scree_world_get_bodies(from);
    const Box one = box_of(from);
    const Box all = {one.dimension, along_x * one.width, along_y * one.depth, one.periodic};
    ScreeWorld *world = make_world(&all, iterations, scree_world_get_def(from).solver.order);
    ScreeBodyDef *body = calloc(view.count, sizeof *body);
    bool ok = world != NULL && body != NULL && add_box(world, &all);
    for (int tile = 0; ok && tile < along_x * along_y; tile++) {
        for (size_t i = 0; i < view.count; i++) {
            body[i] = scree_body_def_default();
            body[i].position = view.position[i];
            body[i].position.x += one.width * (tile % along_x);
            body[i].position.y += one.depth * (tile / along_x);
            body[i].radius = view.radius[i];
        }
        ok = scree_world_add_bodies(world, body, view.count, NULL) == SCREE_OK;
    }
    free(body);
    return ok ? world : failed(world);
}
