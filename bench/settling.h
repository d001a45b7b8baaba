/* 8,000 spheres that fall into a box and settle. */
#ifndef SCREE_BENCH_SETTLING_H
#define SCREE_BENCH_SETTLING_H

#include "bench/results.h"

#include <stdbool.h>

/* Four simulated seconds (half a second with `quick`) at several accuracies, on one thread and on
 * two. False on failure. */
bool bench_settling(bool quick, Results *results);

#endif
