/* How far a run is: a bar with the time left on a terminal, a plain line now and then otherwise. */
#ifndef SCREE_CLI_JOB_PROGRESS_H
#define SCREE_CLI_JOB_PROGRESS_H

#include <scree/scree.h>

typedef struct Progress {
    bool shown;    /* false with -q */
    bool terminal; /* a line that is drawn again and again */
    bool drawn;    /* a line stands there now */
    double begin_clock, last_clock;
    double begin_time, end_time;
} Progress;

Progress progress_begin(bool shown, double time, double end);
void progress_update(Progress *progress, const ScreeReport *report);

/* Takes the line away, so that something else can be said. */
void progress_clear(Progress *progress);

/* Seconds on a clock that never goes back. */
double progress_clock(void);

/* "1 h 03 min", "42 s" */
void progress_duration(double seconds, char *text, size_t size);

#endif
