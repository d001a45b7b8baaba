/* The steps of a run, and its end. */
#include "cli/message.h"
#include "cli/session.h"
#include "cli/signals.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------- files */

int session_write_frame(Session *session) {
    IoError error = {0};
    bool contacts = scene_settings(session->scene)->output_contacts;
    if (!run_capture_frame(session->world, contacts, &session->frame)) {
        cli_error("out of memory");
        return CLI_FAILED;
    }
    if (!run_append_frame(session->writer, &session->frame, &error)) {
        progress_clear(&session->progress);
        return cli_io_error(&error);
    }
    session->frame_step = session->frame.step;
    if (session->verbose) {
        progress_clear(&session->progress);
        cli_note("frame %lld at time %.6g", (long long)run_position(session->writer).frames - 1,
                 session->frame.time);
    }
    return CLI_DONE;
}

static bool fill_checkpoint(Session *session, Checkpoint *checkpoint) {
    size_t size = 0;
    if (scree_save(session->world, NULL, &size) != SCREE_OK) {
        return false;
    }
    checkpoint->world_size = size;
    checkpoint->world = malloc(size > 0 ? size : 1);
    checkpoint->state_size = scene_state_size(session->scene);
    checkpoint->state = calloc(checkpoint->state_size + 1, 1);
    if (checkpoint->world == NULL || checkpoint->state == NULL ||
        scree_save(session->world, checkpoint->world, &checkpoint->world_size) != SCREE_OK) {
        return false;
    }
    scene_state_save(session->scene, checkpoint->state);
    checkpoint->scene_hash = session->scene_hash;
    checkpoint->has_report = session->has_report;
    checkpoint->report = session->report;
    return true;
}

/* The run file comes first: a checkpoint must never speak of frames that are not on disk. */
int session_write_checkpoint(Session *session) {
    IoError error = {0};
    Checkpoint checkpoint;
    memset(&checkpoint, 0, sizeof checkpoint);
    int status = CLI_DONE;
    if (!fill_checkpoint(session, &checkpoint)) {
        cli_error("out of memory for a checkpoint");
        status = CLI_FAILED;
    } else if (!run_flush(session->writer, &checkpoint.position, &error) ||
               !checkpoint_write(session->checkpoint_path, &checkpoint, &error)) {
        progress_clear(&session->progress);
        status = cli_io_error(&error);
    } else if (session->verbose) {
        progress_clear(&session->progress);
        cli_note("checkpoint at step %lld", (long long)scree_steps(session->world));
    }
    checkpoint_free(&checkpoint);
    session->checkpoint_clock = progress_clock();
    return status;
}

/* ---------------------------------------------------------------- one step */

/* Frame k is due at the first step that reaches k times the interval. Only the step's own begin and
 * end decide, so that a restarted run makes the same frames. */
static bool frame_is_due(const Session *session, double before) {
    double every = scene_settings(session->scene)->output_every;
    double now = scree_time(session->world);
    return every > 0 && floor(now / every + 1e-9) > floor(before / every + 1e-9);
}

static void tell_news(Session *session) {
    const char *news = scene_news(session->scene);
    if (session->quiet || news == NULL) {
        return;
    }
    while (*news != '\0') {
        int length = (int)strcspn(news, "\n");
        progress_clear(&session->progress);
        cli_note("%.*s", length, news);
        news += length + (news[length] == '\n');
    }
}

/* What the scene wants done about a step that did not converge. */
static int judge(Session *session) {
    enum { WARNINGS_MOST = 5 };
    ScenePolicy policy = scene_settings(session->scene)->policy;
    const ScreeReport *report = &session->report;
    if (report->converged != 0 || policy == SCENE_CONTINUE) {
        return CLI_DONE;
    }
    progress_clear(&session->progress);
    if (policy == SCENE_STOP) {
        cli_error(
            "step %lld did not converge: residual %.3g, overlap %.3g added, after %lld sweeps; the "
            "scene says to stop there. Raise solver.iterations, or reduce time.step",
            (long long)report->step, report->residual, report->overlap_added,
            (long long)report->iterations);
        return CLI_NOT_CONVERGED;
    }
    if (session->warned++ < WARNINGS_MOST) {
        cli_warning("step %lld did not converge: residual %.3g, overlap %.3g added, after %lld "
                    "sweeps%s",
                    (long long)report->step, report->residual, report->overlap_added,
                    (long long)report->iterations,
                    session->warned == WARNINGS_MOST ? " (not told again)" : "");
    }
    return CLI_DONE;
}

static int make_step(Session *session) {
    SceneError scene_error = {0};
    IoError error = {0};
    if (!scene_before_step(session->scene, session->world,
                           session->has_report ? &session->report : NULL, &scene_error)) {
        progress_clear(&session->progress);
        fputs(scene_error.text, stderr);
        return CLI_FAILED;
    }
    tell_news(session);
    double before = scree_time(session->world);
    ScreeStatus status = scree_step(session->world, &session->report);
    if (status != SCREE_OK) {
        progress_clear(&session->progress);
        cli_error("step %lld failed: %s", (long long)scree_steps(session->world) + 1,
                  scree_message(session->world));
        return CLI_FAILED;
    }
    session->has_report = true;
    summary_add(&session->summary, &session->report);
    if (!run_append_step(session->writer, &session->report, &error)) {
        progress_clear(&session->progress);
        return cli_io_error(&error);
    }
    int result = frame_is_due(session, before) ? session_write_frame(session) : CLI_DONE;
    return result == CLI_DONE ? judge(session) : result;
}

/* ---------------------------------------------------------------- the end */

static bool has_last_frame(const Session *session) {
    return session->frame_step == (int64_t)scree_steps(session->world);
}

static int close_run(Session *session, RunEnding ending) {
    IoError error = {0};
    RunWriter *writer = session->writer;
    session->writer = NULL;
    if (run_close(writer, ending, &error)) {
        return CLI_DONE;
    }
    return error.kind != IO_NO_ERROR ? cli_io_error(&error) : CLI_FAILED; /* told before */
}

static int end_finished(Session *session) {
    int status = has_last_frame(session) ? CLI_DONE : session_write_frame(session);
    if (status == CLI_DONE) {
        status = session_write_checkpoint(session);
    }
    int closed = close_run(session, status == CLI_DONE ? RUN_FINISHED : RUN_FAILED);
    return status == CLI_DONE ? closed : status;
}

/* The checkpoint comes before the last frame, since a run that was never stopped would not have
 * that frame: --restart drops it again. After a failed step the checkpoint before it stays. */
static int end_early(Session *session, int status, RunEnding ending) {
    IoError error = {0};
    RunPosition position;
    bool writable = run_flush(session->writer, &position, &error);
    int saved = CLI_DONE;
    if (writable && ending != RUN_FAILED) {
        saved = session_write_checkpoint(session);
    }
    if (writable && saved == CLI_DONE && !has_last_frame(session)) {
        saved = session_write_frame(session);
    }
    int closed = close_run(session, ending);
    if (saved == CLI_DONE && closed == CLI_DONE && ending != RUN_FAILED) {
        cli_note("stopped at step %lld, time %.6g; go on with: scree run %s -o %s --restart "
                 "(and the same -D values)",
                 (long long)scree_steps(session->world), scree_time(session->world),
                 session->scene_path, session->run_path);
        return status;
    }
    cli_note("%s keeps what was written before; once the cause is gone, --restart goes on from the "
             "checkpoint",
             session->run_path);
    return ending == RUN_FAILED ? status : CLI_FAILED;
}

static void conclude(const Session *session, const char *why) {
    char duration[48];
    if (!session->quiet) {
        progress_duration(progress_clock() - session->progress.begin_clock, duration,
                          sizeof duration);
        cli_note("%s: %s, after %s", session->run_path, why, duration);
        summary_print(&session->summary, stderr, "    ", session->mean_radius);
    }
    summary_warn(&session->summary);
}

int session_steps(Session *session) {
    const char *why = "the end";
    int status = CLI_DONE;
    double every = scene_settings(session->scene)->checkpoint_every;
    while (status == CLI_DONE && cli_signals_caught() == 0 &&
           !scene_finished(session->scene, session->world,
                           session->has_report ? &session->report : NULL, &why)) {
        status = make_step(session);
        if (status == CLI_DONE && progress_clock() - session->checkpoint_clock >= every) {
            status = session_write_checkpoint(session);
        }
        progress_update(&session->progress, &session->report);
    }
    progress_clear(&session->progress);
    bool interrupted = status == CLI_DONE && cli_signals_caught() != 0 &&
                       !scene_finished(session->scene, session->world,
                                       session->has_report ? &session->report : NULL, &why);
    if (interrupted) {
        status = end_early(session, CLI_SIGNAL + cli_signals_caught(), RUN_INTERRUPTED);
        why = "interrupted";
    } else if (status == CLI_NOT_CONVERGED) {
        status = end_early(session, status, RUN_STOPPED);
        why = "stopped";
    } else if (status != CLI_DONE) {
        status = end_early(session, status, RUN_FAILED);
        why = "ended by an error";
    } else {
        status = end_finished(session);
    }
    conclude(session, why);
    return status;
}

void session_free(Session *session) {
    IoError error = {0};
    if (session->writer != NULL) {
        run_close(session->writer, RUN_FAILED, &error);
    }
    run_frame_free(&session->frame);
    scree_destroy_world(session->world);
    scene_free(session->scene);
    free(session->run_path);
    free(session->checkpoint_path);
}
