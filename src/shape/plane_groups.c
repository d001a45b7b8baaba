#include "shape/plane_groups.h"

#include <stdlib.h>

typedef struct Seed {
    double area;
    int32_t triangle;
} Seed;

static int larger_first(const void *one, const void *other) {
    const Seed *a = one, *b = other;
    return a->area != b->area ? (a->area > b->area ? -1 : 1)
                              : (a->triangle > b->triangle) - (a->triangle < b->triangle);
}

typedef struct Grouping {
    const Vec3 *point;
    const Triangles *of;
    double tolerance;
    int32_t *group, groups;
    int32_t *queue;
    Seed *seed;
    Block queue_block, seed_block;
} Grouping;

/* Lower than the tolerance: its normal means nothing. */
static bool is_sliver(const Grouping *g, const Triangle *t) {
    return length(scr_triangle_normal(g->point, t)) <= g->tolerance * scr_longest_side(g->point, t);
}

static bool lies_in(const Grouping *g, const Triangle *t, Vec3 origin, Vec3 normal) {
    for (int k = 0; k < 3; k++) {
        if (fabs(dot(normal, sub(g->point[t->vertex[k]], origin))) > g->tolerance) {
            return false;
        }
    }
    return is_sliver(g, t) || dot(normal, scr_triangle_normal(g->point, t)) > 0;
}

static void grow(Grouping *g, int32_t seed) {
    const Triangle *triangle = g->of->triangle;
    Vec3 origin = g->point[triangle[seed].vertex[0]],
         normal = unit(scr_triangle_normal(g->point, &triangle[seed]));
    int32_t count = 0;
    g->group[seed] = g->groups;
    g->queue[count++] = seed;
    for (int32_t k = 0; k < count; k++) {
        for (int e = 0; e < 3; e++) {
            int32_t next = triangle[g->queue[k]].neighbour[e];
            if (next >= 0 && g->group[next] < 0 && lies_in(g, &triangle[next], origin, normal)) {
                g->group[next] = g->groups;
                g->queue[count++] = next;
            }
        }
    }
    g->groups++;
}

/* The neighbour behind the longest side. */
static int32_t widest_neighbour(const Grouping *g, const Triangle *t) {
    int best = 0;
    double longest = -1;
    for (int e = 0; e < 3; e++) {
        double l = length(sub(g->point[t->vertex[(e + 1) % 3]], g->point[t->vertex[e]]));
        best = l > longest ? e : best;
        longest = l > longest ? l : longest;
    }
    return t->neighbour[best];
}

/* Slivers that no group has reached follow the neighbour behind their longest side. */
static void place_slivers(Grouping *g) {
    bool any = true;
    while (any) {
        any = false;
        for (int32_t t = 0; t < g->of->count; t++) {
            int32_t next = g->group[t] < 0 ? widest_neighbour(g, &g->of->triangle[t]) : -1;
            if (next >= 0 && g->group[next] >= 0) {
                g->group[t] = g->group[next];
                any = true;
            }
        }
    }
    for (int32_t t = 0; t < g->of->count; t++) { /* two that follow one another */
        if (g->group[t] < 0) {
            g->group[t] = g->groups++;
        }
    }
}

bool scr_plane_groups(const Vec3 *point, const Triangles *of, double tolerance, int32_t *group) {
    Grouping g = {.point = point, .of = of, .tolerance = tolerance, .group = group};
    size_t count = (size_t)of->count;
    bool ok = SCR_RESERVE(&g, queue, count) && SCR_RESERVE(&g, seed, count);
    for (int32_t t = 0; ok && t < of->count; t++) {
        group[t] = -1;
        g.seed[t] = (Seed){length(scr_triangle_normal(point, &of->triangle[t])), t};
    }
    if (ok) {
        qsort(g.seed, count, sizeof *g.seed, larger_first);
    }
    for (size_t k = 0; ok && k < count; k++) {
        int32_t t = g.seed[k].triangle;
        if (group[t] < 0 && !is_sliver(&g, &of->triangle[t])) {
            grow(&g, t);
        }
    }
    if (ok) {
        place_slivers(&g);
    }
    SCR_FREE_BLOCKS(&g.queue_block, &g.seed_block);
    return ok;
}
