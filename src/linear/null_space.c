#include "linear/null_space.h"

#include "linear/vector.h"

#include <string.h>

static void exchange(double *a, size_t rows, size_t i, size_t j, double *square, int32_t *order) {
    for (size_t k = 0; i != j && k < rows; k++) {
        double saved = a[i * rows + k];
        a[i * rows + k] = a[j * rows + k];
        a[j * rows + k] = saved;
    }
    double s = square[i];
    int32_t o = order[i];
    square[i] = square[j];
    order[i] = order[j];
    square[j] = s;
    order[j] = o;
}

/* Reflects column k onto its diagonal, and the columns after it likewise. What is left of their
 * squares is summed anew, since differences would lose it to cancellation. */
static void reflect(double *a, size_t rows, size_t columns, size_t k, double *square) {
    double *v = a + k * rows + k;
    size_t count = rows - k;
    double size = sqrt(square[k]), lead = v[0] >= 0 ? -size : size;
    v[0] -= lead;
    double half = vector_dot(v, v, count) / 2;
    for (size_t j = k + 1; j < columns; j++) {
        double *x = a + j * rows + k, share = vector_dot(v, x, count) / half;
        for (size_t i = 0; i < count; i++) {
            x[i] -= share * v[i];
        }
        square[j] = vector_dot(x + 1, x + 1, count - 1);
    }
    v[0] = lead;
}

static size_t factor(double *a, size_t rows, size_t columns, double *square, int32_t *order) {
    double first = 0;
    for (size_t j = 0; j < columns; j++) {
        order[j] = (int32_t)j;
        square[j] = vector_dot(a + j * rows, a + j * rows, rows);
        first = scr_max(first, square[j]);
    }
    for (size_t k = 0; k < rows && k < columns; k++) {
        size_t most = k;
        for (size_t j = k + 1; j < columns; j++) {
            most = square[j] > square[most] ? j : most;
        }
        if (!(square[most] > 1e-18 * first)) {
            return k;
        }
        exchange(a, rows, k, most, square, order);
        reflect(a, rows, columns, k, square);
    }
    return rows < columns ? rows : columns;
}

/* With R = (R1 R2) the null space is spanned by the columns of (-R1^-1 R2, 1). */
size_t scr_null_space(double *a, size_t rows, size_t columns, bool *moves, double *work,
                      int32_t *order) {
    size_t rank = factor(a, rows, columns, work, order);
    double *x = work + columns;
    memset(moves, 0, columns * sizeof *moves);
    for (size_t j = rank; j < columns; j++) {
        memcpy(x, a + j * rows, rank * sizeof *x);
        moves[order[j]] = true;
        for (size_t k = rank; k-- > 0;) {
            x[k] /= a[k * rows + k];
            for (size_t i = 0; i < k; i++) {
                x[i] -= x[k] * a[k * rows + i];
            }
            moves[order[k]] = moves[order[k]] || fabs(x[k]) > 1e-7;
        }
    }
    return rank;
}
