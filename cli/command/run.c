#include "cli/job/job.h"

/* All processes begin alike; a run that is resumed comes from the first, which has its files. */
static int begin(Job *job, const CliArguments *arguments) {
    int status = cli_processes_agree(job->messages, job_begin(job, arguments));
    if (job->messages == NULL || status != CLI_DONE) {
        return status;
    }
    if (arguments->value[CLI_RESTART] != NULL) {
        CLI_TRY(cli_processes_agree(job->messages, job_spread(job)));
    }
    return scree_world_set_processes(job->world, &job->messages->processes) == SCREE_OK
               ? CLI_DONE
               : CLI_FAILED;
}

int cli_run(const CliArguments *arguments) {
    Job job = {0};
    CLI_TRY(cli_processes_begin(&job.messages));
    job.silent = job.messages != NULL && job.messages->processes.rank > 0;
    int status = begin(&job, arguments);
    if (status == CLI_DONE) {
        status = job_steps(&job);
    }
    job_free(&job);
    if (job.messages != NULL) {
        job.messages->finish();
    }
    return status;
}
