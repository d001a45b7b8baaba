/* The parts of the reader, shared by the file that opens and checks a run and the one that reads
 * rows. */
#ifndef SCREE_IO_RUN_READER_H
#define SCREE_IO_RUN_READER_H

#include "io/run/file.h"
#include "io/run/types.h"

struct RunReader {
    char *path;
    hid_t file;
    int64_t file_size;
    RunHeader header;
    hid_t column[RUN_TABLE_COUNT][RUN_FIELDS_MAX];
    size_t frame_count, step_count;
    size_t steps_on_disk; /* may be ahead of the last frame */
    size_t record_count, records_on_disk;
    double *time;
    int64_t *step;
    int64_t *index; /* RUN_INDEX_WIDTH numbers for each frame */
    int64_t *flow;  /* RUN_FLOW_WIDTH numbers, where bodies come and go; else NULL */
    RunEnding ending;
};

/* Name, attributes, texts and constants, all checked; but not bodies that come and go. */
bool run_read_header(RunReader *reader, IoError *error);

/* A table of the file, with all its fields, into its struct of rows. */
bool run_read_constants(RunReader *reader, RunTableId id, void *rows, IoError *error);

/* Shapes, and meshes with the walls that have them: read_shapes.c. */
bool run_read_shapes(RunReader *reader, IoError *error);
bool run_read_meshes(RunReader *reader, IoError *error);

/* Numbers of materials and shapes are used as indices later. */
bool run_check_bodies(const RunReader *reader, IoError *error);

/* Opens a dataset that must exist with this rank (its first length goes to *length) and these other
 * lengths. H5I_INVALID_HID and an error otherwise. */
hid_t run_open_dataset(RunReader *reader, const char *name, int rank, const hsize_t *other,
                       hsize_t *length, IoError *error);

/* Whether the file could hold so many bytes at all, compressed: a damaged size must not make us
 * allocate all memory. */
bool run_plausible(const RunReader *reader, hsize_t rows, hsize_t row_size, IoError *error);

/* Whether a block of a dataset lies entirely within the file. HDF5 reads zeros past the end of a
 * file and where nothing was ever written; a truncated file must not pass for one with zeros in
 * it. */
bool run_on_disk(const RunReader *reader, hid_t data, int rank, const hsize_t *begin,
                 const hsize_t *block);

/* Drops rows at the end whose chunk was never written: room is made before the data arrive. */
void run_clip_unwritten(hid_t data, int rank, hsize_t *length);

/* Reads rows of a table from `first` on, or its frame number `first`, into `rows`. */
bool run_read_table(RunReader *reader, RunTableId id, bool per_frame, size_t first, size_t count,
                    void *rows, IoError *error);

/* Contacts in all frames before this one. */
int64_t run_contacts_before(const RunReader *reader, size_t frame);

/* Number of records written, some of them perhaps after the last frame. */
size_t run_records_on_disk(const RunReader *reader);

bool run_damaged(const RunReader *reader, const char *what, IoError *error);

#endif
