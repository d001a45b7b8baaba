/* The device of a run: who sweeps, and what happens where it cannot. */
#include "cli/job/job.h"
#include "cli/job/judge.h"

static int processor_sweeps(const Job *job, const char *why) {
    if (!job->quiet && !job->silent) {
        cli_note("the processor sweeps, since %s", why);
    }
    return CLI_DONE;
}

int job_open_device(Job *job, const char *option) {
    const ScreeDeviceChoice choice = cli_device_chosen(option, scene_settings(job->scene)->device);
    const bool may_do_without = choice == SCREE_DEVICE_AUTO;
    char message[SCREE_MESSAGE_SIZE] = "";
    job->device_choice = choice;
    CLI_TRY(cli_judge_device(job->scene_path, choice, job->world));
    if (choice == SCREE_DEVICE_CPU) {
        return CLI_DONE;
    }
    if (job->messages != NULL && may_do_without) {
        return processor_sweeps(job, "several processes have no device yet");
    }
    if (job->messages != NULL) {
        cli_error("device: several processes have none yet; run one alone, or with --device cpu");
        return CLI_USAGE;
    }
    if (may_do_without && scree_world_check_device(job->world) != SCREE_OK) {
        return processor_sweeps(job, scree_world_get_message(job->world));
    }
    job->device = cli_device_open(choice, message);
    if (job->device == NULL && may_do_without) {
        return processor_sweeps(job, message);
    }
    if (job->device == NULL) {
        cli_error("device: there is none to be used: %s; with --device cpu, or auto, the processor "
                  "sweeps, with the same result",
                  message);
        return CLI_FAILED;
    }
    return CLI_DONE;
}

int job_lend_device(Job *job) {
    return scree_world_set_device(job->world, job->device) == SCREE_OK ? CLI_DONE : CLI_FAILED;
}

ScreeStatus job_step_world(Job *job) {
    const ScreeStatus status = scree_world_step(job->world, &job->report);
    if (status != SCREE_DEVICE_FAILED || job->device_choice != SCREE_DEVICE_AUTO) {
        return status;
    }
    if (scree_world_set_device(job->world, NULL) != SCREE_OK) {
        return status; /* the world was on the device, and is lost */
    }
    progress_clear(&job->progress);
    cli_warning("step %lld: %s; from now on the processor sweeps",
                (long long)scree_world_get_step_count(job->world) + 1,
                scree_world_get_message(job->world));
    return scree_world_step(job->world,
                            &job->report); /* nothing has moved; impulses are sought anew */
}
