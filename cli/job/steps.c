/* The steps of a run, and its end. */
#include "cli/message.h"
#include "cli/job/job.h"
#include "cli/signals.h"

#include "base/plural.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------- files */

int job_write_frame(Job *job) {
    IoError error = {0};
    if (job->silent) {
        return CLI_DONE;
    }
    bool contacts = scene_settings(job->scene)->output_contacts;
    if (!run_capture_frame(job->world, contacts, &job->frame)) {
        return cli_no_memory();
    }
    if (!run_append_frame(job->writer, &job->frame, &error)) {
        progress_clear(&job->progress);
        return cli_io_error(&error);
    }
    job->frame_step = job->frame.step;
    if (job->verbose) {
        progress_clear(&job->progress);
        cli_note("frame %lld at time %.6g", (long long)run_position(job->writer).frames - 1,
                 job->frame.time);
    }
    return CLI_DONE;
}

static bool fill_checkpoint(Job *job, Checkpoint *checkpoint) {
    size_t size = 0;
    if (scree_world_save(job->world, NULL, &size) != SCREE_OK) {
        return false;
    }
    checkpoint->world_size = size;
    checkpoint->world = malloc(size > 0 ? size : 1);
    checkpoint->state_size = scene_state_size(job->scene);
    checkpoint->state = calloc(checkpoint->state_size + 1, 1);
    if (checkpoint->world == NULL || checkpoint->state == NULL ||
        scree_world_save(job->world, checkpoint->world, &checkpoint->world_size) != SCREE_OK) {
        return false;
    }
    scene_state_save(job->scene, checkpoint->state);
    checkpoint->identity = job->identity;
    checkpoint->scene_hash = job->scene_hash;
    checkpoint->has_report = job->has_report;
    checkpoint->report = job->report;
    return true;
}

/* The run file comes first: a checkpoint must never refer to frames that are not on disk. */
int job_write_checkpoint(Job *job) {
    IoError error = {0};
    Checkpoint checkpoint;
    memset(&checkpoint, 0, sizeof checkpoint);
    int status = CLI_DONE;
    if (job->silent) {
        return CLI_DONE;
    }
    if (!fill_checkpoint(job, &checkpoint)) {
        cli_error("out of memory for a checkpoint");
        status = CLI_FAILED;
    } else if (!run_flush(job->writer, &checkpoint.position, &error) ||
               !(run_save_records(job->writer, &checkpoint.saved) ||
                 io_no_memory(&error, job->checkpoint_path)) ||
               !checkpoint_write(job->checkpoint_path, &checkpoint, &error)) {
        progress_clear(&job->progress);
        status = cli_io_error(&error);
    } else if (job->verbose) {
        progress_clear(&job->progress);
        cli_note("checkpoint at step %lld", (long long)scree_world_get_step_count(job->world));
    }
    checkpoint_free(&checkpoint);
    job->checkpoint_clock = progress_clock();
    return status;
}

/* ---------------------------------------------------------------- one step */

/* Frame k is due at the first step that reaches k times the interval. Only the start and the end of
 * the step decide, so that a restarted run makes the same frames. */
static bool frame_is_due(const Job *job, double before) {
    double every = scene_settings(job->scene)->output_every;
    double now = scree_world_get_time(job->world);
    return every > 0 && floor(now / every + 1e-9) > floor(before / every + 1e-9);
}

static void tell_news(Job *job) {
    const char *news = scene_news(job->scene);
    if (job->quiet || news == NULL) {
        return;
    }
    while (*news != '\0') {
        int length = (int)strcspn(news, "\n");
        progress_clear(&job->progress);
        cli_note("%.*s", length, news);
        news += length + (news[length] == '\n');
    }
}

/* "overlap added in a stride 1.6e-05, allowed 3.4e-06": which limit the step went beyond. A contact is
 * unsettled if neither coefficient of friction gives a consistent state. */
static void describe_miss(const ScreeMiss *miss, const ScreeReport *report, char *text,
                          size_t size) {
    if (report->unsettled > 0) {
        snprintf(text, size, "%lld %s unsettled", (long long)report->unsettled,
                 SCR_PLURAL(report->unsettled, "contact", "contacts"));
    } else if (miss->what == NULL) {
        snprintf(text, size, "residual %.3g", report->residual);
    } else if (miss->limit == 0) {
        snprintf(text, size, "%s", miss->what);
    } else {
        snprintf(text, size, "%s %.3g, allowed %.3g", miss->what, miss->value, miss->limit);
    }
}

/* What was wrong with the step, "" if nothing. */
static void describe_failure(const ScreeReport *report, const ScreeMiss *miss, char *text,
                             size_t size) {
    char why[120], strides[60] = "";
    text[0] = '\0';
    describe_miss(miss, report, why, sizeof why);
    if (report->strides > 0) {
        snprintf(strides, sizeof strides, " in %lld strides and tries before them",
                 (long long)report->strides + 1);
    }
    if (report->converged == 0 && report->iterations == 0) { /* of the soft engine */
        snprintf(text, size, "did not converge: it is too long for the springs");
    } else if (report->converged == 0 || report->unsettled > 0) {
        snprintf(text, size, "did not converge: %s; %lld %s%s", why, (long long)report->iterations,
                 SCR_PLURAL(report->iterations, "sweep", "sweeps"), strides);
    }
}

/* Does what the scene wants done about a step that did not converge. */
static int judge(Job *job) {
    enum { WARNINGS_MOST = 5 };
    ScenePolicy policy = scene_settings(job->scene)->policy;
    const ScreeMiss miss = scree_world_get_miss(job->world);
    char failure[240];
    describe_failure(&job->report, &miss, failure, sizeof failure);
    if (failure[0] == '\0' || policy == SCENE_CONTINUE) {
        return CLI_DONE;
    }
    progress_clear(&job->progress);
    if (policy == SCENE_STOP) {
        cli_error("step %lld %s; stopping, as the scene asks. %seduce time.step",
                  (long long)job->report.step, failure,
                  job->report.iterations > 0 ? "Raise solver.iterations, or r" : "R");
        return CLI_NOT_CONVERGED;
    }
    if (job->warned++ < WARNINGS_MOST) {
        cli_warning("step %lld %s%s", (long long)job->report.step, failure,
                    job->warned == WARNINGS_MOST ? " (further warnings are suppressed)" : "");
    }
    return CLI_DONE;
}

static bool append_gates(const Job *job, IoError *error) {
    bool ok = true;
    for (size_t i = 0; ok && i < scene_gate_count(job->scene); i++) {
        const ScreeGate gate = scene_gate(job->scene, i);
        ok = run_append_gate(job->writer, &gate, error);
    }
    return ok;
}

static int make_step(Job *job) {
    SceneError scene_error = {0};
    IoError error = {0};
    if (!scene_before_step(job->scene, job->world, job->has_report ? &job->report : NULL,
                           &scene_error)) {
        progress_clear(&job->progress);
        fputs(scene_error.text, stderr);
        return CLI_FAILED;
    }
    tell_news(job);
    double before = scree_world_get_time(job->world);
    ScreeStatus status = job_step_world(job);
    if (status != SCREE_OK) {
        progress_clear(&job->progress);
        cli_error("step %lld failed: %s", (long long)scree_world_get_step_count(job->world) + 1,
                  scree_world_get_message(job->world));
        if (status == SCREE_NO_MEMORY && job->messages != NULL) {
            job->messages->abandon(CLI_FAILED); /* the others may wait for a message of this one */
        }
        return CLI_FAILED;
    }
    job->has_report = true;
    if (frame_is_due(job, before) || job_measures_now(job)) {
        CLI_TRY(job_gather(job));
    }
    if (job->silent) {
        return judge(job);
    }
    summary_add(&job->summary, &job->report);
    if (!append_gates(job, &error) || !run_append_step(job->writer, &job->report, &error)) {
        progress_clear(&job->progress);
        return cli_io_error(&error);
    }
    CLI_TRY(dump_problem(&job->dump, job->world));
    CLI_TRY(job_measure(job));
    if (frame_is_due(job, before)) {
        CLI_TRY(job_write_frame(job));
    }
    return judge(job);
}

/* ---------------------------------------------------------------- the end */

static bool has_last_frame(const Job *job) {
    return job->frame_step == (int64_t)scree_world_get_step_count(job->world);
}

static int close_run(Job *job, RunEnding ending) {
    IoError error = {0};
    RunWriter *writer = job->writer;
    job->writer = NULL;
    if (run_close(writer, ending, &error)) {
        return CLI_DONE;
    }
    /* has been reported already */
    return error.kind != IO_NO_ERROR ? cli_io_error(&error) : CLI_FAILED;
}

static int end_finished(Job *job) {
    if (job->silent) {
        return CLI_DONE;
    }
    int status = has_last_frame(job) ? CLI_DONE : job_write_frame(job);
    if (status == CLI_DONE) {
        status = job_write_checkpoint(job);
    }
    int closed = close_run(job, status == CLI_DONE ? RUN_FINISHED : RUN_FAILED);
    return status == CLI_DONE ? closed : status;
}

/* The checkpoint is written before the last frame, which a run that was never stopped would not
 * have: --restart drops it again. After a failed step the checkpoint before it remains. */
static int end_early(Job *job, int status, RunEnding ending) {
    IoError error = {0};
    RunPosition position;
    if (job->silent) {
        return status;
    }
    bool writable = run_flush(job->writer, &position, &error);
    int saved = CLI_DONE;
    if (writable && ending != RUN_FAILED) {
        saved = job_write_checkpoint(job);
    }
    if (writable && saved == CLI_DONE && !has_last_frame(job)) {
        saved = job_write_frame(job);
    }
    int closed = close_run(job, ending);
    if (saved == CLI_DONE && closed == CLI_DONE && ending != RUN_FAILED) {
        cli_note("stopped at step %lld, time %.6g; to resume: scree run %s -o %s --restart "
                 "(with the same -D values)",
                 (long long)scree_world_get_step_count(job->world),
                 scree_world_get_time(job->world), job->scene_path, job->run_path);
        return status;
    }
    cli_note("%s keeps everything written so far; once the cause is fixed, --restart resumes from "
             "the checkpoint",
             job->run_path);
    return ending == RUN_FAILED ? status : CLI_FAILED;
}

static void print_gates(const Job *job) {
    for (size_t i = 0; i < scene_gate_count(job->scene); i++) {
        const ScreeGate gate = scene_gate(job->scene, i);
        summary_print_gate(stderr, "    ", gate.name, gate.outlet, gate.number, gate.mass,
                           gate.waiting);
    }
}

/* What waits for a condition that is never true is easily missed. */
static void print_waiting(const Job *job) {
    for (int64_t i = 0; (i = scene_event_waiting(job->scene, i)) >= 0; i++) {
        fprintf(stderr, "    events[%lld] has not happened: its condition has not held\n",
                (long long)i);
    }
}

/* Steps that turned out to need all grains at once. */
static void tell_wholes(const Job *job) {
    const ScreeSharing sharing = scree_world_get_sharing(job->world, 1);
    if (sharing.parts > 0 && sharing.wholes > 0) {
        cli_note("%llu of %llu steps were made by each process for all grains: their contacts were "
                 "too hard to solve in parts, or reached farther than boxes of the sweep",
                 (unsigned long long)sharing.wholes,
                 (unsigned long long)sharing.wholes + (unsigned long long)sharing.parts);
    }
}

static void conclude(const Job *job, const char *why) {
    char duration[48];
    if (!job->quiet) {
        progress_duration(progress_clock() - job->progress.begin_clock, duration, sizeof duration);
        cli_note("%s: %s, after %s", job->run_path, why, duration);
        summary_print(&job->summary, stderr, "    ", job->mean_radius);
        print_gates(job);
        print_waiting(job);
        tell_wholes(job);
    }
    summary_warn(&job->summary, job->mean_radius);
}

int job_steps(Job *job) {
    const char *why = "the end";
    int status = job_agree(job, CLI_DONE);
    while (status == CLI_DONE && job->signal_number == 0 &&
           !scene_finished(job->scene, job->world, job->has_report ? &job->report : NULL, &why)) {
        status = job_agree(job, make_step(job));
        if (status == CLI_DONE && job->checkpoint_due) {
            status = job_gather(job);
            status = job_agree(job, status == CLI_DONE ? job_write_checkpoint(job) : status);
        }
        scree_world_let_go(job->world);
        progress_update(&job->progress, &job->report);
    }
    const bool interrupted =
        status == CLI_DONE && job->signal_number != 0 &&
        !scene_finished(job->scene, job->world, job->has_report ? &job->report : NULL, &why);
    status = job_gather(job) == CLI_DONE ? status : CLI_FAILED;
    progress_clear(&job->progress);
    if (interrupted) {
        status = end_early(job, CLI_SIGNAL + job->signal_number, RUN_INTERRUPTED);
        why = "interrupted";
    } else if (status == CLI_NOT_CONVERGED) {
        status = end_early(job, status, RUN_STOPPED);
        why = "stopped";
    } else if (status != CLI_DONE) {
        status = end_early(job, status, RUN_FAILED);
        why = "ended by an error";
    } else {
        status = end_finished(job);
    }
    conclude(job, why);
    return status;
}

void job_free(Job *job) {
    IoError error = {0};
    if (job->writer != NULL) {
        run_close(job->writer, RUN_FAILED, &error);
    }
    run_unlock(&job->lock);
    run_frame_free(&job->frame);
    record_series_free(&job->series);
    scree_world_destroy(job->world);
    cli_device_close(job->device);
    scene_free(job->scene);
    free(job->run_path);
    free(job->checkpoint_path);
}
