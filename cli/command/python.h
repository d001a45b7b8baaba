/* Parts of the project that are written in Python, found and run by the program. */
#ifndef SCREE_CLI_COMMAND_PYTHON_H
#define SCREE_CLI_COMMAND_PYTHON_H

#include <limits.h>
#include <stdbool.h>

/* The path of a file, from the first of the places (seen from the program's folder; ended by NULL)
 * that has it. */
bool cli_find_beside(const char *const *places, const char *file, char path[PATH_MAX]);

/* Becomes Python with these words, the first of which is left free for Python itself; the list ends
 * with NULL. Comes back only to say what went wrong. */
int cli_become_python(const char **words);

#endif
