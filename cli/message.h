/* What the program says on standard error, and the statuses with which it ends. */
#ifndef SCREE_CLI_MESSAGE_H
#define SCREE_CLI_MESSAGE_H

#include "io/error.h"

#include <stdio.h>

/* Exit statuses. An interrupted run ends with 128 plus the number of the signal. */
enum {
    CLI_DONE = 0,
    CLI_FAILED = 1,
    CLI_USAGE = 2,
    CLI_BAD_INPUT = 65,
    CLI_NOT_CONVERGED = 75,
    CLI_SIGNAL = 128
};

/* Lets a function that is a list of steps read as that list: the first status other than CLI_DONE
 * ends it, and is returned. */
#define CLI_TRY(call)                                                                              \
    do {                                                                                           \
        const int status_of_call = (call);                                                         \
        if (status_of_call != CLI_DONE) {                                                          \
            return status_of_call;                                                                 \
        }                                                                                          \
    } while (0)

/* One line "scree: error: ...", coloured on a terminal unless NO_COLOR is set. */
__attribute__((format(printf, 1, 2))) void cli_error(const char *format, ...);
__attribute__((format(printf, 1, 2))) void cli_warning(const char *format, ...);
__attribute__((format(printf, 1, 2))) void cli_note(const char *format, ...);

/* Text from elsewhere, on standard output, without what a terminal would obey. */
void cli_print(const char *text);
void cli_print_to(FILE *file, const char *text);

/* Reports the error of a file and returns the corresponding exit status. */
int cli_io_error(const IoError *error);

/* Reports that memory has run out, and returns CLI_FAILED. */
int cli_no_memory(void);

/* Whether standard error is a terminal that takes colours and a redrawn line. */
bool cli_terminal(void);

/* Flushes standard output. A reader that went away is no error; a full disk is. */
int cli_finish_output(int status);

#endif
