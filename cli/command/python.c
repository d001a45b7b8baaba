#include "cli/command/python.h"

#include "cli/commands.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
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

/* ---------------------------------------------------------------- scripts of the package */

static bool is_passed_on(const CliArguments *arguments, const CliOption *option) {
    return arguments->value[option->id] != NULL && option->id != CLI_FORCE &&
           option->id != CLI_FRAME && option->id != CLI_TIME;
}

/* "--name=value" in one word, since a value may begin with a dash; "--name" for a switch. NULL when out of
 * memory. */
static char *option_word(const CliOption *option, const char *value) {
    const size_t size = sizeof "--=" + strlen(option->name) + strlen(value);
    char *word = malloc(size);
    if (word != NULL) {
        snprintf(word, size, option->argument != NULL ? "--%s=%s" : "--%s", option->name, value);
    }
    return word;
}

static size_t length_of(char *const *words) {
    size_t count = 0;
    while (words != NULL && words[count] != NULL) {
        count++;
    }
    return count;
}

/* Fills in the options; `made` of the words are to be freed. */
static bool option_words(const CliArguments *arguments, const char **words, size_t *made) {
    for (const CliOption *o = arguments->command->options; o->name != NULL; o++) {
        if (is_passed_on(arguments, o)) {
            words[*made] = option_word(o, arguments->value[o->id]);
            if (words[*made] == NULL) {
                return false;
            }
            ++*made;
        }
    }
    return true;
}

int cli_become_script(const char *script, const char *purpose, const CliArguments *arguments,
                      char *const *own) {
    char path[PATH_MAX];
    if (!cli_find_package(script, path)) {
        cli_error("the Python package that makes %s was found neither next to this program nor "
                  "where it was installed",
                  purpose);
        return CLI_FAILED;
    }
    const size_t owned = length_of(own);
    size_t made = 0;
    const char **words =
        calloc(CLI_OPTION_COUNT + owned + arguments->operand_count + 4, sizeof *words);
    int status = CLI_FAILED;
    if (words == NULL || !option_words(arguments, words + 2, &made)) {
        status = cli_no_memory();
    } else {
        words[1] = path;
        size_t count = 2 + made;
        for (size_t i = 0; i < owned; i++) {
            words[count++] = own[i];
        }
        words[count++] = "--";
        for (size_t i = 0; i < arguments->operand_count; i++) {
            words[count++] = arguments->operands[i];
        }
        status = cli_become_python(words);
    }
    for (size_t i = 0; i < made; i++) {
        free((char *)(uintptr_t)words[2 + i]);
    }
    free(words);
    return status;
}
