/* Linked cells: one cell size, bodies sorted into cells, and each cell compared with itself and
 * with half of the cells around it, (3^d + 1) / 2 in all (Muth, Mueller, Eberhard and Luding,
 * "Contacts between many bodies", section 2.2).
 *
 * A cell must be as wide as the two largest bodies reach, D = 2 max(radius + margin), if only
 * adjacent cells are to be looked at. With narrower cells, D / w, one looks w cells to each side:
 * more cells, but fewer bodies in them. The counted operations show which w is best: the method
 * tries the next one as long as that helps. A cell size given by the user is respected, but not
 * below D / 4.
 *
 * There are about as many cells as bodies, and cell indices start over where the lattice ends:
 * bodies far outside share cells with others, which costs comparisons but no memory. A periodic
 * direction works the same way, with cells that fit the period. */
#include "broad/space_order.h"

#include <float.h>
#include <string.h>

enum { MOST_SPREAD = 4, MOST_STENCIL = 9 * 9 * 9, FORGET_AFTER = 64 };

typedef struct Cells {
    const BroadInput *in;
    int axes;
    bool periodic;
    double size[3], origin[3];
    int64_t cells[3];
    size_t count;
    int spread;
    bool narrow;     /* some axis has fewer cells than are looked at along it */
    uint32_t *begin; /* [count + 1] first body of each cell */
    int32_t *of;     /* [bodies] cell of each body */
    int32_t *body;   /* [bodies] cell by cell */
    Spot *spot;      /* [bodies] cell by cell */
} Cells;

/* ---------------------------------------------------------------- the lattice */

/* Cells along each axis: as many as the extent needs, then halved along the longest axis until
 * there are not too many. */
static void choose_numbers(Cells *c) {
    double extent[3] = {1, 1, 1};
    const ScreeWorldDef *def = c->in->def;
    for (int axis = 0; axis < c->axes; axis++) {
        double low, high;
        scr_extent(c->in, axis, &low, &high);
        extent[axis] = def->periodic[axis] ? floor(scr_cell_side(def, axis) / c->size[axis])
                                           : (high - low) / c->size[axis] + 1 + 2 * c->spread;
        extent[axis] =
            scr_min(scr_max(1, floor(extent[axis])), DBL_MAX); /* high - low may be infinite */
    }
    double most = 2 * (double)c->in->count + 64;
    while (extent[0] * extent[1] * extent[2] > most) {
        int widest = 0;
        for (int axis = 1; axis < c->axes; axis++) {
            widest = extent[axis] > extent[widest] ? axis : widest;
        }
        extent[widest] = ceil(0.5 * extent[widest]);
    }
    c->count = 1;
    for (int axis = 0; axis < 3; axis++) {
        c->cells[axis] = (int64_t)extent[axis];
        c->count *= (size_t)c->cells[axis];
        c->narrow = c->narrow || (axis < c->axes && c->cells[axis] < 2 * c->spread + 1);
        if (axis < c->axes && def->periodic[axis]) {
            c->size[axis] = scr_cell_side(def, axis) / extent[axis];
        }
    }
}

static int64_t wrapped(int64_t index, int64_t n) {
    index %= n;
    return index < 0 ? index + n : index;
}

/* Cell along one axis; see scr_space_cell for the bound, and for why SPACE_MARGIN suffices. */
static int64_t cell_along(const Cells *c, int axis, double x) {
    double at = floor((x - c->origin[axis]) / c->size[axis]);
    if (c->in->def->periodic[axis] && fabs(at) >= 0x1p40) {
        at = fmod(at, (double)c->cells[axis]);
    }
    return wrapped((int64_t)scr_max(-0x1p40, scr_min(0x1p40, at)), c->cells[axis]);
}

static void sort_into_cells(Cells *c) {
    size_t n = c->in->count;
    memset(c->begin, 0, (c->count + 2) * sizeof *c->begin);
    for (size_t i = 0; i < n; i++) {
        int64_t at = 0;
        for (int axis = c->axes - 1; axis >= 0; axis--) {
            at = at * c->cells[axis] + cell_along(c, axis, component(c->in->position[i], axis));
        }
        c->of[i] = (int32_t)at;
        c->begin[at + 2]++;
    }
    for (size_t k = 0; k < c->count; k++) {
        c->begin[k + 2] += c->begin[k + 1];
    }
    for (size_t i = 0; i < n; i++) { /* begin[k + 1] moves from the start of cell k to its end */
        uint32_t to = c->begin[c->of[i] + 1]++;
        c->body[to] = (int32_t)i;
        c->spot[to] = scr_spot(c->in, i);
    }
}

/* ---------------------------------------------------------------- pairs */

/* The cells to look at from one cell: half of those around it. Where the lattice is narrow the two
 * halves share cells; then those with higher numbers are taken, each once. */
static int look_around(const Cells *c, size_t cell, int32_t around[MOST_STENCIL]) {
    int64_t at[3] = {(int64_t)cell % c->cells[0], (int64_t)cell / c->cells[0] % c->cells[1],
                     (int64_t)cell / (c->cells[0] * c->cells[1])};
    int w = c->spread, deep = c->axes == 3 ? w : 0, count = 0;
    for (int z = c->narrow ? -deep : 0; z <= deep; z++) {
        for (int y = c->narrow || z > 0 ? -w : 0; y <= w; y++) {
            for (int x = c->narrow || z > 0 || y > 0 ? -w : 1; x <= w; x++) {
                int64_t k = wrapped(at[2] + z, c->cells[2]);
                k = k * c->cells[1] + wrapped(at[1] + y, c->cells[1]);
                k = k * c->cells[0] + wrapped(at[0] + x, c->cells[0]);
                bool wanted = c->begin[k] < c->begin[k + 1];
                if (c->narrow) {
                    wanted = wanted && k > (int64_t)cell;
                    for (int j = 0; j < count && wanted; j++) {
                        wanted = around[j] != (int32_t)k;
                    }
                }
                if (wanted) {
                    around[count++] = (int32_t)k;
                }
            }
        }
    }
    return count;
}

static ScreeStatus pairs_with(const Cells *c, Neighbours *nb, uint32_t i, uint32_t from,
                              uint32_t end) {
    if (from >= end) {
        return SCREE_OK;
    }
    if (!scr_pairs_reserve(nb, end - from + 1)) {
        return SCREE_NO_MEMORY;
    }
    const Spot own = c->spot[i];
    for (uint32_t j = from; j < end; j++) {
        nb->pair[nb->count] = scr_pair(c->body[i], c->body[j]);
        nb->count += scr_is_near(c->in, c->periodic, &own, &c->spot[j]);
    }
    nb->counts.tested += end - from;
    return nb->count > c->in->pair_limit ? SCREE_TOO_CROWDED : SCREE_OK;
}

static ScreeStatus pairs_of_cell(const Cells *c, Neighbours *nb, size_t cell) {
    int32_t around[MOST_STENCIL];
    ScreeStatus status = SCREE_OK;
    int count = look_around(c, cell, around);
    for (uint32_t i = c->begin[cell]; i < c->begin[cell + 1] && status == SCREE_OK; i++) {
        status = pairs_with(c, nb, i, i + 1, c->begin[cell + 1]);
        for (int k = 0; k < count && status == SCREE_OK; k++) {
            status = pairs_with(c, nb, i, c->begin[around[k]], c->begin[around[k] + 1]);
        }
    }
    return status;
}

/* ---------------------------------------------------------------- the choice of w */

static int choose_spread(const SearchMemory *m) {
    int best = 1;
    for (int w = 2; w <= MOST_SPREAD && m->spread_cost[w] > 0; w++) {
        best = m->spread_cost[w] < m->spread_cost[best] ? w : best;
    }
    bool climbs = best < MOST_SPREAD && m->spread_cost[best + 1] == 0;
    return m->spread_cost[1] == 0 ? 1 : best + climbs;
}

/* A visit to a cell costs about as much as a comparison of two bodies. */
static void note_cost(const Cells *c, Neighbours *nb, uint64_t tested, size_t occupied) {
    SearchMemory *m = &nb->memory;
    double around = scr_pow(2 * c->spread + 1, c->axes) / 2;
    m->spread_cost[c->spread] = (double)tested + around * (double)occupied;
    if (nb->counts.updates % FORGET_AFTER == FORGET_AFTER - 1) {
        memset(m->spread_cost, 0, sizeof m->spread_cost);
    }
}

static void choose_size(Cells *c, const Neighbours *nb, double largest) {
    double wide = 2 * largest * SPACE_MARGIN, size = c->in->def->cell;
    if (size > 0) {
        size = scr_max(size, wide / MOST_SPREAD);
        c->spread = (int)scr_max(1, ceil(wide / size));
    } else {
        c->spread = choose_spread(&nb->memory);
        size = wide / c->spread;
    }
    for (int axis = 0; axis < 3; axis++) {
        c->size[axis] = size;
    }
}

static bool take_memory(Cells *c, Neighbours *nb) {
    size_t n = c->in->count;
    Block *w = nb->work;
    if (!scr_block_reserve_exact(&w[3], c->count + 2, sizeof *c->begin, 0) ||
        !scr_block_reserve_exact(&w[4], n, sizeof *c->of, 0) ||
        !scr_block_reserve_exact(&w[5], n, sizeof *c->body, 0)) {
        return false;
    }
    c->begin = w[3].data;
    c->of = w[4].data;
    c->body = w[5].data;
    return true;
}

ScreeStatus scr_linked_cell(const Space *s, Neighbours *nb) {
    Cells c = {.in = s->in, .axes = s->axes, .periodic = s->periodic, .spot = s->spot};
    memcpy(c.origin, s->origin, sizeof c.origin);
    choose_size(&c, nb, s->largest);
    choose_numbers(&c);
    if (!take_memory(&c, nb)) {
        return SCREE_NO_MEMORY;
    }
    sort_into_cells(&c);
    nb->levels = 1;
    nb->cell = nb->cell_most = c.size[0];
    uint64_t before = nb->counts.tested;
    size_t occupied = 0;
    ScreeStatus status = SCREE_OK;
    for (size_t cell = 0; cell < c.count && status == SCREE_OK; cell++) {
        if (c.begin[cell] < c.begin[cell + 1]) {
            occupied++;
            status = pairs_of_cell(&c, nb, cell);
        }
    }
    note_cost(&c, nb, nb->counts.tested - before, occupied);
    return status;
}
