#include "io/error.h"

#include "base/printable.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool io_error(IoError *error, IoErrorKind kind, const char *format, ...) {
    if (error != NULL) {
        va_list arguments;
        va_start(arguments, format);
        error->kind = kind;
        vsnprintf(error->text, sizeof error->text, format, arguments);
        scr_make_printable(error->text, false); /* paths and words of files may hold anything */
        va_end(arguments);
    }
    return false;
}

bool io_no_memory(IoError *error, const char *path) {
    return io_error(error, IO_FAILED, "%s: out of memory", path);
}

FILE *io_open(const char *path) {
    int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    FILE *stream = file >= 0 ? fdopen(file, "rb") : NULL;
    if (file >= 0 && stream == NULL) {
        int reason = errno;
        close(file);
        errno = reason;
    }
    return stream;
}

bool io_make_folder(const char *folder, IoError *error) {
    struct stat about;
    if (mkdir(folder, 0777) == 0 || (stat(folder, &about) == 0 && S_ISDIR(about.st_mode))) {
        return true;
    }
    return io_error(error, IO_FAILED, "%s: cannot create the folder: %s", folder, strerror(errno));
}
