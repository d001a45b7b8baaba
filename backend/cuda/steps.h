/* Whole steps: what src/dynamics/device_steps.h asks of a device. Part of device.c, whose card and arrays it uses. */
#ifndef SCREE_CUDA_STEPS_H
#define SCREE_CUDA_STEPS_H

#include "step_room.h"

/* ---------------------------------------------------------------- phases */

static size_t teams_for(size_t items) {
    return (items + LANES - 1) / LANES;
}

#define LAUNCH_STEP(kernel, teams, numbers)                                                        \
    do {                                                                                           \
        const char *fault = NULL;                                                                  \
        if ((teams) > 0) {                                                                         \
            CARD_LAUNCH(fault, kernel, teams, numbers, given);                                     \
        }                                                                                          \
        good = succeed(card, "making a step", fault) && good;                                      \
    } while (0)

#define LAUNCH_EACH(kernel, items) LAUNCH_STEP(kernel, teams_for(items), 0)

/* Sums that a phase leaves. */
static int sums_of(StepPhase phase) {
    switch (phase) {
    case STEP_MOVE:
        return 4;
    case STEP_CERTIFY:
    case STEP_OVERLAPS:
    case STEP_POWER:
        return 3;
    case STEP_ROWS:
        return 2;
    case STEP_PROJECT:
        return 1;
    default:
        return phase == STEP_COLLECT ? (int)THERE_SUMS : 0;
    }
}

/* Of what a phase leaves; the loads of walls come last. */
static size_t bytes_left(StepPhase phase) {
    Leavings *left = NULL;
    return phase == STEP_COLLECT
               ? sizeof *left
               : offsetof(Leavings, sum) + (size_t)sums_of(phase) * sizeof left->sum[0];
}

/* Of those beside: a lane for each item, and a number of shared memory for two lanes. */
#define LAUNCH_BESIDE(kernel, items)                                                               \
    do {                                                                                           \
        const char *fault = NULL;                                                                  \
        if ((items) > 0) {                                                                         \
            CARD_LAUNCH_BESIDE(fault, &card->steps->beside, kernel, teams_for(items), LANES / 2,   \
                               given);                                                             \
        }                                                                                          \
        good = succeed(card, "making a step", fault) && good;                                      \
    } while (0)

static bool get_left(Card *card, StepPhase phase) {
    StepRoom *room = card->steps;
    return succeed(card, "reading from the card",
                   card_get(room->left, room->array[THERE_LEFT].there, bytes_left(phase))) &&
           succeed(card, "making a step", card_wait());
}

static bool clear_left(Card *card, StepPhase phase) {
    StepRoom *room = card->steps;
    return succeed(card, "clearing memory",
                   card_clear(room->array[THERE_LEFT].there, bytes_left(phase)));
}

static bool find_phase(Card *card, StepThere *step, StepArguments given) {
    const size_t n = step->state.bodies.count, walls = step->state.walls.count;
    const size_t tiles = (step->candidates + TILE_TAKES - 1) / TILE_TAKES;
    const size_t laws = step->state.materials.count * step->state.materials.count;
    bool good = succeed(card, "making a step", card_wait_beside(&card->steps->beside)) &&
                put_array(card, THERE_LAW, step->state.materials.law, laws * sizeof(ScreeLaw)) &&
                put_step(card, step);
    if (!good) {
        return false;
    }
    LAUNCH_EACH(predict_bodies, n > walls ? n : walls + 1);
    LAUNCH_STEP(take_candidates, tiles, 2);
    LAUNCH_STEP(number_tiles, 1, LANES);
    if (!good || !get_left(card, STEP_FIND)) {
        return false;
    }
    step->contacts = (size_t)card->steps->left->count[0];
    step->pair_contacts = (size_t)card->steps->left->count[1];
    good = reserve_contacts(card, step->contacts) && put_step(card, step);
    if (good) {
        LAUNCH_STEP(make_contacts, tiles, (TILE_TAKES + LANES + 3) / 4);
    }
    return good;
}

static bool list_phase(Card *card, StepThere *step, StepArguments given) {
    StepRoom *room = card->steps;
    const size_t sizes = step->boxes.total * sizeof(uint32_t);
    bool good = reserve_boxes(card, step->boxes.total) && put_step(card, step) &&
                succeed(card, "clearing memory", card_clear(room->array[THERE_SIZE].there, sizes));
    if (good) {
        LAUNCH_EACH(list_contacts, step->contacts);
    }
    return good && succeed(card, "reading from the card",
                           card_get(step->size, room->array[THERE_SIZE].there, sizes));
}

/* Rows of the largest box. */
static int largest_box(const StepThere *step) {
    int most = 0;
    for (size_t box = 0; box < step->ordered; box++) {
        const int first = box > 0 ? step->row_end[box - 1] : 0;
        most = larger_of(most, step->row_end[box] - first);
    }
    return most;
}

static bool order_phase(Card *card, StepThere *step, StepArguments given) {
    StepRoom *room = card->steps;
    const size_t total = step->boxes.total * sizeof(uint32_t);
    room->too_large = false;
    bool good =
        put_step(card, step) && put_array(card, THERE_SIZE, step->size, total) &&
        succeed(card, "clearing memory", card_clear(room->array[THERE_NEXT].there, total)) &&
        put_array(card, THERE_PLACE, step->place, step->ordered * sizeof(uint32_t)) &&
        put_array(card, THERE_ROW_END, step->row_end, step->ordered * sizeof(int32_t));
    if (!good) {
        return false;
    }
    LAUNCH_EACH(sort_contacts, step->contacts);
    enum {
        FEW_MEMBERS = 64
    }; /* of a box with few rows, which may all be between bodies of their own */
    given.room = largest_box(step) + FEW_MEMBERS;
    if (table_numbers(given.room) > room->numbers) {
        room->too_large = true;
        return good;
    }
    LAUNCH_STEP(arrange_boxes, step->ordered, table_numbers(given.room));
    return good && copy(card, BOX, step->ordered * sizeof(ScreeDeviceBox), true);
}

static bool visit_boxes(Card *card, const StepThere *step, StepArguments given, bool part) {
    const StepRoom *room = card->steps;
    const int numbers = pass_numbers(room->most_members, room->most_steps);
    bool good = true;
    given.room = room->most_members;
    for (int g = 0, first = 0; g < MOST_GROUPS; first = step->group_end[g], g++) {
        given.first_box = first;
        if (part) {
            LAUNCH_STEP(part_boxes, step->group_end[g] - first, numbers);
        } else {
            LAUNCH_STEP(push_boxes, step->group_end[g] - first, numbers);
        }
    }
    return good;
}

/* Clusters follow from the contacts, so they are found beside what comes next. */
static bool find_cluster(Card *card, const StepThere *step, StepArguments given) {
    StepRoom *room = card->steps;
    const size_t n = step->state.bodies.count;
    bool good = succeed(card, "clearing memory",
                        card_clear(room->array[THERE_CHOSEN].there, sizeof(uint64_t))) &&
                succeed(card, "making a step", card_begin_beside(&room->beside));
    LAUNCH_BESIDE(begin_clusters, n);
    for (int round = 0; round < 2; round++) {
        LAUNCH_BESIDE(hook_clusters, step->pair_contacts);
        LAUNCH_BESIDE(flatten_clusters, n);
    }
    LAUNCH_BESIDE(join_clusters, step->pair_contacts);
    LAUNCH_BESIDE(flatten_clusters, n);
    LAUNCH_BESIDE(count_clusters, n);
    LAUNCH_BESIDE(choose_cluster, n);
    return succeed(card, "making a step", card_end_beside(&room->beside)) && good;
}

static bool end_phase(Card *card, StepThere *step, StepPhase phase, StepArguments given) {
    const size_t n = step->state.bodies.count, walls = step->state.walls.count;
    bool good = true;
    if (phase == STEP_COLLECT) {
        LAUNCH_EACH(collect_contacts, step->contacts);
        LAUNCH_EACH(load_walls, step->contacts - step->pair_contacts);
        good = good && (!step->clusters || find_cluster(card, step, given));
    } else if (phase == STEP_MOVE) {
        LAUNCH_EACH(move_bodies, n);
    } else if (phase == STEP_POWER) {
        LAUNCH_EACH(weigh_rows, step->contacts);
    } else if (phase == STEP_PROJECT) {
        LAUNCH_EACH(stop_bodies, STOPS * (n + 1 + walls));
        good = good && visit_boxes(card, step, given, true);
        LAUNCH_EACH(displace_bodies, n);
    } else if (phase == STEP_CLUSTER) {
        good = (step->clusters || find_cluster(card, step, given)) &&
               succeed(card, "making a step", card_wait_beside(&card->steps->beside));
        LAUNCH_EACH(bound_cluster, n);
    } else {
        given.group = phase == STEP_OVERLAPS;
        LAUNCH_EACH(certify_contacts, step->contacts);
    }
    return good;
}

static bool make_phase(Card *card, StepThere *step, StepPhase phase, StepArguments given) {
    const size_t n = step->state.bodies.count, walls = step->state.walls.count;
    bool good = true;
    switch (phase) {
    case STEP_FIND:
        return find_phase(card, step, given);
    case STEP_LIST:
        return list_phase(card, step, given);
    case STEP_ORDER:
        return order_phase(card, step, given);
    case STEP_ROWS:
        LAUNCH_EACH(make_rows, step->contacts);
        return good && visit_boxes(card, step, given, false);
    case STEP_REFRESH:
        LAUNCH_EACH(free_bodies, n > walls ? n : walls + 1);
        return good && visit_boxes(card, step, given, false);
    case STEP_AUDIT:
        LAUNCH_EACH(audit_bodies, n);
        return good;
    case STEP_MISSED:
        LAUNCH_EACH(audit_candidates, step->list.neighbours.count);
        LAUNCH_EACH(audit_at_walls, walls > 0 ? n : 0);
        return good;
    default:
        return end_phase(card, step, phase, given);
    }
}

/* ---------------------------------------------------------------- what comes back */

static double number_of_rank(uint64_t rank) {
    const uint64_t bits = rank >> 63 != 0 ? rank & ~(UINT64_C(1) << 63) : ~rank;
    double x;
    memcpy(&x, &bits, sizeof x);
    return rank == 0 ? -(double)INFINITY : x;
}

/* The bodies of a box have to have room in shared memory. */
static void measure_boxes(Card *card, const StepThere *step) {
    StepRoom *room = card->steps;
    const ScreeDeviceBox *box = (const ScreeDeviceBox *)card->array[BOX].here;
    room->most_members = room->most_steps = 0;
    for (size_t k = 0; k < step->ordered && !room->too_large; k++) {
        room->most_members = larger_of(room->most_members, box[k].members);
        room->most_steps = larger_of(room->most_steps, box[k].steps);
    }
    room->too_large =
        room->too_large || pass_numbers(room->most_members, room->most_steps) > room->numbers;
}

static void read_left(const Leavings *left, StepPhase phase, StepFound *found) {
    memcpy(found->count, left->count, sizeof found->count);
    if (phase == STEP_COLLECT) {
        memcpy(found->load, left->load, sizeof found->load);
    }
    memset(found->sum, 0, sizeof found->sum);
    for (int k = 0; k < THERE_MOST; k++) {
        found->most[k] = number_of_rank(left->most[k]);
    }
    for (int k = 0; k < sums_of(phase); k++) {
        for (int copy = 0; copy < SUM_COPIES; copy++) {
            for (int word = 0; word < THERE_WORDS; word++) {
                found->sum[k][word] += left->sum[k][copy][word];
            }
        }
    }
}

static bool run_phase(void *context, StepThere *step, StepPhase phase, StepFound *found) {
    Card *card = (Card *)context;
    StepRoom *room = card->steps;
    StepArguments given;
    memset(&given, 0, sizeof given);
    if (!open_steps(card) || !put_step(card, step) || !clear_left(card, phase)) {
        return false;
    }
    given.step = ARRAY_THERE(StepThere, THERE_STEP);
    given.left = ARRAY_THERE(Leavings, THERE_LEFT);
    if (!make_phase(card, step, phase, given) || !get_left(card, phase)) {
        return false;
    }
    read_left(room->left, phase, found);
    if (phase == STEP_ORDER) {
        measure_boxes(card, step);
        found->count[0] += room->too_large;
    }
    return true;
}

/* ---------------------------------------------------------------- the world to the card, and back */

/* Sweeps come first: if there is too little memory for whole steps, there may be enough for them. */
static bool reserve_sweeps(Card *card, const State *s, bool momentum) {
    ScreeDeviceTask task;
    memset(&task, 0, sizeof task);
    task.bodies = s->bodies.count + 1 + s->walls.count;
    task.rows = s->contacts.count;
    task.boxes = task.groups = task.sums = 1;
    task.alone = true;
    return reserve(card, &task) && (!momentum || reserve_momentum(card, &task));
}

static bool load_world(void *context, const State *s, const StepThere *step) {
    Card *card = (Card *)context;
    StepRoom *room = card->steps;
    const Neighbours *nb = &step->list.neighbours;
    const size_t n = s->bodies.count, laws = s->materials.count * s->materials.count;
    bool good = reserve_sweeps(card, s, step->momentum) && open_steps(card);
#define X(type, name)                                                                              \
    good = good && put_array(card, THERE_##name, s->bodies.name, n * sizeof(type));
    BODY_FIELDS(X)
#undef X
    good = good && put_array(card, THERE_RANK, nb->rank, n * sizeof(int32_t)) &&
           put_array(card, THERE_ORDER, nb->order, n * sizeof(int32_t)) &&
           put_array(card, THERE_PAIR, nb->pair, nb->count * sizeof(Pair)) &&
           put_array(card, THERE_WALL_PAIR, step->list.wall_pair,
                     step->list.wall_pairs * sizeof(Pair)) &&
           put_array(card, THERE_LAW, s->materials.law, laws * sizeof(ScreeLaw)) &&
           put_array(card, THERE_OLD, s->contacts.item, s->contacts.count * sizeof(Contact)) &&
           reserve_bodies(card, n, step->state.walls.count, step->candidates) &&
           (step->candidates == 0 || succeed(card, "clearing memory",
                                             card_fill(room->array[THERE_CONTACT_OF].there,
                                                       step->candidates * sizeof(int32_t)))) &&
           put_step(card, step);
    if (good) {
        StepArguments given;
        memset(&given, 0, sizeof given);
        given.step = ARRAY_THERE(StepThere, THERE_STEP);
        LAUNCH_EACH(match_contacts, step->contacts);
    }
    if (!good) {
        free_there(room);
    }
    return good && succeed(card, "writing to the card", card_wait());
}

static void accept_contacts(void *context) {
    StepRoom *room = ((Card *)context)->steps;
    const Array latest = room->array[THERE_CONTACT];
    room->array[THERE_CONTACT] = room->array[THERE_OLD];
    room->array[THERE_OLD] = latest;
}

static bool fetch_world(void *context, State *s, size_t contacts) {
    Card *card = (Card *)context;
    const StepRoom *room = card->steps;
    const size_t n = s->bodies.count;
    const struct {
        ThereArray which;
        void *to;
        size_t bytes;
    } part[] = {{THERE_position, s->bodies.position, n * sizeof(Vec3)},
                {THERE_orientation, s->bodies.orientation, n * sizeof(Quat)},
                {THERE_velocity, s->bodies.velocity, n * sizeof(Vec3)},
                {THERE_spin, s->bodies.spin, n * sizeof(Vec3)},
                {THERE_anchor, s->bodies.anchor, n * sizeof(Vec3)},
                {THERE_OLD, s->contacts.item, contacts * sizeof(Contact)}};
    const char *fault =
        NULL; /* of this alone: whatever has failed before, the world may still be there */
    for (size_t k = 0; k < sizeof part / sizeof part[0] && fault == NULL; k++) {
        if (part[k].bytes > 0) {
            fault = card_get(part[k].to, room->array[part[k].which].there, part[k].bytes);
        }
    }
    fault = fault == NULL ? card_wait() : fault;
    return fault == NULL;
}

static bool claim_room(void *context, const void *owner) {
    StepRoom *room = ((Card *)context)->steps;
    const bool free = room->owner == NULL || room->owner == owner;
    room->owner = free ? owner : room->owner;
    return free;
}

static void release_room(void *context, const void *owner) {
    StepRoom *room = ((Card *)context)->steps;
    room->owner = room->owner == owner ? NULL : room->owner;
}

static const struct ScreeDeviceSteps card_steps = {claim_room, release_room,    load_world,
                                                   run_phase,  accept_contacts, fetch_world};

#endif
