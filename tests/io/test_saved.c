/* What a checkpoint keeps of a run file: HDF5's own records. With them, a file whose records were
 * lost later is again what it was at the checkpoint. */
#include "check.h"
#include "io/run/saved.h"
#include "io/sample_run.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static const char path[] = "test-saved.h5", other_path[] = "test-saved-other.h5";

enum { AT_CHECKPOINT = 8, LATER = 20 };

/* A run of LATER frames, and what a checkpoint after AT_CHECKPOINT of them saves. */
static bool run_with_checkpoint(const char *name, RunSaved *saved, RunPosition *position) {
    IoError error = {0};
    RunFrame frame = {0};
    RunWriter *writer = sample_create(name, &error);
    bool ok = writer != NULL;
    for (size_t i = 0; ok && i < LATER; i++) {
        if (i == AT_CHECKPOINT) {
            ok = run_flush(writer, position, &error) && run_save_records(writer, saved);
        }
        ok = ok && sample_append(writer, i, &frame, &error);
    }
    run_frame_free(&frame);
    return run_close(writer, RUN_FINISHED, &error) && ok;
}

/* Every page of records is lost but the one with the mark, which is the same before and after. */
static void lose_records(const RunSaved *saved) {
    static const char nothing[RUN_PAGE_SIZE];
    int file = open(path, O_RDWR);
    for (size_t i = 0; i < saved->count; i++) {
        if (saved->number[i] != saved->mark_at / RUN_PAGE_SIZE) {
            CHECK(pwrite(file, nothing, sizeof nothing,
                         (off_t)(saved->number[i] * RUN_PAGE_SIZE)) == RUN_PAGE_SIZE);
        }
    }
    close(file);
}

static void check_whole_until(size_t frames) {
    IoError error = {0};
    RunReader *reader = run_open(path, &error);
    CHECK(reader != NULL);
    if (reader == NULL) {
        fprintf(stderr, "    %s\n", error.text);
        return;
    }
    CHECK(run_frame_count(reader) == frames);
    CHECK(sample_run_same(reader, &error));
    run_reader_free(reader);
}

static bool readable(void) {
    IoError error = {0};
    RunReader *reader = run_open(path, &error);
    bool same = reader != NULL && sample_run_same(reader, &error);
    run_reader_free(reader);
    return same;
}

static void lost_records_are_given_back(void) {
    RunSaved saved = {0};
    RunPosition position;
    struct stat about;
    CHECK(run_with_checkpoint(path, &saved, &position));
    CHECK(saved.count > 1 && position.frames == AT_CHECKPOINT);
    check_whole_until(LATER);
    lose_records(&saved);
    CHECK(!readable());
    CHECK(run_saved_restore(&saved, path));
    CHECK(stat(path, &about) == 0 && (uint64_t)about.st_size == saved.file_size);
    check_whole_until(AT_CHECKPOINT);
    /* cut short by another failure, it can be done again */
    lose_records(&saved);
    CHECK(run_saved_restore(&saved, path));
    check_whole_until(AT_CHECKPOINT);
    run_saved_free(&saved);
}

/* The pages of another run, or those of none, leave the file as it was. */
static void records_of_other_runs_are_refused(void) {
    RunSaved saved = {0}, other = {0};
    RunPosition position;
    CHECK(run_with_checkpoint(path, &saved, &position));
    CHECK(run_with_checkpoint(other_path, &other, &position));
    CHECK(saved.mark != other.mark);
    CHECK(!run_saved_restore(&other, path));
    check_whole_until(LATER);
    CHECK(!run_saved_restore(&(RunSaved){0}, path));
    CHECK(!run_saved_restore(&saved, "no-such-run.h5"));
    check_whole_until(LATER);
    run_saved_free(&saved);
    run_saved_free(&other);
}

int main(int argc, char **argv) {
    CHECK_RUN(lost_records_are_given_back);
    CHECK_RUN(records_of_other_runs_are_refused);
    unlink(path);
    unlink(other_path);
    run_library_close();
    return check_result();
}
