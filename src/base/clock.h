/* Wall-clock time, for cost reports only: no result depends on it. */
#ifndef SCREE_BASE_CLOCK_H
#define SCREE_BASE_CLOCK_H

#include <time.h>

static inline double scr_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Processor time of the calling thread, which does not pass while others have the processor. */
static inline double scr_thread_seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

#endif
