/* Where there are no run files, nothing begins from one. */
#include <scree/scree.h>

#include <stdio.h>

ScreeStatus scree_start_load(const char *path, int64_t frame, ScreeStart **start, char *message) {
    (void)frame;
    *start = NULL;
    if (message != NULL) {
        snprintf(message, SCREE_FILE_MESSAGE_SIZE, "%s: run files cannot be read here", path);
    }
    return SCREE_BAD_ARGUMENT;
}

void scree_start_destroy(ScreeStart *start) {
    (void)start;
}
