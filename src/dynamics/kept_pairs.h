/* What pairs of solids keep as long as the neighbour list stays the same (narrow/solid_kept.h): it
 * makes their contacts cheaper to find, and changes none of them. */
#ifndef SCREE_DYNAMICS_KEPT_PAIRS_H
#define SCREE_DYNAMICS_KEPT_PAIRS_H

#include "dynamics/near_list.h"
#include "narrow/solid_pair.h"

/* Zero-initialise it. */
typedef struct KeptPairs {
    size_t pairs;    /* of the neighbour list; 0: nothing is kept */
    uint64_t list;   /* which list that was: how many had been made */
    int32_t *slot;   /* [pairs] into item; -1: round bodies */
    SolidKept *item; /* one for each pair with a solid */
    Block slot_block, item_block;
} KeptPairs;

/* For the pairs of the list as it is now: what was kept for another list is forgotten. False when out
 * of memory. */
bool scr_match_pairs(const State *state, const NearList *list, KeptPairs *kept);

/* Of pair i of the list, or NULL. */
static inline SolidKept *scr_kept_of(const KeptPairs *kept, size_t i) {
    return i < kept->pairs && kept->slot[i] >= 0 ? &kept->item[kept->slot[i]] : NULL;
}

void scr_kept_pairs_free(KeptPairs *kept);

#endif
