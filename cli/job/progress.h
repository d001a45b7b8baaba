/* How far a run has got: a bar with the time left on a terminal, otherwise a plain line now and
 * then. */
#ifndef SCREE_CLI_JOB_PROGRESS_H
#define SCREE_CLI_JOB_PROGRESS_H

#include <scree/scree.h>

typedef struct Progress {
    bool shown;    /* false with -q */
    bool terminal; /* the line is redrawn again and again */
    bool drawn;    /* a line is shown now */
    double begin_clock, last_clock;
    double begin_time, end_time;
} Progress;

Progress progress_begin(bool shown, double time, double end);
void progress_update(Progress *progress, const ScreeReport *report);

/* How much is done of the work before the first step. */
void progress_prepare(Progress *progress, const char *what, double share);

/* Removes the line, so that something else can be printed. */
void progress_clear(Progress *progress);

/* Seconds on a clock that never goes back. */
double progress_clock(void);

/* "1 h 03 min", "42 s" */
void progress_duration(double seconds, char *text, size_t size);

#endif
