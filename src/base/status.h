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

/* What is wrong, if anything: a status, and words that say it, which live as long as the program.
 * For rooms that know no message buffer. */
typedef struct Fault {
    ScreeStatus status;
    const char *words; /* NULL with SCREE_OK */
} Fault;

static inline Fault scr_no_fault(void) {
    return (Fault){SCREE_OK, NULL};
}

static inline Fault scr_fault_of_memory(void) {
    return (Fault){SCREE_NO_MEMORY, "out of memory"};
}

/* What was asked for cannot be had, for this reason; no fault when that is NULL. */
static inline Fault scr_fault_of_argument(const char *words) {
    return (Fault){words == NULL ? SCREE_OK : SCREE_BAD_ARGUMENT, words};
}

/* Writes the message (which may be NULL) and returns the status. */
__attribute__((format(printf, 3, 4))) ScreeStatus scr_fail(char *message, ScreeStatus status,
                                                           const char *format, ...);
ScreeStatus scr_no_memory(char *message);

/* SCREE_BAD_ARGUMENT for this reason, or SCREE_OK when it is NULL. */
ScreeStatus scr_fail_if(char *message, const char *reason);

/* The status of a fault, whose text goes into the message; SCREE_OK when there is none. */
ScreeStatus scr_fail_with(char *message, Fault fault);

#endif
