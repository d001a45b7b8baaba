/* The contact problems of a run as files. */
#ifndef SCREE_CLI_JOB_DUMP_PROBLEMS_H
#define SCREE_CLI_JOB_DUMP_PROBLEMS_H

#include "cli/commands.h"

#include <scree/scree.h>

#include <limits.h>

typedef struct ProblemDump {
    long every; /* in steps; 0: no problems are wanted */
    char folder[PATH_MAX];
    char name[256]; /* of the scene, without path and ending */
} ProblemDump;

/* Begins from "DIR[:EVERY]" in the arguments, if it is there, and makes the folder. Problems of the
 * scene that it holds already are replaced only with --force, or by a run that goes on. Both
 * functions return an exit status, having said what was wrong. */
int dump_begin(ProblemDump *dump, const CliArguments *arguments);

/* Writes the problem of the step just made, if it is due and has contacts: DIR/NAME-STEP.hdf5. */
int dump_problem(const ProblemDump *dump, const ScreeWorld *world);

#endif
