/* Coordination in flow, over windows of time. */
#include "cli/command/measure_rows.h"

#include "cli/message.h"

/* Between frames of several steps, contacts come and go unseen. */
static void warn_of_gaps(const RunReader *reader, const MeasureOptions *o) {
    const size_t next = o->first + (o->count > 1 ? o->step : 0);
    const int64_t steps = run_frame_steps(reader, next) - run_frame_steps(reader, o->first);
    if (steps > 1) {
        cli_warning(
            "there are %lld steps from frame to frame, and only the forces of the last one are "
            "known: write a "
            "frame at every step (output.every) for carriers that do not depend on the time step",
            (long long)steps);
    }
}

static int take_frames(RunReader *reader, const MeasureOptions *o, ScreeCarriers *carriers) {
    RunFrame frame = {0};
    RunSample sample = {0};
    int status = CLI_DONE;
    for (size_t i = 0; i < o->count && status == CLI_DONE; i++) {
        IoError error = {0};
        char message[SCREE_MESSAGE_SIZE] = "";
        const size_t number = o->first + i * o->step;
        if (!run_read_frame(reader, number, &frame, &error)) {
            status = cli_io_error(&error);
        } else if (!run_sample_make(run_header(reader), &frame, &sample)) {
            status = cli_no_memory();
        } else if (scree_carriers_add(carriers, &sample.sample, frame.time, message) != SCREE_OK) {
            cli_error("frame %zu: %s", number, message);
            status = CLI_USAGE;
        }
    }
    run_sample_free(&sample);
    run_frame_free(&frame);
    return status;
}

static int write_table(const MeasureOptions *o, const ScreeCarrying *found) {
    static const ResultColumn columns[] = {
        {"windows", "1", "number of complete windows"},
        {"window", "time", "their length"},
        {"coordination", "1", "mean number of partners at a moment; depends on the time step"},
        {"coordination_error", "1", "standard error"},
        {"partners", "1", "mean number of different partners in a window"},
        {"partners_error", "1", "standard error"},
        {"carriers", "1", "mean number of partners that carry the load of a window"},
        {"carriers_error", "1", "standard error"}};
    const double numbers[] = {
        found->window,         found->coordination, found->coordination_error, found->partners,
        found->partners_error, found->carriers,     found->carriers_error};
    ResultTable table = {.format = o->format};
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        result_column(&table, columns[i].name, columns[i].dimension, columns[i].meaning);
    }
    result_integer(&table, found->windows);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        result_real(&table, numbers[i]);
    }
    const bool written = result_write(&table, "who carries the load", stdout);
    result_free(&table);
    return written ? CLI_DONE : cli_no_memory();
}

int measure_carriers(RunReader *reader, const MeasureOptions *o) {
    char message[SCREE_MESSAGE_SIZE] = "";
    const double span = run_frame_time(reader, o->first + (o->count - 1) * o->step) -
                        run_frame_time(reader, o->first);
    if (o->count < 2) {
        cli_error("carriers need several frames, one after the other: choose them by --frames or "
                  "--times");
        return CLI_USAGE;
    }
    ScreeCarriers *carriers =
        scree_carriers_new(&o->region, o->window > 0 ? o->window : span / 10, message);
    if (carriers == NULL) {
        cli_error("%s", message);
        return CLI_USAGE;
    }
    warn_of_gaps(reader, o);
    int status = take_frames(reader, o, carriers);
    if (status == CLI_DONE) {
        measure_warn_without_contacts(reader, o->first + (o->count - 1) * o->step);
        const ScreeCarrying found = scree_carriers_get(carriers);
        status = write_table(o, &found);
    }
    scree_carriers_free(carriers);
    return status;
}
