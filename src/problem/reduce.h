/* Sums over processes. */
#ifndef SCREE_PROBLEM_REDUCE_H
#define SCREE_PROBLEM_REDUCE_H

#include "math/exact_sum.h"

#include <scree/scree.h>

enum { REDUCE_MOST = 8 }; /* sums at a time */

/* Makes sums of this process those of all processes; NULL: there are no others. */
void scr_sum_over_processes(const ScreeProcesses *with, ExactSum *sum, size_t count);

#endif
