#include "sweep/device_plan.h"

#include "sweep/order_input.h"
#include "sweep/walls.h"

#include <string.h>

/* What a box may have at most, so that its numbers have 16 bits: where grains of very different sizes
 * meet, boxes may have more. */
enum { MOST_STEPS = 2048, MOST_WALLS = 64, MOST_PLACES = UINT16_MAX };

typedef struct Planning {
    DevicePlan *plan;
    const Problem *problem;
    const Order *order;
    Walls walls;
    size_t first; /* box of the group */
} Planning;

/* A box while it is planned. */
typedef struct BoxPlan {
    uint32_t mark;   /* of what this box has noted of a body */
    uint64_t *noted; /* [bodies] the mark, the body's last step and its number among the members */
    size_t members, steps, walls, places;
    int32_t wall[MOST_WALLS];
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
    *member = (uint16_t)(known ? note : b->members++);
    return known ? (size_t)(note >> STEP_BITS & UINT16_MAX) + 1 : 0;
}

static void note_step(BoxPlan *b, int32_t body, uint16_t member, size_t step) {
    b->noted[body] = (uint64_t)b->mark << MARK_SHIFT | (uint64_t)step << STEP_BITS | member;
}

/* A wall, for which no row waits. MOST_WALLS: there are too many of them. */
static size_t find_wall(BoxPlan *b, int32_t body) {
    size_t k = 0;
    while (k < b->walls && b->wall[k] != body) {
        k++;
    }
    if (k == b->walls && k < MOST_WALLS) {
        b->wall[k] = body;
        b->wall_member[k] = (uint16_t)b->members++;
        b->walls++;
    }
    return k;
}

/* ---------------------------------------------------------------- one box */

/* The step of a row: the first one after those of its bodies that has room. */
static bool plan_row(const Planning *k, BoxPlan *b, const Row *r, PlannedRow *planned) {
    const bool wall = is_wall(k->walls, r->b);
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
static void place_rows(BoxPlan *b, PlannedRow *row, size_t count) {
    uint16_t next = 0;
    for (size_t s = 0; s < b->steps; s++) {
        const uint16_t rows = b->rows[s];
        b->rows[s] = next;
        next = (uint16_t)(next + rows);
    }
    for (size_t i = 0; i < count; i++) {
        row[i].place = b->rows[row[i].step]++;
    }
}

enum { TOO_LARGE = -1 };

/* For now the box has its numbers of rows, steps and members. */
static void plan_box(const Planning *k, size_t box) {
    BoxPlan b;
    const size_t first = scr_first_row(k->order, box), end = (size_t)k->order->row_end[box];
    b.mark = (uint32_t)box + 1;
    b.noted = k->plan->noted;
    b.members = b.steps = b.walls = 0;
    b.places = places_of(k->order, box);
    bool fits = b.places <= MOST_PLACES;
    for (size_t i = first; i < end && fits; i++) {
        fits = plan_row(k, &b, &k->problem->row[i], &k->plan->row[i]);
    }
    if (fits) {
        place_rows(&b, k->plan->row + first, end - first);
    }
    k->plan->box[box] = (ScreeDeviceBox){(int32_t)(end - first), (int32_t)b.steps,
                                         (int32_t)b.members, fits ? (int32_t)b.places : TOO_LARGE};
}

/* ---------------------------------------------------------------- all boxes */

static void clear_notes(void *context, size_t piece) {
    const Planning *k = context;
    const size_t n = k->problem->bodies, begin = scr_piece_begin(n, piece);
    memset(k->plan->noted + begin, 0, (scr_piece_end(n, piece) - begin) * sizeof *k->plan->noted);
}

static void plan_task(void *context, size_t i) {
    const Planning *k = context;
    plan_box(k, k->first + i);
}

/* Numbers become places: where those of each box begin. False if a box is too large. */
static bool sum_up(ScreeDeviceBox *box, size_t boxes) {
    ScreeDeviceBox next = {0, 0, 0, 0};
    bool fit = true;
    for (size_t i = 0; i < boxes; i++) {
        const ScreeDeviceBox own = box[i];
        fit = fit && own.places != TOO_LARGE;
        box[i] = (ScreeDeviceBox){next.row, next.step, next.member, own.places};
        next.row += own.row;
        next.step += own.step;
        next.member += own.member;
    }
    box[boxes] = next;
    return fit;
}

bool scr_device_plan(DevicePlan *plan, const Problem *p, const Order *order, Threads *threads) {
    if (!SCR_RESERVE(plan, row, p->rows) || !SCR_RESERVE(plan, box, order->boxes + 1) ||
        !SCR_RESERVE(plan, noted, p->bodies)) {
        return false;
    }
    Planning k = {plan, p, order, walls_of(p, order), 0};
    scr_threads_loop(threads, scr_pieces(p->bodies), clear_notes, &k);
    for (size_t g = 0; g < order->groups; g++) {
        const size_t end = (size_t)order->group_end[g];
        scr_threads_loop(threads, end - k.first, plan_task, &k);
        k.first = end;
    }
    return sum_up(plan->box, order->boxes);
}

void scr_device_plan_box(const DevicePlan *plan, const Problem *p, const Order *order, size_t box,
                         ScreeDeviceTask *t) {
    const ScreeDeviceBox *at = &plan->box[box];
    const Walls walls = walls_of(p, order);
    int32_t *end = t->step_end + at->step;
    memset(end, 0, (size_t)(at[1].step - at->step) * sizeof *end);
    for (size_t i = (size_t)at->row; i < (size_t)at[1].row; i++) {
        const PlannedRow *r = &plan->row[i];
        const int32_t a = p->row[i].a, b = p->row[i].b;
        end[r->step] = end[r->step] > r->place ? end[r->step] : r->place + 1;
        t->member[at->member + r->a] = a;
        t->member[at->member + r->b] = is_wall(walls, b) ? -1 - b : b;
    }
}

void scr_device_plan_free(DevicePlan *plan) {
    SCR_FREE_BLOCKS(&plan->row_block, &plan->box_block, &plan->noted_block);
    *plan = (DevicePlan){0};
}
