/* Memory of the card for whole steps, and the step as the card sees it. Part of device.c, whose card and arrays it uses. */
#ifndef SCREE_CUDA_STEP_ROOM_H
#define SCREE_CUDA_STEP_ROOM_H

#include "step_bodies.h"
#include "step_clusters.h"
#include "step_passes.h"

/* The arrays of the world, and those of the step alone. */
typedef enum ThereArray {
#define X(type, name) THERE_##name,
    BODY_FIELDS(X)
#undef X
        THERE_FREE,
    THERE_SPOT,
    THERE_REACH,
    THERE_RANK,
    THERE_ORDER,
    THERE_PAIR,
    THERE_WALL_PAIR,
    THERE_LAW,
    THERE_CONTACT_OF,
    THERE_OLD,
    THERE_CONTACT,
    THERE_TAKEN,
    THERE_TILE,
    THERE_SIZE,
    THERE_NEXT,
    THERE_PLACE,
    THERE_ROW_END,
    THERE_CONTACT_AT,
    THERE_ROW_AT,
    THERE_GAP,
    THERE_PARENT,
    THERE_AMONG,
    THERE_CHOSEN,
    THERE_STEP,
    THERE_WORK,
    THERE_LEFT,
    THERE_ARRAYS
} ThereArray;

typedef struct StepRoom {
    Array array[THERE_ARRAYS];
    StepThere *step;   /* as it goes to the card */
    StepArrays *work;  /* likewise */
    StepThere next;    /* as it will go there */
    bool is_there;     /* the card has *step and *work */
    Leavings *left;    /* what has come back */
    const void *owner; /* of the world that is there */
    int numbers;       /* that a team may have in shared memory */
    int most_members;  /* of any box */
    int most_steps;    /* likewise */
    bool too_large;    /* a box is, for that */
    bool open;
    Beside beside; /* for what need not wait */
} StepRoom;

#define ARRAY_THERE(type, which) ((type *)room->array[which].there)

/* ---------------------------------------------------------------- memory */

static bool reserve_there(Card *card, ThereArray which, size_t bytes) {
    Array *array = &card->steps->array[which];
    if (bytes <= array->bytes) {
        return true;
    }
    free_array(array);
    if (card_allocate(&array->there, bytes) == NULL) {
        array->bytes = bytes;
        return true;
    }
    array->there = NULL; /* there may yet be enough for sweeps */
    return false;
}

/* Memory of the processor, and what kernels may have in shared memory; once. */
static const char *open_room(StepRoom *room) {
    enum { FAULTS = 8 };
    const char *fault[FAULTS] = {NULL};
    fault[0] = card_allocate_locked((void **)&room->step, sizeof *room->step);
    fault[1] = card_allocate_locked((void **)&room->work, sizeof *room->work);
    fault[2] = card_allocate_locked((void **)&room->left, sizeof *room->left);
    fault[3] = card_room_of_table(&room->numbers);
    CARD_PERMIT(fault[4], arrange_boxes, room->numbers);
    CARD_PERMIT(fault[5], push_boxes, room->numbers);
    CARD_PERMIT(fault[6], part_boxes, room->numbers);
    fault[7] = card_open_beside(&room->beside);
    for (int k = 0; k < FAULTS; k++) {
        if (fault[k] != NULL) {
            return fault[k];
        }
    }
    memset(room->work, 0, sizeof *room->work);
    room->open = true;
    return NULL;
}

static bool open_steps(Card *card) {
    StepRoom *room = card->steps;
    return succeed(card, "memory for the step", room->open ? NULL : open_room(room)) &&
           reserve_there(card, THERE_STEP, sizeof *room->step) &&
           reserve_there(card, THERE_WORK, sizeof *room->work) &&
           reserve_there(card, THERE_LEFT, sizeof *room->left);
}

static const char *make_step_room(Card *card) {
    card->steps = (StepRoom *)calloc(1, sizeof *card->steps);
    return card->steps != NULL ? NULL : "out of memory";
}

static void free_there(StepRoom *room) {
    for (int k = 0; k < THERE_ARRAYS; k++) {
        free_array(&room->array[k]);
    }
    room->is_there = false;
}

static void free_card(Card *card) {
    StepRoom *room = card != NULL ? card->steps : NULL;
    if (room != NULL) {
        free_there(room);
        card_free_locked(room->step);
        card_free_locked(room->work);
        card_free_locked(room->left);
        if (room->open) {
            card_close_beside(&room->beside);
        }
    }
    free(room);
    free(card);
}

static bool put_array(Card *card, ThereArray which, const void *from, size_t bytes) {
    return reserve_there(card, which, bytes) &&
           (bytes == 0 || succeed(card, "writing to the card",
                                  card_put(card->steps->array[which].there, from, bytes)));
}

static bool reserve_bodies(Card *card, size_t n, size_t walls, size_t candidates) {
    return reserve_there(card, THERE_FREE, (n + 1) * sizeof(Vec3)) &&
           reserve_there(card, THERE_SPOT, n * sizeof(Spot)) &&
           reserve_there(card, THERE_REACH, n * sizeof(double)) &&
           reserve_there(card, THERE_PARENT, n * sizeof(int32_t)) &&
           reserve_there(card, THERE_AMONG, n * sizeof(int32_t)) &&
           reserve_there(card, THERE_CHOSEN, sizeof(uint64_t)) &&
           reserve_there(card, THERE_CONTACT_OF, candidates * sizeof(int32_t)) &&
           reserve_there(card, THERE_TAKEN, candidates) &&
           reserve_there(card, THERE_TILE, (candidates / TILE_TAKES + 2) * sizeof(uint32_t)) &&
           reserve_array(card, BODY, (n + 1 + walls) * BODY_NUMBERS * sizeof(double));
}

/* A little more than is asked for. */
static bool reserve_growing(Card *card, ThereArray which, size_t n, size_t each) {
    return n * each <= card->steps->array[which].bytes ||
           reserve_there(card, which, (n + n / SLACK + 1) * each);
}

/* What is listed of contacts is not needed any more when rows leave their changes. */
static bool reserve_contacts(Card *card, size_t n) {
    return reserve_growing(card, THERE_CONTACT, n, sizeof(Contact)) &&
           reserve_growing(card, THERE_CONTACT_AT, n, sizeof(int32_t)) &&
           reserve_growing(card, THERE_ROW_AT, n, sizeof(int32_t)) &&
           reserve_growing(card, THERE_GAP, n, sizeof(double)) &&
           reserve_array(card, CHANGE, n * sizeof(OrderContact));
}

static bool reserve_boxes(Card *card, size_t boxes) {
    return reserve_there(card, THERE_SIZE, boxes * sizeof(uint32_t)) &&
           reserve_there(card, THERE_NEXT, boxes * sizeof(uint32_t)) &&
           reserve_there(card, THERE_PLACE, boxes * sizeof(uint32_t)) &&
           reserve_there(card, THERE_ROW_END, boxes * sizeof(int32_t));
}

/* ---------------------------------------------------------------- the step, as the card sees it */

static void point_to_arrays(const Card *card, StepArrays *work) {
    const StepRoom *room = card->steps;
    work->taken = ARRAY_THERE(uint8_t, THERE_TAKEN);
    work->tile = ARRAY_THERE(uint32_t, THERE_TILE);
    work->contact = ARRAY_THERE(Contact, THERE_CONTACT);
    work->listed = (OrderContact *)card->array[CHANGE].there;
    work->size = ARRAY_THERE(uint32_t, THERE_SIZE);
    work->next = ARRAY_THERE(uint32_t, THERE_NEXT);
    work->place = ARRAY_THERE(uint32_t, THERE_PLACE);
    work->row_end = ARRAY_THERE(int32_t, THERE_ROW_END);
    work->contact_at = ARRAY_THERE(int32_t, THERE_CONTACT_AT);
    work->row_at = ARRAY_THERE(int32_t, THERE_ROW_AT);
    work->gap = ARRAY_THERE(double, THERE_GAP);
    work->parent = ARRAY_THERE(int32_t, THERE_PARENT);
    work->among = ARRAY_THERE(int32_t, THERE_AMONG);
    work->chosen = ARRAY_THERE(uint64_t, THERE_CHOSEN);
    work->box = (ScreeDeviceBox *)card->array[BOX].there;
    work->step_end = (int32_t *)card->array[STEP_END].there;
    work->member_of = (int32_t *)card->array[MEMBER].there;
    work->constant = (double *)card->array[CONSTANT].there;
    work->impulse = (double *)card->array[IMPULSE].there;
    work->approach = (double *)card->array[APPROACH].there;
}

/* The structures of the step lie within one block, and point to each other there. */
static void point_to_parts(const Card *card, StepThere *step) {
    const StepRoom *room = card->steps;
    StepThere *there = ARRAY_THERE(StepThere, THERE_STEP);
#define X(type, name) step->state.bodies.name = ARRAY_THERE(type, THERE_##name);
    BODY_FIELDS(X)
#undef X
    step->state.walls.item = there->wall;
    step->state.materials.law = ARRAY_THERE(ScreeLaw, THERE_LAW);
    step->free.motion = ARRAY_THERE(Vec3, THERE_FREE);
    step->list.neighbours.spot = ARRAY_THERE(Spot, THERE_SPOT);
    step->list.neighbours.rank = ARRAY_THERE(int32_t, THERE_RANK);
    step->list.neighbours.order = ARRAY_THERE(int32_t, THERE_ORDER);
    step->list.neighbours.pair = ARRAY_THERE(Pair, THERE_PAIR);
    step->list.wall_pair = ARRAY_THERE(Pair, THERE_WALL_PAIR);
    step->task.with = &there->with;
    step->task.state = &there->state;
    step->task.free = &there->free;
    step->task.list = &there->list;
    step->task.reach = ARRAY_THERE(double, THERE_REACH);
    step->task.problem.body = (ProblemBody *)card->array[BODY].there;
    step->old = ARRAY_THERE(Contact, THERE_OLD);
    step->contact_of = ARRAY_THERE(int32_t, THERE_CONTACT_OF);
    step->work = ARRAY_THERE(StepArrays, THERE_WORK);
}

/* Most phases find there what they need. */
static bool put_step(Card *card, const StepThere *step) {
    StepRoom *room = card->steps;
    StepArrays work = *room->work;
    memcpy(&room->next, step, sizeof room->next);
    point_to_parts(card, &room->next);
    point_to_arrays(card, &work);
    if (room->is_there && memcmp(&room->next, room->step, sizeof room->next) == 0 &&
        memcmp(&work, room->work, sizeof work) == 0) {
        return true;
    }
    memcpy(room->step, &room->next, sizeof room->next);
    *room->work = work;
    room->is_there = put_array(card, THERE_STEP, room->step, sizeof *room->step) &&
                     put_array(card, THERE_WORK, room->work, sizeof *room->work);
    return room->is_there;
}

#endif
