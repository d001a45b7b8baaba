/* Completion for shells, from the tables of commands and options. */
#include "cli/options.h"

#include <string.h>

/* ---------------------------------------------------------------- bash */

static void print_words(FILE *file, const CliOption *option) {
    for (; option != NULL && option->name != NULL; option++) {
        fprintf(file, "--%s ", option->name);
    }
    fputs("--help", file);
}

/* What may follow an option of a command. */
static void print_choices(FILE *file, const char *command, const CliOption *option) {
    for (; option != NULL && option->name != NULL; option++) {
        if (option->choices == NULL) {
            continue;
        }
        fprintf(file, "        \"%s --%s\"", command, option->name);
        if (option->letter != 0) {
            fprintf(file, "|\"%s -%c\"", command, option->letter);
        }
        fputs(") COMPREPLY=($(compgen -W \"", file);
        for (const char *at = option->choices; *at != '\0'; at++) {
            fputc(*at == '|' ? ' ' : *at, file);
        }
        fputs("\" -- \"$word\")); return ;;\n", file);
    }
}

static void print_bash(FILE *file, const CliCommand *commands) {
    fputs("# bash completion for scree; use: source <(scree --completion bash)\n_scree() {\n"
          "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} words=\n"
          "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n        COMPREPLY=($(compgen -W \"",
          file);
    for (const CliCommand *command = commands; command->name != NULL; command++) {
        fprintf(file, "%s ", command->name);
    }
    fputs("--help --version\" -- \"$word\")); return\n    fi\n    case \"${COMP_WORDS[1]} "
          "$before\" in\n",
          file);
    for (const CliCommand *command = commands; command->name != NULL; command++) {
        print_choices(file, command->name, command->options);
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

/* ---------------------------------------------------------------- zsh */

/* Text within single quotes in a description, where a bracket or a colon would end it. */
static void print_quoted(FILE *file, const char *text) {
    for (; *text != '\0'; text++) {
        if (*text == '\'') {
            fputs("'\\''", file);
        } else {
            fprintf(file, "%s%c", strchr("[]:\\", *text) != NULL ? "\\" : "", *text);
        }
    }
}

/* One specification of zsh's _arguments: names, help, and what follows. An option with a short form
 * may stand once, in either form; -D may be repeated. */
static void print_specification(FILE *file, const CliOption *option) {
    const char *follows = option->argument != NULL ? "=" : "";
    fputs(" \\\n                ", file);
    if (option->id == CLI_DEFINE) {
        fputs("'*'", file);
    } else if (option->letter != 0) {
        fprintf(file, "'(-%c --%s)'", option->letter, option->name);
    }
    if (option->letter != 0) {
        fprintf(file, "{-%c%s,--%s%s}'[", option->letter, option->argument != NULL ? "+" : "",
                option->name, follows);
    } else {
        fprintf(file, "'--%s%s[", option->name, follows);
    }
    print_quoted(file, option->help);
    fputc(']', file);
    if (option->argument != NULL) {
        fputc(':', file);
        print_quoted(file, option->argument);
        fputc(':', file);
        if (option->choices != NULL) {
            fputc('(', file);
            for (const char *at = option->choices; *at != '\0'; at++) {
                fputc(*at == '|' ? ' ' : *at, file);
            }
            fputc(')', file);
        } else if (option->id == CLI_OUTPUT || option->id == CLI_HTML) {
            fputs("_files", file);
        }
    }
    fputc('\'', file);
}

static void print_zsh(FILE *file, const CliCommand *commands) {
    fputs("#compdef scree\n# zsh completion for scree; use: source <(scree --completion zsh)\n"
          "_scree() {\n    if (( CURRENT == 2 )); then\n        local -a commands\n"
          "        commands=(\n",
          file);
    for (const CliCommand *command = commands; command->name != NULL; command++) {
        fprintf(file, "            '%s:", command->name);
        print_quoted(file, command->summary);
        fputs("'\n", file);
    }
    fputs("            '--help:tell the commands'\n            '--version:tell the version'\n"
          "        )\n        _describe command commands\n        return\n    fi\n"
          "    local command=$words[2]\n    shift words\n    (( CURRENT-- ))\n"
          "    case $command in\n",
          file);
    for (const CliCommand *command = commands; command->name != NULL; command++) {
        fprintf(file, "        %s)\n            _arguments", command->name);
        const CliOption *option = command->options;
        for (; option != NULL && option->name != NULL; option++) {
            print_specification(file, option);
        }
        fputs(" \\\n                '--help[tell how to use it]' '*:file:_files' ;;\n", file);
    }
    fputs("    esac\n}\n"
          "if [ \"$funcstack[1]\" = _scree ]; then _scree \"$@\"; else compdef _scree scree; fi\n",
          file);
}

/* ---------------------------------------------------------------- choice */

bool cli_print_completion(FILE *file, const char *shell, const CliCommand *commands) {
    bool bash = shell != NULL && strcmp(shell, "bash") == 0;
    bool zsh = shell != NULL && strcmp(shell, "zsh") == 0;
    if (bash) {
        print_bash(file, commands);
    } else if (zsh) {
        print_zsh(file, commands);
    }
    return bash || zsh;
}
