#include "io/problem/file.h"

#include "io/problem/parts.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* The whole file, followed by a 0 byte. */
static char *read_all(const char *path, FILE *file, size_t *size, IoError *error) {
    size_t room = 1 << 16;
    char *text = malloc(room + 1);
    *size = 0;
    while (text != NULL) {
        *size += fread(text + *size, 1, room - *size, file);
        if (*size < room) {
            break;
        }
        room *= 2;
        char *larger = realloc(text, room + 1);
        if (larger == NULL) {
            free(text);
        }
        text = larger;
    }
    if (text == NULL) {
        io_no_memory(error, path);
    } else if (ferror(file)) {
        io_error(error, IO_FAILED, "%s: cannot be read: %s", path, strerror(errno));
        free(text);
        text = NULL;
    } else {
        text[*size] = '\0';
    }
    return text;
}

ScreeProblem *problem_read(const char *path, IoError *error) {
    static const char hdf5[8] = "\x89HDF\r\n\x1a\n";
    char begin[sizeof hdf5] = "";
    struct stat about; /* before it is opened: a pipe may never answer, a device never end */
    if (stat(path, &about) == 0 && !S_ISREG(about.st_mode)) {
        io_error(error, IO_BAD_FILE, "%s: is not a regular file", path);
        return NULL;
    }
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        io_error(error, IO_FAILED, "%s: cannot be opened: %s", path, strerror(errno));
        return NULL;
    }
    if (fread(begin, 1, sizeof begin, file) == sizeof begin &&
        memcmp(begin, hdf5, sizeof hdf5) == 0) {
        fclose(file);
        return problem_read_fclib(path, error);
    }
    rewind(file);
    size_t size = 0;
    char *text = read_all(path, file, &size, error);
    fclose(file);
    ScreeProblem *problem = text != NULL ? problem_parse(path, text, size, error) : NULL;
    free(text);
    return problem;
}
