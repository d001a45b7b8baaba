#include "matrix/equation.h"

#include "linear/vector.h"

#include <string.h>

/* Smaller pivots are rounding errors: the diagonal blocks of W are about one. */
static const double tiny_pivot = 1e-14;

/* ---------------------------------------------------------------- which contacts are factored */

/* The jacobian's pattern: that of W for the contacts inside. */
static bool make_pattern(MatrixEquation *e, const MatrixScaled *s) {
    BlockRows *j = &e->jacobian;
    int32_t count = 0;
    for (int32_t i = 0; i < j->rows; i++) {
        const size_t c = (size_t)e->inside[i];
        j->start[i] = count;
        for (int32_t entry = s->w.start[c]; entry < s->w.start[c + 1]; entry++) {
            int32_t column = e->place[s->w.column[entry]];
            j->self[i] = column == i ? count : j->self[i];
            if (column >= 0) {
                j->column[count++] = column;
            }
        }
    }
    j->start[j->rows] = count;
    e->short_of_memory = !scr_block_lu_analyse(&e->lu, j);
    return !e->short_of_memory;
}

static bool is_closed(const MatrixEquation *e, const MatrixScaled *s, size_t c) {
    const size_t normal = c * (size_t)s->block;
    return e->smooth > 0 || s->x[normal] - e->rho * e->u[normal] > 0;
}

/* An analysis serves as long as it has all closed contacts, and not many more. */
static bool choose_contacts(MatrixEquation *e, const MatrixScaled *s) {
    size_t closed = 0, missing = 0, had = (size_t)e->jacobian.rows;
    for (size_t c = 0; c < s->contacts; c++) {
        bool is = is_closed(e, s, c);
        closed += is;
        missing += is && e->place[c] < 0;
    }
    const bool keep = 2 * (had + missing) <= 3 * closed;
    if (keep && missing == 0) {
        return true;
    }
    int32_t count = 0;
    for (size_t c = 0; c < s->contacts; c++) {
        bool in = is_closed(e, s, c) || (keep && e->place[c] >= 0);
        e->place[c] = in ? count : -1;
        if (in) {
            e->inside[count++] = (int32_t)c;
        }
    }
    e->jacobian.rows = count;
    return make_pattern(e, s);
}

/* At first all are inside. */
static bool reserve_jacobian(MatrixEquation *e, const MatrixScaled *s) {
    size_t d = (size_t)s->block, n = s->contacts, blocks = (size_t)s->w.start[n];
    if (!scr_block_reserve(&e->value_block, blocks * d * d + 1, sizeof(double), 0) ||
        !scr_block_reserve(&e->integer_block, 4 * n + 1 + blocks, sizeof(int32_t), 0)) {
        return false;
    }
    e->inside = e->integer_block.data;
    e->place = e->inside + n;
    e->jacobian = (BlockRows){.size = s->block,
                              .rows = (int32_t)n,
                              .self = e->place + n,
                              .start = e->place + 2 * n,
                              .column = e->place + 3 * n + 1,
                              .value = e->value_block.data};
    for (size_t c = 0; c < n; c++) {
        e->inside[c] = e->place[c] = (int32_t)c;
    }
    return make_pattern(e, s);
}

bool scr_matrix_equation_reserve(MatrixEquation *e, const MatrixScaled *s) {
    if (!scr_block_reserve(&e->vector_block, 5 * s->rows + 1, sizeof(double), 0) ||
        !reserve_jacobian(e, s)) {
        return false;
    }
    e->center = e->vector_block.data;
    e->u = e->center + s->rows;
    e->f = e->u + s->rows;
    e->step = e->f + s->rows;
    e->from = e->step + s->rows;
    memset(e->center, 0, s->rows * sizeof *e->center);
    return true;
}

void scr_matrix_equation_free(MatrixEquation *e) {
    SCR_FREE_BLOCKS(&e->vector_block, &e->integer_block, &e->value_block);
    scr_block_lu_free(&e->lu);
    *e = (MatrixEquation){0};
}

/* ---------------------------------------------------------------- values and steps */

static ContactEquation equation_of(const MatrixEquation *e, const MatrixScaled *s, size_t c) {
    return (ContactEquation){s->block, s->given->mu[c], s->rolling[c], e->rho, e->smooth};
}

void scr_matrix_equation_value(MatrixEquation *e, const MatrixScaled *s) {
    scr_matrix_scaled_velocity(s, s->x, e->u);
    for (size_t i = 0; e->alpha > 0 && i < s->rows; i++) {
        e->u[i] += e->alpha * (s->x[i] - e->center[i]);
    }
    for (size_t c = 0; c < s->contacts; c++) {
        size_t first = c * (size_t)s->block;
        ContactEquation q = equation_of(e, s, c);
        scr_contact_value(&q, s->x + first, e->u + first, e->f + first);
    }
    e->size = vector_norm(e->f, s->rows);
}

/* j = rho g w, for blocks of d x d. */
static void multiply_blocks(size_t d, double rho, const double *g, const double *w, double *j) {
    for (size_t i = 0; i < d; i++) {
        for (size_t k = 0; k < d; k++) {
            double sum = 0;
            for (size_t l = 0; l < d; l++) {
                sum += g[i * d + l] * w[l * d + k];
            }
            j[i * d + k] = rho * sum;
        }
    }
}

/* Fills row i of the blocks of J, and its right-hand side: f, less what open contacts change, whose
 * step is f. */
static void fill_row(MatrixEquation *e, const MatrixScaled *s, size_t i) {
    const size_t d = (size_t)s->block, c = (size_t)e->inside[i], first = c * d;
    double g[MATRIX_LARGEST_BLOCK * MATRIX_LARGEST_BLOCK], open[MATRIX_LARGEST_BLOCK] = {0};
    const double alpha = e->alpha + e->jacobian_alpha;
    const ContactEquation q = equation_of(e, s, c);
    double *j = e->jacobian.value + (size_t)e->jacobian.start[i] * d * d;
    scr_contact_slope(&q, s->x + first, e->u + first, g);
    for (int32_t entry = s->w.start[c]; entry < s->w.start[c + 1]; entry++) {
        const double *w = scr_block_at(&s->w, entry);
        const size_t column = (size_t)s->w.column[entry];
        if (e->place[column] < 0) {
            for (size_t k = 0; k < d * d; k++) {
                open[k / d] += w[k] * e->f[column * d + k % d];
            }
            continue;
        }
        multiply_blocks(d, e->rho, g, w, j);
        for (size_t k = 0; column == c && k < d * d; k++) {
            j[k] += (k % (d + 1) == 0) + (e->rho * alpha - 1) * g[k];
        }
        j += d * d;
    }
    double *right = e->step + i * d;
    for (size_t k = 0; k < d; k++) {
        right[k] = e->f[first + k];
        for (size_t l = 0; l < d; l++) {
            right[k] -= e->rho * g[k * d + l] * open[l];
        }
    }
}

/* From the contacts inside to all, in place: from the last on. */
static void spread_step(MatrixEquation *e, const MatrixScaled *s) {
    const size_t d = (size_t)s->block;
    for (size_t c = s->contacts; c-- > 0;) {
        const double *from = e->place[c] < 0 ? e->f + c * d : e->step + (size_t)e->place[c] * d;
        memmove(e->step + c * d, from, d * sizeof *from);
    }
}

static bool find_step(MatrixEquation *e, const MatrixScaled *s) {
    if (!choose_contacts(e, s)) {
        return false;
    }
    for (size_t i = 0; i < (size_t)e->jacobian.rows; i++) {
        fill_row(e, s, i);
    }
    if (!scr_block_lu_factor(&e->lu, &e->jacobian, tiny_pivot)) {
        return false;
    }
    scr_block_lu_solve(&e->lu, e->step, e->step);
    spread_step(e, s);
    return isfinite(vector_dot(e->step, e->step, s->rows));
}

double scr_matrix_equation_newton(MatrixEquation *e, MatrixScaled *s, double allowed,
                                  double least) {
    const bool found = find_step(e, s);
    s->iterations++;
    s->flops += e->lu.flops;
    if (!found) {
        return 0;
    }
    double length = 1;
    memcpy(e->from, s->x, s->rows * sizeof *s->x);
    for (;; length *= 0.5) {
        for (size_t i = 0; i < s->rows; i++) {
            s->x[i] = e->from[i] - length * e->step[i];
        }
        scr_matrix_equation_value(e, s);
        if (e->size < (1 - 1e-4 * length) * allowed || length < least) {
            break;
        }
    }
    scr_matrix_scaled_judge(s);
    return length;
}

bool scr_matrix_equation_settle(MatrixEquation *e, MatrixScaled *s, int most, double least,
                                double enough) {
    enum { MEMORY = 3 };
    double past[MEMORY];
    scr_matrix_equation_value(e, s);
    for (int i = 0; i < MEMORY; i++) {
        past[i] = e->size;
    }
    for (int i = 0; i < most && e->size > enough; i++) {
        double allowed = scr_max(past[0], scr_max(past[1], past[2]));
        if (scr_matrix_equation_newton(e, s, allowed, least) == 0) {
            break;
        }
        past[i % MEMORY] = e->size;
    }
    return e->size <= enough;
}
