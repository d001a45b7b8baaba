/* Opens a run file and reads its rows, up to the last complete frame. */
#include "io/run/reader.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---------------------------------------------------------------- opening */

/* What can be said without HDF5 is better said in our own words. */
static bool check_kind(RunReader *reader, IoError *error) {
    static const char signature[8] = "\211HDF\r\n\032\n";
    const char *path = reader->path;
    struct stat about;
    FILE *file = io_open(path);
    if (file == NULL || fstat(fileno(file), &about) != 0) {
        int reason = errno;
        if (file != NULL) {
            fclose(file);
        }
        return io_error(error, IO_BAD_FILE, "%s: cannot open: %s", path, strerror(reason));
    }
    char begin[8] = {0};
    size_t got = S_ISREG(about.st_mode) ? fread(begin, 1, sizeof begin, file) : 0;
    fclose(file);
    reader->file_size = (int64_t)about.st_size;
    if (!S_ISREG(about.st_mode)) {
        return io_error(error, IO_BAD_FILE, "%s: is not a regular file", path);
    }
    if (about.st_size == 0) {
        return io_error(error, IO_BAD_FILE, "%s: is empty", path);
    }
    if (got < sizeof begin || memcmp(begin, signature, sizeof begin) != 0) {
        return io_error(error, IO_BAD_FILE, "%s: is not a run of scree (not an HDF5 file)", path);
    }
    return true;
}

static bool open_file(RunReader *reader, IoError *error) {
    hid_t access = hdf5_access();
    reader->file = H5Fopen(reader->path, H5F_ACC_RDONLY | H5F_ACC_SWMR_READ, access);
    if (reader->file < 0) { /* files of other programs may be too old for this mode */
        reader->file = H5Fopen(reader->path, H5F_ACC_RDONLY, access);
    }
    bool ok = reader->file >= 0 ||
              hdf5_error(error, IO_BAD_FILE, reader->path, "the file is damaged or truncated");
    H5Pclose(access);
    return ok;
}

/* Files without bonds need not count them: they have both of these columns, or neither. Those in which
 * no body grows need not tell its work. */
static bool is_uncounted(const RunReader *reader, const char *name) {
    if (strcmp(name, "steps/work_growth") == 0) {
        return reader->header.version < RUN_GROWTH_VERSION;
    }
    static const char *const count[2] = {"steps/glued", "steps/broken"};
    return reader->header.version < RUN_BONDS_VERSION &&
           (strcmp(name, count[0]) == 0 || strcmp(name, count[1]) == 0) &&
           H5Lexists(reader->file, count[0], H5P_DEFAULT) <= 0 &&
           H5Lexists(reader->file, count[1], H5P_DEFAULT) <= 0;
}

/* A column that was added in a later version of the format than the file's. Contacts and steps have
 * grown this way, but have always had their first columns; the search and the cell had none. */
static bool came_later(const RunReader *reader, RunTableId id, int column, const char *name) {
    bool grown = column > 0 && (id == RUN_CONTACTS || id == RUN_STEPS);
    bool older = reader->header.version < RUN_STEADY_VERSION &&
                 (grown || id == RUN_SEARCH || id == RUN_CELL);
    return (older || is_uncounted(reader, name)) &&
           H5Lexists(reader->file, name, H5P_DEFAULT) <= 0; /* negative when its group is missing */
}

/* Opens all columns of a table; *least receives the least number of rows among them. */
static bool open_table(RunReader *reader, RunTableId id, bool per_frame, hsize_t rows,
                       hsize_t *least, IoError *error) {
    const RunTable *table = run_table(id);
    for (int i = 0; i < table->field_count; i++) {
        const RunField *field = &table->fields[i];
        char name[96];
        snprintf(name, sizeof name, "%s/%s", table->group, field->name);
        hsize_t width = (hsize_t)field->width, length = 0;
        hsize_t other[2] = {per_frame ? rows : width, width};
        int rank = 1 + (per_frame ? 1 : 0) + (field->width > 1 ? 1 : 0);
        if (came_later(reader, id, i, name)) {
            reader->column[id][i] = H5I_INVALID_HID;
            continue;
        }
        hid_t data = run_open_dataset(reader, name, rank, other, &length, error);
        if (data < 0) {
            return false;
        }
        reader->column[id][i] = data;
        *least = length < *least ? length : *least;
    }
    return true;
}

static bool read_block(hid_t data, hid_t type, int rank, const hsize_t *begin, const hsize_t *block,
                       void *into) {
    hid_t memory = H5Screate_simple(rank, block, NULL);
    hid_t space = H5Dget_space(data);
    bool ok = memory >= 0 && space >= 0 &&
              H5Sselect_hyperslab(space, H5S_SELECT_SET, begin, NULL, block, NULL) >= 0 &&
              H5Dread(data, type, memory, space, H5P_DEFAULT, into) >= 0;
    if (ok) { /* on failure HDF5's account of the error must survive */
        H5Sclose(space);
        H5Sclose(memory);
    }
    return ok;
}

bool run_read_table(RunReader *reader, RunTableId id, bool per_frame, size_t first, size_t count,
                    void *rows, IoError *error) {
    const RunTable *table = run_table(id);
    if (!run_plausible(reader, count, 8, error)) {
        return false;
    }
    if (!run_rows_resize(id, rows, count)) {
        return io_no_memory(error, reader->path);
    }
    for (int i = 0; i < table->field_count && count > 0; i++) {
        const RunField *field = &table->fields[i];
        hsize_t width = (hsize_t)field->width;
        hsize_t begin[3] = {first, 0, 0};
        hsize_t block[3] = {per_frame ? 1 : count, per_frame ? count : width, width};
        int rank = 1 + (per_frame ? 1 : 0) + (field->width > 1 ? 1 : 0);
        if (reader->column[id][i] == H5I_INVALID_HID) {
            memset(run_rows_field(rows, field), 0,
                   count * (size_t)field->width * run_type_size(field->type));
            continue;
        }
        if (!run_on_disk(reader, reader->column[id][i], rank, begin, block)) {
            return run_damaged(reader, "a part of it is missing", error);
        }
        if (!read_block(reader->column[id][i], run_memory_type(field->type), rank, begin, block,
                        run_rows_field(rows, field))) {
            return hdf5_error(error, IO_BAD_FILE, reader->path,
                              "the run file is damaged or truncated");
        }
    }
    return true;
}

/* The first rows of a small dataset: at most *length, and no more than were ever written. */
static bool read_first(RunReader *reader, const char *name, hid_t type, size_t width,
                       hsize_t *length, void **into, IoError *error) {
    const hsize_t other = width, begin[2] = {0, 0};
    int rank = width > 1 ? 2 : 1;
    hsize_t rows = 0;
    hid_t data = run_open_dataset(reader, name, rank, &other, &rows, error);
    if (data < 0) {
        return false;
    }
    *length = rows < *length ? rows : *length;
    run_clip_unwritten(data, rank, length);
    const hsize_t block[2] = {*length, width};
    bool ok = run_plausible(reader, *length, 8 * width, error);
    if (ok) {
        *into = calloc((size_t)*length + 1, 8 * width);
        ok = *into != NULL || io_no_memory(error, reader->path);
    }
    if (ok && *length > 0 && !run_on_disk(reader, data, rank, begin, block)) {
        ok = run_damaged(reader, name, error);
    }
    if (ok && *length > 0 && !read_block(data, type, rank, begin, block, *into)) {
        ok = hdf5_error(error, IO_BAD_FILE, reader->path, "the run file is damaged or truncated");
    }
    H5Dclose(data);
    return ok;
}

/* Rows that are there of what frames refer to. */
typedef struct Lengths {
    hsize_t frames, contacts, steps, bodies, known, gates;
} Lengths;

/* Whether the bodies of a frame are there. They rise like all that is counted up to a frame. */
static bool has_bodies(const RunReader *reader, size_t frame, const Lengths *length,
                       bool *damaged) {
    if (reader->flow == NULL) {
        return true;
    }
    const int64_t *now = &reader->flow[RUN_FLOW_WIDTH * frame];
    const int64_t *last = frame > 0 ? now - RUN_FLOW_WIDTH : (const int64_t[RUN_FLOW_WIDTH]){0};
    *damaged = now[0] < last[0] || now[1] < last[1];
    return (hsize_t)now[0] <= length->bodies && (hsize_t)now[1] <= length->known;
}

/* Number of complete frames: those with an entry and with data. */
static bool count_frames(RunReader *reader, hsize_t most, const Lengths *length, IoError *error) {
    int64_t last[2] = {0, 0};
    size_t count = 0;
    bool damaged = false;
    for (; count < most; count++) {
        const int64_t *entry = &reader->index[RUN_INDEX_WIDTH * count];
        if (entry[2] == 0) {
            break; /* the file has room for the entry, but it was not written */
        }
        if (entry[0] < last[0] || entry[1] < last[1] || entry[2] != (int64_t)count + 1) {
            return run_damaged(reader, "frames/index", error);
        }
        if ((hsize_t)entry[0] > length->contacts || (hsize_t)entry[1] > length->steps ||
            !has_bodies(reader, count, length, &damaged)) {
            break;
        }
        if (damaged) {
            return run_damaged(reader, "frames/flow", error);
        }
        last[0] = entry[0];
        last[1] = entry[1];
    }
    reader->frame_count = count;
    reader->step_count = (size_t)last[1];
    reader->steps_on_disk = (size_t)length->steps;
    return true;
}

static bool clip_frames(RunReader *reader, const Lengths *lengths, IoError *error) {
    void *index = NULL, *time = NULL, *step = NULL, *flow = NULL;
    hsize_t length = lengths->frames;
    bool ok = read_first(reader, "frames/index", H5T_NATIVE_INT64, RUN_INDEX_WIDTH, &length, &index,
                         error);
    reader->index = index;
    if (ok && reader->header.changing) {
        ok = read_first(reader, "frames/flow", H5T_NATIVE_INT64, RUN_FLOW_WIDTH, &length, &flow,
                        error);
        reader->flow = flow;
    }
    if (!ok || !count_frames(reader, length, lengths, error)) {
        return false;
    }
    hsize_t times = reader->frame_count, numbers = reader->frame_count;
    ok = read_first(reader, "frames/time", H5T_NATIVE_DOUBLE, 1, &times, &time, error) &&
         read_first(reader, "frames/step", H5T_NATIVE_INT64, 1, &numbers, &step, error);
    reader->time = time;
    reader->step = step;
    return ok && ((times == reader->frame_count && numbers == reader->frame_count) ||
                  run_damaged(reader, "frames/time", error));
}

/* Records are on disk before the frame that follows them. */
static bool clip_records(RunReader *reader, IoError *error) {
    hsize_t rows = HSIZE_UNDEF;
    void *steps = NULL;
    if (reader->header.series.count == 0) {
        return true;
    }
    if (!open_table(reader, RUN_RECORDS, false, 0, &rows, error) ||
        !read_first(reader, "measures/rows/step", H5T_NATIVE_INT64, 1, &rows, &steps, error)) {
        free(steps);
        return false;
    }
    int64_t last = reader->frame_count > 0 ? reader->step[reader->frame_count - 1] : -1;
    const int64_t *step = steps;
    reader->records_on_disk = (size_t)rows;
    while (reader->record_count < rows && step[reader->record_count] <= last) {
        reader->record_count++;
    }
    free(steps);
    return true;
}

static bool read_ending(RunReader *reader, IoError *error) {
    hsize_t length = 0;
    int32_t code = 0;
    hid_t data = run_open_dataset(reader, "ending", 1, NULL, &length, error);
    if (data < 0) {
        return false;
    }
    if (length == 1) {
        H5Dread(data, H5T_NATIVE_INT32, H5S_ALL, H5S_ALL, H5P_DEFAULT, &code);
    }
    H5Dclose(data);
    reader->ending = code >= 0 && code < RUN_ENDING_COUNT ? (RunEnding)code : RUN_OPEN;
    return true;
}

/* What moves walls, and who is held. */
static bool open_plates(RunReader *reader, Lengths *length, IoError *error) {
    const RunHeader *header = &reader->header;
    const bool changing = header->changing;
    return !header->plates ||
           (open_table(reader, RUN_WALL_DRIVES, true, header->wall.rows.count, &length->frames,
                       error) &&
            open_table(reader, RUN_HOLDERS, !changing, changing ? 0 : header->body.rows.count,
                       changing ? &length->bodies : &length->frames, error));
}

/* How large bodies are. */
static bool open_sizes(RunReader *reader, Lengths *length, IoError *error) {
    const RunHeader *header = &reader->header;
    const bool changing = header->changing;
    return !header->growing ||
           open_table(reader, RUN_SIZES, !changing, changing ? 0 : header->body.rows.count,
                      changing ? &length->bodies : &length->frames, error);
}

/* What is bonded. */
static bool open_bonds(RunReader *reader, Lengths *length, IoError *error) {
    const RunHeader *header = &reader->header;
    const bool changing = header->changing;
    return !header->bonds ||
           (open_table(reader, RUN_FRAGMENTS, !changing, changing ? 0 : header->body.rows.count,
                       changing ? &length->bodies : &length->frames, error) &&
            open_table(reader, RUN_BONDS, false, 0, &length->contacts, error));
}

static bool open_bodies(RunReader *reader, Lengths *length, IoError *error) {
    if (!reader->header.changing) {
        return open_table(reader, RUN_BODIES, true, reader->header.body.rows.count, &length->frames,
                          error);
    }
    return open_table(reader, RUN_BODIES, false, 0, &length->bodies, error) &&
           open_table(reader, RUN_IDENTITIES, false, 0, &length->bodies, error) &&
           open_table(reader, RUN_BODY_CONSTANTS, false, 0, &length->known, error);
}

/* As many rows as gates for each step. */
static bool open_gates(RunReader *reader, Lengths *length, IoError *error) {
    const size_t gates = reader->header.gates.count;
    if (gates == 0) {
        return true;
    }
    bool ok = open_table(reader, RUN_GATE_ROWS, false, 0, &length->gates, error);
    length->steps = length->gates / gates < length->steps ? length->gates / gates : length->steps;
    return ok;
}

/* The constants of all bodies that the frames refer to. */
static bool read_bodies(RunReader *reader, IoError *error) {
    if (reader->flow == NULL) {
        return true;
    }
    const size_t last = reader->frame_count;
    const int64_t known = last > 0 ? reader->flow[RUN_FLOW_WIDTH * (last - 1) + 1] : 0;
    return run_read_table(reader, RUN_BODY_CONSTANTS, false, 0, (size_t)known, &reader->header.body,
                          error) &&
           run_check_bodies(reader, error);
}

/* Lengths of the data are taken first and the index after them, but the data are read last:
 * whatever the index names was on disk before, even while the run goes on. */
static bool open_content(RunReader *reader, IoError *error) {
    Lengths length = {HSIZE_UNDEF, HSIZE_UNDEF, HSIZE_UNDEF, HSIZE_UNDEF, HSIZE_UNDEF, HSIZE_UNDEF};
    return run_read_header(reader, error) && open_bodies(reader, &length, error) &&
           open_table(reader, RUN_WALLS, true, reader->header.wall.rows.count, &length.frames,
                      error) &&
           open_plates(reader, &length, error) && open_sizes(reader, &length, error) &&
           open_table(reader, RUN_CONTACTS, false, 0, &length.contacts, error) &&
           open_bonds(reader, &length, error) &&
           open_table(reader, RUN_STEPS, false, 0, &length.steps, error) &&
           open_gates(reader, &length, error) &&
           open_table(reader, RUN_SEARCH, false, 0, &length.frames, error) &&
           open_table(reader, RUN_CELL, false, 0, &length.frames, error) &&
           clip_frames(reader, &length, error) && read_bodies(reader, error) &&
           clip_records(reader, error) && read_ending(reader, error);
}

RunReader *run_open(const char *path, IoError *error) {
    hdf5_quiet();
    RunReader *reader = calloc(1, sizeof *reader);
    if (reader == NULL || (reader->path = strdup(path)) == NULL) {
        free(reader);
        io_no_memory(error, path);
        return NULL;
    }
    reader->file = H5I_INVALID_HID;
    if (!check_kind(reader, error) || !open_file(reader, error) || !open_content(reader, error)) {
        run_reader_free(reader);
        return NULL;
    }
    return reader;
}

void run_reader_free(RunReader *reader) {
    if (reader == NULL) {
        return;
    }
    if (reader->file >= 0) {
        H5Fclose(reader->file); /* and all that is open in it */
    }
    run_header_free(&reader->header);
    free(reader->time);
    free(reader->step);
    free(reader->index);
    free(reader->flow);
    free(reader->path);
    free(reader);
}

void run_library_close(void) {
    H5close();
}

/* ---------------------------------------------------------------- what is there */

const RunHeader *run_header(const RunReader *reader) {
    return &reader->header;
}

RunEnding run_ending(const RunReader *reader) {
    return reader->ending;
}

size_t run_frame_count(const RunReader *reader) {
    return reader->frame_count;
}

double run_frame_time(const RunReader *reader, size_t frame) {
    return reader->time[frame];
}

int64_t run_frame_step(const RunReader *reader, size_t frame) {
    return reader->step[frame];
}

int64_t run_contacts_before(const RunReader *reader, size_t frame) {
    return frame > 0 ? reader->index[RUN_INDEX_WIDTH * (frame - 1)] : 0;
}

size_t run_frame_contacts(const RunReader *reader, size_t frame) {
    return (size_t)(reader->index[RUN_INDEX_WIDTH * frame] - run_contacts_before(reader, frame));
}

int64_t run_frame_steps(const RunReader *reader, size_t frame) {
    return reader->index[RUN_INDEX_WIDTH * frame + 1];
}

size_t run_step_count(const RunReader *reader) {
    return reader->step_count;
}
