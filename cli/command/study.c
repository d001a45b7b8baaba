/* Studies. The Python package makes them; this command finds and runs it. */
#include "cli/commands.h"
#include "cli/command/python.h"

#include <stdlib.h>
#include <unistd.h>

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
    long jobs = 0;
    if (!cli_integer("-j", arguments->value[CLI_THREADS], 1, 1024, &jobs)) {
        return CLI_USAGE;
    }
    name_program();
    return cli_become_script("scree/_study_command.py", "studies", arguments, NULL);
}
