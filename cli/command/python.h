/* Parts of the project written in Python, found and run by the program. */
#ifndef SCREE_CLI_COMMAND_PYTHON_H
#define SCREE_CLI_COMMAND_PYTHON_H

#include "cli/options.h"

#include <limits.h>
#include <stdbool.h>

/* The path of a file in the first of the folders (relative to the program's folder; the list ends
 * with NULL) that has it. */
bool cli_find_beside(const char *const *folders, const char *file, char path[PATH_MAX]);

/* The path of a file of the Python package, which may be installed, around the program in a wheel, or
 * in the source tree. */
bool cli_find_package(const char *file, char path[PATH_MAX]);

/* Becomes Python with these words, of which the first is left free for Python itself; the list ends
 * with NULL. Only returns to say what went wrong. */
int cli_become_python(const char **words);

/* Becomes Python with a script of the package, which makes what `purpose` names ("plots"). It gets the
 * options of the command line, each as one word, then the words of `own` (which ends with NULL; the last
 * of two equal options counts), then the operands. Which frame is meant and what may be replaced the
 * program decides itself. Only returns to say what went wrong. */
int cli_become_script(const char *script, const char *purpose, const CliArguments *arguments,
                      char *const *own);

#endif
