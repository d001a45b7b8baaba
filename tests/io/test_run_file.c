/* Run files: read back even after a kill or on a full disk; a damaged one yields nothing wrong. */
#include "check.h"
#include "io/sample_run.h"

#include <fcntl.h>
#include <glob.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const char path[] = "test-run.h5";
static const char copy_path[] = "test-run-copy.h5";

static bool same_header(const RunHeader *a, const RunHeader *b) {
    bool same = a->dimension == b->dimension && a->time_step == b->time_step &&
                a->engine == b->engine && a->theta == b->theta && a->method == b->method &&
                a->tolerance == b->tolerance &&
                memcmp(a->gravity, b->gravity, sizeof a->gravity) == 0 &&
                memcmp(a->periodic, b->periodic, sizeof a->periodic) == 0 &&
                memcmp(a->cell_max, b->cell_max, sizeof a->cell_max) == 0 &&
                strcmp(a->scene_name, b->scene_name) == 0 && a->scene_size == b->scene_size &&
                strcmp(a->scene_text, b->scene_text) == 0;
    const RunNames *lists[3][2] = {
        {&a->overrides, &b->overrides}, {&a->materials, &b->materials}, {&a->walls, &b->walls}};
    for (int k = 0; k < 3; k++) {
        same = same && lists[k][0]->count == lists[k][1]->count;
        for (size_t i = 0; same && i < lists[k][0]->count; i++) {
            same = strcmp(lists[k][0]->name[i], lists[k][1]->name[i]) == 0;
        }
    }
    return same;
}

static void what_is_written_is_read_back(void) {
    IoError error = {0};
    CHECK(sample_run(path, 30, &error));
    RunReader *reader = run_open(path, &error);
    CHECK(reader != NULL);
    if (reader == NULL) {
        fprintf(stderr, "%s\n", error.text);
        return;
    }
    RunHeader header;
    CHECK(sample_header(&header));
    CHECK(same_header(&header, run_header(reader)));
    run_header_free(&header);
    RunHeader *got = (RunHeader *)(uintptr_t)run_header(reader);
    CHECK(got->body.rows.count == SAMPLE_BODIES && got->wall.rows.count == SAMPLE_WALLS);
    CHECK(sample_rows(RUN_BODY_CONSTANTS, 0, &got->body, false));
    CHECK(sample_rows(RUN_WALL_CONSTANTS, 0, &got->wall, false));
    CHECK(got->shape.rows.count == SAMPLE_SHAPES &&
          got->shape_part.rows.count == 3 * SAMPLE_SHAPES);
    CHECK(got->shape_corner.rows.count == 12 * SAMPLE_SHAPES);
    CHECK(sample_rows(RUN_SHAPES, 0, &got->shape, false));
    CHECK(sample_rows(RUN_SHAPE_PARTS, 0, &got->shape_part, false));
    CHECK(sample_rows(RUN_SHAPE_CORNERS, 0, &got->shape_corner, false));
    CHECK(got->shape_face.rows.count == 6 * SAMPLE_SHAPES &&
          sample_rows(RUN_SHAPE_FACES, 0, &got->shape_face, false));
    CHECK(got->shape_loop.rows.count == 18 * SAMPLE_SHAPES &&
          sample_rows(RUN_SHAPE_LOOPS, 0, &got->shape_loop, false));
    CHECK(got->laws.rows.count == SAMPLE_LAWS && sample_rows(RUN_LAWS, 0, &got->laws, false));
    CHECK(got->version == RUN_BRIDGES_VERSION); /* some of its laws are wet */
    CHECK(got->identity == 0xfedcba9876543210u);
    CHECK(run_frame_count(reader) == 30);
    CHECK(run_frame_time(reader, 7) == 3.5);
    CHECK(run_frame_step(reader, 7) == 35);
    CHECK(run_frame_contacts(reader, 7) == sample_contact_count(7));
    CHECK(run_ending(reader) == RUN_FINISHED);
    CHECK(sample_run_same(reader, &error));
    RunFrame frame = {0};
    for (size_t i = 0; i < 30; i++) {
        CHECK(run_read_frame(reader, i, &frame, &error));
        CHECK(frame.search.rows.count == 1 && sample_rows(RUN_SEARCH, i, &frame.search, false));
        CHECK(frame.cell.rows.count == 1 && sample_rows(RUN_CELL, i, &frame.cell, false));
    }
    CHECK(!run_read_frame(reader, 30, &frame, &error));
    run_frame_free(&frame);
    run_reader_free(reader);
}

/* Who is held by which wall, and what moves walls, in each frame. */
static void plates_are_written_and_read(void) {
    IoError error = {0};
    RunFrame frame = {0};
    CHECK(sample_run_with(sample_header_with_meshes, path, 5, &error));
    RunReader *reader = run_open(path, &error);
    CHECK(reader != NULL && run_header(reader)->plates);
    CHECK(reader != NULL && run_header(reader)->version == RUN_BRIDGES_VERSION);
    CHECK(reader != NULL && sample_run_same(reader, &error));
    CHECK(reader != NULL && run_read_frame(reader, 4, &frame, &error));
    CHECK(frame.holders.rows.count == SAMPLE_BODIES && frame.drives.rows.count == SAMPLE_WALLS);
    run_frame_free(&frame);
    run_reader_free(reader);
}

/* A scene may have no walls, a frame no contacts, and a run no steps. */
static void empty_parts_are_written_and_read(void) {
    IoError error = {0};
    RunHeader header;
    RunFrame frame = {0};
    CHECK(sample_header(&header));
    header.wall.rows.count = 0;
    run_names_free(&header.walls);
    run_names_free(&header.overrides);
    RunWriter *writer = run_create(path, &header, 1, &error);
    CHECK(writer != NULL && sample_frame(0, &frame));
    frame.walls.rows.count = 0;
    CHECK(writer != NULL && run_append_frame(writer, &frame, &error));
    CHECK(run_close(writer, RUN_INTERRUPTED, &error));
    RunReader *reader = run_open(path, &error);
    CHECK(reader != NULL && run_frame_count(reader) == 1 && run_step_count(reader) == 0);
    CHECK(reader != NULL && run_read_frame(reader, 0, &frame, &error));
    CHECK(frame.walls.rows.count == 0 && frame.contacts.rows.count == 0);
    CHECK(sample_rows(RUN_BODIES, 0, &frame.bodies, false));
    CHECK(reader != NULL && run_ending(reader) == RUN_INTERRUPTED);
    run_reader_free(reader);
    run_frame_free(&frame);
    run_header_free(&header);
}

/* Steps after the last frame are on disk but not offered; a frame counts once its index entry is
 * written. */
static void steps_after_the_last_frame_are_not_offered(void) {
    IoError error = {0};
    RunFrame frame = {0};
    RunPosition position = {0};
    RunWriter *writer = sample_create(path, &error);
    CHECK(writer != NULL);
    for (size_t i = 0; writer != NULL && i < 6; i++) {
        CHECK(sample_append(writer, i, &frame, &error));
        ScreeReport report = sample_report(i);
        RunReader *reader = run_open(path, &error); /* while it is being written */
        CHECK(reader != NULL && run_frame_count(reader) == i + 1 && run_ending(reader) == RUN_OPEN);
        CHECK(reader != NULL && sample_run_same(reader, &error));
        run_reader_free(reader);
        if (i == 5) {
            CHECK(run_append_step(writer, &report, &error) && run_flush(writer, &position, &error));
        }
    }
    CHECK(position.frames == 6 && position.steps == 26);
    RunReader *reader = run_open(path, &error);
    CHECK(reader != NULL && run_step_count(reader) == 25);
    run_reader_free(reader);
    run_close(writer, RUN_FINISHED, &error);
    run_frame_free(&frame);
}

/* ---------------------------------------------------------------- going on */

static void resumed_runs_are_whole(void) {
    IoError error = {0};
    RunFrame frame = {0};
    RunPosition position = {0};
    RunWriter *writer = sample_create(path, &error);
    for (size_t i = 0; writer != NULL && i < 20; i++) {
        CHECK(sample_append(writer, i, &frame, &error));
        if (i == 11) {
            CHECK(run_flush(writer, &position, &error));
        }
    }
    CHECK(run_close(writer, RUN_INTERRUPTED, &error));
    writer = run_resume(path, &position, SAMPLE_STEPS_PER_FRAME, (IoWatch){0}, &error);
    CHECK(writer != NULL);
    for (size_t i = 12; writer != NULL && i < 30; i++) {
        CHECK(sample_append(writer, i, &frame, &error));
    }
    CHECK(run_close(writer, RUN_FINISHED, &error));
    RunReader *reader = run_open(path, &error);
    CHECK(reader != NULL && run_frame_count(reader) == 30 && sample_run_same(reader, &error));
    CHECK(reader != NULL && run_ending(reader) == RUN_FINISHED);
    run_reader_free(reader);
    run_frame_free(&frame);
}

static void resuming_past_the_end_is_refused(void) {
    IoError error = {0};
    CHECK(sample_run(path, 4, &error));
    RunPosition position = {.frames = 9, .steps = 40, .contacts = 0};
    CHECK(run_resume(path, &position, 5, (IoWatch){0}, &error) == NULL);
    CHECK(error.kind == IO_BAD_FILE && strstr(error.text, "do not belong together") != NULL);
    position = (RunPosition){.frames = 4, .steps = 400, .contacts = 0};
    CHECK(run_resume(path, &position, 5, (IoWatch){0}, &error) == NULL);
    RunReader *reader = run_open(path, &error); /* the old content is still there */
    CHECK(reader != NULL && run_frame_count(reader) == 4);
    run_reader_free(reader);
}

/* ---------------------------------------------------------------- killed and full */

static char *read_file(const char *name, size_t *size) {
    FILE *file = fopen(name, "rb");
    struct stat about;
    if (file == NULL || fstat(fileno(file), &about) != 0) {
        return NULL;
    }
    char *bytes = malloc((size_t)about.st_size);
    *size = bytes != NULL ? fread(bytes, 1, (size_t)about.st_size, file) : 0;
    fclose(file);
    return bytes;
}

static void write_file(const char *name, const char *bytes, size_t size) {
    FILE *file = fopen(name, "wb");
    CHECK(file != NULL && fwrite(bytes, 1, size, file) == size && fclose(file) == 0);
}

/* Writes frames until the parent kills it, and a byte to the pipe for each. */
static void write_until_killed(int written) {
    IoError error = {0};
    RunFrame frame = {0};
    RunWriter *writer = sample_create(path, &error);
    for (size_t i = 0; writer != NULL; i++) {
        if (!sample_append(writer, i, &frame, &error) || write(written, "", 1) != 1) {
            break;
        }
    }
    _exit(1);
}

/* Kills a writer after so many frames and nanoseconds: time alone would not do, because on a busy
 * machine it may pass before the first frame. */
static void kill_a_writer(int frames, long pause) {
    int written[2];
    char byte;
    if (pipe(written) != 0) {
        abort();
    }
    pid_t child = fork();
    if (child == 0) {
        write_until_killed(written[1]);
    }
    close(written[1]);
    for (int i = 0; i < frames && read(written[0], &byte, 1) == 1; i++) {
    }
    nanosleep(&(struct timespec){0, pause}, NULL);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    close(written[0]);
}

static void killed_runs_can_be_read(void) {
    IoError error = {0};
    size_t most = 0;
    for (int k = 0; k < 60; k += CHECK_STRIDE) {
        unlink(path);
        kill_a_writer(k % 10 == 8 ? 12 : 0, 1000000L * (k % 20 * k % 47) + 40000L * k);
        RunReader *reader = run_open(path, &error);
        if (reader == NULL) {
            /* that the file does not exist yet is the only excuse */
            bool made = access(path, F_OK) == 0;
            CHECK(!made);
            if (made) {
                fprintf(stderr, "    round %d: %s\n", k, error.text);
            }
            continue;
        }
        CHECK(sample_run_same(reader, &error));
        most = run_frame_count(reader) > most ? run_frame_count(reader) : most;
        run_reader_free(reader);
    }
    CHECK(most > 10);
}

/* The position after so many frames, as a checkpoint would have it. */
static RunPosition position_after(RunReader *reader, size_t frames) {
    RunPosition position = {.frames = (int64_t)frames,
                            .steps = frames > 0 ? run_frame_steps(reader, frames - 1) : 0};
    for (size_t i = 0; i < frames; i++) {
        position.contacts += (int64_t)run_frame_contacts(reader, i);
    }
    return position;
}

/* Continues the run from a position to its 30th frame, and compares. */
static void go_on_from(RunPosition position, size_t steps_per_frame) {
    IoError error = {0};
    RunFrame frame = {0};
    RunWriter *writer = run_resume(path, &position, steps_per_frame, (IoWatch){0}, &error);
    CHECK(writer != NULL);
    for (size_t i = (size_t)position.frames; writer != NULL && i < 30; i++) {
        CHECK(sample_append(writer, i, &frame, &error));
    }
    CHECK(run_close(writer, RUN_FINISHED, &error));
    RunReader *reader = run_open(path, &error);
    CHECK(reader != NULL && run_frame_count(reader) == 30 && run_ending(reader) == RUN_FINISHED);
    CHECK(reader != NULL && sample_run_same(reader, &error));
    run_reader_free(reader);
    run_frame_free(&frame);
}

static void copy_file(const char *from, const char *to) {
    size_t size = 0;
    char *bytes = read_file(from, &size);
    CHECK(bytes != NULL);
    write_file(to, bytes, size);
    free(bytes);
}

/* In chunks as they are, and row by row where the new file would have other chunks. */
static void killed_runs_go_on(void) {
    IoError error = {0};
    for (int k = 0; k < 10; k += CHECK_STRIDE) {
        unlink(path);
        kill_a_writer(4 + k % 9, 300000L * k);
        RunReader *reader = run_open(path, &error);
        CHECK(reader != NULL);
        if (reader == NULL) {
            continue;
        }
        size_t frames = run_frame_count(reader) * (size_t)(k % 5) / 4;
        RunPosition position = position_after(reader, frames < 30 ? frames : 30);
        run_reader_free(reader);
        go_on_from(position, k % 2 == 0 ? SAMPLE_STEPS_PER_FRAME : 5000);
    }
}

/* The last bytes of a file may be lost with the machine; what was flushed is not. */
static void torn_runs_go_on(void) {
    IoError error = {0};
    RunFrame frame = {0};
    RunPosition position = {0};
    struct stat flushed, now;
    RunWriter *writer = sample_create(path, &error);
    for (size_t i = 0; writer != NULL && i < 20; i++) {
        CHECK(sample_append(writer, i, &frame, &error));
        if (i == 9) {
            CHECK(run_flush(writer, &position, &error) && stat(path, &flushed) == 0);
        }
    }
    CHECK(writer != NULL && run_flush(writer, &(RunPosition){0}, &error) && stat(path, &now) == 0);
    copy_file(path, copy_path);
    run_close(writer, RUN_FAILED, &error);
    for (off_t size = flushed.st_size; size < now.st_size; size += 3557 * CHECK_STRIDE) {
        copy_file(copy_path, path);
        CHECK(truncate(path, size) == 0);
        go_on_from(position, SAMPLE_STEPS_PER_FRAME);
    }
    run_frame_free(&frame);
}

static bool count_calls(void *context, double share) {
    int *calls = context;
    (*calls)++;
    return share < 0; /* stop at once */
}

static void stopped_resuming_leaves_the_run(void) {
    IoError error = {0};
    size_t size[2] = {0};
    int calls = 0;
    CHECK(sample_run(path, 10, &error));
    RunReader *reader = run_open(path, &error);
    CHECK(reader != NULL);
    if (reader != NULL) {
        RunPosition position = position_after(reader, 7);
        char *before = read_file(path, &size[0]);
        CHECK(run_resume(path, &position, 5, (IoWatch){count_calls, &calls}, &error) == NULL);
        CHECK(calls == 1 && strstr(error.text, "stopped by a signal") != NULL);
        char *after = read_file(path, &size[1]);
        CHECK(before != NULL && after != NULL && size[0] == size[1] &&
              memcmp(before, after, size[0]) == 0);
        free(before);
        free(after);
    }
    run_reader_free(reader);
}

/* Writes up to the limit on file size, where writing fails just as on a full disk. Returns how many
 * frames were written, -1 when there is no file at all, -2 when something is wrong. */
static int write_until_full(rlim_t size) {
    IoError error = {0};
    RunFrame frame = {0};
    struct rlimit limit = {size, size};
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &limit);
    RunWriter *writer = sample_create(path, &error);
    int written = 0;
    while (writer != NULL && sample_append(writer, (size_t)written, &frame, &error)) {
        written++;
    }
    bool told = error.kind == IO_FAILED && strstr(error.text, "File too large") != NULL;
    bool refused = writer == NULL || !run_append_frame(writer, &frame, &error);
    bool closed = run_close(writer, RUN_FAILED, &error);
    run_frame_free(&frame);
    return !told || !refused || closed != (writer == NULL) ? -2 : writer == NULL ? -1 : written;
}

/* A child process writes, since HDF5 does not let go of a file that it could not close. */
static void full_disks_lose_no_written_frame(void) {
    IoError error = {0};
    const rlim_t part = 12 / CHECK_STRIDE; /* longer by this part of itself */
    for (rlim_t size = 1000; size < 600000; size += size / part) {
        unlink(path);
        int tell[2], written = -3;
        CHECK(pipe(tell) == 0);
        pid_t child = fork();
        if (child == 0) {
            int result = write_until_full(size);
            _exit(write(tell[1], &result, sizeof result) == sizeof result ? 0 : 1);
        }
        close(tell[1]);
        CHECK(read(tell[0], &written, sizeof written) == sizeof written);
        close(tell[0]);
        waitpid(child, NULL, 0);
        CHECK(written >= -1);
        RunReader *reader = run_open(path, &error);
        CHECK((reader != NULL) == (written >= 0));
        CHECK(reader == NULL || run_frame_count(reader) == (size_t)written);
        CHECK(reader == NULL || sample_run_same(reader, &error));
        run_reader_free(reader);
    }
}

/* ---------------------------------------------------------------- damage */

/* Every frame that a damaged file offers is right, or is refused with an error. */
static void check_damaged(bool may_be_wrong) {
    IoError error = {0};
    RunReader *reader = run_open(copy_path, &error);
    if (reader == NULL) {
        CHECK(error.kind == IO_BAD_FILE && strchr(error.text, '\n') == NULL);
        return;
    }
    error.kind = IO_NO_ERROR;
    bool same = sample_run_same(reader, &error);
    CHECK(same || may_be_wrong || error.kind == IO_BAD_FILE);
    run_reader_free(reader);
}

static void truncated_files_give_right_frames_or_errors(void) {
    IoError error = {0};
    size_t size = 0;
    CHECK(sample_run(path, 25, &error));
    char *bytes = read_file(path, &size);
    CHECK(bytes != NULL && size > 20000);
    const size_t stride = CHECK_STRIDE;
    for (size_t cut = 0; bytes != NULL && cut < size; cut += stride * (cut < 128 ? 1 : 997)) {
        write_file(copy_path, bytes, cut);
        check_damaged(false);
    }
    write_file(copy_path, bytes, size - 1);
    check_damaged(false);
    free(bytes);
}

/* Flipped bytes may change values without a check sum, but nothing may crash. */
static void flipped_bytes_never_crash(void) {
    IoError error = {0};
    size_t size = 0;
    CHECK(sample_run(path, 5, &error));
    char *bytes = read_file(path, &size);
    for (size_t at = 0; bytes != NULL && at < size; at += (at < 600 ? 5u : 1993u) * CHECK_STRIDE) {
        bytes[at] = (char)~bytes[at];
        write_file(copy_path, bytes, size);
        check_damaged(true);
        bytes[at] = (char)~bytes[at];
    }
    free(bytes);
}

static void unwritable_paths_are_told(void) {
    IoError error = {0};
    CHECK(sample_create("no/such/folder/run.h5", &error) == NULL);
    CHECK(error.kind == IO_FAILED && strstr(error.text, "No such file or directory") != NULL);
}

/* With what killed writers had not yet given its name. */
static void remove_files(void) {
    glob_t found;
    if (glob("test-run*.h5*", 0, NULL, &found) == 0) {
        for (size_t i = 0; i < found.gl_pathc; i++) {
            unlink(found.gl_pathv[i]);
        }
        globfree(&found);
    }
}

int main(int argc, char **argv) {
    CHECK_RUN(what_is_written_is_read_back);
    CHECK_RUN(plates_are_written_and_read);
    CHECK_RUN(empty_parts_are_written_and_read);
    CHECK_RUN(steps_after_the_last_frame_are_not_offered);
    CHECK_RUN(resumed_runs_are_whole);
    CHECK_RUN(resuming_past_the_end_is_refused);
    CHECK_RUN(killed_runs_can_be_read);
    CHECK_RUN(killed_runs_go_on);
    CHECK_RUN(torn_runs_go_on);
    CHECK_RUN(stopped_resuming_leaves_the_run);
    CHECK_RUN(full_disks_lose_no_written_frame);
    CHECK_RUN(truncated_files_give_right_frames_or_errors);
    CHECK_RUN(flipped_bytes_never_crash);
    CHECK_RUN(unwritable_paths_are_told);
    remove_files();
    run_library_close();
    return check_result();
}
