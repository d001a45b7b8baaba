#include "state/bonds.h"

#include <math.h>
#include <stdlib.h>

bool scr_bonds_reserve(Bonds *bonds, size_t count) {
    return SCR_RESERVE_KEEPING(bonds, item, count + 1, bonds->count);
}

void scr_bonds_free(Bonds *bonds) {
    SCR_FREE_BLOCKS(&bonds->item_block, &bonds->first_block);
    *bonds = (Bonds){0};
}

/* Negative, zero or positive: a bond comes before the pair, is its own, or comes after it. */
static int compare(const ScreeBond *bond, int32_t a, int32_t b) {
    return bond->a.index != a ? (bond->a.index > a) - (bond->a.index < a)
                              : (bond->b.code > b) - (bond->b.code < b);
}

static int in_order(const void *one, const void *other) {
    const ScreeBond *b = other;
    return compare(one, b->a.index, b->b.code);
}

void scr_bonds_sort(Bonds *bonds) {
    if (bonds->count > 1) { /* there need be no array */
        qsort(bonds->item, bonds->count, sizeof *bonds->item, in_order);
    }
    bonds->bodies = 0;
}

bool scr_bonds_index(Bonds *bonds, size_t bodies) {
    if (bonds->count == 0 || bonds->bodies == bodies) {
        return true;
    }
    if (!SCR_RESERVE(bonds, first, bodies + 1)) {
        return false;
    }
    size_t k = 0;
    for (size_t i = 0; i <= bodies; i++) {
        for (; k < bonds->count && (size_t)bonds->item[k].a.index < i; k++) {
        }
        bonds->first[i] = (int32_t)k;
    }
    bonds->bodies = bodies;
    return true;
}

ScreeBond *scr_seek_bond(const Bonds *bonds, int32_t a, int32_t b) {
    size_t low = 0, high = bonds->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (compare(&bonds->item[middle], a, b) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < bonds->count && compare(&bonds->item[low], a, b) == 0 ? &bonds->item[low] : NULL;
}

size_t scr_bonds_take_out(Bonds *bonds) {
    size_t kept = 0;
    for (size_t i = 0; i < bonds->count; i++) {
        if (bonds->item[i].load < INFINITY) {
            bonds->item[kept++] = bonds->item[i];
        }
    }
    const size_t out = bonds->count - kept;
    bonds->count = kept;
    bonds->bodies = out > 0 ? 0 : bonds->bodies;
    return out;
}
