#include "sweep/pack.h"

#include "base/random.h"

#include <string.h>

enum { MOST = 64 }; /* packets or colours at a time: the bits of a word */

/* The numbers are spread evenly, so as many shelves as contacts, by the leading bits, hold one or two
 * each; what is left to sort is next to each other. */
void scr_pack_shuffle(PackContact *member, size_t count, uint64_t key, PackContact *to,
                      int32_t *start) {
    int bits = 0;
    for (; count >> (bits + 1) != 0; bits++) {
    }
    const int rest = 63 - bits;
    memset(start, 0, (size_t)(UINT64_C(1) << bits) * sizeof *start);
    for (size_t i = 0; i < count; i++) {
        member[i].name = scr_mix(member[i].name + key);
        start[member[i].name >> 1 >> rest]++;
    }
    for (int32_t k = 0, next = 0; k < 1 << bits; k++) {
        int32_t size = start[k];
        start[k] = next;
        next += size;
    }
    for (size_t i = 0; i < count; i++) {
        to[start[member[i].name >> 1 >> rest]++] = member[i];
    }
    for (size_t i = 1; i < count; i++) {
        const PackContact c = to[i];
        size_t at = i;
        for (; at > 0 && to[at - 1].name > c.name; at--) {
            to[at] = to[at - 1];
        }
        to[at] = c;
    }
}

/* Packets that are being filled. */
typedef struct Filling {
    uint64_t open[ORDER_KINDS]; /* those that have room, by kind */
    uint64_t full[ORDER_KINDS];
    int packets;
    uint8_t size[MOST];
} Filling;

/* Puts as many contacts as it can into at most MOST packets, and returns how many. */
static size_t fill(Filling *f, PackContact *member, size_t count, uint64_t *used) {
    *f = (Filling){.packets = 0};
    for (size_t i = 0; i < count; i++) {
        PackContact *c = &member[i];
        uint64_t taken = c->a >= 0 ? used[c->a] | used[c->b] : 0;
        const uint32_t kind = c->kind;
        uint64_t *open = &f->open[kind], fit = *open & ~taken;
        if (fit == 0 && f->packets == MOST) {
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

/* For each packet, finds those that share a body with it, as bits. */
static void find_sharing(const Filling *f, const PackContact *member, size_t count,
                         const uint64_t *used, uint64_t *sharing) {
    memset(sharing, 0, (size_t)f->packets * sizeof *sharing);
    for (size_t i = 0; i < count; i++) {
        const PackContact *c = &member[i];
        sharing[c->kind / PACKET_ROWS] |= c->a >= 0 ? used[c->a] | used[c->b] : 0;
    }
}

/* Makes one packet out of the first of the partly filled ones in `left` and of others that share no
 * body with it and still fit. Returns how many rows it has. */
static size_t join(const Filling *f, const uint64_t *sharing, uint64_t *left, size_t start,
                   size_t *first) {
    uint64_t apart = 0;
    size_t size = 0;
    for (uint64_t rest = *left; rest != 0; rest &= rest - 1) {
        int p = __builtin_ctzll(rest);
        uint64_t bit = UINT64_C(1) << p;
        if ((apart & bit) == 0 && size + f->size[p] <= PACKET_ROWS) {
            first[p] = start + size;
            size += f->size[p];
            apart |= sharing[p];
            *left &= ~bit;
        }
    }
    return size;
}

/* Gives every contact its slot: full packets first, kind by kind, so that branches are predictable.
 * Partly filled packets are joined if their rows are computed in the same way. */
static size_t assign_slots(const Filling *f, const PackContact *member, size_t count, size_t base,
                           const uint64_t *sharing, int32_t *run, int32_t *slot) {
    size_t first[MOST], next = base, runs = 0;
    for (int kind = 0; kind < ORDER_KINDS; kind++) {
        for (uint64_t full = f->full[kind]; full != 0; full &= full - 1) {
            first[__builtin_ctzll(full)] = next;
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
            next += join(f, sharing, &rest[k], next, first);
            run[runs++] = (int32_t)next;
        }
    }
    for (size_t i = 0; i < count; i++) {
        uint32_t at = member[i].kind;
        slot[member[i].contact] = (int32_t)(first[at / PACKET_ROWS] + at % PACKET_ROWS);
    }
    return runs;
}

size_t scr_pack_box(uint64_t *used, PackContact *member, size_t count, size_t base, int32_t *run,
                    int32_t *slot) {
    size_t runs = 0;
    Filling filling;
    uint64_t sharing[MOST];
    for (size_t done = 0; done < count;) {
        PackContact *rest = member + done;
        for (size_t i = 0; i < count - done; i++) { /* nothing has been taken yet */
            if (rest[i].a >= 0) {
                used[rest[i].a] = used[rest[i].b] = 0;
            }
        }
        size_t now = fill(&filling, rest, count - done, used);
        find_sharing(&filling, rest, now, used, sharing);
        runs += assign_slots(&filling, rest, now, base + done, sharing, run + runs, slot);
        done += now;
    }
    return runs;
}

/* The last colour takes whatever fits nowhere else, so its rows may share bodies: each is a run by
 * itself. */
size_t scr_pack_colours(const OrderInput *in, uint64_t *used, PackContact *member, int32_t *run,
                        int32_t *slot) {
    uint32_t start[MOST + 1] = {0};
    size_t runs = 0;
    memset(used, 0, in->bodies * sizeof *used);
    for (size_t i = 0; i < in->count; i++) {
        PackContact c = scr_pack_contact(in, i);
        uint64_t taken = c.a >= 0 ? used[c.a] | used[c.b] : 0;
        uint32_t colour = ~taken != 0 ? (uint32_t)__builtin_ctzll(~taken) : MOST - 1;
        if (c.a >= 0) {
            used[c.a] |= UINT64_C(1) << colour;
            used[c.b] |= UINT64_C(1) << colour;
        }
        member[i].kind = colour;
        start[colour + 1]++;
    }
    for (int c = 0; c < MOST; c++) {
        start[c + 1] += start[c];
    }
    for (int c = 0; c < MOST - 1; c++) {
        if (start[c + 1] > start[c]) {
            run[runs++] = (int32_t)start[c + 1];
        }
    }
    for (uint32_t i = start[MOST - 1]; i < start[MOST]; i++) {
        run[runs++] = (int32_t)i + 1;
    }
    for (size_t i = 0; i < in->count; i++) {
        slot[i] = (int32_t)start[member[i].kind]++;
    }
    return runs;
}
