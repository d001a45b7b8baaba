/* libFuzzer target: any bytes as a run file. Everything that the reader offers is read. Flaws
 * inside HDF5 itself are not ours to fix; docs/run-file.md names the known ones. */
#include "io/fuzz_read.h"

#include <stdlib.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char path[] = "/tmp/scree-fuzz-XXXXXX";
    int file = mkstemp(path);
    if (file < 0) {
        return 0;
    }
    bool written = write(file, data, size) == (ssize_t)size;
    close(file);
    if (written) {
        fuzz_read_file(path);
    }
    unlink(path);
    return 0;
}
