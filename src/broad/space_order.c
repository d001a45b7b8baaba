#include "broad/space_order.h"

#include "math/exact_sum.h"

#include <string.h>

/* Passes over the bodies are cut into pieces, few enough that what each has seen fits on the stack. */
enum { PIECES = 32 };

static size_t pieces_of(size_t count) {
    return scr_pieces(count) < PIECES ? scr_pieces(count) : PIECES;
}

static size_t cut(size_t count, size_t piece) {
    return count * piece / pieces_of(count);
}

/* ---------------------------------------------------------------- levels */

static int level_of(const Space *s, double reach) {
    int level = 0;
    for (double limit = s->base; reach > limit && level < MOST_LEVELS - 1; limit *= 2) {
        level++;
    }
    return level;
}

enum { SAMPLE = 63 };

/* Twice the range that holds the middle half of a sample of the bodies along an axis: the extent of
 * bodies that are spread evenly, whatever a few strays do. */
static double even_extent(const Space *s, int axis) {
    if (s->in->def->periodic[axis]) {
        return scr_cell_side(s->in->def, axis);
    }
    double x[SAMPLE];
    size_t n = s->in->count, count = n < SAMPLE ? n : SAMPLE;
    for (size_t k = 0; k < count; k++) {
        double next = component(s->in->position[k * n / count], axis);
        size_t to = k;
        for (; to > 0 && x[to - 1] > next; to--) {
            x[to] = x[to - 1];
        }
        x[to] = next;
    }
    return 2 * (x[count - 1 - count / 4] - x[count / 4]);
}

/* What there is to be seen of all bodies: how far they reach, and where they are. */
typedef struct Survey {
    const BroadInput *in;
    int axes;
    double largest[PIECES], low[PIECES][3], high[PIECES][3];
    ExactSum cubes[PIECES]; /* of largest reach over reach */
} Survey;

static double reach_of(const BroadInput *in, size_t i) {
    return in->radius[i] + in->margin[i];
}

static void survey_piece(void *context, size_t piece) {
    Survey *v = context;
    const BroadInput *in = v->in;
    double largest = 0, low[3] = {INFINITY, INFINITY, INFINITY},
           high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (size_t i = cut(in->count, piece); i < cut(in->count, piece + 1); i++) {
        largest = scr_max(largest, reach_of(in, i));
        for (int axis = 0; axis < v->axes; axis++) {
            double x = component(in->position[i], axis);
            low[axis] = scr_min(low[axis], x);
            high[axis] = scr_max(high[axis], x);
        }
    }
    v->largest[piece] = largest;
    memcpy(v->low[piece], low, sizeof low);
    memcpy(v->high[piece], high, sizeof high);
}

static void survey(Survey *v) {
    const size_t pieces = pieces_of(v->in->count);
    scr_threads_loop(v->in->threads, pieces, survey_piece, v);
    for (size_t k = 1; k < pieces; k++) {
        v->largest[0] = scr_max(v->largest[0], v->largest[k]);
        for (int axis = 0; axis < v->axes; axis++) {
            v->low[0][axis] = scr_min(v->low[0][axis], v->low[k][axis]);
            v->high[0][axis] = scr_max(v->high[0][axis], v->high[k][axis]);
        }
    }
}

static void cube_piece(void *context, size_t piece) {
    Survey *v = context;
    const BroadInput *in = v->in;
    const double largest = v->largest[0];
    ExactSum *sum = &v->cubes[piece];
    scr_exact_clear(sum);
    for (size_t i = cut(in->count, piece); i < cut(in->count, piece + 1); i++) {
        double ratio = largest / reach_of(in, i);
        scr_exact_add(sum, ratio * ratio * ratio);
    }
    scr_exact_carry(sum);
}

static double sum_of_cubes(Survey *v) {
    const size_t pieces = pieces_of(v->in->count);
    scr_threads_loop(v->in->threads, pieces, cube_piece, v);
    for (size_t k = 1; k < pieces; k++) {
        scr_exact_join(&v->cubes[0], &v->cubes[k]);
    }
    return scr_exact_total(&v->cubes[0]);
}

/* The finest level serves bodies of up to one and a half times the typical reach t, where 1/t^3 is
 * the mean of 1/s^3: the many small bodies decide, not a few giants, and a world of similar sizes
 * has one level. Measured, the cost is flat between one and one and a half times. Where bodies are
 * far apart, cells widen with the room there is for each body, up to 4 t: most narrow ones would be
 * empty. */
static double finest_reach(const Space *s, Survey *v, double cell) {
    const BroadInput *in = s->in;
    double largest = s->largest;
    if (cell > 0) {
        return 0.5 * cell;
    }
    double room = 1 / (double)in->count;
    double typical = largest / scr_cbrt(sum_of_cubes(v) / (double)in->count);
    for (int axis = 0; axis < s->axes; axis++) {
        room *=
            scr_max(2 * typical, scr_min(even_extent(s, axis), 1e6 * typical * (double)in->count)) /
            (2 * typical);
    }
    double wide = typical * (s->axes == 3 ? scr_cbrt(room) : sqrt(room));
    return scr_max(scr_min(largest, 1.5 * typical), scr_min(wide, 2 * typical));
}

/* Cells begin at the lowest corner of the occupied space, which keeps keys short, unless some body
 * is so far away that this would blur all the others. */
static void choose_origin(Space *s, const Survey *v) {
    for (int axis = 0; axis < s->axes; axis++) {
        const double low = v->low[0][axis], high = v->high[0][axis];
        bool compact = high - low < 2 * s->base * (double)((int64_t)1 << s->bits);
        s->origin[axis] = s->in->def->periodic[axis] ? scr_cell_low(s->in->def, axis)
                          : compact                  ? low
                                                     : 0;
    }
}

static void make_level(Space *s, Level *level, double width) {
    for (int axis = 0; axis < s->axes; axis++) {
        level->size[axis] = width * SPACE_MARGIN;
        level->cells[axis] = (int64_t)1 << s->bits;
        if (s->in->def->periodic[axis]) {
            double side = scr_cell_side(s->in->def, axis);
            double n = scr_max(1, floor(side / level->size[axis]));
            level->cells[axis] = (int64_t)scr_min(n, (double)level->cells[axis]);
            level->size[axis] = side / (double)level->cells[axis];
            level->narrow = level->narrow || level->cells[axis] < 3;
        }
        level->inverse[axis] = 1 / level->size[axis];
    }
}

static void choose_levels(Space *s, double cell) {
    Survey v = {.in = s->in, .axes = s->axes};
    survey(&v);
    s->largest = v.largest[0];
    s->base = finest_reach(s, &v, cell);
    s->levels = level_of(s, s->largest) + 1;
    choose_origin(s, &v);
    double width = 2 * s->base;
    for (int l = 0; l < s->levels; l++, width *= 2) {
        bool last = l == s->levels - 1 && l > 0;
        make_level(s, &s->level[l], last ? scr_max(2 * s->largest, 2 * s->base) : width);
    }
}

/* ---------------------------------------------------------------- keys */

/* Spreads the bits of an index to every third (or second) position, for interleaving. */
static uint64_t spread(int axes, uint64_t x) {
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

uint64_t scr_space_part(const Space *s, int axis, int64_t index) {
    return spread(s->axes, (uint64_t)index) << axis;
}

static void make_keys(void *context, size_t piece) {
    Space *s = context;
    const BroadInput *in = s->in;
    for (size_t i = cut(in->count, piece); i < cut(in->count, piece + 1); i++) {
        const int l = level_of(s, reach_of(in, i));
        uint64_t key = scr_space_level_key(l);
        for (int axis = 0; axis < s->axes; axis++) {
            const Level *level = &s->level[l];
            int64_t cell = scr_space_cell(s, level, axis, component(in->position[i], axis));
            key |= scr_space_part(s, axis, scr_space_wrap(s, level, axis, cell));
        }
        s->key[i] = key;
        s->order[i] = (int32_t)i;
    }
}

/* ---------------------------------------------------------------- sorting */

/* One pass of a radix sort, by one byte of the keys. */
typedef struct Pass {
    size_t count;
    int shift;
    const uint64_t *key;
    const int32_t *order;
    uint64_t *key_to;
    int32_t *order_to;
    uint32_t (*start)[256]; /* [pieces] how many keys with each byte; then where they go */
    uint64_t any[PIECES], all[PIECES];
} Pass;

/* The bits that are set in some keys, and in all. */
static void find_bits(void *context, size_t piece) {
    Pass *p = context;
    uint64_t any = 0, all = ~UINT64_C(0);
    for (size_t i = cut(p->count, piece); i < cut(p->count, piece + 1); i++) {
        any |= p->key[i];
        all &= p->key[i];
    }
    p->any[piece] = any;
    p->all[piece] = all;
}

static uint64_t bits_that_differ(Pass *p, Threads *threads) {
    const size_t pieces = pieces_of(p->count);
    scr_threads_loop(threads, pieces, find_bits, p);
    for (size_t k = 1; k < pieces; k++) {
        p->any[0] |= p->any[k];
        p->all[0] &= p->all[k];
    }
    return p->any[0] ^ p->all[0];
}

static void count_bytes(void *context, size_t piece) {
    const Pass *p = context;
    uint32_t *count = p->start[piece];
    memset(count, 0, sizeof p->start[piece]);
    for (size_t i = cut(p->count, piece); i < cut(p->count, piece + 1); i++) {
        count[(p->key[i] >> p->shift) & 255]++;
    }
}

static void scatter(void *context, size_t piece) {
    const Pass *p = context;
    uint32_t *start = p->start[piece];
    for (size_t i = cut(p->count, piece); i < cut(p->count, piece + 1); i++) {
        const uint32_t to = start[(p->key[i] >> p->shift) & 255]++;
        p->key_to[to] = p->key[i];
        p->order_to[to] = p->order[i];
    }
}

static void sort_by_byte(Pass *p, Threads *threads) {
    const size_t pieces = pieces_of(p->count);
    uint32_t next = 0;
    scr_threads_loop(threads, pieces, count_bytes, p);
    for (int byte = 0; byte < 256; byte++) {
        for (size_t k = 0; k < pieces; k++) {
            const uint32_t count = p->start[k][byte];
            p->start[k][byte] = next;
            next += count;
        }
    }
    scr_threads_loop(threads, pieces, scatter, p);
}

/* Radix sort by key; equal keys stay in order. Bytes that are the same in all keys are skipped. */
static void sort_bodies(Space *s, uint64_t *key_spare, int32_t *order_spare,
                        uint32_t (*start)[256]) {
    Pass p = {.count = s->in->count, .key = s->key, .start = start};
    const uint64_t differing = bits_that_differ(&p, s->in->threads);
    for (p.shift = 0; p.shift < 64; p.shift += 8) {
        if (((differing >> p.shift) & 255) == 0) {
            continue;
        }
        uint64_t *const key = s->key;
        int32_t *const order = s->order;
        p.key = key;
        p.order = order;
        p.key_to = s->key = key_spare;
        p.order_to = s->order = order_spare;
        sort_by_byte(&p, s->in->threads);
        key_spare = key;
        order_spare = order;
    }
}

/* Where the bodies of a level end; the keys are sorted. */
static size_t end_of_level(const Space *s, int level) {
    size_t low = 0, high = s->in->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if ((int)(s->key[middle] >> 58) <= level) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

typedef struct LevelReach {
    const Space *space;
    size_t begin, count;
    double most[PIECES];
} LevelReach;

static void find_reach(void *context, size_t piece) {
    LevelReach *r = context;
    double most = 0;
    for (size_t i = cut(r->count, piece); i < cut(r->count, piece + 1); i++) {
        const int32_t body = r->space->order[r->begin + i];
        most = scr_max(most, reach_of(r->space->in, (size_t)body));
    }
    r->most[piece] = most;
}

/* How many bodies each level has, and the largest of them. */
static void note_levels(Space *s) {
    LevelReach r = {.space = s};
    for (int l = 0; l < s->levels; l++, r.begin += r.count) {
        r.count = end_of_level(s, l) - r.begin;
        scr_threads_loop(s->in->threads, pieces_of(r.count), find_reach, &r);
        s->level[l].bodies = r.count;
        for (size_t k = 0; k < pieces_of(r.count); k++) {
            s->level[l].reach = scr_max(s->level[l].reach, r.most[k]);
        }
    }
}

/* What the sort has left in the second halves goes back to the first; and bodies learn their rank. */
typedef struct Ranking {
    const uint64_t *from_key;
    const int32_t *from_order;
    uint64_t *key;
    int32_t *order, *rank;
    size_t count;
} Ranking;

static void rank_piece(void *context, size_t piece) {
    const Ranking *r = context;
    const size_t begin = cut(r->count, piece), end = cut(r->count, piece + 1);
    if (r->from_key != r->key) {
        memcpy(r->key + begin, r->from_key + begin, (end - begin) * sizeof *r->key);
        memcpy(r->order + begin, r->from_order + begin, (end - begin) * sizeof *r->order);
    }
    for (size_t i = begin; i < end; i++) {
        r->rank[r->order[i]] = (int32_t)i;
    }
}

/* One block holds keys and order; the other holds the second halves of the sort with its counts (at
 * most 1024 bytes for a first piece and four for each body) and, after it, the spots. */
static bool take_memory(Space *s, Neighbours *nb) {
    size_t n = s->in->count;
    Block *w = nb->work;
    if (!scr_block_reserve_exact(&w[0], n, sizeof *s->key + sizeof *s->order, 0) ||
        !scr_block_reserve_exact(&w[1], n + 1024 / sizeof *s->spot, sizeof *s->spot, 0) ||
        !scr_block_reserve_exact(&nb->rank_block, n, sizeof *nb->rank, 0)) {
        return false;
    }
    s->key = w[0].data;
    s->order = (int32_t *)(s->key + n);
    s->spot = w[1].data;
    nb->rank = nb->rank_block.data;
    return true;
}

bool scr_space_order(const BroadInput *in, double cell, Neighbours *nb, Space *s) {
    size_t n = in->count;
    *s = (Space){.in = in, .axes = in->def->dimension};
    s->periodic = scr_any_periodic(in->def);
    s->bits = s->axes == 3 ? 19 : 28;
    if (!take_memory(s, nb)) {
        return false;
    }
    choose_levels(s, cell);
    scr_threads_loop(in->threads, pieces_of(n), make_keys, s);
    Ranking r = {.key = s->key, .order = s->order, .rank = nb->rank, .count = n};
    uint64_t *const spare = nb->work[1].data;
    uint32_t *const counts = (uint32_t *)(spare + n) + n;
    sort_bodies(s, spare, (int32_t *)(spare + n), (uint32_t(*)[256])(void *)counts);
    r.from_key = s->key;
    r.from_order = s->order;
    s->key = r.key;
    s->order = r.order;
    scr_threads_loop(in->threads, pieces_of(n), rank_piece, &r);
    note_levels(s);
    nb->order = s->order;
    nb->spot = s->spot;
    return true;
}
