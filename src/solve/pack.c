#include "solve/pack.h"

#include <string.h>

enum { MOST = 64 }; /* packets or colours at a time: bits of a word */

/* Walls and split bodies keep no contacts apart. */
static bool counts(const OrderInput *in, int32_t body) {
    return body >= 0 && body < in->walls_from;
}

static uint64_t taken_by(const OrderInput *in, const OrderContact *c, const uint64_t *used) {
    return (counts(in, c->a) ? used[c->a] : 0) | (counts(in, c->b) ? used[c->b] : 0);
}

static void take(const OrderInput *in, const OrderContact *c, uint64_t bit, uint64_t *used) {
    if (counts(in, c->a)) {
        used[c->a] |= bit;
    }
    if (counts(in, c->b)) {
        used[c->b] |= bit;
    }
}

static void forget(const OrderInput *in, const int32_t *member, size_t count, uint64_t *used) {
    for (size_t i = 0; i < count; i++) {
        const OrderContact *c = &in->contact[member[i]];
        if (counts(in, c->a)) {
            used[c->a] = 0;
        }
        if (counts(in, c->b)) {
            used[c->b] = 0;
        }
    }
}

/* Packets that are being filled. */
typedef struct Filling {
    uint64_t open[ORDER_KINDS]; /* that have room, by kind */
    int packets;
    uint8_t size[MOST];
} Filling;

/* Puts as many contacts into at most MOST packets as it can, and returns how many. */
static size_t fill(const OrderInput *in, Filling *f, const int32_t *member, size_t count,
                   uint64_t *used, uint32_t *mark) {
    *f = (Filling){.packets = 0};
    for (size_t i = 0; i < count; i++) {
        const OrderContact *c = &in->contact[member[i]];
        uint64_t *open = &f->open[c->kind], fit = *open & ~taken_by(in, c, used);
        if (fit == 0 && f->packets == MOST) {
            return i;
        }
        int p = fit != 0 ? __builtin_ctzll(fit) : f->packets++;
        uint64_t bit = UINT64_C(1) << p;
        mark[member[i]] = (uint32_t)(p * PACKET_ROWS + f->size[p]);
        f->size[p]++;
        *open = f->size[p] < PACKET_ROWS ? *open | bit : *open & ~bit;
        take(in, c, bit, used);
    }
    return count;
}

/* Full packets first. */
static size_t place(const Filling *f, const int32_t *member, size_t count, size_t base,
                    const uint32_t *mark, int32_t *run, int32_t *slot) {
    size_t first[MOST], next = base, runs = 0;
    for (int p = 0; p < f->packets; p++) {
        if (f->size[p] == PACKET_ROWS) {
            first[p] = next;
            next += PACKET_ROWS;
        }
    }
    if (next > base) {
        run[runs++] = (int32_t)next;
    }
    for (int p = 0; p < f->packets; p++) {
        if (f->size[p] < PACKET_ROWS) {
            first[p] = next;
            next += f->size[p];
            run[runs++] = (int32_t)next;
        }
    }
    for (size_t i = 0; i < count; i++) {
        uint32_t at = mark[member[i]];
        slot[member[i]] = (int32_t)(first[at / PACKET_ROWS] + at % PACKET_ROWS);
    }
    return runs;
}

size_t scr_pack_box(const OrderInput *in, uint64_t *used, const int32_t *member, size_t count,
                    size_t base, uint32_t *mark, int32_t *run, int32_t *slot) {
    size_t runs = 0;
    Filling filling;
    for (size_t done = 0; done < count;) {
        const int32_t *rest = member + done;
        forget(in, rest, count - done, used);
        size_t now = fill(in, &filling, rest, count - done, used, mark);
        runs += place(&filling, rest, now, base + done, mark, run + runs, slot);
        done += now;
    }
    return runs;
}

/* The last colour takes what does not fit elsewhere, so its rows may share bodies: one run each. */
size_t scr_pack_colours(const OrderInput *in, uint64_t *used, uint32_t *mark, int32_t *run,
                        int32_t *slot) {
    uint32_t start[MOST + 1] = {0};
    size_t runs = 0;
    memset(used, 0, in->bodies * sizeof *used);
    for (size_t i = 0; i < in->count; i++) {
        uint64_t taken = taken_by(in, &in->contact[i], used);
        mark[i] = ~taken != 0 ? (uint32_t)__builtin_ctzll(~taken) : MOST - 1;
        take(in, &in->contact[i], UINT64_C(1) << mark[i], used);
        start[mark[i] + 1]++;
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
        slot[i] = (int32_t)start[mark[i]]++;
    }
    return runs;
}
