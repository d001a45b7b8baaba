/* The certificate as curves: any number of steps in a bounded number of pieces, none of them
 * lost. */
#include "check.h"
#include "view/series.h"

#include <math.h>
#include <stdlib.h>

/* A report whose numbers follow from the step, with peaks that no piece may lose. */
static ScreeReport report_of(size_t step) {
    ScreeReport report = {0};
    report.time = (double)(step + 1);
    report.residual = step % 997 == 5 ? 1.0 + (double)step : 1e-3;
    report.iterations = (int64_t)(step % 13);
    report.converged = step % 5001 != 17;
    report.work_external = 1;
    report.dissipation = 0.5;
    report.dissipation_scheme = 0.25;
    return report;
}

/* Every piece against the least and largest of its steps, found one by one. */
static void check_pieces(const ViewSeries *series, size_t steps) {
    size_t first = 0;
    for (size_t i = 0; i < series->count; i++) {
        const ViewPiece *piece = &series->piece[i];
        size_t last = (size_t)piece->end;
        CHECK(piece->begin == (double)(first + 1));
        double low = INFINITY, high = -INFINITY, failed = 0;
        for (size_t k = first; k < last; k++) {
            ScreeReport report = report_of(k);
            low = fmin(low, report.residual);
            high = fmax(high, report.residual);
            failed = fmax(failed, report.converged ? 0 : 1);
        }
        CHECK(piece->low[VIEW_CURVE_residual] == low);
        CHECK(piece->high[VIEW_CURVE_residual] == high);
        CHECK(piece->high[VIEW_CURVE_failed] == failed);
        CHECK(piece->low[VIEW_CURVE_work_external] == (double)(first + 1));
        CHECK(piece->high[VIEW_CURVE_work_external] == (double)last);
        CHECK(piece->high[VIEW_CURVE_dissipation] == 0.75 * (double)last);
        first = last;
    }
    CHECK(first == steps); /* all steps, each once */
}

static void check_length(size_t steps) {
    ViewSeries series = {0};
    for (size_t k = 0; k < steps; k++) {
        ScreeReport report = report_of(k);
        CHECK(view_series_add(&series, &report));
    }
    CHECK(series.steps == steps);
    CHECK(series.count <= SERIES_MOST);
    CHECK(steps < SERIES_MOST ? series.count == steps : series.count >= SERIES_MOST / 2);
    check_pieces(&series, steps);
    view_series_free(&series);
}

int main(void) {
    const size_t lengths[] = {0,
                              1,
                              2,
                              SERIES_MOST - 1,
                              SERIES_MOST,
                              SERIES_MOST + 1,
                              2 * SERIES_MOST,
                              2 * SERIES_MOST + 1,
                              5 * SERIES_MOST + 77,
                              40000};
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        check_length(lengths[i]);
    }
    return check_result();
}
