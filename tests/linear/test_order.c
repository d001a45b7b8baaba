/* The order of elimination: a permutation, without fill where none is needed, and with little on a
 * grid. */
#include "check.h"

#include "base/random.h"
#include "linear/order.h"

#include <stdlib.h>

/* Entries of L, by plain elimination on full rows of bits. -1 when `order` is not a permutation. */
static long count_fill(const Sparse *a, const int32_t *order) {
    size_t n = (size_t)a->columns;
    bool *graph = calloc(n * n, sizeof *graph), *gone = calloc(n, sizeof *gone);
    long entries = 0;
    for (int32_t j = 0; j < a->columns; j++) {
        for (int32_t k = a->start[j]; k < a->start[j + 1]; k++) {
            graph[(size_t)j * n + (size_t)a->row[k]] = true;
            graph[(size_t)a->row[k] * n + (size_t)j] = true;
        }
    }
    for (size_t k = 0; k < n; k++) {
        size_t p = (size_t)order[k];
        if (order[k] < 0 || p >= n || gone[p]) {
            entries = -1;
            break;
        }
        gone[p] = true;
        entries++;
        for (size_t i = 0; i < n; i++) {
            if (!gone[i] && graph[p * n + i]) {
                entries++;
                for (size_t j = 0; j < n; j++) {
                    graph[i * n + j] = graph[i * n + j] || (graph[p * n + j] && !gone[j]);
                }
            }
        }
    }
    free(graph);
    free(gone);
    return entries;
}

static long fill_of(int32_t n, const SparseEntry *entry, size_t count) {
    Sparse a = {0};
    int32_t *order = malloc((size_t)n * sizeof *order);
    CHECK(scr_sparse_gather(&a, n, n, entry, count));
    CHECK(scr_minimum_degree(&a, order));
    long entries = count_fill(&a, order);
    scr_sparse_free(&a);
    free(order);
    return entries;
}

static SparseEntry edge(int32_t i, int32_t j) {
    return (SparseEntry){i > j ? i : j, i > j ? j : i, 1};
}

/* A tree always has a leaf, of degree one: no fill, whatever the numbering. */
static void trees_have_no_fill(void) {
    enum { N = 300 };
    SparseEntry entry[2 * N];
    for (uint64_t seed = 0; seed < 20; seed++) {
        int32_t name[N];
        for (int32_t i = 0; i < N; i++) {
            name[i] = i;
        }
        for (uint32_t i = N - 1; i > 0; i--) {
            uint32_t j = scr_random_below(seed, i, i + 1);
            int32_t old = name[i];
            name[i] = name[j];
            name[j] = old;
        }
        size_t count = 0;
        for (int32_t i = 0; i < N; i++) {
            entry[count++] = edge(i, i);
            if (i > 0) {
                int32_t up = (int32_t)scr_random_below(seed + 100, (uint64_t)i, (uint32_t)i);
                entry[count++] = edge(name[i], name[seed == 0 ? 0 : up]); /* a star first */
            }
        }
        CHECK(fill_of(N, entry, count) == 2 * N - 1);
    }
}

/* A tree of bodies with three degrees of freedom each: blocks of three, six entries on the diagonal
 * and nine for each joint. */
static void trees_of_blocks_have_no_fill(void) {
    enum { N = 80 };
    static SparseEntry entry[N * 40];
    size_t count = 0;
    for (int32_t i = 0; i < N; i++) {
        for (int32_t k = 0; k < 9; k++) {
            entry[count++] = edge(3 * i + k / 3, 3 * i + k % 3);
            if (i > 0) {
                int32_t up = (int32_t)scr_random_below(5, (uint64_t)i, (uint32_t)i);
                entry[count++] = edge(3 * i + k / 3, 3 * up + k % 3);
            }
        }
    }
    CHECK(fill_of(3 * N, entry, count) == 6 * N + 9 * (N - 1));
}

/* Nested dissection of a grid of n x n points has about 31/4 n^2 log2 n entries (George). Minimum
 * degree does as well at this size; the natural order has n^3. */
static void grid_has_little_fill(void) {
    enum { N = 32 };
    static SparseEntry entry[3 * N * N];
    size_t count = 0;
    for (int32_t y = 0; y < N; y++) {
        for (int32_t x = 0; x < N; x++) {
            entry[count++] = edge(y * N + x, y * N + x);
            if (x + 1 < N) {
                entry[count++] = edge(y * N + x, y * N + x + 1);
            }
            if (y + 1 < N) {
                entry[count++] = edge(y * N + x, y * N + x + N);
            }
        }
    }
    long entries = fill_of(N * N, entry, count);
    CHECK(entries >= (long)count);
    CHECK(entries < 31 * N * N * 5 / 4);
}

static void random_graphs_get_a_permutation(void) {
    enum { N = 60 };
    for (uint64_t seed = 0; seed < 200; seed++) {
        SparseEntry entry[N + 400];
        size_t count = 0, edges = 2 * (size_t)seed;
        for (int32_t i = 0; i < N; i++) {
            entry[count++] = edge(i, i);
        }
        for (size_t k = 0; k < edges; k++) {
            entry[count++] = edge((int32_t)scr_random_below(seed, 2 * k, N),
                                  (int32_t)scr_random_below(seed, 2 * k + 1, N));
        }
        long entries = fill_of(N, entry, count);
        CHECK(entries >= N && entries <= N * (N + 1) / 2);
    }
}

int main(int argc, char **argv) {
    CHECK_RUN(trees_have_no_fill);
    CHECK_RUN(trees_of_blocks_have_no_fill);
    CHECK_RUN(grid_has_little_fill);
    CHECK_RUN(random_graphs_get_a_permutation);
    return check_result();
}
