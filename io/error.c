#include "io/error.h"

#include <stdarg.h>
#include <stdio.h>

bool io_error(IoError *error, IoErrorKind kind, const char *format, ...) {
    if (error != NULL) {
        va_list arguments;
        va_start(arguments, format);
        error->kind = kind;
        vsnprintf(error->text, sizeof error->text, format, arguments);
        va_end(arguments);
    }
    return false;
}

bool io_no_memory(IoError *error, const char *path) {
    return io_error(error, IO_FAILED, "%s: out of memory", path);
}
