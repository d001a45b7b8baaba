/* The cells of the default method of search: runs of equal keys in the order along space, and the table that
 * leads to them. */
#ifndef SCREE_BROAD_GRID_CELLS_H
#define SCREE_BROAD_GRID_CELLS_H

#include "broad/space_order.h"

enum { MOST_CELLS = 65 }; /* four along each axis, and one to spare for a write past the end */

/* The cells of a level as an array, row by row, and where it begins in the table. */
typedef struct Extent {
    int64_t low[3], high[3], width[3];
    size_t first;
} Extent;

typedef struct Grid {
    const Space *space;
    const Spot *spot; /* [bodies] by rank */
    int32_t *begin;   /* [runs + 1] first body of each cell */
    size_t runs;
    int32_t *table; /* from index or hash to run + 1 */
    size_t table_mask;
    bool array; /* the table is an array, not a hash table */
    Extent extent[MOST_LEVELS];
} Grid;

/* Sorts the bodies of a space into cells, in memory of the neighbours; false when out of it. */
bool scr_grid_build(Grid *grid, const Space *space, Neighbours *neighbours);

/* The occupied cells of a level from `low` to `high` that come after cell `after`, each once, in
 * ascending order. Returns how many. */
int scr_grid_cells(const Grid *grid, int level, const int64_t low[3], const int64_t high[3],
                   int32_t after, int32_t run[MOST_CELLS]);

static inline uint64_t scr_run_key(const Grid *g, int32_t run) {
    return g->space->key[g->begin[run]];
}

static inline int scr_level_of_run(const Grid *g, int32_t run) {
    return (int)(scr_run_key(g, run) >> 58);
}

#endif
