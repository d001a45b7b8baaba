/* Libraries that the program loads when they are asked for. */
#ifndef SCREE_CLI_LIBRARY_H
#define SCREE_CLI_LIBRARY_H

#include <stdbool.h>

/* Whether there is a library of this name, beside the program or where the installation has it. */
bool cli_library_exists(const char *name);

/* Loads it, with the flags of dlopen; NULL when that fails. */
void *cli_library_load(const char *name, int flags);

#endif
