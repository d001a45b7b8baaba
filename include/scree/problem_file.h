/* Contact problems (<scree/problem.h>) in files, for exchange with other programs: FCLIB and
 * Siconos (docs/problems.md). */
#ifndef SCREE_PROBLEM_FILE_H
#define SCREE_PROBLEM_FILE_H

#include <scree/problem.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A problem from a file: FCLIB (HDF5) or Siconos' .dat, told apart by what is in it. In `message`
 * (SCREE_FILE_MESSAGE_SIZE bytes, or NULL) the file and the place, for both functions. */
SCREE_API ScreeStatus scree_problem_load(const char *path, ScreeProblem **problem, char *message);

/* Writes FCLIB, with impulses r [m] and the velocities that follow from them as its solution; r
 * NULL: without. A file that is there is replaced when all went well. */
SCREE_API ScreeStatus scree_problem_save(ScreeProblem *problem, const char *path, const double *r,
                                         char *message);

#ifdef __cplusplus
}
#endif

#endif
