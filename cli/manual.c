/* The manual page and shell completion, from the tables of commands and options. */
#include "cli/options.h"

#include <scree/scree.h>

#include <string.h>

/* Text for troff: hyphens that stay hyphens, and no line that looks like a request. */
static void print_troff(FILE *file, const char *text) {
    bool line_start = true;
    for (; *text != '\0'; text++) {
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
            "with exact "
            "dry friction\n.SH SYNOPSIS\n",
            scree_version());
    for (const CliCommand *command = commands; command->name != NULL; command++) {
        fprintf(file, ".B scree %s\n.RI \"%s%s [ options ]\"\n.br\n", command->name,
                command->operand ? command->operand : "", command->operand ? " " : "");
    }
    fputs(".SH DESCRIPTION\nScree simulates granular matter made of rigid grains by the contact "
          "dynamics "
          "method. Results go to standard output or to the run file; progress and messages go to "
          "standard "
          "error.\n",
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
    fputs(".SH ENVIRONMENT\n.TP\n.B NO_COLOR\nno colours, when set.\n.SH EXIT STATUS\n"
          ".TP\n.B 0\ndone.\n.TP\n.B 1\na failure while running: disk full, no permission, no "
          "memory.\n"
          ".TP\n.B 2\nwrong usage.\n.TP\n.B 65\na bad scene or a bad file.\n"
          ".TP\n.B 75\na step did not converge and the scene says to stop.\n"
          ".TP\n.B 130, 143\nended by SIGINT, SIGTERM, in good order: \\-\\-restart goes on.\n",
          file);
}

/* ---------------------------------------------------------------- completion */

static void print_words(FILE *file, const CliOption *option) {
    for (; option != NULL && option->name != NULL; option++) {
        fprintf(file, "--%s ", option->name);
    }
    fputs("--help", file);
}

static void print_choices(FILE *file, const CliOption *option) {
    for (; option != NULL && option->name != NULL; option++) {
        if (option->choices != NULL) {
            fprintf(file, "        --%s) COMPREPLY=($(compgen -W \"", option->name);
            for (const char *at = option->choices; *at != '\0'; at++) {
                fputc(*at == '|' ? ' ' : *at, file);
            }
            fputs("\" -- \"$word\")); return ;;\n", file);
        }
    }
}

void cli_print_completion(FILE *file, const CliCommand *commands) {
    fputs("# bash completion for scree; use: source <(scree --completion bash)\n_scree() {\n"
          "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} words=\n"
          "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n        COMPREPLY=($(compgen -W \"",
          file);
    for (const CliCommand *command = commands; command->name != NULL; command++) {
        fprintf(file, "%s ", command->name);
    }
    fputs("--help --version\" -- \"$word\")); return\n    fi\n    case $before in\n", file);
    for (const CliCommand *command = commands; command->name != NULL; command++) {
        print_choices(file, command->options);
    }
    fputs("    esac\n    case ${COMP_WORDS[1]} in\n", file);
    for (const CliCommand *command = commands; command->name != NULL; command++) {
        fprintf(file, "        %s) words=\"", command->name);
        print_words(file, command->options);
        fputs("\" ;;\n", file);
    }
    fputs("    esac\n    case $word in\n        -*) COMPREPLY=($(compgen -W \"$words\" -- "
          "\"$word\")) ;;\n"
          "        *) COMPREPLY=($(compgen -f -- \"$word\")) ;;\n    esac\n}\n"
          "complete -o filenames -F _scree scree\n",
          file);
}
