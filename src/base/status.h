/* Passing a failure on to the caller. */
#ifndef SCREE_BASE_STATUS_H
#define SCREE_BASE_STATUS_H

#include <scree/scree.h>

/* Lets a function that is a list of steps, each of which may fail, read as that list: the first
 * failure ends it, and its status is returned. */
#define SCR_TRY(call)                                                                              \
    do {                                                                                           \
        const ScreeStatus status_of_call = (call);                                                 \
        if (status_of_call != SCREE_OK) {                                                          \
            return status_of_call;                                                                 \
        }                                                                                          \
    } while (0)

#endif
