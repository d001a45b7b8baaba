/* A set of pairs of bodies: an array for visiting them all, and a hash table for finding one. */
#ifndef SCREE_BROAD_PAIR_SET_H
#define SCREE_BROAD_PAIR_SET_H

#include "broad/neighbours.h"

typedef struct PairSet {
    size_t count;
    Pair *pair;
    uint32_t *table; /* from hash to index in the array + 1 */
    size_t mask;
    Block *pair_block, *table_block;
} PairSet;

/* Empties a set that lives in two blocks; false when out of memory. */
bool scr_pair_set_begin(PairSet *set, Block *pair_block, Block *table_block);

/* False when out of memory. `is_new` tells whether the pair was not in the set before. */
bool scr_pair_set_add(PairSet *set, Pair pair, bool *is_new);

/* The last pair of the array moves into the gap. */
void scr_pair_set_remove(PairSet *set, Pair pair);

#endif
