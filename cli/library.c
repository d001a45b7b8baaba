#include "cli/library.h"

#include <dlfcn.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { ROOM = PATH_MAX + 200 };

/* Where a library may lie: beside the program, or where the installation has it. False behind the
 * last. */
static bool place_of_library(const char *name, size_t i, char path[ROOM]) {
    static const char *const places[] = {"", SCREE_LIBRARIES_FROM_PROGRAM "/"};
    ssize_t length = readlink("/proc/self/exe", path, PATH_MAX);
    while (length > 0 && path[length - 1] != '/') {
        length--;
    }
    if (length <= 0 || i >= sizeof places / sizeof places[0]) {
        return false;
    }
    const size_t rest = ROOM - (size_t)length;
    return snprintf(path + length, rest, "%s%s", places[i], name) < (int)rest;
}

bool cli_library_exists(const char *name) {
    char path[ROOM];
    for (size_t i = 0; place_of_library(name, i, path); i++) {
        if (access(path, R_OK) == 0) {
            return true;
        }
    }
    return false;
}

void *cli_library_load(const char *name, int flags) {
    char path[ROOM];
    void *library = NULL;
    for (size_t i = 0; library == NULL && place_of_library(name, i, path); i++) {
        library = dlopen(path, flags);
    }
    return library;
}
