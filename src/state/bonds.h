/* The bonds of a world: which pairs of bodies, or of a body and a wall, are glued. */
#ifndef SCREE_STATE_BONDS_H
#define SCREE_STATE_BONDS_H

#include "base/memory.h"
#include "math/vec.h"

#include <scree/scree.h>

/* Zero-initialise it. */
typedef struct Bonds {
    size_t count;
    ScreeBond *item; /* by a, then by b */
    int64_t made, broken;
    int32_t *first; /* [bodies + 1] of each body the first bond of which it is a; or beyond */
    size_t bodies;  /* for which `first` was made; 0: it must be made anew */
    double reach;   /* [length] a bonded pair is looked for up to this gap */
    Block item_block, first_block;
} Bonds;

/* Room for `count` in all, and those that there are; false when out of memory. */
bool scr_bonds_reserve(Bonds *bonds, size_t count);
void scr_bonds_free(Bonds *bonds);

/* To be called after bonds were appended: puts them in order. */
void scr_bonds_sort(Bonds *bonds);

/* Makes `first` if need be; false when out of memory. */
bool scr_bonds_index(Bonds *bonds, size_t bodies);

/* The bond of two bodies, a < b, or of a body and the code of a wall; or NULL. The bonds must have their index. */
static inline ScreeBond *scr_find_bond(const Bonds *bonds, int32_t a, int32_t b) {
    if (bonds->count == 0) {
        return NULL;
    }
    for (int32_t k = bonds->first[a]; k < bonds->first[a + 1]; k++) {
        if (bonds->item[k].b.code == b) {
            return &bonds->item[k];
        }
    }
    return NULL;
}

/* The same without an index. */
ScreeBond *scr_seek_bond(const Bonds *bonds, int32_t a, int32_t b);

/* Takes out those that are marked by a load of +infinity, in their order; returns how many. */
size_t scr_bonds_take_out(Bonds *bonds);

#endif
