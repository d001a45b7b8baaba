/* Sparse matrices in compressed columns. */
#ifndef SCREE_LINEAR_SPARSE_H
#define SCREE_LINEAR_SPARSE_H

#include "base/memory.h"

#include <stdint.h>

/* Rows ascend within each column, and no entry appears twice. Zero-initialise it. */
typedef struct Sparse {
    int32_t rows, columns;
    int32_t *start; /* [columns + 1] */
    int32_t *row;   /* [start[columns]] */
    double *value;  /* likewise */
    Block start_block, row_block, value_block;
} Sparse;

/* One entry of a matrix that is being assembled. */
typedef struct SparseEntry {
    int32_t row, column;
    double value;
} SparseEntry;

/* Room for so many entries, with the size set. False when out of memory, or when it is too large. */
bool scr_sparse_reserve(Sparse *matrix, int32_t rows, int32_t columns, size_t count);

/* Makes a matrix from entries in any order; those of the same row and column are added up, in the
 * order given. Explicit zeros stay. False when out of memory. */
bool scr_sparse_gather(Sparse *matrix, int32_t rows, int32_t columns, const SparseEntry *entry,
                       size_t count);

/* y += factor A x, and y += factor A^T x. */
void scr_sparse_multiply(const Sparse *a, double factor, const double *x, double *y);
void scr_sparse_multiply_transposed(const Sparse *a, double factor, const double *x, double *y);

/* The entry in this row and column, 0 where there is none. */
double scr_sparse_entry(const Sparse *a, int32_t row, int32_t column);

/* b = A^T. */
bool scr_sparse_transpose(const Sparse *a, Sparse *b);

void scr_sparse_free(Sparse *matrix);

#endif
