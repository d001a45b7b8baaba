/* The card and its arrays: those of a task that sweeps, here and there. */
#ifndef SCREE_CUDA_CARD_ARRAYS_H
#define SCREE_CUDA_CARD_ARRAYS_H

#include "core.h"

#include "card.h"
#include "sweep_launch.h"

/* The arrays of a task: those that both sides have, then those of the card alone. */
enum {
    BODY,
    CONSTANT,
    IMPULSE,
    APPROACH,
    LAW,
    ROLL,
    TORQUE,
    BOX,
    STEP_END,
    MEMBER,
    SPLIT,
    COPY,
    CHOSEN,
    SUM,
    JUDGEMENT,
    SHARED_ARRAYS,
    BEFORE = SHARED_ARRAYS,
    TORQUE_BEFORE,
    VELOCITY,
    CHANGE,
    ROOM,
    KEPT_BODY,
    KEPT_IMPULSE,
    KEPT_TORQUE,
    ARRAYS
};

enum { MOST_GROUPS = 8, SLACK = 16 /* this part more than is asked for */ };

typedef struct Array {
    void *here, *there; /* page-locked memory of the processor, and memory of the card */
    size_t bytes;       /* reserved there */
    size_t bytes_here;
} Array;

typedef struct Card {
    ScreeDevice table;
    Array array[ARRAYS];
    int32_t group_end[MOST_GROUPS], split_end[MOST_GROUPS];
    int room;                        /* numbers that a team may have in shared memory */
    int most;                        /* of these that a box may need to be swept there */
    int most_places;                 /* of any box */
    RoomParts part, part_chosen;     /* of boxes with room in shared memory, and of the others */
    int32_t chosen_end[MOST_GROUPS]; /* the latter, group by group */
    bool has_momentum;               /* this task, so far */
    char name[256];
    char fault[256];
    bool failed;
    Mark mark;
    struct StepRoom *steps; /* of whole steps */
} Card;

/* Remembers the first fault. */
static bool succeed(Card *card, const char *doing, const char *fault) {
    if (fault != NULL && !card->failed) {
        card->failed = true;
        snprintf(card->fault, sizeof card->fault, "%s: %s", doing, fault);
    }
    return !card->failed;
}

/* ---------------------------------------------------------------- memory */

static void free_array(Array *array) {
    card_free(array->there);
    card_free_locked(array->here);
    memset(array, 0, sizeof *array);
}

/* Packings grow slowly: a little more than is asked for. */
static bool reserve_array(Card *card, int which, size_t bytes) {
    Array *array = &card->array[which];
    if (bytes <= array->bytes) {
        return true;
    }
    const size_t wanted = bytes + bytes / SLACK;
    card_free(array->there);
    const char *fault = card_allocate(&array->there, wanted);
    array->bytes = fault == NULL ? wanted : 0;
    return succeed(card, "memory for the sweep", fault);
}

static bool reserve_here(Card *card, int which, size_t bytes) {
    Array *array = &card->array[which];
    if (bytes <= array->bytes_here) {
        return true;
    }
    const size_t wanted = bytes + bytes / SLACK;
    card_free_locked(array->here);
    const char *fault = card_allocate_locked(&array->here, wanted);
    array->bytes_here = fault == NULL ? wanted : 0;
    return succeed(card, "memory for the sweep", fault);
}

static size_t sum_bytes(const ScreeDeviceTask *t) {
    return 2 * t->sums * SCREE_DEVICE_SUM_WORDS * sizeof(int64_t);
}

static void sizes_of(const ScreeDeviceTask *t, size_t bytes[ARRAYS]) {
    bytes[BODY] = t->bodies * BODY_NUMBERS * sizeof(double);
    const size_t tiled = (t->rows + SCREE_DEVICE_TILE - 1) / SCREE_DEVICE_TILE * SCREE_DEVICE_TILE;
    bytes[CONSTANT] = tiled * CONSTANTS * sizeof(double);
    bytes[IMPULSE] = tiled * IMPULSES * sizeof(double);
    bytes[APPROACH] = t->rows * sizeof(double);
    bytes[LAW] = t->laws != SCREE_DEVICE_COULOMB ? tiled * LAW_NUMBERS * sizeof(double) : 0;
    bytes[ROLL] = t->laws == SCREE_DEVICE_ROLLING ? tiled * ROLL_NUMBERS * sizeof(double) : 0;
    bytes[TORQUE] = t->laws == SCREE_DEVICE_ROLLING ? tiled * TORQUES * sizeof(double) : 0;
    bytes[BOX] = (t->boxes + 1) * sizeof(ScreeDeviceBox);
    bytes[STEP_END] = t->rows * sizeof(int32_t);
    bytes[MEMBER] = 2 * t->rows * sizeof(int32_t);
    bytes[SPLIT] = t->splits * sizeof(ScreeDeviceSplit);
    bytes[COPY] = t->copies * sizeof(int32_t);
    bytes[CHOSEN] = t->boxes * sizeof(int32_t);
    bytes[SUM] = sum_bytes(t);
    bytes[JUDGEMENT] = t->boxes * JUDGED * sizeof(double);
    bytes[CHANGE] = t->rows * CHANGES * sizeof(double);
    bytes[BEFORE] = bytes[TORQUE_BEFORE] = bytes[VELOCITY] = 0; /* until there is momentum */
    bytes[ROOM] = 0; /* until it is known what boxes need */
    bytes[KEPT_BODY] = bytes[KEPT_IMPULSE] = bytes[KEPT_TORQUE] = 0; /* until something is */
}

/* What the processor need not see where rows and bodies are made on the card. */
static bool is_of_rows(int which) {
    return which < BOX || which == STEP_END || which == MEMBER;
}

static bool reserve(void *context, ScreeDeviceTask *t) {
    Card *card = (Card *)context;
    size_t bytes[ARRAYS];
    sizes_of(t, bytes);
    for (int k = 0; k < ARRAYS; k++) {
        const bool here = k < SHARED_ARRAYS && !(t->alone && is_of_rows(k));
        if (!reserve_array(card, k, bytes[k]) || (here && !reserve_here(card, k, bytes[k]))) {
            return false;
        }
    }
    t->body = (double *)card->array[BODY].here;
    t->constant = (double *)card->array[CONSTANT].here;
    t->impulse = (double *)card->array[IMPULSE].here;
    t->approach = (double *)card->array[APPROACH].here;
    t->law = (double *)card->array[LAW].here;
    t->rolls = (double *)card->array[ROLL].here;
    t->torque = (double *)card->array[TORQUE].here;
    t->box = (ScreeDeviceBox *)card->array[BOX].here;
    t->step_end = (int32_t *)card->array[STEP_END].here;
    t->member = (int32_t *)card->array[MEMBER].here;
    t->group_end = card->group_end;
    t->split = (ScreeDeviceSplit *)card->array[SPLIT].here;
    t->copy = (int32_t *)card->array[COPY].here;
    t->split_end = card->split_end;
    t->sum = (int64_t *)card->array[SUM].here;
    t->judged = (double *)card->array[JUDGEMENT].here;
    return true;
}

static bool copy(Card *card, int which, size_t bytes, bool back) {
    Array *array = &card->array[which];
    return bytes == 0 || succeed(card, back ? "reading from the card" : "writing to the card",
                                 back ? card_get(array->here, array->there, bytes)
                                      : card_put(array->there, array->here, bytes));
}

static bool move_on_card(Card *card, int to, int from, size_t bytes) {
    return bytes == 0 || succeed(card, "copying on the card",
                                 card_copy(card->array[to].there, card->array[from].there, bytes));
}

#endif
