/* Rank and null space of a dense matrix. */
#ifndef SCREE_LINEAR_NULL_SPACE_H
#define SCREE_LINEAR_NULL_SPACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A = Q R by Householder's method with column pivoting, until what is left of every column is below
 * 1e-9 of the largest. a [rows * columns], column by column, is overwritten. Returns the rank.
 * moves[k] tells whether unknown k can change within A x = const, that is whether row k of a basis
 * of the null space has an entry above 1e-7. `work` has room for 2 * columns, `order` for
 * columns. */
size_t scr_null_space(double *a, size_t rows, size_t columns, bool *moves, double *work,
                      int32_t *order);

#endif
