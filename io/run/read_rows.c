/* The rows of an open run file: frames, steps, records, gates. */
#include "io/run/reader.h"

#include <string.h>

/* Numbers of bodies and walls are used as indices later. */
static bool check_contacts(const RunReader *reader, const RunFrame *frame, IoError *error) {
    const RunContacts *contacts = &frame->contacts;
    int64_t bodies = (int64_t)frame->bodies.rows.count;
    int64_t walls = (int64_t)reader->header.wall.rows.count;
    for (size_t i = 0; i < contacts->rows.count; i++) {
        int64_t a = contacts->a[i], b = contacts->b[i];
        if (a < 0 || a >= bodies || b >= bodies || -1 - b >= walls) {
            return run_damaged(reader, "numbers of bodies in contact", error);
        }
    }
    return true;
}

/* Where cohesion was unknown there are no bonds. */
static void note_no_bonds(const RunReader *reader, RunContacts *contacts) {
    for (size_t i = 0; reader->header.version == 1 && i < contacts->rows.count; i++) {
        contacts->opening[i] = -1;
    }
}

/* Which bodies the rows of a frame are. */
static bool read_identities(RunReader *reader, size_t first, RunFrame *into, IoError *error) {
    const size_t count = into->bodies.rows.count;
    if (reader->flow != NULL) {
        return run_read_table(reader, RUN_IDENTITIES, false, first, count, &into->who, error);
    }
    if (!run_rows_resize(RUN_IDENTITIES, &into->who, count)) {
        return io_no_memory(error, reader->path);
    }
    for (size_t i = 0; i < count; i++) {
        into->who.identity[i] = (int32_t)i;
    }
    return true;
}

/* The constants of the bodies of a frame, from those of all. */
static bool gather_constants(RunReader *reader, RunFrame *into, IoError *error) {
    const RunBodyConstants *all = &reader->header.body;
    const RunTable *table = run_table(RUN_BODY_CONSTANTS);
    int64_t last = -1;
    if (!run_rows_resize(RUN_BODY_CONSTANTS, &into->body, into->who.rows.count)) {
        return io_no_memory(error, reader->path);
    }
    for (size_t i = 0; i < into->who.rows.count; i++) {
        const int32_t identity = into->who.identity[i];
        if (identity <= last || (size_t)identity >= all->rows.count) {
            return run_damaged(reader, "frames/bodies/identity", error);
        }
        last = identity;
    }
    for (int k = 0; k < table->field_count; k++) {
        const RunField *field = &table->fields[k];
        const size_t size = run_type_size(field->type) * (size_t)field->width;
        const char *from = run_rows_field(all, field);
        char *to = run_rows_field(&into->body, field);
        for (size_t i = 0; i < into->who.rows.count; i++) {
            memcpy(to + i * size, from + (size_t)into->who.identity[i] * size, size);
        }
    }
    return true;
}

/* Numbers of walls are used as indices later. Older files do not say who is held, and what moves walls
 * only of their start. */
static bool read_plates(RunReader *reader, size_t frame, size_t first, RunFrame *into,
                        IoError *error) {
    const size_t bodies = into->bodies.rows.count, walls = reader->header.wall.rows.count;
    if (!reader->header.plates) {
        into->holders.rows.count = into->drives.rows.count = 0;
        return true;
    }
    if (!run_read_table(reader, RUN_WALL_DRIVES, true, frame, walls, &into->drives, error) ||
        !run_read_table(reader, RUN_HOLDERS, reader->flow == NULL, first, bodies, &into->holders,
                        error)) {
        return false;
    }
    for (size_t i = 0; i < bodies; i++) {
        const int32_t holder = into->holders.holder[i];
        if (holder < -1 || (holder >= 0 && (size_t)holder >= walls)) {
            return run_damaged(reader, "frames/bodies/holder", error);
        }
    }
    return true;
}

/* How large bodies are in the frame, also in the place of their constants. */
static bool read_sizes(RunReader *reader, size_t first, RunFrame *into, IoError *error) {
    const size_t bodies = into->bodies.rows.count;
    if (!reader->header.growing) {
        into->sizes.rows.count = 0;
        return true;
    }
    if (!run_read_table(reader, RUN_SIZES, reader->flow == NULL, first, bodies, &into->sizes,
                        error)) {
        return false;
    }
    for (size_t i = 0; i < bodies; i++) {
        into->body.radius[i] = into->sizes.radius[i];
        into->body.mass[i] = into->sizes.mass[i];
        into->body.inertia[i] = into->sizes.inertia[i];
    }
    return true;
}

/* A fragment is named by the lowest of its bodies. */
static bool read_fragments(RunReader *reader, size_t first, RunFrame *into, IoError *error) {
    const size_t bodies = into->bodies.rows.count;
    if (!reader->header.bonds) {
        into->fragments.rows.count = 0;
        return true;
    }
    if (!run_read_table(reader, RUN_FRAGMENTS, reader->flow == NULL, first, bodies,
                        &into->fragments, error)) {
        return false;
    }
    for (size_t i = 0; i < bodies; i++) {
        if (into->fragments.fragment[i] < 0 ||
            into->fragments.fragment[i] > into->who.identity[i]) {
            return run_damaged(reader, "frames/bodies/fragment", error);
        }
    }
    return true;
}

static bool read_bonds(RunReader *reader, size_t frame, RunFrame *into, IoError *error) {
    if (!reader->header.bonds) {
        into->bonds.rows.count = 0;
        return true;
    }
    return run_read_table(reader, RUN_BONDS, false, (size_t)run_contacts_before(reader, frame),
                          run_frame_contacts(reader, frame), &into->bonds, error);
}

static bool read_frame_bodies(RunReader *reader, size_t frame, RunFrame *into, IoError *error) {
    size_t first = frame, count = reader->header.body.rows.count;
    if (reader->flow != NULL) {
        first = frame > 0 ? (size_t)reader->flow[RUN_FLOW_WIDTH * (frame - 1)] : 0;
        count = (size_t)reader->flow[RUN_FLOW_WIDTH * frame] - first;
    }
    return run_read_table(reader, RUN_BODIES, reader->flow == NULL, first, count, &into->bodies,
                          error) &&
           read_identities(reader, first, into, error) && gather_constants(reader, into, error) &&
           read_plates(reader, frame, first, into, error) &&
           read_sizes(reader, first, into, error) && read_fragments(reader, first, into, error);
}

bool run_read_gates(RunReader *reader, size_t first, size_t steps, RunGateRows *into,
                    IoError *error) {
    const size_t gates = reader->header.gates.count;
    if (first > reader->steps_on_disk || steps > reader->steps_on_disk - first) {
        return io_error(error, IO_BAD_FILE, "%s: has no step %zu, only %zu", reader->path,
                        first + steps, reader->steps_on_disk);
    }
    return run_read_table(reader, RUN_GATE_ROWS, false, first * gates, steps * gates, into, error);
}

bool run_read_frame(RunReader *reader, size_t frame, RunFrame *into, IoError *error) {
    if (frame >= reader->frame_count) {
        return io_error(error, IO_BAD_FILE, "%s: has no frame %zu, only %zu", reader->path, frame,
                        reader->frame_count);
    }
    into->time = reader->time[frame];
    into->step = reader->step[frame];
    if (!read_frame_bodies(reader, frame, into, error) ||
        !run_read_table(reader, RUN_WALLS, true, frame, reader->header.wall.rows.count,
                        &into->walls, error) ||
        !run_read_table(reader, RUN_CONTACTS, false, (size_t)run_contacts_before(reader, frame),
                        run_frame_contacts(reader, frame), &into->contacts, error) ||
        !read_bonds(reader, frame, into, error) ||
        !run_read_table(reader, RUN_SEARCH, false, frame, 1, &into->search, error) ||
        !run_read_table(reader, RUN_CELL, false, frame, 1, &into->cell, error)) {
        return false;
    }
    note_no_bonds(reader, &into->contacts);
    return check_contacts(reader, into, error);
}

bool run_read_steps(RunReader *reader, size_t first, size_t count, RunSteps *into, IoError *error) {
    if (first > reader->steps_on_disk || count > reader->steps_on_disk - first) {
        return io_error(error, IO_BAD_FILE, "%s: has no step %zu, only %zu", reader->path,
                        first + count, reader->steps_on_disk);
    }
    return run_read_table(reader, RUN_STEPS, false, first, count, into, error);
}

bool run_walk(RunWalk *walk, ScreeReport *report, IoError *error) {
    enum { BLOCK = 4096 };
    if (walk->next >= walk->end || walk->failed) {
        return false;
    }
    if (walk->next >= walk->block + walk->steps.rows.count) {
        size_t left = walk->end - walk->next;
        walk->block = walk->next;
        walk->failed = !run_read_steps(walk->reader, walk->next, left < BLOCK ? left : BLOCK,
                                       &walk->steps, error);
        if (walk->failed) {
            return false;
        }
    }
    *report = run_steps_get(&walk->steps, walk->next++ - walk->block);
    return true;
}

bool run_walk_end(RunWalk *walk) {
    run_rows_free(RUN_STEPS, &walk->steps);
    return !walk->failed;
}

size_t run_record_count(const RunReader *reader) {
    return reader->record_count;
}

size_t run_records_on_disk(const RunReader *reader) {
    return reader->records_on_disk;
}

bool run_read_records(RunReader *reader, size_t first, size_t count, RunRecords *into,
                      IoError *error) {
    if (first > reader->records_on_disk || count > reader->records_on_disk - first) {
        return io_error(error, IO_BAD_FILE, "%s: has no record %zu, only %zu", reader->path,
                        first + count, reader->records_on_disk);
    }
    if (!run_read_table(reader, RUN_RECORDS, false, first, count, into, error)) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        if (into->series[i] < 0 || (size_t)into->series[i] >= reader->header.series.count) {
            return run_damaged(reader, "measures/rows/series", error);
        }
    }
    return true;
}
