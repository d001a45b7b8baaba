/* A run file that goes on from an earlier position.
 *
 * HDF5 can only add rows while others may read, so a new file is made of what lies before the
 * position, and then replaces the old one; a kill in between loses nothing. Whole chunks are taken
 * as they are, without unpacking: a matter of the disk's speed. Nothing is written on a copy of the
 * old file itself, although that would be quicker still: after the machine went down, the index of
 * what lies behind the position may be damaged, and HDF5 would stumble over it much later. */
#include "io/aside.h"
#include "io/run/reader.h"
#include "io/run/writer.h"

#include "base/plural.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    BLOCK = 4096,                 /* rows read at a time where chunks are no help */
    SYNC_BYTES = 16 * 1024 * 1024 /* one long wait at the end could not be stopped by a signal */
};

typedef struct Copy {
    RunReader *reader;
    RunWriter *writer;
    IoWatch watch;
    IoError *error;
    void *buffer;
    size_t room;
    double done, unsynced; /* bytes */
} Copy;

/* One dataset: where from, where to, and which rows. */
typedef struct Column {
    hid_t from, to, type;
    int rank;
    hsize_t size[3];  /* of what is copied */
    hsize_t chunk[3]; /* of both; 0: they differ, or the values are stored in different ways */
} Column;

/* ---------------------------------------------------------------- bytes */

static bool make_room(Copy *copy, size_t size) {
    if (size > copy->room) {
        void *larger = realloc(copy->buffer, size);
        if (larger == NULL) {
            return io_no_memory(copy->error, copy->reader->path);
        }
        copy->buffer = larger;
        copy->room = size;
    }
    return true;
}

static bool failed(const Copy *copy) {
    return hdf5_error(copy->error, IO_FAILED, copy->reader->path, "cannot copy the run file");
}

/* Counts what has been copied, brings it to the disk from time to time, and asks whether to go
 * on. */
static bool account(Copy *copy, double bytes) {
    void *handle = NULL;
    copy->done += bytes;
    copy->unsynced += bytes;
    if (copy->unsynced > SYNC_BYTES) {
        copy->unsynced = 0;
        if (H5Fget_vfd_handle(copy->writer->file, H5P_DEFAULT, &handle) >= 0 &&
            fdatasync(*(int *)handle) != 0 && errno != EINVAL && errno != EROFS) {
            return io_error(copy->error, IO_FAILED, "%s: cannot sync the run file to disk: %s",
                            copy->reader->path, strerror(errno));
        }
    }
    double share = copy->done / ((double)copy->reader->file_size + 1);
    return io_goes_on(copy->watch, share < 1 ? share : 1) ||
           io_error(copy->error, IO_FAILED, "%s: was not copied: stopped by a signal",
                    copy->reader->path);
}

/* ---------------------------------------------------------------- columns */

static bool copy_chunk(Copy *copy, const Column *column, const hsize_t *at) {
    unsigned mask = 0;
    uint32_t filters = 0;
    haddr_t address = HADDR_UNDEF;
    hsize_t size = 0, file_size = (hsize_t)copy->reader->file_size;
    if (H5Dget_chunk_info_by_coord(column->from, at, &mask, &address, &size) < 0 ||
        address == HADDR_UNDEF || address > file_size || size > file_size - address) {
        return run_damaged(copy->reader, "a part of it is missing", copy->error);
    }
    if (!make_room(copy, (size_t)size)) {
        return false;
    }
    if (H5Dread_chunk(column->from, H5P_DEFAULT, at, &filters, copy->buffer) < 0 ||
        H5Dwrite_chunk(column->to, H5P_DEFAULT, filters, at, (size_t)size, copy->buffer) < 0) {
        return failed(copy);
    }
    return account(copy, (double)size);
}

/* Rows whose chunk goes on behind the position, where it must hold nothing. */
static bool copy_rows(Copy *copy, const Column *column, hsize_t first, hsize_t count) {
    hsize_t begin[3] = {first, 0, 0}, block[3] = {count, column->size[1], column->size[2]};
    hsize_t values = count * (column->rank > 1 ? block[1] : 1) * (column->rank > 2 ? block[2] : 1);
    size_t bytes = (size_t)values * H5Tget_size(column->type);
    if (!run_on_disk(copy->reader, column->from, column->rank, begin, block)) {
        return run_damaged(copy->reader, "a part of it is missing", copy->error);
    }
    if (!run_plausible(copy->reader, values, 8, copy->error) || !make_room(copy, bytes)) {
        return false;
    }
    hid_t memory = H5Screate_simple(column->rank, block, NULL);
    hid_t space = H5Dget_space(column->from);
    bool ok = H5Sselect_hyperslab(space, H5S_SELECT_SET, begin, NULL, block, NULL) >= 0 &&
              H5Dread(column->from, column->type, memory, space, H5P_DEFAULT, copy->buffer) >= 0;
    hid_t place = H5Dget_space(column->to);
    ok = ok && H5Sselect_hyperslab(place, H5S_SELECT_SET, begin, NULL, block, NULL) >= 0 &&
         H5Dwrite(column->to, column->type, memory, place, H5P_DEFAULT, copy->buffer) >= 0;
    ok = ok || failed(copy);
    H5Sclose(memory);
    H5Sclose(space);
    H5Sclose(place);
    return ok && account(copy, (double)bytes);
}

/* Chunks can be taken as they are if both files store them in the same way. */
static void compare_chunks(Column *column) {
    hid_t from = H5Dget_create_plist(column->from), to = H5Dget_create_plist(column->to);
    hid_t stored = H5Dget_type(column->from), wanted = H5Dget_type(column->to);
    if (from < 0 || to < 0 || H5Pequal(from, to) <= 0 || H5Tequal(stored, wanted) <= 0 ||
        H5Pget_chunk(to, 3, column->chunk) != column->rank) {
        memset(column->chunk, 0, sizeof column->chunk);
    }
    H5Tclose(stored);
    H5Tclose(wanted);
    H5Pclose(from);
    H5Pclose(to);
}

static bool copy_column(Copy *copy, hid_t from, hid_t to, hid_t type, int64_t rows) {
    Column column = {.from = from, .to = to, .type = type};
    hid_t space = H5Dget_space(from);
    column.rank = H5Sget_simple_extent_ndims(space);
    (void)H5Sget_simple_extent_dims(space, column.size, NULL);
    H5Sclose(space);
    column.size[0] = (hsize_t)rows;
    if (H5Dset_extent(to, column.size) < 0) {
        return failed(copy);
    }
    for (int i = 0; i < column.rank; i++) {
        if (column.size[i] == 0) {
            return true;
        }
    }
    compare_chunks(&column);
    hsize_t chunk = column.chunk[0] > 0 ? column.chunk[0] : BLOCK;
    for (hsize_t row = 0; row < column.size[0]; row += chunk) {
        hsize_t left = column.size[0] - row;
        bool whole = column.chunk[0] > 0 && left >= chunk, ok = true;
        hsize_t across = column.rank > 1 ? column.size[1] : 1;
        hsize_t step = whole && column.rank > 1 ? column.chunk[1] : across;
        for (hsize_t second = 0; ok && whole && second < across; second += step) {
            ok = copy_chunk(copy, &column, (hsize_t[3]){row, second, 0});
        }
        ok = ok && (whole || copy_rows(copy, &column, row, left < chunk ? left : chunk));
        if (!ok) {
            return false;
        }
    }
    return true;
}

/* ---------------------------------------------------------------- the run */

static bool copy_table(Copy *copy, RunTableId id, int64_t rows) {
    const RunTable *table = run_table(id);
    for (int i = 0; i < table->field_count; i++) {
        if (!copy_column(copy, copy->reader->column[id][i], copy->writer->column[id][i],
                         run_memory_type(table->fields[i].type), rows)) {
            return false;
        }
    }
    return true;
}

static bool copy_named(Copy *copy, const char *name, hid_t to, hid_t type, int64_t rows) {
    hid_t from = H5Dopen2(copy->reader->file, name, H5P_DEFAULT);
    bool ok = from >= 0 ? copy_column(copy, from, to, type, rows) : failed(copy);
    H5Dclose(from);
    return ok;
}

/* Rows of the records of steps up to `upto`. They come by step and then by series; where a full disk kept
 * a row from being written, zeros lie in its place, and it is not behind the one before. */
static bool count_records(RunReader *reader, int64_t upto, int64_t *count, IoError *error) {
    RunRecords rows = {0};
    size_t total = run_records_on_disk(reader);
    bool ok = true, more = true;
    int64_t step = -1, series = -1;
    *count = 0;
    for (size_t done = 0; ok && more && done < total;) {
        size_t now = total - done < BLOCK ? total - done : BLOCK;
        ok = run_read_records(reader, done, now, &rows, error);
        for (size_t i = 0; ok && more && i < now; i++) {
            more = rows.step[i] <= upto &&
                   (rows.step[i] > step || (rows.step[i] == step && rows.series[i] > series));
            step = rows.step[i];
            series = rows.series[i];
            *count += more;
        }
        done += now;
    }
    run_rows_free(RUN_RECORDS, &rows);
    return ok;
}

static bool copy_bodies(Copy *copy) {
    RunWriter *writer = copy->writer;
    const int64_t frames = writer->position.frames;
    if (!writer->changing) {
        return copy_table(copy, RUN_BODIES, frames) &&
               (!writer->plates || copy_table(copy, RUN_HOLDERS, frames)) &&
               (!writer->growing || copy_table(copy, RUN_SIZES, frames)) &&
               (!writer->bonds || copy_table(copy, RUN_FRAGMENTS, frames));
    }
    const int64_t *flow = &copy->reader->flow[RUN_FLOW_WIDTH * (frames > 0 ? frames - 1 : 0)];
    writer->body_rows = frames > 0 ? flow[0] : 0;
    writer->known = frames > 0 ? flow[1] : 0;
    return copy_table(copy, RUN_BODY_CONSTANTS, writer->known) &&
           copy_table(copy, RUN_BODIES, writer->body_rows) &&
           copy_table(copy, RUN_IDENTITIES, writer->body_rows) &&
           (!writer->plates || copy_table(copy, RUN_HOLDERS, writer->body_rows)) &&
           (!writer->growing || copy_table(copy, RUN_SIZES, writer->body_rows)) &&
           (!writer->bonds || copy_table(copy, RUN_FRAGMENTS, writer->body_rows)) &&
           copy_named(copy, "frames/flow", writer->flow, H5T_NATIVE_INT64, frames);
}

/* The index, which says that a frame is there, comes last. */
static bool copy_content(Copy *copy) {
    RunWriter *writer = copy->writer;
    const RunPosition *position = &writer->position;
    return copy_bodies(copy) &&
           (writer->gates == 0 ||
            copy_table(copy, RUN_GATE_ROWS, position->steps * (int64_t)writer->gates)) &&
           copy_table(copy, RUN_WALLS, position->frames) &&
           (!writer->plates || copy_table(copy, RUN_WALL_DRIVES, position->frames)) &&
           copy_table(copy, RUN_CONTACTS, position->contacts) &&
           (!writer->bonds || copy_table(copy, RUN_BONDS, position->contacts)) &&
           copy_table(copy, RUN_SEARCH, position->frames) &&
           copy_table(copy, RUN_CELL, position->frames) &&
           copy_table(copy, RUN_STEPS, position->steps) &&
           (!writer->measured || copy_table(copy, RUN_RECORDS, writer->records)) &&
           copy_named(copy, "frames/time", writer->time, H5T_NATIVE_DOUBLE, position->frames) &&
           copy_named(copy, "frames/step", writer->step, H5T_NATIVE_INT64, position->frames) &&
           copy_named(copy, "frames/index", writer->index, H5T_NATIVE_INT64, position->frames);
}

static bool can_resume(const RunReader *reader, const RunPosition *position, IoError *error) {
    if (position->frames < 0 || position->steps < 0 ||
        run_frame_count(reader) < (size_t)position->frames) {
        return io_error(error, IO_BAD_FILE,
                        "%s: holds %zu %s, but its checkpoint was made after %lld; the two files "
                        "do not belong together (use --force to start over)",
                        reader->path, run_frame_count(reader),
                        SCR_PLURAL(run_frame_count(reader), "frame", "frames"),
                        (long long)position->frames);
    }
    return reader->steps_on_disk >= (size_t)position->steps ||
           io_error(error, IO_BAD_FILE,
                    "%s: holds %zu %s, but its checkpoint was made after %lld; the two files "
                    "do not belong together (use --force to start over)",
                    reader->path, reader->steps_on_disk,
                    SCR_PLURAL(reader->steps_on_disk, "step", "steps"), (long long)position->steps);
}

static bool fill(RunWriter *writer, RunReader *reader, const RunPosition *position, IoWatch watch,
                 IoError *error) {
    Copy copy = {.reader = reader, .writer = writer, .watch = watch, .error = error};
    writer->position = *position;
    writer->position.contacts =
        position->frames > 0 ? reader->index[RUN_INDEX_WIDTH * (position->frames - 1)] : 0;
    bool ok =
        count_records(reader, position->steps, &writer->records, error) && copy_content(&copy);
    free(copy.buffer);
    return ok;
}

RunWriter *run_resume(const char *path, const RunPosition *position, size_t steps_per_frame,
                      IoWatch watch, IoError *error) {
    RunReader *reader = run_open(path, error);
    RunWriter *writer = NULL;
    if (reader != NULL && can_resume(reader, position, error)) {
        writer = run_writer_new(path, run_header(reader));
        if (writer == NULL) {
            io_no_memory(error, path);
        } else if (!run_writer_make(writer, run_header(reader), steps_per_frame, error) ||
                   !fill(writer, reader, position, watch, error) ||
                   !run_writer_start(writer, error) ||
                   !run_flush(writer, &(RunPosition){0}, error) ||
                   !run_writer_publish(writer, error)) {
            run_writer_discard(writer);
            writer = NULL;
        }
    }
    run_reader_free(reader);
    return writer;
}
