#include "cli/command/measure_rows.h"

#include "cli/message.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------- cells */

static void cell_double(ResultTable *t, double value) {
    result_real(t, value);
}
static void cell_int64_t(ResultTable *t, int64_t value) {
    result_integer(t, value);
}

void measure_lead_cells(ResultTable *t, const MeasuredFrame *frame) {
    result_integer(t, (long long)frame->number);
    result_real(t, frame->time);
}

static void vector_cells(ResultTable *t, ScreeVec3 v) {
    result_real(t, v.x);
    result_real(t, v.y);
    result_real(t, v.z);
}

/* ---------------------------------------------------------------- numbers */

/* What is read most: the columns of tables of several rows for people. */
static bool is_main(const char *name) {
    static const char *const names[] = {"solid_fraction", "coordination", "rattlers",
                                        "force_mean",     "sliding",      "pressure",
                                        "deviator",       "anisotropy",   "temperature"};
    bool found = false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        found = found || strcmp(names[i], name) == 0;
    }
    return found;
}

void measure_state_columns(ResultTable *t) {
#define X(type, name, dimension, meaning)                                                          \
    if (!t->brief || is_main(#name)) {                                                             \
        result_column(t, #name, dimension, meaning);                                               \
    }
    SCREE_MEASURE_MAP(X)
#undef X
}

void measure_state_cells(ResultTable *t, const ScreeMeasures *m) {
#define X(type, name, dimension, meaning)                                                          \
    if (!t->brief || is_main(#name)) {                                                             \
        cell_##type(t, m->name);                                                                   \
    }
    SCREE_MEASURE_MAP(X)
#undef X
}

static ScreeStatus state_rows(const MeasuredFrame *f, const MeasureOptions *o, ResultTable *t,
                              char *message) {
    ScreeMeasures measures;
    ScreeStatus status = scree_sample_measure(f->sample, &o->region, &measures, message);
    if (status == SCREE_OK) {
        measure_lead_cells(t, f);
        measure_state_cells(t, &measures);
    }
    return status;
}

static const ResultColumn energy_columns[] = {
#define X(type, name, dimension, meaning) {#name, dimension, meaning},
    SCREE_ENERGY_MAP(X)
#undef X
};

static ScreeStatus energy_rows(const MeasuredFrame *f, const MeasureOptions *o, ResultTable *t,
                               char *message) {
    (void)o;
    (void)message;
    measure_lead_cells(t, f);
#define X(type, name, dimension, meaning) cell_##type(t, f->energy->name);
    SCREE_ENERGY_MAP(X)
#undef X
    return SCREE_OK;
}

/* A column whose name says enough. */
#define COLUMN(name, dimension)                                                                    \
    { name, dimension, NULL }

static const ResultColumn anisotropy_columns[] = {
#define X(type, name, dimension, meaning) {#name, dimension, meaning},
    SCREE_ANISOTROPY_MAP(X)
#undef X
};

static ScreeStatus anisotropy_rows(const MeasuredFrame *f, const MeasureOptions *o, ResultTable *t,
                                   char *message) {
    ScreeAnisotropy a;
    ScreeStatus status = scree_sample_measure_anisotropy(f->sample, &o->region, &a, message);
    if (status == SCREE_OK) {
        measure_lead_cells(t, f);
#define X(type, name, dimension, meaning) cell_##type(t, a.name);
        SCREE_ANISOTROPY_MAP(X)
#undef X
    }
    return status;
}

static const ResultColumn flow_columns[] = {COLUMN("rate", "mass/time"), COLUMN("beyond", "mass")};

static ScreeStatus flow_rows(const MeasuredFrame *f, const MeasureOptions *o, ResultTable *t,
                             char *message) {
    ScreeFlow flow;
    ScreeStatus status =
        scree_sample_measure_flow(f->sample, &o->region, o->point, o->normal, &flow, message);
    if (status == SCREE_OK) {
        measure_lead_cells(t, f);
        result_real(t, flow.rate);
        result_real(t, flow.beyond);
    }
    return status;
}

static const ResultColumn surface_columns[] = {
    COLUMN("columns", "1"),          COLUMN("lowest", "length"),      COLUMN("highest", "length"),
    COLUMN("slope", "degree"),       COLUMN("uphill_x", "1"),         COLUMN("uphill_y", "1"),
    COLUMN("uphill_z", "1"),         COLUMN("slope_error", "length"), COLUMN("repose", "degree"),
    COLUMN("repose_error", "degree")};

/* A heap that still flows has no angle of repose. It flows while its kinetic energy could lift the
 * grains by more than a hundredth of their radius. */
static void warn_of_motion(const MeasuredFrame *f) {
    const ScreeSample *s = f->sample;
    ScreeVec3 g = s->gravity;
    double lift = 0, kinetic = 0;
    for (size_t i = 0; i < s->bodies; i++) {
        ScreeVec3 v = s->velocity[i];
        kinetic += 0.5 * s->mass[i] * (v.x * v.x + v.y * v.y + v.z * v.z);
        lift += s->mass[i] * s->radius[i];
    }
    lift *= sqrt(g.x * g.x + g.y * g.y + g.z * g.z);
    if (lift > 0 && kinetic > 0.01 * lift) {
        cli_warning(
            "grains still move in frame %zu: their kinetic energy could lift them by %.2g of "
            "their radius; slope and repose are those of a heap at rest only when it is",
            f->number, kinetic / lift);
    }
}

/* Few layers have few grains on their flanks. What rises by less than two is a bed and no heap. */
static void warn_of_few_layers(const MeasuredFrame *f, const ScreeSurface *s) {
    double diameter = 0;
    for (size_t i = 0; i < f->sample->bodies; i++) {
        diameter += 2 * f->sample->radius[i] / (double)f->sample->bodies;
    }
    double layers = (s->highest - s->lowest) / diameter + 1;
    if (layers >= 3 && layers < 10 && s->repose_error > 0) {
        cli_warning(
            "the surface in frame %zu rises by about %.0f layers of grains only: as an angle "
            "of repose, %.3g degrees is uncertain by %.2g",
            f->number, layers, s->repose, s->repose_error);
    }
}

static ScreeStatus surface_rows(const MeasuredFrame *f, const MeasureOptions *o, ResultTable *t,
                                char *message) {
    ScreeSurface s;
    ScreeStatus status = scree_sample_measure_surface(f->sample, &o->region, o->width, &s, message);
    if (status == SCREE_OK) {
        measure_lead_cells(t, f);
        result_integer(t, s.columns);
        result_real(t, s.lowest);
        result_real(t, s.highest);
        result_real(t, s.slope);
        vector_cells(t, s.uphill);
        result_real(t, s.slope_error);
        result_real(t, s.repose);
        result_real(t, s.repose_error);
        warn_of_motion(f);
        warn_of_few_layers(f, &s);
    }
    return status;
}

/* ---------------------------------------------------------------- distributions */

#define BINS(dimension)                                                                            \
    COLUMN("low", dimension), COLUMN("high", dimension), COLUMN("count", "1"),                     \
        COLUMN("density", "1")

static const ResultColumn force_columns[] = {COLUMN("of", ""), BINS("1")};
static const ResultColumn direction_columns[] = {BINS("degree")};
static const ResultColumn pair_columns[] = {BINS("length")};

/* One distribution; its name, if given, precedes each row. */
static ScreeStatus add_bins(const MeasuredFrame *f, const MeasureOptions *o, ScreeDistribution kind,
                            const char *name, ResultTable *t, char *message) {
    ScreeBin *bin = calloc(o->bins, sizeof *bin);
    if (bin == NULL) {
        t->failed = true;
        return SCREE_OK;
    }
    ScreeStatus status = scree_sample_measure_distribution(f->sample, &o->region, kind, o->most,
                                                           bin, o->bins, message);
    for (size_t k = 0; status == SCREE_OK && k < o->bins; k++) {
        measure_lead_cells(t, f);
        if (name != NULL) {
            result_word(t, name);
        }
        result_real(t, bin[k].low);
        result_real(t, bin[k].high);
        result_real(t, bin[k].count);
        result_real(t, bin[k].density);
    }
    free(bin);
    return status;
}

static ScreeStatus force_rows(const MeasuredFrame *f, const MeasureOptions *o, ResultTable *t,
                              char *message) {
    static const struct {
        ScreeDistribution kind;
        const char *name;
    } of[] = {{SCREE_DISTRIBUTION_NORMAL, "normal"},
              {SCREE_DISTRIBUTION_TANGENTIAL, "tangential"},
              {SCREE_DISTRIBUTION_MOBILISED, "mobilised"}};
    ScreeStatus status = SCREE_OK;
    for (size_t i = 0; i < sizeof of / sizeof *of && status == SCREE_OK; i++) {
        status = add_bins(f, o, of[i].kind, of[i].name, t, message);
    }
    return status;
}

static ScreeStatus direction_rows(const MeasuredFrame *f, const MeasureOptions *o, ResultTable *t,
                                  char *message) {
    return add_bins(f, o, SCREE_DISTRIBUTION_DIRECTION, NULL, t, message);
}

static ScreeStatus pair_rows(const MeasuredFrame *f, const MeasureOptions *o, ResultTable *t,
                             char *message) {
    measure_warn_of_open_box(f, o);
    return add_bins(f, o, SCREE_DISTRIBUTION_PAIRS, NULL, t, message);
}

static const ResultColumn partner_columns[] = {COLUMN("partners", "1"), COLUMN("bodies", "1"),
                                               COLUMN("share", "1")};

/* Up to the largest number that occurs. */
static ScreeStatus partner_rows(const MeasuredFrame *f, const MeasureOptions *o, ResultTable *t,
                                char *message) {
    enum { MOST = 4096 };
    ScreeBin *bin = calloc(MOST, sizeof *bin);
    if (bin == NULL) {
        t->failed = true;
        return SCREE_OK;
    }
    ScreeStatus status = scree_sample_measure_distribution(
        f->sample, &o->region, SCREE_DISTRIBUTION_PARTNERS, 0, bin, MOST, message);
    size_t most = MOST;
    while (status == SCREE_OK && most > 0 && bin[most - 1].count == 0) {
        most--;
    }
    for (size_t k = 0; status == SCREE_OK && k < most; k++) {
        measure_lead_cells(t, f);
        result_integer(t, (long long)k);
        result_real(t, bin[k].count);
        result_real(t, bin[k].density);
    }
    free(bin);
    return status;
}

static const ResultColumn material_columns[] = {COLUMN("body", ""), COLUMN("partner", ""),
                                                COLUMN("mean", "1")};

static ScreeStatus material_rows(const MeasuredFrame *f, const MeasureOptions *o, ResultTable *t,
                                 char *message) {
    size_t materials = f->sample->materials, width = materials + 1;
    double *mean = calloc(materials * width + 1, sizeof *mean);
    if (mean == NULL) {
        t->failed = true;
        return SCREE_OK;
    }
    char *const *name = f->header->materials.name;
    ScreeStatus status = scree_sample_measure_partners(f->sample, &o->region, mean, message);
    for (size_t k = 0; status == SCREE_OK && k < materials * width; k++) {
        measure_lead_cells(t, f);
        result_word(t, name[k / width]);
        result_word(t, k % width < materials ? name[k % width] : "(walls)");
        result_real(t, mean[k]);
    }
    free(mean);
    return status;
}

/* ---------------------------------------------------------------- fields */

#define STRESS(name)                                                                               \
    COLUMN(name "_xx", "force/length^(d-1)"), COLUMN(name "_xy", "force/length^(d-1)"),            \
        COLUMN(name "_xz", "force/length^(d-1)"), COLUMN(name "_yx", "force/length^(d-1)"),        \
        COLUMN(name "_yy", "force/length^(d-1)"), COLUMN(name "_yz", "force/length^(d-1)"),        \
        COLUMN(name "_zx", "force/length^(d-1)"), COLUMN(name "_zy", "force/length^(d-1)"),        \
        COLUMN(name "_zz", "force/length^(d-1)")

static const ResultColumn field_columns[] = {COLUMN("x", "length"),
                                             COLUMN("y", "length"),
                                             COLUMN("z", "length"),
                                             COLUMN("volume", "length^d"),
                                             COLUMN("density", "mass/length^d"),
                                             COLUMN("solid_fraction", "1"),
                                             COLUMN("velocity_x", "length/time"),
                                             COLUMN("velocity_y", "length/time"),
                                             COLUMN("velocity_z", "length/time"),
                                             COLUMN("temperature", "length^2/time^2"),
                                             STRESS("stress"),
                                             STRESS("kinetic")};

static void add_cell(const MeasuredFrame *f, const ScreeCell *c, ResultTable *t) {
    measure_lead_cells(t, f);
    vector_cells(t, c->centre);
    result_real(t, c->volume);
    result_real(t, c->density);
    result_real(t, c->solid_fraction);
    vector_cells(t, c->velocity);
    result_real(t, c->temperature);
    for (int i = 0; i < 9; i++) {
        result_real(t, c->stress[i]);
    }
    for (int i = 0; i < 9; i++) {
        result_real(t, c->kinetic_stress[i]);
    }
}

static ScreeStatus field_rows(const MeasuredFrame *f, const MeasureOptions *o, ResultTable *t,
                              char *message) {
    size_t count = (size_t)o->grid.cells[0] * (size_t)o->grid.cells[1] * (size_t)o->grid.cells[2];
    ScreeCell *cell = count <= 100000000 ? calloc(count, sizeof *cell) : NULL;
    if (cell == NULL && count <= 100000000) {
        t->failed = true;
        return SCREE_OK;
    }
    ScreeStatus status = scree_sample_measure_grid(f->sample, &o->grid, cell, message);
    for (size_t i = 0; status == SCREE_OK && i < count; i++) {
        add_cell(f, &cell[i], t);
    }
    free(cell);
    return status;
}

/* ---------------------------------------------------------------- the list */

#define COLUMNS(array) (array), sizeof(array) / sizeof *(array)

static const MeasureKind kinds[] = {
    {"state", "state", NULL, 0, state_rows},
    {"forces", "forces over their mean, and mobilised friction", COLUMNS(force_columns),
     force_rows},
    {"directions", "directions of contacts; a density of 1 everywhere is isotropic",
     COLUMNS(direction_columns), direction_rows},
    {"anisotropy", "what the stress ratio is made of", COLUMNS(anisotropy_columns),
     anisotropy_rows},
    {"cell", "the periodic cell", measure_cell_columns, MEASURE_CELL_COLUMNS, measure_cell_rows},
    {"partners", "number of partners of each body", COLUMNS(partner_columns), partner_rows},
    {"materials", "mean number of partners, by material", COLUMNS(material_columns), material_rows},
    {"pairs", "pair correlation", COLUMNS(pair_columns), pair_rows},
    {"fields", "fields on a grid", COLUMNS(field_columns), field_rows},
    {"surface", "free surface", COLUMNS(surface_columns), surface_rows},
    {"flow", "mass through a plane", COLUMNS(flow_columns), flow_rows},
    {"energy", "energy by cause, from the start up to the frame", COLUMNS(energy_columns),
     energy_rows},
};

void measure_columns(const MeasureKind *kind, ResultTable *t) {
    result_column(t, "frame", "1", "number of the frame");
    result_column(t, "time", "time", "its time");
    for (size_t i = 0; i < kind->column_count; i++) {
        const ResultColumn *c = &kind->columns[i];
        result_column(t, c->name, c->dimension, c->meaning);
    }
    if (kind->columns == NULL) {
        measure_state_columns(t);
    }
}

const MeasureKind *measure_kind(const char *name) {
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (strcmp(kinds[i].name, name) == 0) {
            return &kinds[i];
        }
    }
    return NULL;
}
