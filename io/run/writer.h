/* The parts of the writer, shared by the files that make a run file and that let it grow. */
#ifndef SCREE_IO_RUN_WRITER_H
#define SCREE_IO_RUN_WRITER_H

#include "io/run/file.h"
#include "io/run/pages.h"
#include "io/run/types.h"

struct RunWriter {
    char *path;
    char *aside; /* the name until the file is complete; NULL from then on */
    hid_t file;
    RunPages *pages;
    uint64_t mark; /* of this file, which no copy of it has */
    hid_t column[RUN_TABLE_COUNT][RUN_FIELDS_MAX];
    hid_t time, step, index, ending; /* of the frames; the index is written last */
    RunPosition position;            /* appended, not counting pending steps */
    RunSteps pending;
    RunRecords pending_records;
    int64_t records; /* appended, not counting pending ones */
    bool measured;   /* whether there are series */
    size_t body_count, wall_count;
    size_t gates;
    RunGateRows pending_gates;
    bool plates, bonds, growing;
    bool changing;           /* then: */
    hid_t flow;              /* of the frames, as the index */
    int64_t body_rows;       /* rows of bodies in the frames so far */
    int64_t known;           /* bodies whose constants are there */
    RunBodyConstants newest; /* memory for those of a frame */
    bool failed;
};

/* The chunks of a table: `frames` times `rows` of its rows, or just `rows` where rows follow one
 * another. */
typedef struct RunChunk {
    hsize_t frames, rows;
    bool compressed;
} RunChunk;

typedef struct RunChunks {
    RunChunk bodies, walls, contacts, steps;
} RunChunks;

/* A writer without a file. NULL when out of memory. */
RunWriter *run_writer_new(const char *path, const RunHeader *header);

/* Makes the file beside its place, complete except for frames. */
bool run_writer_make(RunWriter *writer, const RunHeader *header, size_t steps_per_frame,
                     IoError *error);

/* Lets others read it while it grows. */
bool run_writer_start(RunWriter *writer, IoError *error);

/* Gives the file its final name. */
bool run_writer_publish(RunWriter *writer, IoError *error);

/* Frees a writer that has not been published, with its file. */
void run_writer_discard(RunWriter *writer);

/* Makes all groups, attributes and datasets in an empty file. */
bool run_create_content(RunWriter *writer, const RunHeader *header, RunChunks chunks,
                        IoError *error);

#endif
