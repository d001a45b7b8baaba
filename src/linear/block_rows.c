#include "linear/block_rows.h"

#include <string.h>

/* The index of block (row, column), once the block columns are known; -1 when there is none. */
static int32_t find(const BlockRows *b, int32_t row, int32_t column) {
    int32_t end = b->start[row + 1];
    int32_t at = scr_first_not_below(b->column, b->start[row], end, column);
    return at < end && b->column[at] == column ? at : -1;
}

/* Visits the blocks that have an entry, column by column. Counts them in start[row + 1], or writes
 * their columns from start[row] on, which moves to the end of its row. `last` [rows] is scratch. */
static void visit(BlockRows *b, const Sparse *a, int32_t *last, bool put) {
    memset(last, 0xff, (size_t)b->rows * sizeof *last); /* all -1 */
    for (int32_t k = 0; k < a->columns; k++) {
        int32_t column = k / b->size;
        for (int32_t e = a->start[k] - 1; e < a->start[k + 1]; e++) {
            int32_t row = e < a->start[k] ? column : a->row[e] / b->size; /* the diagonal, too */
            if (last[row] != column) {
                last[row] = column;
                if (put) {
                    b->column[b->start[row]] = column;
                }
                b->start[put ? row : row + 1]++;
            }
        }
    }
}

bool scr_block_rows_make(BlockRows *b, const Sparse *a, int size) {
    size_t rows = (size_t)(a->rows / size), square = (size_t)size * (size_t)size;
    b->size = size;
    b->rows = (int32_t)rows;
    if (!scr_block_reserve(&b->scratch_block, 2 * rows + 1, sizeof(int32_t), 0)) {
        return false;
    }
    int32_t *last = b->scratch_block.data;
    b->start = last + rows; /* provisionally, until the number of blocks is known */
    memset(b->start, 0, (rows + 1) * sizeof *b->start);
    visit(b, a, last, false);
    for (size_t i = 0; i < rows; i++) {
        b->start[i + 1] += b->start[i];
    }
    size_t count = (size_t)b->start[rows];
    bool ok = scr_block_reserve(&b->integer_block, 2 * rows + 1 + count, sizeof(int32_t), 0) &&
              scr_block_reserve(&b->value_block, count * square, sizeof(double), 0);
    if (ok) {
        memcpy(b->integer_block.data, b->start, (rows + 1) * sizeof *b->start);
        b->start = b->integer_block.data;
        b->self = b->start + rows + 1;
        b->column = b->self + rows;
        b->value = b->value_block.data;
        visit(b, a, last, true);
        for (size_t i = rows; i > 0; i--) { /* every begin has moved on to its end */
            b->start[i] = b->start[i - 1];
        }
        b->start[0] = 0;
        if (count > 0) {
            memset(b->value, 0, count * square * sizeof *b->value);
        }
    }
    for (int32_t k = 0; ok && k < a->columns; k++) {
        b->self[k / size] = find(b, k / size, k / size);
        for (int32_t e = a->start[k]; e < a->start[k + 1]; e++) {
            size_t index = (size_t)find(b, a->row[e] / size, k / size);
            b->value[index * square + (size_t)(a->row[e] % size * size + k % size)] = a->value[e];
        }
    }
    return ok;
}

void scr_block_rows_free(BlockRows *b) {
    scr_block_free(&b->integer_block);
    scr_block_free(&b->value_block);
    scr_block_free(&b->scratch_block);
    *b = (BlockRows){0};
}
