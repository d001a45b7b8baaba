#include "cli/command/measure_options.h"
#include "cli/commands.h"

#include "base/plural.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Reads a number and advances; false when there is none. */
static bool take_real(const char **text, double *value) {
    char *end = NULL;
    *value = strtod(*text, &end);
    bool found = end != *text && isfinite(*value);
    *text = end;
    return found;
}

static bool take_letter(const char **text, char letter) {
    bool found = **text == letter;
    *text += found;
    return found;
}

/* "0:1,:2,": bounds that are left out stay as they are. */
static int read_region(const char *text, int dimension, ScreeMeasureDef *def) {
    double *low[3] = {&def->min.x, &def->min.y, &def->min.z};
    double *high[3] = {&def->max.x, &def->max.y, &def->max.z};
    const char *at = text;
    bool sound = true;
    int axis = 0;
    for (; sound && *at != '\0' && axis < dimension; axis++) {
        if (axis > 0) {
            sound = take_letter(&at, ',');
        }
        if (sound && *at != ',' && *at != '\0') {
            sound = *at == ':' || take_real(&at, low[axis]);
            sound = sound && take_letter(&at, ':');
            sound = sound && (*at == ',' || *at == '\0' || take_real(&at, high[axis]));
        }
        sound = sound && *low[axis] < *high[axis];
    }
    if (!sound || *at != '\0') {
        cli_error("--region %s: must look like %s, with the smaller bound of each pair first", text,
                  dimension == 2 ? "0:1,-2:2" : "0:1,-2:2,:5");
        return CLI_USAGE;
    }
    return CLI_DONE;
}

static bool take_frame(const char **text, long frames, long *frame) {
    char *end = NULL;
    *frame = strtol(*text, &end, 10);
    bool found = end != *text;
    *text = end;
    *frame += *frame < 0 ? frames : 0;
    return found && *frame >= 0 && *frame < frames;
}

/* "K", "FROM:TO", "FROM:TO:STEP", "all". */
static int read_frames(const char *text, size_t frames, MeasureOptions *o) {
    const char *at = text;
    long count = (long)frames, from = 0, to = count - 1, step = 1;
    bool sound = true;
    if (strcmp(text, "all") != 0) {
        bool range = strchr(text, ':') != NULL;
        sound = (range && *at == ':') || take_frame(&at, count, &from);
        to = range ? to : from;
        if (sound && take_letter(&at, ':') && *at != ':' && *at != '\0') {
            sound = take_frame(&at, count, &to);
        }
        if (sound && take_letter(&at, ':')) {
            char *end = NULL;
            step = strtol(at, &end, 10);
            sound = end != at && step > 0;
            at = end;
        }
        sound = sound && *at == '\0' && from <= to;
    }
    if (!sound) {
        cli_error("--frames %s: must be K, FROM:TO, FROM:TO:STEP or all, of %ld %s", text, count,
                  SCR_PLURAL(count, "frame", "frames"));
        return CLI_USAGE;
    }
    o->first = (size_t)from;
    o->step = (size_t)step;
    o->count = (size_t)((to - from) / step + 1);
    return CLI_DONE;
}

/* "FROM:TO", either of which may be left out. */
static int read_times(const char *text, const RunReader *reader, MeasureOptions *o) {
    double from = -INFINITY, to = INFINITY;
    const char *at = text;
    bool sound = (*at == ':' || take_real(&at, &from)) && take_letter(&at, ':') &&
                 (*at == '\0' || take_real(&at, &to)) && *at == '\0' && from <= to;
    if (!sound) {
        cli_error("--times %s: must be FROM:TO, such as 0.5:2 or 0.5:", text);
        return CLI_USAGE;
    }
    size_t frames = run_frame_count(reader);
    o->first = o->count = 0;
    o->step = 1;
    for (size_t i = 0; i < frames; i++) {
        const double time = run_frame_time(reader, i), rounding = 1e-12 * fabs(time);
        if (time >= from - rounding && time <= to + rounding) {
            o->first = o->count == 0 ? i : o->first;
            o->count++;
        }
    }
    if (o->count == 0) {
        cli_error("--times %s: the run has no frame then; its %zu are from time %g to %g", text,
                  frames, run_frame_time(reader, 0), run_frame_time(reader, frames - 1));
        return CLI_USAGE;
    }
    return CLI_DONE;
}

/* By number or by time; otherwise the last, and for averages over time the second half. */
static int choose_frames(const CliArguments *a, const RunReader *reader, MeasureOptions *o) {
    const char *frames = a->value[CLI_FRAMES], *times = a->value[CLI_TIMES];
    if (frames != NULL && times != NULL) {
        cli_error("give only one of --frames and --times");
        return CLI_USAGE;
    }
    if (times != NULL) {
        return read_times(times, reader, o);
    }
    size_t count = run_frame_count(reader);
    if (frames == NULL && (strcmp(o->what, "profile") == 0 || strcmp(o->what, "carriers") == 0)) {
        o->first = count / 2;
        o->step = 1;
        o->count = count - o->first;
        return CLI_DONE;
    }
    return read_frames(frames != NULL ? frames : "-1", count, o);
}

static bool take_vector(const char **text, int dimension, ScreeVec3 *v) {
    v->z = 0;
    bool sound = take_real(text, &v->x) && take_letter(text, ',') && take_real(text, &v->y);
    if (sound && (dimension == 3 || **text == ',')) {
        sound = take_letter(text, ',') && take_real(text, &v->z);
    }
    return sound;
}

static int read_plane(const char *text, int dimension, MeasureOptions *o) {
    const char *at = text;
    o->has_plane = take_vector(&at, dimension, &o->point) && take_letter(&at, ':') &&
                   take_vector(&at, dimension, &o->normal) && *at == '\0';
    if (!o->has_plane) {
        cli_error("--plane %s: must be a point and a normal, such as %s", text,
                  dimension == 2 ? "0,1:0,-1" : "0,0,1:0,0,-1");
    }
    return o->has_plane ? CLI_DONE : CLI_USAGE;
}

static int read_axis(const CliArguments *a, int dimension, MeasureOptions *o) {
    const char *axis = a->value[CLI_AXIS], *about = a->value[CLI_ABOUT];
    ScreeProfileDef *p = &o->profile;
    p->axis = axis == NULL   ? dimension - 1
              : *axis == 'r' ? SCREE_PROFILE_R
                             : (int32_t)(*axis - 'x');
    if (about != NULL) {
        const char *at = about;
        bool sound = take_vector(&at, dimension, &p->centre);
        if (sound && dimension == 3) {
            sound = take_letter(&at, ':') && take_vector(&at, dimension, &p->direction);
        }
        if (!sound || *at != '\0') {
            cli_error("--about %s: must be %s", about,
                      dimension == 2 ? "a point, such as 0,1"
                                     : "a point and a direction, such as 0,0,0:0,1,0");
            return CLI_USAGE;
        }
    }
    return CLI_DONE;
}

static int read_grid(const char *text, int dimension, ScreeGridDef *grid) {
    const char *at = text;
    long cells[3] = {1, 1, 1};
    bool sound = true;
    for (int k = 0; sound && k < dimension; k++) {
        char *end = NULL;
        sound = k == 0 || take_letter(&at, ',');
        cells[k] = sound ? strtol(at, &end, 10) : 0;
        sound = sound && end != at && cells[k] > 0 && cells[k] <= 1000000;
        at = sound ? end : at;
    }
    if (!sound || *at != '\0') {
        cli_error("--grid %s: must look like %s", text, dimension == 2 ? "20,10" : "20,10,5");
        return CLI_USAGE;
    }
    for (int k = 0; k < 3; k++) {
        grid->cells[k] = (int32_t)cells[k];
    }
    return CLI_DONE;
}

static bool read_positive(const char *option, const char *text, double *value) {
    if (!cli_real(option, text, value)) {
        return false;
    }
    bool fine = text == NULL || *value > 0;
    if (!fine) {
        cli_error("%s %s: must be greater than 0", option, text);
    }
    return fine;
}

static int read_numbers(const CliArguments *a, MeasureOptions *o) {
    long bins = 40, least = 2, blocks = 10;
    if (!cli_integer("--bins", a->value[CLI_BINS], 1, 1000000, &bins) ||
        !cli_integer("--blocks", a->value[CLI_BLOCKS], 2, 1000000, &blocks) ||
        !cli_integer("--least", a->value[CLI_LEAST], 0, 1000, &least) ||
        !read_positive("--most", a->value[CLI_MOST], &o->most) ||
        !read_positive("--window", a->value[CLI_WINDOW], &o->window) ||
        !read_positive("--width", a->value[CLI_WIDTH], &o->width)) {
        return CLI_USAGE;
    }
    o->bins = (size_t)bins;
    o->profile.bins = a->value[CLI_BINS] != NULL ? (int32_t)bins : 0;
    o->profile.blocks = (int32_t)blocks;
    o->region.least_contacts = (int32_t)least;
    return CLI_DONE;
}

int measure_read_options(const CliArguments *a, const RunReader *reader, MeasureOptions *o) {
    int dimension = run_header(reader)->dimension;
    *o = (MeasureOptions){.what = a->value[CLI_WHAT] != NULL ? a->value[CLI_WHAT] : "state",
                          .region = scree_measure_def_default()};
    o->grid = scree_grid_def_default();
    o->profile = scree_profile_def_default();
    for (int k = 0; k < dimension; k++) {
        o->grid.cells[k] = 20;
    }
    if (a->value[CLI_CSV] != NULL && a->value[CLI_JSON] != NULL) {
        cli_error("give only one of --csv and --json");
        return CLI_USAGE;
    }
    o->format = result_format(a);
    if (run_frame_count(reader) == 0) {
        cli_error("%s: has no frame yet", a->operand);
        return CLI_BAD_INPUT;
    }
    CLI_TRY(choose_frames(a, reader, o));
    if (a->value[CLI_REGION] != NULL) {
        CLI_TRY(read_region(a->value[CLI_REGION], dimension, &o->region));
    }
    if (a->value[CLI_GRID] != NULL) {
        CLI_TRY(read_grid(a->value[CLI_GRID], dimension, &o->grid));
    }
    if (a->value[CLI_PLANE] != NULL) {
        CLI_TRY(read_plane(a->value[CLI_PLANE], dimension, o));
    }
    if (strcmp(o->what, "flow") == 0 && !o->has_plane) {
        cli_error("--what flow needs --plane POINT:NORMAL");
        return CLI_USAGE;
    }
    CLI_TRY(read_axis(a, dimension, o));
    CLI_TRY(read_numbers(a, o));
    o->profile.min = o->region.min;
    o->profile.max = o->region.max;
    o->profile.most = o->most;
    o->grid.min = o->region.min;
    o->grid.max = o->region.max;
    o->grid.width = o->width;
    return CLI_DONE;
}
