/* The contact points of solids alone, as a program of its own:
 *     bench_solid_pairs [PAIRS [STEPS]]
 *
 * Pairs of rocks with vertices on a sphere of diameter 1, and of cubes of side 0.58, face on face
 * (the last two lines: shifted, and edge on edge). Half of them touch, within 1e-6; the others are up
 * to 0.03 apart, and the reach is 0.005. Bodies shake by 1e-6 (a packing at rest) or by 1e-3 in
 * every step, and keep their lists; or by 1e-6, and keep nothing. Times are processor time per pair
 * and step; points and names per pair. */
#include "base/clock.h"
#include "bench/noise.h"
#include "narrow/part_distance.h"
#include "narrow/solid_pair.h"
#include "shape/solid_build.h"

#include <stdio.h>
#include <stdlib.h>

enum { MOST_VERTICES = 64, MOST_OLD = 32 };

typedef struct BenchPair {
    Solid solid[2];
    PlacedSolid start[2], placed[2];
    Vec3 apart, d;
    SolidKept kept;
    size_t old_count;
    Contact old[MOST_OLD];
} BenchPair;

static Vec3 direction(uint64_t *random) {
    for (;;) {
        Vec3 v = vec3(2 * bench_noise(random), 2 * bench_noise(random), 2 * bench_noise(random));
        double l = length(v);
        if (l < 1 && l > 0.1) {
            return scale(1 / l, v);
        }
    }
}

/* ---------------------------------------------------------------- pairs */

static bool make_solid(const Vec3 *vertex, size_t vertices, Solid *solid) {
    const ScreeSolidPart part = {.vertices = vertices};
    const ScreeSolidDef def = {.part = &part, .parts = 1, .vertex = vertex};
    Vec3 centroid;
    char message[SCREE_MESSAGE_SIZE];
    bool made = scr_solid_build(&def, solid, &centroid, message) == SCREE_OK;
    if (!made) {
        fprintf(stderr, "bench: %s\n", message);
    }
    return made;
}

static bool make_rock(size_t vertices, uint64_t *random, Solid *solid) {
    Vec3 v[MOST_VERTICES];
    for (size_t i = 0; i < vertices; i++) {
        v[i] = scale(0.5, direction(random));
    }
    return make_solid(v, vertices, solid);
}

static bool make_cube(Solid *solid) {
    Vec3 v[8];
    for (int i = 0; i < 8; i++) {
        v[i] = vec3(i & 1 ? 0.29 : -0.29, i & 2 ? 0.29 : -0.29, i & 4 ? 0.29 : -0.29);
    }
    return make_solid(v, 8, solid);
}

static void turn(PlacedSolid *p, Vec3 by) {
    Quat q = quat_from_turn(by);
    for (int i = 0; i < 3; i++) {
        p->axis[i] = quat_rotate(q, p->axis[i]);
    }
}

/* At a distance of `gap`; aligned cubes shifted by up to `shift`. */
static void place(BenchPair *p, double gap, bool aligned, double shift, uint64_t *random) {
    for (int k = 0; k < 2; k++) {
        p->start[k] = (PlacedSolid){&p->solid[k], {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
        if (!aligned) {
            turn(&p->start[k], scale(3 * bench_unit(random), direction(random)));
        }
    }
    p->apart = aligned ? vec3(shift * bench_unit(random), shift * bench_unit(random), 2)
                       : scale(2, direction(random));
    const RelativePose pose = scr_relative_pose(&p->start[0], &p->start[1], p->apart);
    const PartPair parts = scr_part_pair(p->solid[0].part, p->solid[1].part, &pose);
    const PartDistance d = scr_part_distance(&parts, INFINITY);
    p->apart = add_scaled(p->apart, gap - d.gap, scr_out_of_frame(&p->start[0], d.normal));
    p->d = p->apart;
    p->placed[0] = p->start[0];
    p->placed[1] = p->start[1];
}

static bool make_pair(BenchPair *p, size_t vertices, uint64_t *random) {
    *p = (BenchPair){0};
    bool cubes = vertices < 4;
    for (int k = 0; k < 2; k++) {
        if (!(cubes ? make_cube(&p->solid[k]) : make_rock(vertices, random, &p->solid[k]))) {
            return false;
        }
    }
    bool touches = bench_unit(random) < 0.5;
    place(p, touches ? 2e-6 * bench_noise(random) : 0.03 * bench_unit(random), cubes,
          vertices == 0 ? 0.2 : 0, random);
    return true;
}

/* ---------------------------------------------------------------- steps */

typedef struct Cost {
    double seconds;
    size_t points;
} Cost;

static StepMotion motion_of(double step, uint64_t *random) {
    return (StepMotion){scale(step * bench_unit(random), direction(random)),
                        scale(step * bench_unit(random), direction(random)),
                        scale(step * bench_unit(random), direction(random))};
}

static void remember(BenchPair *p, const OutlineTouches *touches) {
    p->old_count = 0;
    for (size_t i = 0; i < touches->count && i < MOST_OLD; i++) {
        p->old[p->old_count++] =
            (Contact){.feature = touches->item[i].feature, .normal = touches->item[i].normal};
    }
}

/* One step of all pairs: they are moved first, so that the time is that of the search alone. */
static bool make_step(BenchPair *pair, size_t pairs, double step, bool keeps, uint64_t *random,
                      SolidWork *work, OutlineTouches *touches, Cost *cost) {
    StepMotion motion = motion_of(step, random);
    for (size_t i = 0; i < pairs; i++) {
        BenchPair *p = &pair[i];
        p->d = add(p->apart, motion.shift);
        for (int k = 0; k < 2; k++) {
            p->placed[k] = p->start[k];
            turn(&p->placed[k], k == 0 ? motion.turn_a : motion.turn_b);
        }
    }
    double start = scr_thread_seconds();
    for (size_t i = 0; i < pairs; i++) {
        BenchPair *p = &pair[i];
        const OldPoints old = {p->old, p->old_count};
        work->kept = keeps ? &p->kept : NULL;
        if (scr_touch_solids(&p->placed[0], &p->placed[1], p->d, &motion, 0.005, old, work,
                             touches) != SCREE_OK) {
            return false;
        }
        cost->points += touches->count;
        remember(p, touches);
    }
    cost->seconds += scr_thread_seconds() - start;
    return true;
}

static bool run(BenchPair *pair, size_t pairs, int steps, double step, bool keeps, Cost *cost) {
    SolidWork work = {0};
    OutlineTouches touches = {0};
    uint64_t random = 7;
    bool ok = true;
    for (int k = -1; k < steps && ok; k++) {
        *cost = k == 0 ? (Cost){0} : *cost; /* the first one is not counted */
        ok = make_step(pair, pairs, step, keeps, &random, &work, &touches, cost);
    }
    scr_solid_work_free(&work);
    scr_block_free(&touches.block);
    return ok;
}

static bool bench_kind(size_t vertices, size_t pairs, int steps) {
    BenchPair *pair = calloc(pairs, sizeof *pair);
    uint64_t random = 1;
    bool ok = pair != NULL;
    size_t faces = 0, names = 0;
    for (size_t i = 0; i < pairs && ok; i++) {
        ok = make_pair(&pair[i], vertices, &random);
        faces = ok ? (size_t)pair[i].solid[0].part->faces : 0;
    }
    Cost rest = {0}, flow = {0}, anew = {0};
    ok = ok && run(pair, pairs, steps, 1e-6, true, &rest);
    for (size_t i = 0; i < pairs && ok; i++) {
        names += (size_t)pair[i].kept.count;
    }
    ok = ok && run(pair, pairs, steps, 1e-3, true, &flow);
    ok = ok && run(pair, pairs, steps / 4 + 1, 1e-6, false, &anew);
    double calls = (double)pairs * steps, few = (double)pairs * (steps / 4 + 1);
    if (ok) {
        printf("%5zu %10.2f %10.2f %10.2f %10.2f %10.2f\n", faces, 1e6 * rest.seconds / calls,
               1e6 * flow.seconds / calls, 1e6 * anew.seconds / few, (double)rest.points / calls,
               (double)names / (double)pairs);
    }
    for (size_t i = 0; i < pairs && pair != NULL; i++) {
        scr_solid_free(&pair[i].solid[0]);
        scr_solid_free(&pair[i].solid[1]);
    }
    free(pair);
    return ok;
}

int main(int argc, char **argv) {
    static const size_t vertices[] = {4, 8, 12, 20, 44, 0, 1};
    size_t pairs = argc > 1 ? (size_t)strtoul(argv[1], NULL, 10) : 400;
    int steps = argc > 2 ? atoi(argv[2]) : 50;
    bool ok = pairs > 0 && steps > 0;
    printf("faces   1e-6, us   1e-3, us  anew, us     points      names\n");
    for (size_t k = 0; k < sizeof vertices / sizeof *vertices && ok; k++) {
        ok = bench_kind(vertices[k], pairs, steps);
    }
    return ok ? 0 : 1;
}
