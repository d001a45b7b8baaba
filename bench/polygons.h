/* Polygons with five to eight corners, settled in a box. */
#ifndef SCREE_BENCH_POLYGONS_H
#define SCREE_BENCH_POLYGONS_H

#include "bench/results.h"

#include <stdbool.h>

/* 10,000 of them, or 1,000 with `quick`: detection and solver separately. False on failure. */
bool bench_polygons(bool quick, Results *results);

#endif
