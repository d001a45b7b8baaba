/* libFuzzer target: any bytes as what a browser asks of the viewer. Every answer is of a kind that
 * has a status; JSON ends as it began. */
#include "io/sample_run.h"
#include "view/source.h"

#include <stdlib.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static ViewSource *open_source(void) {
    char path[] = "/tmp/scree-fuzz-XXXXXX";
    IoError error = {0};
    int place = mkstemp(path);
    if (place < 0) {
        abort();
    }
    close(place);
    unlink(path); /* a new run takes no name that exists */
    if (!sample_run(path, 3, &error)) {
        abort();
    }
    ViewSource *source = view_source_open(path, (IoWatch){0}, &error);
    unlink(path);
    return source;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static ViewSource *source;
    IoError error = {0};
    ViewBytes answer = {0};
    source = source != NULL ? source : open_source();
    char *name = malloc(size + 1);
    if (source == NULL || name == NULL) {
        abort();
    }
    memcpy(name, data, size);
    name[size] = 0;
    ViewAnswer kind = view_source_answer(source, name, &answer, &error);
    if (kind == VIEW_JSON && (answer.size < 2 || answer.data[0] != '{')) {
        abort();
    }
    if (kind == VIEW_FAILED) {
        abort(); /* the run is sound */
    }
    view_bytes_free(&answer);
    free(name);
    return 0;
}
