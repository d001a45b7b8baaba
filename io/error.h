/* What went wrong with a file, in one line without a final newline; folders. */
#ifndef SCREE_IO_ERROR_H
#define SCREE_IO_ERROR_H

#include <stdbool.h>
#include <stdio.h>

typedef enum IoErrorKind {
    IO_NO_ERROR,
    IO_BAD_FILE, /* the input is not what it should be */
    IO_FAILED    /* the machine could not do it: disk full, no permission, no memory */
} IoErrorKind;

typedef struct IoError {
    IoErrorKind kind;
    char text[1024];
} IoError;

/* Sets the error and returns false. A NULL error is allowed. */
__attribute__((format(printf, 3, 4))) bool io_error(IoError *error, IoErrorKind kind,
                                                    const char *format, ...);
bool io_no_memory(IoError *error, const char *path);

/* Opens a file for reading, without waiting for what may never come: where a pipe has that name,
 * there is nothing to read, and a device may never end. NULL with errno set. */
FILE *io_open(const char *path);

/* Makes a folder unless it exists. */
bool io_make_folder(const char *folder, IoError *error);

#endif
