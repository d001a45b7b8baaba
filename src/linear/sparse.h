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

/* Sets the size, and makes room for `entries`. False when out of memory. */
bool scr_sparse_reserve(Sparse *matrix, int32_t rows, int32_t columns, size_t entries);

/* The pattern of a diagonal matrix; its values are left to the caller. False when out of memory. */
bool scr_sparse_diagonal(Sparse *matrix, int32_t size);

/* One entry of a matrix that is being assembled. */
typedef struct SparseEntry {
    int32_t row, column;
    double value;
} SparseEntry;

/* Makes a matrix from entries in any order; those of the same row and column are added up, in the
 * order given. Explicit zeros stay. False when out of memory. */
bool scr_sparse_gather(Sparse *matrix, int32_t rows, int32_t columns, const SparseEntry *entry,
                       size_t count);

/* y += factor A x, and y += factor A^T x. */
void scr_sparse_multiply(const Sparse *a, double factor, const double *x, double *y);
void scr_sparse_multiply_transposed(const Sparse *a, double factor, const double *x, double *y);

/* The first index from `low` on at which an ascending list is not below x, or `high`. */
static inline int32_t scr_first_not_below(const int32_t *list, int32_t low, int32_t high,
                                          int32_t x) {
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (list[middle] < x) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* The entry in this row and column, 0 where there is none. */
double scr_sparse_entry(const Sparse *a, int32_t row, int32_t column);

/* b = A^T. */
bool scr_sparse_transpose(const Sparse *a, Sparse *b);

void scr_sparse_free(Sparse *matrix);

#endif
