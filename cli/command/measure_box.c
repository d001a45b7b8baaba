/* The pair correlation is relative to an even spread of grains over a box. A heap, or a drum that is half
 * full, leaves parts of its box empty: then the levels are too high, and the user should know. */
#include "cli/command/measure_rows.h"

#include "cli/message.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Cells that would have this many grains each if all had as many: few of them are empty by chance. */
static const double grains_of_a_cell = 8, full = 0.95;

typedef struct Box {
    double low[3], side[3];
    size_t cells[3];
} Box;

static const double *place_of(const ScreeSample *s, size_t i, double x[3]) {
    x[0] = s->position[i].x;
    x[1] = s->position[i].y;
    x[2] = s->position[i].z;
    return x;
}

/* The region; where it is unbounded the periodic cell, else as far as there are centres. */
static Box box_of(const ScreeSample *s, const ScreeMeasureDef *r) {
    const double min[3] = {r->min.x, r->min.y, r->min.z}, max[3] = {r->max.x, r->max.y, r->max.z};
    const double begin[3] = {s->cell_min.x, s->cell_min.y, s->cell_min.z};
    const double end[3] = {s->cell_max.x, s->cell_max.y, s->cell_max.z};
    Box box = {.cells = {1, 1, 1}};
    for (int k = 0; k < s->dimension; k++) {
        double low = INFINITY, high = -INFINITY, x[3];
        for (size_t i = 0; i < s->bodies; i++) {
            low = fmin(low, place_of(s, i, x)[k]);
            high = fmax(high, x[k]);
        }
        box.low[k] = isfinite(min[k]) ? min[k] : s->periodic[k] ? begin[k] : low;
        box.side[k] = (isfinite(max[k]) ? max[k] : s->periodic[k] ? end[k] : high) - box.low[k];
    }
    return box;
}

static size_t cut(Box *box, int dimension, size_t grains) {
    double volume = 1;
    size_t total = 1;
    for (int k = 0; k < dimension; k++) {
        volume *= box->side[k];
    }
    const double width = pow(grains_of_a_cell * volume / (double)grains, 1.0 / dimension);
    for (int k = 0; k < dimension; k++) {
        const double cells = width > 0 ? fmin(floor(box->side[k] / width), (double)grains) : 1;
        box->cells[k] = cells > 1 ? (size_t)cells : 1;
        total *= box->cells[k];
    }
    return total;
}

/* Whether a centre is in the box, and in which cell. */
static bool find_cell(const Box *box, int dimension, const double x[3], size_t *cell) {
    *cell = 0;
    for (int k = dimension - 1; k >= 0; k--) {
        const double part = (x[k] - box->low[k]) / box->side[k] * (double)box->cells[k];
        if (!(part >= 0 && part <= (double)box->cells[k])) {
            return false;
        }
        const size_t c = (size_t)part;
        *cell = *cell * box->cells[k] + (c < box->cells[k] ? c : c - 1);
    }
    return true;
}

static size_t count_within(const ScreeSample *s, const Box *box) {
    size_t count = 0, cell;
    double x[3];
    for (size_t i = 0; i < s->bodies; i++) {
        count += find_cell(box, s->dimension, place_of(s, i, x), &cell);
    }
    return count;
}

/* Which share of the box has grains in it; 1 if there are too few to tell. */
static double filling(const ScreeSample *s, Box *box) {
    const size_t grains = count_within(s, box);
    const size_t total = grains >= 50 ? cut(box, s->dimension, grains) : 0;
    unsigned char *has = total > 1 ? calloc(total, 1) : NULL;
    size_t filled = 0, cell;
    double x[3];
    for (size_t i = 0; has != NULL && i < s->bodies; i++) {
        if (find_cell(box, s->dimension, place_of(s, i, x), &cell)) {
            filled += has[cell] == 0;
            has[cell] = 1;
        }
    }
    const double share = has != NULL ? (double)filled / (double)total : 1;
    free(has);
    return share;
}

void measure_warn_of_open_box(const MeasuredFrame *f, const MeasureOptions *o) {
    if (f->sample->bodies == 0) {
        return;
    }
    Box box = box_of(f->sample, &o->region);
    const double share = filling(f->sample, &box);
    char bounds[160];
    size_t used = 0;
    for (int k = 0; k < f->sample->dimension && used < sizeof bounds; k++) {
        used += (size_t)snprintf(bounds + used, sizeof bounds - used, "%s%.4g:%.4g",
                                 k > 0 ? "," : "", box.low[k], box.low[k] + box.side[k]);
    }
    if (share < full) {
        cli_warning("grains fill about %.0f %% of the box %s, to which g refers, so it levels off "
                    "above 1; give a box within the packing by --region",
                    100 * share, bounds);
    }
}
