#include "bench/packing.h"

#include <stdio.h>
#include <stdlib.h>

static const double spacing = 1.05; /* of the spheres at the start; disks need twice that */

static double noise(uint64_t *state) {
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(*state >> 11) * 0x1p-53 - 0.5;
}

static bool add_plane(ScreeWorld *world, ScreeVec3 point, ScreeVec3 normal) {
    ScreeWallDef wall = scree_default_wall();
    wall.point = point;
    wall.normal = normal;
    return scree_add_wall(world, &wall, NULL) == SCREE_OK;
}

/* Floor and sides: five planes in space, three in the plane. */
static bool add_box(ScreeWorld *world, int dimension, double width, double depth) {
    bool ok = add_plane(world, (ScreeVec3){0, 0, 0}, (ScreeVec3){1, 0, 0}) &&
              add_plane(world, (ScreeVec3){width, 0, 0}, (ScreeVec3){-1, 0, 0}) &&
              add_plane(world, (ScreeVec3){0, 0, 0}, (ScreeVec3){0, 1, 0});
    if (ok && dimension == 3) {
        ok = add_plane(world, (ScreeVec3){0, depth, 0}, (ScreeVec3){0, -1, 0}) &&
             add_plane(world, (ScreeVec3){0, 0, 0}, (ScreeVec3){0, 0, 1});
    }
    return ok;
}

static ScreeWorld *make_world(int dimension, int iterations, ScreeOrder order) {
    ScreeWorldDef def = scree_default_world();
    def.dimension = dimension;
    def.time_step = 1.0 / 200;
    def.gravity = dimension == 3 ? (ScreeVec3){0, 0, -9.81} : (ScreeVec3){0, -9.81, 0};
    def.solver.criterion = SCREE_CRITERION_FIXED;
    def.solver.iterations = iterations;
    def.solver.order = order;
    ScreeWorld *world = NULL;
    char message[SCREE_MESSAGE_SIZE];
    if (scree_create_world(&def, &world, message) != SCREE_OK) {
        fprintf(stderr, "bench: %s\n", message);
        return NULL;
    }
    ScreeMaterialDef material = scree_default_material();
    material.law.friction = 0.5;
    scree_add_material(world, &material, NULL);
    return world;
}

static ScreeBodyDef grain(const PackingDef *def, int x, int y, int z, uint64_t *random) {
    double step = def->dimension == 3 ? spacing : 2 * spacing;
    ScreeBodyDef body = scree_default_body();
    body.radius = def->dimension == 3 ? 0.5 : 0.75 + 0.5 * noise(random);
    body.position = (ScreeVec3){(x + 0.5) * step + 0.04 * noise(random),
                                (y + 0.5) * step + 0.04 * noise(random),
                                (z + 0.5) * step + 0.04 * noise(random)};
    body.velocity = (ScreeVec3){0.4 * noise(random), 0.4 * noise(random), 0};
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
    ScreeStatus status = scree_add_bodies(world, body, count, NULL);
    free(body);
    return status == SCREE_OK;
}

ScreeWorld *bench_settle(const PackingDef *def) {
    ScreeWorld *world = make_world(def->dimension, def->iterations, def->order);
    double width = def->across * (def->dimension == 3 ? spacing : 2 * spacing);
    bool ok =
        world != NULL && add_box(world, def->dimension, width, width) && add_grains(world, def);
    for (int i = 0; ok && i < def->steps; i++) {
        ok = scree_step(world, NULL) == SCREE_OK;
    }
    if (!ok) {
        fprintf(stderr, "bench: %s\n", world != NULL ? scree_message(world) : "no world");
        scree_destroy_world(world);
        return NULL;
    }
    return world;
}

ScreeWorld *bench_tile(const ScreeWorld *from, int along_x, int along_y, int iterations) {
    ScreeWorldDef def = scree_world_def(from);
    ScreeBodyView view = scree_bodies(from);
    ScreeWallState side;
    scree_wall(from, 1, &side);
    double width = side.now.point.x;
    ScreeWorld *world = make_world(def.dimension, iterations, def.solver.order);
    ScreeBodyDef *body = calloc(view.count, sizeof *body);
    bool ok = world != NULL && body != NULL &&
              add_box(world, def.dimension, along_x * width, along_y * width);
    for (int tile = 0; ok && tile < along_x * along_y; tile++) {
        for (size_t i = 0; i < view.count; i++) {
            body[i] = scree_default_body();
            body[i].position = view.position[i];
            body[i].position.x += width * (tile % along_x);
            body[i].position.y += width * (tile / along_x);
            body[i].radius = view.radius[i];
        }
        ok = scree_add_bodies(world, body, view.count, NULL) == SCREE_OK;
    }
    free(body);
    if (!ok) {
        fprintf(stderr, "bench: %s\n", world != NULL ? scree_message(world) : "no world");
        scree_destroy_world(world);
        return NULL;
    }
    return world;
}
