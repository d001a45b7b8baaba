/* scree: the command line program. */
#include "cli/commands.h"
#include "cli/device.h"
#include "cli/processes.h"
#include "cli/signals.h"
#include "io/run/file.h"

#include <scree/scree.h>

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static int run_command(const CliCommand *command, int argc, char **argv) {
    if (command->run_raw != NULL) {
        return command->run_raw(argc, argv);
    }
    CliArguments arguments;
    int status = CLI_DONE;
    if (command->run == cli_run) {
        cli_processes_hush();
    }
    if (!cli_parse(command, argc, argv, &arguments)) {
        status = arguments.no_memory ? CLI_FAILED : CLI_USAGE;
    } else if (arguments.value[CLI_HELP] != NULL) {
        cli_print_help(stdout, command);
    } else {
        status = command->run(&arguments);
    }
    cli_arguments_free(&arguments);
    return status;
}

static int print_completion(const char *shell) {
    if (!cli_print_completion(stdout, shell, cli_commands)) {
        cli_error("--completion: bash and zsh are there");
        return CLI_USAGE;
    }
    return CLI_DONE;
}

static const char *yes_or_no(bool yes) {
    return yes ? "yes" : "no";
}

static int print_version(void) {
    const ScreeCapabilities c = scree_get_capabilities();
    printf("scree %s\n", scree_get_version());
    printf("  threads  %s\n", yes_or_no(c.threads));
    printf("  simd     %s, %d contacts at a time\n", c.simd, (int)c.simd_width);
    printf("  factors  %s\n", c.factor);
    printf("  gpu      %s\n", yes_or_no(c.gpu || cli_gpu_possible()));
    printf("  mpi      %s\n", yes_or_no(cli_processes_possible()));
    return CLI_DONE;
}

/* "scree help", "scree help run" */
static int print_help(const char *name) {
    if (name == NULL) {
        cli_print_usage(stdout, cli_commands);
        return CLI_DONE;
    }
    const CliCommand *command = cli_find_command(cli_commands, name);
    if (command == NULL) {
        cli_unknown_command(cli_commands, name);
        return CLI_USAGE;
    }
    cli_print_help(stdout, command);
    return CLI_DONE;
}

static int dispatch(int argc, char **argv) {
    if (argc < 2) {
        cli_print_usage(stderr, cli_commands);
        return CLI_USAGE;
    }
    const char *word = argv[1];
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 || strcmp(word, "help") == 0) {
        return print_help(argc > 2 ? argv[2] : NULL);
    }
    if (strcmp(word, "--version") == 0) {
        return print_version();
    }
    if (strcmp(word, "--manual") == 0) {
        cli_print_manual(stdout, cli_commands);
        return CLI_DONE;
    }
    if (strcmp(word, "--reference") == 0) {
        cli_print_reference(stdout, cli_commands);
        return CLI_DONE;
    }
    if (strcmp(word, "--completion") == 0) {
        return print_completion(argc > 2 ? argv[2] : NULL);
    }
    if (word[0] == '-') {
        cli_error("unknown option '%s', see 'scree --help'", word);
        return CLI_USAGE;
    }
    const CliCommand *command = cli_find_command(cli_commands, word);
    if (command == NULL) {
        cli_unknown_command(cli_commands, word);
        return CLI_USAGE;
    }
    return run_command(command, argc - 1, argv + 1);
}

/* The next file to be opened would get the number of a standard stream that is closed, and whatever
 * is printed there would be written into that file. So /dev/null takes its place, the wrong way
 * round: reading or writing still fails, as from a closed stream. */
static bool hold_standard_streams(void) {
    bool ok = true;
    for (int stream = STDIN_FILENO; ok && stream <= STDERR_FILENO; stream++) {
        if (fcntl(stream, F_GETFD) < 0 && errno == EBADF) {
            ok = open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY) == stream;
        }
    }
    return ok;
}

int main(int argc, char **argv) {
    if (!hold_standard_streams()) {
        return CLI_FAILED; /* with nowhere to say so */
    }
    cli_signals_ignore_write_failures();
    int status = cli_finish_output(dispatch(argc, argv));
    if (status != CLI_FAILED) { /* HDF5 may hold a file that it could not write */
        run_library_close();
    }
    return status;
}
