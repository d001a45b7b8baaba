/* How a run begins: from its scene, or from its checkpoint. */
#include "cli/job/job.h"
#include "cli/message.h"
#include "cli/job/judge.h"
#include "cli/job/later_end.h"
#include "cli/signals.h"
#include "io/aside.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* "scenes/heap.yaml" makes "heap.h5". */
static char *default_run_path(const char *scene_path) {
    const char *slash = strrchr(scene_path, '/');
    const char *name = slash != NULL ? slash + 1 : scene_path;
    const char *dot = strrchr(name, '.');
    size_t length = dot != NULL && dot != name ? (size_t)(dot - name) : strlen(name);
    char *path = malloc(length + sizeof ".h5");
    if (path != NULL) {
        memcpy(path, name, length);
        strcpy(path + length, ".h5");
    }
    return path;
}

static int choose_paths(Job *job, const CliArguments *arguments) {
    const char *output = arguments->value[CLI_OUTPUT];
    job->scene_path = arguments->operand;
    job->run_path = output != NULL ? strdup(output) : default_run_path(job->scene_path);
    job->checkpoint_path = job->run_path != NULL ? checkpoint_path(job->run_path) : NULL;
    return job->checkpoint_path != NULL ? CLI_DONE : cli_no_memory();
}

/* From here on no other process begins, resumes or replaces this run. */
static int take_run(Job *job) {
    IoError error = {0};
    struct stat about;
    if (stat(job->run_path, &about) == 0 && !S_ISREG(about.st_mode)) {
        cli_error("%s: is not a regular file; choose another name with -o", job->run_path);
        return CLI_FAILED;
    }
    return run_lock(&job->lock, job->run_path, &error) ? CLI_DONE : cli_io_error(&error);
}

/* No run is lost by mistake. The lock is on the name; a writer of the same file under another name
 * shows in the file itself. */
static int check_output(const Job *job, const CliArguments *arguments) {
    struct stat about;
    bool restart = arguments->value[CLI_RESTART] != NULL,
         force = arguments->value[CLI_FORCE] != NULL;
    bool exists = stat(job->run_path, &about) == 0;
    long writer = exists ? run_writing_process(job->run_path) : 0;
    if (writer != 0) {
        cli_error(
            "%s: is being written by process %ld; wait for it, or choose another name with -o",
            job->run_path, writer);
        return CLI_FAILED;
    }
    if (exists && !restart && !force) {
        cli_error(
            "%s: already exists; resume it with --restart, replace it with --force, or choose "
            "another name with -o",
            job->run_path);
        return CLI_FAILED;
    }
    if (restart && !exists && stat(job->checkpoint_path, &about) != 0) {
        cli_error("%s: there is no checkpoint to resume from; start without --restart",
                  job->checkpoint_path);
        return CLI_BAD_INPUT;
    }
    return CLI_DONE;
}

static int load_scene(Job *job, const CliArguments *arguments) {
    SceneError error = {0};
    job->scene = scene_load(job->scene_path, arguments->define, arguments->define_count, &error);
    if (job->scene == NULL || !scene_build(job->scene, &job->world, &error)) {
        return cli_scene_error(&error);
    }
    size_t size = 0, count = 0;
    const char *text = scene_text(job->scene, &size);
    const char *const *overrides = scene_overrides(job->scene, &count);
    job->scene_hash =
        checkpoint_scene_hash(text, size, overrides, count, scene_files_hash(job->scene));
    return cli_judge_world(job->scene_path, job->scene, job->world, !job->quiet);
}

/* Not even --force replaces what the run is made from. */
static int spare_inputs(const Job *job) {
    const char *name;
    for (size_t i = 0; (name = scene_file_name(job->scene, i)) != NULL; i++) {
        if (io_same_file(name, job->run_path) || io_same_file(name, job->checkpoint_path)) {
            cli_error("%s: the scene is read from there, and the run would replace it; choose "
                      "another name with -o",
                      name);
            return CLI_FAILED;
        }
    }
    return CLI_DONE;
}

static int set_threads(Job *job, long threads) {
    if (threads > 0 && scree_world_set_threads(job->world, (int)threads) != SCREE_OK) {
        cli_error("-j %ld: %s", threads, scree_world_get_message(job->world));
        return CLI_FAILED;
    }
    return CLI_DONE;
}

static double mean_radius(const ScreeWorld *world) {
    ScreeBodyView bodies = scree_world_get_bodies(world);
    double sum = 0;
    for (size_t i = 0; i < bodies.count; i++) {
        sum += bodies.radius[i];
    }
    return bodies.count > 0 ? sum / (double)bodies.count : 0;
}

/* ---------------------------------------------------------------- a new run */

static size_t steps_per_frame(const Job *job) {
    double every = scene_settings(job->scene)->output_every;
    double steps = every / scree_world_get_def(job->world).time_step;
    return steps >= 1 && steps < 1e6 ? (size_t)lround(steps) : 1;
}

static int begin_new(Job *job) {
    RunHeader header;
    IoError error = {0};
    memset(&header, 0, sizeof header);
    const ScreeRecordNames *names = scene_record_names(job->scene);
    if (names == NULL || !run_announce(job->world, names, &header) ||
        !record_series_begin(&job->series, &header)) {
        run_header_free(&header);
        return cli_no_memory();
    }
    job->identity = header.identity = io_unique_number();
    job->writer = run_create(job->run_path, &header, steps_per_frame(job), &error);
    run_header_free(&header);
    if (job->writer == NULL) {
        return cli_io_error(&error);
    }
    CLI_TRY(job_measure(job));
    CLI_TRY(job_write_frame(job));
    return job_write_checkpoint(job);
}

/* ---------------------------------------------------------------- a run that goes on */

static int restore(Job *job, const Checkpoint *checkpoint) {
    char message[SCREE_MESSAGE_SIZE] = "";
    if (checkpoint->scene_hash != job->scene_hash && !job_has_later_end(job, checkpoint)) {
        cli_error("%s: the scene, a file that it names or its -D values have changed since this "
                  "run began, and not only time.end; start over with "
                  "--force, or choose another name with -o",
                  job->run_path);
        return CLI_BAD_INPUT;
    }
    ScreeWorld *world = NULL;
    ScreeStatus status =
        scree_world_load(checkpoint->world, checkpoint->world_size, &world, message);
    if (status != SCREE_OK) {
        cli_error("%s: %s", job->checkpoint_path,
                  message[0] != '\0' ? message : scree_status_get_text(status));
        return status == SCREE_NO_MEMORY ? CLI_FAILED : CLI_BAD_INPUT;
    }
    scree_world_destroy(job->world);
    job->world = world;
    if (!scene_state_load(job->scene, checkpoint->state, checkpoint->state_size)) {
        cli_error("%s: does not match the scene", job->checkpoint_path);
        return CLI_BAD_INPUT;
    }
    job->has_report = checkpoint->has_report;
    job->report = checkpoint->report;
    return CLI_DONE;
}

/* A checkpoint of another run of the same scene fits in all but its content, if that was made by
 * another version of the program or on another machine. */
static bool check_identity(Job *job, const Checkpoint *checkpoint, const RunReader *reader,
                           IoError *error) {
    job->identity = checkpoint->identity;
    return checkpoint->identity == run_header(reader)->identity ||
           io_error(error, IO_BAD_FILE,
                    "%s: is the checkpoint of another run than %s; put its own beside it, or start "
                    "over with --force",
                    job->checkpoint_path, job->run_path);
}

/* The long work before the first step, which tells how far it is and stops at a signal. */
typedef struct Preparation {
    Progress *progress;
    const char *what;
} Preparation;

static bool prepare(void *context, double share) {
    Preparation *preparation = context;
    progress_prepare(preparation->progress, preparation->what, share);
    return cli_signals_caught() == 0;
}

static int end_preparation(Job *job, const IoError *error) {
    int signal_number = cli_signals_caught();
    progress_clear(&job->progress);
    if (signal_number == 0) {
        return cli_io_error(error);
    }
    cli_note("stopped before the first step; %s is as it was", job->run_path);
    return CLI_SIGNAL + signal_number;
}

/* The summary at the end covers the whole run. */
static bool recall_steps(Job *job, const Checkpoint *checkpoint, IoError *error) {
    Preparation reading = {&job->progress, "reading the steps of the run"};
    IoWatch watch = {prepare, &reading};
    const RunPosition *position = &checkpoint->position;
    RunReader *reader = run_open(job->run_path, error);
    bool ok = reader != NULL && check_identity(job, checkpoint, reader, error) &&
              summary_add_steps(&job->summary, reader, (size_t)position->steps, watch, error);
    if (ok && position->frames > 0 && run_frame_count(reader) >= (size_t)position->frames) {
        job->frame_step = run_frame_step(reader, (size_t)position->frames - 1);
    }
    ok = ok && (record_series_begin(&job->series, run_header(reader)) ||
                io_no_memory(error, job->run_path));
    run_reader_free(reader);
    return ok;
}

static bool reopen(Job *job, const Checkpoint *checkpoint, IoError *error) {
    Preparation copying = {&job->progress, "copying the run"};
    IoWatch watch = {prepare, &copying};
    job->writer =
        run_resume(job->run_path, &checkpoint->position, steps_per_frame(job), watch, error);
    progress_clear(&job->progress);
    return job->writer != NULL;
}

/* A power failure may have left the file damaged behind the checkpoint, and HDF5 lost in it. */
static bool take_up(Job *job, const Checkpoint *checkpoint, IoError *error) {
    if (recall_steps(job, checkpoint, error) && reopen(job, checkpoint, error)) {
        return true;
    }
    if (error->kind != IO_BAD_FILE || cli_signals_caught() != 0 ||
        !run_saved_restore(&checkpoint->saved, job->run_path)) {
        return false;
    }
    progress_clear(&job->progress);
    cli_note("%s: was damaged, as by a power failure, and is again as it was at its checkpoint",
             job->run_path);
    job->summary = (Summary){0};
    *error = (IoError){0};
    return recall_steps(job, checkpoint, error) && reopen(job, checkpoint, error);
}

/* Whether a run of this scene ended before its first checkpoint: it has made no step. */
static bool never_began(const Job *job, const RunReader *reader) {
    const RunHeader *header = run_header(reader);
    size_t size = 0, count = 0;
    const char *text = scene_text(job->scene, &size);
    const char *const *overrides = scene_overrides(job->scene, &count);
    bool same = header->scene_size == size && memcmp(header->scene_text, text, size) == 0 &&
                header->overrides.count == count;
    for (size_t i = 0; same && i < count; i++) {
        same = strcmp(header->overrides.name[i], overrides[i]) == 0;
    }
    return same && run_frame_count(reader) <= 1 && run_step_count(reader) == 0 &&
           (run_ending(reader) == RUN_OPEN || run_ending(reader) == RUN_FAILED);
}

/* The checkpoint is missing or that of another run, perhaps of the one that this run has replaced.
 * A run that has not made a step can begin anew. */
static int begin_anew(Job *job, const RunReader *reader, bool missing) {
    if (never_began(job, reader)) {
        cli_note("%s: ended before its first checkpoint; it begins anew", job->run_path);
        return begin_new(job);
    }
    if (missing) {
        cli_error("%s: there is no checkpoint to resume from; start over with --force",
                  job->checkpoint_path);
    } else {
        cli_error("%s: is the checkpoint of another run than %s; put its own beside it, or start "
                  "over with --force",
                  job->checkpoint_path, job->run_path);
    }
    return CLI_BAD_INPUT;
}

static int resume(Job *job, const Checkpoint *checkpoint) {
    IoError error = {0};
    CLI_TRY(restore(job, checkpoint));
    if (!take_up(job, checkpoint, &error)) {
        return end_preparation(job, &error);
    }
    /* the copy is another file, for which the pages in the old checkpoint are of no use */
    return job_write_checkpoint(job);
}

/* Where the run cannot be read, its checkpoint may help. */
static int begin_again(Job *job) {
    IoError error = {0};
    Checkpoint checkpoint = {0};
    struct stat about;
    bool missing = stat(job->checkpoint_path, &about) != 0;
    if (!missing && !checkpoint_read(job->checkpoint_path, &checkpoint, &error)) {
        return cli_io_error(&error);
    }
    RunReader *reader = run_open(job->run_path, &error);
    bool foreign =
        reader != NULL && (missing || checkpoint.identity != run_header(reader)->identity);
    int status = CLI_DONE;
    if (reader == NULL && missing) {
        status = cli_io_error(&error);
    } else if (foreign) {
        status = begin_anew(job, reader, missing);
    }
    run_reader_free(reader);
    if (status == CLI_DONE && !foreign) {
        status = resume(job, &checkpoint);
    }
    checkpoint_free(&checkpoint);
    return status;
}

int job_begin(Job *job, const CliArguments *arguments) {
    long threads = 0; /* as the scene says */
    if (!cli_integer("-j", arguments->value[CLI_THREADS], 1, 1024, &threads)) {
        return CLI_USAGE;
    }
    job->quiet = arguments->value[CLI_QUIET] != NULL;
    job->verbose = arguments->value[CLI_VERBOSE] != NULL && !job->quiet;
    job->frame_step = -1;
    if (arguments->value[CLI_RESTART] != NULL && arguments->value[CLI_FORCE] != NULL) {
        cli_error("--restart resumes a run and --force replaces it: give only one of them");
        return CLI_USAGE;
    }
    CLI_TRY(choose_paths(job, arguments));
    CLI_TRY(cli_refuse_run("run", job->scene_path));
    CLI_TRY(
        load_scene(job, arguments)); /* its mistakes first: whoever replaces a run has none left */
    if (!job->silent) {
        CLI_TRY(take_run(job));
        CLI_TRY(check_output(job, arguments));
        CLI_TRY(spare_inputs(job));
        CLI_TRY(dump_begin(&job->dump, arguments));
    }
    CLI_TRY(job_open_device(job, arguments->value[CLI_DEVICE]));
    cli_signals_catch(); /* until now nothing has been written that a signal could spoil */
    job->progress = progress_begin(!job->quiet, 0, 0);
    if (!job->silent) {
        CLI_TRY(arguments->value[CLI_RESTART] != NULL ? begin_again(job) : begin_new(job));
    }
    CLI_TRY(set_threads(job, threads));
    CLI_TRY(job_lend_device(job));
    scree_world_keep_problem(job->world, job->dump.every > 0);
    job->mean_radius = mean_radius(job->world);
    job->checkpoint_clock = progress_clock();
    job->progress = progress_begin(!job->quiet, scree_world_get_time(job->world),
                                   scene_settings(job->scene)->end);
    return CLI_DONE;
}
