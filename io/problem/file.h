/* Files with contact problems: FCLIB (HDF5) and Siconos (.dat, text). docs/problems.md tells what
 * is in them. */
#ifndef SCREE_IO_PROBLEM_FILE_H
#define SCREE_IO_PROBLEM_FILE_H

#include <scree/scree.h>

#include "io/error.h"

/* Reads a problem; the content of the file, not its name, tells the kind. NULL on error. */
ScreeProblem *problem_read(const char *path, IoError *error);

/* What a file can hold besides the problem; NULL: nothing of it. */
typedef struct ProblemExtra {
    const char *title, *description;
    const double *r, *u; /* [m] a solution */
    const double *v;     /* [n] with a solution in global form; NULL: left out */
} ProblemExtra;

/* Writes FCLIB; a file that is there is replaced when all went well. */
bool problem_write(const char *path, const ScreeProblem *problem, const ProblemExtra *extra,
                   IoError *error);

#endif
