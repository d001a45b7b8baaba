/* The default method: linked cells in levels.
 *
 * Two bodies that may touch lie in the same or in neighbouring cells on the level of the larger one
 * (space_order.h), so each body looks only at its own level and at coarser ones: a few very large
 * bodies cost nothing extra. With bodies of similar size there is one level, and this is the
 * ordinary linked-cell method.
 *
 * A cell is a run of equal keys in the order along space. While the bodies fill their space well, a
 * plain array leads from a cell's indices to its run; when they are scattered, a hash table in the
 * same memory does, so bodies far outside cost nothing. All bodies of a cell look at the same
 * cells. And since the next cell along the curve is near in space, the coarser cells it looks at
 * are mostly those that the cell before it looked at.
 *
 * Each cell looks only at later ones, in ascending order, so the pairs come out sorted by rank. */
#include "broad/space_order.h"

#include "base/random.h"

#include <string.h>

enum { MOST_CELLS = 65 }; /* four along each axis, and one to spare for a write past the end */

/* The cells of a coarser level that were looked at last. */
typedef struct View {
    int64_t low[3], high[3];
    int count; /* -1: nothing has been looked at yet */
    int32_t run[MOST_CELLS];
} View;

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
    View view[MOST_LEVELS];
} Grid;

/* ---------------------------------------------------------------- cells */

static void collect_runs(Grid *g) {
    const Space *s = g->space;
    size_t n = s->in->count;
    g->runs = 0;
    for (size_t i = 0; i < n; i++) {
        if (i == 0 || s->key[i] != s->key[i - 1]) {
            g->begin[g->runs++] = (int32_t)i;
        }
    }
    g->begin[g->runs] = (int32_t)n;
}

static uint64_t run_key(const Grid *g, int32_t run) {
    return g->space->key[g->begin[run]];
}

static int level_of_run(const Grid *g, int32_t run) {
    return (int)(run_key(g, run) >> 58);
}

/* ---- as an array */

/* The range of occupied cells of each level. */
static void find_extents(Grid *g) {
    const Space *s = g->space;
    for (int l = 0; l < s->levels; l++) {
        for (int axis = 0; axis < 3; axis++) {
            g->extent[l].low[axis] = INT64_MAX;
            g->extent[l].high[axis] = INT64_MIN;
        }
    }
    for (size_t r = 0; r < g->runs; r++) {
        int l = level_of_run(g, (int32_t)r);
        for (int axis = 0; axis < s->axes; axis++) {
            double x = component(g->spot[g->begin[r]].x, axis);
            int64_t at = scr_space_cell(s, &s->level[l], axis, x);
            Extent *e = &g->extent[l];
            e->low[axis] = at < e->low[axis] ? at : e->low[axis];
            e->high[axis] = at > e->high[axis] ? at : e->high[axis];
        }
    }
}

/* Whether an array of the cells of all levels fits into the table; a periodic axis takes all its
 * cells. */
static bool choose_array(Grid *g) {
    const Space *s = g->space;
    double total = 0;
    find_extents(g);
    for (int l = 0; l < s->levels; l++) {
        double cells = s->level[l].bodies > 0;
        for (int axis = 0; axis < s->axes && cells > 0; axis++) {
            Extent *e = &g->extent[l];
            if (s->in->def->periodic[axis]) {
                e->low[axis] = 0;
                e->high[axis] = s->level[l].cells[axis] - 1;
            }
            e->width[axis] = e->high[axis] - e->low[axis] + 1;
            cells *= (double)e->width[axis];
        }
        g->extent[l].first = total < 0x1p40 ? (size_t)total : 0;
        total += cells;
    }
    return total <= (double)(g->table_mask + 1);
}

static size_t array_index(const Grid *g, int l, Vec3 x) {
    const Space *s = g->space;
    const Extent *e = &g->extent[l];
    int64_t at = 0;
    for (int axis = s->axes - 1; axis >= 0; axis--) {
        int64_t cell = scr_space_cell(s, &s->level[l], axis, component(x, axis));
        cell = s->in->def->periodic[axis] ? scr_space_wrap(s, &s->level[l], axis, cell) : cell;
        at = at * e->width[axis] + cell - e->low[axis];
    }
    return e->first + (size_t)at;
}

/* ---- as a hash table */

static size_t find_slot(const Grid *g, uint64_t key) {
    size_t slot = scr_mix(key) & g->table_mask;
    while (g->table[slot] != 0 && run_key(g, g->table[slot] - 1) != key) {
        slot = (slot + 1) & g->table_mask;
    }
    return slot;
}

static void fill_table(Grid *g) {
    memset(g->table, 0, (g->table_mask + 1) * sizeof *g->table);
    g->array = choose_array(g);
    for (size_t r = 0; r < g->runs; r++) {
        size_t at = g->array ? array_index(g, level_of_run(g, (int32_t)r), g->spot[g->begin[r]].x)
                             : find_slot(g, run_key(g, (int32_t)r));
        g->table[at] = (int32_t)r + 1;
    }
}

/* ---- in either case */

/* The array indices of the cells from `low` to `high` along one axis; those outside the array are
 * left out. */
static int indices_along(const Grid *g, int l, int axis, int64_t low, int64_t high,
                         size_t index[4]) {
    const Space *s = g->space;
    const Extent *e = &g->extent[l];
    int count = 0;
    for (int64_t cell = low; cell <= high; cell++) {
        int64_t at = cell;
        if (s->in->def->periodic[axis]) {
            at = scr_space_wrap(s, &s->level[l], axis, cell);
        } else if (cell < e->low[axis] || cell > e->high[axis]) {
            continue;
        }
        index[count++] = (size_t)(at - e->low[axis]);
    }
    return count;
}

/* The occupied cells of a level from `low` to `high` that come after cell `after`. */
static int cells_in_array(const Grid *g, int l, const int64_t low[3], const int64_t high[3],
                          int32_t after, int32_t run[MOST_CELLS]) {
    const Extent *e = &g->extent[l];
    size_t index[3][4] = {{0}};
    int width[3] = {1, 1, 1}, count = 0;
    for (int axis = 0; axis < g->space->axes; axis++) {
        width[axis] = indices_along(g, l, axis, low[axis], high[axis], index[axis]);
    }
    for (int z = 0; z < width[2]; z++) {
        for (int y = 0; y < width[1]; y++) {
            const int32_t *row =
                &g->table[e->first +
                          (index[2][z] * (size_t)e->width[1] + index[1][y]) * (size_t)e->width[0]];
            for (int x = 0; x < width[0]; x++) {
                int32_t r = row[index[0][x]] - 1;
                run[count] = r;
                count += r > after;
            }
        }
    }
    return count;
}

static int cells_by_hash(const Grid *g, int l, const int64_t low[3], const int64_t high[3],
                         int32_t after, int32_t run[MOST_CELLS]) {
    const Space *s = g->space;
    const Level *level = &s->level[l];
    uint64_t part[3][4] = {{0}};
    int width[3] = {1, 1, 1}, count = 0;
    for (int axis = 0; axis < s->axes; axis++) {
        width[axis] = (int)(high[axis] - low[axis]) + 1;
        for (int k = 0; k < width[axis]; k++) {
            part[axis][k] = scr_space_part(s, axis, scr_space_wrap(s, level, axis, low[axis] + k));
        }
    }
    for (int z = 0; z < width[2]; z++) {
        for (int y = 0; y < width[1]; y++) {
            uint64_t rest = part[2][z] | part[1][y] | scr_space_level_key(l);
            for (int x = 0; x < width[0]; x++) {
                int32_t r = g->table[find_slot(g, rest | part[0][x])] - 1;
                run[count] = r;
                count += r > after;
            }
        }
    }
    return count;
}

/* The same, sorted and each cell once: in a narrow periodic cell several neighbours coincide. */
static int cells_between(const Grid *g, int l, const int64_t low[3], const int64_t high[3],
                         int32_t after, int32_t run[MOST_CELLS]) {
    int found = (g->array ? cells_in_array : cells_by_hash)(g, l, low, high, after, run);
    int sorted = 0;
    for (int i = 0; i < found; i++) {
        int32_t r = run[i];
        int j = sorted;
        for (; j > 0 && run[j - 1] > r; j--) {
            run[j] = run[j - 1];
        }
        run[j] = r;
        sorted++;
    }
    if (!g->space->level[l].narrow) {
        return sorted;
    }
    int once = sorted > 0;
    for (int i = 1; i < sorted; i++) {
        if (run[i] != run[once - 1]) {
            run[once++] = run[i];
        }
    }
    return once;
}

/* ---------------------------------------------------------------- what a cell looks at */

typedef struct Box {
    double low[3], high[3];
    double reach; /* the largest of any body in it */
} Box;

static Box box_of(const Grid *g, int32_t begin, int32_t end) {
    Box b = {{0}, {0}, 0};
    for (int axis = 0; axis < g->space->axes; axis++) {
        b.low[axis] = INFINITY;
        b.high[axis] = -INFINITY;
        for (int32_t i = begin; i < end; i++) {
            double x = component(g->spot[i].x, axis);
            b.low[axis] = scr_min(b.low[axis], x);
            b.high[axis] = scr_max(b.high[axis], x);
        }
    }
    for (int32_t i = begin; i < end; i++) {
        b.reach = scr_max(b.reach, g->spot[i].reach);
    }
    return b;
}

/* The cells of a coarser level within reach of a box. scr_space_cell never decreases with position,
 * so rounding misses none; across the edge of the periodic cell, SPACE_MARGIN covers the rounding.
 * False when there are too many; a single body always gets by with its own cell and the next
 * ones. */
static bool look_at_level(Grid *g, int l, const Box *box) {
    const Space *s = g->space;
    const Level *level = &s->level[l];
    View *view = &g->view[l];
    int64_t low[3] = {0}, high[3] = {0};
    bool same = view->count >= 0;
    for (int axis = 0; axis < s->axes; axis++) {
        double far = (box->reach + level->reach) * SPACE_MARGIN;
        low[axis] = scr_space_cell(s, level, axis, box->low[axis] - far);
        high[axis] = scr_space_cell(s, level, axis, box->high[axis] + far);
        if (s->in->def->periodic[axis] && high[axis] - low[axis] >= level->cells[axis]) {
            high[axis] = low[axis] + level->cells[axis] - 1;
        }
        if (high[axis] - low[axis] >= 4 || high[axis] < low[axis]) {
            if (box->low[axis] < box->high[axis]) {
                return false;
            }
            low[axis] = scr_space_cell(s, level, axis, box->low[axis]) - 1;
            high[axis] = low[axis] + 2;
        }
        same = same && low[axis] == view->low[axis] && high[axis] == view->high[axis];
    }
    if (!same) {
        memcpy(view->low, low, sizeof low);
        memcpy(view->high, high, sizeof high);
        view->count = cells_between(g, l, low, high, -1, view->run);
    }
    return true;
}

/* Appends to `run` all cells on coarser levels that the bodies of a box have to look at. */
static bool look_at_coarser(Grid *g, int level, const Box *box, int32_t *run, int *count) {
    for (int l = level + 1; l < g->space->levels; l++) {
        if (g->space->level[l].bodies == 0) {
            continue;
        }
        if (!look_at_level(g, l, box)) {
            return false;
        }
        memcpy(&run[*count], g->view[l].run, (size_t)g->view[l].count * sizeof *run);
        *count += g->view[l].count;
    }
    return true;
}

/* Those cells around a cell, on its own level, that come later in the order. */
static int look_around(const Grid *g, int32_t cell, int l, int32_t run[MOST_CELLS]) {
    const Space *s = g->space;
    const Level *level = &s->level[l];
    Vec3 x = g->spot[g->begin[cell]].x;
    int64_t low[3] = {0}, high[3] = {0};
    for (int axis = 0; axis < s->axes; axis++) {
        int64_t centre = scr_space_cell(s, level, axis, component(x, axis));
        low[axis] = centre - 1;
        high[axis] = centre + 1;
    }
    return cells_between(g, l, low, high, cell, run);
}

/* ---------------------------------------------------------------- pairs */

/* Adds the pairs of body i with the bodies ranked from `from` to `end`. Room for all of them has
 * been reserved. */
static inline void pairs_with(const Grid *g, Neighbours *nb, int32_t i, int32_t from, int32_t end) {
    const Space *s = g->space;
    const Spot own = g->spot[i];
    Pair *pair = nb->pair;
    size_t count = nb->count;
    for (int32_t j = from; j < end; j++) {
        pair[count] = (Pair){i, j};
        count += scr_is_near(s->in, s->periodic, &own, &g->spot[j]);
    }
    nb->count = count;
}

static ScreeStatus pairs_of(const Grid *g, Neighbours *nb, int32_t i, int32_t cell,
                            const int32_t *run, int count) {
    size_t candidates = (size_t)(g->begin[cell + 1] - i - 1);
    for (int c = 0; c < count; c++) {
        candidates += (size_t)(g->begin[run[c] + 1] - g->begin[run[c]]);
    }
    if (!scr_pairs_reserve(nb, candidates + 1)) {
        return SCREE_NO_MEMORY;
    }
    pairs_with(g, nb, i, i + 1, g->begin[cell + 1]);
    for (int c = 0; c < count; c++) {
        pairs_with(g, nb, i, g->begin[run[c]], g->begin[run[c] + 1]);
    }
    nb->counts.tested += candidates;
    return nb->count > g->space->in->pair_limit ? SCREE_TOO_CROWDED : SCREE_OK;
}

/* Bodies far apart can share a cell (see scr_space_wrap); each of them then looks for itself. */
static ScreeStatus pairs_of_cell(Grid *g, Neighbours *nb, int32_t cell, int32_t *run) {
    int level = level_of_run(g, cell);
    int around = look_around(g, cell, level, run), count = around;
    bool coarser = level + 1 < g->space->levels;
    bool shared = !coarser;
    if (coarser) {
        const Box box = box_of(g, g->begin[cell], g->begin[cell + 1]);
        shared = look_at_coarser(g, level, &box, run, &count);
    }
    ScreeStatus status = SCREE_OK;
    for (int32_t i = g->begin[cell]; i < g->begin[cell + 1] && status == SCREE_OK; i++) {
        if (!shared) {
            const Box box = box_of(g, i, i + 1);
            count = around;
            (void)look_at_coarser(g, level, &box, run, &count);
        }
        status = pairs_of(g, nb, i, cell, run, count);
    }
    return status;
}

static bool take_memory(Grid *g, Neighbours *nb) {
    size_t n = g->space->in->count, slots = 16;
    while (slots < 2 * n) {
        slots *= 2;
    }
    if (!scr_block_reserve_exact(&nb->work[2], n + 1, sizeof *g->begin, 0) ||
        !scr_block_reserve_exact(&nb->work[3], slots, sizeof *g->table, 0)) {
        return false;
    }
    g->begin = nb->work[2].data;
    g->table = nb->work[3].data;
    g->table_mask = slots - 1;
    return true;
}

static void note_cells(const Space *s, Neighbours *nb) {
    nb->levels = s->levels;
    nb->cell = s->level[0].size[0];
    nb->cell_most = s->level[s->levels - 1].size[0];
}

ScreeStatus scr_hierarchical_grid(const Space *s, Neighbours *nb) {
    Grid g = {.space = s, .spot = s->spot};
    int32_t run[MOST_CELLS * (MOST_LEVELS + 1)];
    if (!take_memory(&g, nb)) {
        return SCREE_NO_MEMORY;
    }
    for (size_t i = 0; i < s->in->count; i++) {
        s->spot[i] = scr_spot(s->in, (size_t)s->order[i]);
    }
    for (int l = 0; l < s->levels; l++) {
        g.view[l].count = -1;
    }
    collect_runs(&g);
    fill_table(&g);
    note_cells(s, nb);
    ScreeStatus status = SCREE_OK;
    for (size_t r = 0; r < g.runs && status == SCREE_OK; r++) {
        status = pairs_of_cell(&g, nb, (int32_t)r, run);
    }
    return status;
}
