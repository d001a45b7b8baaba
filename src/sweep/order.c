/* The order of a sweep.
 *
 * Boxed, the default. Rows are stored in the order in which they are visited, and that order is
 * drawn anew in every time step, not in every sweep: re-ordering between sweeps slows the
 * relaxation (a permutation per sweep relaxes with q = 0.797, any order that is fixed during the
 * step with q = 1), and one random draw per step is enough to avoid bias. Space is cut into boxes
 * of a few grains, with a random offset; a contact belongs to the box of its contact point. Boxes
 * have one of 2^d colours by the parity of their indices, and boxes of one colour share no body.
 * The contacts of a box are packed as described in sweep/pack.h.
 *
 * A body that reaches farther than a box (a piston, a giant among small grains) would tie boxes
 * together. It is split: in each box that it touches, a copy stands in for it. While a group of n
 * such boxes is worked on, each copy has the n-th part of the body's mass; then the body takes the
 * mean of their velocities. Momentum is conserved exactly, and once nothing changes any more all
 * copies agree with the body, so the solution is that of the whole body. Tonge, Benevolenski and
 * Voroshilov (2012) call this mass splitting. */
#include "sweep/order.h"

#include "base/random.h"
#include "sweep/pack.h"

#include <string.h>

void scr_shuffle(int32_t *item, size_t count, uint64_t key) {
    for (size_t i = count; i > 1; i--) {
        uint32_t j = scr_random_below(key, i, (uint32_t)i);
        int32_t t = item[i - 1];
        item[i - 1] = item[j];
        item[j] = t;
    }
}

/* The list of contacts is counted in pieces, one after another or at the same time. */
enum { PIECES = 16, MOST_GROUPS = 8 };

static size_t pieces_for(size_t count, size_t boxes) {
    return PIECES * boxes <= count ? PIECES : 1;
}

/* The parts of the scratch memory. */
typedef struct Scratch {
    PackContact *member; /* [count] contacts sorted by box */
    PackContact *mixed;  /* [count] the same, those of each box in random order */
    int32_t *run;        /* [count] ends of the runs of a box, starting at its first row */
    uint32_t *number;    /* [boxes] the boxes in the order of visit */
    uint32_t *start;     /* [boxes + 1] first row of each box, in the order of visit */
    uint32_t *tally;     /* [pieces][boxes] how many contacts a piece has in a box */
} Scratch;

static size_t room_for_boxes(size_t count, const Boxes *boxes) {
    size_t most = scr_most_boxes(count);
    return boxes->total > most ? boxes->total : most;
}

static Scratch divide(const OrderInput *in) {
    size_t n = in->count, boxes = room_for_boxes(n, &in->boxes);
    PackContact *member = in->scratch, *mixed = member + n;
    uint32_t *word = (uint32_t *)(mixed + n);
    return (Scratch){
        member, mixed, (int32_t *)word, word + n, word + n + boxes, word + n + 2 * boxes + 1};
}

size_t scr_order_scratch(size_t count, const Boxes *boxes) {
    return 2 * count * sizeof(PackContact) +
           (count + 3 * room_for_boxes(count, boxes) + 1) * sizeof(uint32_t);
}

static bool reserve_boxes(const Boxes *grid, size_t boxes, Order *order) {
    order->runs = order->boxes = order->groups = order->copies = 0;
    order->copy_of = NULL;
    order->spread = NULL;
    if (!scr_block_reserve(&order->box_block, 3 * boxes + 2 * MOST_GROUPS, sizeof(int32_t), 0) ||
        !scr_block_reserve(&order->sum_block, boxes, PROBLEM_SUMS * sizeof(double), 0)) {
        return false;
    }
    order->group_end = order->box_block.data;
    order->copy_end = order->group_end + MOST_GROUPS;
    order->box_end = order->copy_end + MOST_GROUPS;
    order->row_end = order->box_end + boxes;
    order->place = (uint32_t *)(order->row_end + boxes);
    memcpy(order->grid, grid->count, sizeof order->grid);
    order->box_sum = order->sum_block.data;
    return true;
}

static bool reserve(const OrderInput *in, Order *order, size_t boxes) {
    order->walls_from = in->walls_from;
    return reserve_boxes(&in->boxes, boxes, order) && SCR_RESERVE(order, slot, in->count + 1) &&
           scr_block_reserve_exact(&order->used_block, in->bodies + 1, sizeof(uint64_t), 0);
}

bool scr_order_plain(const OrderInput *in, Order *order) {
    if (!reserve(in, order, 0)) {
        return false;
    }
    for (size_t i = 0; i < in->count; i++) {
        order->slot[i] = (int32_t)i;
    }
    return true;
}

bool scr_order_coloured(const OrderInput *in, Order *order) {
    if (!reserve(in, order, 1)) {
        return false;
    }
    const Scratch w = divide(in);
    size_t runs = scr_pack_colours(in, order->used_block.data, w.member, w.run, order->slot);
    if (!scr_block_reserve(&order->run_block, runs + 1, sizeof *order->run_end, 0)) {
        return false;
    }
    order->run_end = order->run_block.data;
    memcpy(order->run_end, w.run, runs * sizeof *order->run_end);
    order->runs = runs;
    order->box_end[0] = (int32_t)runs;
    order->row_end[0] = (int32_t)in->count;
    order->group_end[0] = 1;
    order->boxes = order->groups = 1;
    return true;
}

/* ---------------------------------------------------------------- sorting into boxes */

/* What is needed to count and sort a piece of the list of contacts. */
typedef struct Sorting {
    const OrderInput *in;
    const Boxes *boxes;
    Scratch w;
    size_t pieces;
    size_t split[PIECES]; /* split bodies of the contacts of a piece */
} Sorting;

static void count_piece(void *context, size_t piece) {
    Sorting *s = context;
    uint32_t *tally = s->w.tally + piece * s->boxes->total;
    memset(tally, 0, s->boxes->total * sizeof *tally);
    size_t end = (piece + 1) * s->in->count / s->pieces, split = 0;
    for (size_t i = piece * s->in->count / s->pieces; i < end; i++) {
        const OrderContact *c = &s->in->contact[i];
        tally[c->box]++;
        split += (size_t)(c->a < 0) + (size_t)(c->b < 0);
    }
    s->split[piece] = split;
}

/* By now the tallies say where each piece puts its contacts of each box. */
static void sort_piece(void *context, size_t piece) {
    const Sorting *s = context;
    uint32_t *next = s->w.tally + piece * s->boxes->total;
    size_t end = (piece + 1) * s->in->count / s->pieces;
    for (size_t i = piece * s->in->count / s->pieces; i < end; i++) {
        s->w.member[next[s->in->contact[i].box]++] = scr_pack_contact(s->in, i);
    }
}

static uint32_t size_of_box(const Sorting *s, uint32_t box) {
    uint32_t size = 0;
    for (size_t piece = 0; piece < s->pieces; piece++) {
        size += s->w.tally[piece * s->boxes->total + box];
    }
    return size;
}

/* Numbers the boxes of one parity, those with many contacts first, so that threads finish together;
 * empty ones are left out. `size` has their sizes by their place in the grid. */
static uint32_t number_parity(const Boxes *b, const uint32_t *sizes, uint32_t parity,
                              uint32_t largest, uint32_t next, uint32_t *number) {
    const uint32_t px = parity & 1, py = parity >> 1 & 1, pz = parity >> 2;
    for (uint32_t most = largest; most > 0; most = scr_next_size(most)) {
        uint32_t least = scr_next_size(most);
        for (uint32_t z = pz; z < b->count[2]; z += 2) {
            for (uint32_t y = py; y < b->count[1]; y += 2) {
                for (uint32_t x = px; x < b->count[0]; x += 2) {
                    uint32_t box = (z * b->count[1] + y) * b->count[0] + x;
                    if (sizes[box] > least && sizes[box] <= most) {
                        number[next++] = box;
                    }
                }
            }
        }
    }
    return next;
}

void scr_parity_order(uint64_t key, int32_t parity[MOST_GROUPS]) {
    for (int32_t g = 0; g < MOST_GROUPS; g++) {
        parity[g] = g;
    }
    scr_shuffle(parity, MOST_GROUPS, scr_random(key, 3));
}

/* All boxes, group by group, and where their rows end. Returns how many rows there are. */
static uint32_t number_groups(const Boxes *boxes, uint64_t key, const uint32_t *sizes,
                              uint32_t largest, uint32_t *number, Order *order) {
    int32_t parity[MOST_GROUPS];
    uint32_t next = 0, row = 0;
    scr_parity_order(key, parity);
    for (int g = 0; g < MOST_GROUPS; g++) {
        next = number_parity(boxes, sizes, (uint32_t)parity[g], largest, next, number);
        order->group_end[g] = (int32_t)next;
    }
    order->groups = MOST_GROUPS;
    order->boxes = next;
    for (uint32_t b = 0; b < next; b++) {
        row += sizes[number[b]];
        order->row_end[b] = (int32_t)row;
    }
    return row;
}

/* Work on pieces of the boxes. */
typedef struct Numbering {
    const Sorting *sorting;
    Order *order;
    uint32_t largest[SCR_MOST_PIECES];
} Numbering;

static void measure_boxes(void *context, size_t piece) {
    Numbering *k = context;
    const Sorting *s = k->sorting;
    const size_t end = scr_piece_end(s->boxes->total, piece);
    uint32_t largest = 0;
    for (size_t box = scr_piece_begin(s->boxes->total, piece); box < end; box++) {
        s->w.start[box] = size_of_box(s, (uint32_t)box);
        largest = s->w.start[box] > largest ? s->w.start[box] : largest;
    }
    k->largest[piece] = largest;
}

/* Where the contacts of each box begin, and those that each piece of the list has of them. */
static void set_starts(void *context, size_t piece) {
    const Numbering *k = context;
    const Sorting *s = k->sorting;
    const Order *order = k->order;
    for (size_t b = scr_piece_begin(order->boxes, piece); b < scr_piece_end(order->boxes, piece);
         b++) {
        uint32_t row = b > 0 ? (uint32_t)order->row_end[b - 1] : 0;
        s->w.start[b] = row;
        for (size_t i = 0; i < s->pieces; i++) {
            uint32_t *tally = &s->w.tally[i * s->boxes->total + s->w.number[b]];
            uint32_t size = *tally;
            *tally = row;
            row += size;
        }
    }
}

/* Numbers the boxes group by group, all of one parity before the next, in this step's random order
 * of parities; then finds where the contacts of each box begin. Until their ends are known the starts
 * are the sizes of the boxes, by their place in the grid. */
static void number_boxes(const Sorting *s, Order *order) {
    uint32_t largest = 0;
    Numbering numbering = {.sorting = s, .order = order};
    scr_threads_loop(s->in->threads, scr_pieces(s->boxes->total), measure_boxes, &numbering);
    for (size_t k = 0; k < scr_pieces(s->boxes->total); k++) {
        largest = numbering.largest[k] > largest ? numbering.largest[k] : largest;
    }
    const uint32_t row =
        number_groups(s->boxes, s->in->key, s->w.start, largest, s->w.number, order);
    const size_t next = order->boxes;
    scr_threads_loop(s->in->threads, scr_pieces(next), set_starts, &numbering);
    s->w.start[next] = row;
}

/* ---------------------------------------------------------------- copies of split bodies */

static int32_t copy_for(Order *order, size_t first, int32_t body) {
    for (size_t k = first; k < order->copies; k++) {
        if (order->copy[k].body == body) {
            return (int32_t)k;
        }
    }
    order->copy[order->copies] = (OrderCopy){.body = body};
    return (int32_t)order->copies++;
}

/* Counts how many copies of each body a group has, and chains them: from the last to the first, with
 * the one seen before in the lower half of a word and their number in the upper. */
static void chain_copies(const OrderInput *in, Order *order, size_t first) {
    uint64_t *seen = order->used_block.data;
    const uint64_t one = UINT64_C(1) << 32, lower = one - 1;
    memset(seen, 0, in->bodies * sizeof *seen);
    for (size_t k = order->copies; k-- > first;) {
        OrderCopy *c = &order->copy[k];
        uint64_t *word = &seen[c->body];
        c->next = (int32_t)(*word & lower) - 1;
        *word = (*word & ~lower) + one + k + 1;
    }
    for (size_t k = first; k < order->copies; k++) {
        OrderCopy *c = &order->copy[k];
        c->among = (int32_t)(seen[c->body] >> 32);
        c->leads = (seen[c->body] & lower) == k + 1;
    }
}

static bool make_copies(const Sorting *s, Order *order) {
    const OrderInput *in = s->in;
    const Scratch *w = &s->w;
    size_t split = 0;
    for (size_t piece = 0; piece < s->pieces; piece++) {
        split += s->split[piece];
    }
    memset(order->copy_end, 0, MOST_GROUPS * sizeof *order->copy_end);
    if (split == 0) {
        return true;
    }
    if (!SCR_RESERVE(order, copy, split) || !SCR_RESERVE(order, copy_of, in->count)) {
        return false;
    }
    size_t b = 0, first_of_group = 0;
    for (size_t g = 0; g < order->groups; g++, first_of_group = order->copies) {
        for (; b < (size_t)order->group_end[g]; b++) {
            size_t first = order->copies;
            for (uint32_t k = w->start[b]; k < w->start[b + 1]; k++) {
                size_t i = (size_t)w->member[k].contact;
                const OrderContact *c = &in->contact[i];
                int32_t *of = order->copy_of[i];
                of[0] = c->a < 0 ? copy_for(order, first, -1 - c->a) : -1;
                of[1] = c->b < 0 ? copy_for(order, first, -1 - c->b) : -1;
            }
        }
        chain_copies(in, order, first_of_group);
        order->copy_end[g] = (int32_t)order->copies;
    }
    return true;
}

/* ---------------------------------------------------------------- the whole */

typedef struct Packing {
    const OrderInput *in;
    Order *order;
    Scratch w;
    size_t first; /* first box of the group */
} Packing;

static void pack_task(void *context, size_t i) {
    const Packing *k = context;
    size_t box = k->first + i;
    uint32_t begin = k->w.start[box], count = k->w.start[box + 1] - begin;
    PackContact *mixed = k->w.mixed + begin;
    int32_t *run = k->w.run + begin;
    /* by its place in the grid: its place in the order depends on how full all others are */
    uint64_t key = scr_random_key(k->in->key, k->w.number[box], 1);
    scr_pack_shuffle(k->w.member + begin, count, key, mixed, run);
    k->order->box_end[box] =
        (int32_t)scr_pack_box(k->order->used_block.data, mixed, count, begin, run, k->order->slot);
    k->order->place[box] = k->w.number[box];
}

/* Puts the runs of all boxes one after another; until here box_end was the number of runs of
 * each. */
static bool join_runs(Order *order, const Scratch *w) {
    size_t runs = 0;
    for (size_t b = 0; b < order->boxes; b++) {
        runs += (size_t)order->box_end[b];
    }
    if (!scr_block_reserve(&order->run_block, runs + 1, sizeof *order->run_end, 0)) {
        return false;
    }
    order->run_end = order->run_block.data;
    for (size_t b = 0; b < order->boxes; b++) {
        memcpy(order->run_end + order->runs, w->run + w->start[b],
               (size_t)order->box_end[b] * sizeof *order->run_end);
        order->runs += (size_t)order->box_end[b];
        order->box_end[b] = (int32_t)order->runs;
    }
    return true;
}

bool scr_order_boxed(const OrderInput *in, Order *order) {
    if ((in->count == 0 && !in->spread) || in->boxes.total == 0) {
        return scr_order_plain(in, order);
    }
    Sorting sorting = {.in = in,
                       .boxes = &in->boxes,
                       .w = divide(in),
                       .pieces = pieces_for(in->count, in->boxes.total)};
    if (!reserve(in, order, in->boxes.total)) {
        return false;
    }
    scr_threads_loop(in->threads, sorting.pieces, count_piece, &sorting);
    number_boxes(&sorting, order);
    scr_threads_loop(in->threads, sorting.pieces, sort_piece, &sorting);
    if (!make_copies(&sorting, order)) {
        order->runs = order->boxes = order->groups = 0;
        return false;
    }
    Packing packing = {in, order, sorting.w, 0};
    for (size_t g = 0; g < order->groups; g++) {
        size_t end = (size_t)order->group_end[g];
        scr_threads_loop(in->threads, end - packing.first, pack_task, &packing);
        packing.first = end;
    }
    return join_runs(order, &sorting.w);
}

bool scr_order_sizes(const Boxes *boxes, uint64_t key, uint32_t *size, size_t walls_from,
                     Order *order) {
    uint32_t largest = 0, row = 0;
    if (!reserve_boxes(boxes, boxes->total, order)) {
        return false;
    }
    order->walls_from = (int32_t)walls_from;
    for (size_t box = 0; box < boxes->total; box++) {
        largest = size[box] > largest ? size[box] : largest;
    }
    (void)number_groups(boxes, key, size, largest, order->place, order);
    for (size_t b = 0; b < order->boxes; b++) {
        size[order->place[b]] = row;
        row = (uint32_t)order->row_end[b];
    }
    return true;
}

double scr_place_in_order(const Order *order, size_t row, double largest) {
    size_t box = 0, group = 0, first = 0;
    for (; (size_t)order->row_end[box] <= row; box++) {
        first = (size_t)order->row_end[box];
    }
    while ((size_t)order->group_end[group] <= box) {
        group++;
    }
    const size_t rows = (size_t)order->row_end[box] - first;
    double size = 0;
    for (uint32_t most = (uint32_t)largest; rows <= scr_next_size(most);
         most = scr_next_size(most)) {
        size++;
    }
    return (64 * (double)group + size) * 4294967296.0 + order->place[box];
}

void scr_order_free(Order *order) {
    SCR_FREE_BLOCKS(&order->slot_block, &order->used_block, &order->run_block, &order->box_block,
                    &order->sum_block, &order->copy_block, &order->copy_of_block,
                    &order->cell_rate_block);
    *order = (Order){0};
}
