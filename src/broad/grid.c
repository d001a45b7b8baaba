/* Linked cells in levels. A body of reach s = radius + margin belongs to the level whose cells are
 * just wide enough, at least 2 s; levels differ by a factor of two. Two bodies that may touch lie
 * in the same or in neighbouring cells of the level of the larger one, so each body looks at its
 * own level and at the coarser ones: a few very large bodies cost nothing extra. With bodies of
 * similar size there is one level, and this is the ordinary linked-cell method.
 *
 * Cells are not stored in a box but found by hash, so bodies far outside cost nothing. The bodies
 * are sorted by level and then along the Z curve through the cells; a cell is a run of equal keys,
 * and the same sort serves as the order along space. */
#include "broad/broad.h"

#include "base/random.h"

#include <string.h>

enum { MAX_LEVELS = 64, NEIGHBOURS = 27 };

typedef struct Level {
    double size[3];   /* width of a cell along each axis */
    int64_t cells[3]; /* number of cells after which the indices begin again */
    bool narrow;      /* fewer than three cells along some periodic axis */
} Level;

typedef struct Run {
    uint64_t key;
    int32_t begin, end; /* bodies in `order` */
} Run;

typedef struct Grid {
    const BroadInput *in;
    int axes; /* 2 or 3 */
    bool periodic;
    int bits;         /* of a cell index along one axis */
    double origin[3]; /* where the periodic cell begins */
    double base;      /* reach of the finest level */
    int levels;
    Level level[MAX_LEVELS];
    uint64_t *key, *key_spare;
    int32_t *order, *order_spare;
    Run *run;
    size_t runs;
    int32_t *table; /* hash -> run + 1 */
    size_t table_mask;
} Grid;

static double reach(const Grid *g, size_t i) {
    return g->in->radius[i] + g->in->margin[i];
}

static double component(Vec3 v, int axis) {
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

/* ---- levels */

static int level_of(const Grid *g, double s) {
    int level = 0;
    for (double limit = g->base; s > limit && level < MAX_LEVELS - 1; limit *= 2) {
        level++;
    }
    return level;
}

/* The finest level serves bodies of up to twice the typical reach t, where 1/t^3 is the mean of
 * 1/s^3: the many small bodies decide, a few giants do not. A world of similar sizes then has one
 * level. */
static void choose_levels(Grid *g) {
    double largest = 0, sum = 0;
    for (size_t i = 0; i < g->in->count; i++) {
        largest = fmax(largest, reach(g, i));
    }
    for (size_t i = 0; i < g->in->count; i++) {
        double ratio = largest / reach(g, i);
        sum += ratio * ratio * ratio;
    }
    g->base = fmin(largest, 2 * largest / cbrt(sum / (double)g->in->count));
    g->levels = level_of(g, largest) + 1;
    const ScreeWorldDef *def = g->in->def;
    double width = 2 * g->base;
    for (int l = 0; l < g->levels; l++, width *= 2) {
        for (int axis = 0; axis < g->axes; axis++) {
            Level *level = &g->level[l];
            level->size[axis] = l == g->levels - 1 ? fmax(2 * largest, 2 * g->base) : width;
            level->cells[axis] = (int64_t)1 << g->bits;
            if (def->periodic[axis]) {
                double cell = component(def->cell_max, axis) - component(def->cell_min, axis);
                double n = fmax(1, floor(cell / level->size[axis]));
                level->cells[axis] = (int64_t)fmin(n, (double)level->cells[axis]);
                level->size[axis] = cell / (double)level->cells[axis];
                level->narrow = level->narrow || level->cells[axis] < 3;
                g->origin[axis] = component(def->cell_min, axis);
            }
        }
    }
}

/* ---- cells and keys */

/* Index of the cell along one axis: round the periodic cell, and otherwise round the range of
 * indices. Cells that far apart then share a key, which costs a few comparisons more, and no body
 * can be too far away. */
static int64_t cell_index(const Grid *g, const Level *level, int axis, double x) {
    double at = fmax(-1e15, fmin(1e15, floor((x - g->origin[axis]) / level->size[axis])));
    int64_t i = (int64_t)at, n = level->cells[axis];
    i %= n;
    return i < 0 ? i + n : i;
}

/* An index with its bits spread to every third (second) place, for interleaving. */
static uint64_t spread(int axes, int64_t index) {
    uint64_t x = (uint64_t)index;
    if (axes == 3) { /* the low 19 bits */
        x = (x | x << 32) & UINT64_C(0x001f00000000ffff);
        x = (x | x << 16) & UINT64_C(0x001f0000ff0000ff);
        x = (x | x << 8) & UINT64_C(0x100f00f00f00f00f);
        x = (x | x << 4) & UINT64_C(0x10c30c30c30c30c3);
        return (x | x << 2) & UINT64_C(0x1249249249249249);
    }
    x = (x | x << 16) & UINT64_C(0x0000ffff0000ffff); /* the low 28 bits */
    x = (x | x << 8) & UINT64_C(0x00ff00ff00ff00ff);
    x = (x | x << 4) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    x = (x | x << 2) & UINT64_C(0x3333333333333333);
    return (x | x << 1) & UINT64_C(0x5555555555555555);
}

static uint64_t level_key(int level) {
    return (uint64_t)level << 58;
}

static uint64_t body_key(const Grid *g, int level, Vec3 p) {
    uint64_t key = level_key(level);
    for (int axis = 0; axis < g->axes; axis++) {
        key |= spread(g->axes, cell_index(g, &g->level[level], axis, component(p, axis))) << axis;
    }
    return key;
}

/* Radix sort by key; equal keys keep their order. Bytes that are the same everywhere are skipped.
 */
static void sort_bodies(Grid *g) {
    size_t n = g->in->count;
    uint64_t any = 0, all = ~UINT64_C(0);
    for (size_t i = 0; i < n; i++) {
        any |= g->key[i];
        all &= g->key[i];
    }
    for (int shift = 0; shift < 64; shift += 8) {
        if ((((any ^ all) >> shift) & 255) == 0) {
            continue;
        }
        size_t start[257] = {0};
        for (size_t i = 0; i < n; i++) {
            start[((g->key[i] >> shift) & 255) + 1]++;
        }
        for (int d = 0; d < 256; d++) {
            start[d + 1] += start[d];
        }
        for (size_t i = 0; i < n; i++) {
            size_t to = start[(g->key[i] >> shift) & 255]++;
            g->key_spare[to] = g->key[i];
            g->order_spare[to] = g->order[i];
        }
        uint64_t *k = g->key;
        g->key = g->key_spare;
        g->key_spare = k;
        int32_t *o = g->order;
        g->order = g->order_spare;
        g->order_spare = o;
    }
}

static void collect_runs(Grid *g) {
    g->runs = 0;
    for (size_t i = 0; i < g->in->count; i++) {
        if (i == 0 || g->key[i] != g->key[i - 1]) {
            g->run[g->runs++] = (Run){.key = g->key[i], .begin = (int32_t)i};
        }
        g->run[g->runs - 1].end = (int32_t)i + 1;
    }
}

static void fill_table(Grid *g) {
    memset(g->table, 0, (g->table_mask + 1) * sizeof *g->table);
    for (size_t r = 0; r < g->runs; r++) {
        size_t slot = scr_mix(g->run[r].key) & g->table_mask;
        while (g->table[slot] != 0) {
            slot = (slot + 1) & g->table_mask;
        }
        g->table[slot] = (int32_t)r + 1;
    }
}

static int32_t find_run(const Grid *g, uint64_t key) {
    size_t slot = scr_mix(key) & g->table_mask;
    for (; g->table[slot] != 0; slot = (slot + 1) & g->table_mask) {
        int32_t r = g->table[slot] - 1;
        if (g->run[r].key == key) {
            return r;
        }
    }
    return -1;
}

/* ---- pairs */

/* The key parts of the previous, the same and the next index along each axis. */
static void neighbour_parts(const Grid *g, int level, Vec3 p, uint64_t part[3][3]) {
    for (int axis = 0; axis < g->axes; axis++) {
        int64_t centre = cell_index(g, &g->level[level], axis, component(p, axis));
        int64_t n = g->level[level].cells[axis];
        for (int step = 0; step < 3; step++) {
            part[axis][step] = spread(g->axes, (centre + step - 1 + n) % n) << axis;
        }
    }
}

/* Occupied cells around a position, its own included, each once: in a narrow periodic cell several
 * neighbours are the same. */
static int cells_around(const Grid *g, int level, Vec3 p, int32_t run[NEIGHBOURS]) {
    uint64_t part[3][3] = {{0}};
    neighbour_parts(g, level, p, part);
    int count = 0, cells = g->axes == 3 ? 27 : 9;
    for (int k = 0; k < cells; k++) {
        uint64_t key = part[0][k % 3] | part[1][k / 3 % 3] | part[2][k / 9];
        int32_t r = find_run(g, key | level_key(level));
        for (int j = 0; j < count && r >= 0 && g->level[level].narrow; j++) {
            r = run[j] == r ? -1 : r;
        }
        if (r >= 0) {
            run[count++] = r;
        }
    }
    return count;
}

/* One body, about to be compared with many. */
typedef struct Seeker {
    int32_t body;
    Vec3 position;
    double reach;
} Seeker;

static inline Seeker seeker(const Grid *g, int32_t body) {
    return (Seeker){body, g->in->position[body], reach(g, (size_t)body)};
}

static inline bool is_near(const Grid *g, const Seeker *s, int32_t other) {
    Vec3 d = sub(g->in->position[other], s->position);
    if (g->periodic) {
        d = scr_nearest_image(g->in->def, d);
    }
    double far = s->reach + reach(g, (size_t)other);
    return dot(d, d) <= far * far;
}

static bool add_pair(Neighbours *nb, int32_t i, int32_t j) {
    if ((nb->count + 1) * sizeof(Pair) > nb->pair_block.bytes) {
        if (!scr_block_reserve(&nb->pair_block, nb->count + 64, sizeof(Pair),
                               nb->count * sizeof(Pair))) {
            return false;
        }
        nb->pair = nb->pair_block.data;
    }
    nb->pair[nb->count++] = i < j ? (Pair){i, j} : (Pair){j, i};
    return true;
}

/* Pairs of one body with those from `from` to `end` in the order along space. */
static inline bool pairs_with(const Grid *g, Neighbours *nb, const Seeker *s, int32_t from,
                              int32_t end) {
    for (int32_t j = from; j < end; j++) {
        if (is_near(g, s, g->order[j]) && !add_pair(nb, s->body, g->order[j])) {
            return false;
        }
    }
    return true;
}

/* Pairs of the bodies of one cell with the later bodies of its own level. */
static ScreeStatus pairs_on_level(const Grid *g, Neighbours *nb, int32_t cell) {
    int32_t around[NEIGHBOURS];
    const Run *own = &g->run[cell];
    int level = (int)(own->key >> 58), later = 0;
    int count = cells_around(g, level, g->in->position[g->order[own->begin]], around);
    for (int c = 0; c < count; c++) { /* the cell itself and those before it are done otherwise */
        if (around[c] > cell) {
            around[later++] = around[c];
        }
    }
    for (int32_t i = own->begin; i < own->end; i++) {
        const Seeker s = seeker(g, g->order[i]);
        bool ok = pairs_with(g, nb, &s, i + 1, own->end);
        for (int c = 0; c < later && ok; c++) {
            const Run *other = &g->run[around[c]];
            ok = pairs_with(g, nb, &s, other->begin, other->end);
        }
        if (!ok) {
            return SCREE_NO_MEMORY;
        }
        if (nb->count > g->in->pair_limit) {
            return SCREE_TOO_CROWDED;
        }
    }
    return SCREE_OK;
}

/* Pairs of one body with the larger bodies of coarser levels. */
static ScreeStatus pairs_with_coarser(const Grid *g, Neighbours *nb, int32_t body, int level) {
    int32_t around[NEIGHBOURS];
    const Seeker s = seeker(g, body);
    for (int l = level + 1; l < g->levels; l++) {
        int count = cells_around(g, l, s.position, around);
        for (int c = 0; c < count; c++) {
            const Run *other = &g->run[around[c]];
            if (!pairs_with(g, nb, &s, other->begin, other->end)) {
                return SCREE_NO_MEMORY;
            }
        }
    }
    return nb->count > g->in->pair_limit ? SCREE_TOO_CROWDED : SCREE_OK;
}

static ScreeStatus find_pairs(const Grid *g, Neighbours *nb) {
    nb->count = 0;
    for (size_t r = 0; r < g->runs; r++) {
        ScreeStatus status = pairs_on_level(g, nb, (int32_t)r);
        int level = (int)(g->run[r].key >> 58);
        for (int32_t i = g->run[r].begin; i < g->run[r].end && status == SCREE_OK; i++) {
            status = pairs_with_coarser(g, nb, g->order[i], level);
        }
        if (status != SCREE_OK) {
            return status;
        }
    }
    return SCREE_OK;
}

static bool take_memory(Grid *g, Neighbours *nb) {
    size_t n = g->in->count, slots = 16;
    while (slots < 2 * n) {
        slots *= 2;
    }
    Block *w = nb->work;
    if (!scr_block_reserve_exact(&w[0], n, sizeof *g->key, 0) ||
        !scr_block_reserve_exact(&w[1], n, sizeof *g->key, 0) ||
        !scr_block_reserve_exact(&w[2], n, sizeof *g->order, 0) ||
        !scr_block_reserve_exact(&w[3], n, sizeof *g->order, 0) ||
        !scr_block_reserve_exact(&w[4], n, sizeof *g->run, 0) ||
        !scr_block_reserve_exact(&w[5], slots, sizeof *g->table, 0) ||
        !scr_block_reserve_exact(&nb->rank_block, n, sizeof *nb->rank, 0)) {
        return false;
    }
    g->key = w[0].data;
    g->key_spare = w[1].data;
    g->order = w[2].data;
    g->order_spare = w[3].data;
    g->run = w[4].data;
    g->table = w[5].data;
    g->table_mask = slots - 1;
    nb->rank = nb->rank_block.data;
    return true;
}

ScreeStatus scr_broad_grid(const BroadInput *input, Neighbours *nb) {
    nb->count = 0;
    if (input->count == 0) {
        return SCREE_OK;
    }
    Grid g = {.in = input, .axes = input->def->dimension};
    g.periodic = scr_any_periodic(input->def);
    g.bits = g.axes == 3 ? 19 : 28;
    if (!take_memory(&g, nb)) {
        return SCREE_NO_MEMORY;
    }
    choose_levels(&g);
    for (size_t i = 0; i < input->count; i++) {
        g.key[i] = body_key(&g, level_of(&g, reach(&g, i)), input->position[i]);
        g.order[i] = (int32_t)i;
    }
    sort_bodies(&g);
    collect_runs(&g);
    fill_table(&g);
    for (size_t i = 0; i < input->count; i++) {
        nb->rank[g.order[i]] = (int32_t)i;
    }
    return find_pairs(&g, nb);
}

void scr_neighbours_free(Neighbours *nb) {
    scr_block_free(&nb->pair_block);
    scr_block_free(&nb->rank_block);
    for (size_t i = 0; i < sizeof nb->work / sizeof nb->work[0]; i++) {
        scr_block_free(&nb->work[i]);
    }
    *nb = (Neighbours){0};
}

size_t scr_neighbours_body_bytes(const Neighbours *nb) {
    size_t bytes = nb->rank_block.bytes;
    for (size_t i = 0; i < sizeof nb->work / sizeof nb->work[0]; i++) {
        bytes += nb->work[i].bytes;
    }
    return bytes;
}
