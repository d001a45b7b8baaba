#include "matrix/curvature.h"

#include "linear/vector.h"

#include <string.h>

enum { STEPS = 16, HALVINGS = 60 };

/* Relative to the largest eigenvalue. Files with seven digits turn zeros into -2e-7. */
static const double negative = -1e-5;

typedef struct Lanczos {
    const MatrixProblem *p;
    size_t rows;
    double *scale;                   /* [rows] */
    double *basis, *image, *scratch; /* [STEPS rows], [rows], [rows] */
    double diagonal[STEPS], off[STEPS];
    int steps;
    Block block;
} Lanczos;

static double diagonal_of(const MatrixProblem *p, size_t i) {
    return scr_sparse_entry(&p->delassus, (int32_t)i, (int32_t)i) +
           (p->compliance != NULL ? p->compliance[i] : 0);
}

/* y = D A D x with the symmetric part A of W + C. */
static void multiply(const Lanczos *k, const double *x, double *y) {
    const MatrixProblem *p = k->p;
    for (size_t i = 0; i < k->rows; i++) {
        k->scratch[i] = k->scale[i] * x[i];
        y[i] = p->compliance != NULL ? p->compliance[i] * k->scratch[i] : 0;
    }
    scr_sparse_multiply(&p->delassus, 0.5, k->scratch, y);
    scr_sparse_multiply_transposed(&p->delassus, 0.5, k->scratch, y);
    for (size_t i = 0; i < k->rows; i++) {
        y[i] *= k->scale[i];
    }
}

/* The tridiagonal matrix of A in the space of x, A x, A A x...; every new vector is made orthogonal
 * to all before it. The start has a part in every direction and no symmetry. */
static void run(Lanczos *k) {
    size_t m = k->rows;
    for (size_t i = 0; i < m; i++) {
        k->basis[i] = (double)((i * 7919 + 13) % 1000) - 499.5;
    }
    double length = vector_norm(k->basis, m);
    for (k->steps = 0; k->steps < STEPS && (size_t)k->steps < m && length > 0;) {
        double *now = k->basis + (size_t)k->steps * m;
        for (size_t i = 0; i < m; i++) {
            now[i] /= length;
        }
        multiply(k, now, k->image);
        k->diagonal[k->steps] = vector_dot(now, k->image, m);
        for (int j = 0; j <= k->steps; j++) {
            const double *old = k->basis + (size_t)j * m;
            vector_add(-vector_dot(old, k->image, m), old, k->image, m);
        }
        length = vector_norm(k->image, m);
        k->off[k->steps] = length;
        length = length > 1e-12 * (fabs(k->diagonal[0]) + k->off[0]) ? length : 0;
        if (++k->steps < STEPS) {
            memcpy(now + m, k->image, m * sizeof *now);
        }
    }
}

/* How many eigenvalues of the tridiagonal matrix lie below `at` (Sturm). */
static int count_below(const Lanczos *k, double at) {
    int count = 0;
    double pivot = 1;
    for (int i = 0; i < k->steps; i++) {
        double before = i > 0 ? k->off[i - 1] * k->off[i - 1] / pivot : 0;
        pivot = k->diagonal[i] - at - before;
        pivot = pivot == 0 ? -1e-300 : pivot;
        count += pivot < 0;
    }
    return count;
}

/* The lowest eigenvalue, or the highest. */
static double eigenvalue(const Lanczos *k, bool highest) {
    double reach = 0;
    for (int i = 0; i < k->steps; i++) {
        reach = scr_max(reach, fabs(k->diagonal[i]) + k->off[i] + (i > 0 ? k->off[i - 1] : 0));
    }
    double low = -reach, high = reach;
    for (int i = 0; i < HALVINGS; i++) {
        double middle = 0.5 * (low + high);
        bool beyond = count_below(k, middle) >= (highest ? k->steps : 1);
        *(beyond ? &high : &low) = middle;
    }
    return 0.5 * (low + high);
}

/* Solves (T - shift) z = z for a shift below all eigenvalues, where no pivot vanishes. */
static void solve_shifted(const Lanczos *k, double shift, double *z) {
    double pivot[STEPS];
    for (int i = 0; i < k->steps; i++) {
        double ratio = i > 0 ? k->off[i - 1] / pivot[i - 1] : 0;
        pivot[i] = k->diagonal[i] - shift - (i > 0 ? ratio * k->off[i - 1] : 0);
        z[i] -= i > 0 ? ratio * z[i - 1] : 0;
    }
    for (int i = k->steps - 1; i >= 0; i--) {
        z[i] = (z[i] - (i + 1 < k->steps ? k->off[i] * z[i + 1] : 0)) / pivot[i];
    }
}

/* The direction of the lowest eigenvalue, by inverse iteration from just below it. */
static void direction(const Lanczos *k, double value, double *x) {
    double z[STEPS];
    for (int i = 0; i < k->steps; i++) {
        z[i] = 1;
    }
    for (int turn = 0; turn < 3; turn++) {
        solve_shifted(k, value - 1e-6 * fabs(value), z);
        double length = vector_norm(z, (size_t)k->steps);
        for (int i = 0; i < k->steps; i++) {
            z[i] /= length;
        }
    }
    memset(x, 0, k->rows * sizeof *x);
    for (int i = 0; i < k->steps; i++) {
        vector_add(z[i], k->basis + (size_t)i * k->rows, x, k->rows);
    }
}

static bool has_negative_diagonal(const MatrixProblem *p, double *x) {
    double most = 0;
    for (size_t i = 0; i < scr_matrix_rows(p); i++) {
        most = scr_max(most, fabs(diagonal_of(p, i)));
    }
    for (size_t i = 0; i < scr_matrix_rows(p); i++) {
        if (diagonal_of(p, i) < negative * most) {
            memset(x, 0, scr_matrix_rows(p) * sizeof *x);
            x[i] = 1;
            return true;
        }
    }
    return false;
}

bool scr_matrix_find_negative(const MatrixProblem *p, double *x, bool *found) {
    Lanczos k = {.p = p, .rows = scr_matrix_rows(p)};
    *found = has_negative_diagonal(p, x);
    if (*found || k.rows == 0) {
        return true;
    }
    if (!scr_block_reserve(&k.block, (STEPS + 3) * k.rows, sizeof(double), 0)) {
        return false;
    }
    k.scale = k.block.data;
    k.image = k.scale + k.rows;
    k.scratch = k.image + k.rows;
    k.basis = k.scratch + k.rows;
    for (size_t i = 0; i < k.rows; i++) {
        double own = diagonal_of(p, i);
        k.scale[i] = own > 0 ? 1 / sqrt(own) : 1;
    }
    run(&k);
    double least = eigenvalue(&k, false), most = scr_max(eigenvalue(&k, true), fabs(least));
    if (least < negative * most) {
        direction(&k, least, x);
        multiply(&k, x, k.image);
        *found = vector_dot(x, k.image, k.rows) < negative * most * vector_dot(x, x, k.rows);
        for (size_t i = 0; i < k.rows; i++) {
            x[i] *= k.scale[i];
        }
    }
    scr_block_free(&k.block);
    return true;
}
