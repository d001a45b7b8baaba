#include "network/motions.h"

#include "linear/null_space.h"
#include "linear/vector.h"
#include "matrix/reduce.h"
#include "matrix/sweep.h"
#include "network/indeterminacy.h"

#include <string.h>

/* ---------------------------------------------------------------- masses and velocities */

/* Pistons without mass get next to none: a piston then follows whatever touches it, and the balance
 * of its forces is off by this share. */
static const double massless = 1e-9;

/* The local form of all contacts, in units of the mean force, the mean mass and the time step. */
static Fault add_masses(MotionSet *set, double time_step) {
    ForceSet *all = &set->all;
    MatrixProblem *p = &all->problem;
    size_t n = (size_t)p->h.rows;
    if (!scr_sparse_diagonal(&p->mass, p->h.rows)) {
        return scr_fault_of_memory();
    }
    for (size_t i = 0; i < n; i++) {
        if (!isfinite(all->mass[i])) {
            return scr_fault_of_argument("the masses of the pistons are not known");
        }
        all->mass[i] = scr_max(all->mass[i], massless);
        p->mass.value[i] = all->mass[i];
    }
    set->velocity_unit = all->unit * time_step / all->mass_unit;
    for (size_t i = 0; i < scr_matrix_rows(p); i++) {
        p->w[i] /= set->velocity_unit;
    }
    return scr_matrix_reduce(p);
}

/* ---------------------------------------------------------------- the conditions */

typedef enum Condition { NOTHING, ZERO, NOT_NEGATIVE } Condition;

/* What the law asks of component k of the velocity at contact c. */
static Condition condition_of(const ForceSet *all, size_t c, int k) {
    bool friction = all->problem.mu[c] > 0;
    switch (all->state[c]) {
    case SCREE_CONTACT_OPEN:
        return k == 0 ? NOT_NEGATIVE : NOTHING;
    case SCREE_CONTACT_SLIP:
        return k == 0 ? ZERO : !friction ? NOTHING : k == 1 ? NOT_NEGATIVE : ZERO;
    default:
        return k == 0 || friction ? ZERO : NOTHING;
    }
}

/* A sliding contact slides along the first tangent, or, in the plane, against it: opposite to its
 * friction if there is any. */
static double slip_sense(const ForceSet *all, size_t c) {
    size_t at = c * (size_t)all->problem.block + 1;
    double friction = all->now[at];
    return friction > 0 || (friction == 0 && all->problem.w[at] < 0) ? -1 : 1;
}

static double sense_of(const ForceSet *all, size_t c, int k) {
    return all->state[c] == SCREE_CONTACT_SLIP && k == 1 ? slip_sense(all, c) : 1;
}

/* Component k of the force of a sliding contact over its normal force, which does not change. */
static double slip_share(const ForceSet *all, size_t c, size_t k) {
    const double *r = all->now + c * (size_t)all->problem.block;
    return k == 0     ? 1
           : r[0] > 0 ? r[k] / r[0]
           : k == 1   ? -slip_sense(all, c) * all->problem.mu[c]
                      : 0;
}

/* Rows and columns of the conditions. */
typedef struct Posing {
    const ForceSet *all;
    int32_t *row;    /* [m] the row of a component's condition; -1: none */
    double *factor;  /* [m] by which that row is multiplied */
    int32_t *column; /* [contacts] its place among the contacts of the cone problem; -1: none */
    size_t rows, contacts, slacks;
} Posing;

static void count_conditions(Posing *t) {
    const MatrixProblem *p = &t->all->problem;
    for (size_t c = 0; c < p->contacts; c++) {
        t->column[c] = t->all->state[c] == SCREE_CONTACT_OPEN ? -1 : (int32_t)t->contacts++;
        for (int k = 0; k < p->block; k++) {
            size_t i = c * (size_t)p->block + (size_t)k;
            Condition asked = condition_of(t->all, c, k);
            double own = scr_sparse_entry(&p->delassus, (int32_t)i, (int32_t)i);
            double size = asked == NOT_NEGATIVE ? scr_max(own, fabs(p->w[i])) : own;
            t->row[i] = asked == NOTHING || !(size > 0) ? -1 : (int32_t)t->rows++;
            t->factor[i] = sense_of(t->all, c, k) / (size > 0 ? size : 1);
            t->slacks += t->row[i] >= 0 && asked == NOT_NEGATIVE;
        }
    }
}

/* Adds column j of W, times `share`, to column `to` of the conditions. */
static size_t add_column(const Posing *t, size_t j, double share, int32_t to, SparseEntry *entry) {
    const Sparse *w = &t->all->problem.delassus;
    size_t count = 0;
    for (int32_t e = w->start[j]; e < w->start[j + 1]; e++) {
        int32_t i = w->row[e];
        if (t->row[i] >= 0) {
            entry[count++] = (SparseEntry){t->row[i], to, share * t->factor[i] * w->value[e]};
        }
    }
    return count;
}

/* The columns of contact c: one for each component of the force where it holds, one for all where
 * it slides, since its direction is fixed. */
static size_t add_contact(const Posing *t, MotionSet *set, size_t c, SparseEntry *entry) {
    const MatrixProblem *p = &t->all->problem;
    size_t block = (size_t)p->block, from = c * block, to = (size_t)t->column[c] * block, count = 0;
    const double *r = t->all->now + from;
    bool slides = t->all->state[c] == SCREE_CONTACT_SLIP;
    set->cone.mu[t->column[c]] = slides ? 0 : p->mu[c];
    for (size_t k = 0; k < block; k++) {
        double share = slides ? slip_share(t->all, c, k) : 1;
        if (slides || k == 0 || p->mu[c] > 0) {
            count += add_column(t, from + k, share, (int32_t)(slides ? to : to + k), entry + count);
        }
        set->now[to + k] = slides && k > 0 ? 0 : r[k];
        set->from[to + k] = slides && k > 0 ? -1 : (int32_t)(from + k);
    }
    return count;
}

/* A slack for each condition that is an inequality: factor u - s = 0. */
static size_t add_slacks(const Posing *t, MotionSet *set, SparseEntry *entry) {
    const MatrixProblem *p = &t->all->problem;
    size_t block = (size_t)p->block, next = t->contacts, count = 0;
    for (size_t c = 0; c < p->contacts; c++) {
        for (int k = 0; k < p->block; k++) {
            size_t i = c * block + (size_t)k;
            if (t->row[i] >= 0 && condition_of(t->all, c, k) == NOT_NEGATIVE) {
                entry[count++] = (SparseEntry){t->row[i], (int32_t)(next * block), -1};
                set->now[next++ * block] = scr_max(t->factor[i] * p->w[i], 0);
            }
        }
    }
    return count;
}

static bool reserve(MotionSet *set, const Posing *t) {
    int block = t->all->problem.block;
    size_t contacts = t->contacts + t->slacks, m = (size_t)block * contacts;
    if (!scr_matrix_problem_begin(&set->cone, block, contacts, t->rows, true, false) ||
        !scr_block_reserve_exact(&set->real_block, 2 * m + t->rows + 1, sizeof(double), 0) ||
        !scr_block_reserve_exact(&set->index_block, m + 1, sizeof(int32_t), 0)) {
        return false;
    }
    set->now = set->real_block.data;
    set->from = set->index_block.data;
    memset(set->now, 0, m * sizeof *set->now);
    memset(set->from, -1, m * sizeof *set->from);
    return true;
}

/* The conditions hold for the present impulses and velocities, so f = -A now. */
static bool pose(MotionSet *set, Posing *t) {
    const MatrixProblem *p = &set->all.problem;
    Block block = {0};
    size_t room = 2 * (size_t)p->delassus.start[p->delassus.columns] + t->slacks + 1, count = 0;
    bool ok = reserve(set, t) && scr_block_reserve_exact(&block, room, sizeof(SparseEntry), 0);
    SparseEntry *entry = block.data;
    for (size_t c = 0; ok && c < p->contacts; c++) {
        count += t->column[c] >= 0 ? add_contact(t, set, c, entry + count) : 0;
    }
    count += ok ? add_slacks(t, set, entry + count) : 0;
    int32_t rows = (int32_t)t->rows;
    ok =
        ok &&
        scr_sparse_gather(&set->cone.h, rows, (int32_t)scr_matrix_rows(&set->cone), entry, count) &&
        scr_sparse_gather(&set->cone.mass, rows, rows, entry, 0);
    if (ok) {
        memset(set->cone.f, 0, t->rows * sizeof(double));
        scr_sparse_multiply(&set->cone.h, -1, set->now, set->cone.f);
    }
    scr_block_free(&block);
    return ok;
}

static bool make_conditions(MotionSet *set) {
    const MatrixProblem *p = &set->all.problem;
    size_t m = scr_matrix_rows(p);
    Block index = {0}, real = {0};
    bool ok = scr_block_reserve_exact(&index, m + p->contacts + 1, sizeof(int32_t), 0) &&
              scr_block_reserve_exact(&real, m + 1, sizeof(double), 0);
    if (ok) {
        int32_t *row = index.data;
        Posing t = {&set->all, row, real.data, row + m, 0, 0, 0};
        count_conditions(&t);
        ok = pose(set, &t);
    }
    SCR_FREE_BLOCKS(&index, &real);
    return ok;
}

/* ---------------------------------------------------------------- what they leave open */

/* Components of the force that column j of the conditions stands for: [*first, *end), at a sliding
 * contact all of it. */
static void components_of(const MotionSet *set, size_t j, size_t *first, size_t *end) {
    size_t block = (size_t)set->all.problem.block;
    *first = *end = 0;
    if (set->from[j] >= 0) {
        *first = (size_t)set->from[j];
        bool slides = set->all.state[*first / block] == SCREE_CONTACT_SLIP;
        *end = *first + (slides ? block : 1);
    }
}

/* How much of component k belongs to a unit of the column that begins with component `first`. */
static double share_of(const MotionSet *set, size_t first, size_t k) {
    return k == first ? 1
                      : slip_share(&set->all, first / (size_t)set->all.problem.block, k - first);
}

/* Subtracts the velocities that a unit of column j gives: a column of M^-1 H. */
static void subtract_velocity(const MotionSet *set, size_t j, double *v) {
    const Sparse *h = &set->all.problem.h;
    size_t first, end;
    components_of(set, j, &first, &end);
    for (size_t k = first; k < end; k++) {
        for (int32_t e = h->start[k]; e < h->start[k + 1]; e++) {
            v[h->row[e]] -= share_of(set, first, k) * h->value[e] / set->all.mass[h->row[e]];
        }
    }
}

/* Unknowns are the columns of the conditions, then a velocity for each freedom; equations are the
 * conditions, then v = M^-1 H r. */
static void fill_dense(const MotionSet *set, size_t rows, double *dense) {
    const Sparse *a = &set->cone.h;
    size_t m = (size_t)a->columns, n = (size_t)set->all.problem.h.rows;
    memset(dense, 0, rows * (m + n) * sizeof *dense);
    for (size_t j = 0; j < m; j++) {
        for (int32_t e = a->start[j]; e < a->start[j + 1]; e++) {
            dense[j * rows + (size_t)a->row[e]] = a->value[e];
        }
        subtract_velocity(set, j, dense + j * rows + (size_t)a->rows);
    }
    for (size_t i = 0; i < n; i++) {
        dense[(m + i) * rows + (size_t)a->rows + i] = 1;
        double *row = dense + (size_t)a->rows + i, most = 1;
        for (size_t j = 0; j < m; j++) { /* light pistons: no row larger than the others */
            most = scr_max(most, fabs(row[j * rows]));
        }
        for (size_t j = 0; j < m + n; j++) {
            row[j * rows] /= most;
        }
    }
}

static bool find_loose(MotionSet *set) {
    size_t m = (size_t)set->cone.h.columns, n = (size_t)set->all.problem.h.rows;
    size_t rows = (size_t)set->cone.h.rows + n;
    Block dense = {0}, moves = {0}, work = {0}, order = {0};
    bool ok = scr_block_reserve_exact(&dense, rows * (m + n) + 1, sizeof(double), 0) &&
              scr_block_reserve_exact(&moves, m + n + 1, sizeof(bool), 0) &&
              scr_block_reserve_exact(&work, 2 * (m + n) + 1, sizeof(double), 0) &&
              scr_block_reserve_exact(&order, m + n + 1, sizeof(int32_t), 0) &&
              scr_block_reserve_exact(&set->loose_block, n + 1, sizeof(bool), 0) &&
              scr_block_reserve_exact(&set->range_block, 2 * n + 1, sizeof(double), 0);
    if (ok) {
        fill_dense(set, rows, dense.data);
        scr_null_space(dense.data, rows, m + n, moves.data, work.data, order.data);
        set->loose = set->loose_block.data;
        set->least = set->range_block.data;
        set->most = set->least + n;
        memset(set->least, 0, 2 * n * sizeof *set->least);
        memcpy(set->loose, (bool *)moves.data + m, n * sizeof(bool));
    }
    SCR_FREE_BLOCKS(&dense, &moves, &work, &order);
    return ok;
}

Fault scr_motion_set_make(MotionSet *set, const ScreeSample *sample,
                          const ScreeSurroundings *around, double still) {
    Fault fault = scr_force_set_make_moving(&set->all, sample, around, still);
    if (fault.status == SCREE_OK) {
        fault = add_masses(set, around->time_step);
    }
    if (fault.status == SCREE_OK && (!make_conditions(set) || !find_loose(set))) {
        fault = scr_fault_of_memory();
    }
    return fault;
}

/* ---------------------------------------------------------------- extremes */

/* The velocity along a freedom that a unit of column j gives: an entry of M^-1 H. */
static double velocity_of(const MotionSet *set, size_t j, size_t freedom) {
    size_t first, end;
    double sum = 0;
    components_of(set, j, &first, &end);
    for (size_t k = first; k < end; k++) {
        sum += share_of(set, first, k) *
               scr_sparse_entry(&set->all.problem.h, (int32_t)freedom, (int32_t)k);
    }
    return sum / set->all.mass[freedom];
}

bool scr_motion_extreme(MotionSet *set, size_t freedom, bool most, MotionExtreme *extreme) {
    MatrixProblem *p = &set->cone;
    size_t m = scr_matrix_rows(p);
    double *r = set->now + m, *left = r + m, change = 0;
    InteriorPointSettings settings = scr_interior_point_settings();
    settings.tolerance = 1e-11;
    settings.force = settings.velocity = 1;
    for (size_t j = 0; j < m; j++) {
        p->w[j] = velocity_of(set, j, freedom);
    }
    double size = scr_max(vector_largest(p->w, m), 1e-300), sign = most ? -1 : 1;
    for (size_t j = 0; j < m; j++) {
        p->w[j] *= sign / size;
    }
    InteriorPointReport report = scr_interior_point(&set->work, p, &settings, r, NULL, NULL);
    if (report.status == INTERIOR_NO_MEMORY) {
        return false;
    }
    for (size_t j = 0; j < m; j++) {
        change += sign * size * p->w[j] * (r[j] - set->now[j]);
    }
    memcpy(left, p->f, (size_t)p->h.rows * sizeof *left);
    scr_sparse_multiply(&p->h, 1, r, left);
    double error =
        fabs(report.errors.gap) * (double)p->contacts + vector_largest(left, (size_t)p->h.rows);
    bool unbounded = report.status == INTERIOR_LOCKED;
    extreme->change = unbounded ? -sign * INFINITY : change * set->velocity_unit;
    extreme->sure = unbounded || error * size < 1e-6;
    return true;
}

/* ---------------------------------------------------------------- samples */

bool scr_motion_sample(MotionSet *set, double amplitude, double tolerance, uint64_t key) {
    const ForceSet *all = &set->all;
    const MatrixProblem *p = &all->problem;
    MatrixSettings settings = scr_matrix_settings();
    size_t m = scr_matrix_rows(p), n = (size_t)p->h.rows;
    if (!scr_block_reserve(&set->sample_block, n + m + 1, sizeof(double), 0)) {
        return false;
    }
    settings.tolerance = tolerance;
    settings.measure = MATRIX_MEASURE_RELATIVE;
    set->change = set->sample_block.data;
    double *r = set->change + n;
    scr_force_random_start(all, amplitude, key, r);
    bool solved = scr_matrix_accelerated(p, &settings, r).status == MATRIX_SOLVED;
    memset(set->change, 0, n * sizeof *set->change);
    for (size_t i = 0; i < m; i++) {
        r[i] -= all->now[i];
    }
    scr_sparse_multiply(&p->h, 1, r, set->change);
    for (size_t i = 0; i < n; i++) {
        set->change[i] *= set->velocity_unit / all->mass[i];
    }
    return solved;
}

void scr_motion_set_free(MotionSet *set) {
    scr_force_set_free(&set->all);
    scr_matrix_problem_free(&set->cone);
    scr_interior_work_free(&set->work);
    SCR_FREE_BLOCKS(&set->sample_block, &set->range_block, &set->real_block, &set->index_block,
                    &set->loose_block);
    *set = (MotionSet){0};
}
