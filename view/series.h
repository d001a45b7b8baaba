/* The certificates of all steps as curves that a page can draw: at most SERIES_MOST pieces, each
 * with the smallest and the largest value of every quantity among its steps. A run of any length is
 * added step by step; when all pieces are full, pairs of them are merged. */
#ifndef SCREE_VIEW_SERIES_H
#define SCREE_VIEW_SERIES_H

#include "view/bytes.h"

#include <scree/scree.h>

/* The curves: X(name, expression in the report r and the sums s). Work and losses are summed up
 * from the start. */
#define VIEW_CURVE_MAP(X)                                                                          \
    X(residual, r->residual)                                                                       \
    X(overlap_max, r->overlap_max)                                                                 \
    X(overlap_mean, r->overlap_mean)                                                               \
    X(iterations, (double)r->iterations)                                                           \
    X(failed, r->converged ? 0.0 : 1.0)                                                            \
    X(kinetic, r->kinetic_energy)                                                                  \
    X(elastic, r->energy_elastic)                                                                  \
    X(work_external, s->work_external)                                                             \
    X(work_walls, s->work_walls)                                                                   \
    X(dissipation, s->dissipation)                                                                 \
    X(balance, s->energy_error)                                                                    \
    X(active, (double)r->active)                                                                   \
    X(sliding, (double)r->sliding)

typedef enum ViewCurve {
#define X(name, value) VIEW_CURVE_##name,
    VIEW_CURVE_MAP(X)
#undef X
        VIEW_CURVE_COUNT
} ViewCurve;

enum { SERIES_MOST = 4096 };

typedef struct ViewPiece {
    double begin, end; /* time at the ends of its first and last step */
    double low[VIEW_CURVE_COUNT], high[VIEW_CURVE_COUNT];
} ViewPiece;

typedef struct ViewSums {
    double work_external, work_walls, dissipation, energy_error;
} ViewSums;

/* Initialise it to {0}. */
typedef struct ViewSeries {
    size_t steps;          /* added so far */
    size_t per_piece;      /* steps in a full piece, a power of two */
    size_t in_last, count; /* steps in the last piece; number of pieces */
    ViewSums sums;
    ViewPiece *piece; /* [SERIES_MOST] */
} ViewSeries;

/* False when out of memory. */
bool view_series_add(ViewSeries *series, const ScreeReport *report);
void view_series_free(ViewSeries *series);

/* Encodes them as a block: time.begin, time.end, and for each curve its smallest and largest
 * values, NAME.l and NAME.h. */
void view_series_encode(const ViewSeries *series, ViewBytes *into);

#endif
