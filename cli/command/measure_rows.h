/* The tables of 'scree measure', one function for each kind. */
#ifndef SCREE_CLI_COMMAND_MEASURE_ROWS_H
#define SCREE_CLI_COMMAND_MEASURE_ROWS_H

#include "cli/command/measure_options.h"
#include "io/run/sample.h"

/* What the rows of a frame are computed from. */
typedef struct MeasuredFrame {
    size_t number;
    double time;
    const RunHeader *header;
    const ScreeSample *sample;
    const ScreeEnergy *energy; /* up to the frame */
    const RunCell *cell;
} MeasuredFrame;

typedef struct MeasureKind {
    const char *name, *title;
    const ResultColumn *columns; /* after the frame's number and time; NULL: those of the state */
    size_t column_count;
    /* Adds the rows of a frame. `message` says what is wrong. */
    ScreeStatus (*rows)(const MeasuredFrame *frame, const MeasureOptions *options,
                        ResultTable *table, char *message);
} MeasureKind;

/* NULL when there is no such kind. */
const MeasureKind *measure_kind(const char *name);

void measure_columns(const MeasureKind *kind, ResultTable *table);

/* The number and the time of the frame, with which every row begins. */
void measure_lead_cells(ResultTable *table, const MeasuredFrame *frame);

/* measure_cell.c */
enum { MEASURE_CELL_COLUMNS = 33 };
extern const ResultColumn measure_cell_columns[MEASURE_CELL_COLUMNS];
ScreeStatus measure_cell_rows(const MeasuredFrame *frame, const MeasureOptions *options,
                              ResultTable *table, char *message);

/* measure.c: says so when the frame has no contacts although its step had some. */
void measure_warn_without_contacts(RunReader *reader, size_t frame);

/* measure_empty.c: frames in which the region holds nothing. */
typedef struct MeasureEmpty {
    size_t looked, found;
    char place[160]; /* where grains are in the last of those found; empty: there are none */
} MeasureEmpty;

bool measure_is_bounded(const ScreeMeasureDef *region);
void measure_look_for_grains(const ScreeSample *sample, const ScreeMeasureDef *region,
                             MeasureEmpty *empty);
void measure_say_empty(const MeasureEmpty *empty);

/* measure_box.c: says so where the box that the pair correlation refers to has large empty parts. */
void measure_warn_of_open_box(const MeasuredFrame *frame, const MeasureOptions *options);

/* measure_carriers.c: who carries the load over windows of time. Returns an exit status. */
int measure_carriers(RunReader *reader, const MeasureOptions *options);

/* measure_profile.c: averages over bins and frames. Returns an exit status. */
int measure_profile(RunReader *reader, const MeasureOptions *options);

/* Columns and cells of all numbers, or of the main ones where the table is to be brief; also used
 * for those recorded while the scene ran. */
void measure_state_columns(ResultTable *table);
void measure_state_cells(ResultTable *table, const ScreeMeasures *measures);

#endif
