/* The order of the sweep, made on the card: contacts are sorted into boxes and drawn as by the processor
 * (src/sweep/order.c). What follows one after another within a box is the work of one lane; there are thousands of boxes. */
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
            const uint32_t box = arrays->listed[i].box;
            arrays->contact_at[arrays->size[box] + take_next(&arrays->next[box])] = (int32_t)i;
        }
    }
}

/* ---------------------------------------------------------------- a box
 *
 * A team for each, in shared memory: its lanes read the contacts, draw their order, number the bodies, and find the steps of
 * the rows, packet by packet. Only the packets are filled by one lane, one contact after another. */

/* Contacts are drawn into so many parts of all numbers first. */
enum { DRAWS = 128, DRAW_BITS = 7 };

/* What a team has of its box beside its contacts. */
typedef struct BoxState {
    PackFilling filling;
    uint64_t sharing[MOST_PACKETS];
    int32_t first[MOST_PACKETS];   /* of the packets */
    int32_t wall[THERE_WALLS + 1]; /* its number among the members; -1: it is none */
    int32_t draws[DRAWS + 1];      /* contacts in each part, then where they begin */
    int32_t runs, packed;          /* so far, of these contacts */
    int32_t members, steps, places;
    int32_t full; /* steps from the first one on that have no room */
} BoxState;

/* A contact of a box. Of one with a wall both bodies are the one that can move. */
typedef struct BoxContact {
    int32_t a,
        b; /* bodies, then their slots, then their numbers in the box; at last -1 - that of a wall */
    uint32_t
        kind; /* OrderKind, then its place in what is packed at a time, and above it 1 + the wall; at last its step,
                      * and above it its place in the packets of the box */
    int32_t contact;
} BoxContact;

enum { KIND_BITS = 16, KIND_MASK = (1 << KIND_BITS) - 1 };

typedef struct BoxTable {
    BoxState *state;
    uint64_t *word;       /* [room] what contacts draw; then notes of each member */
    uint64_t *drawn;      /* [room] the same, part by part, where runs and rows are later */
    BoxContact *pack;     /* [room] in the order drawn */
    int32_t *run;         /* [room] */
    int32_t *rows;        /* [room] of each step, then where they begin, then where they end */
    uint16_t *of_slot;    /* [room] the contact of a slot */
    int32_t start, count; /* rows */
} BoxTable;

/* Numbers of shared memory for boxes of so many rows and members. */
ON_BOTH int table_numbers(int room) {
    const int each =
        (int)(sizeof(uint64_t) + sizeof(BoxContact) + 2 * sizeof(int32_t) + sizeof(uint16_t));
    const int state = (int)(sizeof(BoxState) / sizeof(double)) + 1;
    return state + room * each / (int)sizeof(double) + 1;
}

ON_DEVICE BoxTable table_of(const StepArguments *given, const Team team) {
    const StepArrays *arrays = arrays_of(given->step);
    const int room = given->room, box = team.index;
    BoxTable t;
    t.state = (BoxState *)team.shared;
    t.word = (uint64_t *)(team.shared + sizeof(BoxState) / sizeof(double) + 1);
    t.pack = (BoxContact *)(t.word + room);
    t.run = (int32_t *)(t.pack + room);
    t.rows = t.run + room;
    t.drawn = (uint64_t *)t.run;
    t.of_slot = (uint16_t *)(t.rows + room);
    t.start = box > 0 ? arrays->row_end[box - 1] : 0;
    t.count = arrays->row_end[box] - t.start;
    return t;
}

ON_DEVICE int part_drawn(uint64_t word) {
    return (int)(word >> (64 - DRAW_BITS));
}

/* Where the parts begin, from how many are in each; they end there when all have come. */
ON_DEVICE void number_draws(const BoxTable *t) {
    int32_t next = 0;
    for (int part = 0; part < DRAWS; part++) {
        const int32_t count = t->state->draws[part];
        t->state->draws[part] = next;
        next += count;
    }
    t->state->draws[DRAWS] = next;
}

/* A contact to its place in the random order of the box. */
ON_DEVICE void draw_contact(const StepThere *k, const BoxTable *t, int i) {
    const StepArrays *arrays = arrays_of(k);
    const int32_t contact = arrays->contact_at[t->start + i];
    const OrderContact *listed = &arrays->listed[contact];
    const bool wall = listed->b >= walls_from(k);
    const uint32_t wall_bits = wall ? (uint32_t)(listed->b - walls_from(k)) + 1 : 0;
    BoxContact own;
    const uint64_t drawn = t->word[i];
    const int part = part_drawn(drawn), first = part > 0 ? t->state->draws[part - 1] : 0;
    int before = first;
    for (int j = first; j < t->state->draws[part]; j++) {
        before += t->drawn[j] < drawn;
    }
    own.a = listed->a;
    own.b = wall ? listed->a : listed->b;
    own.kind = listed->kind | wall_bits << KIND_BITS;
    own.contact = contact;
    t->pack[before] = own;
}

/* The contacts of the box in their random order. */
ON_DEVICE void draw_box(const StepArguments *given, const Team team, const BoxTable *t) {
    const StepThere *k = given->step;
    const StepArrays *arrays = arrays_of(k);
    BoxState *state = t->state;
    EACH_LANE {
        for (int part = lane; part <= DRAWS; part += LANES) {
            state->draws[part] = 0;
        }
        for (int w = lane; w <= THERE_WALLS; w += LANES) {
            state->wall[w] = -1;
        }
        if (lane == 0) {
            state->runs = state->packed = state->members = state->places = state->full = 0;
        }
    }
    BARRIER();
    EACH_LANE {
        const uint64_t key = scr_random_key(k->order_key, arrays->place[team.index], 1);
        for (int i = lane; i < t->count; i += LANES) {
            t->word[i] = scr_mix(arrays->listed[arrays->contact_at[t->start + i]].name + key);
            add_number(&state->draws[part_drawn(t->word[i])], 1);
        }
    }
    BARRIER();
    EACH_LANE {
        if (lane == 0) {
            number_draws(t);
        }
    }
    BARRIER();
    EACH_LANE {
        for (int i = lane; i < t->count; i += LANES) {
            t->drawn[add_and_tell(&state->draws[part_drawn(t->word[i])], 1)] = t->word[i];
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

/* ---------------------------------------------------------------- bodies of a box
 *
 * A body has a slot, which follows from it, or the next one that is free. Slots lie where runs, rows and words are
 * later: twice as many as rows, so that there is one for each. */

ON_DEVICE int32_t *slot_body(const BoxTable *t, int slot) {
    return t->run + slot;
}
ON_DEVICE int32_t *slot_number(const BoxTable *t, int slot) {
    return (int32_t *)t->word + slot;
}

/* The slot of a body, which gets a number if it is new. */
ON_DEVICE int32_t find_slot(const StepThere *k, const BoxTable *t, int slots, int32_t body) {
    int slot =
        (int)((uint64_t)(uint32_t)((uint32_t)body * UINT32_C(2654435769)) * (uint64_t)slots >> 32);
    for (;; slot = slot + 1 < slots ? slot + 1 : 0) {
        const int32_t was = exchange_if(slot_body(t, slot), -1, body);
        if (was == -1) {
            const int32_t number = add_and_tell(&t->state->members, 1);
            arrays_of(k)->member_of[2 * (size_t)t->start + (size_t)number] = body;
            *slot_number(t, slot) = number;
        }
        if (was == -1 || was == body) {
            return slot;
        }
    }
}

/* Bodies become numbers of the box. */
ON_DEVICE void number_bodies(const StepArguments *given, const Team team, const BoxTable *t) {
    const StepThere *k = given->step;
    const int slots = 2 * given->room;
    (void)team;
    EACH_LANE {
        for (int slot = lane; slot < slots; slot += LANES) {
            *slot_body(t, slot) = -1;
        }
    }
    BARRIER();
    EACH_LANE {
        for (int i = lane; i < t->count; i += LANES) {
            t->pack[i].a = find_slot(k, t, slots, t->pack[i].a);
            t->pack[i].b = find_slot(k, t, slots, t->pack[i].b);
        }
    }
    BARRIER();
    EACH_LANE {
        for (int i = lane; i < t->count; i += LANES) {
            t->pack[i].a = *slot_number(t, t->pack[i].a);
            t->pack[i].b = *slot_number(t, t->pack[i].b);
        }
    }
    BARRIER();
}

#endif
