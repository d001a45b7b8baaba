/* Pictures and films. The Python package draws them; these commands find and run it. */
#include "cli/commands.h"
#include "cli/command/frames.h"
#include "cli/command/python.h"
#include "io/aside.h"

#include <stdlib.h>
#include <string.h>

/* "--output=FILE", by default "--output=runs/heap-grains.png" for "runs/heap.h5"; one word, since a
 * name may begin with a dash. */
static char *output_option(const CliArguments *arguments, const char *what, const char *ending) {
    const char *given = arguments->value[CLI_OUTPUT], *run = arguments->operand;
    size_t length = strlen(run);
    if (length > 3 && strcmp(run + length - 3, ".h5") == 0) {
        length -= 3;
    }
    size_t size =
        sizeof "--output=-" + length + strlen(what) + strlen(ending) + (given ? strlen(given) : 0);
    char *option = malloc(size);
    if (option != NULL && given != NULL) {
        snprintf(option, size, "--output=%s", given);
    } else if (option != NULL) {
        snprintf(option, size, "--output=%.*s-%s%s", (int)length, run, what, ending);
    }
    return option;
}

/* Which frame of a run is meant; the run file is opened here, so that its faults are reported as
 * everywhere else. */
static int choose_frame(const CliArguments *arguments, const char *path, size_t *frame) {
    IoError error = {0};
    RunReader *reader = run_open(path, &error);
    if (reader == NULL) {
        return cli_io_error(&error);
    }
    size_t count = 0;
    CliArguments one = *arguments;
    one.operand = path;
    int status = cli_choose_frames(&one, reader, false, frame, &count);
    run_reader_free(reader);
    return status;
}

/* "--frame=K,K,..." with a frame of each run, into as much room as all need at most. */
static int frame_option(const CliArguments *arguments, char *option, size_t size) {
    int used = snprintf(option, size, "--frame=");
    for (size_t i = 0; i < arguments->operand_count; i++) {
        size_t frame = 0;
        CLI_TRY(choose_frame(arguments, arguments->operands[i], &frame));
        used += snprintf(option + used, size - (size_t)used, i > 0 ? ",%zu" : "%zu", frame);
    }
    return CLI_DONE;
}

/* None of the runs may be replaced by what is drawn. */
static int check_output(const CliArguments *arguments, const char *output) {
    for (size_t i = 0; i < arguments->operand_count; i++) {
        IoError error = {0};
        IoRule rule = {arguments->operands[i], arguments->value[CLI_FORCE] != NULL};
        if (!io_may_write(output, rule, &error)) {
            return cli_io_error(&error);
        }
    }
    return CLI_DONE;
}

/* What is drawn goes to the file named by --output, or beside the run. Does not return if all goes well: the
 * exit status is then that of the script. */
static int draw(const CliArguments *arguments, const char *script, const char *purpose,
                const char *ending) {
    const char *what = arguments->value[CLI_CURVE] != NULL  ? "curve"
                       : arguments->value[CLI_WHAT] != NULL ? arguments->value[CLI_WHAT]
                                                            : "grains";
    const size_t size = sizeof "--frame=" + 24 * arguments->operand_count;
    char *output = output_option(arguments, what, ending), *frames = malloc(size);
    int status = CLI_FAILED;
    if (output == NULL || frames == NULL) {
        status = cli_no_memory();
    } else {
        status = frame_option(arguments, frames, size);
        if (status == CLI_DONE) {
            status = check_output(arguments, output + strlen("--output="));
        }
        if (status == CLI_DONE) {
            char *const own[] = {output, frames, NULL};
            status = cli_become_script(script, purpose, arguments, own);
        }
    }
    free(output);
    free(frames);
    return status;
}

int cli_plot(const CliArguments *arguments) {
    if (arguments->value[CLI_CURVE] != NULL && arguments->value[CLI_WHAT] != NULL) {
        cli_error("give only one of --what and --curve");
        return CLI_USAGE;
    }
    if (arguments->value[CLI_AGAINST] != NULL && arguments->value[CLI_CURVE] == NULL) {
        cli_error("--against %s: says what a curve is drawn against; say which by --curve, such as "
                  "--curve stress_xx,stress_yy",
                  arguments->value[CLI_AGAINST]);
        return CLI_USAGE;
    }
    return draw(arguments, "scree/_command.py", "plots", ".png");
}

int cli_film(const CliArguments *arguments) {
    long number = 0;
    if (!cli_integer("-j", arguments->value[CLI_THREADS], 1, 1024, &number) ||
        !cli_integer("--fps", arguments->value[CLI_FPS], 1, 240, &number) ||
        !cli_integer("--width", arguments->value[CLI_WIDTH], 64, 8192, &number)) {
        return CLI_USAGE;
    }
    return draw(arguments, "scree/_film_command.py", "films", ".mp4");
}
