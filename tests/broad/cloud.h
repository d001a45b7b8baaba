/* A cloud of bodies, and its neighbours found by comparing all pairs. */
#ifndef SCREE_TESTS_CLOUD_H
#define SCREE_TESTS_CLOUD_H

#include "physics/rig.h"

#include "broad/broad.h"

typedef struct Cloud {
    size_t count;
    Vec3 *position;
    double *radius, *margin;
    ScreeWorldDef def;
} Cloud;

/* All pairs are compared, and the sanitizer makes that slow: half of the bodies then. */
enum { CLOUD_PART = CHECK_STRIDE == 1 ? 1 : 2 };

static inline Cloud make_cloud(size_t count, int dimension) {
    Cloud c = {.count = count, .def = scree_world_def_default()};
    c.def.dimension = dimension;
    c.position = calloc(count + 1, sizeof *c.position);
    c.radius = calloc(2 * count + 2, sizeof *c.radius);
    if (c.position == NULL || c.radius == NULL) {
        abort();
    }
    c.margin = c.radius + count + 1;
    return c;
}

static inline void free_cloud(Cloud *c) {
    free(c->position);
    free(c->radius);
}

static inline void make_periodic(Cloud *c, bool x, bool y, bool z, ScreeVec3 low, ScreeVec3 side) {
    c->def.periodic[0] = x;
    c->def.periodic[1] = y;
    c->def.periodic[2] = z && c->def.dimension == 3;
    c->def.cell_min = low;
    c->def.cell_max = rig_add(low, 1, side);
}

/* Sizes from 1 to `ratio`, about as many small ones as large ones by volume; the half side of the
 * box is chosen such that some pairs are near. */
static inline void fill_random(Cloud *c, uint64_t *random, double half, double ratio) {
    for (size_t i = 0; i < c->count; i++) {
        c->position[i] = rig_random_vec(random, half, c->def.dimension);
        c->radius[i] = 0.5 / sqrt(1 - rig_random(random) * (1 - 1 / (ratio * ratio)));
        c->margin[i] = 0.1 * rig_random(random) * c->radius[i];
    }
}

static inline double cloud_image(bool periodic, double side, double d) {
    return periodic ? remainder(d, side) : d;
}

static inline double cloud_distance(const Cloud *c, size_t i, size_t j) {
    ScreeVec3 d = rig_sub(c->position[j], c->position[i]),
              side = rig_sub(c->def.cell_max, c->def.cell_min);
    return rig_length(rig_vec(cloud_image(c->def.periodic[0], side.x, d.x),
                              cloud_image(c->def.periodic[1], side.y, d.y),
                              cloud_image(c->def.periodic[2], side.z, d.z)));
}

static inline BroadInput cloud_input(const Cloud *c, int method) {
    return (BroadInput){.def = &c->def,
                        .search = (ScreeSearch)method,
                        .count = c->count,
                        .position = c->position,
                        .radius = c->radius,
                        .margin = c->margin,
                        .pair_limit = (size_t)1 << 40};
}

static inline int cloud_by_bodies(const void *left, const void *right) {
    const Pair *a = left, *b = right;
    return a->a != b->a ? (a->a < b->a ? -1 : 1) : (a->b > b->b) - (a->b < b->b);
}

/* Compares with all pairs; those within rounding of the limit may or may not be listed. */
static inline void check_against_all(const Cloud *c, const Neighbours *nb) {
    Pair *pair = malloc((nb->count + 1) * sizeof *pair);
    if (pair == NULL) {
        abort();
    }
    for (size_t k = 0; k < nb->count; k++) {
        int32_t i = nb->order[nb->pair[k].a], j = nb->order[nb->pair[k].b];
        pair[k] = i < j ? (Pair){i, j} : (Pair){j, i};
    }
    if (nb->count > 0) {
        qsort(pair, nb->count, sizeof *pair, cloud_by_bodies);
    }
    size_t k = 0, missing = 0, extra = 0;
    for (size_t i = 0; i < c->count; i++) {
        for (size_t j = i + 1; j < c->count; j++) {
            bool listed = k < nb->count && pair[k].a == (int32_t)i && pair[k].b == (int32_t)j;
            k += listed;
            double reach = c->radius[i] + c->margin[i] + c->radius[j] + c->margin[j],
                   d = cloud_distance(c, i, j), blur = 1e-15 * rig_length(c->position[i]);
            missing += !listed && d < reach * (1 - 1e-9) - blur;
            extra += listed && d > reach * (1 + 1e-9) + blur;
        }
    }
    CHECK(missing == 0);
    CHECK(extra == 0);
    CHECK(k == nb->count); /* no pair twice */
    free(pair);
}

/* Every body has one rank, and the pairs come in the order of ranks. */
static inline void check_order(const Cloud *c, const Neighbours *nb) {
    size_t sum = 0, disorder = 0;
    unsigned char *seen = calloc(c->count + 1, 1);
    for (size_t i = 0; i < c->count && seen != NULL; i++) {
        size_t r = (size_t)nb->rank[i];
        sum += r < c->count && !seen[r]++ && nb->order[r] == (int32_t)i;
    }
    CHECK(sum == c->count);
    free(seen);
    int64_t last = -1;
    for (size_t k = 0; k < nb->count; k++) {
        int64_t a = nb->pair[k].a, b = nb->pair[k].b, now = a * (int64_t)c->count + b;
        disorder += now <= last || a >= b;
        last = now;
    }
    CHECK(disorder == 0);
}

static inline void check_same(const Cloud *c, const Neighbours *one, const Neighbours *other) {
    CHECK(one->count == other->count);
    if (one->count == other->count && one->count > 0) {
        CHECK(memcmp(one->pair, other->pair, one->count * sizeof *one->pair) == 0);
    }
    if (c->count > 0) {
        CHECK(memcmp(one->rank, other->rank, c->count * sizeof *one->rank) == 0);
    }
}

/* The neighbours of a cloud by every method; each keeps what it has learned from one list to the
 * next. */
typedef struct AllMethods {
    Neighbours nb[SCREE_SEARCH_COUNT];
} AllMethods;

static inline void find_all(const Cloud *c, AllMethods *all) {
    for (int m = 0; m < SCREE_SEARCH_COUNT; m++) {
        const BroadInput input = cloud_input(c, m);
        CHECK(scr_find_neighbours(&input, &all->nb[m]) == SCREE_OK);
        if (m > 0) {
            check_same(c, &all->nb[0], &all->nb[m]);
        }
    }
    check_against_all(c, &all->nb[0]);
    check_order(c, &all->nb[0]);
}

static inline void free_all(AllMethods *all) {
    for (int m = 0; m < SCREE_SEARCH_COUNT; m++) {
        scr_neighbours_free(&all->nb[m]);
    }
}

#endif
