/* The order of the sweep, made on the card: contacts are sorted into boxes, drawn and packed as by the processor
 * (src/sweep/order.c, src/sweep/pack_box.h), and the rows of a box get their steps (src/sweep/device_plan.h). What follows
 * one after another within a box is the work of one lane; there are thousands of boxes. */
#ifndef SCREE_CUDA_STEP_ORDER_H
#define SCREE_CUDA_STEP_ORDER_H

#include "step_contacts.h"

ON_DEVICE uint32_t kind_of(int32_t state) {
    return state == SCREE_CONTACT_SLIP   ? ORDER_SLIDES
           : state == SCREE_CONTACT_OPEN ? ORDER_OPEN
                                         : ORDER_HOLDS;
}

ON_DEVICE int32_t partner_of(const StepThere *k, const Contact *c) {
    return c->b >= 0 ? k->list.neighbours.rank[c->b] : scr_wall_index(&k->state, scr_wall_of(c->b));
}

KERNEL(list_contacts, StepArguments) {
    TEAM_BEGIN
    const StepThere *k = given.step;
    const StepArrays *arrays = arrays_of(k);
    EACH_LANE {
        const size_t i = ITEM;
        if (i < k->contacts) {
            const Contact *c = &arrays->contact[i];
            const int32_t rank = k->list.neighbours.rank[c->a];
            const Spot *a = &k->list.neighbours.spot[rank];
            OrderContact listed;
            listed.a = rank;
            listed.b = partner_of(k, c);
            listed.kind = kind_of(c->state);
            listed.box = scr_box_of(&k->boxes, add_scaled(a->x, a->reach, c->normal));
            listed.name = scr_pair_name(&k->state, c->a, c->b);
            arrays->listed[i] = listed;
            (void)take_next(&arrays->size[listed.box]);
        }
    }
}

ON_DEVICE int32_t walls_from(const StepThere *k) {
    return (int32_t)k->state.bodies.count;
}

/* Now `size` has where each box begins, by its place. In which order the contacts of a box come does not matter. */
KERNEL(sort_contacts, StepArguments) {
    TEAM_BEGIN
    const StepThere *k = given.step;
    const StepArrays *arrays = arrays_of(k);
    EACH_LANE {
        const size_t i = ITEM;
        if (i < k->contacts) {
            OrderInput in = {0};
            in.contact = arrays->listed;
            in.walls_from = walls_from(k);
            const uint32_t box = arrays->listed[i].box;
            const uint32_t to = arrays->size[box] + take_next(&arrays->next[box]);
            arrays->member[to] = scr_pack_contact(&in, i);
        }
    }
}

/* ---------------------------------------------------------------- a box
 *
 * A team for each, in shared memory: its lanes read the contacts, draw their order, number the bodies, and find the steps of
 * the rows, packet by packet. Only the packets are filled by one lane, one contact after another. */

/* What a team has of its box beside its contacts. */
typedef struct BoxState {
    PackFilling filling;
    uint64_t sharing[MOST_PACKETS];
    int32_t first[MOST_PACKETS];   /* of the packets */
    int32_t wall[THERE_WALLS + 1]; /* its number among the members; -1: it is none */
    int32_t runs, packed;          /* so far, of these contacts */
    int32_t members, steps, places;
} BoxState;

typedef struct BoxTable {
    BoxState *state;
    uint64_t *word; /* [room] what contacts draw; then notes of each member */
    PackContact
        *pack;     /* [room] in the order drawn; `name` is the contact, and above it 1 + the wall */
    int32_t *run;  /* [room] */
    int32_t *rows; /* [room] of each step, then where they begin, then where they end */
    uint16_t *of_slot;    /* [room] the contact of a slot */
    int32_t start, count; /* rows */
} BoxTable;

/* Numbers of shared memory for boxes of so many rows and members. */
ON_BOTH int table_numbers(int room) {
    const int each =
        (int)(sizeof(uint64_t) + sizeof(PackContact) + 2 * sizeof(int32_t) + sizeof(uint16_t));
    const int state = (int)(sizeof(BoxState) / sizeof(double)) + 1;
    return state + room * each / (int)sizeof(double) + 1;
}

ON_DEVICE BoxTable table_of(const StepArguments *given, const Team team) {
    const StepArrays *arrays = arrays_of(given->step);
    const int room = given->room, box = team.index;
    BoxTable t;
    t.state = (BoxState *)team.shared;
    t.word = (uint64_t *)(team.shared + sizeof(BoxState) / sizeof(double) + 1);
    t.pack = (PackContact *)(t.word + room);
    t.run = (int32_t *)(t.pack + room);
    t.rows = t.run + room;
    t.of_slot = (uint16_t *)(t.rows + room);
    t.start = box > 0 ? arrays->row_end[box - 1] : 0;
    t.count = arrays->row_end[box] - t.start;
    return t;
}

/* A contact to its place in the random order of the box. */
ON_DEVICE void draw_contact(const StepThere *k, const BoxTable *t, int i) {
    const StepArrays *arrays = arrays_of(k);
    PackContact own = arrays->member[t->start + i];
    const int32_t b = arrays->listed[own.contact].b;
    const uint64_t wall = b >= walls_from(k) ? (uint64_t)(b - walls_from(k)) + 1 : 0;
    const uint64_t drawn = t->word[i];
    int before = 0;
    for (int j = 0; j < t->count; j++) {
        before += t->word[j] < drawn;
    }
    own.name = (uint64_t)(uint32_t)own.contact | wall << 32;
    own.contact = before;
    t->pack[before] = own;
}

/* What the boxes of a group, which share no body, note of one: 0 at first; then which contact has been the first to claim
 * it; then its number in the box. */
ON_DEVICE int32_t *note_of(const StepThere *k, int box, int32_t body) {
    size_t group = 0;
    while (box >= k->group_end[group]) {
        group++;
    }
    return arrays_of(k)->noted + group * k->state.bodies.count + (size_t)body;
}

ON_DEVICE void claim_body(const StepThere *k, int box, int32_t body, int32_t claim) {
    (void)exchange_if(note_of(k, box, body), 0, claim);
}

ON_DEVICE void number_body(const StepThere *k, const BoxTable *t, int box, int32_t body,
                           int32_t claim) {
    int32_t *note = note_of(k, box, body);
    if (read_now(note) == claim) {
        const int32_t number = add_and_tell(&t->state->members, 1);
        arrays_of(k)->member_of[2 * (size_t)t->start + (size_t)number] = body;
        *note = -1 - number;
    }
}

/* ---------------------------------------------------------------- packets and steps of a box */

/* As pack_contacts does it, from the contacts that are left on. */
ON_DEVICE void pack_next(const Team team, const BoxTable *t) {
    BoxState *state = t->state;
    PackContact *rest = t->pack + state->packed;
    const int left = t->count - state->packed;
    (void)team;
    EACH_LANE {
        for (int i = lane; i < left; i += LANES) {
            t->word[rest[i].a] = t->word[rest[i].b] = 0;
        }
        for (int i = lane; i < MOST_PACKETS; i += LANES) {
            state->sharing[i] = 0;
        }
    }
    BARRIER();
    EACH_LANE {
        if (lane == 0) {
            state->places = (int32_t)pack_fill(&state->filling, rest, (size_t)left, t->word);
        }
    }
    BARRIER();
    const int now = state->places;
    EACH_LANE {
        for (int i = lane; i < now; i += LANES) {
            set_bits(&state->sharing[rest[i].kind / PACKET_ROWS], pack_shared(&rest[i], t->word));
        }
    }
    BARRIER();
    EACH_LANE {
        if (lane == 0) {
            state->runs +=
                (int32_t)pack_place_packets(&state->filling, (size_t)state->packed, state->sharing,
                                            t->run + state->runs, state->first);
        }
    }
    BARRIER();
    EACH_LANE {
        for (int i = lane; i < now; i += LANES) {
            t->of_slot[pack_slot(&rest[i], state->first)] = (uint16_t)(state->packed + i);
        }
    }
    BARRIER();
    EACH_LANE {
        if (lane == 0) {
            state->packed += now;
        }
    }
    BARRIER();
}

/* Walls are members, too, behind the bodies. */
ON_DEVICE void number_walls(const StepThere *k, const Team team, const BoxTable *t) {
    BoxState *state = t->state;
    (void)team;
    EACH_LANE {
        for (int i = lane; i < t->count; i += LANES) {
            const uint64_t wall = t->pack[i].name >> 32;
            t->rows[i] = 0;
            if (wall != 0) {
                state->wall[wall - 1] = 0;
            }
        }
        for (int i = lane; i < state->members; i += LANES) {
            t->word[i] = 0;
        }
    }
    BARRIER();
    EACH_LANE {
        for (int w = 0; lane == 0 && w <= THERE_WALLS; w++) {
            if (state->wall[w] == 0) {
                state->wall[w] = state->members;
                arrays_of(k)->member_of[2 * (size_t)t->start + (size_t)state->members++] =
                    -1 - (walls_from(k) + w);
            }
        }
    }
    BARRIER();
}

/* The step of a row: the first one after those of its bodies that has room. Rows of a packet share no body, so all of them
 * may look for theirs at the same time. From now on `kind` of a contact is its step, and `contact` its place in the packets. */
ON_DEVICE void plan_contact(const BoxTable *t, PackContact *c, int place) {
    const uint64_t wall = c->name >> 32;
    uint64_t *a = &t->word[c->a], *b = &t->word[c->b];
    int step = (int)(*a > *b ? *a : *b);
    while (add_and_tell(&t->rows[step], 1) >= SCREE_DEVICE_AT_ONCE) {
        add_number(&t->rows[step++], -1);
    }
    *a = *b = (uint64_t)step + 1;
    c->kind = (uint32_t)step;
    c->contact = place;
    c->b = wall != 0 ? t->state->wall[wall - 1] : c->b;
}

ON_DEVICE void plan_packets(const Team team, const BoxTable *t) {
    int row = 0, packets = 0;
    (void)team;
    for (int run = 0; run < t->state->runs; run++) {
        const int end = t->run[run];
        for (; row < end; row += PACKET_ROWS, packets++) {
            EACH_LANE {
                if (lane < PACKET_ROWS && row + lane < end) {
                    plan_contact(t, &t->pack[t->of_slot[row + lane]], PACKET_ROWS * packets + lane);
                }
            }
            BARRIER();
        }
        row = end;
    }
    EACH_LANE {
        if (lane == 0) {
            int next = 0, step = 0;
            for (; step < t->count && t->rows[step] > 0; step++) {
                const int count = t->rows[step];
                t->rows[step] = next;
                next += count;
            }
            t->state->steps = step;
            t->state->places = PACKET_ROWS * packets;
        }
    }
    BARRIER();
}

/* Rows of a step may lie in any order. */
ON_DEVICE void leave_contact(const StepThere *k, const BoxTable *t, int i) {
    const StepArrays *arrays = arrays_of(k);
    const PackContact *c = &t->pack[i];
    const uint32_t contact = (uint32_t)c->name;
    arrays->row_at[contact] = t->start + add_and_tell(&t->rows[c->kind], 1);
    arrays->whole[contact] = (uint64_t)(uint16_t)c->a | (uint64_t)(uint16_t)c->b << 16 |
                             (uint64_t)(uint16_t)c->contact << 32 |
                             (uint64_t)(c->name >> 32 != 0) << 48;
}

ON_DEVICE void leave_box(const StepThere *k, const Team team, const BoxTable *t) {
    EACH_LANE {
        for (int i = lane; i < t->count; i += LANES) {
            leave_contact(k, t, i);
        }
    }
    BARRIER();
    EACH_LANE {
        for (int s = lane; s < t->state->steps; s += LANES) {
            arrays_of(k)->step_end[t->start + s] = t->rows[s];
        }
        if (lane == 0) {
            ScreeDeviceBox *made = &arrays_of(k)->box[team.index];
            made->row = t->start;
            made->steps = t->state->steps;
            made->members = t->state->members;
            made->places = t->state->places;
        }
    }
}

/* The contacts of the box in their random order. */
ON_DEVICE void draw_box(const StepArguments *given, const Team team, const BoxTable *t) {
    const StepThere *k = given->step;
    const StepArrays *arrays = arrays_of(k);
    EACH_LANE {
        const uint64_t key = scr_random_key(k->order_key, arrays->place[team.index], 1);
        for (int i = lane; i < t->count; i += LANES) {
            t->word[i] = scr_mix(arrays->member[t->start + i].name + key);
        }
        for (int w = lane; w <= THERE_WALLS; w += LANES) {
            t->state->wall[w] = -1;
        }
        if (lane == 0) {
            t->state->runs = t->state->packed = t->state->members = t->state->places = 0;
        }
    }
    BARRIER();
    EACH_LANE {
        for (int i = lane; i < t->count; i += LANES) {
            draw_contact(k, t, i);
        }
    }
    BARRIER();
}

/* Bodies become numbers of the box. */
ON_DEVICE void number_bodies(const StepThere *k, const Team team, const BoxTable *t) {
    const int box = team.index;
    EACH_LANE {
        for (int i = lane; i < t->count; i += LANES) {
            claim_body(k, box, t->pack[i].a, 2 * i + 1);
            claim_body(k, box, t->pack[i].b, 2 * i + 2);
        }
    }
    BARRIER();
    EACH_LANE {
        for (int i = lane; i < t->count; i += LANES) {
            number_body(k, t, box, t->pack[i].a, 2 * i + 1);
            number_body(k, t, box, t->pack[i].b, 2 * i + 2);
        }
    }
    BARRIER();
    EACH_LANE {
        for (int i = lane; i < t->count; i += LANES) {
            t->pack[i].a = -1 - read_now(note_of(k, box, t->pack[i].a));
            t->pack[i].b = -1 - read_now(note_of(k, box, t->pack[i].b));
        }
    }
    BARRIER();
}

KERNEL(arrange_boxes, StepArguments) {
    TEAM_BEGIN
    const StepThere *k = given.step;
    const BoxTable t = table_of(&given, team);
    draw_box(&given, team, &t);
    number_bodies(k, team, &t);
    const bool fits = t.state->members <= given.room;
    if (fits) {
        while (t.state->packed < t.count) {
            pack_next(team, &t);
        }
        number_walls(k, team, &t);
        plan_packets(team, &t);
        leave_box(k, team, &t);
    }
    EACH_LANE {
        if (lane == 0 && (!fits || t.state->places > UINT16_MAX)) {
            add_whole(&given.left->count[0], 1);
        }
    }
}

#endif
