/* Disks or spheres in a periodic cell that deforms. */
#ifndef SCREE_TESTS_CELL_RIG_H
#define SCREE_TESTS_CELL_RIG_H

#include "../check.h"

#include <scree/scree.h>

#include <stdlib.h>
#include <string.h>

enum { XX, XY, XZ, YX, YY, YZ, ZX, ZY, ZZ };

/* Between -1 and 1, the same for the same number. */
static inline double cell_chance(unsigned i) {
    uint64_t x = (i + 1) * UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return (double)((x ^ x >> 31) >> 11) * 0x1p-52 - 1;
}

static inline ScreeWorldDef cell_def(int dimension, double side) {
    ScreeWorldDef def = scree_world_def_default();
    def.dimension = dimension;
    def.time_step = 0.02;
    for (int k = 0; k < dimension; k++) {
        def.periodic[k] = true;
    }
    def.cell_max = (ScreeVec3){side, side, dimension == 3 ? side : 0};
    def.deform.deforms = true;
    return def;
}

static inline ScreeWorld *cell_world(const ScreeWorldDef *def, double friction) {
    ScreeWorld *world = NULL;
    char message[SCREE_MESSAGE_SIZE];
    ScreeMaterialDef material = scree_material_def_default();
    ScreeMaterialId id;
    material.law.friction = friction;
    if (scree_world_create(def, &world, message) != SCREE_OK ||
        scree_world_add_material(world, &material, &id) != SCREE_OK) {
        fprintf(stderr, "%s\n", message);
        abort();
    }
    return world;
}

static inline void cell_add(ScreeWorld *world, double radius, ScreeVec3 at, ScreeVec3 velocity) {
    ScreeBodyDef body = scree_body_def_default();
    ScreeBodyId id;
    body.radius = radius;
    body.position = at;
    body.velocity = velocity;
    body.material = (ScreeMaterialId){0};
    if (scree_world_add_bodies(world, &body, 1, &id) != SCREE_OK) {
        fprintf(stderr, "%s\n", scree_world_get_message(world));
        abort();
    }
}

/* Bodies of two sizes, 1 : 1.4, on a lattice that is shaken. Mean diameter 1. */
static inline void cell_fill(ScreeWorld *world, int along, double side) {
    const ScreeWorldDef def = scree_world_get_def(world);
    const double pitch = side / along, room = 0.5 * (pitch - 1.4 / 1.2);
    for (int i = 0; i < along * along * (def.dimension == 3 ? along : 1); i++) {
        double at[3];
        int place = i;
        for (int k = 0; k < 3; k++, place /= along) {
            double shake = room * cell_chance((unsigned)(3 * i + k));
            at[k] = k < def.dimension ? (place % along + 0.5) * pitch + shake : 0;
        }
        const double drift = 0.1 * (i % 2 == 0 ? 1 : -1);
        cell_add(world, i % 2 == 0 ? 0.5 / 1.2 : 0.7 / 1.2, (ScreeVec3){at[0], at[1], at[2]},
                 (ScreeVec3){drift, -drift, 0});
    }
}

static inline ScreeReport cell_step(ScreeWorld *world) {
    ScreeReport report;
    if (scree_world_step(world, &report) != SCREE_OK) {
        fprintf(stderr, "%s\n", scree_world_get_message(world));
        abort();
    }
    return report;
}

/* Steps, and the balance of energy in each of them. */
static inline void cell_run(ScreeWorld *world, int steps) {
    for (int i = 0; i < steps; i++) {
        const ScreeReport r = cell_step(world);
        double scale = fabs(r.work_cell) + fabs(r.dissipation) + r.kinetic_energy;
        CHECK(fabs(r.energy_error) <= 1e-12 * scale);
    }
}

#endif
