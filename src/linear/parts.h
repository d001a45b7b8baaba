/* Into which unconnected parts a square matrix falls, when rows and columns go in groups of equal
 * size: a mass matrix into bodies (groups of one), contacts into clusters that share no body. */
#ifndef SCREE_LINEAR_PARTS_H
#define SCREE_LINEAR_PARTS_H

#include "linear/sparse.h"

/* part [columns / size] gets the number of each group's part; parts are numbered by their first
 * member. `parent` [columns / size] is scratch. Entries that are zero connect nothing. Returns the
 * number of parts. */
int32_t scr_sparse_parts(const Sparse *matrix, int size, int32_t *parent, int32_t *part);

#endif
