/* Work that takes long tells how far it is, and asks whether it is still wanted. */
#ifndef SCREE_IO_WATCH_H
#define SCREE_IO_WATCH_H

#include <stdbool.h>
#include <stddef.h>

typedef struct IoWatch {
    bool (*go_on)(void *context, double share); /* NULL: always; `share` of the work is done */
    void *context;
} IoWatch;

static inline bool io_goes_on(IoWatch watch, double share) {
    return watch.go_on == NULL || watch.go_on(watch.context, share);
}

#endif
