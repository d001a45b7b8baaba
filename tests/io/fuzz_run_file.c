/* libFuzzer target: any bytes as a run file. Everything that the reader offers is read.
 * Flaws inside HDF5 itself are not ours to mend; docs/run-file.md names those that are known. */
#include "io/run_file.h"

#include <stdlib.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_everything(RunReader *reader) {
    IoError error = {0};
    RunFrame frame = {0};
    RunSteps steps = {0};
    size_t frames = run_frame_count(reader);
    for (size_t i = 0; i < frames && i < 4; i++) {
        run_read_frame(reader, i, &frame, &error);
    }
    size_t count = run_step_count(reader);
    run_read_steps(reader, 0, count < 1000 ? count : 1000, &steps, &error);
    run_frame_free(&frame);
    run_rows_free(RUN_STEPS, &steps);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char path[] = "/tmp/scree-fuzz-XXXXXX";
    int file = mkstemp(path);
    if (file < 0) {
        return 0;
    }
    bool written = write(file, data, size) == (ssize_t)size;
    close(file);
    IoError error = {0};
    RunReader *reader = written ? run_open(path, &error) : NULL;
    if (reader != NULL) {
        read_everything(reader);
        run_reader_free(reader);
    }
    run_library_close(); /* what HDF5 loses on damaged files would add up */
    unlink(path);
    return 0;
}
