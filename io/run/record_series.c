/* Measures that a recording takes while its world is stepped, as 'scree run' takes those of a scene. */
#include "io/run/record_series.h"

#include <scree/scree.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool record_series_announce(const ScreeRecordNames *names, RunHeader *header) {
    RunSeries *rows = &header->series_of;
    bool ok = run_rows_resize(RUN_SERIES, rows, names->series_count);
    for (size_t i = 0; ok && i < names->series_count; i++) {
        const ScreeSeriesDef *one = &names->series[i];
        const double min[3] = {one->def.min.x, one->def.min.y, one->def.min.z};
        const double max[3] = {one->def.max.x, one->def.max.y, one->def.max.z};
        rows->every[i] = one->every;
        rows->least_contacts[i] = one->def.least_contacts;
        memcpy(&rows->min[3 * i], min, sizeof min);
        memcpy(&rows->max[3 * i], max, sizeof max);
        ok = run_names_add(&header->series, one->name);
    }
    return ok;
}

bool record_series_begin(RecordSeries *all, const RunHeader *header) {
    const RunSeries *rows = &header->series_of;
    all->series = calloc(header->series.count + 1, sizeof *all->series);
    for (size_t i = 0; all->series != NULL && i < header->series.count; i++) {
        const double *min = &rows->min[3 * i], *max = &rows->max[3 * i];
        ScreeSeriesDef *one = &all->series[i];
        one->every = rows->every[i];
        one->def = scree_measure_def_default();
        one->def.min = (ScreeVec3){min[0], min[1], min[2]};
        one->def.max = (ScreeVec3){max[0], max[1], max[2]};
        one->def.least_contacts = rows->least_contacts[i];
        one->name = strdup(header->series.name[i]);
        all->count = i + 1;
        if (one->name == NULL) {
            return false;
        }
    }
    return all->series != NULL;
}

void record_series_free(RecordSeries *all) {
    for (size_t i = 0; i < all->count; i++) {
        free((char *)all->series[i].name);
    }
    free(all->series);
    free(all->contact);
    free(all->form);
}

static bool make_room(RecordSeries *all, size_t contacts, size_t forms) {
    if (all->contact == NULL || contacts > all->contacts) {
        free(all->contact);
        all->contacts = contacts + contacts / 8 + 1;
        all->contact = malloc(all->contacts * sizeof *all->contact);
    }
    if (all->form == NULL || forms > all->forms) {
        free(all->form);
        all->forms = forms + 1;
        all->form = calloc(all->forms, sizeof *all->form);
    }
    return all->contact != NULL && all->form != NULL;
}

static ScreeStatus fail(char *message, ScreeStatus status, const char *name, const char *text) {
    if (message != NULL) {
        snprintf(message, SCREE_FILE_MESSAGE_SIZE, "%s%s%s%s", name[0] != '\0' ? "measures." : "",
                 name, name[0] != '\0' ? ": " : "", text);
    }
    return status;
}

static ScreeStatus measure(const ScreeSeriesDef *one, int32_t number, const ScreeSample *sample,
                           const ScreeWorld *world, RunWriter *writer, char *message) {
    ScreeMeasures found;
    IoError error = {0};
    char text[SCREE_MESSAGE_SIZE] = "";
    const ScreeStatus status = scree_sample_measure(sample, &one->def, &found, text);
    if (status != SCREE_OK) {
        return fail(message, status, one->name, text);
    }
    const int64_t step = (int64_t)scree_world_get_step_count(world);
    return run_append_record(writer, number, step, scree_world_get_time(world), &found, &error)
               ? SCREE_OK
               : fail(message, SCREE_BAD_ARGUMENT, "", error.text);
}

ScreeStatus record_series_measure(RecordSeries *all, const ScreeWorld *world, RunWriter *writer,
                                  char *message) {
    const uint64_t step = scree_world_get_step_count(world);
    ScreeSample sample;
    bool taken = false;
    ScreeStatus status = SCREE_OK;
    for (size_t i = 0; i < all->count && status == SCREE_OK; i++) {
        if (step % (uint64_t)all->series[i].every != 0) {
            continue;
        }
        if (!taken) { /* one for all of them */
            const ScreeContactView contacts = scree_world_get_contacts(world);
            if (contacts.status != SCREE_OK ||
                !make_room(all, contacts.count, scree_world_get_shape_count(world))) {
                return fail(message, SCREE_NO_MEMORY, "", "out of memory");
            }
            scree_world_take_sample(world, all->contact, all->form, &sample);
            taken = true;
        }
        status = measure(&all->series[i], (int32_t)i, &sample, world, writer, message);
    }
    return status;
}
