/* What the program says on standard error. */
#ifndef SCREE_CLI_MESSAGE_H
#define SCREE_CLI_MESSAGE_H

#include "io/error.h"

/* One line "scree: error: ...", coloured on a terminal unless NO_COLOR is set. */
__attribute__((format(printf, 1, 2))) void cli_error(const char *format, ...);
__attribute__((format(printf, 1, 2))) void cli_warning(const char *format, ...);
__attribute__((format(printf, 1, 2))) void cli_note(const char *format, ...);

/* Reports the error of a file and returns the corresponding exit status. */
int cli_io_error(const IoError *error);

/* Whether standard error is a terminal that takes colours and a redrawn line. */
bool cli_terminal(void);

/* Flushes standard output. A reader that went away is no error; a full disk is. */
int cli_finish_output(int status);

#endif
