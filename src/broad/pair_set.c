#include "broad/pair_set.h"

#include "base/random.h"

#include <string.h>

static size_t home_of(const PairSet *s, Pair p) {
    return scr_mix((uint64_t)(uint32_t)p.a << 32 | (uint32_t)p.b) & s->mask;
}

/* The slot of a pair, or the free slot where it would go. */
static size_t find_slot(const PairSet *s, Pair p) {
    size_t slot = home_of(s, p);
    while (s->table[slot] != 0) {
        Pair q = s->pair[s->table[slot] - 1];
        if (q.a == p.a && q.b == p.b) {
            break;
        }
        slot = (slot + 1) & s->mask;
    }
    return slot;
}

static bool make_table(PairSet *s, size_t slots) {
    if (!scr_block_reserve_exact(s->table_block, slots, sizeof *s->table, 0)) {
        return false;
    }
    s->table = s->table_block->data;
    s->mask = slots - 1;
    memset(s->table, 0, slots * sizeof *s->table);
    for (size_t i = 0; i < s->count; i++) {
        s->table[find_slot(s, s->pair[i])] = (uint32_t)i + 1;
    }
    return true;
}

bool scr_pair_set_begin(PairSet *s, Block *pair_block, Block *table_block) {
    size_t slots = 64;
    *s = (PairSet){.pair_block = pair_block, .table_block = table_block};
    s->pair = pair_block->data;
    while (2 * slots * sizeof *s->table <= table_block->bytes) {
        slots *= 2; /* restore the size it has now */
    }
    return make_table(s, slots);
}

bool scr_pair_set_add(PairSet *s, Pair p, bool *is_new) {
    size_t slot = find_slot(s, p);
    *is_new = s->table[slot] == 0;
    if (!*is_new) {
        return true;
    }
    if (!scr_block_reserve(s->pair_block, s->count + 1, sizeof p, s->count * sizeof p)) {
        return false;
    }
    s->pair = s->pair_block->data;
    if (2 * (s->count + 1) > s->mask + 1) {
        if (!make_table(s, 2 * (s->mask + 1))) {
            return false;
        }
        slot = find_slot(s, p);
    }
    s->pair[s->count++] = p;
    s->table[slot] = (uint32_t)s->count;
    return true;
}

/* Frees a slot. Entries displaced past it move up, so that no search ends too early. */
static void free_slot(PairSet *s, size_t hole) {
    s->table[hole] = 0;
    for (size_t slot = (hole + 1) & s->mask; s->table[slot] != 0; slot = (slot + 1) & s->mask) {
        size_t home = home_of(s, s->pair[s->table[slot] - 1]);
        if (((slot - home) & s->mask) >= ((slot - hole) & s->mask)) {
            s->table[hole] = s->table[slot];
            s->table[slot] = 0;
            hole = slot;
        }
    }
}

void scr_pair_set_remove(PairSet *s, Pair p) {
    size_t slot = find_slot(s, p);
    if (s->table[slot] == 0) {
        return;
    }
    uint32_t index = s->table[slot] - 1;
    free_slot(s, slot);
    Pair last = s->pair[s->count - 1];
    if (index + 1 < s->count) {
        s->table[find_slot(s, last)] = index + 1;
        s->pair[index] = last;
    }
    s->count--;
}
