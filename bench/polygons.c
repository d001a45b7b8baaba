#include "bench/parts.h"

#include "api/world.h"
#include "base/clock.h"
#include "bench/noise.h"
#include "bench/packing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { SHAPES = 64 };

static bool add_bodies(ScreeWorld *world, int across, int layers, uint64_t *random) {
    bool ok = true;
    for (int i = 0; ok && i < across * layers; i++) {
        ScreeBodyDef body = scree_body_def_default();
        double half = 3 * bench_unit(random);
        body.shape = (ScreeShapeId){(int32_t)(SHAPES * bench_unit(random))};
        body.position = (ScreeVec3){2.1 * (i % across + 0.5), 2.1 * (i / across + 0.5), 0};
        body.orientation = (ScreeQuat){cos(half), 0, 0, sin(half)};
        body.velocity = (ScreeVec3){bench_unit(random) - 0.5, 0, 0};
        ok = scree_world_add_bodies(world, &body, 1, NULL) == SCREE_OK;
    }
    return ok;
}

static ScreeWorld *make_world(int across, int layers) {
    ScreeWorldDef def = scree_world_def_default();
    def.dimension = 2;
    def.time_step = 1.0 / 200;
    def.gravity = (ScreeVec3){0, -9.81, 0};
    def.solver.criterion = SCREE_CRITERION_FIXED;
    def.solver.iterations = 20;
    ScreeWorld *world = NULL;
    if (scree_world_create(&def, &world, NULL) != SCREE_OK) {
        return NULL;
    }
    ScreeMaterialDef material = scree_material_def_default();
    material.law.friction = 0.5;
    uint64_t random = 1;
    bool ok = scree_world_add_material(world, &material, NULL) == SCREE_OK;
    for (int i = 0; ok && i < SHAPES; i++) {
        ok = bench_add_polygon(world, &random);
    }
    ok = ok && bench_add_plane(world, (ScreeVec3){0, 0, 0}, (ScreeVec3){0, 1, 0}) &&
         bench_add_plane(world, (ScreeVec3){0, 0, 0}, (ScreeVec3){1, 0, 0}) &&
         bench_add_plane(world, (ScreeVec3){2.1 * across, 0, 0}, (ScreeVec3){-1, 0, 0}) &&
         add_bodies(world, across, layers, &random);
    if (!ok) {
        fprintf(stderr, "bench: %s\n", scree_world_get_message(world));
        scree_world_destroy(world);
        return NULL;
    }
    return world;
}

/* Finds the contact points of all pairs whose circles nearly meet; seconds per pair. */
static double time_detection(ScreeWorld *world, size_t *pairs) {
    const State *s = &world->state;
    Engine *e = &world->engine;
    const StepMotion none = {.turn_a = 0};
    double best = INFINITY;
    scr_place_outlines(s, &e->outlines.placed);
    for (int repeat = 0; repeat < 5; repeat++) {
        *pairs = 0;
        double begin = scr_seconds();
        for (size_t i = 0; i < e->list.neighbours.count; i++) {
            Pair p = scr_bodies_of(s, &e->list, e->list.neighbours.pair[i]);
            double reach = 0.01 * fmin(s->bodies.radius[p.a], s->bodies.radius[p.b]);
            if (scr_touch_round(s, p.a, p.b).gap > reach) {
                continue;
            }
            scr_pair_points(s, &e->outlines.placed, p.a, p.b, (OldPoints){NULL, 0}, &none, reach,
                            &e->outlines.piece[0].work);
            ++*pairs;
        }
        best = fmin(best, scr_seconds() - begin);
    }
    return *pairs > 0 ? best / (double)*pairs : 0;
}

static double weight(const ScreeWorld *world) {
    ScreeBodyView b = scree_world_get_bodies(world);
    double sum = 0;
    for (size_t i = 0; i < b.count; i++) {
        sum += 9.81 * b.mass[i];
    }
    return sum;
}

bool bench_polygons(bool quick, Results *r) {
    /* forty layers fall for four seconds, and come to rest in another four */
    ScreeWorld *world = make_world(quick ? 100 : 250, quick ? 10 : 40);
    if (world == NULL) {
        return false;
    }
    enum { MEASURED = 20 };
    ScreeReport report = {0};
    bool ok = bench_steps(world, quick ? 800 : 1600, &report);
    ScreeCost before = scree_world_get_cost(world);
    ok = ok && bench_steps(world, MEASURED, &report);
    ScreeCost after = scree_world_get_cost(world);
    if (!ok) {
        scree_world_destroy(world);
        return false;
    }
    size_t pairs = 0;
    double solver = after.seconds_solver - before.seconds_solver;
    double total = after.seconds_total - before.seconds_total;
    double pair = time_detection(world, &pairs);
    bench_note(r, "polygons_pair_us", "contact points of a pair of polygons", "us", 1e6 * pair);
    bench_note(r, "polygons_pairs", "candidate pairs", "", (double)pairs);
    bench_note(r, "polygons_contacts", "contact points", "", (double)report.contacts);
    bench_note(r, "polygons_update_ns", "contact update there", "ns",
               1e9 * solver / (after.updates - before.updates));
    bench_note(r, "polygons_outside_ms", "the step without its sweeps", "ms",
               1e3 * (total - solver) / MEASURED);
    bench_note(r, "polygons_energy", "kinetic energy there, per weight times length", "",
               report.kinetic_energy / weight(world));
    bench_note(r, "polygons_overlap", "largest overlap there", "lengths", report.overlap_max);
    scree_world_destroy(world);
    return true;
}
