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

#endif
