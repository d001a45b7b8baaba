#include "linear/order.h"

#include "linear/fronts.h"

#include <string.h>

/* The neighbours of each column, from both sides of every entry below the diagonal. `at` [n] is
 * work space. */
static void list_neighbours(const Sparse *a, int32_t *start, int32_t *neighbour, int32_t *at) {
    memset(at, 0, (size_t)a->columns * sizeof *at);
    start[0] = 0;
    for (int pass = 0; pass < 2; pass++) { /* count, then write */
        for (int32_t j = 0; j < a->columns; j++) {
            for (int32_t k = a->start[j]; k < a->start[j + 1]; k++) {
                int32_t i = a->row[k];
                if (i > j && pass == 1) {
                    neighbour[at[i]] = j;
                    neighbour[at[j]] = i;
                }
                at[i] += i > j;
                at[j] += i > j;
            }
        }
        for (int32_t i = 0; pass == 0 && i < a->columns; i++) {
            start[i + 1] = start[i] + at[i];
            at[i] = start[i];
        }
    }
}

bool scr_minimum_degree(const Sparse *lower, int32_t *order) {
    Fronts fronts = {0};
    Block block = {0};
    size_t n = (size_t)lower->columns, entries = (size_t)lower->start[n];
    bool ok = scr_block_reserve_exact(&block, n + 1 + 2 * entries, sizeof(int32_t), 0);
    if (ok) {
        int32_t *start = block.data, *neighbour = start + n + 1;
        list_neighbours(lower, start, neighbour, order);
        ok = scr_fronts_make(&fronts, lower->columns, start, neighbour);
    }
    if (ok && n > 0) {
        memcpy(order, fronts.pivot, n * sizeof *order);
    }
    scr_fronts_free(&fronts);
    scr_block_free(&block);
    return ok;
}
