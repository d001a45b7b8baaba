#include "view/series.h"
#include "view/block.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void add_sums(ViewSums *sums, const ScreeReport *report) {
    sums->work_external += report->work_external;
    sums->work_walls += report->work_walls;
    sums->dissipation += report->dissipation + report->dissipation_scheme;
    sums->energy_error += report->energy_error;
}

static void curve_values(const ScreeReport *r, const ViewSums *s, double value[VIEW_CURVE_COUNT]) {
#define X(name, expression) value[VIEW_CURVE_##name] = (expression);
    VIEW_CURVE_MAP(X)
#undef X
}

static void join(ViewPiece *into, const ViewPiece *next) {
    into->end = next->end;
    for (int i = 0; i < VIEW_CURVE_COUNT; i++) {
        into->low[i] = fmin(into->low[i], next->low[i]);
        into->high[i] = fmax(into->high[i], next->high[i]);
    }
}

/* Merges pairs of pieces: half as many, twice as long. */
static void halve(ViewSeries *series) {
    for (size_t i = 0; i < series->count / 2; i++) {
        series->piece[i] = series->piece[2 * i];
        join(&series->piece[i], &series->piece[2 * i + 1]);
    }
    series->count /= 2;
    series->per_piece *= 2;
    series->in_last = series->per_piece;
}

bool view_series_add(ViewSeries *series, const ScreeReport *report) {
    if (series->piece == NULL) {
        series->piece = malloc(SERIES_MOST * sizeof *series->piece);
        if (series->piece == NULL) {
            return false;
        }
        series->per_piece = 1;
    }
    ViewPiece one = {.begin = report->time, .end = report->time};
    add_sums(&series->sums, report);
    curve_values(report, &series->sums, one.low);
    curve_values(report, &series->sums, one.high);
    bool full = series->count == 0 || series->in_last == series->per_piece;
    if (full && series->count == SERIES_MOST) {
        halve(series);
    }
    if (full) {
        series->piece[series->count++] = one;
        series->in_last = 0;
    } else {
        join(&series->piece[series->count - 1], &one);
    }
    series->in_last++;
    series->steps++;
    return true;
}

void view_series_free(ViewSeries *series) {
    free(series->piece);
    *series = (ViewSeries){0};
}

void view_series_encode(const ViewSeries *series, ViewBytes *into) {
    static const char *const names[] = {
#define X(name, expression) #name,
        VIEW_CURVE_MAP(X)
#undef X
    };
    ViewBlock block = {0};
    const double *first = (const double *)series->piece;
    size_t stride = sizeof *series->piece / sizeof(double), rows = series->count;
    view_block_f32(&block, (ViewColumn){"time.begin", first, rows, stride, 0, 1}, NULL);
    view_block_f32(&block, (ViewColumn){"time.end", first, rows, stride, 1, 1}, NULL);
    for (size_t i = 0; i < VIEW_CURVE_COUNT; i++) {
        char name[VIEW_NAME_SIZE + 8];
        snprintf(name, sizeof name, "%.14s.l", names[i]);
        view_block_f32(&block, (ViewColumn){name, first, rows, stride, 2 + i, 1}, NULL);
        snprintf(name, sizeof name, "%.14s.h", names[i]);
        view_block_f32(&block, (ViewColumn){name, first, rows, stride, 2 + VIEW_CURVE_COUNT + i, 1},
                       NULL);
    }
    view_block_finish(&block, into);
}
