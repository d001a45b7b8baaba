/* Wall-clock time, for cost reports only: no result depends on it. */
#ifndef SCREE_BASE_CLOCK_H
#define SCREE_BASE_CLOCK_H

#include <time.h>

static inline double scr_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

#endif
