/* Factors of sparse matrices: known solutions, patterns that change, semidefinite ones,
 * failures. */
#include "check.h"

#include "base/random.h"
#include "linear/factor.h"
#include "linear/factor_backend.h"

#include <stdlib.h>

static void spring(SparseEntry *entry, size_t *count, int32_t i, int32_t j, double k) {
    entry[(*count)++] = (SparseEntry){i, i, k};
    entry[(*count)++] = (SparseEntry){j, j, k};
    entry[(*count)++] = (SparseEntry){i > j ? i : j, i > j ? j : i, -k};
}

/* Laplace's operator on a grid of n x n points, with `ground` added to the diagonal of point 0 and
 * random stiffnesses within `decades` decades. */
static void make_grid(Sparse *a, int32_t n, double ground, double decades) {
    SparseEntry *entry = malloc(sizeof *entry * (size_t)(6 * n * n + 1));
    size_t count = 0;
    entry[count++] = (SparseEntry){0, 0, ground};
    for (int32_t y = 0; y < n; y++) {
        for (int32_t x = 0; x < n; x++) {
            double k = pow(10, decades * scr_random_unit(7, (uint64_t)(y * n + x)));
            if (x + 1 < n) {
                spring(entry, &count, y * n + x, y * n + x + 1, k);
            }
            if (y + 1 < n) {
                spring(entry, &count, y * n + x, y * n + x + n, 1 / k);
            }
        }
    }
    CHECK(scr_sparse_gather(a, n * n, n * n, entry, count));
    free(entry);
}

/* y = A x from the lower triangle. */
static void apply(const Sparse *a, const double *x, double *y) {
    memset(y, 0, sizeof *y * (size_t)a->rows);
    for (int32_t j = 0; j < a->columns; j++) {
        for (int32_t k = a->start[j]; k < a->start[j + 1]; k++) {
            if (a->row[k] >= j) {
                y[a->row[k]] += a->value[k] * x[j];
            }
            if (a->row[k] > j) {
                y[j] += a->value[k] * x[a->row[k]];
            }
        }
    }
}

/* |A x - b| over |b| for a random b. */
static double error_of(Factor *f, const Sparse *a) {
    size_t n = (size_t)a->columns;
    double *b = calloc(3 * n, sizeof *b), *x = b + n, *y = x + n, error = 0, size = 0;
    for (size_t i = 0; i < n; i++) {
        b[i] = scr_random_unit(3, i) - 0.5;
    }
    CHECK(scr_factor_solve(f, b, x));
    apply(a, x, y);
    for (size_t i = 0; i < n; i++) {
        error += (y[i] - b[i]) * (y[i] - b[i]);
        size += b[i] * b[i];
    }
    free(b);
    return sqrt(error / size);
}

/* The second difference of a chain held at both ends: x_i = (i + 1) (n - i) / 2 under a unit
 * load. */
static void loaded_chain_has_its_closed_form(void) {
    enum { N = 60 };
    SparseEntry entry[2 * N];
    size_t count = 0;
    for (int32_t i = 0; i < N; i++) {
        entry[count++] = (SparseEntry){i, i, 2};
        if (i + 1 < N) {
            entry[count++] = (SparseEntry){i + 1, i, -1};
        }
    }
    Sparse a = {0};
    Factor f = {0};
    double x[N];
    CHECK(scr_sparse_gather(&a, N, N, entry, count));
    CHECK(scr_factor_numeric(&f, &a, 0) == FACTOR_DONE);
    CHECK(f.shift == 0 && f.empty == 0);
    for (int i = 0; i < N; i++) {
        x[i] = 1;
    }
    CHECK(scr_factor_solve(&f, x, x));
    for (int i = 0; i < N; i++) {
        CHECK_CLOSE(x[i], 0.5 * (i + 1) * (N - i), 1e-11);
    }
    scr_factor_free(&f);
    scr_sparse_free(&a);
}

static void grids_of_all_sizes_are_solved(void) {
    for (int32_t n = 2; n <= 90; n = 3 * n - 2) { /* 4 to 6724 unknowns: both orderings */
        Sparse a = {0};
        Factor f = {0};
        make_grid(&a, n, 1, 1);
        CHECK(scr_factor_numeric(&f, &a, 0) == FACTOR_DONE);
        CHECK(f.entries >= a.start[a.columns]);
        CHECK(error_of(&f, &a) < 1e-9);
        scr_factor_free(&f);
        scr_sparse_free(&a);
    }
}

/* A full symmetric matrix has the factor of its lower triangle, whatever stands above the
 * diagonal. */
static void upper_triangle_is_ignored(void) {
    const SparseEntry lower[] = {{0, 0, 4}, {1, 0, 1}, {1, 1, 3}, {2, 1, -1}, {2, 2, 2}};
    SparseEntry full[7];
    memcpy(full, lower, sizeof lower);
    full[5] = (SparseEntry){0, 1, 77};
    full[6] = (SparseEntry){0, 2, NAN};
    Sparse a = {0}, b = {0};
    Factor f = {0}, g = {0};
    double right[3] = {1, 2, 3}, x[3], y[3];
    CHECK(scr_sparse_gather(&a, 3, 3, lower, 5) && scr_sparse_gather(&b, 3, 3, full, 7));
    CHECK(scr_factor_numeric(&f, &a, 0) == FACTOR_DONE);
    CHECK(scr_factor_numeric(&g, &b, 0) == FACTOR_DONE);
    CHECK(scr_factor_solve(&f, right, x) && scr_factor_solve(&g, right, y));
    CHECK(memcmp(x, y, sizeof x) == 0);
    apply(&a, x, y);
    for (int i = 0; i < 3; i++) {
        CHECK_CLOSE(y[i], right[i], 1e-14);
    }
    scr_factor_free(&f);
    scr_factor_free(&g);
    scr_sparse_free(&a);
    scr_sparse_free(&b);
}

/* New values keep the symbolic part; a new pattern replaces it, and the old pattern can return. */
static void symbolic_part_is_kept_while_the_pattern_stays(void) {
    Sparse a = {0}, b = {0};
    Factor f = {0};
    make_grid(&a, 12, 1, 1);
    make_grid(&b, 13, 1, 1);
    CHECK(scr_factor_numeric(&f, &a, 0) == FACTOR_DONE && f.analyses == 1);
    for (int32_t k = 0; k < a.start[a.columns]; k++) {
        a.value[k] *= 3;
    }
    CHECK(scr_factor_numeric(&f, &a, 0) == FACTOR_DONE && f.analyses == 1);
    CHECK(error_of(&f, &a) < 1e-10);
    CHECK(scr_factor_numeric(&f, &b, 0) == FACTOR_DONE && f.analyses == 2);
    CHECK(error_of(&f, &b) < 1e-10);
    CHECK(scr_factor_numeric(&f, &a, 0) == FACTOR_DONE && f.analyses == 3);
    CHECK(error_of(&f, &a) < 1e-10);
    scr_factor_free(&f);
    scr_sparse_free(&a);
    scr_sparse_free(&b);
}

/* An ordering may draw random numbers: the program's own generator has no influence on it and is
 * left in the state it had. */
static void random_numbers_of_the_program_decide_nothing(void) {
    enum { SIDE = 60, N = SIDE * SIDE };
    double *b = malloc(3 * N * sizeof *b), *x = b + N;
    Sparse a = {0};
    make_grid(&a, SIDE, 0.1, 0);
    for (int i = 0; i < N; i++) {
        b[i] = i % 7 - 3;
    }
    for (unsigned seed = 1; seed <= 2; seed++) {
        Factor f = {0};
        srand(seed);
        CHECK(scr_factor_analyse(&f, &a) == FACTOR_DONE);
        int next = rand();
        srand(seed);
        CHECK(rand() == next);
        CHECK(scr_factor_numeric(&f, &a, 0) == FACTOR_DONE);
        CHECK(scr_factor_solve(&f, b, x + (seed - 1) * N));
        scr_factor_free(&f);
    }
    CHECK(memcmp(x, x + N, N * sizeof *x) == 0);
    scr_sparse_free(&a);
    free(b);
}

/* A floating grid, whose kernel is the constant vector: a load with zero mean is carried, and the
 * differences of the solution are right. */
static void floating_grid_carries_a_balanced_load(void) {
    Sparse a = {0};
    Factor f = {0};
    enum { N = 20 };
    make_grid(&a, N, 0, 2);
    CHECK(scr_factor_numeric(&f, &a, 1e-13) == FACTOR_DONE);
    CHECK(f.shift >= 1e-13 && f.shift <= 1e-9);
    double x[N * N], y[N * N], b[N * N] = {0};
    b[3] = 1;
    b[N * N - 1] = -1;
    CHECK(scr_factor_solve(&f, b, x));
    double mean = 0;
    for (int i = 0; i < N * N; i++) {
        mean += x[i] / (N * N);
    }
    for (int i = 0; i < N * N; i++) {
        x[i] -= mean;
    }
    apply(&a, x, y);
    for (int i = 0; i < N * N; i++) {
        CHECK_NEAR(y[i], b[i], 1e-6);
    }
    scr_factor_free(&f);
    scr_sparse_free(&a);
}

/* Degrees of freedom that nothing touches are counted and do no harm. */
static void empty_columns_are_counted_and_harmless(void) {
    const SparseEntry entry[] = {{0, 0, 2}, {2, 0, 1}, {2, 2, 2}, {3, 3, 0}};
    Sparse a = {0};
    Factor f = {0};
    double x[4] = {3, 0, 3, 0};
    CHECK(scr_sparse_gather(&a, 4, 4, entry, 4));
    CHECK(scr_factor_numeric(&f, &a, 0) == FACTOR_DONE && f.empty == 2);
    CHECK(scr_factor_solve(&f, x, x));
    CHECK_CLOSE(x[0], 1.0, 1e-14);
    CHECK_CLOSE(x[2], 1.0, 1e-14);
    CHECK(x[1] == 0 && x[3] == 0);
    scr_factor_free(&f);
    scr_sparse_free(&a);
}

static void indefinite_matrices_are_refused(void) {
    const SparseEntry entry[] = {{0, 0, 1}, {1, 0, 2}, {1, 1, 1}};
    Sparse a = {0};
    Factor f = {0};
    CHECK(scr_sparse_gather(&a, 2, 2, entry, 3));
    CHECK(scr_factor_numeric(&f, &a, 1e-13) == FACTOR_INDEFINITE);
    a.value[1] = NAN;
    CHECK(scr_factor_numeric(&f, &a, 1e-13) == FACTOR_INDEFINITE);
    a.value[1] = 0.5;
    CHECK(scr_factor_numeric(&f, &a, 0) == FACTOR_DONE); /* and it recovers */
    a.value[0] = -1;
    CHECK(scr_factor_numeric(&f, &a, 0) == FACTOR_INDEFINITE);
    scr_factor_free(&f);
    scr_sparse_free(&a);
}

static void empty_matrix_is_factored(void) {
    Sparse a = {0};
    Factor f = {0};
    double none = 0;
    CHECK(scr_sparse_gather(&a, 0, 0, NULL, 0));
    CHECK(scr_factor_numeric(&f, &a, 0) == FACTOR_DONE);
    CHECK(scr_factor_solve(&f, &none, &none));
    scr_factor_free(&f);
    scr_sparse_free(&a);
}

int main(int argc, char **argv) {
    printf("factorisation: %s\n", scr_factor_of_large);
    CHECK_RUN(loaded_chain_has_its_closed_form);
    CHECK_RUN(grids_of_all_sizes_are_solved);
    CHECK_RUN(upper_triangle_is_ignored);
    CHECK_RUN(symbolic_part_is_kept_while_the_pattern_stays);
    CHECK_RUN(random_numbers_of_the_program_decide_nothing);
    CHECK_RUN(floating_grid_carries_a_balanced_load);
    CHECK_RUN(empty_columns_are_counted_and_harmless);
    CHECK_RUN(indefinite_matrices_are_refused);
    CHECK_RUN(empty_matrix_is_factored);
    return check_result();
}
