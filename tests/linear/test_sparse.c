/* Sparse matrices, blocks of rows and the inverse by parts, against dense matrices. */
#include "base/random.h"
#include "check.h"
#include "linear/block_rows.h"
#include "linear/inverse.h"

#include <stdlib.h>

enum { LARGEST = 12 };

static uint64_t drawn;

static double draw(void) {
    return 2 * scr_random_unit(scr_random_key(7, 0, 0), drawn++) - 1;
}

static int32_t draw_below(int32_t n) {
    return (int32_t)scr_random_below(scr_random_key(8, 0, 0), drawn++, (uint32_t)n);
}

/* Entries at random places, some of them twice, and their dense sum. */
static size_t draw_entries(int32_t rows, int32_t columns, size_t count, SparseEntry *entry,
                           double *dense) {
    memset(dense, 0, (size_t)(rows * columns) * sizeof *dense);
    for (size_t i = 0; i < count; i++) {
        int32_t row = draw_below(rows), column = draw_below(columns);
        entry[i] = (SparseEntry){row, column, draw()};
        dense[entry[i].row * columns + entry[i].column] += entry[i].value;
    }
    return count;
}

static void rows_rise(const Sparse *a) {
    CHECK(a->start[0] == 0);
    for (int32_t k = 0; k < a->columns; k++) {
        CHECK(a->start[k] <= a->start[k + 1]);
        for (int32_t e = a->start[k] + 1; e < a->start[k + 1]; e++) {
            CHECK(a->row[e - 1] < a->row[e]);
        }
    }
}

static void sparse_matrices_match_dense_ones(void) {
    SparseEntry entry[60];
    double dense[LARGEST * LARGEST];
    Sparse a = {0}, b = {0};
    for (int round = 0; round < 200; round++) {
        int32_t rows = 1 + draw_below(LARGEST), columns = 1 + draw_below(LARGEST);
        size_t count = draw_entries(rows, columns, (size_t)draw_below(60), entry, dense);
        double x[LARGEST], y[LARGEST], z[LARGEST];
        CHECK(scr_sparse_gather(&a, rows, columns, entry, count));
        CHECK(scr_sparse_transpose(&a, &b));
        rows_rise(&a);
        rows_rise(&b);
        CHECK(b.rows == columns && b.columns == rows);
        for (int i = 0; i < LARGEST; i++) {
            x[i] = draw();
            y[i] = z[i] = 0.25 * i;
        }
        scr_sparse_multiply(&a, -2, x, y);
        scr_sparse_multiply_transposed(&b, -2, x, z);
        for (int32_t i = 0; i < rows; i++) {
            double sum = 0.25 * i;
            for (int32_t k = 0; k < columns; k++) {
                sum -= 2 * dense[i * columns + k] * x[k];
                CHECK_NEAR(scr_sparse_entry(&a, i, k), dense[i * columns + k], 1e-15);
                CHECK(scr_sparse_entry(&a, i, k) == scr_sparse_entry(&b, k, i));
            }
            CHECK_NEAR(y[i], sum, 1e-13);
            CHECK_NEAR(z[i], sum, 1e-13);
        }
    }
    scr_sparse_free(&a);
    scr_sparse_free(&b);
}

/* Explicit zeros stay; entries at the same place are added in the order given. */
static void repeated_entries_are_added_in_order(void) {
    const SparseEntry entry[] = {{1, 0, 1e16}, {0, 0, 0}, {1, 0, 1}, {1, 0, -1e16}};
    Sparse a = {0};
    CHECK(scr_sparse_gather(&a, 2, 1, entry, 4));
    CHECK(a.start[1] == 2);
    CHECK(a.value[0] == 0);
    CHECK(a.value[1] == (1e16 + 1) - 1e16);
    CHECK(scr_sparse_gather(&a, 3, 2, NULL, 0));
    CHECK(a.start[2] == 0 && scr_sparse_entry(&a, 2, 1) == 0);
    scr_sparse_free(&a);
}

static void rows_of_blocks_hold_every_entry(void) {
    SparseEntry entry[60];
    double dense[LARGEST * LARGEST];
    Sparse a = {0};
    BlockRows b = {0};
    for (int round = 0; round < 100; round++) {
        int size = 1 + draw_below(4), n = LARGEST / size, rows = n * size;
        size_t count = draw_entries(rows, rows, (size_t)draw_below(60), entry, dense);
        CHECK(scr_sparse_gather(&a, rows, rows, entry, count));
        CHECK(scr_block_rows_make(&b, &a, size));
        CHECK(b.rows == n);
        for (int32_t i = 0; i < n; i++) {
            CHECK(b.column[b.self[i]] == i);
            for (int32_t e = b.start[i]; e < b.start[i + 1]; e++) {
                CHECK(e == b.start[i] || b.column[e - 1] < b.column[e]);
                for (int k = 0; k < size * size; k++) {
                    double *at =
                        &dense[(i * size + k / size) * rows + b.column[e] * size + k % size];
                    CHECK_NEAR(scr_block_at(&b, e)[k], *at, 1e-15);
                    *at = 0;
                }
            }
        }
        for (int k = 0; k < rows * rows; k++) {
            CHECK(dense[k] == 0); /* every entry was in some block */
        }
    }
    scr_sparse_free(&a);
    scr_block_rows_free(&b);
}

/* Parts of sizes 1, 2, 6, ... in a mixed order; unsymmetric on request. */
static size_t draw_parts(int32_t n, int32_t part, double unsymmetric, SparseEntry *entry) {
    size_t count = 0;
    int32_t parts = n / part;
    for (int32_t k = 0; k < parts * part; k++) {
        for (int32_t i = 0; i < part; i++) {
            int32_t row = k % parts + i * parts; /* members of a part are `parts` apart */
            double value = row == k ? 3.0 * part : 1.0 / (1 + row + k) + unsymmetric * draw();
            entry[count++] = (SparseEntry){row, k, value};
        }
    }
    for (int32_t k = parts * part; k < n; k++) {
        entry[count++] = (SparseEntry){k, k, 1 + k};
    }
    return count;
}

/* A (A^-1 x) = x, for a sparse x and for a full one. */
static void check_inverse(const Sparse *a, double tolerance) {
    Inverse inverse = {0};
    int32_t n = a->columns, row[2] = {n / 3, n - 1}, *touched = malloc((size_t)n * sizeof *touched);
    double value[2] = {1, -2};
    double *x = calloc((size_t)n, sizeof *x), *y = calloc((size_t)n, sizeof *y),
           *back = calloc((size_t)n, sizeof *back);
    bool made = scr_inverse_make(&inverse, a).status == SCREE_OK;
    CHECK(made);
    int32_t count = made ? scr_inverse_column(&inverse, row, value, 2, y, touched) : 0;
    CHECK(count > 0 && count <= n);
    scr_sparse_multiply(a, 1, y, back);
    for (int32_t i = 0; i < n; i++) {
        bool listed = false;
        for (int32_t k = 0; k < count && !listed; k++) {
            listed = touched[k] == i;
        }
        CHECK(listed || y[i] == 0);
        CHECK_NEAR(back[i], (i == row[0]) * value[0] + (i == row[1]) * value[1], tolerance);
        x[i] = draw();
        back[i] = 0;
    }
    CHECK(!made || scr_inverse_apply(&inverse, x, y));
    scr_sparse_multiply(a, 1, y, back);
    for (int32_t i = 0; i < n; i++) {
        CHECK_NEAR(back[i], x[i], tolerance);
    }
    scr_inverse_free(&inverse);
    free(touched);
    free(x);
    free(y);
    free(back);
}

static void inverse_by_parts_undoes_the_matrix(void) {
    static SparseEntry entry[400 * 400];
    static const int32_t parts[] = {1, 2, 3, 6, 40};
    Sparse a = {0};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        size_t count = draw_parts(121, parts[i], 0.5, entry);
        CHECK(scr_sparse_gather(&a, 121, 121, entry, count));
        check_inverse(&a, 1e-12);
    }
    /* one part too large for a dense factor, a little unsymmetric */
    size_t count = draw_parts(400, 400, 1e-6, entry);
    CHECK(scr_sparse_gather(&a, 400, 400, entry, count));
    check_inverse(&a, 1e-11);
    scr_sparse_free(&a);
}

static void singular_matrices_are_refused(void) {
    const SparseEntry entry[] = {{0, 0, 1}, {0, 1, 2}, {1, 0, 2}, {1, 1, 4}, {2, 2, 1}};
    Sparse a = {0};
    Inverse inverse = {0};
    CHECK(scr_sparse_gather(&a, 3, 3, entry, 5));
    CHECK(scr_inverse_make(&inverse, &a).status == SCREE_BAD_ARGUMENT);
    CHECK(scr_sparse_gather(&a, 3, 3, entry, 1)); /* degrees of freedom without mass */
    CHECK(scr_inverse_make(&inverse, &a).status == SCREE_BAD_ARGUMENT);
    scr_inverse_free(&inverse);
    scr_sparse_free(&a);
}

int main(int argc, char **argv) {
    CHECK_RUN(sparse_matrices_match_dense_ones);
    CHECK_RUN(repeated_entries_are_added_in_order);
    CHECK_RUN(rows_of_blocks_hold_every_entry);
    CHECK_RUN(inverse_by_parts_undoes_the_matrix);
    CHECK_RUN(singular_matrices_are_refused);
    return check_result();
}
