#include "matrix/sweep.h"

#include "base/clock.h"
#include "matrix/local.h"
#include "matrix/projected.h"

#include <string.h>

enum { SWEEPS_MOST = 100000, PATIENCE = 10000, CLOCK_EVERY = 16 };

typedef struct Sweep {
    const MatrixProblem *p;
    const MatrixSettings *settings;
    BlockRows w;
    MatrixLocal *local; /* [contacts] */
    double *r;          /* [m] belongs to the caller */
    double *best;       /* [m] */
    double *u;          /* [m] */
    double moved;       /* squared change by the last sweep, as an energy: weighted by 1 / rho */
    double along;       /* its product with the change since the sweep before */
    double per_moved;   /* residual over sqrt(moved) when last measured */
    double best_measure;
    MatrixMomentum momentum;
    Block local_block, vector_block;
} Sweep;

/* ---------------------------------------------------------------- one sweep */

/* The velocity without the contact's own impulse is u minus W r with the symmetric part of its
 * block: the unsymmetric part counts as given, so the fixed point is that of W itself. */
static void solve_contact(const Sweep *s, size_t c, const double *u, double *r) {
    const MatrixProblem *p = s->p;
    double q[MATRIX_LARGEST_BLOCK], own[MATRIX_LARGEST_BLOCK];
    scr_matrix_local_multiply(&s->local[c], p->block, r, own);
    for (int k = 0; k < p->block; k++) {
        q[k] = u[k] - own[k];
    }
    scr_matrix_local_solve(&s->local[c], p->block, p->mu[c], p->rolling != NULL ? p->rolling[c] : 0,
                           q, r);
}

static void sweep(Sweep *s) {
    int n = s->p->block;
    const double *soft = s->p->compliance;
    for (size_t c = 0; c < s->p->contacts; c++) {
        size_t first = c * (size_t)n;
        double u[MATRIX_LARGEST_BLOCK] = {0}, *r = s->r + first;
        memcpy(u, s->p->q + first, (size_t)n * sizeof *u);
        scr_block_row_multiply(&s->w, c, s->r, u);
        for (int k = 0; soft != NULL && k < n; k++) {
            u[k] += soft[first + (size_t)k] * r[k];
        }
        solve_contact(s, c, u, r);
    }
}

/* ---------------------------------------------------------------- judging */

static size_t rows_of(const Sweep *s) {
    return scr_matrix_rows(s->p);
}

/* Measures, and stores the best. Returns whether the tolerance is met. */
static bool judge(Sweep *s) {
    double measure = scr_matrix_measure(s->settings, s->p, s->r, s->u);
    s->per_moved = s->moved > 0 ? measure / sqrt(s->moved) : 0;
    if (measure < s->best_measure) {
        s->best_measure = measure;
        memcpy(s->best, s->r, rows_of(s) * sizeof *s->r);
    }
    return measure <= s->settings->tolerance;
}

/* What the sweep has changed, weighted by 1 / rho. */
static void compare(Sweep *s) {
    size_t n = (size_t)s->p->block, m = rows_of(s);
    s->along = s->moved = 0;
    for (size_t c = 0, i = 0; i < m; c++) {
        double along = 0, moved = 0;
        for (size_t end = i + n; i < end; i++) {
            double step = s->r[i] - s->momentum.begin[i];
            along += step * (s->r[i] - s->momentum.last[i]);
            moved += step * step;
        }
        s->along += s->local[c].per_rho * along;
        s->moved += s->local[c].per_rho * moved;
    }
}

/* Measuring the residual costs as much as a sweep. It is done when the residual should have come
 * down to the tolerance, judging by its last ratio to what a sweep changes, and now and then
 * besides. */
static bool is_due(const Sweep *s, int sweeps) {
    return sweeps % (4 + sweeps / 20) == 0 ||
           s->per_moved * sqrt(s->moved) <= s->settings->tolerance;
}

/* ---------------------------------------------------------------- work space */

static bool reserve(Sweep *s) {
    size_t n = s->p->contacts, m = rows_of(s);
    if (!scr_block_rows_make(&s->w, &s->p->delassus, s->p->block) ||
        !scr_block_reserve_exact(&s->local_block, n + 1, sizeof *s->local, 0) ||
        !scr_matrix_momentum_reserve(&s->momentum, m) ||
        !scr_block_reserve_exact(&s->vector_block, 2 * m + 1, sizeof(double), 0)) {
        return false;
    }
    s->local = s->local_block.data;
    s->best = s->vector_block.data;
    s->u = s->best + m;
    return true;
}

static void release(Sweep *s) {
    scr_block_rows_free(&s->w);
    scr_matrix_momentum_free(&s->momentum);
    scr_block_free(&s->local_block);
    scr_block_free(&s->vector_block);
}

static void fill(Sweep *s) {
    size_t n = s->p->contacts;
    int block = s->p->block;
    for (size_t c = 0; c < n; c++) {
        const double *soft = s->p->compliance != NULL ? s->p->compliance + c * (size_t)block : NULL;
        s->local[c] = scr_matrix_local(block, scr_block_at(&s->w, s->w.self[c]), soft);
    }
    s->best_measure = INFINITY;
    memcpy(s->best, s->r, rows_of(s) * sizeof *s->r);
}

/* ---------------------------------------------------------------- the iteration */

static MatrixStatus iterate(Sweep *s, bool accelerated, int *sweeps) {
    int most = s->settings->iterations_most > 0 ? s->settings->iterations_most : SWEEPS_MOST;
    double end =
        s->settings->seconds_most > 0 ? scr_thread_seconds() + s->settings->seconds_most : 0;
    size_t rows = rows_of(s);
    double mark = INFINITY; /* the best measure when progress was last made */
    int mark_sweeps = 0;
    scr_matrix_momentum_begin(&s->momentum, s->r, rows);
    for (*sweeps = 0; *sweeps < most;) {
        memcpy(s->momentum.begin, s->r, rows * sizeof *s->r);
        sweep(s);
        compare(s);
        ++*sweeps;
        if (is_due(s, *sweeps) && judge(s)) {
            return MATRIX_SOLVED;
        }
        if (!isfinite(s->moved)) {
            return MATRIX_NOT_FINITE;
        }
        if (s->best_measure < 0.9 * mark) {
            mark = s->best_measure;
            mark_sweeps = *sweeps;
        }
        if (*sweeps - mark_sweeps > PATIENCE) {
            return MATRIX_STALLED;
        }
        if (end > 0 && *sweeps % CLOCK_EVERY == 0 && scr_thread_seconds() > end) {
            return MATRIX_SECONDS;
        }
        if (accelerated) {
            scr_matrix_momentum_extrapolate(&s->momentum, s->moved, s->along, s->r, rows);
        }
    }
    return judge(s) ? MATRIX_SOLVED : MATRIX_ITERATIONS;
}

static MatrixReport solve(const MatrixProblem *p, const MatrixSettings *settings, bool accelerated,
                          double *r) {
    Sweep s = {.p = p, .settings = settings, .r = r};
    MatrixReport report = {.status = MATRIX_NO_MEMORY};
    if (p->contacts == 0) {
        report.status = MATRIX_SOLVED;
    } else if (reserve(&s)) {
        fill(&s);
        report.status = judge(&s) ? MATRIX_SOLVED : iterate(&s, accelerated, &report.iterations);
        memcpy(r, s.best, rows_of(&s) * sizeof *r);
        report.residual = scr_matrix_judge(settings, p, r, s.u);
    }
    release(&s);
    return report;
}

MatrixReport scr_matrix_gauss_seidel(const MatrixProblem *p, const MatrixSettings *settings,
                                     double *r) {
    return solve(p, settings, false, r);
}

MatrixReport scr_matrix_accelerated(const MatrixProblem *p, const MatrixSettings *settings,
                                    double *r) {
    return solve(p, settings, true, r);
}
