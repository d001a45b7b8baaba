#include "dynamics/step_matrices.h"

#include "linear/vector.h"

#include <string.h>

/* Impulses below this fraction of a typical one may be remnants of the method at open contacts. */
static const double negligible = 1e-6;

void scr_step_matrices_free(StepMatrices *k) {
    scr_matrix_rows_free(&k->rows);
    scr_interior_work_free(&k->work);
    scr_matrix_damped_free(&k->damped);
    scr_matrix_reducer_free(&k->reducer);
    scr_matrix_newton_free(&k->newton);
    scr_block_free(&k->block);
    *k = (StepMatrices){0};
}

bool scr_reserve_solution(StepMatrices *k) {
    size_t rows = scr_matrix_rows(&k->rows.problem), freedoms = (size_t)k->rows.problem.h.rows;
    if (!scr_block_reserve(&k->block, 2 * rows + freedoms + 1, sizeof(double), 0)) {
        return false;
    }
    k->r = k->block.data;
    k->s = k->r + rows;
    k->v = k->s + rows;
    return true;
}

/* ---------------------------------------------------------------- units */

/* What free motion lacks to satisfy the law of contact c, as a normal velocity; u is its relative
 * velocity. */
static double lacking(const MatrixProblem *p, size_t c, const double *u, bool exact) {
    double dilation = p->mu[c] * vector_norm(u + 1, p->block == 2 ? 1 : 2);
    if (p->block == 5) {
        dilation += p->rolling[c] * vector_norm(u + 3, 2);
    }
    return (exact ? 0 : dilation) - u[0];
}

/* The velocity that the violated contacts lack, and the impulse that gives it to each alone; all may
 * fall much faster than that. */
bool scr_find_units(StepMatrices *k, const Problem *problem, InteriorPointSettings *settings) {
    const MatrixProblem *p = &k->rows.problem;
    size_t count = 0, block = (size_t)p->block;
    double velocity = 0, impulse = 0;
    for (int32_t d = 0; d < p->h.rows; d++) {
        k->v[d] = p->f[d] / p->mass.value[d]; /* the mass is diagonal here */
    }
    memcpy(k->s, p->w, block * p->contacts * sizeof *k->s);
    scr_sparse_multiply_transposed(&p->h, 1, k->v, k->s);
    for (size_t c = 0; c < p->contacts; c++) {
        double lack = lacking(p, c, k->s + c * block, settings->exact);
        if (lack > 0) {
            double rho = scr_row_rho(problem, c);
            count++;
            velocity += lack * lack;
            impulse += rho * rho * lack * lack;
        }
    }
    settings->velocity = sqrt(velocity / scr_max(1, (double)count));
    settings->force = sqrt(impulse / scr_max(1, (double)count));
    settings->fastest = vector_largest(k->v, (size_t)p->h.rows);
    return count > 0;
}

/* ---------------------------------------------------------------- from the solution */

void scr_round_rows(const StepMatrices *k, Problem *p) {
    const MatrixProblem *x = &k->rows.problem;
    double force = k->work.force, velocity = k->work.velocity;
    for (size_t i = 0; i < p->rows; i++) {
        Row *row = &p->row[i];
        const double *s = k->s + i * (size_t)x->block;
        double slip = x->block == 2 ? fabs(s[1]) : scr_hypot(s[1], s[2]);
        double rt = length(row->rt), lack = row->mu * row->rn - rt;
        if (row->rn <= negligible * force && row->rn * velocity < s[0] * force) {
            row->rn = 0;
            row->rt = vec3(0, 0, 0);
        } else if (rt > 0 && lack <= negligible * row->mu * force &&
                   lack * velocity < slip * force) {
            row->rt = scale(row->mu * row->rn / rt, row->rt);
        }
    }
}
