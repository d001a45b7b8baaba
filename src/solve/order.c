/* The order of a sweep.
 *
 * Boxed, the default. Rows are stored in the order of their visit, and that order is drawn anew in
 * every time step, not in every sweep: re-ordering between sweeps slows the relaxation (a
 * permutation per sweep relaxes with q = 0.797, any order held over the step with q = 1), and a
 * random draw per step is what freedom from bias needs. Space is cut into boxes of a few grains,
 * with a random offset; a contact belongs to the box of its contact point. Boxes come in 2^d
 * colours by the parity of their indices, and boxes of one colour share no body. Inside a box
 * contacts are visited in random order and given the first colour that neither body has yet; sorted
 * by colour, successive rows are independent of each other, so the processor can work on several at
 * a time. */
#include "solve/order.h"

#include "base/random.h"

#include <string.h>

enum { COLOURS = 64 };

void scr_shuffle(int32_t *item, size_t count, uint64_t key) {
    for (size_t i = count; i > 1; i--) {
        uint32_t j = scr_random_below(key, i, (uint32_t)i);
        int32_t t = item[i - 1];
        item[i - 1] = item[j];
        item[j] = t;
    }
}

/* Boxes are at most this many: where contacts are sparse over a large space, larger boxes do as
 * well. */
static size_t most_boxes(size_t count) {
    return count + 64;
}

/* The parts of the scratch memory. */
typedef struct Scratch {
    int32_t *member;  /* [count] contacts sorted by box */
    uint32_t *mark;   /* [count] box, then colour, of a contact */
    uint32_t *number; /* [boxes] of a box in the order of visit */
    uint32_t *start;  /* [boxes + 2] */
} Scratch;

static Scratch divide(const OrderInput *in) {
    uint32_t *word = in->scratch;
    return (Scratch){in->scratch, word + in->count, word + 2 * in->count,
                     word + 2 * in->count + most_boxes(in->count)};
}

size_t scr_order_scratch(size_t count) {
    return (2 * count + 2 * most_boxes(count) + 2) * sizeof(uint32_t);
}

static bool reserve(const OrderInput *in, Order *order) {
    order->runs = order->boxes = order->groups = 0;
    bool ok = scr_block_reserve(&order->slot_block, in->count + 1, sizeof *order->slot, 0) &&
              scr_block_reserve_exact(&order->used_block, (size_t)in->shared_from + 1,
                                      sizeof(uint64_t), 0);
    order->slot = order->slot_block.data;
    return ok;
}

bool scr_order_plain(const OrderInput *in, Order *order) {
    if (!scr_block_reserve(&order->slot_block, in->count + 1, sizeof *order->slot, 0)) {
        return false;
    }
    order->slot = order->slot_block.data;
    order->runs = order->boxes = order->groups = 0;
    for (size_t i = 0; i < in->count; i++) {
        order->slot[i] = (int32_t)i;
    }
    return true;
}

/* The first colour that neither body has; the last one takes what does not fit. `used` has a bit
 * for each colour of a body. */
static unsigned first_fit(const OrderInput *in, const OrderContact *c, uint64_t *used) {
    uint64_t taken =
        (c->a < in->shared_from ? used[c->a] : 0) | (c->b < in->shared_from ? used[c->b] : 0);
    unsigned colour = ~taken != 0 ? (unsigned)__builtin_ctzll(~taken) : COLOURS - 1;
    uint64_t bit = UINT64_C(1) << colour;
    if (c->a < in->shared_from) {
        used[c->a] |= bit;
    }
    if (c->b < in->shared_from) {
        used[c->b] |= bit;
    }
    return colour;
}

/* The rows of one colour are a run. The last colour takes what does not fit elsewhere, so its rows
 * may share bodies: one run each. */
static bool note_runs(Order *order, const uint32_t *start, size_t base) {
    size_t most = order->runs + COLOURS + start[COLOURS] - start[COLOURS - 1];
    if (!scr_block_reserve(&order->run_block, most, sizeof *order->run_end,
                           order->runs * sizeof *order->run_end)) {
        return false;
    }
    order->run_end = order->run_block.data;
    for (int c = 0; c < COLOURS - 1; c++) {
        if (start[c + 1] > start[c]) {
            order->run_end[order->runs++] = (int32_t)(base + start[c + 1]);
        }
    }
    for (uint32_t i = start[COLOURS - 1]; i < start[COLOURS]; i++) {
        order->run_end[order->runs++] = (int32_t)(base + i + 1);
    }
    return true;
}

/* Colours the `count` contacts listed in `member` and gives them slots from `base` on, sorted by
 * colour. */
static bool colour_and_place(const OrderInput *in, Order *order, const int32_t *member,
                             size_t count, size_t base) {
    uint32_t *colour_of = divide(in).mark;
    uint64_t *used = order->used_block.data;
    uint32_t start[COLOURS + 1] = {0};
    for (size_t i = 0; i < count; i++) {
        const OrderContact *c = &in->contact[member[i]];
        used[c->a < in->shared_from ? c->a : in->shared_from] = 0;
        used[c->b < in->shared_from ? c->b : in->shared_from] = 0;
    }
    for (size_t i = 0; i < count; i++) {
        unsigned colour = first_fit(in, &in->contact[member[i]], used);
        colour_of[member[i]] = colour;
        start[colour + 1]++;
    }
    for (int c = 0; c < COLOURS; c++) {
        start[c + 1] += start[c];
    }
    if (!note_runs(order, start, base)) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        order->slot[member[i]] = (int32_t)(base + start[colour_of[member[i]]]++);
    }
    order->box_end[order->boxes++] = (int32_t)order->runs;
    return true;
}

enum { MOST_GROUPS = 9 }; /* eight parities, and the rows that are kept apart */

static bool reserve_boxes(Order *order, size_t most) {
    if (!scr_block_reserve(&order->box_block, most + MOST_GROUPS, sizeof *order->box_end, 0) ||
        !scr_block_reserve(&order->change_block, most, sizeof *order->box_change, 0)) {
        return false;
    }
    order->group_end = order->box_block.data;
    order->box_end = order->group_end + MOST_GROUPS;
    order->box_change = order->change_block.data;
    return true;
}

bool scr_order_coloured(const OrderInput *in, Order *order) {
    if (!reserve(in, order) || !reserve_boxes(order, 1)) {
        return false;
    }
    int32_t *member = divide(in).member;
    for (size_t i = 0; i < in->count; i++) {
        member[i] = (int32_t)i;
    }
    order->group_end[order->groups++] = 1;
    return colour_and_place(in, order, member, in->count, 0);
}

/* ---- boxes */

/* The grid of boxes over the contact points, with its random offset. */
typedef struct Boxes {
    double origin[3], side[3];
    uint32_t count[3];
    bool around[3]; /* periodic: the first box comes after the last */
    uint32_t total;
} Boxes;

static double axis_of(Vec3 p, int axis) {
    return axis == 0 ? p.x : axis == 1 ? p.y : p.z;
}

/* Boxes of at least `side` along one axis. A periodic one is cut into an even number, so that
 * neighbours differ in parity across its boundary too; into a single one where two would be too
 * narrow. */
static double cut_axis(Boxes *b, int axis, double low, double high, double period, double side) {
    b->around[axis] = period > 0;
    double n = floor((high - low) / side) + 2;
    b->side[axis] = side;
    if (period > 0) {
        n = 2 * floor(period / (2 * side));
        n = n >= 2 ? n : 1;
        b->side[axis] = period / n;
    }
    b->count[axis] = n < 1e9 ? (uint32_t)n : 0;
    return n;
}

static Boxes lay_boxes(const OrderInput *in) {
    Vec3 low = in->contact[0].point, high = low;
    for (size_t i = 1; i < in->count; i++) {
        Vec3 p = in->contact[i].point;
        low = vec3(fmin(low.x, p.x), fmin(low.y, p.y), fmin(low.z, p.z));
        high = vec3(fmax(high.x, p.x), fmax(high.y, p.y), fmax(high.z, p.z));
    }
    Boxes b = {.total = 0};
    double side = in->box_side, total = INFINITY;
    for (; total > (double)most_boxes(in->count); side *= 2) {
        total = 1;
        for (int axis = 0; axis < 3; axis++) {
            total *=
                cut_axis(&b, axis, axis_of(low, axis), axis_of(high, axis), in->period[axis], side);
        }
    }
    b.total = b.count[0] * b.count[1] * b.count[2];
    for (int axis = 0; axis < 3; axis++) {
        b.origin[axis] =
            axis_of(low, axis) - b.side[axis] * scr_random_unit(in->key, (uint64_t)axis);
    }
    return b;
}

/* Numbers the boxes group by group, all of one parity before the next, in the step's random order
 * of parities. `last` receives the end of each group. */
static void number_boxes(const Boxes *b, uint64_t key, uint32_t *number, uint32_t last[8]) {
    int32_t parity[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    scr_shuffle(parity, 8, scr_random(key, 3));
    uint32_t next = 0;
    for (int c = 0; c < 8; c++) {
        const uint32_t px = (uint32_t)parity[c] & 1, py = (uint32_t)parity[c] >> 1 & 1,
                       pz = (uint32_t)parity[c] >> 2;
        for (uint32_t z = pz; z < b->count[2]; z += 2) {
            for (uint32_t y = py; y < b->count[1]; y += 2) {
                for (uint32_t x = px; x < b->count[0]; x += 2) {
                    number[(z * b->count[1] + y) * b->count[0] + x] = next++;
                }
            }
        }
        last[c] = next;
    }
}

static uint32_t box_of(const Boxes *b, Vec3 p) {
    uint32_t index[3];
    for (int axis = 0; axis < 3; axis++) {
        double at = floor((axis_of(p, axis) - b->origin[axis]) / b->side[axis]);
        double n = (double)b->count[axis];
        at = b->around[axis] ? at - n * floor(at / n) : at;
        index[axis] = at > 0 ? (uint32_t)fmin(at, n - 1) : 0;
    }
    return (index[2] * b->count[1] + index[1]) * b->count[0] + index[0];
}

static bool is_alone(const OrderInput *in, const OrderContact *c) {
    return c->b >= in->shared_from && in->alone[c->b - in->shared_from];
}

/* Sorts the contacts by box: start[b] becomes the end of box b in `member`. The last box holds the
 * rows kept apart. */
static void sort_into_boxes(const OrderInput *in, const Boxes *boxes, const Scratch *w) {
    uint32_t *box = w->mark, *start = w->start;
    memset(start, 0, (boxes->total + 2) * sizeof *start);
    for (size_t i = 0; i < in->count; i++) {
        const OrderContact *c = &in->contact[i];
        box[i] = is_alone(in, c) ? boxes->total : w->number[box_of(boxes, c->point)];
        start[box[i] + 1]++;
    }
    for (uint32_t b = 0; b <= boxes->total; b++) {
        start[b + 1] += start[b];
    }
    for (size_t i = 0; i < in->count; i++) {
        w->member[start[box[i]]++] = (int32_t)i;
    }
}

bool scr_order_boxed(const OrderInput *in, Order *order) {
    if (in->count == 0 || !(in->box_side > 0)) {
        return scr_order_plain(in, order);
    }
    Boxes boxes = lay_boxes(in);
    const Scratch w = divide(in);
    uint32_t last[MOST_GROUPS];
    if (!reserve(in, order) || !reserve_boxes(order, boxes.total + 1)) {
        return false;
    }
    number_boxes(&boxes, in->key, w.number, last);
    last[MOST_GROUPS - 1] = boxes.total + 1;
    sort_into_boxes(in, &boxes, &w);
    uint32_t begin = 0, b = 0;
    for (int group = 0; group < MOST_GROUPS; group++) {
        for (; b < last[group]; begin = w.start[b++]) {
            uint32_t count = w.start[b] - begin;
            scr_shuffle(w.member + begin, count, scr_random_key(in->key, b, 1));
            if (count > 0 && !colour_and_place(in, order, w.member + begin, count, begin)) {
                return false;
            }
        }
        order->group_end[order->groups++] = (int32_t)order->boxes;
    }
    return true;
}

void scr_order_free(Order *order) {
    scr_block_free(&order->slot_block);
    scr_block_free(&order->used_block);
    scr_block_free(&order->run_block);
    scr_block_free(&order->box_block);
    scr_block_free(&order->change_block);
    *order = (Order){0};
}
