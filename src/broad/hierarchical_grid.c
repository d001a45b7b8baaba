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
#include "broad/grid_cells.h"
#include "broad/pair_pieces.h"

#include <string.h>

/* Cells are searched in pieces of so many, a hundred and more pieces at a time: what they find is small
 * then, beside the list that it is added to. */
enum { RUNS_IN_PIECE = 256 };

/* The cells of a coarser level that were looked at last. */
typedef struct View {
    int64_t low[3], high[3];
    int count; /* -1: nothing has been looked at yet */
    int32_t run[MOST_CELLS];
} View;

/* The search of one piece. */
typedef struct Search {
    const Grid *grid;
    PairPiece *found;
    size_t limit; /* of pairs, past which it gives up */
    View view[MOST_LEVELS];
} Search;

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
static bool look_at_level(Search *search, int l, const Box *box) {
    const Space *s = search->grid->space;
    const Level *level = &s->level[l];
    View *view = &search->view[l];
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
        view->count = scr_grid_cells(search->grid, l, low, high, -1, view->run);
    }
    return true;
}

/* Appends to `run` all cells on coarser levels that the bodies of a box have to look at. */
static bool look_at_coarser(Search *search, int level, const Box *box, int32_t *run, int *count) {
    const Space *s = search->grid->space;
    for (int l = level + 1; l < s->levels; l++) {
        if (s->level[l].bodies == 0) {
            continue;
        }
        if (!look_at_level(search, l, box)) {
            return false;
        }
        const View *view = &search->view[l];
        memcpy(&run[*count], view->run, (size_t)view->count * sizeof *run);
        *count += view->count;
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
    return scr_grid_cells(g, l, low, high, cell, run);
}

/* ---------------------------------------------------------------- pairs */

/* Adds the pairs of body i with the bodies ranked from `from` to `end`. Room for all of them has
 * been reserved. */
static inline void pairs_with(const Grid *g, PairPiece *found, int32_t i, int32_t from,
                              int32_t end) {
    const Space *s = g->space;
    const Spot own = g->spot[i];
    Pair *pair = found->pair;
    size_t count = found->count;
    for (int32_t j = from; j < end; j++) {
        pair[count] = (Pair){i, j};
        count += scr_is_near(s->in, s->periodic, &own, &g->spot[j]);
    }
    found->count = count;
}

/* False when the search of the piece has to end here. */
static bool pairs_of(Search *search, int32_t i, int32_t cell, const int32_t *run, int count) {
    const Grid *g = search->grid;
    PairPiece *found = search->found;
    size_t candidates = (size_t)(g->begin[cell + 1] - i - 1);
    for (int c = 0; c < count; c++) {
        candidates += (size_t)(g->begin[run[c] + 1] - g->begin[run[c]]);
    }
    if (!scr_piece_reserve(found, candidates + 1)) {
        found->failed = true;
        return false;
    }
    pairs_with(g, found, i, i + 1, g->begin[cell + 1]);
    for (int c = 0; c < count; c++) {
        pairs_with(g, found, i, g->begin[run[c]], g->begin[run[c] + 1]);
    }
    found->tested += candidates;
    found->crowded = found->count > search->limit;
    return !found->crowded;
}

/* Bodies far apart can share a cell (see scr_space_wrap); each of them then looks for itself. */
static bool pairs_of_cell(Search *search, int32_t cell, int32_t *run) {
    const Grid *g = search->grid;
    int level = scr_level_of_run(g, cell);
    int around = look_around(g, cell, level, run), count = around;
    bool coarser = level + 1 < g->space->levels;
    bool shared = !coarser, goes_on = true;
    if (coarser) {
        const Box box = box_of(g, g->begin[cell], g->begin[cell + 1]);
        shared = look_at_coarser(search, level, &box, run, &count);
    }
    for (int32_t i = g->begin[cell]; i < g->begin[cell + 1] && goes_on; i++) {
        if (!shared) {
            const Box box = box_of(g, i, i + 1);
            count = around;
            (void)look_at_coarser(search, level, &box, run, &count);
        }
        goes_on = pairs_of(search, i, cell, run, count);
    }
    return goes_on;
}

/* ---------------------------------------------------------------- all cells */

/* The pieces that are searched at the same time. */
typedef struct Wave {
    const Grid *grid;
    PairPiece *piece;
    size_t first; /* cell */
    size_t limit;
} Wave;

static void search_piece(void *context, size_t k) {
    const Wave *w = context;
    Search search = {.grid = w->grid, .found = &w->piece[k], .limit = w->limit};
    int32_t run[MOST_CELLS * (MOST_LEVELS + 1)];
    const size_t begin = w->first + k * RUNS_IN_PIECE, runs = w->grid->runs;
    const size_t end = begin + RUNS_IN_PIECE < runs ? begin + RUNS_IN_PIECE : runs;
    for (int l = 0; l < w->grid->space->levels; l++) {
        search.view[l].count = -1;
    }
    search.found->count = search.found->tested = 0;
    search.found->crowded = search.found->failed = false;
    for (size_t r = begin; r < end && pairs_of_cell(&search, (int32_t)r, run);) {
        r++;
    }
}

/* Takes what the pieces of a wave have found into the list, up to the first that gave up. */
static ScreeStatus take_wave(const Wave *w, size_t pieces, size_t end, Neighbours *nb,
                             Threads *threads) {
    PairList list = {nb->pair, nb->count, &nb->pair_block};
    size_t taken = 0, count = nb->count;
    bool failed = false, crowded = false;
    for (; taken < pieces && !failed && !crowded; taken++) {
        const PairPiece *piece = &w->piece[taken];
        count += piece->count;
        nb->counts.tested += piece->tested;
        failed = piece->failed;
        crowded = count > w->grid->space->in->pair_limit;
    }
    const double ahead = crowded ? 1 : (double)w->grid->runs / (double)end;
    if (failed || !scr_append_pieces(&list, w->piece, taken, ahead, threads)) {
        return SCREE_NO_MEMORY;
    }
    nb->pair = list.pair;
    nb->count = list.count;
    return crowded ? SCREE_TOO_CROWDED : SCREE_OK;
}

static void note_cells(const Space *s, Neighbours *nb) {
    nb->levels = s->levels;
    nb->cell = s->level[0].size[0];
    nb->cell_most = s->level[s->levels - 1].size[0];
}

ScreeStatus scr_hierarchical_grid(const Space *s, Neighbours *nb) {
    Grid g;
    if (!scr_grid_build(&g, s, nb)) {
        return SCREE_NO_MEMORY;
    }
    note_cells(s, nb);
    ScreeStatus status = SCREE_OK;
    Wave wave = {.grid = &g, .piece = nb->piece};
    while (wave.first < g.runs && status == SCREE_OK) {
        const size_t left = g.runs - wave.first, most = (size_t)PAIR_PIECES * RUNS_IN_PIECE;
        const size_t runs = left < most ? left : most;
        const size_t pieces = (runs + RUNS_IN_PIECE - 1) / RUNS_IN_PIECE;
        wave.limit = s->in->pair_limit - nb->count;
        scr_threads_loop(s->in->threads, pieces, search_piece, &wave);
        status = take_wave(&wave, pieces, wave.first + runs, nb, s->in->threads);
        wave.first += runs;
    }
    return status;
}
