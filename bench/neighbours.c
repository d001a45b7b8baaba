#include "bench/parts.h"

#include "bench/noise.h"

#include "base/clock.h"
#include "broad/broad.h"

#include <stdio.h>
#include <stdlib.h>

/* One measurement: this many bodies of radius 1/2, and among them some that are `ratio` times as
 * large. */
typedef struct Case {
    ScreeSearch method;
    size_t count;
    double ratio;
    const char *key, *key_pairs, *text;
} Case;

#define CASE(METHOD, method, words, count, ratio, name, sizes)                                     \
    {                                                                                              \
        SCREE_SEARCH_##METHOD, count, ratio, "neighbours_" #method "_" name "_ns",                 \
            "neighbours_" #method "_" name "_pairs", words ", " sizes                              \
    }

static const Case cases[] = {
    CASE(HIERARCHICAL_GRID, grid, "hierarchical grid", 1000, 1, "1k", "1,000 spheres"),
    CASE(HIERARCHICAL_GRID, grid, "hierarchical grid", 10000, 1, "10k", "10,000 spheres"),
    CASE(HIERARCHICAL_GRID, grid, "hierarchical grid", 100000, 1, "100k", "100,000 spheres"),
    CASE(HIERARCHICAL_GRID, grid, "hierarchical grid", 1000000, 1, "1m", "1,000,000 spheres"),
    CASE(LINKED_CELL, cell, "linked cell", 1000, 1, "1k", "1,000 spheres"),
    CASE(LINKED_CELL, cell, "linked cell", 10000, 1, "10k", "10,000 spheres"),
    CASE(LINKED_CELL, cell, "linked cell", 100000, 1, "100k", "100,000 spheres"),
    CASE(LINKED_LINEAR_LIST, linear, "linked linear list", 1000, 1, "1k", "1,000 spheres"),
    CASE(LINKED_LINEAR_LIST, linear, "linked linear list", 10000, 1, "10k", "10,000 spheres"),
    CASE(LINKED_LINEAR_LIST, linear, "linked linear list", 100000, 1, "100k", "100,000 spheres"),
    CASE(VERLET_LIST, verlet, "Verlet list", 1000, 1, "1k", "1,000 spheres"),
    CASE(VERLET_LIST, verlet, "Verlet list", 10000, 1, "10k", "10,000 spheres"),
    CASE(HIERARCHICAL_GRID, grid, "hierarchical grid", 30000, 1, "30k", "30,000 spheres"),
    CASE(HIERARCHICAL_GRID, grid, "hierarchical grid", 30000, 5, "1to5", "30,000, sizes 1:5"),
    CASE(HIERARCHICAL_GRID, grid, "hierarchical grid", 30000, 20, "1to20", "30,000, sizes 1:20"),
    CASE(HIERARCHICAL_GRID, grid, "hierarchical grid", 30000, 200, "1to200", "30,000, sizes 1:200"),
    CASE(HIERARCHICAL_GRID, grid, "hierarchical grid", 1000000, 200, "1m_1to200",
         "1,000,000, sizes 1:200"),
    CASE(LINKED_CELL, cell, "linked cell", 30000, 1, "30k", "30,000 spheres"),
    CASE(LINKED_CELL, cell, "linked cell", 30000, 5, "1to5", "30,000, sizes 1:5"),
    CASE(LINKED_CELL, cell, "linked cell", 30000, 20, "1to20", "30,000, sizes 1:20"),
    CASE(LINKED_LINEAR_LIST, linear, "linked linear list", 30000, 1, "30k", "30,000 spheres"),
    CASE(LINKED_LINEAR_LIST, linear, "linked linear list", 30000, 5, "1to5", "30,000, sizes 1:5"),
    CASE(LINKED_LINEAR_LIST, linear, "linked linear list", 30000, 20, "1to20",
         "30,000, sizes 1:20"),
    CASE(LINKED_LINEAR_LIST, linear, "linked linear list", 30000, 200, "1to200",
         "30,000, sizes 1:200"),
};

static const double spacing = 1.05;

typedef struct Cloud {
    size_t count;
    Vec3 *position;
    double *radius, *margin;
} Cloud;

static Vec3 noises(uint64_t *random, double size) {
    Vec3 v = {size * bench_noise(random), 0, 0};
    v.y = size * bench_noise(random);
    v.z = size * bench_noise(random);
    return v;
}

static void add_sphere(Cloud *c, Vec3 x, double radius) {
    c->position[c->count] = x;
    c->radius[c->count] = radius;
    c->margin[c->count++] = 0.025;
}

/* Large spheres: a tenth of the volume, on a lattice within the cube of side `side`; if they do not
 * fit, one that touches each of its faces from outside. */
static void add_large(Cloud *c, double side, double radius) {
    double step = cbrt(4.0 / 3.0 * 3.14159265358979 / 0.1) * radius;
    int n = (int)(side / step);
    for (int i = 0; i < n * n * n; i++) {
        add_sphere(c,
                   vec3((i % n + 0.5) * step, (i / n % n + 0.5) * step, (i / n / n + 0.5) * step),
                   radius);
    }
    for (int face = 0; face < 6 && n == 0; face++) {
        double at = face % 2 == 0 ? -radius : side + radius, middle = 0.5 * side;
        add_sphere(c,
                   vec3(face / 2 == 0 ? at : middle, face / 2 == 1 ? at : middle,
                        face / 2 == 2 ? at : middle),
                   radius);
    }
}

static bool is_free(const Cloud *c, size_t large, Vec3 x) {
    for (size_t i = 0; i < large; i++) {
        Vec3 d = sub(c->position[i], x);
        double far = c->radius[i] + 0.5;
        if (dot(d, d) < far * far) {
            return false;
        }
    }
    return true;
}

/* Small spheres on a slightly disordered lattice, wherever there is room, numbered at random. */
static void fill(Cloud *c, size_t count, double ratio) {
    uint64_t random = 1;
    double side = spacing * cbrt((double)count * (ratio > 1 ? 1.12 : 1));
    if (ratio > 1) {
        add_large(c, side, 0.5 * ratio);
    }
    size_t large = c->count;
    int n = (int)ceil(side / spacing);
    for (int i = 0; c->count < count; i++) {
        Vec3 x = scale(spacing, vec3(i % n + 0.5, i / n % n + 0.5, i / n / n + 0.5));
        if (is_free(c, large, x)) {
            add_sphere(c, add_scaled(x, 1, noises(&random, 0.05)), 0.5);
        }
    }
    for (size_t i = count - 1; i > 0; i--) {
        size_t j = (size_t)((bench_noise(&random) + 0.5) * (double)(i + 1));
        Vec3 x = c->position[i];
        double r = c->radius[i];
        c->position[i] = c->position[j];
        c->radius[i] = c->radius[j];
        c->position[j] = x;
        c->radius[j] = r;
    }
}

/* Makes lists as a simulation would: between two of them bodies move by about a twentieth of a
 * radius. Takes the best of several, after two to warm up. */
static bool measure(const Case *which, Cloud *c, Results *results) {
    ScreeWorldDef def = {.dimension = 3};
    const BroadInput input = {.def = &def,
                              .search = which->method,
                              .count = c->count,
                              .position = c->position,
                              .radius = c->radius,
                              .margin = c->margin,
                              .pair_limit = SIZE_MAX};
    Neighbours nb = {0};
    uint64_t random = 2;
    double best = INFINITY, total = 0;
    bool ok = true;
    for (int list = 0; list < 9 && ok && (list < 5 || total < 3); list++) {
        for (size_t i = 0; i < c->count; i++) {
            c->position[i] = add_scaled(c->position[i], 1, noises(&random, 0.03));
        }
        double begin = scr_thread_seconds();
        ok = scr_find_neighbours(&input, &nb) == SCREE_OK;
        double seconds = scr_thread_seconds() - begin;
        best = list < 2 ? best : fmin(best, seconds);
        total += seconds;
    }
    if (which->method == SCREE_SEARCH_VERLET_LIST) {
        best = total / (double)nb.counts.updates; /* some lists are cheap, some expensive */
    }
    bench_note(results, which->key, which->text, "ns per body", 1e9 * best / (double)c->count);
    bench_note(results, which->key_pairs, "    pairs found", "million/s",
               1e-6 * (double)nb.count / best);
    scr_neighbours_free(&nb);
    return ok;
}

bool bench_neighbours(bool quick, Results *results) {
    bool ok = true;
    for (size_t i = 0; i < sizeof cases / sizeof *cases && ok; i++) {
        size_t count = cases[i].count;
        if (quick && count > 30000) {
            continue;
        }
        Cloud c = {0, malloc(count * sizeof *c.position), malloc(count * sizeof *c.radius),
                   malloc(count * sizeof *c.margin)};
        ok = c.position != NULL && c.radius != NULL && c.margin != NULL;
        if (ok) {
            fill(&c, count, cases[i].ratio);
            ok = measure(&cases[i], &c, results);
        }
        free(c.position);
        free(c.radius);
        free(c.margin);
    }
    if (!ok) {
        fprintf(stderr, "bench: out of memory\n");
    }
    return ok;
}
