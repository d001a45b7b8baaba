/* An order of elimination with little fill, by minimum degree. */
#ifndef SCREE_LINEAR_ORDER_H
#define SCREE_LINEAR_ORDER_H

#include "linear/sparse.h"

/* `order` [columns] gets the columns in the order of elimination. Only the pattern of the lower
 * triangle counts. The result depends on the pattern alone. False when out of memory. */
bool scr_minimum_degree(const Sparse *lower, int32_t *order);

#endif
