/* A sparse matrix as rows of small dense blocks: what a sweep over contacts reads. */
#ifndef SCREE_LINEAR_BLOCK_ROWS_H
#define SCREE_LINEAR_BLOCK_ROWS_H

#include "linear/sparse.h"

/* Block columns ascend within a row; every row has its diagonal block. Zero-initialise it. */
typedef struct BlockRows {
    int size;        /* of a block: size x size */
    int32_t rows;    /* of blocks */
    int32_t *start;  /* [rows + 1] */
    int32_t *column; /* [start[rows]] the block columns */
    int32_t *self;   /* [rows] index of the diagonal block */
    double *value;   /* size * size for each block, row by row */
    Block integer_block, value_block, scratch_block;
} BlockRows;

/* `size` must divide the number of rows of the matrix, which must be square. False when out of
 * memory. */
bool scr_block_rows_make(BlockRows *rows, const Sparse *matrix, int size);

void scr_block_rows_free(BlockRows *rows);

static inline const double *scr_block_at(const BlockRows *a, int32_t index) {
    return a->value + (size_t)index * (size_t)(a->size * a->size);
}

/* y += A x in one row of blocks. */
static inline void scr_block_row_multiply(const BlockRows *a, size_t row, const double *x,
                                          double *y) {
    const int d = a->size;
    for (int32_t e = a->start[row]; e < a->start[row + 1]; e++) {
        const double *w = scr_block_at(a, e), *z = x + (size_t)a->column[e] * (size_t)d;
        if (d == 3) {
            y[0] += w[0] * z[0] + w[1] * z[1] + w[2] * z[2];
            y[1] += w[3] * z[0] + w[4] * z[1] + w[5] * z[2];
            y[2] += w[6] * z[0] + w[7] * z[1] + w[8] * z[2];
        } else if (d == 2) {
            y[0] += w[0] * z[0] + w[1] * z[1];
            y[1] += w[2] * z[0] + w[3] * z[1];
        } else {
            for (int i = 0; i < d; i++) {
                for (int j = 0; j < d; j++) {
                    y[i] += w[i * d + j] * z[j];
                }
            }
        }
    }
}

#endif
