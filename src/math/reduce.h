/* What all processes have together. Without others, `with` is NULL and nothing changes. */
#ifndef SCREE_MATH_REDUCE_H
#define SCREE_MATH_REDUCE_H

#include "math/exact_sum.h"

#include <scree/scree.h>

#include <stdbool.h>

enum { REDUCE_MOST = 9 }; /* sums at a time */

/* Makes sums of this process those of all processes. */
void scr_sum_over_processes(const ScreeProcesses *with, ExactSum *sum, size_t count);

/* An exact sum from its words and, behind them, how often it has met infinity, -infinity, and what is no
 * number. */
void scr_sum_from_words(const int64_t *word, ExactSum *sum);

/* The same of whole numbers. */
static inline void scr_count_over_processes(const ScreeProcesses *with, int64_t *number,
                                            size_t count) {
    if (with != NULL) {
        with->add(with->context, number, count);
    }
}

/* The largest that any process has. */
static inline void scr_most_over_processes(const ScreeProcesses *with, double *number,
                                           size_t count) {
    if (with != NULL) {
        with->most(with->context, number, count);
    }
}

/* Whether any process says so. */
static inline bool scr_any_process(const ScreeProcesses *with, bool says) {
    double most = says;
    scr_most_over_processes(with, &most, 1);
    return most > 0;
}

#endif
