/* Averages over bins and over frames, with errors. */
#include "cli/command/measure_rows.h"

#include "base/plural.h"
#include "cli/message.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------- frames */

typedef struct Profiling {
    RunReader *reader;
    RunFrame frame;
    RunSample sample;
    ScreeProfile *profile;
    MeasureEmpty empty;
} Profiling;

typedef ScreeStatus Take(ScreeProfile *profile, const ScreeSample *sample, char *message);

static int take_frame(Profiling *p, size_t number, Take *take) {
    IoError error = {0};
    char message[SCREE_MESSAGE_SIZE] = "";
    if (!run_read_frame(p->reader, number, &p->frame, &error)) {
        return cli_io_error(&error);
    }
    if (!run_sample_make(run_header(p->reader), &p->frame, &p->sample)) {
        return cli_no_memory();
    }
    const ScreeStatus status = take(p->profile, &p->sample.sample, message);
    if (status != SCREE_OK) {
        cli_error("frame %zu: %s", number, message);
        return status == SCREE_NO_MEMORY ? CLI_FAILED : CLI_USAGE;
    }
    return CLI_DONE;
}

/* Bins must hold the grains of all frames, so frames are read twice. */
static int take_frames(Profiling *p, const MeasureOptions *o) {
    Take *const passes[] = {scree_profile_cover, scree_profile_add};
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < o->count; i++) {
            CLI_TRY(take_frame(p, o->first + i * o->step, passes[pass]));
            if (pass == 1) {
                measure_look_for_grains(&p->sample.sample, &o->region, &p->empty);
            }
        }
    }
    return CLI_DONE;
}

/* ---------------------------------------------------------------- the table */

enum { NUMBERS = sizeof(ScreeProfileNumbers) / sizeof(double), NAME_LENGTH = 40 };

/* Names of the columns: of each number, and of its error. */
typedef struct Names {
    char of[2 * NUMBERS][NAME_LENGTH];
    size_t count;
} Names;

/* About an axis the components are outwards, around and along: velocity_x is velocity_r there. */
static const char *name_of(Names *names, const char *name, bool shells, bool error) {
    char *made = names->of[names->count++];
    snprintf(made, NAME_LENGTH, "%s%s", name, error ? "_error" : "");
    char *end = made + strlen(name);
    bool vector = strncmp(name, "velocity_", 9) == 0;
    bool tensor = strncmp(name, "stress_", 7) == 0 || strncmp(name, "kinetic_", 8) == 0;
    for (char *c = end - (tensor ? 2 : vector ? 1 : 0); shells && c < end; c++) {
        *c = "rta"[*c - 'x'];
    }
    return made;
}

/* For people: a few numbers, each with its error. */
static bool is_main(const char *name, int dimension) {
    static const char *const names[] = {
        "solid_fraction", "velocity_x", "velocity_y", "velocity_z",
        "temperature",    "pressure",   "mu",         "inertial_number"};
    bool found = false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        found = found || (strcmp(names[i], name) == 0 && (dimension == 3 || i != 3));
    }
    return found;
}

static void add_columns(ResultTable *t, bool shells, Names *names) {
    result_column(t, "low", "length", "where the bin begins");
    result_column(t, "high", "length", "where it ends");
#define X(type, name, unit, meaning)                                                               \
    if (!t->brief || is_main(#name, t->dimension)) {                                               \
        result_column(t, name_of(names, #name, shells, false), unit, meaning);                     \
    }                                                                                              \
    if (!t->brief) {                                                                               \
        result_column(t, name_of(names, #name, shells, true), unit, "standard error");             \
    }
    SCREE_PROFILE_MAP(X)
#undef X
}

/* "0.812 +- 0.003", the error with two digits. */
static void add_cell(ResultTable *t, double mean, double error) {
    if (!t->brief) {
        result_real(t, mean);
        result_real(t, error);
    } else if (isnan(mean) || !(error > 0) || !isfinite(error)) {
        result_real(t, mean);
    } else {
        char text[80];
        const int digits = 1 - (int)floor(log10(error));
        if (digits >= 0 && digits <= 6 && fabs(mean) < 1e6) {
            snprintf(text, sizeof text, "%.*f +- %.*f", digits, mean, digits, error);
        } else {
            snprintf(text, sizeof text, "%.3g +- %.1g", mean, error);
        }
        result_word(t, text);
    }
}

static void describe(const Profiling *p, const MeasureOptions *o, char *title, size_t size) {
    const size_t blocks = scree_profile_get_block_count(p->profile);
    const size_t last = o->first + (o->count - 1) * o->step;
    snprintf(title, size, "profile along %c, %zu %s from time %g to %g, errors from %zu %s",
             "xyzr"[o->profile.axis], o -> count, SCR_PLURAL(o->count, "frame", "frames"),
             run_frame_time(p->reader, o->first), run_frame_time(p->reader, last), blocks,
             SCR_PLURAL(blocks, "block", "blocks"));
}

static int write_table(const Profiling *p, const MeasureOptions *o) {
    const size_t bins = scree_profile_get_bin_count(p->profile);
    const bool shells = o->profile.axis == SCREE_PROFILE_R;
    ResultTable table = {.format = o->format, .dimension = run_header(p->reader)->dimension};
    Names names = {.count = 0};
    ScreeProfileBin *bin = calloc(bins, sizeof *bin);
    if (bin == NULL) {
        return cli_no_memory();
    }
    table.brief = o->format == RESULT_TEXT;
    add_columns(&table, shells, &names);
    scree_profile_get_bins(p->profile, bin);
    for (size_t k = 0; k < bins; k++) {
        result_real(&table, bin[k].low);
        result_real(&table, bin[k].high);
#define X(type, name, unit, meaning)                                                               \
    if (!table.brief || is_main(#name, table.dimension)) {                                         \
        add_cell(&table, bin[k].mean.name, bin[k].error.name);                                     \
    }
        SCREE_PROFILE_MAP(X)
#undef X
    }
    char title[200];
    describe(p, o, title, sizeof title);
    const bool written = result_write(&table, title, stdout);
    result_free(&table);
    free(bin);
    return written ? CLI_DONE : cli_no_memory();
}

int measure_profile(RunReader *reader, const MeasureOptions *o) {
    char message[SCREE_MESSAGE_SIZE] = "";
    Profiling p = {.reader = reader, .profile = scree_profile_new(&o->profile, message)};
    if (p.profile == NULL) {
        cli_error("%s", message);
        return CLI_USAGE;
    }
    int status = take_frames(&p, o);
    if (status == CLI_DONE) {
        measure_warn_without_contacts(reader, o->first + (o->count - 1) * o->step);
        measure_say_empty(&p.empty);
        status = write_table(&p, o);
    }
    scree_profile_free(p.profile);
    run_sample_free(&p.sample);
    run_frame_free(&p.frame);
    return status;
}
