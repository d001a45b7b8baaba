/* libFuzzer target: any bytes as a file with a contact problem. What can be read is solved for a
 * few iterations. Flaws inside HDF5 itself are not ours to fix. */
#include "io/problem/file.h"
#include "io/problem/parts.h"
#include "io/run/file.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void solve(ScreeProblem *problem) {
    ScreeProblemView v = scree_problem_get_view(problem);
    ScreeProblemSettings settings = scree_problem_settings_default();
    ScreeProblemReport report;
    size_t m = (size_t)v.components * v.contacts;
    double *r = m < 2000 && v.freedoms < 2000 ? calloc(m + 1, sizeof *r) : NULL;
    settings.iterations = 3;
    if (r != NULL) {
        scree_problem_solve(problem, &settings, r, &report, NULL);
    }
    free(r);
}

/* Text needs no file, which makes it much faster. */
static ScreeProblem *read_text(const uint8_t *data, size_t size) {
    IoError error = {0};
    char *text = malloc(size + 1);
    if (text == NULL) {
        return NULL;
    }
    memcpy(text, data, size);
    text[size] = '\0';
    ScreeProblem *problem = problem_parse("problem.dat", text, size, &error);
    free(text);
    return problem;
}

static ScreeProblem *read_hdf5(const uint8_t *data, size_t size) {
    char path[] = "/tmp/scree-fuzz-XXXXXX";
    int file = mkstemp(path);
    if (file < 0) {
        return NULL;
    }
    IoError error = {0};
    bool written = write(file, data, size) == (ssize_t)size;
    close(file);
    ScreeProblem *problem = written ? problem_read(path, &error) : NULL;
    run_library_close(); /* what HDF5 leaks on damaged files would add up */
    unlink(path);
    return problem;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    bool hdf5 = size > 4 && memcmp(data, "\x89HDF", 4) == 0;
    ScreeProblem *problem = hdf5 ? read_hdf5(data, size) : read_text(data, size);
    if (problem != NULL) {
        solve(problem);
    }
    scree_problem_destroy(problem);
    return 0;
}
