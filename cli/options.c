#include "cli/options.h"

#include "base/guess.h"
#include "cli/message.h"

#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { OPTIONS_MAX = 32, LONG_ONLY = 256 };

static const CliOption help_option = {
    CLI_HELP, 'h', "help", NULL, NULL, "show this help",
};

/* The command's options in turn, then --help; NULL after that. */
static const CliOption *option_at(const CliCommand *command, size_t index) {
    size_t count = 0;
    while (command->options != NULL && command->options[count].name != NULL) {
        count++;
    }
    return index < count ? &command->options[index] : index == count ? &help_option : NULL;
}

/* ---------------------------------------------------------------- suggestions */

const CliCommand *cli_find_command(const CliCommand *commands, const char *name) {
    for (; commands->name != NULL; commands++) {
        if (strcmp(commands->name, name) == 0) {
            return commands;
        }
    }
    return NULL;
}

static bool ends_with(const char *text, const char *ending) {
    const size_t length = strlen(text), tail = strlen(ending);
    return length > tail && strcmp(text + length - tail, ending) == 0;
}

void cli_unknown_command(const CliCommand *commands, const char *name) {
    Guess guess = scr_guess(name);
    for (; commands->name != NULL; commands++) {
        scr_guess_offer(&guess, commands->name);
    }
    if (ends_with(name, ".yaml") || ends_with(name, ".yml")) {
        cli_error("a command goes before the file: 'scree run %s' simulates it", name);
    } else if (ends_with(name, ".h5")) {
        cli_error("a command goes before the file: 'scree view %s' shows it", name);
    } else if (guess.best != NULL) {
        cli_error("unknown command '%s', did you mean '%s'?", name, guess.best);
    } else {
        cli_error("unknown command '%s', see 'scree --help'", name);
    }
}

static void unknown_option(const CliCommand *command, const char *word) {
    char name[64];
    snprintf(name, sizeof name, "%s", word + (strncmp(word, "--", 2) == 0 ? 2 : 1));
    name[strcspn(name, "=")] = '\0';
    Guess guess = scr_guess(name);
    const CliOption *option;
    for (size_t i = 0; (option = option_at(command, i)) != NULL; i++) {
        scr_guess_offer(&guess, option->name);
    }
    if (guess.best != NULL) {
        cli_error("unknown option '%s' of 'scree %s', did you mean '--%s'?", word, command->name,
                  guess.best);
        return;
    }
    cli_error("unknown option '%s', see 'scree %s --help'", word, command->name);
}

/* ---------------------------------------------------------------- parsing */

/* getopt's view of the options. */
typedef struct GetoptTables {
    char letters[2 * OPTIONS_MAX + 2];
    struct option words[OPTIONS_MAX + 1];
} GetoptTables;

static void make_tables(const CliCommand *command, GetoptTables *tables) {
    memset(tables, 0, sizeof *tables);
    char *letter = tables->letters;
    *letter++ = ':'; /* tells a missing argument from an unknown option */
    const CliOption *option;
    for (size_t i = 0; i < OPTIONS_MAX && (option = option_at(command, i)) != NULL; i++) {
        int key = LONG_ONLY + (int)i;
        int takes = option->argument != NULL ? required_argument : no_argument;
        tables->words[i] = (struct option){option->name, takes, NULL, key};
        if (option->letter != 0) {
            *letter++ = option->letter;
            if (option->argument != NULL) {
                *letter++ = ':';
            }
        }
    }
}

static const CliOption *find_option(const CliCommand *command, int key) {
    if (key >= LONG_ONLY) {
        return option_at(command, (size_t)(key - LONG_ONLY));
    }
    const CliOption *option;
    for (size_t i = 0; (option = option_at(command, i)) != NULL; i++) {
        if (option->letter == key) {
            return option;
        }
    }
    return NULL;
}

static bool is_choice(const char *choices, const char *value) {
    size_t length = strlen(value);
    for (const char *at = choices; at != NULL; at = strchr(at, '|')) {
        at += *at == '|';
        if (strcspn(at, "|") == length && strncmp(at, value, length) == 0) {
            return true;
        }
    }
    return false;
}

static bool take_option(CliArguments *arguments, const CliOption *option, const char *value) {
    if (option->choices != NULL && !is_choice(option->choices, value)) {
        cli_error("--%s %s: must be one of %s", option->name, value, option->choices);
        return false;
    }
    arguments->value[option->id] = value != NULL ? value : "";
    if (option->id == CLI_DEFINE) {
        const char **larger =
            realloc(arguments->define, (arguments->define_count + 1) * sizeof *larger);
        if (larger == NULL) {
            arguments->no_memory = true;
            cli_no_memory();
            return false;
        }
        arguments->define = larger;
        arguments->define[arguments->define_count++] = value;
    }
    return true;
}

static bool take_operand(CliArguments *arguments, int count, char **words) {
    const CliCommand *command = arguments->command;
    if (arguments->value[CLI_HELP] != NULL) {
        return true;
    }
    bool several = command->operand != NULL && strstr(command->operand, "...") != NULL;
    if (!several && count > (command->operand != NULL)) {
        cli_error("unexpected argument '%s', see 'scree %s --help'",
                  words[command->operand != NULL], command->name);
        return false;
    }
    if (count == 0 && command->operand != NULL) {
        cli_error("'scree %s' needs %s, see 'scree %s --help'", command->name, command->operand,
                  command->name);
        return false;
    }
    arguments->operand = count > 0 ? words[0] : NULL;
    arguments->operands = words;
    arguments->operand_count = (size_t)count;
    return true;
}

bool cli_parse(const CliCommand *command, int argc, char **argv, CliArguments *arguments) {
    GetoptTables tables;
    make_tables(command, &tables);
    memset(arguments, 0, sizeof *arguments);
    arguments->command = command;
    opterr = 0;
    optind = 1;
    int key;
    while ((key = getopt_long(argc, argv, tables.letters, tables.words, NULL)) != -1) {
        const char *word = argv[optind > 1 ? optind - 1 : 1];
        if (key == ':') {
            cli_error("option '%s' needs a value, see 'scree %s --help'", word, command->name);
            return false;
        }
        const CliOption *option = key == '?' ? NULL : find_option(command, key);
        if (option == NULL) {
            char letter[3] = {'-', (char)optopt, '\0'};
            bool known = find_option(command, optopt) != NULL; /* a switch was given a value */
            unknown_option(command, optopt != 0 && !known ? letter : word);
            return false;
        }
        if (!take_option(arguments, option, optarg)) {
            return false;
        }
    }
    return take_operand(arguments, argc - optind, argv + optind);
}

void cli_arguments_free(CliArguments *arguments) {
    free(arguments->define);
    arguments->define = NULL;
}

bool cli_integer(const char *option, const char *text, long low, long high, long *value) {
    char *end = NULL;
    if (text == NULL) {
        return true;
    }
    errno = 0;
    *value = strtol(text, &end, 10);
    if (end == text || *end != '\0' || errno != 0 || *value < low || *value > high) {
        cli_error("%s %s: must be a whole number from %ld to %ld", option, text, low, high);
        return false;
    }
    return true;
}

bool cli_real(const char *option, const char *text, double *value) {
    char *end = NULL;
    if (text == NULL) {
        return true;
    }
    *value = strtod(text, &end);
    if (end == text || *end != '\0' || !isfinite(*value)) {
        cli_error("%s %s: must be a number", option, text);
        return false;
    }
    return true;
}

/* ---------------------------------------------------------------- help */

void cli_print_usage(FILE *file, const CliCommand *commands) {
    fprintf(file, "Scree simulates rigid grains with exact Coulomb friction (contact dynamics).\n\n"
                  "Usage: scree COMMAND ...\n\nCommands:\n");
    for (; commands->name != NULL; commands++) {
        fprintf(file, "  %-13s %s\n", commands->name, commands->summary);
    }
    fprintf(file,
            "\nTo begin, write a small scene, run it and look at it:\n"
            "  scree new heap.yaml\n"
            "  scree run heap.yaml\n"
            "  scree view heap.h5\n\n"
            "'scree COMMAND --help' says more about a command.\n"
            "  --version          show the version, and what this build can do\n"
            "  --manual           print the man page (troff)\n"
            "  --completion bash  print shell completion\n\n"
            "Exit status: 0 done; 1 failure while running; 2 wrong usage; 65 bad scene or file;\n"
            "75 a step did not converge and the scene asks to stop; 128+n ended by signal n.\n");
}

enum { INDENT = 29, COLUMNS = 96 }; /* of what is said about an option */

/* Text whose lines break after `between`, begun in this column. */
static void print_wrapped(FILE *file, const char *text, char between, int column) {
    const int gap = between == ' '; /* a break takes its place */
    for (bool first = true; *text != '\0'; first = false) {
        const char *end = strchr(text, between);
        const int length = end != NULL ? (int)(end - text) + 1 - gap : (int)strlen(text);
        if (column + gap + length > COLUMNS && !first) {
            fprintf(file, "\n%*s", INDENT, "");
            column = INDENT;
        } else if (gap && !first) {
            fputc(' ', file);
            column++;
        }
        fprintf(file, "%.*s", length, text);
        column += length;
        text = end != NULL ? end + 1 : text + length;
    }
    fputc('\n', file);
}

static void print_option(FILE *file, const CliOption *option) {
    char text[80];
    char letter[8] = "    ";
    if (option->letter != 0) {
        snprintf(letter, sizeof letter, "-%c, ", option->letter);
    }
    snprintf(text, sizeof text, "%s--%s%s%s", letter, option->name, option->argument ? " " : "",
             option->argument ? option->argument : "");
    const int used = fprintf(file, "  %s", text);
    fprintf(file, "%s%*s", used >= INDENT ? "\n" : "", used >= INDENT ? INDENT : INDENT - used, "");
    print_wrapped(file, option->help, ' ', INDENT);
    if (option->choices != NULL) {
        fprintf(file, "%*sone of ", INDENT, "");
        print_wrapped(file, option->choices, '|', INDENT + 7);
    }
}

void cli_print_help(FILE *file, const CliCommand *command) {
    fprintf(file, "Usage: scree %s%s%s [OPTIONS]\n\n%s\n\nOptions:\n", command->name,
            command->operand ? " " : "", command->operand ? command->operand : "",
            command->description);
    const CliOption *option;
    for (size_t i = 0; (option = option_at(command, i)) != NULL; i++) {
        print_option(file, option);
    }
}
