#include "matrix/lock.h"

#include "linear/vector.h"
#include "matrix/equation.h"
#include "matrix/projected.h"
#include "matrix/reduce.h"

#include <float.h>
#include <string.h>

enum { SWEEPS = 200, NEWTON_STEPS = 40, ROUNDS = 6 };

/* What all factorisations of a search may cost: some ten seconds. */
static const double flops_most = 3e10;

/* Of the free velocities, below which closing is not told from rounding. */
static const double closing_least = 1e-10;

/* Weights below this, relative to the largest, are none. */
static const double weight_least = 1e-13;

/* ---------------------------------------------------------------- the check */

size_t scr_matrix_lock_room(const MatrixProblem *p) {
    return 2 * (scr_matrix_rows(p) + (p->global ? (size_t)p->h.rows : 0)) + 1;
}

/* A sum, and that of the absolute values of its terms. */
typedef struct Sums {
    double *sum, *terms;
} Sums;

static void add(const Sums *to, int32_t at, double part) {
    to->sum[at] += part;
    to->terms[at] += fabs(part);
}

/* (W + C)^T Y. */
static void push(const MatrixProblem *p, const double *weight, const Sums *to) {
    const Sparse *w = &p->delassus;
    for (int32_t k = 0; k < w->columns; k++) {
        for (int32_t e = w->start[k]; e < w->start[k + 1]; e++) {
            if (w->row[e] % p->block == 0) {
                add(to, k, w->value[e] * weight[w->row[e] / p->block]);
            }
        }
        if (p->compliance != NULL && k % p->block == 0) {
            add(to, k, p->compliance[k] * weight[k / p->block]);
        }
    }
}

/* H Y. */
static void balance(const MatrixProblem *p, const double *weight, const Sums *to) {
    const Sparse *h = &p->h;
    for (int32_t k = 0; k < h->columns; k += p->block) {
        for (int32_t e = h->start[k]; e < h->start[k + 1]; e++) {
            add(to, h->row[e], h->value[e] * weight[k / p->block]);
        }
    }
}

/* What counts as zero, of what is added up. In W only the last few bits, since W of masses 1e14
 * apart is singular but for those. In H, which knows no masses, a trillionth: an unbalanced part
 * that small could matter only to motions a trillion times as fast as the contacts close. */
static const double last_bits = 16 * DBL_EPSILON, unbalanced = 1e-12;

static double uncancelled(const Sums *s, size_t count) {
    double most = 0;
    for (size_t i = 0; i < count; i++) {
        most = s->terms[i] > 0 ? scr_max(most, fabs(s->sum[i]) / s->terms[i]) : most;
    }
    return most;
}

static bool is_soft(const MatrixProblem *p, const double *weight) {
    for (size_t c = 0; p->compliance != NULL && c < p->contacts; c++) {
        if (weight[c] > 0 && p->compliance[c * (size_t)p->block] > 0) {
            return true;
        }
    }
    return false;
}

/* The sum of y and how many there are; 0 when one of them is no weight. */
static double sum_of(const MatrixProblem *p, const double *weight, size_t *contacts) {
    double sum = 0;
    *contacts = 0;
    for (size_t c = 0; c < p->contacts; c++) {
        if (!(weight[c] >= 0) || !isfinite(weight[c])) {
            return 0;
        }
        sum += weight[c];
        *contacts += weight[c] > 0;
    }
    return sum;
}

/* -y . x_n. */
static double closing_of(const MatrixProblem *p, const double *weight, const double *x) {
    double power = 0;
    for (size_t c = 0; c < p->contacts; c++) {
        power -= weight[c] * x[c * (size_t)p->block];
    }
    return power;
}

/* The largest free velocity where the weights are. */
static double fastest(const MatrixYardstick *yardstick, const double *weight) {
    double most = 0;
    for (size_t c = 0; c < yardstick->problem->contacts; c++) {
        most = weight[c] > 0 ? scr_max(most, yardstick->most[c]) : most;
    }
    return most;
}

MatrixLock scr_matrix_check_lock(const MatrixYardstick *yardstick, const double *weight,
                                 double *scratch) {
    const MatrixProblem *p = yardstick->problem;
    size_t m = scr_matrix_rows(p), n = p->global ? (size_t)p->h.rows : 0;
    Sums of_w = {scratch, scratch + m}, of_h = {scratch + 2 * m, scratch + 2 * m + n};
    MatrixLock lock = {0};
    double left = 0, sum = sum_of(p, weight, &lock.contacts);
    double power = sum > 0 ? closing_of(p, weight, p->q) : 0;
    double least = closing_least * fastest(yardstick, weight) * sum;
    if (!(power > least)) {
        return (MatrixLock){0};
    }
    memset(scratch, 0, scr_matrix_lock_room(p) * sizeof *scratch);
    push(p, weight, &of_w);
    for (size_t i = 0; i < m; i++) {
        left += fabs(of_w.sum[i]) + last_bits * of_w.terms[i];
    }
    lock.closing = power / sum;
    lock.relative = closing_least * power / least;
    lock.bound = left > 0 ? power / left : INFINITY;
    if (p->global) {
        balance(p, weight, &of_h);
        lock.left = uncancelled(&of_h, n);
        lock.proven =
            lock.left <= unbalanced && closing_of(p, weight, p->w) > least && !is_soft(p, weight);
    } else {
        lock.left = uncancelled(&of_w, m);
        lock.proven = lock.left <= last_bits;
    }
    return isfinite(power) && isfinite(left) ? lock : (MatrixLock){0};
}

/* ---------------------------------------------------------------- the search */

typedef struct Search {
    const MatrixYardstick *yardstick;
    MatrixProblem even;   /* global form: the same contacts with masses that are all alike */
    MatrixProblem smooth; /* the problem to be solved: without friction */
    MatrixSettings settings;
    MatrixScaled s;
    MatrixMomentum momentum;
    MatrixEquation e;
    double *zero, *scratch, *weight;
    Block block;
} Search;

/* H Y = 0 does not depend on masses, so where there is a global form they are chosen such that W
 * is as far from singular as it can be: each freedom has the sum of the squares of its row of H. At
 * rest (f = 0) q is w. */
static bool make_even(const MatrixProblem *p, MatrixProblem *even) {
    *even = *p;
    even->mass = even->delassus = (Sparse){0};
    even->vector_block = (Block){0};
    even->local = false;
    size_t n = (size_t)p->h.rows, m = scr_matrix_rows(p);
    if (!scr_block_reserve(&even->vector_block, n + m + 1, sizeof(double), 0) ||
        !scr_sparse_diagonal(&even->mass, p->h.rows)) {
        return false;
    }
    even->f = even->vector_block.data;
    even->q = even->f + n;
    for (size_t i = 0; i < n; i++) {
        even->f[i] = even->mass.value[i] = 0;
    }
    for (int32_t e = 0; e < p->h.start[p->h.columns]; e++) {
        even->mass.value[p->h.row[e]] += p->h.value[e] * p->h.value[e];
    }
    for (size_t i = 0; i < n; i++) {
        even->mass.value[i] = even->mass.value[i] > 0 ? even->mass.value[i] : 1;
    }
    return scr_matrix_reduce(even).status == SCREE_OK;
}

static bool begin(Search *k, const MatrixYardstick *yardstick) {
    const MatrixProblem *p = yardstick->problem;
    size_t m = scr_matrix_rows(p), zeros = m + p->contacts;
    if (p->global && !make_even(p, &k->even)) {
        return false;
    }
    if (!scr_block_reserve(&k->block, zeros + p->contacts + scr_matrix_lock_room(p), sizeof(double),
                           0)) {
        return false;
    }
    k->zero = k->block.data;
    k->weight = k->zero + zeros;
    k->scratch = k->weight + p->contacts;
    memset(k->zero, 0, zeros * sizeof *k->zero);
    k->yardstick = yardstick;
    k->smooth = p->global ? k->even : *p;
    k->smooth.mu = k->zero;
    k->smooth.rolling = p->rolling != NULL ? k->zero : NULL;
    k->settings = scr_matrix_settings();
    k->settings.measure = MATRIX_MEASURE_RELATIVE;
    k->settings.tolerance = 0;
    return scr_matrix_scale(&k->s, &k->smooth, &k->settings, k->zero) &&
           scr_matrix_momentum_reserve(&k->momentum, k->s.rows) &&
           scr_matrix_equation_reserve(&k->e, &k->s);
}

static void end(Search *k) {
    scr_matrix_equation_free(&k->e);
    scr_matrix_momentum_free(&k->momentum);
    scr_matrix_scaled_free(&k->s);
    scr_sparse_free(&k->even.mass);
    scr_sparse_free(&k->even.delassus);
    scr_block_free(&k->even.vector_block);
    scr_block_free(&k->block);
}

/* The problem u = W x + q + alpha (x - center) without friction. A large one gets fewer steps. */
static void settle(Search *k, double alpha) {
    int steps = (int)scr_max(3, scr_min(NEWTON_STEPS, flops_most / (ROUNDS + 1) / k->e.lu.flops));
    k->e.rho = 1;
    k->e.smooth = k->e.jacobian_alpha = 0;
    k->e.alpha = alpha;
    scr_matrix_momentum_begin(&k->momentum, k->s.x, k->s.rows);
    scr_matrix_sweeps(&k->s, &k->momentum, alpha, k->e.center, SWEEPS);
    (void)scr_matrix_equation_settle(&k->e, &k->s, steps, 1e-3, 1e-16);
}

/* The weights of the present x, the largest of them 1. False when there are none. */
static bool take(const Search *k) {
    double *weight = k->weight;
    size_t d = (size_t)k->s.block;
    double most = 0;
    for (size_t c = 0; c < k->s.contacts; c++) {
        weight[c] = scr_max(0, k->s.unit[c * d] * k->s.x[c * d]);
        most = scr_max(most, weight[c]);
    }
    for (size_t c = 0; c < k->s.contacts && most > 0; c++) {
        weight[c] = weight[c] > weight_least * most ? weight[c] / most : 0;
    }
    return most > 0 && isfinite(most);
}

/* First the problem with a spring alpha at each contact, which has one solution: if the rigid one
 * has none, that is about 1 / alpha times weights that prove it. Then, with q = 0, proximal points
 * from there, min x.Wx / 2 + alpha |x - center|^2 / 2 over x >= 0: they come to the nearest x with W
 * x = 0, and each removes all but about alpha of what is left of W x. If there is none but zero,
 * they vanish. */
static void search(Search *k, double *weight, MatrixLock *lock) {
    size_t rows = k->s.rows, d = (size_t)k->s.block;
    memset(k->s.x, 0, rows * sizeof *k->s.x);
    settle(k, 1e-6);
    memset(k->s.q, 0, rows * sizeof *k->s.q);
    for (int round = 0; round < ROUNDS && !(lock->proven && lock->left <= last_bits); round++) {
        double most = 0;
        for (size_t c = 0; c < k->s.contacts; c++) {
            most = scr_max(most, k->s.x[c * d]);
        }
        if (!(most > 0) || !isfinite(most)) {
            return;
        }
        for (size_t i = 0; i < rows; i++) {
            k->s.x[i] = i % d == 0 ? scr_max(0, k->s.x[i]) / most : 0;
        }
        memcpy(k->e.center, k->s.x, rows * sizeof *k->s.x);
        settle(k, 1e-6);
        if (!take(k)) {
            return;
        }
        MatrixLock found = scr_matrix_check_lock(k->yardstick, k->weight, k->scratch);
        if (found.proven && (!lock->proven || found.left < lock->left)) {
            *lock = found;
            memcpy(weight, k->weight, k->s.contacts * sizeof *weight);
        }
    }
}

bool scr_matrix_find_lock(const MatrixYardstick *yardstick, double *weight, MatrixLock *lock) {
    Search k = {0};
    *lock = (MatrixLock){0};
    if (yardstick->problem->contacts == 0) {
        return true;
    }
    bool ok = begin(&k, yardstick);
    if (ok) {
        search(&k, weight, lock);
        ok = !k.e.short_of_memory;
    }
    end(&k);
    return ok;
}
