#include "linear/dense_lu.h"

#include "math/wide.h"

#include <math.h>
#include <string.h>

/* How many pivots are eliminated together, and the tile of the product that stays in registers. */
enum { PANEL = 32, TILE_ROWS = 4, TILE_COLUMNS = 8, TILE_WIDES = TILE_COLUMNS / WIDE };

static inline Wide load(const double *from) {
    Wide x;
    memcpy(&x, from, sizeof x);
    return x;
}

/* Every loop over the tile must be unrolled, or its sums would not stay in registers. */
#define OF_TILE _Pragma("GCC unroll 8")

/* C -= A B for one full tile. */
static void subtract_tile(double *c, const double *a, const double *b, size_t stride,
                          size_t depth) {
    Wide sum[TILE_ROWS][TILE_WIDES];
    OF_TILE for (int i = 0; i < TILE_ROWS; i++) {
        OF_TILE for (int j = 0; j < TILE_WIDES; j++) {
            sum[i][j] = wide_all(0);
        }
    }
    for (size_t k = 0; k < depth; k++) {
        Wide row[TILE_WIDES];
        OF_TILE for (int j = 0; j < TILE_WIDES; j++) {
            row[j] = load(b + k * stride + j * WIDE);
        }
        OF_TILE for (size_t i = 0; i < TILE_ROWS; i++) {
            Wide factor = wide_all(a[i * stride + k]);
            OF_TILE for (int j = 0; j < TILE_WIDES; j++) {
                sum[i][j] = wide_madd(sum[i][j], factor, row[j]);
            }
        }
    }
    OF_TILE for (size_t i = 0; i < TILE_ROWS; i++) {
        OF_TILE for (int j = 0; j < TILE_WIDES; j++) {
            double *to = c + i * stride + j * WIDE;
            Wide left = wide_sub(load(to), sum[i][j]);
            memcpy(to, &left, sizeof left);
        }
    }
}

static void subtract_edge(double *c, const double *a, const double *b, size_t stride, size_t depth,
                          size_t rows, size_t columns) {
    for (size_t i = 0; i < rows; i++) {
        for (size_t k = 0; k < depth; k++) {
            double factor = a[i * stride + k];
            const double *row = b + k * stride;
            for (size_t j = 0; j < columns; j++) {
                c[i * stride + j] -= factor * row[j];
            }
        }
    }
}

/* C -= A B, where all three lie within one matrix of the given stride. */
static void subtract_product(double *c, const double *a, const double *b, size_t stride,
                             size_t depth, size_t rows, size_t columns) {
    size_t full_rows = rows - rows % TILE_ROWS, full_columns = columns - columns % TILE_COLUMNS;
    for (size_t i = 0; i < full_rows; i += TILE_ROWS) {
        for (size_t j = 0; j < full_columns; j += TILE_COLUMNS) {
            subtract_tile(c + i * stride + j, a + i * stride, b + j, stride, depth);
        }
    }
    if (full_columns < columns) {
        subtract_edge(c + full_columns, a, b + full_columns, stride, depth, full_rows,
                      columns - full_columns);
    }
    if (full_rows < rows) {
        subtract_edge(c + full_rows * stride, a + full_rows * stride, b, stride, depth,
                      rows - full_rows, columns);
    }
}

static void exchange(double *a, double *b, size_t count) {
    for (size_t j = 0; j < count; j++) {
        double saved = a[j];
        a[j] = b[j];
        b[j] = saved;
    }
}

/* Subtracts from another row its multiple of pivot row k, in columns k + 1 to `end`. */
static void eliminate(const double *pivot_row, size_t k, size_t end, double *row) {
    double factor = row[k] / pivot_row[k];
    row[k] = factor;
    for (size_t j = k + 1; factor != 0 && j < end; j++) {
        row[j] -= factor * pivot_row[j];
    }
}

/* Factors columns `begin` to `end`: pivot by pivot in the rows that may be exchanged, row by row in
 * the others. */
static int factor_panel(double *a, size_t size, size_t pivots, size_t begin, size_t end,
                        double tiny, int32_t *swap) {
    int replaced = 0;
    for (size_t k = begin; k < end; k++) {
        size_t best = k;
        for (size_t i = k + 1; i < pivots; i++) {
            best = fabs(a[i * size + k]) > fabs(a[best * size + k]) ? i : best;
        }
        swap[k] = (int32_t)best;
        if (best != k) {
            exchange(a + k * size, a + best * size, size);
        }
        double pivot = a[k * size + k];
        if (!isfinite(pivot)) {
            return -1;
        }
        if (fabs(pivot) < tiny) {
            a[k * size + k] = pivot < 0 ? -tiny : tiny;
            replaced++;
        }
        for (size_t i = k + 1; i < pivots; i++) {
            eliminate(a + k * size, k, end, a + i * size);
        }
    }
    for (size_t i = pivots; i < size; i++) {
        for (size_t k = begin; k < end; k++) {
            eliminate(a + k * size, k, end, a + i * size);
        }
    }
    return replaced;
}

int scr_dense_lu(double *a, size_t size, size_t pivots, double tiny, int32_t *swap) {
    int replaced = 0;
    for (size_t begin = 0; begin < pivots; begin += PANEL) {
        size_t end = begin + PANEL < pivots ? begin + PANEL : pivots;
        int more = factor_panel(a, size, pivots, begin, end, tiny, swap);
        if (more < 0) {
            return -1;
        }
        replaced += more;
        for (size_t k = begin; k < end; k++) { /* multiply by L^-1 the part of U beyond the panel */
            for (size_t i = k + 1; i < end; i++) {
                double factor = a[i * size + k];
                for (size_t j = end; j < size; j++) {
                    a[i * size + j] -= factor * a[k * size + j];
                }
            }
        }
        subtract_product(a + end * size + end, a + end * size + begin, a + begin * size + end, size,
                         end - begin, size - end, size - end);
    }
    return replaced;
}
