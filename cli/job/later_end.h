/* A run that goes on to another end of time. */
#ifndef SCREE_CLI_JOB_LATER_END_H
#define SCREE_CLI_JOB_LATER_END_H

#include "cli/job/job.h"

/* Whether the scene differs from that of the run in nothing but time.end: then the run goes on, with
 * frames as far apart as before. */
bool job_has_later_end(Job *job, const Checkpoint *checkpoint);

#endif
