/* What a scene measures while it runs. */
#include "cli/job/job.h"
#include "cli/message.h"

static bool is_due(const Job *job, const ScreeSeriesDef *measure) {
    return scree_world_get_step_count(job->world) % (uint64_t)measure->every == 0;
}

bool job_measures_now(const Job *job) {
    for (size_t i = 0; i < scene_measure_count(job->scene); i++) {
        const ScreeSeriesDef measure = scene_measure(job->scene, i);
        if (is_due(job, &measure)) {
            return true;
        }
    }
    return false;
}

int job_measure(Job *job) {
    char message[SCREE_FILE_MESSAGE_SIZE] = "";
    const ScreeStatus status =
        record_series_measure(&job->series, job->world, job->writer, message);
    if (status != SCREE_OK) {
        progress_clear(&job->progress);
        cli_error("%s", message);
    }
    return status == SCREE_OK ? CLI_DONE : CLI_FAILED;
}
