#include "matrix/damped.h"

#include "linear/vector.h"

#include <string.h>

enum {
    SWEEPS = 50, /* sweeps between two measurements */
    ROUNDS = 30, /* of sweeps for one step, at most */
    NEWTON_STEPS = 12,
    WAIT_MOST = 16, /* steps between two attempts at Newton's method, at most */
};
static const double time_first = 5, time_least = 3; /* in units of N velocity / force */
static const double alpha_most = 1e-5, alpha_least = 1e-12;
static const double newton_from = 1e-3; /* error of momentum below which Newton's method is tried */

void scr_matrix_damped_free(MatrixDamped *k) {
    scr_sparse_free(&k->moving.mass);
    scr_sparse_free(&k->moving.delassus);
    scr_matrix_reducer_free(&k->reducer);
    scr_matrix_scaled_free(&k->scaled);
    scr_matrix_momentum_free(&k->momentum);
    scr_matrix_equation_free(&k->equation);
    scr_block_free(&k->block);
    scr_block_free(&k->w_block);
    *k = (MatrixDamped){0};
}

/* ---------------------------------------------------------------- the problem of a step */

static bool reserve(MatrixDamped *k) {
    size_t n = (size_t)k->given->h.rows, m = scr_matrix_rows(k->given);
    if (!scr_block_reserve(&k->block, 4 * n + 4 * m + 1, sizeof(double), 0)) {
        return false;
    }
    double *to = k->block.data;
    k->v = to;
    k->next = to + n;
    k->load = to + 2 * n;
    k->moving.f = to + 3 * n;
    to += 4 * n;
    k->r = to;
    k->found = to + m;
    k->u = to + 2 * m;
    k->moving.q = to + 3 * m;
    memset(k->moving.f, 0, n * sizeof *k->moving.f);
    return true;
}

/* Sets everything up, with W for t = 1. */
static bool begin(MatrixDamped *k, const MatrixProblem *p, const DampedSettings *settings) {
    Sparse mass = k->moving.mass, delassus = k->moving.delassus; /* their memory is reused */
    k->given = p;
    k->settings = *settings;
    k->inner = scr_matrix_settings();
    k->inner.tolerance = 0; /* sweeps are not ended by this tolerance */
    k->mass = settings->force / settings->velocity;
    k->moving = *p;
    k->moving.mass = mass;
    k->moving.delassus = delassus;
    k->moving.vector_block = (Block){0};
    k->moving.local = false;
    k->time = time_first;
    k->alpha = alpha_most;
    k->now = (DampedReport){.status = MATRIX_ITERATIONS};
    if (!reserve(k) || !scr_sparse_diagonal(&k->moving.mass, p->h.rows)) {
        return false;
    }
    for (int32_t i = 0; i < p->h.rows; i++) {
        k->moving.mass.value[i] = k->mass;
    }
    if (scr_matrix_reduce_with(&k->reducer, &k->moving).status != SCREE_OK) {
        return false;
    }
    size_t entries = (size_t)k->moving.delassus.start[k->moving.delassus.columns];
    if (!scr_block_reserve(&k->w_block, entries + 1, sizeof(double), 0)) {
        return false;
    }
    k->w = k->w_block.data;
    memcpy(k->w, k->moving.delassus.value, entries * sizeof *k->w);
    return true;
}

/* W = t H^T N^-1 H, q = w + H^T (v + t N^-1 load), load = f - M v. */
static bool begin_step(MatrixDamped *k) {
    const MatrixProblem *p = k->given;
    Sparse *w = &k->moving.delassus;
    size_t n = (size_t)p->h.rows, m = scr_matrix_rows(p);
    for (int32_t i = 0; i < w->start[w->columns]; i++) {
        w->value[i] = k->time * k->w[i];
    }
    memcpy(k->load, p->f, n * sizeof *k->load);
    scr_sparse_multiply(&p->mass, -1, k->v, k->load);
    for (size_t i = 0; i < n; i++) {
        k->next[i] = k->v[i] + k->time / k->mass * k->load[i];
    }
    memcpy(k->moving.q, p->w, m * sizeof *k->moving.q);
    scr_sparse_multiply_transposed(&p->h, 1, k->next, k->moving.q);
    if (!scr_matrix_scale(&k->scaled, &k->moving, &k->inner, k->r)) {
        return false;
    }
    k->equation.rho = 1;
    k->equation.smooth = k->equation.jacobian_alpha = 0;
    k->equation.alpha = k->alpha;
    return true;
}

/* The new velocities that the impulses x of the scaled problem lead to, and the errors. */
static void measure(MatrixDamped *k) {
    const MatrixProblem *p = k->given;
    size_t n = (size_t)p->h.rows, m = scr_matrix_rows(p), d = (size_t)p->block;
    double change = 0, law = 0;
    for (size_t i = 0; i < m; i++) {
        k->found[i] = k->scaled.unit[i] * k->scaled.x[i];
    }
    memcpy(k->next, k->load, n * sizeof *k->next);
    scr_sparse_multiply(&p->h, 1, k->found, k->next);
    for (size_t i = 0; i < n; i++) {
        double step = k->time / k->mass * k->next[i];
        change += step * step;
        k->next[i] = k->v[i] + step;
    }
    memcpy(k->u, p->w, m * sizeof *k->u);
    scr_sparse_multiply_transposed(&p->h, 1, k->next, k->u);
    for (size_t c = 0; c < p->contacts; c++) {
        double e[MATRIX_LARGEST_BLOCK];
        scr_matrix_contact_error(p, c, k->mass, k->found, k->u, e);
        for (size_t j = 0; j < d; j++) {
            law += e[j] * e[j];
        }
    }
    double *rest = k->moving.f;
    memcpy(rest, p->f, n * sizeof *rest);
    scr_sparse_multiply(&p->mass, -1, k->next, rest);
    scr_sparse_multiply(&p->h, 1, k->found, rest);
    double momentum = vector_dot(rest, rest, n);
    k->change = sqrt(change / scr_max(1, (double)n)) / k->settings.velocity;
    k->now.momentum = sqrt(momentum / scr_max(1, (double)n)) / k->settings.force;
    k->now.law = sqrt(law / scr_max(1, (double)m)) / k->settings.force;
}

/* ---------------------------------------------------------------- its solution */

/* Returns how many rounds it took, or ROUNDS + 1 when the law is not satisfied yet. */
static int sweep(MatrixDamped *k) {
    int round = 1;
    scr_matrix_momentum_begin(&k->momentum, k->scaled.x, k->scaled.rows);
    for (; round <= ROUNDS; round++) {
        scr_matrix_sweeps(&k->scaled, &k->momentum, k->alpha, k->equation.center, SWEEPS);
        measure(k);
        if (k->now.law <= k->settings.share * k->change) {
            break;
        }
    }
    return round;
}

/* The |F| that corresponds to the error allowed for the law, unless rounding forbids it. */
static double enough_for(const MatrixDamped *k) {
    const MatrixScaled *s = &k->scaled;
    double wanted = 0.01 * scr_min(k->now.momentum, 0.1 * k->settings.tolerance);
    double unit = vector_norm(s->unit, s->rows);
    return scr_max(1e-14,
                   wanted / scr_max(1, k->time) * k->settings.force * (double)s->rows / unit);
}

/* When the method fails, the better of its own result and that of the sweeps is kept. */
static bool try_newton(MatrixDamped *k) {
    MatrixEquation *e = &k->equation;
    double enough = enough_for(k);
    scr_matrix_equation_value(e, &k->scaled);
    double begun = e->size;
    memcpy(k->found, k->scaled.x, k->scaled.rows * sizeof *k->found);
    bool solved = scr_matrix_equation_settle(e, &k->scaled, NEWTON_STEPS, 0.05, enough);
    if (!(e->size < begun)) {
        memcpy(k->scaled.x, k->found, k->scaled.rows * sizeof *k->found);
    }
    return solved;
}

static bool is_solved(const MatrixDamped *k) {
    return scr_max(k->now.law, k->now.momentum) <= k->settings.tolerance;
}

/* One step. t grows as long as steps are easy. */
static bool make_step(MatrixDamped *k, int *wait, int *next_try) {
    if (!begin_step(k)) {
        return false;
    }
    if (k->now.steps == 0 && (!scr_matrix_momentum_reserve(&k->momentum, k->scaled.rows) ||
                              !scr_matrix_equation_reserve(&k->equation, &k->scaled))) {
        return false;
    }
    double before = k->now.steps == 0 ? INFINITY : k->now.momentum;
    memcpy(k->equation.center, k->scaled.x, k->scaled.rows * sizeof *k->scaled.x);
    int rounds = sweep(k);
    double grow = rounds <= ROUNDS / 3 ? 1.5 : rounds <= ROUNDS ? 1 : 0.6;
    if (before < newton_from && k->now.steps >= *next_try) {
        bool solved = try_newton(k);
        measure(k);
        grow = solved ? 3 : grow;
        *wait = solved ? 1 : *wait < WAIT_MOST ? 2 * *wait : WAIT_MOST;
        *next_try = k->now.steps + *wait;
        k->alpha =
            solved ? scr_max(alpha_least, 0.1 * k->alpha) : scr_min(alpha_most, 10 * k->alpha);
        if (k->equation.short_of_memory) {
            return false;
        }
    }
    k->time = scr_min(k->settings.time_most, scr_max(time_least, grow * k->time));
    k->now.steps++;
    memcpy(k->r, k->found, k->scaled.rows * sizeof *k->r);
    memcpy(k->v, k->next, (size_t)k->given->h.rows * sizeof *k->v);
    return true;
}

DampedReport scr_matrix_damped(MatrixDamped *k, const MatrixProblem *p,
                               const DampedSettings *settings, double *r, double *v) {
    size_t n = (size_t)p->h.rows, m = scr_matrix_rows(p);
    int wait = 1, next_try = 0;
    if (!begin(k, p, settings)) {
        k->now.status = MATRIX_NO_MEMORY;
        return k->now;
    }
    memcpy(k->r, r, m * sizeof *r);
    memcpy(k->v, v, n * sizeof *v);
    while (k->now.steps < settings->steps_most && k->now.status == MATRIX_ITERATIONS) {
        if (!make_step(k, &wait, &next_try)) {
            k->now.status = MATRIX_NO_MEMORY;
        } else if (!isfinite(k->now.law + k->now.momentum)) {
            k->now.status = MATRIX_NOT_FINITE;
        } else if (is_solved(k)) {
            k->now.status = MATRIX_SOLVED;
            memcpy(r, k->r, m * sizeof *r);
            memcpy(v, k->v, n * sizeof *v);
        }
    }
    return k->now;
}
