/* Sweeps on a GPU: the table that include/scree/device.h describes. Compiled by nvcc as CUDA (-x cu) it
 * drives a card; compiled as C, the processor takes the card's place (lanes.h). */
#include "core.h"

#include "backend/device.h"
#include "card_arrays.h"

/* ---------------------------------------------------------------- room for boxes */

static RoomParts parts_for(const ScreeDeviceTask *t, BoxCounts most) {
    return room_parts(most, t->laws != SCREE_DEVICE_COULOMB, t->laws == SCREE_DEVICE_ROLLING);
}

static bool has_room(const Card *card, const ScreeDeviceTask *t, const ScreeDeviceBox *box) {
    return parts_for(t, counts_of(box)).whole <= card->most;
}

/* The room of boxes that are swept in shared memory, and that of the others. */
static void find_parts(Card *card, const ScreeDeviceTask *t) {
    BoxCounts most[2] = {{0, 0, 0, 0}, {0, 0, 0, 0}};
    card->most_places = 0;
    for (size_t box = 0; box < t->boxes; box++) {
        include_counts(&most[has_room(card, t, &t->box[box]) ? 0 : 1], counts_of(&t->box[box]));
        card->most_places = larger_of(card->most_places, t->box[box].places);
    }
    card->part = parts_for(t, most[0]);
    card->part_chosen = parts_for(t, most[1]);
}

/* Finds which boxes have room in shared memory, and lists the others. One box may have most bodies, and another one
 * most rows: where the room for both is too large, fewer are let in. */
static bool choose_boxes(Card *card, const ScreeDeviceTask *t) {
    int32_t *chosen = (int32_t *)card->array[CHOSEN].here, count = 0;
    int most_of_group = 0;
    card->most = card->room;
    find_parts(card, t);
    while (card->part.whole > card->room) {
        card->most -= card->part.whole - card->room;
        find_parts(card, t);
    }
    for (size_t g = 0, box = 0; g < t->groups; g++) {
        const int32_t before = count;
        for (; box < (size_t)t->group_end[g]; box++) {
            if (!has_room(card, t, &t->box[box])) {
                chosen[count++] = (int32_t)box;
            }
        }
        card->chosen_end[g] = count;
        most_of_group = larger_of(most_of_group, count - before);
    }
    return reserve_array(card, ROOM,
                         sizeof(double) * (size_t)card->part_chosen.whole * (size_t)most_of_group);
}

/* ---------------------------------------------------------------- kernels */

static LiftArguments lifting(const Card *card, const ScreeDeviceTask *t, double beta) {
    LiftArguments given;
    given.body = (double *)card->array[BODY].there;
    given.velocity = (double *)card->array[VELOCITY].there;
    given.twos = VELOCITY_TWOS * t->bodies;
    given.beta = beta;
    return given;
}

static bool lift_from(Card *card, const ScreeDeviceTask *t, double beta) {
    const LiftArguments given = lifting(card, t, beta);
    const char *fault;
    CARD_LAUNCH(fault, lift_bodies, given.twos / (LIFTS * LANES) + 1, 0, given);
    return succeed(card, "extrapolating velocities", fault);
}

static bool clear_sums(Card *card, const ScreeDeviceTask *t) {
    return succeed(card, "clearing memory", card_clear(card->array[SUM].there, sum_bytes(t)));
}

/* As much as another array has, with which it will be exchanged. */
static bool reserve_like(Card *card, int which, int like) {
    Array *array = &card->array[which];
    const size_t wanted = card->array[like].bytes;
    if (array->bytes == wanted) {
        return true;
    }
    free_array(array);
    const char *fault = card_allocate(&array->there, wanted);
    array->bytes = fault == NULL ? wanted : 0;
    return succeed(card, "memory for the sweep", fault);
}

static bool reserve_momentum(Card *card, const ScreeDeviceTask *t) {
    return reserve_like(card, BEFORE, IMPULSE) && reserve_like(card, TORQUE_BEFORE, TORQUE) &&
           reserve_array(card, VELOCITY, 6 * t->bodies * sizeof(double));
}

/* What was before is zero, which is finite: with beta = 0 it does not count. */
static bool begin_momentum(Card *card, const ScreeDeviceTask *t) {
    const int to_clear[] = {BEFORE, VELOCITY, TORQUE_BEFORE};
    bool good = card->has_momentum || reserve_momentum(card, t);
    for (size_t k = 0; k < sizeof to_clear / sizeof to_clear[0] && !card->has_momentum; k++) {
        const Array *array = &card->array[to_clear[k]];
        good = good && (array->bytes == 0 ||
                        succeed(card, "clearing memory", card_clear(array->there, array->bytes)));
    }
    good = good && (card->has_momentum || lift_from(card, t, 0));
    card->has_momentum = true;
    return good;
}

static bool lift(void *context, const ScreeDeviceTask *t, double beta) {
    Card *card = (Card *)context;
    return begin_momentum(card, t) && lift_from(card, t, beta);
}

static bool put_bodies(void *context, const ScreeDeviceTask *t) {
    return copy((Card *)context, BODY, t->bodies * BODY_NUMBERS * sizeof(double), false);
}

/* From the tile of the first row on: what rows before it have there is as it was. */
static size_t first_of_tile(size_t row) {
    return row / SCREE_DEVICE_TILE * SCREE_DEVICE_TILE;
}

static size_t end_of_tile(size_t row) {
    return first_of_tile(row + SCREE_DEVICE_TILE - 1);
}

/* A part of an array with so many bytes for each row. */
static bool put_part(Card *card, int which, size_t first, size_t end, size_t bytes) {
    const Array *array = &card->array[which];
    return succeed(card, "writing to the card",
                   card_put((char *)array->there + first * bytes,
                            (const char *)array->here + first * bytes, (end - first) * bytes));
}

static bool put_rows(void *context, const ScreeDeviceTask *t, size_t first, size_t end,
                     bool fresh) {
    Card *card = (Card *)context;
    const size_t tile = first_of_tile(first), tiles_end = end_of_tile(end);
    bool good = put_part(card, CONSTANT, tile, tiles_end, CONSTANTS * sizeof(double)) &&
                put_part(card, IMPULSE, tile, tiles_end, IMPULSES * sizeof(double));
    if (t->laws != SCREE_DEVICE_COULOMB) {
        good = good && put_part(card, LAW, tile, tiles_end, LAW_NUMBERS * sizeof(double));
    }
    if (t->laws == SCREE_DEVICE_ROLLING) {
        good = good && put_part(card, ROLL, tile, tiles_end, ROLL_NUMBERS * sizeof(double)) &&
               put_part(card, TORQUE, tile, tiles_end, TORQUES * sizeof(double));
    }
    if (fresh) {
        good = good && put_part(card, APPROACH, first, end, sizeof(double)) &&
               put_part(card, STEP_END, first, end, sizeof(int32_t)) &&
               put_part(card, MEMBER, first, end, 2 * sizeof(int32_t));
    }
    return good;
}

static bool begin(void *context, const ScreeDeviceTask *t) {
    Card *card = (Card *)context;
    size_t bytes[ARRAYS];
    sizes_of(t, bytes);
    card->has_momentum = false;
    return choose_boxes(card, t) && copy(card, BOX, bytes[BOX], false) &&
           copy(card, CHOSEN, bytes[CHOSEN], false) && copy(card, SPLIT, bytes[SPLIT], false) &&
           copy(card, COPY, bytes[COPY], false) && clear_sums(card, t);
}

static bool keep(void *context, const ScreeDeviceTask *t) {
    Card *card = (Card *)context;
    size_t bytes[ARRAYS];
    sizes_of(t, bytes);
    return reserve_array(card, KEPT_BODY, bytes[BODY]) &&
           reserve_array(card, KEPT_IMPULSE, bytes[IMPULSE]) &&
           reserve_array(card, KEPT_TORQUE, bytes[TORQUE]) &&
           move_on_card(card, KEPT_BODY, BODY, bytes[BODY]) &&
           move_on_card(card, KEPT_IMPULSE, IMPULSE, bytes[IMPULSE]) &&
           move_on_card(card, KEPT_TORQUE, TORQUE, bytes[TORQUE]);
}

static bool recall(void *context, const ScreeDeviceTask *t) {
    Card *card = (Card *)context;
    size_t bytes[ARRAYS];
    sizes_of(t, bytes);
    return move_on_card(card, BODY, KEPT_BODY, bytes[BODY]) &&
           move_on_card(card, IMPULSE, KEPT_IMPULSE, bytes[IMPULSE]) &&
           move_on_card(card, TORQUE, KEPT_TORQUE, bytes[TORQUE]);
}

/* Bodies come first; impulses are under way while whoever has asked looks at them. */
static bool get_bodies(void *context, const ScreeDeviceTask *t) {
    Card *card = (Card *)context;
    size_t bytes[ARRAYS];
    sizes_of(t, bytes);
    return copy(card, BODY, bytes[BODY], true) &&
           succeed(card, "reading from the card", card_set_mark(card->mark)) &&
           copy(card, IMPULSE, bytes[IMPULSE], true) && copy(card, TORQUE, bytes[TORQUE], true) &&
           succeed(card, "reading from the card", card_wait_for(card->mark));
}

static bool get_impulses(void *context, const ScreeDeviceTask *t) {
    (void)t;
    return succeed((Card *)context, "reading from the card", card_wait());
}

static SweepArguments sweeping(const Card *card, const ScreeDeviceTask *t,
                               const ScreeDeviceSweep *how) {
    SweepArguments given;
    given.box = (const ScreeDeviceBox *)card->array[BOX].there;
    given.first_box = 0;
    given.chosen = NULL;
    given.room = NULL;
    given.part = card->part;
    given.most = card->most;
    given.step_end = (const int32_t *)card->array[STEP_END].there;
    given.member = (const int32_t *)card->array[MEMBER].there;
    given.body = (double *)card->array[BODY].there;
    given.constant = (const double *)card->array[CONSTANT].there;
    given.impulse = (double *)card->array[IMPULSE].there;
    given.before = (double *)card->array[BEFORE].there;
    given.law = (const double *)card->array[LAW].there;
    given.rolls = (const double *)card->array[ROLL].there;
    given.torque = (double *)card->array[TORQUE].there;
    given.torque_before = (double *)card->array[TORQUE_BEFORE].there;
    given.momentum = how->momentum;
    given.rows = t->rows;
    given.change = (double *)card->array[CHANGE].there;
    given.sum = how->silent ? NULL : (int64_t *)card->array[SUM].there;
    given.sums = t->sums;
    given.beta = how->beta;
    given.creep = how->creep;
    return given;
}

/* The boxes of a group: those with room in shared memory, then the others. */
static bool sweep_group(Card *card, const ScreeDeviceTask *t, const ScreeDeviceSweep *how,
                        SweepArguments given, size_t group) {
    const int32_t first = group > 0 ? t->group_end[group - 1] : 0;
    const int32_t first_chosen = group > 0 ? card->chosen_end[group - 1] : 0;
    given.first_box = first;
    if (!succeed(card, "sweeping", launch(t, how, given, t->group_end[group] - first))) {
        return false;
    }
    given.chosen = (const int32_t *)card->array[CHOSEN].there + first_chosen;
    given.room = (double *)card->array[ROOM].there;
    given.part = card->part_chosen;
    return succeed(card, "sweeping", launch(t, how, given, card->chosen_end[group] - first_chosen));
}

/* Split bodies and their copies: before a group, or after it. */
static bool with_copies(Card *card, int32_t first, int32_t end, bool gather) {
    CopyArguments given;
    given.split = end > first ? (const ScreeDeviceSplit *)card->array[SPLIT].there + first : NULL;
    given.copy = (const int32_t *)card->array[COPY].there;
    given.body = (double *)card->array[BODY].there;
    return end == first ||
           succeed(card, "sharing bodies", launch_copies(given, end - first, gather));
}

/* With momentum the new impulses have replaced those before. */
static void exchange(Card *card, int now, int before) {
    void *latest = card->array[before].there;
    card->array[before].there = card->array[now].there;
    card->array[now].there = latest;
}

/* The sums to the processor; they are cleared for the next sweep, for which nobody waits. */
static bool get_sums(Card *card, const ScreeDeviceTask *t) {
    return copy(card, SUM, sum_bytes(t), true) &&
           succeed(card, "sweeping", card_set_mark(card->mark)) && clear_sums(card, t) &&
           succeed(card, "sweeping", card_wait_for(card->mark));
}

static bool sweep(void *context, const ScreeDeviceTask *t, const ScreeDeviceSweep *how) {
    Card *card = (Card *)context;
    bool good = !how->momentum || begin_momentum(card, t);
    const SweepArguments given = sweeping(card, t, how);
    for (size_t g = 0; g < t->groups && good; g++) {
        const int32_t first = g > 0 ? t->split_end[g - 1] : 0, end = t->split_end[g];
        good = with_copies(card, first, end, false) && sweep_group(card, t, how, given, g) &&
               with_copies(card, first, end, true);
    }
    good = good && with_copies(card, 0, (int32_t)t->splits, false);
    if (how->momentum) {
        exchange(card, IMPULSE, BEFORE);
        exchange(card, TORQUE, TORQUE_BEFORE);
    }
    return good && (how->silent || get_sums(card, t));
}

static bool judge(void *context, const ScreeDeviceTask *t) {
    Card *card = (Card *)context;
    JudgeArguments given;
    const char *fault;
    given.box = (const ScreeDeviceBox *)card->array[BOX].there;
    given.member = (const int32_t *)card->array[MEMBER].there;
    given.body = (const double *)card->array[BODY].there;
    given.constant = (const double *)card->array[CONSTANT].there;
    given.impulse = (const double *)card->array[IMPULSE].there;
    given.approach = (const double *)card->array[APPROACH].there;
    given.law = (const double *)card->array[LAW].there;
    given.rolls = (const double *)card->array[ROLL].there;
    given.torque = (const double *)card->array[TORQUE].there;
    given.rows = t->rows;
    given.judged = (double *)card->array[JUDGEMENT].there;
    given.space = t->dimension == 3;
    if (t->laws == SCREE_DEVICE_COULOMB) {
        CARD_LAUNCH(fault, judge_boxes, t->boxes, judge_room_of(card->most_places), given);
    } else {
        CARD_LAUNCH(fault, judge_boxes_with_laws, t->boxes, judge_room_of(card->most_places),
                    given);
    }
    return succeed(card, "judging", fault) &&
           copy(card, JUDGEMENT, t->boxes * JUDGED * sizeof(double), true) &&
           succeed(card, "judging", card_wait());
}

#include "steps.h"

/* ---------------------------------------------------------------- the table */

static const char *name_of(void *context) {
    return ((Card *)context)->name;
}

static const char *fault_of(void *context) {
    const Card *card = (const Card *)context;
    return card->failed ? card->fault : NULL;
}

static void close_card(void *context) {
    Card *card = (Card *)context;
    for (int k = 0; k < ARRAYS; k++) {
        free_array(&card->array[k]);
    }
    card_close_mark(card->mark);
    free_card(card);
}

static void fill_table(Card *card) {
    ScreeDevice *table = &card->table;
    table->context = card;
    table->reserve = reserve;
    table->put_bodies = put_bodies;
    table->put_rows = put_rows;
    table->begin = begin;
    table->sweep = sweep;
    table->judge = judge;
    table->lift = lift;
    table->keep = keep;
    table->recall = recall;
    table->get_bodies = get_bodies;
    table->get_impulses = get_impulses;
    table->name = name_of;
    table->fault = fault_of;
    table->close = close_card;
    table->steps = &card_steps;
}

const ScreeDevice *scree_device_open(char *message) {
    Card *card = (Card *)calloc(1, sizeof *card);
    const char *fault = card == NULL ? "out of memory" : card_find(card->name);
    fault = fault == NULL ? make_step_room(card) : fault;
    fault = fault == NULL ? card_room(&card->room) : fault;
    fault = fault == NULL ? permit_room(card->room) : fault;
    fault = fault == NULL ? card_open_mark(&card->mark) : fault;
    if (fault != NULL) {
        snprintf(message, SCREE_MESSAGE_SIZE, "%s", fault);
        free_card(card);
        return NULL;
    }
    fill_table(card);
    return &card->table;
}
