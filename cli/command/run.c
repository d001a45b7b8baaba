#include "cli/job/job.h"

int cli_run(const CliArguments *arguments) {
    Job job = {0};
    int status = job_begin(&job, arguments);
    if (status == CLI_DONE) {
        status = job_steps(&job);
    }
    job_free(&job);
    return status;
}
