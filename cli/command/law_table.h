/* The laws of a run as a table: a line for each pair of materials, a column for each number. */
#ifndef SCREE_CLI_COMMAND_LAW_TABLE_H
#define SCREE_CLI_COMMAND_LAW_TABLE_H

#include "io/run/file.h"

#include <stdio.h>

/* Only numbers that some pair uses get a column. Each line begins with `lead`. */
void law_table_print(const RunHeader *header, FILE *file, const char *lead);

#endif
