/* Partial factors of a dense matrix, row by row in memory. */
#ifndef SCREE_LINEAR_DENSE_LU_H
#define SCREE_LINEAR_DENSE_LU_H

#include <stddef.h>
#include <stdint.h>

/* Eliminates the first `pivots` of `size` unknowns in place, leaving L (with a unit diagonal) below
 * the diagonal, U on and above it, and what remains of the others in the lower right corner. Pivot
 * row k is exchanged with row swap[k], k <= swap[k] < pivots. Returns how many pivots smaller than
 * `tiny` were replaced, or -1 when a number is not finite. */
int scr_dense_lu(double *a, size_t size, size_t pivots, double tiny, int32_t *swap);

#endif
