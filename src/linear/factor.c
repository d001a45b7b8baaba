#include "linear/factor.h"

#include "linear/factor_backend.h"
#include "math/elementary.h"

#include <math.h>
#include <string.h>

#ifdef SCREE_CHOLMOD
const char scr_factor_of_large[] = "cholmod";
static const FactorMethod *const method_of_large = &scr_factor_cholmod;
#else
const char scr_factor_of_large[] = "own";
static const FactorMethod *const method_of_large = &scr_factor_own;
#endif

/* Drops what another method has made. */
static void take_method(Factor *f, int32_t columns) {
    const FactorMethod *method = columns < SCR_LARGE_MATRIX ? &scr_factor_own : method_of_large;
    if (f->method != method && f->backend != NULL) {
        f->method->free(f->backend);
        f->backend = NULL;
    }
    f->method = method;
}

static bool same_pattern(const Factor *f, const Sparse *a) {
    if (f->backend == NULL || f->lower.columns != a->columns ||
        f->given_entries != a->start[a->columns]) {
        return false;
    }
    size_t columns = (size_t)a->columns + 1, entries = (size_t)f->given_entries;
    return memcmp(f->given_start, a->start, columns * sizeof *a->start) == 0 &&
           memcmp(f->given_row, a->row, entries * sizeof *a->row) == 0;
}

/* Remembers the pattern, and makes the pattern of the lower triangle with a full diagonal. */
static bool take_pattern(Factor *f, const Sparse *a) {
    size_t columns = (size_t)a->columns, entries = (size_t)a->start[columns];
    Sparse *l = &f->lower;
    if (!scr_block_reserve(&f->given_start_block, columns + 1, sizeof *a->start, 0) ||
        !scr_block_reserve(&f->given_row_block, entries, sizeof *a->row, 0) ||
        !SCR_RESERVE(f, source, entries + columns) ||
        !scr_sparse_reserve(l, a->columns, a->columns, entries + columns)) {
        return false;
    }
    f->given_start = f->given_start_block.data;
    f->given_row = f->given_row_block.data;
    memcpy(f->given_start, a->start, (columns + 1) * sizeof *a->start);
    if (entries > 0) {
        memcpy(f->given_row, a->row, entries * sizeof *a->row);
    }
    f->given_entries = (int32_t)entries;
    int32_t count = 0;
    for (int32_t j = 0; j < a->columns; j++) {
        l->start[j] = count;
        l->row[count] = j;
        f->source[count++] = -1;
        for (int32_t k = a->start[j]; k < a->start[j + 1]; k++) {
            if (a->row[k] == j) {
                f->source[l->start[j]] = k;
            } else if (a->row[k] > j) {
                l->row[count] = a->row[k];
                f->source[count++] = k;
            }
        }
    }
    l->start[a->columns] = count;
    return true;
}

FactorStatus scr_factor_analyse(Factor *f, const Sparse *a) {
    if (same_pattern(f, a)) {
        return FACTOR_DONE;
    }
    f->lower.columns = -1; /* matches nothing, should this fail */
    if (!take_pattern(f, a)) {
        return FACTOR_NO_MEMORY;
    }
    if (a->columns == 0) {
        return FACTOR_DONE;
    }
    take_method(f, a->columns);
    FactorStatus status = f->method->analyse(&f->backend, &f->lower, &f->entries, &f->flops);
    f->lower.columns = status == FACTOR_DONE ? a->columns : -1;
    f->analyses += status == FACTOR_DONE;
    return status;
}

/* Fills in the lower triangle with a shifted diagonal. False when a value is not finite. */
static bool fill(Factor *f, const Sparse *a, double shift) {
    Sparse *l = &f->lower;
    double largest = 0;
    bool finite = true;
    for (int32_t k = 0; k < l->start[l->columns]; k++) {
        l->value[k] = f->source[k] >= 0 ? a->value[f->source[k]] : 0;
        finite = finite && isfinite(l->value[k]);
    }
    for (int32_t j = 0; j < l->columns; j++) {
        largest = scr_max(largest, l->value[l->start[j]]);
    }
    f->empty = 0;
    for (int32_t j = 0; j < l->columns; j++) {
        double *diagonal = &l->value[l->start[j]];
        if (*diagonal > 0) {
            *diagonal += shift * *diagonal;
        } else if (*diagonal == 0) {
            *diagonal = largest > 0 ? largest : 1;
            f->empty++;
        }
    }
    return finite;
}

FactorStatus scr_factor_numeric(Factor *f, const Sparse *a, double shift) {
    FactorStatus status = scr_factor_analyse(f, a);
    if (status != FACTOR_DONE || a->columns == 0) {
        return status;
    }
    const double least = 1e-14, most = 1e-3;
    for (f->shift = shift;; f->shift = scr_max(least, 100 * f->shift)) {
        if (f->shift > most || !fill(f, a, f->shift)) {
            return FACTOR_INDEFINITE;
        }
        status = f->method->numeric(f->backend, &f->lower);
        if (status != FACTOR_INDEFINITE) {
            return status;
        }
    }
}

bool scr_factor_solve(Factor *f, const double *b, double *x) {
    return f->lower.columns == 0 || f->method->solve(f->backend, b, x);
}

void scr_factor_free(Factor *f) {
    if (f->backend != NULL) {
        f->method->free(f->backend);
    }
    scr_block_free(&f->source_block);
    scr_block_free(&f->given_start_block);
    scr_block_free(&f->given_row_block);
    scr_sparse_free(&f->lower);
    *f = (Factor){0};
}
