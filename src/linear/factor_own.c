/* The factorisation without other libraries: minimum degree, elimination tree, and left-looking
 * Cholesky, column by column. About as quick as CHOLMOD for a few thousand columns, many times
 * slower for a hundred thousand. */
#include "linear/factor_backend.h"

#include "linear/order.h"

#include <math.h>
#include <string.h>

struct FactorBackend {
    Block self; /* the block that holds this struct */
    int32_t n;
    int32_t *order, *inverse; /* column k of L is column order[k] of A */
    int32_t *parent;          /* in the elimination tree; -1: root */
    size_t *start;            /* [n + 1] columns of L */
    int32_t *row;             /* ascending in each column, beginning with the diagonal */
    double *value;
    int32_t *next, *head; /* linked lists of the columns whose next row is the current one */
    size_t *at;           /* where that row is in them */
    double *work;         /* [n] */
    Block int_block, size_block, row_block, value_block, work_block;
};

static FactorBackend *create(void) {
    Block self = {0};
    if (!scr_block_reserve_exact(&self, 1, sizeof(FactorBackend), 0)) {
        return NULL;
    }
    FactorBackend *b = self.data;
    *b = (FactorBackend){.self = self};
    return b;
}

static bool reserve(FactorBackend *b, int32_t columns) {
    size_t n = (size_t)columns;
    if (!scr_block_reserve(&b->int_block, 5 * n, sizeof(int32_t), 0) ||
        !scr_block_reserve(&b->size_block, 2 * n + 1, sizeof(size_t), 0) ||
        !scr_block_reserve(&b->work_block, n, sizeof(double), 0)) {
        return false;
    }
    b->n = columns;
    b->order = b->int_block.data;
    b->inverse = b->order + n;
    b->parent = b->inverse + n;
    b->next = b->parent + n;
    b->head = b->next + n;
    b->start = b->size_block.data;
    b->at = b->start + n + 1;
    b->work = b->work_block.data;
    return true;
}

/* The pattern of the permuted matrix by rows: row i lists its columns j < i. */
static bool permuted_rows(const FactorBackend *b, const Sparse *a, Sparse *rows) {
    size_t n = (size_t)b->n, entries = (size_t)a->start[n];
    if (!scr_block_reserve_exact(&rows->start_block, n + 1, sizeof(int32_t), 0) ||
        !scr_block_reserve_exact(&rows->row_block, entries + 1, sizeof(int32_t), 0)) {
        return false;
    }
    rows->start = rows->start_block.data;
    rows->row = rows->row_block.data;
    memset(rows->start, 0, (n + 1) * sizeof(int32_t));
    for (int pass = 0; pass < 2; pass++) {
        for (int32_t c = 0; c < a->columns; c++) {
            for (int32_t k = a->start[c]; k < a->start[c + 1]; k++) {
                int32_t i = b->inverse[a->row[k]], j = b->inverse[c];
                int32_t low = i < j ? i : j, high = i < j ? j : i;
                if (low != high && pass == 0) {
                    rows->start[high]++;
                } else if (low != high) {
                    rows->row[--rows->start[high]] = low; /* backwards from the end of the row */
                }
            }
        }
        for (size_t i = 0; pass == 0 && i < n; i++) { /* turn counts into ends */
            rows->start[i + 1] += rows->start[i];
        }
    }
    return true;
}

/* Parents after Liu: for each entry j < i of row i, the root of the subtree of j gets the parent i.
 * `next` stores the ancestors, with path compression. */
static void elimination_tree(FactorBackend *b, const Sparse *rows) {
    for (int32_t i = 0; i < b->n; i++) {
        b->parent[i] = b->next[i] = -1;
        for (int32_t k = rows->start[i]; k < rows->start[i + 1]; k++) {
            for (int32_t j = rows->row[k], up; j != -1 && j < i; j = up) {
                up = b->next[j];
                b->next[j] = i;
                if (up == -1) {
                    b->parent[j] = i;
                }
            }
        }
    }
}

/* Visits row i of L, that is the paths from its entries up to i. With `fill` the rows are written
 * down. */
static void visit_rows(FactorBackend *b, const Sparse *rows, bool fill) {
    int32_t *seen = b->next;
    memset(b->at, 0, (size_t)b->n * sizeof *b->at);
    for (int32_t i = 0; i < b->n; i++) {
        seen[i] = -1;
    }
    for (int32_t i = 0; i < b->n; i++) {
        seen[i] = i;
        if (fill) {
            b->row[b->start[i]] = i;
        }
        b->at[i] = 1;
        for (int32_t k = rows->start[i]; k < rows->start[i + 1]; k++) {
            for (int32_t j = rows->row[k]; seen[j] != i; j = b->parent[j]) {
                seen[j] = i;
                if (fill) {
                    b->row[b->start[j] + b->at[j]] = i;
                }
                b->at[j]++;
            }
        }
    }
}

static FactorStatus analyse(FactorBackend **backend, const Sparse *lower, double *entries,
                            double *flops) {
    if (*backend == NULL) {
        *backend = create();
    }
    FactorBackend *b = *backend;
    Sparse rows = {0};
    if (b == NULL || !reserve(b, lower->columns) || !scr_minimum_degree(lower, b->order)) {
        return FACTOR_NO_MEMORY;
    }
    for (int32_t k = 0; k < b->n; k++) {
        b->inverse[b->order[k]] = k;
    }
    bool fine = permuted_rows(b, lower, &rows);
    if (fine) {
        elimination_tree(b, &rows);
        visit_rows(b, &rows, false);
        *entries = *flops = 0;
        b->start[0] = 0;
        for (int32_t j = 0; j < b->n; j++) {
            b->start[j + 1] = b->start[j] + b->at[j];
            *entries += (double)b->at[j];
            *flops += (double)b->at[j] * (double)b->at[j];
        }
        size_t all = b->start[b->n];
        fine = SCR_RESERVE(b, row, all) && SCR_RESERVE(b, value, all);
    }
    if (fine) {
        visit_rows(b, &rows, true);
    }
    scr_sparse_free(&rows);
    return fine ? FACTOR_DONE : FACTOR_NO_MEMORY;
}

/* Copies the values of A into L. */
static void scatter(FactorBackend *b, const Sparse *a) {
    memset(b->value, 0, b->start[b->n] * sizeof *b->value);
    for (int32_t c = 0; c < a->columns; c++) {
        for (int32_t k = a->start[c]; k < a->start[c + 1]; k++) {
            int32_t i = b->inverse[a->row[k]], j = b->inverse[c];
            int32_t row = i > j ? i : j, column = i > j ? j : i;
            size_t first = b->start[column];
            int32_t length = (int32_t)(b->start[column + 1] - first);
            int32_t at = scr_first_not_below(b->row + first, 0, length, row);
            b->value[first + (size_t)at] = a->value[k];
        }
    }
}

/* Moves column k, whose entries before `at` are used up, to the list of its next row. */
static void pass_on(FactorBackend *b, int32_t k, size_t at) {
    b->at[k] = at;
    if (at < b->start[k + 1]) {
        b->next[k] = b->head[b->row[at]];
        b->head[b->row[at]] = k;
    }
}

/* Column j of L is that of A minus L(:, k) L(j, k) for all k < j that have an entry in row j. */
static FactorStatus factor_numeric(FactorBackend *b, const Sparse *lower) {
    scatter(b, lower);
    double *work = b->work;
    for (int32_t j = 0; j < b->n; j++) {
        b->head[j] = -1;
        work[j] = 0;
    }
    for (int32_t j = 0; j < b->n; j++) {
        for (int32_t k = b->head[j], after; k != -1; k = after) {
            after = b->next[k];
            double factor = b->value[b->at[k]];
            for (size_t e = b->at[k]; e < b->start[k + 1]; e++) {
                work[b->row[e]] += factor * b->value[e];
            }
            pass_on(b, k, b->at[k] + 1);
        }
        size_t first = b->start[j];
        double pivot = b->value[first] - work[j];
        work[j] = 0;
        if (!(pivot > 0) || !isfinite(pivot)) {
            return FACTOR_INDEFINITE;
        }
        double root = sqrt(pivot);
        b->value[first] = root;
        for (size_t e = first + 1; e < b->start[j + 1]; e++) {
            b->value[e] = (b->value[e] - work[b->row[e]]) / root;
            work[b->row[e]] = 0;
        }
        pass_on(b, j, first + 1);
    }
    return FACTOR_DONE;
}

static bool solve(FactorBackend *b, const double *right, double *x) {
    double *y = b->work;
    for (int32_t k = 0; k < b->n; k++) {
        y[k] = right[b->order[k]];
    }
    for (int32_t j = 0; j < b->n; j++) {
        y[j] /= b->value[b->start[j]];
        for (size_t e = b->start[j] + 1; e < b->start[j + 1]; e++) {
            y[b->row[e]] -= b->value[e] * y[j];
        }
    }
    for (int32_t j = b->n - 1; j >= 0; j--) {
        for (size_t e = b->start[j] + 1; e < b->start[j + 1]; e++) {
            y[j] -= b->value[e] * y[b->row[e]];
        }
        y[j] /= b->value[b->start[j]];
    }
    for (int32_t k = 0; k < b->n; k++) {
        x[b->order[k]] = y[k];
    }
    return true;
}

static void free_backend(FactorBackend *b) {
    SCR_FREE_BLOCKS(&b->int_block, &b->size_block, &b->row_block, &b->value_block, &b->work_block);
    Block self = b->self;
    scr_block_free(&self);
}

const FactorMethod scr_factor_own = {analyse, factor_numeric, solve, free_backend};
