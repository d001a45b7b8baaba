/* Files with contact problems: FCLIB (HDF5) and Siconos (.dat, text). docs/problems.md describes
 * them. */
#ifndef SCREE_IO_PROBLEM_FILE_H
#define SCREE_IO_PROBLEM_FILE_H

#include <scree/scree.h>

#include "io/error.h"

/* Reads a problem; the kind follows from the content of the file, not from its name. NULL on
 * error. */
ScreeProblem *problem_read(const char *path, IoError *error);

/* What a file can hold besides the problem; NULL: nothing of the kind. */
typedef struct ProblemExtra {
    const char *title, *description;
    const double *r, *u; /* [m] a solution */
    const double *v;     /* [n] with a solution in global form; NULL: left out */
} ProblemExtra;

/* Writes FCLIB; an existing file is replaced if everything went well. */
bool problem_write(const char *path, const ScreeProblem *problem, const ProblemExtra *extra,
                   IoError *error);

#endif
