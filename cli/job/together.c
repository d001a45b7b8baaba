/* A run that several processes make together: all have the scene and the world, the first writes. */
#include "cli/job/job.h"
#include "cli/signals.h"

#include <stdlib.h>
#include <string.h>

int job_agree(Job *job, int status) {
    const double every = scene_settings(job->scene)->checkpoint_every;
    bool due = !job->silent && progress_clock() - job->checkpoint_clock >= every;
    double most[] = {status, cli_signals_caught(), due};
    if (job->messages != NULL) {
        const ScreeProcesses *p = &job->messages->processes;
        p->most(p->context, most, sizeof most / sizeof most[0]);
    }
    job->signal_number = (int)most[1];
    job->checkpoint_due = most[2] > 0;
    return (int)most[0];
}

int job_gather(Job *job) {
    if (scree_world_gather_to_first(job->world) == SCREE_OK) {
        return CLI_DONE;
    }
    cli_error("out of memory for the bodies of all processes");
    if (job->messages != NULL) {
        job->messages->abandon(CLI_FAILED); /* the others wait for a message of this one */
    }
    return CLI_FAILED;
}

/* Numbers at a time, so that no process holds the world twice. */
enum { GIVEN = 1 << 17 };

/* Copies the first process's bytes to all; `bytes` has room for `size` rounded up to numbers, `room` for as
 * many numbers as are given at a time. */
static void give(const ScreeProcesses *p, char *bytes, size_t size, double *room) {
    const size_t all = (size + sizeof(double) - 1) / sizeof(double);
    for (size_t begin = 0; begin < all; begin += GIVEN) {
        const size_t left = all - begin, now = left < GIVEN ? left : GIVEN;
        size_t count[SCREE_MOST_PROCESSES] = {now};
        double *at = (double *)(void *)bytes + begin;
        p->gather(p->context, at, room, count);
        if (p->rank > 0) {
            memcpy(at, room, now * sizeof *room);
        }
    }
}

static size_t largest(const ScreeProcesses *p, size_t size) {
    double most = (double)size;
    p->most(p->context, &most, 1);
    return (size_t)most;
}

/* What decides how the run goes on besides the world. */
typedef struct Resumed {
    ScreeReport report;
    int64_t has_report;
} Resumed;

static bool read_world(Job *job, const char *bytes, size_t size) {
    ScreeWorld *world = NULL;
    if (scree_world_load(bytes, size, &world, NULL) != SCREE_OK ||
        scree_world_set_threads(world, scree_world_get_def(job->world).threads) != SCREE_OK) {
        return false;
    }
    scree_world_destroy(job->world);
    job->world = world;
    return true;
}

/* One block: world, state of the scene, report. */
static bool spread_block(Job *job, char *block, size_t world, size_t state, double *room) {
    const ScreeProcesses *p = &job->messages->processes;
    Resumed resumed = {job->report, job->has_report};
    char *at = block + world;
    bool ok = true;
    if (p->rank == 0) {
        size_t size = world;
        ok = scree_world_save(job->world, block, &size) == SCREE_OK;
        scene_state_save(job->scene, at);
        memcpy(at + state, &resumed, sizeof resumed);
    }
    give(p, block, world + state + sizeof resumed, room);
    if (p->rank > 0) {
        memcpy(&resumed, at + state, sizeof resumed);
        job->report = resumed.report;
        job->has_report = resumed.has_report != 0;
        ok = read_world(job, block, world) && scene_state_load(job->scene, at, state);
    }
    return ok;
}

int job_spread(Job *job) {
    const ScreeProcesses *p = &job->messages->processes;
    size_t world = 0, state = scene_state_size(job->scene);
    if (p->rank == 0 && scree_world_save(job->world, NULL, &world) != SCREE_OK) {
        world = 0;
    }
    world = largest(p, world);
    size_t bytes = world + state + sizeof(Resumed) + sizeof(double);
    char *block = calloc(bytes, 1);
    double *room = malloc(GIVEN * sizeof *room);
    if (block == NULL || room == NULL) {
        cli_error("out of memory for the world that the processes are to have");
        job->messages->abandon(CLI_FAILED);
    }
    bool ok = spread_block(job, block, world, state, room);
    free(block);
    free(room);
    return ok ? CLI_DONE : CLI_FAILED;
}
