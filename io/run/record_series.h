/* Series of measures of a recording. */
#ifndef IO_RUN_RECORD_SERIES_H
#define IO_RUN_RECORD_SERIES_H

#include "io/run/file.h"

#include <scree/scree.h>

typedef struct RecordSeries {
    size_t count;
    ScreeSeriesDef *series;     /* [count] names are its own */
    ScreeContactForce *contact; /* memory for samples */
    size_t contacts;
    ScreeShape *form;
    size_t forms;
} RecordSeries;

/* Into the header of a run to be. False when out of memory. */
bool record_series_announce(const ScreeRecordNames *names, RunHeader *header);

/* Those of a run, which is to be recorded now or to go on. False when out of memory. */
bool record_series_begin(RecordSeries *all, const RunHeader *header);

/* Measures what is due at this step. */
ScreeStatus record_series_measure(RecordSeries *all, const ScreeWorld *world, RunWriter *writer,
                                  char *message);

void record_series_free(RecordSeries *all);

#endif
