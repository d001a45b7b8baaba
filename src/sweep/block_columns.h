/* General rows in space as columns, just as rows are (packet.h), in their own memory: a column for each
 * double of a GeneralRow. */
#ifndef SCREE_SWEEP_BLOCK_COLUMNS_H
#define SCREE_SWEEP_BLOCK_COLUMNS_H

#include "sweep/packet.h"

#include <string.h>

/* Members of GeneralRow, counted in doubles; the last holds the indices of two tensors. */
enum {
    BLOCK_ARM_A = 0,
    BLOCK_ARM_B = 3,
    BLOCK_T1 = 6,
    BLOCK_T2 = 9,
    BLOCK_W = 12,
    BLOCK_REST = 18,
    BLOCK_TENSORS = 20,
    BLOCK_MEMBERS = 21,
    BLOCK_NUMBERS = PACKET_ROWS * BLOCK_MEMBERS
};
_Static_assert(sizeof(GeneralRow) == BLOCK_MEMBERS * sizeof(double), "made of doubles");
_Static_assert(offsetof(GeneralRow, t1) == BLOCK_T1 * sizeof(double), "arms first");
_Static_assert(offsetof(GeneralRow, block) == BLOCK_W * sizeof(double), "then the frame");
_Static_assert(offsetof(GeneralRow, per_rest) == BLOCK_REST * sizeof(double), "then the block");
_Static_assert(offsetof(GeneralRow, tensor_a) == BLOCK_TENSORS * sizeof(double), "then its rest");

/* The first `count` of WIDE general rows as columns; the others are zero. */
WIDE_INLINE void blocks_to_columns(GeneralRow *row, size_t count, double *g) {
    double none[4] = {0}, *at[WIDE];
    for (int m = 0; m < BLOCK_TENSORS; m += 4) {
        Wide x[4];
        for (size_t k = 0; k < WIDE; k++) {
            at[k] = k < count ? (double *)&row[k] + m : none;
        }
        wide_gather4(at, &x[0], &x[1], &x[2], &x[3]);
        for (int i = 0; i < 4; i++) {
            put_column(g, m + i, x[i]);
        }
    }
    for (size_t k = 0; k < WIDE && k < count; k++) {
        memcpy(g + BLOCK_TENSORS * PACKET_ROWS + k, (double *)&row[k] + BLOCK_TENSORS, sizeof *g);
    }
}

/* WIDE of a packet's columns as records. */
WIDE_INLINE void blocks_to_records(const double *g, GeneralRow *row) {
    double *at[WIDE];
    for (int m = 0; m < BLOCK_TENSORS; m += 4) {
        for (int k = 0; k < WIDE; k++) {
            at[k] = (double *)&row[k] + m;
        }
        wide_scatter4(at, column(g, m), column(g, m + 1), column(g, m + 2), column(g, m + 3));
    }
    for (int k = 0; k < WIDE; k++) {
        memcpy((double *)&row[k] + BLOCK_TENSORS, g + BLOCK_TENSORS * PACKET_ROWS + k, sizeof *g);
    }
}

/* A full packet in its own memory, there and back. */
static inline void turn_blocks(GeneralRow *row, bool back) {
    double copy[BLOCK_NUMBERS];
    if (back) {
        memcpy(copy, row, sizeof copy);
    }
    for (int k = 0; k < PACKET_ROWS; k += WIDE) {
        if (back) {
            blocks_to_records(copy + k, row + k);
        } else {
            blocks_to_columns(row + k, WIDE, copy + k);
        }
    }
    if (!back) {
        memcpy(row, copy, sizeof copy);
    }
}

#endif
