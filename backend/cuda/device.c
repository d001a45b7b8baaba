/* Sweeps on a GPU: the table that include/scree/device.h describes. Compiled by nvcc as CUDA (-x cu) it
 * drives a card; compiled as C, the processor takes the card's place (lanes.h). */
#include "backend/device.h"

#include "card.h"
#include "sweep_kernel.h"

/* The arrays of a task: those that both sides have, then those of the card alone. */
enum {
    BODY,
    CONSTANT,
    IMPULSE,
    PACKET_END,
    GROUP_END,
    SUM,
    SHARED_ARRAYS,
    BEFORE = SHARED_ARRAYS,
    VELOCITY,
    ARRAYS
};

typedef struct Array {
    void *here, *there; /* page-locked memory of the processor, and memory of the card */
    size_t bytes;       /* reserved */
} Array;

typedef struct Card {
    ScreeDevice table;
    Array array[ARRAYS];
    char name[256];
    char fault[256];
    bool failed;
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
    const size_t wanted = bytes + bytes / 8;
    free_array(array);
    const char *fault = card_allocate(&array->there, wanted);
    if (fault == NULL && which < SHARED_ARRAYS) {
        fault = card_allocate_locked(&array->here, wanted);
    }
    array->bytes = wanted;
    return succeed(card, "memory for the sweep", fault);
}

static void sizes_of(const ScreeDeviceTask *t, size_t bytes[ARRAYS]) {
    bytes[BODY] = t->bodies * BODY_NUMBERS * sizeof(double);
    bytes[CONSTANT] = t->packets * ROWS * CONSTANTS * sizeof(double);
    bytes[IMPULSE] = bytes[BEFORE] = t->packets * ROWS * IMPULSES * sizeof(double);
    bytes[PACKET_END] = t->boxes * sizeof(int32_t);
    bytes[GROUP_END] = t->groups * sizeof(int32_t);
    bytes[SUM] = 2 * t->boxes * sizeof(double);
    bytes[VELOCITY] = 6 * t->bodies * sizeof(double);
}

static bool reserve(void *context, ScreeDeviceTask *t) {
    Card *card = (Card *)context;
    size_t bytes[ARRAYS];
    sizes_of(t, bytes);
    for (int k = 0; k < ARRAYS; k++) {
        if (!reserve_array(card, k, bytes[k])) {
            return false;
        }
    }
    t->body = (double *)card->array[BODY].here;
    t->constant = (double *)card->array[CONSTANT].here;
    t->impulse = (double *)card->array[IMPULSE].here;
    t->packet_end = (int32_t *)card->array[PACKET_END].here;
    t->group_end = (int32_t *)card->array[GROUP_END].here;
    t->sum = (double *)card->array[SUM].here;
    return true;
}

static bool copy(Card *card, int which, size_t bytes, bool back) {
    Array *array = &card->array[which];
    return succeed(card, back ? "reading from the card" : "writing to the card",
                   back ? card_get(array->here, array->there, bytes)
                        : card_put(array->there, array->here, bytes));
}

/* ---------------------------------------------------------------- kernels */

static LiftArguments lifting(const Card *card, const ScreeDeviceTask *t, double beta) {
    LiftArguments given;
    given.body = (double *)card->array[BODY].there;
    given.velocity = (double *)card->array[VELOCITY].there;
    given.count = 6 * t->bodies;
    given.beta = beta;
    return given;
}

static bool lift(void *context, const ScreeDeviceTask *t, double beta) {
    Card *card = (Card *)context;
    const LiftArguments given = lifting(card, t, beta);
    const char *fault;
    CARD_LAUNCH(fault, lift_bodies, given.count / (LIFTS * LANES) + 1, 0, given);
    return succeed(card, "extrapolating velocities", fault);
}

/* What was before is zero, which is finite: with beta = 0 it does not count. */
static bool begin_momentum(Card *card, const ScreeDeviceTask *t, const size_t bytes[ARRAYS]) {
    const char *fault = card_clear(card->array[BEFORE].there, bytes[BEFORE]);
    fault = fault == NULL ? card_clear(card->array[VELOCITY].there, bytes[VELOCITY]) : fault;
    return succeed(card, "clearing memory", fault) && lift(card, t, 0);
}

static bool put(void *context, const ScreeDeviceTask *t, bool fresh) {
    Card *card = (Card *)context;
    size_t bytes[ARRAYS];
    sizes_of(t, bytes);
    bool good = true;
    for (int k = 0; k < (fresh ? (int)SUM : (int)PACKET_END); k++) {
        good = good && copy(card, k, bytes[k], false);
    }
    return good && (!fresh || begin_momentum(card, t, bytes));
}

static bool get(void *context, const ScreeDeviceTask *t) {
    Card *card = (Card *)context;
    size_t bytes[ARRAYS];
    sizes_of(t, bytes);
    return copy(card, BODY, bytes[BODY], true) && copy(card, IMPULSE, bytes[IMPULSE], true) &&
           succeed(card, "reading from the card", card_wait());
}

static const char *sweep_group(const ScreeDeviceTask *t, const ScreeDeviceSweep *how,
                               SweepArguments given, int boxes) {
    const bool space = t->dimension == 3, creeps = how->momentum && how->creep > 0;
    const char *fault;
    if (creeps && space) {
        CARD_LAUNCH(fault, sweep_space_creep, boxes, SCRATCH, given);
    } else if (creeps) {
        CARD_LAUNCH(fault, sweep_plane_creep, boxes, SCRATCH, given);
    } else if (how->momentum && space) {
        CARD_LAUNCH(fault, sweep_space_momentum, boxes, SCRATCH, given);
    } else if (how->momentum) {
        CARD_LAUNCH(fault, sweep_plane_momentum, boxes, SCRATCH, given);
    } else if (space) {
        CARD_LAUNCH(fault, sweep_space, boxes, SCRATCH, given);
    } else {
        CARD_LAUNCH(fault, sweep_plane, boxes, SCRATCH, given);
    }
    return fault;
}

static SweepArguments sweeping(const Card *card, const ScreeDeviceSweep *how) {
    SweepArguments given;
    given.first_box = 0;
    given.body = (double *)card->array[BODY].there;
    given.impulse = (double *)card->array[IMPULSE].there;
    given.before = (double *)card->array[BEFORE].there;
    given.constant = (const double *)card->array[CONSTANT].there;
    given.packet_end = (const int32_t *)card->array[PACKET_END].there;
    given.sum = (double *)card->array[SUM].there;
    given.beta = how->beta;
    given.creep = how->creep;
    return given;
}

static bool sweep(void *context, const ScreeDeviceTask *t, const ScreeDeviceSweep *how) {
    Card *card = (Card *)context;
    SweepArguments given = sweeping(card, how);
    bool good = true;
    for (size_t g = 0; g < t->groups && good; g++) {
        const int boxes = t->group_end[g] - given.first_box;
        if (boxes > 0) {
            good = succeed(card, "sweeping", sweep_group(t, how, given, boxes));
        }
        given.first_box = t->group_end[g];
    }
    return good && copy(card, SUM, 2 * t->boxes * sizeof(double), true) &&
           succeed(card, "sweeping", card_wait());
}

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
    free(card);
}

static void fill_table(Card *card) {
    ScreeDevice *table = &card->table;
    table->context = card;
    table->reserve = reserve;
    table->put = put;
    table->sweep = sweep;
    table->lift = lift;
    table->get = get;
    table->name = name_of;
    table->fault = fault_of;
    table->close = close_card;
}

const ScreeDevice *scree_device_open(char *message) {
    Card *card = (Card *)calloc(1, sizeof *card);
    const char *fault = card == NULL ? "out of memory" : card_find(card->name);
    if (fault != NULL) {
        snprintf(message, SCREE_MESSAGE_SIZE, "%s", fault);
        free(card);
        return NULL;
    }
    fill_table(card);
    return &card->table;
}
