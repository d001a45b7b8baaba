/* The search for neighbours: each method against the number of bodies and the ratio of sizes. */
#ifndef SCREE_BENCH_NEIGHBOURS_H
#define SCREE_BENCH_NEIGHBOURS_H

#include "bench/results.h"

#include <stdbool.h>

/* With `quick` there are at most 30,000 bodies. False on failure. */
bool bench_neighbours(bool quick, Results *results);

#endif
