/* Partial factors of a dense matrix, row by row in memory. */
#ifndef SCREE_LINEAR_DENSE_LU_H
#define SCREE_LINEAR_DENSE_LU_H

#include <stddef.h>
#include <stdint.h>

/* Eliminates the first `pivots` of `size` unknowns in place: below the diagonal L (unit diagonal),
 * on and above it U, and in the lower right corner what remains of the others. Row k of the pivots
 * is exchanged with row swap[k], k <= swap[k] < pivots. Returns how many pivots smaller than `tiny`
 * were replaced, -1 when a number is not finite. */
int scr_dense_lu(double *a, size_t size, size_t pivots, double tiny, int32_t *swap);

#endif
