/* The packets of a box, and the steps of its rows, made on the card (src/sweep/pack_box.h, src/sweep/device_plan.h). */
#ifndef SCREE_CUDA_STEP_PACK_H
#define SCREE_CUDA_STEP_PACK_H

#include "box_room.h"
#include "step_order.h"

/* As pack_fill, by one lane, for which every instruction is one to wait for. So the next contact is on its way, bits are not
 * looked for by kind, and which packets are full is found at the end: those that have been begun and are not open. */
ON_DEVICE int fill_packets(PackFilling *filling, BoxContact *rest, int left, uint64_t *used) {
    uint64_t *open = filling->open, *begun = filling->full;
    BoxContact next = rest[0];
    int i = 0, packets = 0;
    for (int kind = 0; kind < ORDER_KINDS; kind++) {
        open[kind] = begun[kind] = 0;
    }
    for (; i < left; i++) {
        const BoxContact c = next;
        const uint32_t kind = c.kind & KIND_MASK;
        const uint64_t of_a = used[c.a], of_b = used[c.b], of_kind = open[kind];
        next = rest[i + 1 < left ? i + 1 : i];
        uint64_t fit = of_kind & ~(of_a | of_b), bit = fit & (0 - fit);
        int p = 0, size = 0;
        if (fit != 0) {
            p = __builtin_ctzll(fit);
            size = filling->size[p];
        } else {
            if (packets == MOST_PACKETS) {
                break;
            }
            p = packets++;
            bit = UINT64_C(1) << p;
            begun[kind] |= bit;
        }
        open[kind] = size + 1 < PACKET_ROWS ? of_kind | bit : of_kind & ~bit;
        used[c.a] = of_a | bit;
        used[c.b] = (c.b == c.a ? of_a : of_b) | bit;
        filling->size[p] = (uint8_t)(size + 1);
        rest[i].kind = (c.kind & ~(uint32_t)KIND_MASK) | (uint32_t)(p * PACKET_ROWS + size);
    }
    for (int kind = 0; kind < ORDER_KINDS; kind++) {
        begun[kind] &= ~open[kind];
    }
    filling->packets = packets;
    return i;
}

/* Where a contact is among those that are packed at a time. */
ON_DEVICE int packed_at(const BoxContact *c) {
    return (int)(c->kind & KIND_MASK);
}

/* As pack_contacts does it, from the contacts that are left on. */
ON_DEVICE void pack_next(const Team team, const BoxTable *t) {
    BoxState *state = t->state;
    BoxContact *rest = t->pack + state->packed;
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
            state->places = fill_packets(&state->filling, rest, left, t->word);
        }
    }
    BARRIER();
    const int now = state->places;
    EACH_LANE {
        for (int i = lane; i < now; i += LANES) {
            set_bits(&state->sharing[packed_at(&rest[i]) / PACKET_ROWS],
                     t->word[rest[i].a] | t->word[rest[i].b]);
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
            t->of_slot[state->first[packed_at(&rest[i]) / PACKET_ROWS] +
                       packed_at(&rest[i]) % PACKET_ROWS] = (uint16_t)(state->packed + i);
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
            const uint32_t wall = t->pack[i].kind >> KIND_BITS;
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
 * may look for theirs at the same time. */
ON_DEVICE void plan_contact(const BoxTable *t, int number, const BoxContact *c, int place) {
    const uint64_t of_a = t->word[c->a], of_b = t->word[c->b];
    const uint32_t wall = c->kind >> KIND_BITS;
    int step = larger_of((int)(of_a > of_b ? of_a : of_b), t->state->full);
    while (add_and_tell(&t->rows[step], 1) >= SCREE_DEVICE_AT_ONCE) {
        add_number(&t->rows[step++], -1);
    }
    t->word[c->a] = t->word[c->b] = (uint64_t)step + 1;
    t->pack[number].kind = (uint32_t)step | (uint32_t)place << KIND_BITS;
    if (wall != 0) {
        t->pack[number].b = -1 - t->state->wall[wall - 1];
    }
}

/* The next packet: where its rows begin and end, and the run that it is in. */
typedef struct PacketAt {
    int first, last, run, run_end;
} PacketAt;

ON_DEVICE PacketAt packet_after(const BoxTable *t, int runs, PacketAt at) {
    at.first = at.last;
    if (at.first == at.run_end && at.run < runs) {
        at.run_end = t->run[at.run++];
    }
    at.last = at.first + PACKET_ROWS < at.run_end ? at.first + PACKET_ROWS : at.run_end;
    return at;
}

ON_DEVICE void plan_packets(const Team team, const BoxTable *t) {
    const int runs = t->state->runs;
    PacketAt at = {0, 0, 0, 0};
    int packets = 0;
    LANE_VALUE(int, number); /* the contact of a lane in the next packet */
    LANE_VALUE(BoxContact, contact);
    (void)team;
    at = packet_after(t, runs, at);
    EACH_LANE {
        OF(number) = lane < at.last - at.first ? t->of_slot[at.first + lane] : -1;
        OF(contact) = t->pack[OF(number) >= 0 ? OF(number) : 0];
    }
    for (; at.first < at.last; packets++) {
        at = packet_after(t, runs, at);
        EACH_LANE {
            const int now = OF(number);
            const BoxContact c = OF(contact);
            OF(number) = lane < at.last - at.first ? t->of_slot[at.first + lane] : -1;
            OF(contact) = t->pack[OF(number) >= 0 ? OF(number) : 0];
            if (now >= 0) {
                plan_contact(t, now, &c, PACKET_ROWS * packets + lane);
            }
        }
        BARRIER();
        EACH_LANE {
            if (lane == LANES - 1 && t->rows[t->state->full] >= SCREE_DEVICE_AT_ONCE) {
                t->state->full++; /* no barrier: it may be seen one packet later */
            }
        }
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
    const BoxContact *c = &t->pack[i];
    const int at = t->start + add_and_tell(&t->rows[c->kind & KIND_MASK], 1);
    const bool wall = c->b < 0;
    const uint64_t whole = (uint64_t)(uint16_t)c->a |
                           (uint64_t)(uint16_t)(wall ? -1 - c->b : c->b) << 16 |
                           (uint64_t)(c->kind >> KIND_BITS) << 32 | (uint64_t)wall << 48;
    arrays->row_at[c->contact] = at;
    arrays->contact_at[at] = c->contact;
    arrays->constant[two_at(at, CONSTANTS / 2 - 1, CONSTANTS) + 1] = number_of(whole);
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

KERNEL(arrange_boxes, StepArguments) {
    TEAM_BEGIN
    const StepThere *k = given.step;
    const BoxTable t = table_of(&given, team);
    draw_box(&given, team, &t);
    number_bodies(&given, team, &t);
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
