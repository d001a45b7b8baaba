#include "broad/space_order.h"

#include "math/exact_sum.h"

#include <string.h>

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

/* The finest level serves bodies of up to one and a half times the typical reach t, where 1/t^3 is
 * the mean of 1/s^3: the many small bodies decide, not a few giants, and a world of similar sizes
 * has one level. Measured, the cost is flat between one and one and a half times. Where bodies are
 * far apart, cells widen with the room there is for each body, up to 4 t: most narrow ones would be
 * empty. */
static double finest_reach(const Space *s, double cell) {
    const BroadInput *in = s->in;
    double largest = s->largest;
    if (cell > 0) {
        return 0.5 * cell;
    }
    double room = 1 / (double)in->count;
    ExactSum sum;
    scr_exact_clear(&sum);
    for (size_t i = 0; i < in->count; i++) {
        double ratio = largest / (in->radius[i] + in->margin[i]);
        scr_exact_add(&sum, ratio * ratio * ratio);
    }
    double typical = largest / scr_cbrt(scr_exact_total(&sum) / (double)in->count);
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
static void choose_origin(Space *s) {
    for (int axis = 0; axis < s->axes; axis++) {
        double low, high;
        scr_extent(s->in, axis, &low, &high);
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
    for (size_t i = 0; i < s->in->count; i++) {
        s->largest = scr_max(s->largest, s->in->radius[i] + s->in->margin[i]);
    }
    s->base = finest_reach(s, cell);
    s->levels = level_of(s, s->largest) + 1;
    choose_origin(s);
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

static void make_keys(Space *s) {
    const BroadInput *in = s->in;
    for (size_t i = 0; i < in->count; i++) {
        double reach = in->radius[i] + in->margin[i];
        int l = level_of(s, reach);
        Level *level = &s->level[l];
        uint64_t key = scr_space_level_key(l);
        for (int axis = 0; axis < s->axes; axis++) {
            int64_t cell = scr_space_cell(s, level, axis, component(in->position[i], axis));
            key |= scr_space_part(s, axis, scr_space_wrap(s, level, axis, cell));
        }
        s->key[i] = key;
        s->order[i] = (int32_t)i;
        level->bodies++;
        level->reach = scr_max(level->reach, reach);
    }
}

/* Radix sort by key; equal keys stay in order. Bytes that are the same in all keys are skipped. */
static void sort_bodies(Space *s, uint64_t *key_spare, int32_t *order_spare) {
    size_t n = s->in->count;
    uint64_t any = 0, all = ~UINT64_C(0);
    for (size_t i = 0; i < n; i++) {
        any |= s->key[i];
        all &= s->key[i];
    }
    for (int shift = 0; shift < 64; shift += 8) {
        if ((((any ^ all) >> shift) & 255) == 0) {
            continue;
        }
        size_t start[257] = {0};
        for (size_t i = 0; i < n; i++) {
            start[((s->key[i] >> shift) & 255) + 1]++;
        }
        for (int d = 0; d < 256; d++) {
            start[d + 1] += start[d];
        }
        for (size_t i = 0; i < n; i++) {
            size_t to = start[(s->key[i] >> shift) & 255]++;
            key_spare[to] = s->key[i];
            order_spare[to] = s->order[i];
        }
        uint64_t *k = s->key;
        s->key = key_spare;
        key_spare = k;
        int32_t *o = s->order;
        s->order = order_spare;
        order_spare = o;
    }
}

/* One block holds keys and order; the other holds the second halves of the sort and, after it, the
 * spots. */
static bool take_memory(Space *s, Neighbours *nb) {
    size_t n = s->in->count;
    Block *w = nb->work;
    if (!scr_block_reserve_exact(&w[0], n, sizeof *s->key + sizeof *s->order, 0) ||
        !scr_block_reserve_exact(&w[1], n, sizeof *s->spot, 0) ||
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
    make_keys(s);
    uint64_t *key = s->key, *spare = nb->work[1].data;
    sort_bodies(s, spare, (int32_t *)(spare + n));
    if (s->key != key) {
        memcpy(key, s->key, n * (sizeof *s->key + sizeof *s->order));
        s->key = key;
        s->order = (int32_t *)(key + n);
    }
    for (size_t i = 0; i < n; i++) {
        nb->rank[s->order[i]] = (int32_t)i;
    }
    nb->order = s->order;
    nb->spot = s->spot;
    return true;
}
