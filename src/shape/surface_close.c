/* Which triangle lies behind which side, and where a surface does not close. */
#include "shape/surface.h"

#include "base/status.h"

#include <stdlib.h>
#include <string.h>

/* A side of a triangle, by its two vertices. */
typedef struct Side {
    int32_t low, high, triangle, number;
    bool upwards; /* runs from the lower to the higher vertex */
} Side;

static int sides_in_order(const void *one, const void *other) {
    const Side *a = one, *b = other;
    return a->low != b->low             ? (a->low > b->low) - (a->low < b->low)
           : a->high != b->high         ? (a->high > b->high) - (a->high < b->high)
           : a->triangle != b->triangle ? (a->triangle > b->triangle) - (a->triangle < b->triangle)
                                        : (a->number > b->number) - (a->number < b->number);
}

static void list_sides(const Triangles *of, Side *side) {
    for (int32_t t = 0; t < of->count; t++) {
        for (int e = 0; e < 3; e++) {
            int32_t a = of->triangle[t].vertex[e], b = of->triangle[t].vertex[(e + 1) % 3];
            side[3 * t + e] = (Side){a < b ? a : b, a < b ? b : a, t, e, a < b};
        }
    }
    qsort(side, 3 * (size_t)of->count, sizeof *side, sides_in_order);
}

/* ---------------------------------------------------------------- why a surface is open */

/* A vertex other than a and b at the place of either. */
static int32_t find_double(const SurfaceDef *def, double near, int32_t a, int32_t b,
                           int32_t *which) {
    for (size_t k = 0; k < def->vertices; k++) {
        int32_t v = (int32_t)k;
        double to_a = length(sub(def->vertex[k], def->vertex[a])),
               to_b = length(sub(def->vertex[k], def->vertex[b]));
        if (v != a && v != b && (to_a <= near || to_b <= near)) {
            *which = to_a <= near ? a : b;
            return v;
        }
    }
    return -1;
}

/* A vertex that lies on the edge between a and b. */
static int32_t find_between(const SurfaceDef *def, double near, int32_t a, int32_t b) {
    for (size_t k = 0; k < def->vertices; k++) {
        int32_t v = (int32_t)k;
        if (v != a && v != b &&
            scr_distance_to_segment(def->vertex[k], def->vertex[a], def->vertex[b]) <= near) {
            return v;
        }
    }
    return -1;
}

/* Either side of a T-junction is open: the long edge, and the two that it should have been. */
static ScreeStatus refuse_open(const SurfaceDef *def, const Surface *s, const Side *side,
                               char *message) {
    int32_t a = side->low, b = side->high, which = a, face = s->face[side->triangle];
    double near = 1e-6 * s->size;
    int32_t twice = find_double(def, near, a, b, &which);
    int32_t between = twice < 0 ? find_between(def, near, a, b) : -1;
    if (twice >= 0) {
        return scr_surface_refuse(
            message, def->part,
            ", face %d: the surface is open at its edge from vertex %d to vertex "
            "%d; vertices %d and %d lie at the same place: weld them first",
            face, a, b, which, twice);
    }
    if (between >= 0) {
        return scr_surface_refuse(message, def->part,
                                  ", face %d: vertex %d lies on its edge from vertex %d to vertex "
                                  "%d without being one of "
                                  "its corners (a T-junction): weld first, or make it a corner",
                                  face, between, a, b);
    }
    return scr_surface_refuse(
        message, def->part,
        ", face %d: the surface is open at its edge from vertex %d to vertex %d, "
        "which no other face has: close it",
        face, a, b);
}

static ScreeStatus match_sides(const SurfaceDef *def, const Side *side, Surface *made,
                               char *message) {
    size_t sides = 3 * (size_t)made->triangles.count;
    for (size_t k = 0, next; k < sides; k = next) {
        for (next = k + 1;
             next < sides && side[next].low == side[k].low && side[next].high == side[k].high;) {
            next++;
        }
        const Side *one = &side[k], *other = &side[k + 1];
        if (next - k == 1) {
            return refuse_open(def, made, one, message);
        }
        int32_t f = made->face[one->triangle], g = made->face[other->triangle];
        if (next - k > 2) {
            return scr_surface_refuse(
                message, def->part,
                ", face %d: more than two faces meet at its edge from vertex %d "
                "to vertex %d: give touching bodies as parts of their own",
                f, one->low, one->high);
        }
        if (one->upwards == other->upwards) {
            return scr_surface_refuse(message, def->part,
                                      ", face %d: it and face %d run along their common edge, from "
                                      "vertex %d to vertex %d, the same way: one is turned over, "
                                      "reverse its corners",
                                      f, g, one->low, one->high);
        }
        made->triangles.triangle[one->triangle].neighbour[one->number] = other->triangle;
        made->triangles.triangle[other->triangle].neighbour[other->number] = one->triangle;
    }
    return SCREE_OK;
}

/* ---------------------------------------------------------------- vertices */

/* The triangle after t around v. */
static int32_t next_around(const Triangles *of, int32_t t, int32_t v) {
    const Triangle *on = &of->triangle[t];
    int e = on->vertex[0] == v ? 0 : on->vertex[1] == v ? 1 : 2;
    return on->neighbour[e];
}

/* Around a vertex the triangles must be one fan. */
static ScreeStatus check_fans(const SurfaceDef *def, const Surface *s, char *message) {
    struct {
        int32_t *around, *some;
        Block around_block, some_block;
    } work = {0};
    ScreeStatus status = SCREE_OK;
    if (!SCR_RESERVE(&work, around, def->vertices) || !SCR_RESERVE(&work, some, def->vertices)) {
        status = SCREE_NO_MEMORY;
    } else {
        memset(work.around, 0, def->vertices * sizeof *work.around);
        for (int32_t k = 0; k < 3 * s->triangles.count; k++) {
            int32_t v = s->triangles.triangle[k / 3].vertex[k % 3];
            work.around[v]++;
            work.some[v] = k / 3;
        }
    }
    for (size_t v = 0; v < def->vertices && status == SCREE_OK; v++) {
        int32_t passed = 0, t = work.some[v];
        while (work.around[v] > 0 && (passed == 0 || t != work.some[v])) {
            t = next_around(&s->triangles, t, (int32_t)v);
            passed++;
        }
        if (passed != work.around[v]) {
            status = scr_surface_refuse(message, def->part,
                                        ", vertex %zu: the surface touches itself there: give what "
                                        "touches as parts of their own",
                                        v);
        }
    }
    SCR_FREE_BLOCKS(&work.around_block, &work.some_block);
    return status;
}

ScreeStatus scr_surface_close(const SurfaceDef *def, Surface *made, char *message) {
    Block block = {0};
    if (!scr_block_reserve_exact(&block, 3 * (size_t)made->triangles.count, sizeof(Side), 0)) {
        return SCREE_NO_MEMORY;
    }
    list_sides(&made->triangles, block.data);
    ScreeStatus status = match_sides(def, block.data, made, message);
    scr_block_free(&block);
    return status == SCREE_OK ? check_fans(def, made, message) : status;
}
