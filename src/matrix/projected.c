#include "matrix/projected.h"

#include "law/slip.h"
#include "math/elementary.h"

#include <math.h>
#include <string.h>

enum {
    BATCH = 10,          /* sweeps between two measurements; half as many at first */
    PACE = 40,           /* sweeps over which progress is measured */
    FEWEST = 100,        /* sweeps before it is judged */
    SWEEPS_MOST = 20000, /* that may still be worthwhile when there is no alternative */
    IDLE_MOST = 20,      /* times that they are not, before giving up */
};

/* ---------------------------------------------------------------- one sweep */

/* Moves t [count], count 1 or 2, to the nearest point of a disk. */
static void into_disk(double *t, int count, double bound) {
    double length = count == 1 ? fabs(t[0]) : law_norm2(t[0], t[1]);
    if (length > bound) {
        double shrink = bound / length;
        for (int i = 0; i < count; i++) {
            t[i] *= shrink;
        }
    }
}

/* Updates the velocities of the components from `first` on after component k has changed. */
static inline void follow(const double *w, int d, int k, double change, int first, double *u) {
    for (int i = first; i < d; i++) {
        u[i] += w[i * d + k] * change;
    }
}

static void improve(const MatrixScaled *s, size_t c, double alpha, const double *center) {
    int d = s->block, plain = d == 2 ? 1 : 2;
    size_t first = c * (size_t)d;
    double u[MATRIX_LARGEST_BLOCK], *of_contact = s->x + first;
    for (int k = 0; k < d; k++) {
        u[k] = s->q[first + (size_t)k];
        u[k] += alpha > 0 ? alpha * (of_contact[k] - center[first + (size_t)k]) : 0;
    }
    scr_block_row_multiply(&s->w, c, s->x, u);
    /* steps of 1 / (W + alpha), from the stored inverses of W */
    double step = s->normal[c] / (1 + alpha * s->normal[c]);
    double slide = s->tangent[2 * c] / (1 + alpha * s->tangent[2 * c]);
    const double *w = scr_block_at(&s->w, s->w.self[c]), *now = of_contact;
    double old[3] = {of_contact[0], of_contact[1], d > 2 ? of_contact[2] : 0};
    of_contact[0] = law_max(0, old[0] - step * u[0]);
    follow(w, d, 0, now[0] - old[0], 1, u);
    for (int k = 1; k <= plain; k++) {
        of_contact[k] -= slide * u[k];
    }
    into_disk(of_contact + 1, plain, s->given->mu[c] * now[0]);
    if (d == 5) {
        double turn = s->tangent[2 * c + 1] / (1 + alpha * s->tangent[2 * c + 1]);
        follow(w, d, 1, now[1] - old[1], 3, u);
        follow(w, d, 2, now[2] - old[2], 3, u);
        of_contact[3] -= turn * u[3];
        of_contact[4] -= turn * u[4];
        into_disk(of_contact + 3, 2, s->rolling[c] * now[0]);
    }
}

/* ---------------------------------------------------------------- extrapolation */

bool scr_matrix_momentum_reserve(MatrixMomentum *k, size_t rows) {
    if (!scr_block_reserve(&k->vector_block, 2 * rows + 1, sizeof(double), 0)) {
        return false;
    }
    k->begin = k->vector_block.data;
    k->last = k->begin + rows;
    return true;
}

void scr_matrix_momentum_free(MatrixMomentum *k) {
    scr_block_free(&k->vector_block);
    *k = (MatrixMomentum){0};
}

void scr_matrix_momentum_begin(MatrixMomentum *k, const double *x, size_t rows) {
    k->theta = 1;
    k->least = 0;
    k->since = 0;
    memcpy(k->last, x, rows * sizeof *x);
}

void scr_matrix_momentum_extrapolate(MatrixMomentum *k, double moved, double along, double *x,
                                     size_t rows) {
    k->since++;
    if (along < 0 || (k->least > 0 && moved > 2 * k->least && k->since > 3)) {
        scr_matrix_momentum_begin(k, x, rows);
        return;
    }
    k->least = k->least == 0 || moved < k->least ? moved : k->least;
    double next = 0.5 * (1 + sqrt(1 + 4 * k->theta * k->theta)), beta = (k->theta - 1) / next;
    k->theta = next;
    for (size_t i = 0; i < rows; i++) {
        double now = x[i];
        x[i] = now + beta * (now - k->last[i]);
        k->last[i] = now;
    }
}

static void extrapolate(MatrixMomentum *k, const MatrixScaled *s) {
    double along = 0, moved = 0;
    for (size_t i = 0; i < s->rows; i++) {
        double step = s->x[i] - k->begin[i];
        along += step * (s->x[i] - k->last[i]);
        moved += step * step;
    }
    scr_matrix_momentum_extrapolate(k, moved, along, s->x, s->rows);
}

/* ---------------------------------------------------------------- sweeps */

void scr_matrix_sweeps(MatrixScaled *s, MatrixMomentum *k, double alpha, const double *center,
                       int count) {
    int allowed = scr_matrix_scaled_allowed(s, count);
    for (int sweep = 0; sweep < allowed; sweep++) {
        if (sweep > 0) {
            extrapolate(k, s);
        }
        memcpy(k->begin, s->x, s->rows * sizeof *s->x);
        for (size_t c = 0; c < s->contacts; c++) {
            improve(s, c, alpha, center);
        }
        s->iterations++;
    }
}

/* Progress is the reduction of the best measure over the last PACE sweeps. */
bool scr_matrix_sweeps_while_worth(MatrixScaled *s, MatrixMomentum *k, int most) {
    double history[PACE / BATCH];
    int batches = 0;
    scr_matrix_momentum_begin(k, s->x, s->rows);
    while (s->best_measure > s->settings->tolerance && !scr_matrix_scaled_over(s)) {
        double before = history[batches % (PACE / BATCH)];
        history[batches % (PACE / BATCH)] = s->best_measure;
        if (batches * BATCH >= FEWEST) {
            double gain = scr_log(before / s->best_measure);
            double missing = scr_log(s->best_measure / s->settings->tolerance);
            if (!(gain > 0) || missing / gain * PACE > most) {
                return false;
            }
        }
        if (batches > 0) {
            extrapolate(k, s);
        }
        scr_matrix_sweeps(s, k, 0, NULL, BATCH / 2);
        if (batches >= 2 || !scr_matrix_scaled_judge(s)) {
            extrapolate(k, s);
            scr_matrix_sweeps(s, k, 0, NULL, BATCH / 2);
        }
        batches++;
        scr_matrix_scaled_judge(s);
    }
    return s->best_measure <= s->settings->tolerance;
}

MatrixReport scr_matrix_projected(const MatrixProblem *p, const MatrixSettings *settings,
                                  double *r) {
    MatrixScaled s = {0};
    MatrixMomentum momentum = {0};
    MatrixReport report = {.status = p->contacts == 0 ? MATRIX_SOLVED : MATRIX_NO_MEMORY};
    if (p->contacts > 0 && scr_matrix_scale(&s, p, settings, r) &&
        scr_matrix_momentum_reserve(&momentum, s.rows)) {
        for (int idle = 0; idle < IDLE_MOST && !scr_matrix_scaled_over(&s); idle++) {
            double before = s.best_measure;
            if (scr_matrix_sweeps_while_worth(&s, &momentum, SWEEPS_MOST)) {
                break;
            }
            idle = s.best_measure < 0.9 * before ? 0 : idle;
        }
        report = scr_matrix_scaled_report(&s, r);
    }
    scr_matrix_momentum_free(&momentum);
    scr_matrix_scaled_free(&s);
    return report;
}
