/* Commands and their options as one table, from which parsing, help, the manual page and shell
 * completion follow. */
#ifndef SCREE_CLI_OPTIONS_H
#define SCREE_CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef enum CliOptionId {
    CLI_OUTPUT,
    CLI_DEFINE,
    CLI_THREADS,
    CLI_DEVICE,
    CLI_RESTART,
    CLI_FORCE,
    CLI_QUIET,
    CLI_VERBOSE,
    CLI_WHAT,
    CLI_FRAME,
    CLI_TIME,
    CLI_ALL,
    CLI_TO,
    CLI_HTML,
    CLI_BUDGET,
    CLI_NO_BROWSER,
    CLI_REGION,
    CLI_FRAMES,
    CLI_TIMES,
    CLI_AXIS,
    CLI_CURVE,
    CLI_AGAINST,
    CLI_ABOUT,
    CLI_BLOCKS,
    CLI_WINDOW,
    CLI_BINS,
    CLI_MOST,
    CLI_GRID,
    CLI_WIDTH,
    CLI_PLANE,
    CLI_LEAST,
    CLI_CSV,
    CLI_JSON,
    CLI_SOLVER,
    CLI_TOLERANCE,
    CLI_MEASURE,
    CLI_SECONDS,
    CLI_ITERATIONS,
    CLI_DUMP_PROBLEMS,
    CLI_SAMPLES,
    CLI_AMPLITUDE,
    CLI_STILL,
    CLI_SEED,
    CLI_NO_EXTREMES,
    CLI_COLOUR,
    CLI_RANGE,
    CLI_CAMERA,
    CLI_UNITS,
    CLI_FPS,
    CLI_HELP,
    CLI_OPTION_COUNT
} CliOptionId;

typedef struct CliOption {
    CliOptionId id;
    char letter; /* 0 when there is none */
    const char *name;
    const char *argument; /* NULL for a switch */
    const char *choices;  /* "a|b|c", or NULL when anything goes */
    const char *help;
} CliOption;

typedef struct CliArguments CliArguments;

typedef struct CliCommand {
    const char *name;
    /* what it works on: "SCENE.yaml", "FILE..." for one or more; NULL for nothing */
    const char *operand;
    const char *summary; /* a few words */
    const char *description;
    const CliOption *options; /* the last one has no name; --help is always there */
    int (*run)(const CliArguments *arguments);
    int (*run_raw)(int argc, char **argv); /* parses its own options */
} CliCommand;

struct CliArguments {
    const CliCommand *command;
    const char *operand; /* the first */
    char **operands;     /* all, where the command takes several */
    size_t operand_count;
    const char *value[CLI_OPTION_COUNT]; /* NULL when not given; "" for a switch */
    const char **define;                 /* every -D */
    size_t define_count;
    bool no_memory; /* why parsing failed, if it was not the user */
};

/* Reads the words after the command's name. Reports a mistake and returns false. */
bool cli_parse(const CliCommand *command, int argc, char **argv, CliArguments *arguments);
void cli_arguments_free(CliArguments *arguments);

const CliCommand *cli_find_command(const CliCommand *commands, const char *name);

/* Reports that the command does not exist, and names the nearest one that does. */
void cli_unknown_command(const CliCommand *commands, const char *name);

/* Help. */
void cli_print_usage(FILE *file, const CliCommand *commands);
void cli_print_help(FILE *file, const CliCommand *command);

/* From the same tables: the manual page, the page docs/commands.md, and completion for bash and zsh
 * (false for another shell). */
void cli_print_manual(FILE *file, const CliCommand *commands);
void cli_print_reference(FILE *file, const CliCommand *commands);
bool cli_print_completion(FILE *file, const char *shell, const CliCommand *commands);

/* Numbers as options: the whole text must be a number. Otherwise false, with a message. Without a
 * text (NULL: the option is not given) the value stays as it is. */
bool cli_integer(const char *option, const char *text, long least, long most, long *value);
bool cli_real(const char *option, const char *text, double *value);

#endif
