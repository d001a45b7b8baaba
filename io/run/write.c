/* A run file that grows. */
#include "io/run/writer.h"
#include "io/aside.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    BODY_CHUNK = 32768,   /* bodies in a chunk at most */
    CONTACT_CHUNK = 8192, /* contacts in a chunk at most */
    STEP_CHUNK = 4096,    /* steps in a chunk at most, and steps kept in memory at most */
    SMALL_CHUNK = 256     /* rows; a table that gains less than this per frame is not compressed */
};

static size_t clamp(size_t value, size_t low, size_t high) {
    return value < low ? low : value > high ? high : value;
}

/* A compressed chunk that is not full when a frame is flushed is written again, elsewhere, with the
 * next frame. So compressed chunks are no longer than what a frame adds; where a frame adds little,
 * chunks are not compressed but filled in place by many frames. */
static RunChunk chunk_per_frame(size_t rows) {
    if (rows < SMALL_CHUNK) {
        size_t least = rows > 0 ? rows : 1;
        return (RunChunk){clamp(SMALL_CHUNK / least, 1, 64), least, false};
    }
    size_t parts = (rows + BODY_CHUNK - 1) / BODY_CHUNK;
    return (RunChunk){1, (rows + parts - 1) / parts, true};
}

static RunChunk chunk_of_rows(size_t added, size_t most) {
    return (RunChunk){1, clamp(added, SMALL_CHUNK, most), added >= SMALL_CHUNK};
}

static RunChunks choose_chunks(const RunWriter *writer, size_t steps_per_frame) {
    return (RunChunks){
        .bodies = writer->changing ? chunk_of_rows(writer->body_count, CONTACT_CHUNK)
                                   : chunk_per_frame(writer->body_count),
        .walls = chunk_per_frame(writer->wall_count),
        /* a frame has more contacts than that */
        .contacts = chunk_of_rows(writer->body_count / 2, CONTACT_CHUNK),
        .steps = chunk_of_rows(steps_per_frame, STEP_CHUNK),
    };
}

/* ---------------------------------------------------------------- appending */

/* Writes `count` rows from row `start` on into a dataset whose other dimensions are `other`. */
static bool append(hid_t data, RunType type, hsize_t start, hsize_t count, int rank,
                   const hsize_t *other, const void *values) {
    hsize_t size[3] = {start + count, other[0], other[1]};
    if (H5Dset_extent(data, size) < 0) {
        return false;
    }
    hsize_t begin[3] = {start, 0, 0}, block[3] = {count, other[0], other[1]};
    hsize_t total = 1;
    for (int i = 0; i < rank; i++) {
        total *= block[i];
    }
    if (total == 0) {
        return true;
    }
    hid_t memory = H5Screate_simple(rank, block, NULL);
    hid_t space = H5Dget_space(data);
    bool ok = space >= 0 &&
              H5Sselect_hyperslab(space, H5S_SELECT_SET, begin, NULL, block, NULL) >= 0 &&
              H5Dwrite(data, run_memory_type(type), memory, space, H5P_DEFAULT, values) >= 0;
    if (!ok) {
        return false; /* closing the spaces now would erase HDF5's account of the error */
    }
    H5Sclose(space);
    H5Sclose(memory);
    return true;
}

/* Writes all fields of a table: as one more frame, or as rows after the existing ones. */
static bool append_table(RunWriter *writer, RunTableId id, bool per_frame, hsize_t start,
                         const void *rows) {
    const RunTable *table = run_table(id);
    hsize_t count = ((const RunRows *)rows)->count;
    for (int i = 0; i < table->field_count; i++) {
        const RunField *field = &table->fields[i];
        hsize_t width = (hsize_t)field->width;
        hsize_t other[2] = {per_frame ? count : width, width};
        int rank = 1 + (per_frame ? 1 : 0) + (field->width > 1 ? 1 : 0);
        if (!append(writer->column[id][i], field->type, start, per_frame ? 1 : count, rank, other,
                    run_rows_field(rows, field))) {
            return false;
        }
    }
    return true;
}

static bool fail(RunWriter *writer, IoError *error) {
    writer->failed = true;
    return hdf5_error(error, IO_FAILED, writer->path, "cannot write the run file");
}

static bool write_pending_steps(RunWriter *writer) {
    const hsize_t start = (hsize_t)writer->position.steps;
    if (!append_table(writer, RUN_STEPS, false, start, &writer->pending) ||
        (writer->gates > 0 && !append_table(writer, RUN_GATE_ROWS, false, start * writer->gates,
                                            &writer->pending_gates))) {
        return false;
    }
    writer->pending_gates.rows.count = 0;
    writer->position.steps += (int64_t)writer->pending.rows.count;
    writer->pending.rows.count = 0;
    return true;
}

static bool write_pending_records(RunWriter *writer) {
    if (writer->measured && !append_table(writer, RUN_RECORDS, false, (hsize_t)writer->records,
                                          &writer->pending_records)) {
        return false;
    }
    writer->records += (int64_t)writer->pending_records.rows.count;
    writer->pending_records.rows.count = 0;
    return true;
}

bool run_append_record(RunWriter *writer, int32_t series, int64_t step, double time,
                       const ScreeMeasures *measures, IoError *error) {
    size_t index = writer->pending_records.rows.count;
    if (writer->failed) {
        return io_error(error, IO_FAILED, "%s: an earlier write failed", writer->path);
    }
    if (!run_rows_resize(RUN_RECORDS, &writer->pending_records, index + 1)) {
        return io_no_memory(error, writer->path);
    }
    writer->pending_records.series[index] = series;
    writer->pending_records.step[index] = step;
    writer->pending_records.time[index] = time;
    run_records_set(&writer->pending_records, index, measures);
    return index + 1 < STEP_CHUNK || write_pending_records(writer) || fail(writer, error);
}

bool run_append_gate(RunWriter *writer, const ScreeGate *gate, IoError *error) {
    RunGateRows *rows = &writer->pending_gates;
    size_t index = rows->rows.count;
    if (!run_rows_resize(RUN_GATE_ROWS, rows, index + 1)) {
        return io_no_memory(error, writer->path);
    }
    rows->number[index] = gate->number;
    rows->mass[index] = gate->mass;
    rows->waiting[index] = gate->waiting;
    return true;
}

bool run_append_step(RunWriter *writer, const ScreeReport *report, IoError *error) {
    size_t index = writer->pending.rows.count;
    if (writer->failed) {
        return io_error(error, IO_FAILED, "%s: an earlier write failed", writer->path);
    }
    if (writer->pending_gates.rows.count != (index + 1) * writer->gates) {
        return io_error(error, IO_FAILED, "%s: a step needs all gates", writer->path);
    }
    if (!run_rows_resize(RUN_STEPS, &writer->pending, index + 1)) {
        return io_no_memory(error, writer->path);
    }
    run_steps_set(&writer->pending, index, report);
    return index + 1 < STEP_CHUNK || write_pending_steps(writer) || fail(writer, error);
}

/* One row of a table from another. */
static void copy_row(RunTableId id, const void *from, size_t row, void *into, size_t to) {
    const RunTable *table = run_table(id);
    for (int k = 0; k < table->field_count; k++) {
        const RunField *field = &table->fields[k];
        const size_t size = run_type_size(field->type) * (size_t)field->width;
        memcpy((char *)run_rows_field(into, field) + to * size,
               (const char *)run_rows_field(from, field) + row * size, size);
    }
}

/* The constants of bodies that are new in this frame. Those that have come and gone since the last
 * one have no radius. */
static bool gather_newest(RunWriter *writer, const RunFrame *frame) {
    RunBodyConstants *newest = &writer->newest;
    const size_t rows = frame->who.rows.count;
    const int64_t last = rows > 0 ? frame->who.identity[rows - 1] : -1;
    const size_t count = last >= writer->known ? (size_t)(last + 1 - writer->known) : 0;
    if (!run_rows_resize(RUN_BODY_CONSTANTS, newest, count)) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        newest->radius[i] = newest->mass[i] = newest->inertia[i] = 0;
        newest->material[i] = newest->frozen[i] = 0;
        newest->shape[i] = -1;
    }
    for (size_t i = rows; i > 0 && frame->who.identity[i - 1] >= writer->known; i--) {
        copy_row(RUN_BODY_CONSTANTS, &frame->body, i - 1, newest,
                 (size_t)(frame->who.identity[i - 1] - writer->known));
    }
    return true;
}

/* Both counts advance: whatever fails after that ends the file. */
static bool write_changing_bodies(RunWriter *writer, const RunFrame *frame) {
    const hsize_t width[2] = {RUN_FLOW_WIDTH, 0}, start = (hsize_t)writer->body_rows;
    if (!append_table(writer, RUN_BODY_CONSTANTS, false, (hsize_t)writer->known, &writer->newest) ||
        !append_table(writer, RUN_BODIES, false, start, &frame->bodies) ||
        !append_table(writer, RUN_IDENTITIES, false, start, &frame->who)) {
        return false;
    }
    writer->known += (int64_t)writer->newest.rows.count;
    writer->body_rows += (int64_t)frame->bodies.rows.count;
    const int64_t entry[RUN_FLOW_WIDTH] = {writer->body_rows, writer->known};
    return append(writer->flow, RUN_TYPE_int64_t, (hsize_t)writer->position.frames, 1, 2, width,
                  entry);
}

/* Before the rows of bodies, if they come and go, as where these begin is where those do. */
static bool write_plates(RunWriter *writer, const RunFrame *frame) {
    const hsize_t at = (hsize_t)writer->position.frames;
    return !writer->plates ||
           (append_table(writer, RUN_WALL_DRIVES, true, at, &frame->drives) &&
            append_table(writer, RUN_HOLDERS, !writer->changing,
                         writer->changing ? (hsize_t)writer->body_rows : at, &frame->holders));
}

/* Likewise. */
static bool write_bonds(RunWriter *writer, const RunFrame *frame) {
    return !writer->bonds ||
           (append_table(writer, RUN_FRAGMENTS, !writer->changing,
                         (hsize_t)(writer->changing ? writer->body_rows : writer->position.frames),
                         &frame->fragments) &&
            append_table(writer, RUN_BONDS, false, (hsize_t)writer->position.contacts,
                         &frame->bonds));
}

static bool write_sizes(RunWriter *writer, const RunFrame *frame) {
    return !writer->growing ||
           append_table(writer, RUN_SIZES, !writer->changing,
                        (hsize_t)(writer->changing ? writer->body_rows : writer->position.frames),
                        &frame->sizes);
}

static bool write_frame(RunWriter *writer, const RunFrame *frame) {
    hsize_t at = (hsize_t)writer->position.frames;
    const hsize_t none[2] = {0, 0};
    return write_pending_steps(writer) && write_pending_records(writer) &&
           write_plates(writer, frame) && write_bonds(writer, frame) &&
           write_sizes(writer, frame) &&
           (writer->changing ? write_changing_bodies(writer, frame)
                             : append_table(writer, RUN_BODIES, true, at, &frame->bodies)) &&
           append_table(writer, RUN_WALLS, true, at, &frame->walls) &&
           append_table(writer, RUN_CONTACTS, false, (hsize_t)writer->position.contacts,
                        &frame->contacts) &&
           append_table(writer, RUN_SEARCH, false, at, &frame->search) &&
           append_table(writer, RUN_CELL, false, at, &frame->cell) &&
           append(writer->time, RUN_TYPE_double, at, 1, 1, none, &frame->time) &&
           append(writer->step, RUN_TYPE_int64_t, at, 1, 1, none, &frame->step) &&
           H5Fflush(writer->file, H5F_SCOPE_GLOBAL) >= 0;
}

bool run_append_frame(RunWriter *writer, const RunFrame *frame, IoError *error) {
    if (writer->failed) {
        return io_error(error, IO_FAILED, "%s: an earlier write failed", writer->path);
    }
    if ((!writer->changing && frame->bodies.rows.count != writer->body_count) ||
        frame->walls.rows.count != writer->wall_count) {
        return io_error(error, IO_FAILED,
                        "%s: the numbers of bodies and walls of a run cannot change", writer->path);
    }
    if (writer->plates && (frame->drives.rows.count != writer->wall_count ||
                           frame->holders.rows.count != frame->bodies.rows.count)) {
        return io_error(error, IO_FAILED, "%s: a frame must say what walls hold", writer->path);
    }
    if (writer->bonds && (frame->fragments.rows.count != frame->bodies.rows.count ||
                          frame->bonds.rows.count != frame->contacts.rows.count)) {
        return io_error(error, IO_FAILED, "%s: a frame must say what is bonded", writer->path);
    }
    if (writer->growing && frame->sizes.rows.count != frame->bodies.rows.count) {
        return io_error(error, IO_FAILED, "%s: a frame must say how large bodies are",
                        writer->path);
    }
    if (writer->changing && !gather_newest(writer, frame)) {
        return io_no_memory(error, writer->path);
    }
    if (!write_frame(writer, frame)) {
        return fail(writer, error);
    }
    /* The data are on their way to disk: now the frame may become visible. */
    const hsize_t width[2] = {RUN_INDEX_WIDTH, 0};
    int64_t contacts = writer->position.contacts + (int64_t)frame->contacts.rows.count;
    const int64_t entry[RUN_INDEX_WIDTH] = {contacts, writer->position.steps,
                                            writer->position.frames + 1};
    if (!append(writer->index, RUN_TYPE_int64_t, (hsize_t)writer->position.frames, 1, 2, width,
                entry) ||
        H5Dflush(writer->index) < 0) {
        return fail(writer, error);
    }
    writer->position.contacts = contacts;
    writer->position.frames++;
    return true;
}

bool run_flush(RunWriter *writer, RunPosition *position, IoError *error) {
    if (writer->failed) {
        return io_error(error, IO_FAILED, "%s: an earlier write failed", writer->path);
    }
    if (!write_pending_steps(writer) || !write_pending_records(writer) ||
        H5Fflush(writer->file, H5F_SCOPE_GLOBAL) < 0) {
        return fail(writer, error);
    }
    void *handle = NULL;
    if (H5Fget_vfd_handle(writer->file, H5P_DEFAULT, &handle) >= 0 && fsync(*(int *)handle) != 0 &&
        errno != EINVAL && errno != EROFS) {
        writer->failed = true;
        return io_error(error, IO_FAILED, "%s: cannot sync the run file to disk: %s", writer->path,
                        strerror(errno));
    }
    *position = writer->position;
    return true;
}

bool run_save_records(const RunWriter *writer, RunSaved *saved) {
    void *handle = NULL;
    if (H5Fget_vfd_handle(writer->file, H5P_DEFAULT, &handle) < 0) {
        *saved = (RunSaved){0};
        return true;
    }
    return run_pages_save(writer->pages, *(int *)handle, writer->mark, saved);
}

RunPosition run_position(const RunWriter *writer) {
    return writer->position;
}

/* ---------------------------------------------------------------- beginning and end */

static void free_writer(RunWriter *writer) {
    run_rows_free(RUN_STEPS, &writer->pending);
    run_rows_free(RUN_RECORDS, &writer->pending_records);
    run_rows_free(RUN_GATE_ROWS, &writer->pending_gates);
    run_rows_free(RUN_BODY_CONSTANTS, &writer->newest);
    if (!writer->failed) { /* HDF5 holds a file that it could not write, and may try again */
        run_pages_free(writer->pages);
    }
    free(writer->path);
    free(writer);
}

RunWriter *run_writer_new(const char *path, const RunHeader *header) {
    RunWriter *writer = calloc(1, sizeof *writer);
    if (writer == NULL) {
        return NULL;
    }
    writer->file = H5I_INVALID_HID;
    writer->pages = run_pages_new();
    writer->mark = io_unique_number();
    writer->path = strdup(path);
    writer->body_count = header->body.rows.count;
    writer->wall_count = header->wall.rows.count;
    writer->measured = header->series.count > 0;
    writer->changing = header->changing;
    writer->plates = header->plates;
    writer->bonds = header->bonds;
    writer->growing = header->growing;
    writer->gates = header->gates.count;
    if (writer->path == NULL || writer->pages == NULL) {
        free_writer(writer);
        return NULL;
    }
    return writer;
}

/* Tells other processes that the file is being written; where locks do not work, they learn
 * nothing. */
static void mark_as_written(RunWriter *writer) {
    void *handle = NULL;
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = 0, .l_len = 1};
    if (H5Fget_vfd_handle(writer->file, H5P_DEFAULT, &handle) >= 0) {
        (void)fcntl(*(int *)handle, F_SETLK, &lock);
    }
}

/* No piece of the file's own metadata may lie across two memory pages. The system carries out a
 * write page by page and checks in between whether the program is being killed: a piece across a
 * boundary could be left half written, and its dataset lost. Metadata live in pages of the file, so
 * they stay within one. */
static hid_t creation_in_pages(void) {
    hid_t creation = H5Pcreate(H5P_FILE_CREATE);
    if (creation >= 0 &&
        (H5Pset_file_space_strategy(creation, H5F_FSPACE_STRATEGY_PAGE, false, 1) < 0 ||
         H5Pset_file_space_page_size(creation, RUN_PAGE_SIZE) < 0)) {
        H5Pclose(creation);
        creation = H5I_INVALID_HID;
    }
    return creation;
}

bool run_writer_make(RunWriter *writer, const RunHeader *header, size_t steps_per_frame,
                     IoError *error) {
    writer->aside = io_aside_named(writer->path, error);
    if (writer->aside == NULL) {
        return false;
    }
    hid_t access = hdf5_access(), creation = creation_in_pages();
    if (creation >= 0 && run_pages_watch(writer->pages, access, writer->aside)) {
        writer->file = H5Fcreate(writer->aside, H5F_ACC_TRUNC, creation, access);
    }
    if (writer->file < 0) { /* reported before anything else erases HDF5's account of it */
        hdf5_error(error, IO_FAILED, writer->path, "cannot create the run file");
    }
    if (creation >= 0) {
        H5Pclose(creation);
    }
    H5Pclose(access);
    if (writer->file < 0) {
        return false;
    }
    return run_create_content(writer, header, choose_chunks(writer, steps_per_frame), error);
}

bool run_writer_start(RunWriter *writer, IoError *error) {
    return (H5Fstart_swmr_write(writer->file) >= 0 ||
            hdf5_error(error, IO_FAILED, writer->path, "cannot start the run file")) &&
           (H5Fflush(writer->file, H5F_SCOPE_GLOBAL) >= 0 ||
            hdf5_error(error, IO_FAILED, writer->path, "cannot write the run file"));
}

bool run_writer_publish(RunWriter *writer, IoError *error) {
    char *aside = writer->aside;
    mark_as_written(writer);
    writer->aside = NULL;
    if (!io_in_place(aside, writer->path, true, error)) {
        return false;
    }
    io_sync_folder(writer->path);
    return true;
}

void run_writer_discard(RunWriter *writer) {
    if (writer->file >= 0) {
        H5Fclose(writer->file);
    }
    if (writer->aside != NULL) {
        (void)io_in_place(writer->aside, writer->path, false, NULL);
    }
    free_writer(writer);
}

RunWriter *run_create(const char *path, const RunHeader *header, size_t steps_per_frame,
                      IoError *error) {
    hdf5_quiet();
    RunWriter *writer = run_writer_new(path, header);
    if (writer == NULL) {
        io_no_memory(error, path);
        return NULL;
    }
    if (!run_writer_make(writer, header, steps_per_frame, error) ||
        !run_writer_start(writer, error) || !run_writer_publish(writer, error)) {
        run_writer_discard(writer);
        return NULL;
    }
    return writer;
}

bool run_close(RunWriter *writer, RunEnding ending, IoError *error) {
    if (writer == NULL) {
        return true;
    }
    bool ok = !writer->failed;
    int32_t code = (int32_t)ending;
    const hsize_t none[2] = {0, 0};
    if (ok && (!write_pending_steps(writer) || !write_pending_records(writer) ||
               H5Fflush(writer->file, H5F_SCOPE_GLOBAL) < 0 ||
               !append(writer->ending, RUN_TYPE_int32_t, 0, 1, 1, none, &code))) {
        ok = fail(writer, error);
    }
    /* A file that could not be written is left as a kill would have left it. Closing it would mark
     * it as whole, and it would be refused because of the page missing at its end. */
    if (ok && H5Fclose(writer->file) < 0) {
        ok = fail(writer, error);
    }
    free_writer(writer);
    return ok;
}
