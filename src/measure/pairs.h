/* The pair correlation. */
#ifndef SCREE_MEASURE_PAIRS_H
#define SCREE_MEASURE_PAIRS_H

#include "measure/region.h"

/* Fills bins of equal width up to `most`; with 0 a width is chosen. */
ScreeStatus scr_measure_pairs(const Region *region, double most, ScreeBin *bin, size_t bins,
                              char *message);

#endif
