/* Run files through the public header, for programs that step worlds themselves. */
#include "io/aside.h"
#include "io/run/checkpoint.h"
#include "io/run/lock.h"
#include "io/run/record_series.h"

#include <scree/scree.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* In the place of the hash of a scene: a programme moved the world, and it is not in the file. */
enum { DRIVEN = 1 };

struct ScreeRecord {
    RunWriter *writer;
    RunLock lock;
    char *checkpoint;    /* name of the file */
    uint64_t identity;   /* of the run */
    uint64_t scene_hash; /* 0: the world alone was recorded */
    RunFrame frame;
    RecordSeries series;
    size_t bodies, walls;
    int64_t identities; /* when the recording began */
    bool changing, bare;
    bool failed; /* then nothing more is written */
};

static ScreeStatus fail(char *message, ScreeStatus status, const char *text) {
    if (message != NULL) {
        snprintf(message, SCREE_FILE_MESSAGE_SIZE, "%s", text);
    }
    return status;
}

static ScreeStatus fail_of(const IoError *error, char *message) {
    return fail(message, SCREE_BAD_ARGUMENT, error->text);
}

/* Opens the file, whose name is locked. */
static ScreeStatus begin(ScreeRecord *made, const char *path, const ScreeWorld *world,
                         const ScreeRecordNames *names, char *message) {
    RunHeader header;
    IoError error = {0};
    memset(&header, 0, sizeof header);
    const bool filled =
        run_announce(world, names, &header) && record_series_begin(&made->series, &header);
    header.identity = io_unique_number();
    if (filled) {
        made->writer = run_create(path, &header, 1, &error);
    }
    made->bodies = header.body.rows.count;
    made->walls = header.wall.rows.count;
    made->identities = scree_world_get_identity_count(world);
    made->changing = header.changing;
    made->bare = names != NULL && names->bare;
    made->identity = header.identity;
    made->scene_hash = names != NULL && names->driven ? DRIVEN : 0;
    run_header_free(&header);
    if (!filled) {
        return fail(message, SCREE_NO_MEMORY, "out of memory");
    }
    return made->writer != NULL ? SCREE_OK : fail_of(&error, message);
}

static void discard(ScreeRecord *record) {
    run_unlock(&record->lock);
    run_frame_free(&record->frame);
    record_series_free(&record->series);
    free(record->checkpoint);
    free(record);
}

static bool are_periods(const ScreeRecordNames *names) {
    for (size_t i = 0; names != NULL && i < names->series_count; i++) {
        if (names->series[i].every < 1) {
            return false;
        }
    }
    return true;
}

ScreeStatus scree_record_create(const char *path, const ScreeWorld *world,
                                const ScreeRecordNames *names, ScreeRecord **record,
                                char *message) {
    IoError error = {0};
    *record = NULL;
    if (!are_periods(names)) {
        return fail(message, SCREE_BAD_ARGUMENT, "a series is measured every 1 or more steps");
    }
    ScreeRecord *made = calloc(1, sizeof *made);
    if (made == NULL) {
        return fail(message, SCREE_NO_MEMORY, "out of memory");
    }
    made->checkpoint = checkpoint_path(path);
    ScreeStatus status = made->checkpoint == NULL ? fail(message, SCREE_NO_MEMORY, "out of memory")
                         : run_lock(&made->lock, path, &error)
                             ? begin(made, path, world, names, message)
                             : fail_of(&error, message);
    if (status == SCREE_OK) {
        *record = made;
    } else {
        discard(made);
    }
    return status;
}

/* ---------------------------------------------------------------- going on later */

static bool check_resumable(const RunHeader *header, const Checkpoint *checkpoint, const char *path,
                            IoError *error) {
    if (checkpoint->identity != header->identity) {
        return io_error(error, IO_BAD_FILE,
                        "%s.checkpoint: is that of another run; put its own beside %s", path, path);
    }
    return checkpoint->scene_hash == 0 ||
           io_error(error, IO_BAD_FILE,
                    "%s: a scene moved this world, and its programme is not in the file; resume a "
                    "run of 'scree run' with --restart, or begin a scene with start: {run: ...}",
                    path);
}

/* The file at the position of its checkpoint, and the world as it was then. */
static bool take_up(ScreeRecord *made, const char *path, ScreeWorld **world, IoError *error) {
    Checkpoint checkpoint;
    memset(&checkpoint, 0, sizeof checkpoint);
    char message[SCREE_MESSAGE_SIZE] = "";
    RunReader *reader = run_open(path, error);
    bool ok = reader != NULL && checkpoint_read(made->checkpoint, &checkpoint, error) &&
              check_resumable(run_header(reader), &checkpoint, path, error);
    if (ok) {
        made->identity = checkpoint.identity;
        made->changing = run_header(reader)->changing;
        ok = record_series_begin(&made->series, run_header(reader)) || io_no_memory(error, path);
    }
    if (ok) {
        const ScreeStatus status =
            scree_world_load(checkpoint.world, checkpoint.world_size, world, message);
        ok =
            status == SCREE_OK || io_error(error, IO_BAD_FILE, "%s: %s", made->checkpoint, message);
    }
    run_reader_free(reader);
    if (ok) {
        made->writer = run_resume(path, &checkpoint.position, 1, (IoWatch){NULL, NULL}, error);
        ok = made->writer != NULL;
    }
    checkpoint_free(&checkpoint);
    return ok;
}

ScreeStatus scree_record_resume(const char *path, ScreeWorld **world, ScreeRecord **record,
                                char *message) {
    IoError error = {0};
    *record = NULL;
    *world = NULL;
    ScreeRecord *made = calloc(1, sizeof *made);
    if (made != NULL) {
        made->checkpoint = checkpoint_path(path);
    }
    if (made == NULL || made->checkpoint == NULL) {
        free(made);
        return fail(message, SCREE_NO_MEMORY, "out of memory");
    }
    if (!run_lock(&made->lock, path, &error) || !take_up(made, path, world, &error)) {
        scree_world_destroy(*world);
        *world = NULL;
        discard(made);
        return fail_of(&error, message);
    }
    made->bodies = scree_world_get_bodies(*world).count;
    made->walls = scree_world_get_wall_count(*world);
    made->identities = scree_world_get_identity_count(*world);
    *record = made;
    return SCREE_OK;
}

size_t scree_record_count_frames(const ScreeRecord *record) {
    return (size_t)run_position(record->writer).frames;
}

/* All of the world as bytes, in memory of the checkpoint. */
static bool save_world(const ScreeWorld *world, Checkpoint *checkpoint) {
    size_t size = 0;
    if (scree_world_save(world, NULL, &size) != SCREE_OK) {
        return false;
    }
    checkpoint->world = malloc(size);
    checkpoint->world_size = size;
    return checkpoint->world != NULL &&
           scree_world_save(world, checkpoint->world, &checkpoint->world_size) == SCREE_OK;
}

static ScreeStatus outcome(ScreeRecord *record, bool ok, const IoError *error, char *message) {
    record->failed = record->failed || !ok;
    return ok ? SCREE_OK : fail_of(error, message);
}

static ScreeStatus refuse(char *message) {
    return fail(message, SCREE_BAD_ARGUMENT, "the recording has failed before, and is over");
}

ScreeStatus scree_record_add_step(ScreeRecord *record, const ScreeReport *report, char *message) {
    IoError error = {0};
    if (record->failed) {
        return refuse(message);
    }
    return outcome(record, run_append_step(record->writer, report, &error), &error, message);
}

ScreeStatus scree_record_add_gates(ScreeRecord *record, const ScreeGate *gates, size_t count,
                                   char *message) {
    IoError error = {0};
    if (record->failed) {
        return refuse(message);
    }
    bool ok = true;
    for (size_t i = 0; ok && i < count; i++) {
        ok = run_append_gate(record->writer, &gates[i], &error);
    }
    return outcome(record, ok, &error, message);
}

ScreeStatus scree_record_add_measures(ScreeRecord *record, const ScreeWorld *world, char *message) {
    if (record->failed) {
        return refuse(message);
    }
    const ScreeStatus status =
        record_series_measure(&record->series, world, record->writer, message);
    record->failed = status != SCREE_OK;
    return status;
}

ScreeStatus scree_record_add_frame(ScreeRecord *record, const ScreeWorld *world, char *message) {
    IoError error = {0};
    if (record->failed) {
        return refuse(message);
    }
    const bool changed = scree_world_get_bodies(world).count != record->bodies ||
                         scree_world_get_identity_count(world) != record->identities;
    if (changed && !record->changing) {
        return fail(message, SCREE_BAD_ARGUMENT,
                    "grains were added or removed after the recording had begun: say that they "
                    "change when it begins");
    }
    if (scree_world_get_wall_count(world) != record->walls) {
        return fail(message, SCREE_BAD_ARGUMENT,
                    "walls were added after the recording had begun, and a run file has as many in "
                    "all its frames: begin another recording");
    }
    if (!run_capture_frame(world, !record->bare, &record->frame)) {
        return fail(message, SCREE_NO_MEMORY, "out of memory");
    }
    return outcome(record, run_append_frame(record->writer, &record->frame, &error), &error,
                   message);
}

ScreeStatus scree_record_save(ScreeRecord *record, const ScreeWorld *world, char *message) {
    IoError error = {0};
    Checkpoint checkpoint;
    memset(&checkpoint, 0, sizeof checkpoint);
    if (record->failed) {
        return refuse(message);
    }
    checkpoint.identity = record->identity;
    checkpoint.scene_hash = record->scene_hash;
    bool ok = run_flush(record->writer, &checkpoint.position, &error);
    if (ok &&
        !(save_world(world, &checkpoint) && run_save_records(record->writer, &checkpoint.saved))) {
        checkpoint_free(&checkpoint);
        return fail(message, SCREE_NO_MEMORY, "out of memory for a checkpoint");
    }
    ok = ok && checkpoint_write(record->checkpoint, &checkpoint, &error);
    checkpoint_free(&checkpoint);
    return ok ? SCREE_OK : fail_of(&error, message);
}

ScreeStatus scree_record_close(ScreeRecord *record, char *message) {
    if (record == NULL) {
        return SCREE_OK;
    }
    IoError error = {0};
    const bool ok = run_close(record->writer, record->failed ? RUN_FAILED : RUN_FINISHED, &error);
    discard(record);
    return ok ? SCREE_OK : fail_of(&error, message);
}
