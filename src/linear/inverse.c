#include "linear/inverse.h"

#include "linear/dense_lu.h"
#include "linear/parts.h"
#include "math/elementary.h"

#include <math.h>
#include <string.h>

enum { DENSE_MOST = 250, REFINEMENTS = 30 };

/* ---------------------------------------------------------------- parts */

static void list_members(Inverse *v) {
    int32_t n = v->matrix->columns;
    memset(v->start, 0, ((size_t)v->parts + 1) * sizeof *v->start);
    for (int32_t i = 0; i < n; i++) {
        v->index[i] = v->start[v->part_of[i] + 1]++;
    }
    for (int32_t k = 0; k < v->parts; k++) {
        v->start[k + 1] += v->start[k];
    }
    for (int32_t i = 0; i < n; i++) {
        v->member[v->start[v->part_of[i]] + v->index[i]] = i;
    }
}

/* ---------------------------------------------------------------- dense factors */

/* False when singular: a pivot is nothing but rounding. */
static bool factor_dense(double *a, int32_t n, int32_t *swap) {
    double largest = 0;
    for (size_t i = 0; i < (size_t)n * (size_t)n; i++) {
        largest = scr_max(largest, fabs(a[i]));
    }
    return largest > 0 && scr_dense_lu(a, (size_t)n, (size_t)n, 1e-15 * largest, swap) == 0;
}

static void solve_dense(const double *a, int32_t n, const int32_t *swap, double *x) {
    for (int32_t k = 0; k < n; k++) {
        double saved = x[swap[k]];
        x[swap[k]] = x[k];
        x[k] = saved;
    }
    for (int32_t i = 0; i < n; i++) {
        const double *row = a + (size_t)i * (size_t)n;
        for (int32_t k = 0; k < i; k++) {
            x[i] -= row[k] * x[k];
        }
    }
    for (int32_t i = n - 1; i >= 0; i--) {
        const double *row = a + (size_t)i * (size_t)n;
        for (int32_t k = i + 1; k < n; k++) {
            x[i] -= row[k] * x[k];
        }
        x[i] /= row[i];
    }
}

static bool make_dense(Inverse *v) {
    const Sparse *a = v->matrix;
    for (int32_t k = 0; k < v->parts; k++) {
        int32_t n = v->start[k + 1] - v->start[k];
        double *dense = v->factor + v->first[k];
        memset(dense, 0, (size_t)n * (size_t)n * sizeof *dense);
        for (int32_t j = 0; j < n; j++) {
            int32_t column = v->member[v->start[k] + j];
            for (int32_t e = a->start[column]; e < a->start[column + 1]; e++) {
                if (a->value[e] != 0) {
                    dense[v->index[a->row[e]] * n + j] = a->value[e];
                }
            }
        }
        if (!factor_dense(dense, n, v->pivot + v->start[k])) {
            return false;
        }
    }
    return true;
}

/* ---------------------------------------------------------------- a large part */

static bool make_symmetric(Inverse *v) {
    const Sparse *a = v->matrix;
    Block block = {0};
    size_t count = 0;
    if (!scr_block_reserve(&block, 2 * (size_t)a->start[a->columns], sizeof(SparseEntry), 0)) {
        return false;
    }
    SparseEntry *entry = block.data;
    for (int32_t k = 0; k < a->columns; k++) {
        for (int32_t e = a->start[k]; e < a->start[k + 1]; e++) {
            entry[count++] = (SparseEntry){a->row[e], k, 0.5 * a->value[e]};
            entry[count++] = (SparseEntry){k, a->row[e], 0.5 * a->value[e]};
        }
    }
    bool ok = scr_sparse_gather(&v->symmetric, a->rows, a->columns, entry, count);
    scr_block_free(&block);
    return ok;
}

static Fault make_whole(Inverse *v) {
    if (!make_symmetric(v)) {
        return scr_fault_of_memory();
    }
    switch (scr_factor_numeric(&v->whole, &v->symmetric, 0)) {
    case FACTOR_NO_MEMORY:
        return scr_fault_of_memory();
    case FACTOR_INDEFINITE:
        return scr_fault_of_argument("M is not positive definite");
    case FACTOR_DONE:
        break;
    }
    return scr_fault_of_argument(v->whole.empty > 0 ? "M is singular" : NULL);
}

/* y = S^-1 x, then y += S^-1 (x - A y) until only rounding is left. */
static bool refine(Inverse *v, const double *x, double *y) {
    size_t n = (size_t)v->matrix->columns;
    double *rest = v->work + n, *change = v->work + 2 * n, before = INFINITY;
    memset(y, 0, n * sizeof *y);
    for (int i = 0; i < REFINEMENTS; i++) {
        double size = 0, moved = 0;
        memcpy(rest, x, n * sizeof *rest);
        scr_sparse_multiply(v->matrix, -1, y, rest);
        if (!scr_factor_solve(&v->whole, rest, change)) {
            return false;
        }
        for (size_t k = 0; k < n; k++) {
            y[k] += change[k];
            size = scr_max(size, fabs(y[k]));
            moved = scr_max(moved, fabs(change[k]));
        }
        if (!(moved > 1e-15 * size) || (moved < 1e-12 * size && moved >= 0.5 * before)) {
            return true;
        }
        before = moved;
    }
    return false;
}

/* ---------------------------------------------------------------- making and using */

static bool reserve(Inverse *v) {
    size_t n = (size_t)v->matrix->columns;
    if (!scr_block_reserve(&v->integer_block, 6 * n + 1, sizeof(int32_t), 0) ||
        !scr_block_reserve(&v->first_block, n + 1, sizeof(size_t), 0) ||
        !scr_block_reserve(&v->work_block, 3 * n + 1, sizeof(double), 0)) {
        return false;
    }
    v->part_of = v->integer_block.data;
    v->member = v->part_of + n;
    v->index = v->member + n;
    v->pivot = v->index + n;
    v->solved = v->pivot + n;
    v->start = v->solved + n;
    memset(v->solved, 0, n * sizeof *v->solved);
    v->turn = 0;
    v->first = v->first_block.data;
    v->work = v->work_block.data;
    return true;
}

Fault scr_inverse_make(Inverse *v, const Sparse *matrix) {
    size_t room = 0;
    v->matrix = matrix;
    if (!reserve(v)) {
        return scr_fault_of_memory();
    }
    /* v->member is scratch memory as yet */
    v->parts = scr_sparse_parts(v->matrix, 1, v->member, v->part_of);
    list_members(v);
    v->large = false;
    for (int32_t k = 0; k < v->parts; k++) {
        size_t n = (size_t)(v->start[k + 1] - v->start[k]);
        v->first[k] = room;
        room += n * n;
        v->large = v->large || n > DENSE_MOST;
    }
    if (v->large) {
        return make_whole(v);
    }
    if (!scr_block_reserve(&v->factor_block, room, sizeof(double), 0)) {
        return scr_fault_of_memory();
    }
    v->factor = v->factor_block.data;
    return scr_fault_of_argument(make_dense(v) ? NULL : "M is singular");
}

/* Solves one part of y in place. */
static void solve_part(const Inverse *v, int32_t part, double *y) {
    int32_t first = v->start[part], size = v->start[part + 1] - first;
    for (int32_t k = 0; k < size; k++) {
        v->work[k] = y[v->member[first + k]];
    }
    solve_dense(v->factor + v->first[part], size, v->pivot + first, v->work);
    for (int32_t k = 0; k < size; k++) {
        y[v->member[first + k]] = v->work[k];
    }
}

static int32_t whole_column(Inverse *v, const int32_t *row, const double *value, int32_t count,
                            double *y, int32_t *touched) {
    int32_t n = v->matrix->columns;
    memset(v->work, 0, (size_t)n * sizeof *v->work);
    for (int32_t e = 0; e < count; e++) {
        v->work[row[e]] += value[e];
    }
    for (int32_t i = 0; i < n; i++) {
        touched[i] = i;
    }
    return refine(v, v->work, y) ? n : -1;
}

int32_t scr_inverse_column(Inverse *v, const int32_t *row, const double *value, int32_t count,
                           double *y, int32_t *touched) {
    int32_t found = 0;
    if (v->large) {
        return whole_column(v, row, value, count, y, touched);
    }
    for (int32_t e = 0; e < count; e++) {
        y[row[e]] += value[e];
    }
    v->turn++;
    for (int32_t e = 0; e < count; e++) { /* each part is solved when its first entry is met */
        int32_t part = v->part_of[row[e]];
        if (v->solved[part] != v->turn) {
            v->solved[part] = v->turn;
            solve_part(v, part, y);
            for (int32_t k = v->start[part]; k < v->start[part + 1]; k++) {
                touched[found++] = v->member[k];
            }
        }
    }
    return found;
}

bool scr_inverse_apply(Inverse *v, const double *x, double *y) {
    if (v->large) {
        return refine(v, x, y);
    }
    memcpy(y, x, (size_t)v->matrix->columns * sizeof *y);
    for (int32_t part = 0; part < v->parts; part++) {
        solve_part(v, part, y);
    }
    return true;
}

void scr_inverse_free(Inverse *v) {
    scr_factor_free(&v->whole);
    scr_sparse_free(&v->symmetric);
    SCR_FREE_BLOCKS(&v->integer_block, &v->first_block, &v->factor_block, &v->work_block);
    *v = (Inverse){0};
}
