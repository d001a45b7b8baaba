#include "linear/block_lu.h"

#include "linear/dense_lu.h"

#include <math.h>
#include <string.h>

/* ---------------------------------------------------------------- analysis */

/* The graph of the pattern and of its transpose, without the diagonal. */
static void make_graph(const BlockRows *a, const int32_t *other_start, const int32_t *other,
                       int32_t *last, int32_t *start, int32_t *neighbour) {
    int32_t count = 0;
    memset(last, 0xff, (size_t)a->rows * sizeof *last);
    for (int32_t i = 0; i < a->rows; i++) {
        start[i] = count;
        last[i] = i;
        for (int pass = 0; pass < 2; pass++) {
            const int32_t *from = pass == 0 ? a->start : other_start;
            const int32_t *column = pass == 0 ? a->column : other;
            for (int32_t e = from[i]; e < from[i + 1]; e++) {
                if (last[column[e]] != i) {
                    last[column[e]] = i;
                    neighbour[count++] = column[e];
                }
            }
        }
    }
    start[a->rows] = count;
}

static void transpose(const BlockRows *a, int32_t *start, int32_t *row) {
    memset(start, 0, ((size_t)a->rows + 1) * sizeof *start);
    for (int32_t e = 0; e < a->start[a->rows]; e++) {
        start[a->column[e] + 1]++;
    }
    for (int32_t i = 0; i < a->rows; i++) {
        start[i + 1] += start[i];
    }
    for (int32_t i = 0; i < a->rows; i++) {
        for (int32_t e = a->start[i]; e < a->start[i + 1]; e++) {
            row[start[a->column[e]]++] = i;
        }
    }
    for (int32_t i = a->rows; i > 0; i--) { /* every begin has moved on to its end */
        start[i] = start[i - 1];
    }
    start[0] = 0;
}

static bool make_fronts(BlockLu *lu, const BlockRows *a) {
    size_t n = (size_t)a->rows, blocks = (size_t)a->start[a->rows];
    if (!scr_block_reserve(&lu->scratch_block, 3 * n + 3 + 3 * blocks, sizeof(int32_t), 0)) {
        return false;
    }
    int32_t *start = lu->scratch_block.data, *other_start = start + n + 1,
            *last = other_start + n + 1;
    int32_t *other = last + n, *neighbour = other + blocks;
    transpose(a, other_start, other);
    make_graph(a, other_start, other, last, start, neighbour);
    bool ok = scr_fronts_make(&lu->fronts, a->rows, start, neighbour);
    return ok;
}

static size_t pivots_of(const BlockLu *lu, int32_t f) {
    const Fronts *t = &lu->fronts;
    return (size_t)(t->pivot_start[f + 1] - t->pivot_start[f]) * (size_t)lu->size;
}

static size_t rest_of(const BlockLu *lu, int32_t f) {
    const Fronts *t = &lu->fronts;
    return (size_t)(t->rest_start[f + 1] - t->rest_start[f]) * (size_t)lu->size;
}

static bool reserve_integers(BlockLu *lu, const BlockRows *a) {
    size_t n = (size_t)a->rows, blocks = (size_t)a->start[a->rows];
    size_t fronts = (size_t)lu->fronts.count;
    size_t count = 3 * fronts + 1 + 2 * blocks + n + n * (size_t)a->size;
    if (!scr_block_reserve(&lu->integer_block, count, sizeof(int32_t), 0) ||
        !scr_block_reserve(&lu->size_block, fronts + 1, sizeof(size_t), 0)) {
        return false;
    }
    lu->factor_start = lu->size_block.data;
    lu->entry_start = lu->integer_block.data;
    lu->children = lu->entry_start + fronts + 1;
    lu->waiting = lu->children + fronts;
    lu->entry = lu->waiting + fronts;
    lu->entry_row = lu->entry + blocks;
    lu->where = lu->entry_row + blocks;
    lu->swap = lu->where + n;
    return true;
}

/* Assigns each block of the matrix to the front that eliminates its row or its column, whichever
 * comes first. */
static void sort_entries(BlockLu *lu, const BlockRows *a) {
    const Fronts *t = &lu->fronts;
    int32_t *front_of = lu->where, *start = lu->entry_start;
    memset(start, 0, ((size_t)t->count + 1) * sizeof *start);
    memset(lu->children, 0, (size_t)t->count * sizeof *lu->children);
    for (int32_t f = 0; f < t->count; f++) {
        for (int32_t k = t->pivot_start[f]; k < t->pivot_start[f + 1]; k++) {
            front_of[t->pivot[k]] = f;
        }
        if (t->parent[f] >= 0) {
            lu->children[t->parent[f]]++;
        }
    }
    for (int pass = 0; pass < 2; pass++) {
        for (int32_t i = 0; i < a->rows; i++) {
            for (int32_t e = a->start[i]; e < a->start[i + 1]; e++) {
                int32_t f = front_of[i], g = front_of[a->column[e]];
                f = g < f ? g : f;
                if (pass == 1) {
                    lu->entry[start[f]] = e;
                    lu->entry_row[start[f]] = i;
                }
                start[pass == 0 ? f + 1 : f]++;
            }
        }
        for (int32_t f = 0; pass == 0 && f < t->count; f++) {
            start[f + 1] += start[f];
        }
    }
    memmove(start + 1, start, (size_t)t->count * sizeof *start); /* begins had become ends */
    start[0] = 0;
}

/* Finds the sizes of the factors, of the largest front, and of the stack of waiting fronts, and
 * takes the memory. */
static bool reserve_numbers(BlockLu *lu) {
    const Fronts *t = &lu->fronts;
    size_t total = 0, front = 0, depth = 0, deepest = 0, widest = 0;
    int32_t waiting = 0;
    lu->flops = 0;
    for (int32_t f = 0; f < t->count; f++) {
        size_t p = pivots_of(lu, f), r = rest_of(lu, f), all = p + r;
        for (int32_t k = 0; k < lu->children[f]; k++) {
            size_t passed = rest_of(lu, lu->waiting[--waiting]);
            depth -= passed * passed;
        }
        lu->waiting[waiting++] = f;
        depth += r * r;
        deepest = depth > deepest ? depth : deepest;
        front = all * all > front ? all * all : front;
        widest = all > widest ? all : widest;
        lu->factor_start[f] = total;
        total += p * (all + r);
        for (size_t k = 1; k <= p; k++) {
            lu->flops += 2 * (double)(all - k) * (double)(all - k);
        }
    }
    lu->factor_start[t->count] = total;
    if (!scr_block_reserve(&lu->factor_block, total + 1, sizeof(double), 0) ||
        !scr_block_reserve(&lu->work_block, front + deepest + widest + 1, sizeof(double), 0)) {
        return false;
    }
    lu->factor = lu->factor_block.data;
    lu->front = lu->work_block.data;
    lu->passed = lu->front + front;
    lu->local = lu->passed + deepest;
    return true;
}

bool scr_block_lu_analyse(BlockLu *lu, const BlockRows *pattern) {
    lu->size = pattern->size;
    if (!make_fronts(lu, pattern) || !reserve_integers(lu, pattern)) {
        return false;
    }
    sort_entries(lu, pattern);
    return reserve_numbers(lu);
}

/* ---------------------------------------------------------------- numbers */

static void index_nodes(BlockLu *lu, int32_t f) {
    const Fronts *t = &lu->fronts;
    int32_t next = 0;
    for (int32_t k = t->pivot_start[f]; k < t->pivot_start[f + 1]; k++) {
        lu->where[t->pivot[k]] = next++;
    }
    for (int32_t k = t->rest_start[f]; k < t->rest_start[f + 1]; k++) {
        lu->where[t->rest[k]] = next++;
    }
}

static void add_entries(BlockLu *lu, const BlockRows *a, int32_t f, size_t all) {
    size_t d = (size_t)lu->size;
    for (int32_t k = lu->entry_start[f]; k < lu->entry_start[f + 1]; k++) {
        const double *value = scr_block_at(a, lu->entry[k]);
        size_t row = (size_t)lu->where[lu->entry_row[k]] * d;
        size_t column = (size_t)lu->where[a->column[lu->entry[k]]] * d;
        for (size_t i = 0; i < d; i++) {
            for (size_t j = 0; j < d; j++) {
                lu->front[(row + i) * all + column + j] += value[i * d + j];
            }
        }
    }
}

/* Adds the r x r numbers that child c passes on. */
static void add_child(BlockLu *lu, int32_t c, const double *passed, size_t all) {
    const int32_t *rest = lu->fronts.rest + lu->fronts.rest_start[c];
    size_t d = (size_t)lu->size, r = rest_of(lu, c);
    for (size_t i = 0; i < r; i++) {
        double *row = lu->front + ((size_t)lu->where[rest[i / d]] * d + i % d) * all;
        const double *from = passed + i * r;
        for (size_t b = 0; b < r / d; b++) {
            double *to = row + (size_t)lu->where[rest[b]] * d;
            for (size_t j = 0; j < d; j++) {
                to[j] += from[b * d + j];
            }
        }
    }
}

/* Takes the factors out of the front, and puts the remaining matrix at `passed`. */
static void store(BlockLu *lu, int32_t f, double *passed) {
    size_t p = pivots_of(lu, f), r = rest_of(lu, f), all = p + r;
    double *factor = lu->factor + lu->factor_start[f];
    memcpy(factor, lu->front, p * all * sizeof *factor);
    for (size_t i = 0; i < r; i++) {
        const double *row = lu->front + (p + i) * all;
        memcpy(factor + p * all + i * p, row, p * sizeof *factor);
        memcpy(passed + i * r, row + p, r * sizeof *factor);
    }
}

bool scr_block_lu_factor(BlockLu *lu, const BlockRows *matrix, double tiny) {
    const Fronts *t = &lu->fronts;
    int32_t waiting = 0;
    double *top = lu->passed;
    lu->replaced = 0;
    for (int32_t f = 0; f < t->count; f++) {
        size_t p = pivots_of(lu, f), all = p + rest_of(lu, f);
        index_nodes(lu, f);
        memset(lu->front, 0, all * all * sizeof *lu->front);
        add_entries(lu, matrix, f, all);
        for (int32_t k = 0; k < lu->children[f]; k++) {
            int32_t c = lu->waiting[--waiting];
            top -= rest_of(lu, c) * rest_of(lu, c);
            add_child(lu, c, top, all);
        }
        int replaced = scr_dense_lu(lu->front, all, p, tiny,
                                    lu->swap + (size_t)t->pivot_start[f] * (size_t)lu->size);
        if (replaced < 0) {
            return false;
        }
        lu->replaced += replaced;
        store(lu, f, top);
        top += (all - p) * (all - p);
        lu->waiting[waiting++] = f;
    }
    return true;
}

/* ---------------------------------------------------------------- solution */

/* Copies the front's part of a vector from x, or back to it. */
static void move_local(BlockLu *lu, int32_t f, double *x, bool read) {
    const Fronts *t = &lu->fronts;
    size_t d = (size_t)lu->size, next = 0;
    for (int pass = 0; pass < 2; pass++) {
        const int32_t *start = pass == 0 ? t->pivot_start : t->rest_start;
        const int32_t *node = pass == 0 ? t->pivot : t->rest;
        for (int32_t k = start[f]; k < start[f + 1]; k++, next += d) {
            double *of_node = x + (size_t)node[k] * d;
            memcpy(read ? lu->local + next : of_node, read ? of_node : lu->local + next,
                   d * sizeof *x);
        }
    }
}

/* x = L^-1 P x on the part that belongs to a front. */
static void forward(BlockLu *lu, int32_t f) {
    size_t p = pivots_of(lu, f), r = rest_of(lu, f), all = p + r;
    const double *a = lu->factor + lu->factor_start[f], *l = a + p * all;
    const int32_t *swap = lu->swap + (size_t)lu->fronts.pivot_start[f] * (size_t)lu->size;
    double *x = lu->local;
    for (size_t k = 0; k < p; k++) {
        double saved = x[k];
        x[k] = x[swap[k]];
        x[swap[k]] = saved;
    }
    for (size_t i = 0; i < p; i++) {
        for (size_t k = 0; k < i; k++) {
            x[i] -= a[i * all + k] * x[k];
        }
    }
    for (size_t i = 0; i < r; i++) {
        double sum = 0;
        for (size_t k = 0; k < p; k++) {
            sum += l[i * p + k] * x[k];
        }
        x[p + i] -= sum;
    }
}

static void backward(BlockLu *lu, int32_t f) {
    size_t p = pivots_of(lu, f), all = p + rest_of(lu, f);
    const double *a = lu->factor + lu->factor_start[f];
    double *x = lu->local;
    for (size_t i = p; i-- > 0;) {
        double sum = x[i];
        for (size_t j = i + 1; j < all; j++) {
            sum -= a[i * all + j] * x[j];
        }
        x[i] = sum / a[i * all + i];
    }
}

void scr_block_lu_solve(BlockLu *lu, const double *b, double *x) {
    const Fronts *t = &lu->fronts;
    size_t rows = (size_t)t->nodes * (size_t)lu->size;
    if (x != b && rows > 0) {
        memcpy(x, b, rows * sizeof *x);
    }
    for (int32_t f = 0; f < t->count; f++) {
        move_local(lu, f, x, true);
        forward(lu, f);
        move_local(lu, f, x, false);
    }
    for (int32_t f = t->count - 1; f >= 0; f--) {
        move_local(lu, f, x, true);
        backward(lu, f);
        move_local(lu, f, x, false);
    }
}

void scr_block_lu_free(BlockLu *lu) {
    scr_fronts_free(&lu->fronts);
    SCR_FREE_BLOCKS(&lu->integer_block, &lu->size_block, &lu->factor_block, &lu->work_block,
                    &lu->scratch_block);
    *lu = (BlockLu){0};
}
