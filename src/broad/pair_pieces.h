/* Pairs found in pieces, by several threads, and put one piece after another: so their order is that of
 * one thread. */
#ifndef SCREE_BROAD_PAIR_PIECES_H
#define SCREE_BROAD_PAIR_PIECES_H

#include "base/threads.h"
#include "broad/neighbours.h"

/* Makes room for `more` pairs in a piece; false when out of memory. */
static inline bool scr_piece_reserve(PairPiece *piece, size_t more) {
    return (piece->count + more) * sizeof(Pair) <= piece->pair_block.bytes ||
           SCR_RESERVE_KEEPING(piece, pair, piece->count + more, piece->count);
}

/* A growing list of pairs. */
typedef struct PairList {
    Pair *pair;
    size_t count;
    Block *block;
} PairList;

/* Appends the first pieces to a list. `ahead` [1]: how much longer, as one may estimate, the list gets
 * in the end; room is made for that at once. False when out of memory. */
bool scr_append_pieces(PairList *list, const PairPiece *piece, size_t pieces, double ahead,
                       Threads *threads);

#endif
