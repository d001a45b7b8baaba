/* The contact problems of a run as files. */
#ifndef SCREE_CLI_JOB_DUMP_PROBLEMS_H
#define SCREE_CLI_JOB_DUMP_PROBLEMS_H

#include <scree/scree.h>

#include <limits.h>

typedef struct ProblemDump {
    long every; /* in steps; 0: no problems are wanted */
    char folder[PATH_MAX];
    char name[256]; /* of the scene, without path and ending */
} ProblemDump;

/* Begins from "DIR[:EVERY]", or NULL for none, and makes the folder. Both functions return an exit
 * status, having said what was wrong. */
int dump_begin(ProblemDump *dump, const char *option, const char *scene_path);

/* Writes the problem of the step just made, if it is due and has contacts: DIR/NAME-STEP.hdf5. */
int dump_problem(const ProblemDump *dump, const ScreeWorld *world);

#endif
