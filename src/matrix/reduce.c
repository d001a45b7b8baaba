#include "matrix/reduce.h"

#include <stdlib.h>
#include <string.h>

static const char NO_INVERSE[] = "M could not be inverted: it is too far from symmetric";

/* Work space of the product H^T (M^-1 H), column by column. */
typedef struct Product {
    Inverse *inverse;
    const Sparse *by_row;
    double *y, *sum;  /* [n], [m]: a column of M^-1 H, a column of W; zero between columns */
    int32_t *touched; /* [n] rows of y that are not zero */
    int32_t *found;   /* [m] rows of the column of W */
    bool *known;      /* [m] whether a row is among these */
} Product;

static bool begin(Product *t, MatrixReducer *k, const Sparse *h) {
    size_t n = (size_t)h->rows, m = (size_t)h->columns;
    if (!scr_sparse_transpose(h, &k->by_row) ||
        !scr_block_reserve(&k->real_block, n + m + 1, sizeof(double), 0) ||
        !scr_block_reserve(&k->integer_block, n + m + 1, sizeof(int32_t), 0) ||
        !scr_block_reserve(&k->known_block, m + 1, sizeof(bool), 0)) {
        return false;
    }
    memset(k->real_block.data, 0, (n + m) * sizeof(double));
    memset(k->known_block.data, 0, m * sizeof(bool));
    t->inverse = &k->inverse;
    t->by_row = &k->by_row;
    t->y = k->real_block.data;
    t->sum = t->y + n;
    t->touched = k->integer_block.data;
    t->found = t->touched + n;
    t->known = k->known_block.data;
    return true;
}

void scr_matrix_reducer_free(MatrixReducer *k) {
    scr_inverse_free(&k->inverse);
    scr_sparse_free(&k->by_row);
    SCR_FREE_BLOCKS(&k->real_block, &k->integer_block, &k->known_block, &k->push_block);
    *k = (MatrixReducer){0};
}

static int rising(const void *a, const void *b) {
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

/* The rows of column k of W, in order, with their values in `sum`. Negative after a failure. */
static int32_t column_of(Product *t, const Sparse *h, int32_t k) {
    int32_t count = 0, first = h->start[k];
    int32_t touched = scr_inverse_column(t->inverse, h->row + first, h->value + first,
                                         h->start[k + 1] - first, t->y, t->touched);
    for (int32_t i = 0; i < touched; i++) {
        int32_t d = t->touched[i];
        for (int32_t e = t->by_row->start[d]; e < t->by_row->start[d + 1]; e++) {
            int32_t row = t->by_row->row[e];
            t->sum[row] += t->by_row->value[e] * t->y[d];
            if (!t->known[row]) {
                t->known[row] = true;
                t->found[count++] = row;
            }
        }
        t->y[d] = 0;
    }
    if (touched < 0) {
        return -1;
    }
    qsort(t->found, (size_t)count, sizeof *t->found, rising);
    return count;
}

/* Appends the column to W and leaves the work space clean. */
static bool append(Product *t, Sparse *w, int32_t k, int32_t count) {
    size_t before = (size_t)w->start[k], after = before + (size_t)count;
    if (after > INT32_MAX || !SCR_RESERVE_KEEPING(w, row, after, before) ||
        !SCR_RESERVE_KEEPING(w, value, after, before)) {
        return false;
    }
    for (int32_t i = 0; i < count; i++) {
        int32_t row = t->found[i];
        w->row[before + (size_t)i] = row;
        w->value[before + (size_t)i] = t->sum[row];
        t->sum[row] = 0;
        t->known[row] = false;
    }
    w->start[k + 1] = (int32_t)after;
    return true;
}

static Fault multiply(MatrixReducer *reducer, const Sparse *h, Sparse *w) {
    Product t;
    if (!begin(&t, reducer, h) || !SCR_RESERVE(w, start, (size_t)h->columns + 1)) {
        return scr_fault_of_memory();
    }
    w->rows = w->columns = h->columns;
    w->start[0] = 0;
    for (int32_t k = 0; k < h->columns; k++) {
        int32_t count = column_of(&t, h, k);
        if (count < 0) {
            return scr_fault_of_argument(NO_INVERSE);
        }
        if (!append(&t, w, k, count)) {
            return scr_fault_of_memory();
        }
    }
    return scr_no_fault();
}

/* q = w + H^T M^-1 f. */
static Fault free_velocities(MatrixReducer *k, MatrixProblem *p) {
    size_t m = scr_matrix_rows(p);
    if (!scr_block_reserve(&k->push_block, (size_t)p->h.rows + 1, sizeof(double), 0)) {
        return scr_fault_of_memory();
    }
    bool ok = scr_inverse_apply(&k->inverse, p->f, k->push_block.data);
    if (m > 0) {
        memcpy(p->q, p->w, m * sizeof *p->q);
    }
    if (ok) {
        scr_sparse_multiply_transposed(&p->h, 1, k->push_block.data, p->q);
    }
    return scr_fault_of_argument(ok ? NULL : NO_INVERSE);
}

Fault scr_matrix_reduce_with(MatrixReducer *k, MatrixProblem *p) {
    if (p->local) {
        return scr_no_fault();
    }
    Fault fault = scr_inverse_make(&k->inverse, &p->mass);
    if (fault.status == SCREE_OK) {
        fault = multiply(k, &p->h, &p->delassus);
    }
    if (fault.status == SCREE_OK) {
        fault = free_velocities(k, p);
    }
    p->local = fault.status == SCREE_OK;
    return fault;
}

Fault scr_matrix_reduce(MatrixProblem *p) {
    MatrixReducer reducer = {0};
    Fault fault = scr_matrix_reduce_with(&reducer, p);
    scr_matrix_reducer_free(&reducer);
    return fault;
}

Fault scr_matrix_velocities(const MatrixProblem *p, const double *r, double *v) {
    Inverse inverse = {0};
    Block block = {0};
    size_t n = (size_t)p->h.rows;
    Fault fault = scr_inverse_make(&inverse, &p->mass);
    if (fault.status == SCREE_OK && !scr_block_reserve_exact(&block, n + 1, sizeof(double), 0)) {
        fault = scr_fault_of_memory();
    }
    if (fault.status == SCREE_OK) {
        double *push = block.data;
        memcpy(push, p->f, n * sizeof *push);
        scr_sparse_multiply(&p->h, 1, r, push);
        fault = scr_fault_of_argument(scr_inverse_apply(&inverse, push, v) ? NULL : NO_INVERSE);
    }
    scr_block_free(&block);
    scr_inverse_free(&inverse);
    return fault;
}
