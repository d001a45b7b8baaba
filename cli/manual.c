/* The manual page and the page docs/commands.md, from the tables of commands and options. */
#include "cli/options.h"

#include <scree/scree.h>

#include <string.h>

/* The rule for everything that a command writes. */
static const char files[] =
    "An existing file is replaced only with --force, and a file that the command reads not even\n"
    "then. Every file is written beside its place, under a name with the ending .new, and renamed\n"
    "when it is whole.";

static const struct {
    const char *number, *meaning;
} statuses[] = {
    {"0", "success"},
    {"1", "failure while running: disk full, permission denied, out of memory"},
    {"2", "wrong usage"},
    {"65", "a bad scene or a bad file"},
    {"75", "a step did not converge and the scene asks to stop, or a problem was not solved"},
    {"130, 143", "stopped cleanly by SIGINT or SIGTERM; --restart resumes the run"},
};

/* Text for troff: hyphens stay hyphens, no line looks like a request, and what begins with "- " is an
 * item of a list. */
static void print_troff(FILE *file, const char *text) {
    bool line_start = true;
    for (; *text != '\0'; text++) {
        if (line_start && text[0] == '-' && text[1] == ' ') {
            fputs(".IP \\(bu 2\n", file);
            text += 2;
        }
        if (line_start && (*text == '.' || *text == '\'')) {
            fputs("\\&", file);
        }
        if (*text == '-') {
            fputs("\\-", file);
        } else if (*text == '\\') {
            fputs("\\e", file);
        } else {
            fputc(*text, file);
        }
        line_start = *text == '\n';
    }
}

static void print_option(FILE *file, const CliOption *option) {
    fprintf(file, ".TP\n.B ");
    if (option->letter != 0) {
        fprintf(file, "\\-%c, ", option->letter);
    }
    fprintf(file, "\\-\\-%s", option->name);
    fprintf(file, option->argument != NULL ? " \\fI%s\\fR\n" : "\n", option->argument);
    print_troff(file, option->help);
    if (option->choices != NULL) {
        fputs("; one of ", file);
        print_troff(file, option->choices);
    }
    fputs(".\n", file);
}

void cli_print_manual(FILE *file, const CliCommand *commands) {
    fprintf(file,
            ".TH SCREE 1 \"\" \"scree %s\" \"User Commands\"\n.SH NAME\nscree \\- rigid grains "
            "with exact Coulomb friction\n.SH SYNOPSIS\n",
            scree_get_version());
    for (const CliCommand *command = commands; command->name != NULL; command++) {
        fprintf(file, ".B scree %s\n.RI \"%s%s [ options ]\"\n.br\n", command->name,
                command->operand ? command->operand : "", command->operand ? " " : "");
    }
    fputs(".SH DESCRIPTION\nScree simulates granular matter made of rigid grains by the contact "
          "dynamics method. Results go to standard output or to the run file; progress and "
          "messages go to standard error.\n",
          file);
    for (const CliCommand *command = commands; command->name != NULL; command++) {
        fprintf(file, ".SH \"scree %s\"\n", command->name);
        print_troff(file, command->description);
        fputc('\n', file);
        const CliOption *option = command->options;
        for (; option != NULL && option->name != NULL; option++) {
            print_option(file, option);
        }
    }
    fputs(".SH FILES\n", file);
    print_troff(file, files);
    fputs("\n.SH ENVIRONMENT\n.TP\n.B NO_COLOR\nif set, messages are not coloured.\n.TP\n.B "
          "SCREE_PYTHON\nthe Python interpreter that draws plots.\n.SH EXIT STATUS\n",
          file);
    for (size_t i = 0; i < sizeof statuses / sizeof *statuses; i++) {
        fprintf(file, ".TP\n.B %s\n", statuses[i].number);
        print_troff(file, statuses[i].meaning);
        fputs(".\n", file);
    }
}

/* ---------------------------------------------------------------- the page */

/* Text in a Markdown table, where a bar would end the cell. */
static void print_cell(FILE *file, const char *text) {
    for (; *text != '\0'; text++) {
        fputs(*text == '|' ? "\\|" : (const char[]){*text, '\0'}, file);
    }
}

static void print_row(FILE *file, const CliOption *option) {
    fputs("| `", file);
    if (option->letter != 0) {
        fprintf(file, "-%c`, `", option->letter);
    }
    fprintf(file, "--%s", option->name);
    if (option->argument != NULL) {
        fprintf(file, " %s", option->argument);
    }
    fputs("` | ", file);
    print_cell(file, option->help);
    for (const char *at = option->choices; at != NULL && *at != '\0';) {
        size_t length = strcspn(at, "|");
        fprintf(file, "%s`%.*s`", at == option->choices ? "; one of " : ", ", (int)length, at);
        at += at[length] == '|' ? length + 1 : length;
    }
    fputs(" |\n", file);
}

void cli_print_reference(FILE *file, const CliCommand *commands) {
    fputs(
        "# Commands\n\n<!-- Written by the program from the table in cli/commands.c; change it "
        "there. -->\n\n"
        "`scree COMMAND --help` and `man scree` say the same. Results go to standard output or to "
        "files; progress and messages go to standard error.\n\n"
        "| command | purpose |\n| --- | --- |\n",
        file);
    for (const CliCommand *command = commands; command->name != NULL; command++) {
        fprintf(file, "| [%s](#scree-%s) | ", command->name, command->name);
        print_cell(file, command->summary);
        fputs(" |\n", file);
    }
    for (const CliCommand *command = commands; command->name != NULL; command++) {
        fprintf(file, "\n## scree %s\n\n`scree %s%s%s%s`\n\n%s\n", command->name, command->name,
                command->options != NULL ? " [options]" : "", command->operand ? " " : "",
                command->operand ? command->operand : "", command->description);
        const CliOption *option = command->options;
        if (option != NULL && option->name != NULL) {
            fputs("\n| option | meaning |\n| --- | --- |\n", file);
        }
        for (; option != NULL && option->name != NULL; option++) {
            print_row(file, option);
        }
    }
    fprintf(file, "\n## Files\n\n%s\n", files);
    fputs("\n## Exit status\n\n| status | meaning |\n| --- | --- |\n", file);
    for (size_t i = 0; i < sizeof statuses / sizeof *statuses; i++) {
        fprintf(file, "| %s | %s |\n", statuses[i].number, statuses[i].meaning);
    }
    fputs("\nIf `NO_COLOR` is set, messages are not coloured. `SCREE_PYTHON` names the Python "
          "interpreter that draws plots.\n",
          file);
}
