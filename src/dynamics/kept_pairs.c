#include "dynamics/kept_pairs.h"

#include "narrow/pair_table.h"

#include <string.h>

void scr_kept_pairs_free(KeptPairs *kept) {
    SCR_FREE_BLOCKS(&kept->slot_block, &kept->item_block);
    *kept = (KeptPairs){0};
}

bool scr_match_pairs(const State *s, const NearList *list, KeptPairs *kept) {
    const Neighbours *nb = &list->neighbours;
    size_t pairs = s->shapes.solids > 0 ? nb->count : 0;
    if (pairs == kept->pairs && (pairs == 0 || nb->counts.updates == kept->list)) {
        return true;
    }
    kept->pairs = 0;
    if (!SCR_RESERVE(kept, slot, pairs)) {
        return false;
    }
    size_t solids = 0;
    for (size_t i = 0; i < pairs; i++) {
        Pair p = scr_bodies_of(s, list, nb->pair[i]);
        kept->slot[i] = scr_is_shaped(s, p.a, p.b) ? (int32_t)solids++ : -1;
    }
    if (!SCR_RESERVE(kept, item, solids)) {
        return false;
    }
    if (solids > 0) {
        memset(kept->item, 0, solids * sizeof *kept->item);
    }
    kept->pairs = pairs;
    kept->list = nb->counts.updates;
    return true;
}
