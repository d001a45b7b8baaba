/* How far the forces and the motion of one state are undetermined: of a frame of a run, or of a scene at its
 * end. */
#include "cli/commands.h"
#include "cli/command/frames.h"
#include "cli/command/result_table.h"
#include "io/run/sample.h"

#include "base/plural.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct Asked {
    ScreeIndeterminacyDef def;
    enum { WHOLE, CONTACTS, BODIES } what; /* the summary, or a row for each of these */
    ResultFormat format;
} Asked;

/* ---------------------------------------------------------------- options */

static int read_options(const CliArguments *a, Asked *o) {
    o->def = scree_indeterminacy_def_default();
    long samples = (long)o->def.samples, seed = (long)o->def.seed;
    o->def.extremes = a->value[CLI_NO_EXTREMES] == NULL;
    const char *what = a->value[CLI_WHAT] != NULL ? a->value[CLI_WHAT] : "whole";
    o->what = strcmp(what, "contacts") == 0 ? CONTACTS
              : strcmp(what, "bodies") == 0 ? BODIES
                                            : WHOLE;
    o->format = result_format(a);
    if (!cli_real("--amplitude", a->value[CLI_AMPLITUDE], &o->def.amplitude) ||
        !cli_real("--still", a->value[CLI_STILL], &o->def.still) ||
        !cli_integer("--samples", a->value[CLI_SAMPLES], 0, 1000000, &samples) ||
        !cli_integer("--seed", a->value[CLI_SEED], 0, LONG_MAX, &seed)) {
        return CLI_USAGE;
    }
    o->def.samples = (size_t)samples;
    o->def.seed = (uint64_t)seed;
    if (!(o->def.amplitude > 0) || !(o->def.still >= 0)) {
        cli_error("--amplitude must be positive, and --still must not be negative");
        return CLI_USAGE;
    }
    return CLI_DONE;
}

/* ---------------------------------------------------------------- tables */

static void add_whole(ResultTable *t, const ScreeIndeterminacy *forces,
                      const ScreeMotions *motions) {
#define int64_t_CELL(w, name)             result_integer(t, w->name)
#define double_CELL(w, name)              result_real(t, w->name)
#define X(type, name, dimension, meaning) result_column(t, #name, dimension, meaning);
    SCREE_INDETERMINACY_MAP(X)
    SCREE_MOTIONS_MAP(X)
#undef X
#define X(type, name, dimension, meaning) type##_CELL(forces, name);
    SCREE_INDETERMINACY_MAP(X)
#undef X
#define X(type, name, dimension, meaning) type##_CELL(motions, name);
    SCREE_MOTIONS_MAP(X)
#undef X
#undef int64_t_CELL
#undef double_CELL
}

/* Rows of all bodies, whose velocities may have a range or not. */
static void add_bodies(ResultTable *t, const ScreeSample *s, const ScreeMotionRange *range) {
    static const char *const names[] = {"vx_least", "vx_most", "vy_least", "vy_most",
                                        "vz_least", "vz_most", "wx_least", "wx_most",
                                        "wy_least", "wy_most", "wz_least", "wz_most"};
    result_column(t, "body", "1", NULL);
    for (int i = 0; i < 12; i++) {
        result_column(t, names[i], i < 6 ? "length/time" : "1/time", NULL);
    }
    for (size_t b = 0; b < s->bodies; b++) {
        const ScreeMotionRange *r = &range[b];
        const ScreeVec3 *ends[2][2] = {{&r->velocity_least, &r->velocity_most},
                                       {&r->spin_least, &r->spin_most}};
        result_integer(t, (long long)b);
        for (int i = 0; i < 12; i++) {
            const ScreeVec3 *v = ends[i / 6][i % 2];
            result_real(t, i / 2 % 3 == 0 ? v->x : i / 2 % 3 == 1 ? v->y : v->z);
        }
    }
}

/* Rows of the contacts that carry or can carry something. */
static void add_contacts(ResultTable *t, const ScreeSample *s, const ScreeForceRange *range) {
    static const char *const integers[] = {"contact", "a", "b", "feature"};
    static const char *const places[] = {"x", "y", "z"};
    static const char *const forces[] = {"now", "least", "most", "spread", "mean", "deviation"};
    static const char *const states[] = {"open", "stick", "slip"};
    for (size_t i = 0; i < 4; i++) {
        result_column(t, integers[i], "1", NULL);
    }
    for (size_t i = 0; i < 3; i++) {
        result_column(t, places[i], "length", NULL);
    }
    result_column(t, "state", "", NULL);
    result_column(t, "loose", "1", NULL);
    for (size_t i = 0; i < 6; i++) {
        result_column(t, forces[i], i == 3 ? "1" : "force", NULL);
    }
    for (size_t i = 0; i < s->contacts; i++) {
        const ScreeContactForce *c = &s->contact[i];
        const ScreeForceRange *r = &range[i];
        if (r->state == SCREE_CONTACT_OPEN) {
            continue;
        }
        const long long whole[] = {(long long)i, c->a.index, c->b.code, c->feature};
        const double place[] = {c->point.x, c->point.y, c->point.z};
        const double force[] = {r->now, r->least, r->most, r->spread, r->mean, r->deviation};
        for (size_t k = 0; k < 4; k++) {
            result_integer(t, whole[k]);
        }
        for (size_t k = 0; k < 3; k++) {
            result_real(t, place[k]);
        }
        result_word(t, states[r->state]);
        result_integer(t, r->loose);
        for (size_t k = 0; k < 6; k++) {
            result_real(t, force[k]);
        }
    }
}

static void warn(const ScreeIndeterminacy *w, const ScreeMotions *motions) {
    if (w->failed > 0) {
        cli_warning("%lld of %lld random starts did not lead to a force network",
                    (long long)w->failed, (long long)w->failed + (long long)w->samples);
    }
    if (w->unsure > 0) {
        cli_warning("the extremes of %lld %s are less accurate than 1e-6 of the mean force",
                    (long long)w->unsure, SCR_PLURAL(w->unsure, "contact", "contacts"));
    }
    if (motions->motion_unsure > 0) {
        cli_warning("%lld %s of velocities %s less accurate than 1e-6 of what the mean "
                    "force does in a step",
                    (long long)motions->motion_unsure,
                    SCR_PLURAL(motions->motion_unsure, "extreme", "extremes"),
                    SCR_PLURAL(motions->motion_unsure, "is", "are"));
    }
}

/* What is not recorded leaves the motion unknown, not wrong. */
static ScreeStatus measure_motions(const ScreeSample *sample, const ScreeSurroundings *around,
                                   const Asked *o, ScreeMotionRange *range, ScreeMotions *motions,
                                   char *message) {
    ScreeStatus done =
        scree_sample_measure_motions(sample, around, &o->def, range, motions, message);
    if (done == SCREE_BAD_ARGUMENT && o->what != BODIES) {
        if (o->what == WHOLE) {
            cli_warning("undetermined motion was not sought: %s", message);
        }
        *motions = (ScreeMotions){.motion_range = NAN};
        done = SCREE_OK;
    }
    return done;
}

static int measure(const ScreeSample *sample, const ScreeSurroundings *around, const Asked *o,
                   double time) {
    static const char *const titles[] = {"indeterminacy of forces and motion",
                                         "normal forces over all networks",
                                         "velocities over all motions"};
    ScreeForceRange *range = calloc(sample->contacts + 1, sizeof *range);
    ScreeMotionRange *moving = calloc(sample->bodies + 1, sizeof *moving);
    ScreeIndeterminacy whole = {0};
    ScreeMotions motions = {0};
    char message[SCREE_MESSAGE_SIZE] = "", title[120];
    ResultTable table = {.format = o->format, .dimension = sample->dimension};
    ScreeStatus done = range == NULL || moving == NULL ? SCREE_NO_MEMORY : SCREE_OK;
    if (done == SCREE_OK && o->what != BODIES) {
        done = scree_sample_measure_indeterminacy(sample, around, &o->def, range, &whole, NULL,
                                                  message);
    }
    if (done == SCREE_OK && o->what != CONTACTS) {
        done = measure_motions(sample, around, o, moving, &motions, message);
    }
    int status = CLI_DONE;
    if (done != SCREE_OK) {
        cli_error("%s", message[0] != '\0' ? message : "out of memory");
        status = done == SCREE_NO_MEMORY ? CLI_FAILED : CLI_BAD_INPUT;
    } else {
        warn(&whole, &motions);
        snprintf(title, sizeof title, "%s at time %.6g", titles[o->what], time);
        if (o->what == CONTACTS) {
            add_contacts(&table, sample, range);
        } else if (o->what == BODIES) {
            add_bodies(&table, sample, moving);
        } else {
            add_whole(&table, &whole, &motions);
        }
        status = result_write(&table, title, stdout) ? CLI_DONE : cli_no_memory();
    }
    result_free(&table);
    free(range);
    free(moving);
    return status;
}

/* ---------------------------------------------------------------- of a run */

static int of_run(const CliArguments *a, const Asked *o) {
    IoError error = {0};
    RunFrame frame = {0};
    RunSample sample = {0};
    RunSurroundings around = {0};
    size_t first = 0, count = 0;
    RunReader *reader = run_open(a->operand, &error);
    if (reader == NULL) {
        return cli_io_error(&error);
    }
    int status = cli_choose_frames(a, reader, false, &first, &count);
    if (status == CLI_DONE && !run_read_frame(reader, first, &frame, &error)) {
        status = cli_io_error(&error);
    }
    if (status == CLI_DONE && a->define_count > 0) {
        cli_error("-D changes a scene, but %s is a run", a->operand);
        status = CLI_USAGE;
    }
    if (status == CLI_DONE && (!run_sample_make(run_header(reader), &frame, &sample) ||
                               !run_surroundings_make(run_header(reader), &frame, &around))) {
        status = cli_no_memory();
    }
    if (status == CLI_DONE) {
        if (run_header(reader)->version < 5) {
            cli_warning("this run was written by an older version and does not record pistons, "
                        "frozen grains and the materials of walls");
        }
        status = measure(&sample.sample, &around.surroundings, o, frame.time);
    }
    run_surroundings_free(&around);
    run_sample_free(&sample);
    run_frame_free(&frame);
    run_reader_free(reader);
    return status;
}

/* ---------------------------------------------------------------- of a scene */

static int of_world(const ScreeWorld *world, const Asked *o) {
    const ScreeContactView view = scree_world_get_contacts(world);
    ScreeContactForce *contact = calloc(view.count + 1, sizeof *contact);
    ScreeShape *form = calloc(scree_world_get_shape_count(world) + 1, sizeof *form);
    ScreeSampleWall *wall = calloc(scree_world_get_wall_count(world) + 1, sizeof *wall);
    ScreeSample sample;
    ScreeSurroundings around;
    int status = CLI_DONE;
    if (view.status != SCREE_OK || contact == NULL || form == NULL || wall == NULL) {
        status = cli_no_memory();
    } else {
        scree_world_take_sample(world, contact, form, &sample);
        scree_world_take_surroundings(world, wall, &around);
        status = measure(&sample, &around, o, scree_world_get_time(world));
    }
    free(contact);
    free(form);
    free(wall);
    return status;
}

static int of_scene(const CliArguments *a, const Asked *o) {
    char message[SCREE_FILE_MESSAGE_SIZE] = "";
    ScreeScene *scene = NULL;
    ScreeWorld *world = NULL;
    double until = INFINITY;
    int status = CLI_DONE;
    if (a->value[CLI_FRAME] != NULL) {
        cli_error("--frame: a scene has no frames; use --time instead");
        return CLI_USAGE;
    }
    if (!cli_real("--time", a->value[CLI_TIME], &until)) {
        return CLI_USAGE;
    }
    if (scree_scene_load(a->operand, a->define, a->define_count, &scene, message) != SCREE_OK ||
        scree_scene_build(scene, &world, message) != SCREE_OK) {
        fputs(message, stderr);
        status = CLI_BAD_INPUT;
    }
    double half = status == CLI_DONE ? 0.5 * scree_world_get_def(world).time_step : 0;
    while (status == CLI_DONE && !scree_scene_is_finished(scene, world) &&
           scree_world_get_time(world) + half < until) {
        if (scree_scene_step(scene, world, NULL) != SCREE_OK) {
            cli_error("%s", scree_scene_get_message(scene));
            status = CLI_FAILED;
        }
    }
    status = status == CLI_DONE ? of_world(world, o) : status;
    scree_world_destroy(world);
    scree_scene_destroy(scene);
    return status;
}

/* HDF5 files have a signature; anything else is a scene, or the reader of scenes reports that it is
 * not. */
static bool is_hdf5(const char *path) {
    static const char signature[] = "\211HDF\r\n\032\n";
    char begin[8] = "";
    FILE *file = fopen(path, "rb");
    bool found = file != NULL && fread(begin, 1, sizeof begin, file) == sizeof begin &&
                 memcmp(begin, signature, sizeof begin) == 0;
    if (file != NULL) {
        fclose(file);
    }
    return found;
}

int cli_indeterminacy(const CliArguments *arguments) {
    Asked asked;
    CLI_TRY(read_options(arguments, &asked));
    return is_hdf5(arguments->operand) ? of_run(arguments, &asked) : of_scene(arguments, &asked);
}
