#include "sweep/device_plan.h"

#include "sweep/order_input.h"
#include "sweep/walls.h"

#include <string.h>

/* What a box may have at most, so that its numbers have 16 bits: where grains of very different sizes
 * meet, boxes may have more. */
enum { MOST_STEPS = 2048, MOST_WALLS = 64, MOST_PLACES = UINT16_MAX };

/* A box while it is planned. */
typedef struct BoxPlan {
    const Row *row;
    PlannedRow *planned;
    Walls walls;
    uint32_t mark;   /* of what this box has noted of a body */
    uint64_t *noted; /* [bodies] the mark, the body's last step and its number among the members */
    int32_t *member; /* bodies, and walls as -1 - body */
    size_t members, steps, met;
    int32_t wall[MOST_WALLS]; /* [met] */
    uint16_t wall_member[MOST_WALLS];
    uint16_t rows[MOST_STEPS]; /* of each step; then where they begin */
} BoxPlan;

/* ---------------------------------------------------------------- bodies */

/* Bits of a note. */
enum { STEP_BITS = 16, MARK_SHIFT = 32 };

/* The step after the last one of this body so far, and its number. */
static size_t next_step(BoxPlan *b, int32_t body, uint16_t *member) {
    const uint64_t note = b->noted[body];
    const bool known = note >> MARK_SHIFT == b->mark;
    *member = (uint16_t)(known ? note : b->members);
    if (!known) {
        b->member[b->members++] = body;
    }
    return known ? (size_t)(note >> STEP_BITS & UINT16_MAX) + 1 : 0;
}

static void note_step(BoxPlan *b, int32_t body, uint16_t member, size_t step) {
    b->noted[body] = (uint64_t)b->mark << MARK_SHIFT | (uint64_t)step << STEP_BITS | member;
}

/* A wall, for which no row waits. MOST_WALLS: there are too many of them. */
static size_t find_wall(BoxPlan *b, int32_t body) {
    size_t k = 0;
    while (k < b->met && b->wall[k] != body) {
        k++;
    }
    if (k == b->met && k < MOST_WALLS) {
        b->wall[k] = body;
        b->wall_member[k] = (uint16_t)b->members;
        b->member[b->members++] = -1 - body;
        b->met++;
    }
    return k;
}

/* ---------------------------------------------------------------- one box */

/* The step of a row: the first one after those of its bodies that has room. */
static bool plan_row(BoxPlan *b, const Row *r, PlannedRow *planned) {
    const bool wall = is_wall(b->walls, r->b);
    size_t step = next_step(b, r->a, &planned->a);
    if (wall) {
        const size_t number = find_wall(b, r->b);
        if (number == MOST_WALLS) {
            return false;
        }
        planned->b = b->wall_member[number];
    } else {
        const size_t other = next_step(b, r->b, &planned->b);
        step = step > other ? step : other;
    }
    while (step < b->steps && b->rows[step] == SCREE_DEVICE_AT_ONCE) {
        step++;
    }
    if (step == MOST_STEPS || b->members > MOST_PLACES) {
        return false;
    }
    for (; b->steps <= step; b->steps++) {
        b->rows[b->steps] = 0;
    }
    b->rows[step]++;
    planned->step = (uint16_t)step;
    note_step(b, r->a, planned->a, step);
    if (!wall) {
        note_step(b, r->b, planned->b, step);
    }
    return true;
}

static size_t places_of(const Order *order, size_t box) {
    size_t row = scr_first_row(order, box), packets = 0;
    for (size_t run = scr_first_run(order, box); run < (size_t)order->box_end[box]; run++) {
        packets += ((size_t)order->run_end[run] - row + PACKET_ROWS - 1) / PACKET_ROWS;
        row = (size_t)order->run_end[run];
    }
    return packets * PACKET_ROWS;
}

/* Puts the rows one step after another. */
static void place_rows(BoxPlan *b, size_t count, int32_t *step_end) {
    uint16_t next = 0;
    for (size_t s = 0; s < b->steps; s++) {
        const uint16_t rows = b->rows[s];
        b->rows[s] = next;
        next = (uint16_t)(next + rows);
        step_end[s] = next;
    }
    for (size_t i = 0; i < count; i++) {
        b->planned[i].place = b->rows[b->planned[i].step]++;
    }
}

bool scr_device_plan_box(const DevicePlan *plan, const Problem *p, const Order *order, size_t box,
                         ScreeDeviceTask *t) {
    BoxPlan b;
    const size_t first = scr_first_row(order, box), count = (size_t)order->row_end[box] - first;
    const size_t places = places_of(order, box);
    b.row = p->row + first;
    b.planned = plan->row + first;
    b.walls = walls_of(p, order);
    b.mark = (uint32_t)box + 1;
    b.noted = plan->noted;
    b.member = t->member + 2 * first;
    b.members = b.steps = b.met = 0;
    bool fits = places <= MOST_PLACES;
    for (size_t i = 0; i < count && fits; i++) {
        fits = plan_row(&b, &b.row[i], &b.planned[i]);
    }
    if (fits) {
        place_rows(&b, count, t->step_end + first);
    }
    t->box[box] =
        (ScreeDeviceBox){(int32_t)first, (int32_t)b.steps, (int32_t)b.members, (int32_t)places};
    return fits;
}

/* ---------------------------------------------------------------- the plan */

typedef struct Clearing {
    uint64_t *noted;
    size_t bodies;
} Clearing;

static void clear_notes(void *context, size_t piece) {
    const Clearing *k = context;
    const size_t begin = scr_piece_begin(k->bodies, piece), end = scr_piece_end(k->bodies, piece);
    memset(k->noted + begin, 0, (end - begin) * sizeof *k->noted);
}

bool scr_device_plan_begin(DevicePlan *plan, const Problem *p, Threads *threads) {
    if (!SCR_RESERVE(plan, row, p->rows) || !SCR_RESERVE(plan, noted, p->bodies)) {
        return false;
    }
    Clearing all = {plan->noted, p->bodies};
    scr_threads_loop(threads, scr_pieces(p->bodies), clear_notes, &all);
    return true;
}

void scr_device_plan_free(DevicePlan *plan) {
    SCR_FREE_BLOCKS(&plan->row_block, &plan->noted_block);
    *plan = (DevicePlan){0};
}
