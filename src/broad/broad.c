#include "broad/broad.h"

#include "broad/space_order.h"

#include "base/clock.h"

#include <string.h>

static BroadMethod *const methods[SCREE_SEARCH_COUNT] = {
    [SCREE_SEARCH_HIERARCHICAL_GRID] = scr_hierarchical_grid,
    [SCREE_SEARCH_LINKED_CELL] = scr_linked_cell,
    [SCREE_SEARCH_VERLET_LIST] = scr_verlet_list,
    [SCREE_SEARCH_LINKED_LINEAR_LIST] = scr_linked_linear_list,
};

/* ---------------------------------------------------------------- the order of pairs */

static int32_t lower(Pair p) {
    return p.a;
}

static int32_t higher(Pair p) {
    return p.b;
}

/* One pass of a counting sort; equal ranks keep their order. */
static void sort_by(int32_t (*rank_of)(Pair), const Pair *from, Pair *to, size_t count,
                    uint32_t *start, size_t bodies) {
    memset(start, 0, (bodies + 1) * sizeof *start);
    for (size_t i = 0; i < count; i++) {
        start[rank_of(from[i]) + 1]++;
    }
    for (size_t r = 0; r < bodies; r++) {
        start[r + 1] += start[r];
    }
    for (size_t i = 0; i < count; i++) {
        to[start[rank_of(from[i])]++] = from[i];
    }
}

/* Sorts by the lower of the two ranks, then by the higher. This overwrites the spots, which are no
 * longer needed. */
static ScreeStatus sort_pairs(const Space *s, Neighbours *nb) {
    Block *spare = &nb->work[2];
    if (!scr_block_reserve(spare, nb->count + 1, sizeof(Pair), 0)) {
        return SCREE_NO_MEMORY;
    }
    if (nb->count > 0) {
        uint32_t *start = (uint32_t *)(void *)s->spot; /* there is room for 8 of them per body */
        sort_by(higher, nb->pair, spare->data, nb->count, start, s->in->count);
        sort_by(lower, spare->data, nb->pair, nb->count, start, s->in->count);
    }
    return SCREE_OK;
}

/* Renames bodies to ranks, or ranks to bodies. */
static void rename_pairs(Neighbours *nb, const int32_t *name) {
    for (size_t i = 0; i < nb->count; i++) {
        nb->pair[i] = scr_pair(name[nb->pair[i].a], name[nb->pair[i].b]);
    }
}

/* ---------------------------------------------------------------- the search */

/* The default method delivers its pairs in order, unless its cell size was given: then its cells
 * are not those that define the order. */
static ScreeStatus find(const BroadInput *in, Neighbours *nb) {
    Space space;
    bool grid = in->search == SCREE_SEARCH_HIERARCHICAL_GRID;
    double cell = grid ? in->def->cell : 0;
    if (!scr_space_order(in, cell, nb, &space)) {
        return SCREE_NO_MEMORY;
    }
    ScreeStatus status = methods[in->search](&space, nb);
    if (grid && (status != SCREE_OK || !(cell > 0))) {
        return status;
    }
    if (grid) {
        rename_pairs(nb, nb->order);
        if (!scr_space_order(in, 0, nb, &space)) {
            return SCREE_NO_MEMORY;
        }
    }
    rename_pairs(nb, nb->rank);
    return status == SCREE_OK ? sort_pairs(&space, nb) : status;
}

ScreeStatus scr_find_neighbours(const BroadInput *in, Neighbours *nb) {
    double begin = scr_thread_seconds();
    ScreeStatus status = SCREE_OK;
    nb->count = 0;
    nb->levels = 0;
    nb->cell = nb->cell_most = 0;
    if (in->count > 0) {
        status = find(in, nb);
    } else {
        nb->memory = (SearchMemory){0};
    }
    nb->counts.updates++;
    nb->counts.listed += nb->count;
    nb->seconds += scr_thread_seconds() - begin;
    return status;
}

void scr_neighbours_free(Neighbours *nb) {
    scr_block_free(&nb->pair_block);
    scr_block_free(&nb->rank_block);
    for (size_t i = 0; i < sizeof nb->work / sizeof nb->work[0]; i++) {
        scr_block_free(&nb->work[i]);
    }
    for (size_t k = 0; k < PAIR_PIECES; k++) {
        scr_block_free(&nb->piece[k].pair_block);
    }
    *nb = (Neighbours){0};
}

size_t scr_neighbours_body_bytes(const Neighbours *nb) {
    size_t bytes = nb->rank_block.bytes;
    for (size_t i = 0; i < sizeof nb->work / sizeof nb->work[0]; i++) {
        bytes += nb->work[i].bytes;
    }
    for (size_t k = 0; k < PAIR_PIECES; k++) {
        bytes += nb->piece[k].pair_block.bytes;
    }
    return bytes;
}
