#include "broad/pair_pieces.h"

#include <string.h>

typedef struct Appending {
    const PairPiece *piece;
    Pair *to;
    size_t begin[PAIR_PIECES];
} Appending;

static void append_piece(void *context, size_t k) {
    const Appending *a = context;
    if (a->piece[k].count > 0) {
        memcpy(a->to + a->begin[k], a->piece[k].pair, a->piece[k].count * sizeof(Pair));
    }
}

bool scr_append_pieces(PairList *list, const PairPiece *piece, size_t pieces, double ahead,
                       Threads *threads) {
    Appending a = {.piece = piece};
    size_t end = list->count;
    for (size_t k = 0; k < pieces; k++) {
        a.begin[k] = end;
        end += piece[k].count;
    }
    if (end * sizeof(Pair) > list->block->bytes) {
        const double wanted = (double)end * (ahead > 1 ? ahead : 1);
        if (!scr_block_reserve(list->block, (size_t)wanted + 1, sizeof(Pair),
                               list->count * sizeof(Pair))) {
            return false;
        }
    }
    a.to = list->pair = list->block->data;
    scr_threads_loop(threads, pieces, append_piece, &a);
    list->count = end;
    return true;
}
