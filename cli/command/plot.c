/* Pictures. The Python package draws them; this command finds and runs it. */
#include "cli/commands.h"
#include "cli/command/frames.h"
#include "cli/command/python.h"
#include "io/aside.h"

#include <stdlib.h>
#include <string.h>

static const char script[] = "scree/_command.py";

/* "--output=FILE", by default "--output=runs/heap-grains.png" for "runs/heap.h5"; one word, since a
 * name may begin with a dash. */
static char *output_option(const CliArguments *arguments, const char *what) {
    const char *given = arguments->value[CLI_OUTPUT], *run = arguments->operand;
    size_t length = strlen(run);
    if (length > 3 && strcmp(run + length - 3, ".h5") == 0) {
        length -= 3;
    }
    size_t size = sizeof "--output=-.png" + length + strlen(what) + (given ? strlen(given) : 0);
    char *option = malloc(size);
    if (option != NULL && given != NULL) {
        snprintf(option, size, "--output=%s", given);
    } else if (option != NULL) {
        snprintf(option, size, "--output=%.*s-%s.png", (int)length, run, what);
    }
    return option;
}

/* Which frame is meant; the run file is opened here, so that its faults are reported as everywhere
 * else. */
static int choose_frame(const CliArguments *arguments, size_t *frame) {
    IoError error = {0};
    RunReader *reader = run_open(arguments->operand, &error);
    if (reader == NULL) {
        return cli_io_error(&error);
    }
    size_t count = 0;
    int status = cli_choose_frames(arguments, reader, false, frame, &count);
    run_reader_free(reader);
    return status;
}

/* Does not return if all goes well: the exit status is then that of the script. */
static int draw(const CliArguments *arguments, const char *what, size_t frame, const char *output) {
    char path[PATH_MAX], number[32];
    if (!cli_find_package(script, path)) {
        cli_error(
            "the Python package that draws the plots was found neither next to this program nor "
            "where it was installed");
        return CLI_FAILED;
    }
    snprintf(number, sizeof number, "%zu", frame);
    const char *words[14] = {NULL, path, "--what", what, "--frame", number, output};
    size_t count = 7;
    if (arguments->value[CLI_QUIET] != NULL) {
        words[count++] = "--quiet";
    }
    if (arguments->value[CLI_AXIS] != NULL) {
        words[count++] = "--axis";
        words[count++] = arguments->value[CLI_AXIS];
    }
    words[count++] = "--";
    words[count] = arguments->operand;
    return cli_become_python(words);
}

int cli_plot(const CliArguments *arguments) {
    size_t frame = 0;
    CLI_TRY(choose_frame(arguments, &frame));
    const char *what = arguments->value[CLI_WHAT] != NULL ? arguments->value[CLI_WHAT] : "grains";
    char *output = output_option(arguments, what);
    if (output == NULL) {
        return cli_no_memory();
    }
    IoError error = {0};
    IoRule rule = {arguments->operand, arguments->value[CLI_FORCE] != NULL};
    bool allowed = io_may_write(output + strlen("--output="), rule, &error);
    int status = !allowed ? cli_io_error(&error) : draw(arguments, what, frame, output);
    free(output);
    return status;
}
