#include "broad/grid_cells.h"

#include "base/random.h"

#include <string.h>

/* Where cells begin in a piece of the bodies. */
typedef struct Runs {
    Grid *grid;
    size_t first[SCR_MOST_PIECES + 1]; /* of each piece */
} Runs;

static bool begins_run(const Space *s, size_t i) {
    return i == 0 || s->key[i] != s->key[i - 1];
}

static void count_runs(void *context, size_t piece) {
    Runs *r = context;
    const Space *s = r->grid->space;
    size_t count = 0;
    const size_t end = scr_piece_end(s->in->count, piece);
    for (size_t i = scr_piece_begin(s->in->count, piece); i < end; i++) {
        count += begins_run(s, i);
    }
    r->first[piece + 1] = count;
}

static void write_runs(void *context, size_t piece) {
    const Runs *r = context;
    const Space *s = r->grid->space;
    size_t run = r->first[piece];
    const size_t end = scr_piece_end(s->in->count, piece);
    for (size_t i = scr_piece_begin(s->in->count, piece); i < end; i++) {
        if (begins_run(s, i)) {
            r->grid->begin[run++] = (int32_t)i;
        }
    }
}

static void collect_runs(Grid *g) {
    const size_t n = g->space->in->count;
    Runs r = {.grid = g};
    scr_threads_loop(g->space->in->threads, scr_pieces(n), count_runs, &r);
    for (size_t k = 0; k < scr_pieces(n); k++) {
        r.first[k + 1] += r.first[k];
    }
    scr_threads_loop(g->space->in->threads, scr_pieces(n), write_runs, &r);
    g->runs = r.first[scr_pieces(n)];
    g->begin[g->runs] = (int32_t)n;
}

/* ---- as an array */

/* The range of occupied cells of a level, piece by piece. */
typedef struct Ranging {
    const Grid *grid;
    int level;
    size_t begin, count; /* of its runs */
    int64_t low[SCR_MOST_PIECES][3], high[SCR_MOST_PIECES][3];
} Ranging;

static void find_range(void *context, size_t piece) {
    Ranging *r = context;
    const Grid *g = r->grid;
    const Space *s = g->space;
    int64_t low[3] = {INT64_MAX, INT64_MAX, INT64_MAX}, high[3] = {INT64_MIN, INT64_MIN, INT64_MIN};
    for (size_t k = scr_piece_begin(r->count, piece); k < scr_piece_end(r->count, piece); k++) {
        const Vec3 x = g->spot[g->begin[r->begin + k]].x;
        for (int axis = 0; axis < s->axes; axis++) {
            int64_t at = scr_space_cell(s, &s->level[r->level], axis, component(x, axis));
            low[axis] = at < low[axis] ? at : low[axis];
            high[axis] = at > high[axis] ? at : high[axis];
        }
    }
    memcpy(r->low[piece], low, sizeof low);
    memcpy(r->high[piece], high, sizeof high);
}

/* Where the runs of a level end. */
static size_t end_of_level(const Grid *g, int level) {
    size_t low = 0, high = g->runs;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (scr_level_of_run(g, (int32_t)middle) <= level) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static void find_extents(Grid *g) {
    Ranging r = {.grid = g};
    for (r.level = 0; r.level < g->space->levels; r.level++, r.begin += r.count) {
        Extent *e = &g->extent[r.level];
        r.count = end_of_level(g, r.level) - r.begin;
        scr_threads_loop(g->space->in->threads, scr_pieces(r.count), find_range, &r);
        for (int axis = 0; axis < 3; axis++) {
            e->low[axis] = INT64_MAX;
            e->high[axis] = INT64_MIN;
            for (size_t k = 0; k < scr_pieces(r.count); k++) {
                e->low[axis] = r.low[k][axis] < e->low[axis] ? r.low[k][axis] : e->low[axis];
                e->high[axis] = r.high[k][axis] > e->high[axis] ? r.high[k][axis] : e->high[axis];
            }
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
    while (g->table[slot] != 0 && scr_run_key(g, g->table[slot] - 1) != key) {
        slot = (slot + 1) & g->table_mask;
    }
    return slot;
}

static void clear_table(void *context, size_t piece) {
    const Grid *g = context;
    const size_t slots = g->table_mask + 1, begin = scr_piece_begin(slots, piece);
    memset(g->table + begin, 0, (scr_piece_end(slots, piece) - begin) * sizeof *g->table);
}

/* Each cell has a place of its own in the array. */
static void fill_array(void *context, size_t piece) {
    const Grid *g = context;
    for (size_t r = scr_piece_begin(g->runs, piece); r < scr_piece_end(g->runs, piece); r++) {
        const int level = scr_level_of_run(g, (int32_t)r);
        g->table[array_index(g, level, g->spot[g->begin[r]].x)] = (int32_t)r + 1;
    }
}

static void fill_table(Grid *g) {
    Threads *threads = g->space->in->threads;
    scr_threads_loop(threads, scr_pieces(g->table_mask + 1), clear_table, g);
    g->array = choose_array(g);
    if (g->array) {
        scr_threads_loop(threads, scr_pieces(g->runs), fill_array, g);
        return;
    }
    for (size_t r = 0; r < g->runs; r++) {
        g->table[find_slot(g, scr_run_key(g, (int32_t)r))] = (int32_t)r + 1;
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

/* Sorted, and each cell once: in a narrow periodic cell several neighbours coincide. */
int scr_grid_cells(const Grid *g, int l, const int64_t low[3], const int64_t high[3], int32_t after,
                   int32_t run[MOST_CELLS]) {
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

/* ---------------------------------------------------------------- the whole */

static void set_spots(void *context, size_t piece) {
    const Space *s = context;
    const size_t end = scr_piece_end(s->in->count, piece);
    for (size_t i = scr_piece_begin(s->in->count, piece); i < end; i++) {
        s->spot[i] = scr_spot(s->in, (size_t)s->order[i]);
    }
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

bool scr_grid_build(Grid *g, const Space *s, Neighbours *nb) {
    *g = (Grid){.space = s, .spot = s->spot};
    if (!take_memory(g, nb)) {
        return false;
    }
    Space spots = *s;
    scr_threads_loop(s->in->threads, scr_pieces(s->in->count), set_spots, &spots);
    collect_runs(g);
    fill_table(g);
    return true;
}
