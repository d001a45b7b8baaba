/* A run in progress: scene, world and the files that it fills. */
#ifndef SCREE_CLI_JOB_JOB_H
#define SCREE_CLI_JOB_JOB_H

#include "cli/commands.h"
#include "cli/job/dump_problems.h"
#include "cli/job/progress.h"
#include "cli/job/summary.h"
#include "cli/device.h"
#include "cli/processes.h"
#include "io/run/checkpoint.h"
#include "io/run/file.h"
#include "io/run/lock.h"
#include "io/run/record_series.h"
#include "scene/scene.h"

typedef struct Job {
    const char *scene_path;
    char *run_path, *checkpoint_path;
    RunLock lock;                  /* on the run, from before anything is looked at to the end */
    const ScreeMessages *messages; /* between processes; NULL: this one is alone */
    ScreeDeviceChoice device_choice;
    const ScreeDevice *device; /* that sweeps; NULL: the processor does */
    bool silent;               /* another process writes the files */
    int signal_number;         /* that one of them has caught */
    bool checkpoint_due;
    bool quiet, verbose;
    Scene *scene;
    ScreeWorld *world;
    RunWriter *writer;
    RunFrame frame; /* memory for frames */
    RecordSeries series;
    int64_t frame_step; /* step of the last frame, -1 when there is none */
    ScreeReport report; /* of the last step */
    bool has_report;
    uint64_t identity; /* of the run */
    uint64_t scene_hash;
    double mean_radius;
    double checkpoint_clock; /* when the last checkpoint was written */
    int64_t warned;          /* number of steps warned of under the policy 'warn' */
    Summary summary;
    Progress progress;
    ProblemDump dump;
} Job;

/* What the processes agree on before each step: whether one of them has failed or caught a signal, and
 * whether the one that writes wants a checkpoint. Returns the exit status. */
int job_agree(Job *job, int status);

/* Brings bodies and contacts together for the process that writes, until the next step or the end. */
int job_gather(Job *job);

/* Gives the world as it is resumed to the processes that write no files. */
int job_spread(Job *job);

/* Prepares everything for the first step: a new run, or one that continues. Returns an exit status,
 * having said what was wrong. */
int job_begin(Job *job, const CliArguments *arguments);

/* Opens the device that the option or the scene asks for, before a file is written; lends it to the
 * world; and makes a step of it, where the processor goes on if the device fails and was not insisted
 * on. The first two return an exit status. */
int job_open_device(Job *job, const char *option);
int job_lend_device(Job *job);
ScreeStatus job_step_world(Job *job);

/* Makes the steps, to the end or to whatever stops them, and closes the files. */
int job_steps(Job *job);
void job_free(Job *job);

/* Both say what went wrong and return an exit status. */
int job_write_frame(Job *job);
int job_write_checkpoint(Job *job);

/* Whether a measure is due at this step. */
bool job_measures_now(const Job *job);

/* Records the measures that are due at this step; says what went wrong. */
int job_measure(Job *job);

#endif
