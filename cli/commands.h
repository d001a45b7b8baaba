/* The program's commands. Each returns the exit status. */
#ifndef SCREE_CLI_COMMANDS_H
#define SCREE_CLI_COMMANDS_H

#include "cli/message.h"
#include "cli/options.h"

/* All commands, ended by one without a name. */
extern const CliCommand cli_commands[];

int cli_new(const CliArguments *arguments);
int cli_run(const CliArguments *arguments);
int cli_check(const CliArguments *arguments);
int cli_info(const CliArguments *arguments);
int cli_table(const CliArguments *arguments);
int cli_export(const CliArguments *arguments);
int cli_measure(const CliArguments *arguments);
int cli_indeterminacy(const CliArguments *arguments);
int cli_plot(const CliArguments *arguments);
int cli_film(const CliArguments *arguments);
int cli_study(const CliArguments *arguments);
int cli_solve(const CliArguments *arguments);
int cli_view(const CliArguments *arguments);
int cli_figures(int argc, char **argv);
int cli_bench(int argc, char **argv);

#endif
