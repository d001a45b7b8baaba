/* The solution of a contact problem as a file. */
#ifndef SCREE_CLI_COMMAND_SOLVE_OUTPUT_H
#define SCREE_CLI_COMMAND_SOLVE_OUTPUT_H

#include <scree/scree.h>

/* Writes impulses r and velocities u: if the name ends with .csv, a table of 17 digits with a line
 * for each contact; otherwise the problem with its solution as FCLIB (HDF5). Returns an exit
 * status, having said what was wrong. */
int solve_write(const char *path, ScreeProblem *problem, const double *r);

#endif
