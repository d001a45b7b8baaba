#include "matrix/equation.h"

#include "linear/vector.h"

#include <string.h>

/* Smaller pivots are rounding errors: the diagonal blocks of W are about one. */
static const double tiny_pivot = 1e-14;

bool scr_matrix_equation_reserve(MatrixEquation *e, const MatrixScaled *s) {
    size_t d = (size_t)s->block, blocks = (size_t)s->w.start[s->contacts];
    if (!scr_block_reserve(&e->vector_block, 5 * s->rows + 1, sizeof(double), 0) ||
        !scr_block_reserve(&e->value_block, blocks * d * d + 1, sizeof(double), 0) ||
        !scr_block_lu_analyse(&e->lu, &s->w)) {
        return false;
    }
    e->center = e->vector_block.data;
    e->u = e->center + s->rows;
    e->f = e->u + s->rows;
    e->step = e->f + s->rows;
    e->from = e->step + s->rows;
    memset(e->center, 0, s->rows * sizeof *e->center);
    e->jacobian = s->w; /* borrows the pattern */
    e->jacobian.integer_block = e->jacobian.value_block = e->jacobian.scratch_block = (Block){0};
    e->jacobian.value = e->value_block.data;
    return true;
}

void scr_matrix_equation_free(MatrixEquation *e) {
    scr_block_free(&e->vector_block);
    scr_block_free(&e->value_block);
    scr_block_lu_free(&e->lu);
    *e = (MatrixEquation){0};
}

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

/* Fills row c of the blocks of J. */
static void fill_row(MatrixEquation *e, const MatrixScaled *s, size_t c) {
    size_t d = (size_t)s->block, first = c * d;
    double g[MATRIX_LARGEST_BLOCK * MATRIX_LARGEST_BLOCK];
    double alpha = e->alpha + e->jacobian_alpha;
    ContactEquation q = equation_of(e, s, c);
    scr_contact_slope(&q, s->x + first, e->u + first, g);
    for (int32_t entry = s->w.start[c]; entry < s->w.start[c + 1]; entry++) {
        const double *w = scr_block_at(&s->w, entry);
        double *j = e->jacobian.value + (size_t)entry * d * d;
        for (size_t i = 0; i < d; i++) {
            for (size_t k = 0; k < d; k++) {
                double sum = 0;
                for (size_t l = 0; l < d; l++) {
                    sum += g[i * d + l] * w[l * d + k];
                }
                j[i * d + k] = e->rho * sum;
            }
        }
        if (entry == s->w.self[c]) {
            for (size_t i = 0; i < d; i++) {
                for (size_t k = 0; k < d; k++) {
                    j[i * d + k] += (i == k) + (e->rho * alpha - 1) * g[i * d + k];
                }
            }
        }
    }
}

static bool find_step(MatrixEquation *e, const MatrixScaled *s) {
    for (size_t c = 0; c < s->contacts; c++) {
        fill_row(e, s, c);
    }
    if (!scr_block_lu_factor(&e->lu, &e->jacobian, tiny_pivot)) {
        return false;
    }
    scr_block_lu_solve(&e->lu, e->f, e->step);
    return isfinite(vector_dot(e->step, e->step, s->rows));
}

double scr_matrix_equation_newton(MatrixEquation *e, MatrixScaled *s, double allowed,
                                  double least) {
    s->iterations++;
    s->flops += e->lu.flops;
    if (!find_step(e, s)) {
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
