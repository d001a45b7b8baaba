#include "cli/command/python.h"

#include "cli/commands.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char system_python[] = "/usr/bin/python3";

bool cli_find_beside(const char *const *folders, const char *file, char path[PATH_MAX]) {
    char program[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (length <= 0) {
        return false;
    }
    program[length] = '\0';
    char *slash = strrchr(program, '/');
    if (slash == NULL) {
        return false;
    }
    *slash = '\0';
    for (; *folders != NULL; folders++) {
        int used = snprintf(path, PATH_MAX, "%s/%s/%s", program, *folders, file);
        if (used > 0 && used < PATH_MAX && access(path, R_OK) == 0) {
            return true;
        }
    }
    return false;
}

bool cli_find_package(const char *file, char path[PATH_MAX]) {
    static const char *const folders[] = {SCREE_PYTHON_FROM_PROGRAM, "../..", "../../python",
                                          "../python", NULL};
    return cli_find_beside(folders, file, path);
}

/* Debian's own Python has numpy, h5py and matplotlib; another one earlier in the path may not. */
static const char *choose_python(void) {
    const char *told = getenv("SCREE_PYTHON");
    if (told != NULL && told[0] != '\0') {
        return told;
    }
    return access(system_python, X_OK) == 0 ? system_python : "python3";
}

int cli_become_python(const char **words) {
    words[0] = choose_python();
    execvp(words[0], (char *const *)words);
    cli_error("cannot run %s: %s; plots are drawn by Python: apt install python3 python3-numpy "
              "python3-h5py python3-matplotlib (or set SCREE_PYTHON to another Python)",
              words[0], strerror(errno));
    return CLI_FAILED;
}
