#include "linear/sparse.h"

#include <string.h>

bool scr_sparse_reserve(Sparse *a, int32_t rows, int32_t columns, size_t count) {
    if (rows < 0 || columns < 0 || count > INT32_MAX ||
        !SCR_RESERVE(a, start, (size_t)columns + 1) || !SCR_RESERVE(a, row, count + 1) ||
        !SCR_RESERVE(a, value, count + 1)) {
        return false;
    }
    a->rows = rows;
    a->columns = columns;
    return true;
}

bool scr_sparse_diagonal(Sparse *a, int32_t size) {
    if (!scr_sparse_reserve(a, size, size, (size_t)size)) {
        return false;
    }
    for (int32_t i = 0; i < size; i++) {
        a->start[i] = a->row[i] = i;
    }
    a->start[size] = size;
    return true;
}

/* Turns the counts in start[k + 1] into the beginnings of the columns. */
static void sum_up(int32_t *start, int32_t columns) {
    for (int32_t k = 0; k < columns; k++) {
        start[k + 1] += start[k];
    }
}

/* In a sorted column, entries of the same row and column stand side by side: adds them up, in their
 * order. */
static void merge_equal(Sparse *a) {
    int32_t kept = 0, first = 0;
    for (int32_t k = 0; k < a->columns; k++) {
        int32_t end = a->start[k + 1], begin = kept;
        for (int32_t e = first; e < end; e++) {
            if (kept > begin && a->row[kept - 1] == a->row[e]) {
                a->value[kept - 1] += a->value[e];
            } else {
                a->row[kept] = a->row[e];
                a->value[kept++] = a->value[e];
            }
        }
        first = end;
        a->start[k + 1] = kept;
    }
}

/* Sorts by row first and then, stably, by column: two passes of counting. */
bool scr_sparse_gather(Sparse *a, int32_t rows, int32_t columns, const SparseEntry *entry,
                       size_t count) {
    Block block = {0};
    size_t begins = (size_t)(rows > columns ? rows : columns) + 1;
    if (rows < 0 || columns < 0 || count > INT32_MAX ||
        !scr_block_reserve_exact(&block, count + begins, sizeof(int32_t), 0) ||
        !scr_sparse_reserve(a, rows, columns, count)) {
        scr_block_free(&block);
        return false;
    }
    int32_t *by_row = block.data, *slot = by_row + count;
    memset(slot, 0, begins * sizeof *slot);
    for (size_t e = 0; e < count; e++) {
        slot[entry[e].row + 1]++;
    }
    sum_up(slot, rows);
    for (size_t e = 0; e < count; e++) {
        by_row[slot[entry[e].row]++] = (int32_t)e;
    }
    memset(a->start, 0, ((size_t)columns + 1) * sizeof *a->start);
    for (size_t e = 0; e < count; e++) {
        a->start[entry[e].column + 1]++;
    }
    sum_up(a->start, columns);
    memcpy(slot, a->start, (size_t)columns * sizeof *slot);
    for (size_t e = 0; e < count; e++) {
        const SparseEntry *next = &entry[by_row[e]];
        int32_t to = slot[next->column]++;
        a->row[to] = next->row;
        a->value[to] = next->value;
    }
    merge_equal(a);
    scr_block_free(&block);
    return true;
}

void scr_sparse_multiply(const Sparse *a, double factor, const double *x, double *y) {
    for (int32_t k = 0; k < a->columns; k++) {
        double scaled = factor * x[k];
        for (int32_t e = a->start[k]; e < a->start[k + 1]; e++) {
            y[a->row[e]] += a->value[e] * scaled;
        }
    }
}

void scr_sparse_multiply_transposed(const Sparse *a, double factor, const double *x, double *y) {
    for (int32_t k = 0; k < a->columns; k++) {
        double sum = 0;
        for (int32_t e = a->start[k]; e < a->start[k + 1]; e++) {
            sum += a->value[e] * x[a->row[e]];
        }
        y[k] += factor * sum;
    }
}

double scr_sparse_entry(const Sparse *a, int32_t row, int32_t column) {
    int32_t end = a->start[column + 1];
    int32_t at = scr_first_not_below(a->row, a->start[column], end, row);
    return at < end && a->row[at] == row ? a->value[at] : 0;
}

bool scr_sparse_transpose(const Sparse *a, Sparse *b) {
    size_t count = (size_t)a->start[a->columns];
    if (!scr_sparse_reserve(b, a->columns, a->rows, count)) {
        return false;
    }
    memset(b->start, 0, ((size_t)b->columns + 1) * sizeof *b->start);
    for (size_t e = 0; e < count; e++) {
        b->start[a->row[e] + 1]++;
    }
    sum_up(b->start, b->columns);
    for (int32_t k = 0; k < a->columns; k++) {
        for (int32_t e = a->start[k]; e < a->start[k + 1]; e++) {
            int32_t to = b->start[a->row[e]]++;
            b->row[to] = k;
            b->value[to] = a->value[e];
        }
    }
    for (int32_t k = b->columns; k > 0; k--) { /* every begin has moved on to its end */
        b->start[k] = b->start[k - 1];
    }
    b->start[0] = 0;
    return true;
}

void scr_sparse_free(Sparse *a) {
    scr_block_free(&a->start_block);
    scr_block_free(&a->row_block);
    scr_block_free(&a->value_block);
    *a = (Sparse){0};
}
