/* What a scene measures while it runs. */
#include "cli/job/job.h"
#include "cli/message.h"

#include <stdlib.h>

bool job_fill_series(const Job *job, RunHeader *header) {
    size_t count = scene_measure_count(job->scene);
    RunSeries *series = &header->series_of;
    if (!run_rows_resize(RUN_SERIES, series, count)) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        const SceneMeasure m = scene_measure(job->scene, i);
        const double min[3] = {m.def.min.x, m.def.min.y, m.def.min.z};
        const double max[3] = {m.def.max.x, m.def.max.y, m.def.max.z};
        series->every[i] = m.every;
        series->least_contacts[i] = m.def.least_contacts;
        for (int k = 0; k < 3; k++) {
            series->min[3 * i + (size_t)k] = min[k];
            series->max[3 * i + (size_t)k] = max[k];
        }
        if (!run_names_add(&header->series, m.name)) {
            return false;
        }
    }
    return true;
}

static bool take_sample(Job *job, ScreeSample *sample) {
    const ScreeContactView view = scree_world_get_contacts(job->world);
    if (view.status != SCREE_OK) {
        return false;
    }
    size_t count = view.count;
    if (count > job->contact_room || job->contact == NULL) {
        size_t room = count + count / 8 + 1;
        ScreeContactForce *larger = realloc(job->contact, room * sizeof *larger);
        if (larger == NULL) {
            return false;
        }
        job->contact = larger;
        job->contact_room = room;
    }
    if (job->form == NULL) { /* a scene makes its shapes before it runs */
        job->form = calloc(scree_world_get_shape_count(job->world) + 1, sizeof *job->form);
    }
    if (job->form == NULL) {
        return false;
    }
    scree_world_take_sample(job->world, job->contact, job->form, sample);
    return true;
}

static int record(Job *job, size_t series, const SceneMeasure *measure, const ScreeSample *sample) {
    ScreeMeasures measures;
    IoError error = {0};
    char message[SCREE_MESSAGE_SIZE] = "";
    if (scree_sample_measure(sample, &measure->def, &measures, message) != SCREE_OK) {
        progress_clear(&job->progress);
        cli_error("measures.%s: %s", measure->name, message);
        return CLI_FAILED;
    }
    if (!run_append_record(job->writer, (int32_t)series,
                           (int64_t)scree_world_get_step_count(job->world),
                           scree_world_get_time(job->world), &measures, &error)) {
        progress_clear(&job->progress);
        return cli_io_error(&error);
    }
    return CLI_DONE;
}

static bool is_due(const Job *job, const SceneMeasure *measure) {
    return scree_world_get_step_count(job->world) % (uint64_t)measure->every == 0;
}

bool job_measures_now(const Job *job) {
    for (size_t i = 0; i < scene_measure_count(job->scene); i++) {
        const SceneMeasure measure = scene_measure(job->scene, i);
        if (is_due(job, &measure)) {
            return true;
        }
    }
    return false;
}

int job_measure(Job *job) {
    size_t count = scene_measure_count(job->scene);
    ScreeSample sample;
    bool taken = false;
    int status = CLI_DONE;
    for (size_t i = 0; i < count && status == CLI_DONE; i++) {
        const SceneMeasure measure = scene_measure(job->scene, i);
        if (!is_due(job, &measure)) {
            continue;
        }
        if (!taken && !take_sample(job, &sample)) {
            return cli_no_memory();
        }
        taken = true;
        status = record(job, i, &measure, &sample);
    }
    return status;
}
