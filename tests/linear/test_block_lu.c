/* Factors of unsymmetric block matrices: the order of elimination against elimination by brute
 * force, dense factors multiplied back, known solutions, singular matrices. */
#include "check.h"

#include "base/random.h"
#include "linear/block_lu.h"
#include "linear/dense_lu.h"

#include <stdlib.h>

static uint64_t drawn;

static double draw(void) {
    return 2 * scr_random_unit(5, drawn++) - 1;
}

/* ---------------------------------------------------------------- dense */

/* L U against the rows of A in their exchanged order; beyond the pivots, A22 = L21 U12 + the
 * remainder. Sizes are on both sides of those of panels and tiles. */
static void dense_factors_multiply_back(void) {
    static const size_t sizes[] = {1, 3, 8, 23, 31, 32, 33, 50, 77};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        for (int part = 0; part < 3; part++) {
            size_t n = sizes[k], p = part == 0 ? n : part == 1 ? (n + 1) / 2 : 1;
            double *a = malloc(2 * n * n * sizeof *a), *lu = a + n * n;
            int32_t swap[77];
            for (size_t i = 0; i < n * n; i++) {
                a[i] = lu[i] = draw();
            }
            CHECK(scr_dense_lu(lu, n, p, 1e-14, swap) == 0);
            for (size_t i = 0; i < p; i++) {
                CHECK((size_t)swap[i] >= i && (size_t)swap[i] < p);
                for (size_t j = 0; j < n; j++) {
                    double kept = a[i * n + j];
                    a[i * n + j] = a[(size_t)swap[i] * n + j];
                    a[(size_t)swap[i] * n + j] = kept;
                }
            }
            double worst = 0;
            for (size_t i = 0; i < n; i++) {
                for (size_t j = 0; j < n; j++) {
                    double sum = i < p && i <= j ? lu[i * n + j] : 0; /* the unit diagonal of L */
                    for (size_t m = 0; m < i && m <= j && m < p; m++) {
                        sum += lu[i * n + m] * lu[m * n + j];
                    }
                    sum += i >= p && j >= p ? lu[i * n + j] : 0;
                    worst = fmax(worst, fabs(sum - a[i * n + j]));
                }
            }
            /* pivots are only sought among p rows: with few of them the numbers grow */
            CHECK(worst < (p == n ? 1e-12 : 1e-8));
            free(a);
        }
    }
}

/* ---------------------------------------------------------------- order and fronts */

enum { NODES = 60 };

/* A ring with chords, or a grid, or no edges at all. */
static bool is_edge(int kind, int32_t i, int32_t j) {
    int32_t low = i < j ? i : j, high = i < j ? j : i;
    if (kind == 0) {
        return high - low == 1 || high - low == NODES - 1 || (low * 7 + high * 3) % 41 == 0;
    }
    return kind == 1 && ((high - low == 1 && high % 10 != 0) || high - low == 10);
}

/* Plain elimination in the order of the fronts, on a full matrix of flags: when a node's turn
 * comes, the nodes it is coupled to must be exactly those of its front. */
static void fronts_hold_the_fill(void) {
    for (int kind = 0; kind < 3; kind++) {
        static bool coupled[NODES][NODES];
        int32_t start[NODES + 1], neighbour[NODES * NODES], count = 0, pivots = 0;
        bool gone[NODES] = {false}, in_front[NODES];
        Fronts f = {0};
        for (int32_t i = 0; i < NODES; i++) {
            start[i] = count;
            for (int32_t j = 0; j < NODES; j++) {
                coupled[i][j] = i != j && is_edge(kind, i, j);
                if (coupled[i][j]) {
                    neighbour[count++] = j;
                }
            }
        }
        start[NODES] = count;
        CHECK(scr_fronts_make(&f, NODES, start, neighbour));
        for (int32_t k = 0; k < f.count; k++) {
            memset(in_front, 0, sizeof in_front);
            for (int32_t e = f.pivot_start[k]; e < f.pivot_start[k + 1]; e++) {
                CHECK(!gone[f.pivot[e]]);
                in_front[f.pivot[e]] = true;
                pivots++;
            }
            for (int32_t e = f.rest_start[k]; e < f.rest_start[k + 1]; e++) {
                CHECK(!gone[f.rest[e]] && !in_front[f.rest[e]]);
                in_front[f.rest[e]] = true;
            }
            for (int32_t e = f.pivot_start[k]; e < f.pivot_start[k + 1]; e++) {
                int32_t p = f.pivot[e];
                gone[p] = true;
                for (int32_t i = 0; i < NODES; i++) {
                    CHECK(gone[i] || coupled[p][i] == (in_front[i] && i != p));
                    for (int32_t j = 0; j < NODES; j++) {
                        coupled[i][j] |= i != j && coupled[p][i] && coupled[p][j];
                    }
                }
            }
            /* a front comes before its parent, and the remainder of the front belongs to the
             * parent */
            CHECK(f.parent[k] < 0 || f.parent[k] > k);
            CHECK((f.parent[k] < 0) == (f.rest_start[k] == f.rest_start[k + 1]));
        }
        CHECK(pivots == NODES);
        CHECK(kind != 2 || f.count == NODES);
        scr_fronts_free(&f);
    }
}

/* A chain is eliminated without fill: no front has more than three nodes. */
static void chain_has_no_fill(void) {
    int32_t start[NODES + 1], neighbour[2 * NODES], count = 0;
    Fronts f = {0};
    for (int32_t i = 0; i < NODES; i++) {
        start[i] = count;
        if (i > 0) {
            neighbour[count++] = i - 1;
        }
        if (i + 1 < NODES) {
            neighbour[count++] = i + 1;
        }
    }
    start[NODES] = count;
    CHECK(scr_fronts_make(&f, NODES, start, neighbour));
    for (int32_t k = 0; k < f.count; k++) {
        CHECK(f.rest_start[k + 1] - f.rest_start[k] <= 2);
    }
    scr_fronts_free(&f);
}

/* ---------------------------------------------------------------- sparse */

/* `rows` of blocks, of which the share `many` is present; the pattern is unsymmetric. */
static void make_matrix(Sparse *a, int size, int32_t rows, double many, double diagonal) {
    size_t most = (size_t)(rows * rows * size * size), count = 0;
    SparseEntry *entry = malloc(most * sizeof *entry);
    for (int32_t i = 0; i < rows; i++) {
        for (int32_t j = 0; j < rows; j++) {
            if (i != j && 0.5 * (draw() + 1) > many) {
                continue;
            }
            for (int32_t k = 0; k < size * size; k++) {
                int32_t row = i * size + k / size, column = j * size + k % size;
                entry[count++] =
                    (SparseEntry){row, column, draw() + (row == column ? diagonal : 0)};
            }
        }
    }
    CHECK(scr_sparse_gather(a, rows * size, rows * size, entry, count));
    free(entry);
}

static double error_of(BlockLu *lu, const Sparse *a) {
    size_t n = (size_t)a->rows;
    double *x = calloc(2 * n, sizeof *x), *b = x + n, worst = 0;
    for (size_t i = 0; i < n; i++) {
        x[i] = draw();
    }
    scr_sparse_multiply(a, 1, x, b);
    scr_block_lu_solve(lu, b, b);
    for (size_t i = 0; i < n; i++) {
        worst = fmax(worst, fabs(x[i] - b[i]));
    }
    free(x);
    return worst;
}

static void sparse_systems_are_solved(void) {
    static const double many[] = {0, 0.02, 0.1, 1};
    for (int size = 1; size <= 5; size++) {
        for (int k = 0; k < 4; k++) {
            for (int32_t rows = 1; rows < 64; rows += 9) {
                Sparse a = {0};
                BlockRows blocks = {0};
                BlockLu lu = {0};
                make_matrix(&a, size, rows, many[k], 4 + 0.5 * rows * size * many[k]);
                CHECK(scr_block_rows_make(&blocks, &a, size));
                CHECK(scr_block_lu_analyse(&lu, &blocks));
                CHECK(scr_block_lu_factor(&lu, &blocks, 1e-14));
                CHECK(lu.replaced == 0);
                CHECK(error_of(&lu, &a) < 1e-12);
                /* another matrix with the same pattern needs no analysis */
                for (int32_t e = 0; e < a.start[a.columns]; e++) {
                    a.value[e] *= 2 + 0.1 * draw();
                }
                scr_block_rows_free(&blocks);
                CHECK(scr_block_rows_make(&blocks, &a, size));
                CHECK(scr_block_lu_factor(&lu, &blocks, 1e-14));
                CHECK(error_of(&lu, &a) < 1e-12);
                scr_block_lu_free(&lu);
                scr_block_rows_free(&blocks);
                scr_sparse_free(&a);
            }
        }
    }
}

/* A block with a zero diagonal needs an exchange of rows. In a matrix with two equal rows one pivot
 * is nothing but rounding, and the solution is finite all the same. */
static void bad_pivots_are_exchanged_or_replaced(void) {
    const SparseEntry odd[] = {{0, 1, 1}, {1, 0, 2}, {2, 2, 1}, {3, 3, 1}, {0, 2, 0.5}};
    const SparseEntry twice[] = {{0, 0, 1}, {0, 1, 2}, {1, 0, 1}, {1, 1, 2}, {2, 2, 1}, {3, 3, 1}};
    for (int kind = 0; kind < 2; kind++) {
        Sparse a = {0};
        BlockRows blocks = {0};
        BlockLu lu = {0};
        double x[4] = {1, 2, 3, 4};
        CHECK(scr_sparse_gather(&a, 4, 4, kind == 0 ? odd : twice, kind == 0 ? 5 : 6));
        CHECK(scr_block_rows_make(&blocks, &a, 2));
        CHECK(scr_block_lu_analyse(&lu, &blocks));
        CHECK(scr_block_lu_factor(&lu, &blocks, 1e-10));
        CHECK(lu.replaced == kind);
        if (kind == 0) {
            CHECK(error_of(&lu, &a) < 1e-14);
        }
        scr_block_lu_solve(&lu, x, x);
        CHECK(isfinite(x[0] + x[1] + x[2] + x[3]));
        blocks.value[0] = NAN;
        CHECK(!scr_block_lu_factor(&lu, &blocks, 1e-10));
        scr_block_lu_free(&lu);
        scr_block_rows_free(&blocks);
        scr_sparse_free(&a);
    }
}

int main(int argc, char **argv) {
    CHECK_RUN(dense_factors_multiply_back);
    CHECK_RUN(fronts_hold_the_fill);
    CHECK_RUN(chain_has_no_fill);
    CHECK_RUN(sparse_systems_are_solved);
    CHECK_RUN(bad_pivots_are_exchanged_or_replaced);
    return check_result();
}
