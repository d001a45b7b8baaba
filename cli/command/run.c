#include "cli/job/job.h"
#include "cli/message.h"

/* Nobody should wait for many processes that do no more than one. */
static void tell_sharing(const Job *job) {
    const int count = job->messages->processes.count;
    const char *why = scree_world_get_sharing(job->world, count).why_not;
    if (why != NULL) {
        cli_warning(
            "each of the %d processes makes the steps of all grains, since %s; threads (-j) "
            "in one process may be faster",
            count, why);
    } else if (!job->quiet) {
        cli_note("%d processes share this run", count);
    }
}

/* All processes begin alike; a run that is resumed comes from the first, which has its files. */
static int begin(Job *job, const CliArguments *arguments) {
    int status = cli_processes_agree(job->messages, job_begin(job, arguments));
    if (job->messages == NULL || status != CLI_DONE) {
        return status;
    }
    if (arguments->value[CLI_RESTART] != NULL) {
        CLI_TRY(cli_processes_agree(job->messages, job_spread(job)));
    }
    if (scree_world_set_processes(job->world, &job->messages->processes) != SCREE_OK) {
        cli_error("%s", scree_world_get_message(job->world));
        return CLI_FAILED;
    }
    tell_sharing(job);
    return CLI_DONE;
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
