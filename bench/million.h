/* A million spheres. */
#ifndef SCREE_BENCH_MILLION_H
#define SCREE_BENCH_MILLION_H

#include "bench/results.h"

#include <scree/scree.h>

#include <stdbool.h>

/* 125 copies of the 8,000 settled spheres (16 with `quick`), side by side without walls between
 * them, continue to settle together. False on failure. */
bool bench_million(const ScreeWorld *settled, bool quick, Results *results);

#endif
