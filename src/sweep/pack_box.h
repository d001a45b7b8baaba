/* The packets of one box, for the processor and for a device that orders its rows itself: see sweep/pack.h. */
#ifndef SCREE_SWEEP_PACK_BOX_H
#define SCREE_SWEEP_PACK_BOX_H

#include "sweep/order_input.h"

#include <string.h>

/* A contact while it is being packed. */
typedef struct PackContact {
    /* Its bodies, which no other contact of the packet may have. Walls and split bodies do not
     * count: if one body is left, both are that one; if none is, both are -1. */
    int32_t a, b;
    uint32_t kind; /* after packing, its slot within the packets */
    int32_t contact;
    uint64_t name; /* after shuffling, its place in the random order */
} PackContact;

static inline PackContact scr_pack_contact(const OrderInput *in, size_t i) {
    const OrderContact *c = &in->contact[i];
    bool a = c->a >= 0 && c->a < in->walls_from, b = c->b >= 0 && c->b < in->walls_from;
    int32_t other = b ? c->b : -1;
    return (PackContact){a ? c->a : other, b ? c->b : a ? c->a : -1, c->kind, (int32_t)i, c->name};
}

enum { MOST_PACKETS = 64 }; /* at a time: the bits of a word */

/* Packets that are being filled. */
typedef struct PackFilling {
    uint64_t open[ORDER_KINDS]; /* those that have room, by kind */
    uint64_t full[ORDER_KINDS];
    int packets;
    uint8_t size[MOST_PACKETS];
} PackFilling;

/* Puts as many contacts as it can into at most MOST_PACKETS packets, and returns how many. */
static inline size_t pack_fill(PackFilling *f, PackContact *member, size_t count, uint64_t *used) {
    *f = (PackFilling){.packets = 0};
    for (size_t i = 0; i < count; i++) {
        PackContact *c = &member[i];
        uint64_t taken = c->a >= 0 ? used[c->a] | used[c->b] : 0;
        const uint32_t kind = c->kind;
        uint64_t *open = &f->open[kind], fit = *open & ~taken;
        if (fit == 0 && f->packets == MOST_PACKETS) {
            return i;
        }
        int p = fit != 0 ? __builtin_ctzll(fit) : f->packets++;
        uint64_t bit = UINT64_C(1) << p;
        c->kind = (uint32_t)(p * PACKET_ROWS + f->size[p]);
        f->size[p]++;
        *open |= bit;
        if (f->size[p] == PACKET_ROWS) {
            *open &= ~bit;
            f->full[kind] |= bit;
        }
        if (c->a >= 0) {
            used[c->a] |= bit;
            used[c->b] |= bit;
        }
    }
    return count;
}

/* The packets that have a body of this contact, as bits: they share it with the contact's own. */
static inline uint64_t pack_shared(const PackContact *c, const uint64_t *used) {
    return c->a >= 0 ? used[c->a] | used[c->b] : 0;
}

/* Makes one packet out of the first of the partly filled ones in `left` and of others that share no
 * body with it and still fit. Returns how many rows it has. */
static inline size_t pack_join(const PackFilling *f, const uint64_t *sharing, uint64_t *left,
                               size_t start, int32_t *first) {
    uint64_t apart = 0;
    size_t size = 0;
    for (uint64_t rest = *left; rest != 0; rest &= rest - 1) {
        int p = __builtin_ctzll(rest);
        uint64_t bit = UINT64_C(1) << p;
        if ((apart & bit) == 0 && size + f->size[p] <= PACKET_ROWS) {
            first[p] = (int32_t)(start + size);
            size += f->size[p];
            apart |= sharing[p];
            *left &= ~bit;
        }
    }
    return size;
}

/* Where each packet begins: full ones first, kind by kind, so that branches are predictable. Partly
 * filled packets are joined if their rows are computed in the same way. Returns how many runs there are. */
static inline size_t pack_place_packets(const PackFilling *f, size_t base, const uint64_t *sharing,
                                        int32_t *run, int32_t *first) {
    size_t next = base, runs = 0;
    for (int kind = 0; kind < ORDER_KINDS; kind++) {
        for (uint64_t full = f->full[kind]; full != 0; full &= full - 1) {
            first[__builtin_ctzll(full)] = (int32_t)next;
            next += PACKET_ROWS;
        }
    }
    if (next > base) {
        run[runs++] = (int32_t)next;
    }
    uint64_t rest[] = {f->open[ORDER_HOLDS] | f->open[ORDER_SLIDES] | f->open[ORDER_OPEN],
                       f->open[ORDER_LAW] | f->open[ORDER_LAW_ROLLS] | f->open[ORDER_LAW_SLIDES] |
                           f->open[ORDER_LAW_OPEN],
                       f->open[ORDER_SHAPE] | f->open[ORDER_SHAPE_SLIDES] |
                           f->open[ORDER_SHAPE_OPEN]};
    for (int k = 0; k < 3; k++) {
        while (rest[k] != 0) {
            next += pack_join(f, sharing, &rest[k], next, first);
            run[runs++] = (int32_t)next;
        }
    }
    return runs;
}

static inline int32_t pack_slot(const PackContact *c, const int32_t *first) {
    return first[c->kind / PACKET_ROWS] + (int32_t)(c->kind % PACKET_ROWS);
}

/* Packs contacts in the order in which they come: see scr_pack_box. */
static inline size_t pack_contacts(uint64_t *used, PackContact *member, size_t count, size_t base,
                                   int32_t *run, int32_t *slot) {
    size_t runs = 0;
    PackFilling filling;
    uint64_t sharing[MOST_PACKETS];
    int32_t first[MOST_PACKETS];
    for (size_t done = 0; done < count;) {
        PackContact *rest = member + done;
        for (size_t i = 0; i < count - done; i++) { /* nothing has been taken yet */
            if (rest[i].a >= 0) {
                used[rest[i].a] = used[rest[i].b] = 0;
            }
        }
        const size_t now = pack_fill(&filling, rest, count - done, used);
        memset(sharing, 0, sizeof sharing);
        for (size_t i = 0; i < now; i++) {
            sharing[rest[i].kind / PACKET_ROWS] |= pack_shared(&rest[i], used);
        }
        runs += pack_place_packets(&filling, base + done, sharing, run + runs, first);
        for (size_t i = 0; i < now; i++) {
            slot[rest[i].contact] = pack_slot(&rest[i], first);
        }
        done += now;
    }
    return runs;
}

#endif
