#include "sweep/pack.h"

#include "base/random.h"

#include <string.h>

enum { MOST = 64 }; /* colours at a time: the bits of a word */

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

size_t scr_pack_box(uint64_t *used, PackContact *member, size_t count, size_t base, int32_t *run,
                    int32_t *slot) {
    return pack_contacts(used, member, count, base, run, slot);
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
