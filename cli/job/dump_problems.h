/* The contact problems of a run as files. */
#ifndef SCREE_CLI_JOB_DUMP_PROBLEMS_H
#define SCREE_CLI_JOB_DUMP_PROBLEMS_H

#include <scree/scree.h>

#include <limits.h>

typedef struct ProblemDump {
    long every; /* steps; 0: no problems are wanted */
    char folder[PATH_MAX];
    char name[256]; /* of the scene, without path and ending */
} ProblemDump;

/* From "DIR[:EVERY]", or NULL: none. Makes the folder. Both return an exit status, having said what
 * was wrong. */
int dump_begin(ProblemDump *dump, const char *option, const char *scene_path);

/* Writes the problem of the step that was just made, if it is due and has contacts:
 * DIR/NAME-STEP.hdf5. */
int dump_problem(const ProblemDump *dump, const ScreeWorld *world);

#endif
