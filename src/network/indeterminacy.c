#include "network/indeterminacy.h"

#include "base/random.h"
#include "linear/null_space.h"
#include "linear/vector.h"
#include "matrix/reduce.h"
#include "matrix/sweep.h"

#include <string.h>

/* ---------------------------------------------------------------- what balance determines */

/* Lists the columns of H that belong to unknowns; column[k] is that of the k-th. */
static size_t list_unknowns(const ForceSet *set, int32_t *column) {
    const MatrixProblem *p = &set->problem;
    size_t count = 0;
    for (size_t c = 0; c < p->contacts; c++) {
        for (int k = 0; k < p->block; k++) {
            if (scr_force_unknown(set, c, k)) {
                column[count++] = (int32_t)(c * (size_t)p->block) + k;
            }
        }
    }
    return count;
}

static void spread_out(const Sparse *h, const int32_t *column, size_t count, double *dense) {
    size_t rows = (size_t)h->rows;
    memset(dense, 0, rows * count * sizeof *dense);
    for (size_t k = 0; k < count; k++) {
        for (int32_t e = h->start[column[k]]; e < h->start[column[k] + 1]; e++) {
            dense[k * rows + (size_t)h->row[e]] = h->value[e];
        }
    }
}

bool scr_force_rank(const ForceSet *set, ForceRank *rank, bool *loose) {
    const MatrixProblem *p = &set->problem;
    size_t m = scr_matrix_rows(p), rows = (size_t)p->h.rows;
    Block column = {0}, order = {0}, moves = {0}, work = {0}, dense = {0};
    bool ok = scr_block_reserve_exact(&column, m + 1, sizeof(int32_t), 0) &&
              scr_block_reserve_exact(&order, m + 1, sizeof(int32_t), 0) &&
              scr_block_reserve_exact(&moves, m + 1, sizeof(bool), 0) &&
              scr_block_reserve_exact(&work, 2 * m + 1, sizeof(double), 0);
    size_t count = ok ? list_unknowns(set, column.data) : 0;
    ok = ok && scr_block_reserve_exact(&dense, rows * count + 1, sizeof(double), 0);
    if (ok) {
        const int32_t *at = column.data;
        const bool *free_to = moves.data;
        spread_out(&p->h, at, count, dense.data);
        size_t found = scr_null_space(dense.data, rows, count, moves.data, work.data, order.data);
        *rank = (ForceRank){count, rows, found};
        memset(loose, 0, p->contacts * sizeof *loose);
        for (size_t k = 0; k < count; k++) {
            size_t c = (size_t)at[k] / (size_t)p->block;
            loose[c] = loose[c] || free_to[k];
        }
    }
    SCR_FREE_BLOCKS(&column, &order, &moves, &work, &dense);
    return ok;
}

/* ---------------------------------------------------------------- extremes */

/* The largest error of balance. */
static bool balance_error(const ForceSet *set, const double *r, double *error) {
    const Sparse *h = &set->problem.h;
    Block block = {0};
    size_t n = (size_t)h->rows;
    if (!scr_block_reserve_exact(&block, n + 1, sizeof(double), 0)) {
        return false;
    }
    double *sum = block.data;
    memcpy(sum, set->problem.f, n * sizeof *sum);
    scr_sparse_multiply(h, 1, r, sum);
    *error = vector_largest(sum, n);
    scr_block_free(&block);
    return true;
}

bool scr_force_extreme(InteriorWork *work, ForceSet *set, size_t contact, bool most, double *r,
                       ForceExtreme *extreme) {
    MatrixProblem *p = &set->problem;
    InteriorPointSettings settings = scr_interior_point_settings();
    double *w = &p->w[contact * (size_t)p->block];
    settings.tolerance = 1e-11;
    settings.force = settings.velocity = 1; /* the set is in units of the mean force */
    *w = most ? -1 : 1;
    InteriorPointReport report = scr_interior_point(work, p, &settings, r, NULL, NULL);
    *w = 0;
    *extreme = (ForceExtreme){r[contact * (size_t)p->block], 0, 0};
    if (report.status == INTERIOR_LOCKED) {
        extreme->value = INFINITY;
        return true;
    }
    extreme->error = fabs(report.errors.gap) * (double)p->contacts + report.errors.momentum;
    return report.status != INTERIOR_NO_MEMORY && balance_error(set, r, &extreme->balance);
}

/* The convex programme for networks that balance by themselves: one more row, and one more contact
 * without friction, which is the slack. */
static bool make_rays(const ForceSet *set, MatrixProblem *rays) {
    const MatrixProblem *p = &set->problem;
    const Sparse *h = &p->h;
    size_t block = (size_t)p->block, n = (size_t)h->rows, count = 0;
    Block entry_block = {0};
    if (!scr_matrix_problem_begin(rays, p->block, p->contacts + 1, n + 1, true, false) ||
        !scr_block_reserve_exact(&entry_block, (size_t)h->start[h->columns] + p->contacts + 1,
                                 sizeof(SparseEntry), 0)) {
        return false;
    }
    SparseEntry *entry = entry_block.data;
    for (size_t c = 0; c <= p->contacts; c++) {
        int32_t column = (int32_t)(c * block);
        for (int32_t j = column; c < p->contacts && j < column + p->block; j++) {
            for (int32_t e = h->start[j]; e < h->start[j + 1]; e++) {
                entry[count++] = (SparseEntry){h->row[e], j, h->value[e]};
            }
        }
        entry[count++] = (SparseEntry){h->rows, column, 1};
        rays->w[column] = c < p->contacts ? -1 : 0;
        rays->mu[c] = c < p->contacts ? p->mu[c] : 0;
    }
    rays->f[n] = -(double)p->contacts;
    bool ok =
        scr_sparse_gather(&rays->h, h->rows + 1, (int32_t)scr_matrix_rows(rays), entry, count) &&
        scr_sparse_gather(&rays->mass, h->rows + 1, h->rows + 1, entry, 0);
    scr_block_free(&entry_block);
    return ok;
}

bool scr_force_unbounded(const ForceSet *set, bool *unbounded) {
    InteriorPointSettings settings = scr_interior_point_settings();
    const MatrixProblem *p = &set->problem;
    MatrixProblem rays = {0};
    InteriorWork work = {0};
    Block block = {0};
    size_t m = scr_matrix_rows(p), n = (size_t)p->h.rows;
    bool ok = make_rays(set, &rays) &&
              scr_block_reserve_exact(&block, m + n + (size_t)p->block + 1, sizeof(double), 0);
    if (ok) {
        double *y = block.data, *sum = y + m + (size_t)p->block;
        settings.tolerance = 1e-11;
        settings.force = settings.velocity = 1;
        ok =
            scr_interior_point(&work, &rays, &settings, y, NULL, NULL).status != INTERIOR_NO_MEMORY;
        memset(sum, 0, n * sizeof *sum);
        scr_sparse_multiply(&p->h, 1, y, sum);
        double error = vector_largest(sum, n);
        for (size_t c = 0; c < p->contacts; c++) {
            unbounded[c] = ok && error < 1e-8 && y[c * (size_t)p->block] > 1e-4;
        }
    }
    scr_matrix_problem_free(&rays);
    scr_interior_work_free(&work);
    scr_block_free(&block);
    return ok;
}

/* ---------------------------------------------------------------- samples */

Fault scr_force_set_moving(ForceSet *set) {
    MatrixProblem *p = &set->problem;
    if (!scr_sparse_diagonal(&p->mass, p->h.rows)) {
        return scr_fault_of_memory();
    }
    memcpy(p->mass.value, set->mass, (size_t)p->h.rows * sizeof *set->mass);
    return scr_matrix_reduce(p);
}

void scr_force_random_start(const ForceSet *set, double amplitude, uint64_t key, double *r) {
    const MatrixProblem *p = &set->problem;
    const double turn = 6.283185307179586;
    for (size_t c = 0; c < p->contacts; c++) {
        double *at = r + c * (size_t)p->block;
        double n = -amplitude * scr_log1p(-scr_random_unit(key, 3 * c));
        double share = scr_random_unit(key, 3 * c + 1),
               angle = turn * scr_random_unit(key, 3 * c + 2);
        at[0] = n;
        if (p->block == 2) {
            at[1] = p->mu[c] * n * (2 * share - 1);
        } else {
            at[1] = p->mu[c] * n * sqrt(share) * scr_cos(angle);
            at[2] = p->mu[c] * n * sqrt(share) * scr_sin(angle);
        }
    }
}

/* Sweeps that cannot leave the cones: each contact moves its force against the imbalance that it
 * feels and back into its cone, a descent of the convex function (H r + f) . M^-1 (H r + f) / 2.
 * Its least value is 0, since the set is not empty. Between sweeps the forces are extrapolated
 * along their last change, as in Nesterov's method, until that leads uphill. */
typedef struct Settling {
    const ForceSet *set;
    double *r, *last; /* [m] */
    double *out;      /* [n] H r + f */
    double *stiff;    /* [contacts] trace of the contact's block of W */
    double theta;
} Settling;

static void sum_forces(const Settling *s) {
    const MatrixProblem *p = &s->set->problem;
    memcpy(s->out, p->f, (size_t)p->h.rows * sizeof *s->out);
    scr_sparse_multiply(&p->h, 1, s->r, s->out);
}

static void settle_contact(const Settling *s, size_t c) {
    const MatrixProblem *p = &s->set->problem;
    const Sparse *h = &p->h;
    double *r = s->r + c * (size_t)p->block, next[MATRIX_LARGEST_BLOCK];
    int32_t first = (int32_t)c * p->block;
    for (int k = 0; k < p->block; k++) {
        double u = 0;
        for (int32_t e = h->start[first + k]; e < h->start[first + k + 1]; e++) {
            u += h->value[e] * s->out[h->row[e]] / s->set->mass[h->row[e]];
        }
        next[k] = r[k] - u / s->stiff[c];
    }
    scr_matrix_project(p->block, p->mu[c], 0, next, next);
    for (int k = 0; k < p->block; k++) {
        double change = next[k] - r[k];
        for (int32_t e = h->start[first + k]; e < h->start[first + k + 1]; e++) {
            s->out[h->row[e]] += h->value[e] * change;
        }
        r[k] = next[k];
    }
}

static void carry_on(Settling *s, const double *begin, size_t m) {
    double along = 0, next = 0.5 * (1 + sqrt(1 + 4 * s->theta * s->theta));
    for (size_t i = 0; i < m; i++) {
        along += (s->r[i] - begin[i]) * (s->r[i] - s->last[i]);
    }
    double beta = along < 0 ? 0 : (s->theta - 1) / next;
    s->theta = along < 0 ? 1 : next;
    for (size_t i = 0; i < m; i++) {
        double now = s->r[i];
        s->r[i] = now + beta * (now - s->last[i]);
        s->last[i] = now;
    }
}

static bool settle(const ForceSet *set, double tolerance, double *r) {
    enum { SWEEPS_MOST = 100000 };
    const MatrixProblem *p = &set->problem;
    size_t m = scr_matrix_rows(p), n = (size_t)p->h.rows;
    Block block = {0};
    if (!scr_block_reserve_exact(&block, 2 * m + n + p->contacts + 1, sizeof(double), 0)) {
        return false;
    }
    double *begin = block.data;
    Settling s = {set, r, begin + m, begin + 2 * m, begin + 2 * m + n, 1};
    for (size_t c = 0; c < p->contacts; c++) {
        s.stiff[c] = 0;
        size_t first = c * (size_t)p->block, end = first + (size_t)p->block;
        for (int32_t e = p->h.start[first]; e < p->h.start[end]; e++) {
            s.stiff[c] += p->h.value[e] * p->h.value[e] / set->mass[p->h.row[e]];
        }
    }
    memcpy(s.last, r, m * sizeof *r);
    bool done = false;
    for (int sweeps = 0; !done && sweeps < SWEEPS_MOST; sweeps++) {
        sum_forces(&s);
        memcpy(begin, r, m * sizeof *r);
        for (size_t c = 0; c < p->contacts; c++) {
            settle_contact(&s, c);
        }
        done = vector_largest(s.out, n) <= tolerance;
        if (!done) {
            carry_on(&s, begin, m);
        }
    }
    scr_block_free(&block);
    return done;
}

bool scr_force_sample(const ForceSet *set, double amplitude, double tolerance, uint64_t key,
                      double *r) {
    MatrixSettings settings = {.tolerance = tolerance, .measure = MATRIX_MEASURE_RELATIVE};
    double error = 0;
    scr_force_random_start(set, amplitude, key, r);
    MatrixReport report = scr_matrix_accelerated(&set->problem, &settings, r);
    bool still =
        report.status == MATRIX_SOLVED && balance_error(set, r, &error) && error <= 10 * tolerance;
    return still || settle(set, tolerance, r);
}
