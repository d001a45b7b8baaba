/* Studies. The Python package makes them; this command finds and runs it. */
#include "cli/commands.h"
#include "cli/command/python.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char script[] = "scree/_study_command.py";

/* "--NAME=VALUE" in one word, since a value may begin with a dash; NULL when out of memory. */
static char *option_word(const char *name, const char *value) {
    size_t size = sizeof "--=" + strlen(name) + strlen(value);
    char *word = malloc(size);
    if (word != NULL) {
        snprintf(word, size, "--%s=%s", name, value);
    }
    return word;
}

/* The runs are made by this very program. */
static void name_program(void) {
    char program[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (length > 0) {
        program[length] = '\0';
        setenv("SCREE", program, 1);
    }
}

/* Does not return if all goes well: the exit status is then that of the script. */
int cli_study(const CliArguments *arguments) {
    char path[PATH_MAX];
    long jobs = 0;
    if (!cli_integer("-j", arguments->value[CLI_THREADS], 1, 1024, &jobs)) {
        return CLI_USAGE;
    }
    if (!cli_find_package(script, path)) {
        cli_error(
            "the Python package that makes studies was found neither next to this program nor "
            "where it was installed");
        return CLI_FAILED;
    }
    const char *words[8] = {NULL, path};
    size_t count = 2;
    char *output = NULL, *at_once = NULL;
    if (arguments->value[CLI_OUTPUT] != NULL) {
        words[count++] = output = option_word("output", arguments->value[CLI_OUTPUT]);
    }
    if (jobs > 0) {
        words[count++] = at_once = option_word("jobs", arguments->value[CLI_THREADS]);
    }
    if (arguments->value[CLI_QUIET] != NULL) {
        words[count++] = "--quiet";
    }
    words[count++] = "--";
    words[count] = arguments->operand;
    bool memory =
        (output != NULL || arguments->value[CLI_OUTPUT] == NULL) && (at_once != NULL || jobs == 0);
    name_program();
    int status = memory ? cli_become_python(words) : cli_no_memory();
    free(output);
    free(at_once);
    return status;
}
