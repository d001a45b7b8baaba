/* Measures of a run. */
#include "cli/commands.h"
#include "cli/command/measure_rows.h"

#include "base/plural.h"

#include <string.h>

/* Adds the energies of the steps up to a frame. */
static bool add_energy(RunReader *reader, size_t from, size_t to, ScreeEnergy *energy,
                       IoError *error) {
    RunWalk walk = {.reader = reader, .next = from, .end = to};
    ScreeReport report;
    while (run_walk(&walk, &report, error)) {
        scree_energy_add(energy, &report);
    }
    return run_walk_end(&walk);
}

static void title_of(const MeasureKind *kind, const MeasureOptions *o, const ScreeMeasureDef *r,
                     char *title, size_t size) {
    snprintf(title, size, "%s, %s%zu %s", kind->title,
             measure_is_bounded(r) ? "in the region, " : "", o->count,
             SCR_PLURAL(o->count, "frame", "frames"));
}

/* A run may have been told not to write contacts: then nothing is known about forces. The
 * certificate of the frame's step says whether there were any. */
void measure_warn_without_contacts(RunReader *reader, size_t frame) {
    IoError error = {0};
    RunSteps steps = {0};
    int64_t made = run_frame_steps(reader, frame);
    if (run_frame_contacts(reader, frame) == 0 && made > 0 &&
        run_read_steps(reader, (size_t)made - 1, 1, &steps, &error) && steps.active[0] > 0) {
        cli_warning("the frames of this run hold no contacts (output.contacts of the scene): "
                    "coordination, stress, fabric and forces cannot be measured from them");
    }
    run_rows_free(RUN_STEPS, &steps);
}

/* Work space of the loop over frames. */
typedef struct Measuring {
    RunReader *reader;
    RunFrame frame;
    RunSample sample;
    ScreeEnergy energy;
    size_t steps; /* number of steps in `energy` */
    MeasureEmpty empty;
} Measuring;

static int measure_frame(Measuring *m, const MeasureKind *kind, const MeasureOptions *o,
                         size_t number, ResultTable *table) {
    IoError error = {0};
    char message[SCREE_MESSAGE_SIZE] = "";
    const RunHeader *header = run_header(m->reader);
    size_t steps =
        strcmp(kind->name, "energy") == 0 ? (size_t)run_frame_steps(m->reader, number) : m->steps;
    if (!run_read_frame(m->reader, number, &m->frame, &error) ||
        !add_energy(m->reader, m->steps, steps, &m->energy, &error)) {
        return cli_io_error(&error);
    }
    m->steps = steps;
    if (!run_sample_make(header, &m->frame, &m->sample)) {
        table->failed = true;
        return CLI_DONE;
    }
    measure_look_for_grains(&m->sample.sample, &o->region, &m->empty);
    const MeasuredFrame frame = {number,     m->frame.time, header, &m->sample.sample,
                                 &m->energy, &m->frame.cell};
    ScreeStatus status = kind->rows(&frame, o, table, message);
    if (status != SCREE_OK) {
        cli_error("frame %zu: %s", number, message);
        return status == SCREE_NO_MEMORY ? CLI_FAILED : CLI_USAGE;
    }
    return CLI_DONE;
}

static int measure_frames(RunReader *reader, const MeasureOptions *o) {
    const MeasureKind *kind = measure_kind(o->what);
    Measuring m = {.reader = reader};
    ResultTable table = {.format = o->format, .dimension = run_header(reader)->dimension};
    int status = CLI_DONE;
    table.brief = o->format == RESULT_TEXT && o->count > 1;
    measure_columns(kind, &table);
    for (size_t i = 0; i < o->count && status == CLI_DONE && !table.failed; i++) {
        status = measure_frame(&m, kind, o, o->first + i * o->step, &table);
    }
    if (status == CLI_DONE) {
        measure_warn_without_contacts(reader, o->first + (o->count - 1) * o->step);
        measure_say_empty(&m.empty);
        char title[160];
        title_of(kind, o, &o->region, title, sizeof title);
        status = result_write(&table, title, stdout) ? CLI_DONE : cli_no_memory();
    }
    result_free(&table);
    run_sample_free(&m.sample);
    run_frame_free(&m.frame);
    return status;
}

/* What the scene recorded; the options for frames and region do not apply. */
static int measure_online(RunReader *reader, const MeasureOptions *o) {
    enum { BLOCK = 4096 };
    const RunHeader *header = run_header(reader);
    ResultTable table = {.format = o->format, .dimension = header->dimension};
    RunRecords rows = {0};
    IoError error = {0};
    bool ok = true;
    if (header->series.count == 0) {
        cli_error("the scene of this run had no 'measures' section");
        return CLI_BAD_INPUT;
    }
    table.brief = o->format == RESULT_TEXT;
    result_column(&table, "series", "", NULL);
    result_column(&table, "step", "1", NULL);
    result_column(&table, "time", "time", NULL);
    measure_state_columns(&table);
    size_t total = run_record_count(reader);
    for (size_t done = 0; ok && done < total; done += BLOCK) {
        size_t count = total - done < BLOCK ? total - done : BLOCK;
        ok = run_read_records(reader, done, count, &rows, &error);
        for (size_t i = 0; ok && i < count; i++) {
            const ScreeMeasures measures = run_records_get(&rows, i);
            result_word(&table, header->series.name[rows.series[i]]);
            result_integer(&table, rows.step[i]);
            result_real(&table, rows.time[i]);
            measure_state_cells(&table, &measures);
        }
    }
    int status = !ok                                                       ? cli_io_error(&error)
                 : result_write(&table, "recorded during the run", stdout) ? CLI_DONE
                                                                           : cli_no_memory();
    run_rows_free(RUN_RECORDS, &rows);
    result_free(&table);
    return status;
}

int cli_measure(const CliArguments *arguments) {
    IoError error = {0};
    MeasureOptions options;
    RunReader *reader = run_open(arguments->operand, &error);
    if (reader == NULL) {
        return cli_io_error(&error);
    }
    int status = measure_read_options(arguments, reader, &options);
    if (status == CLI_DONE) {
        status = strcmp(options.what, "online") == 0     ? measure_online(reader, &options)
                 : strcmp(options.what, "profile") == 0  ? measure_profile(reader, &options)
                 : strcmp(options.what, "carriers") == 0 ? measure_carriers(reader, &options)
                                                         : measure_frames(reader, &options);
    }
    run_reader_free(reader);
    return status;
}
