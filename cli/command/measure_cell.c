/* The periodic cell of a frame: how it has deformed, and how fast that is for its grains. */
#include "cli/command/measure_rows.h"

#include <math.h>
#include <stdio.h>

const ResultColumn measure_cell_columns[MEASURE_CELL_COLUMNS] = {
    {"volume", "length^d", "per length along directions that are not periodic"},
    {"solid_fraction", "1", "volume of grains over that of the cell"},
    {"pressure", "force/length^(d-1)", "as in the state"},
    {"deviator", "force/length^(d-1)", "as in the state"},
    {"shear_rate", "1/time", "sqrt(2 D:D) of the symmetric rate D without its trace"},
    {"inertial_number", "1",
     "shear rate times mean diameter times sqrt(density of grains / pressure)"},
#define MATRIX(name, dimension, meaning)                                                           \
    {name "_xx", dimension, meaning}, {name "_xy", dimension, NULL},                               \
        {name "_xz", dimension, NULL}, {name "_yx", dimension, NULL},                              \
        {name "_yy", dimension, NULL}, {name "_yz", dimension, NULL},                              \
        {name "_zx", dimension, NULL}, {name "_zy", dimension, NULL}, {                            \
        name "_zz", dimension, NULL                                                                \
    }
    MATRIX("edge", "length", "the edge along x (nearly), its component x; then y and z"),
    MATRIX("rate", "1/time", "of deformation: of v_x along x"),
    MATRIX("strain", "1", "that rate integrated over time"),
#undef MATRIX
};

/* sqrt(2 D:D) is the rate in simple shear. */
static double shear_rate(const double *rate, int d) {
    double square = 0, trace = 0;
    for (int i = 0; i < d; i++) {
        trace += rate[4 * i];
    }
    for (int i = 0; i < d; i++) {
        for (int k = 0; k < d; k++) {
            double part = 0.5 * (rate[3 * i + k] + rate[3 * k + i]) - (i == k ? trace / d : 0);
            square += 2 * part * part;
        }
    }
    return sqrt(square);
}

static double inertial_number(const ScreeSample *s, const ScreeMeasures *m, double rate) {
    double mass = 0, diameter = 0;
    for (size_t i = 0; i < s->bodies; i++) {
        mass += s->mass[i];
        diameter += 2 * s->radius[i] / (double)s->bodies;
    }
    double density = mass / (m->solid_fraction * m->volume);
    return m->pressure > 0 ? rate * diameter * sqrt(density / m->pressure) : NAN;
}

ScreeStatus measure_cell_rows(const MeasuredFrame *f, const MeasureOptions *o, ResultTable *t,
                              char *message) {
    (void)o; /* the whole of it, whatever the region */
    const ScreeSample *s = f->sample;
    const ScreeMeasureDef whole = scree_measure_def_default();
    ScreeMeasures m;
    if (!s->periodic[0] && !s->periodic[1] && !s->periodic[2]) {
        snprintf(message, SCREE_MESSAGE_SIZE, "the run has no periodic cell");
        return SCREE_BAD_ARGUMENT;
    }
    ScreeStatus status = scree_sample_measure(s, &whole, &m, message);
    if (status != SCREE_OK) {
        return status;
    }
    const double rate = shear_rate(f->cell->rate, s->dimension);
    const double numbers[] = {
        m.volume, m.solid_fraction, m.pressure, m.deviator, rate, inertial_number(s, &m, rate)};
    measure_lead_cells(t, f);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        result_real(t, numbers[i]);
    }
    const double *const matrix[] = {f->cell->edge, f->cell->rate, f->cell->strain};
    for (int i = 0; i < 27; i++) {
        result_real(t, matrix[i / 9][i % 9]);
    }
    return SCREE_OK;
}
