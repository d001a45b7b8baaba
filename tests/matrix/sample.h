/* Random contact problems for the tests: bodies with masses and contacts between them. */
#ifndef SCREE_TESTS_MATRIX_SAMPLE_H
#define SCREE_TESTS_MATRIX_SAMPLE_H

#include "base/random.h"
#include "check.h"
#include "math/elementary.h"
#include "matrix/problem.h"
#include "matrix/solver.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static uint64_t sample_drawn;

/* Between -1 and 1. */
static inline double sample_draw(void) {
    return 2 * scr_random_unit(scr_random_key(3, 0, 0), sample_drawn++) - 1;
}

/* `bodies` with six degrees of freedom and a full 6 x 6 mass; contacts tie a body to the next but
 * one or to the ground. More contacts than degrees of freedom make W singular. */
static inline bool sample_global(MatrixProblem *p, int block, size_t contacts, int bodies) {
    int32_t n = 6 * bodies, m = (int32_t)contacts * block;
    size_t mass = 0, h = 0;
    SparseEntry *of_mass = malloc((size_t)(36 * bodies) * sizeof *of_mass);
    SparseEntry *of_h = malloc((size_t)(12 * m) * sizeof *of_h);
    bool ok = of_mass != NULL && of_h != NULL &&
              scr_matrix_problem_begin(p, block, contacts, (size_t)n, true, false);
    for (int32_t b = 0; ok && b < bodies; b++) {
        double heavy = scr_exp(sample_draw());
        for (int32_t i = 0; i < 6; i++) {
            for (int32_t j = 0; j <= i; j++) {
                double value = i == j ? heavy * (2 + 0.5 * sample_draw()) : 0.2 * sample_draw();
                of_mass[mass++] = (SparseEntry){6 * b + i, 6 * b + j, value};
                if (i != j) {
                    of_mass[mass++] = (SparseEntry){6 * b + j, 6 * b + i, value};
                }
            }
        }
    }
    for (int32_t k = 0; ok && k < m; k++) {
        int32_t one = k / block % bodies, other = (one + 1 + k / block % 2) % bodies;
        for (int32_t i = 0; i < 6; i++) {
            of_h[h++] = (SparseEntry){6 * one + i, k, sample_draw()};
            if (other != one && k / block % 3 != 0) {
                of_h[h++] = (SparseEntry){6 * other + i, k, sample_draw()};
            }
        }
        p->w[k] = 0.3 * sample_draw();
    }
    for (int32_t i = 0; ok && i < n; i++) {
        p->f[i] = sample_draw();
    }
    for (size_t c = 0; ok && c < contacts; c++) {
        p->mu[c] = c % 5 == 4 ? 0 : 0.1 + 0.4 * fabs(sample_draw());
        if (p->rolling != NULL) {
            p->rolling[c] = 0.2 * fabs(sample_draw());
        }
    }
    ok = ok && scr_sparse_gather(&p->mass, n, n, of_mass, mass) &&
         scr_sparse_gather(&p->h, n, m, of_h, h);
    free(of_mass);
    free(of_h);
    return ok;
}

/* One contact in local form with the block w, row by row. */
static inline bool sample_single(MatrixProblem *p, int block, const double *w, const double *q,
                                 double mu, double rolling) {
    SparseEntry entry[25];
    size_t count = 0;
    for (int32_t i = 0; i < block; i++) {
        for (int32_t j = 0; j < block; j++) {
            entry[count++] = (SparseEntry){i, j, w[i * block + j]};
        }
    }
    if (!scr_matrix_problem_begin(p, block, 1, 0, false, false) ||
        !scr_sparse_gather(&p->delassus, block, block, entry, count)) {
        return false;
    }
    memcpy(p->q, q, (size_t)block * sizeof *q);
    p->mu[0] = mu;
    if (block == 5) {
        p->rolling[0] = rolling;
    }
    return true;
}

/* How far r and s of one contact are from the law, stated without projections: the worst of what
 * must not be negative, of complementarity, and of friction (and rolling) against the motion. */
static inline double sample_law_error(int block, double mu, double rolling, const double *r,
                                      const double *s) {
    int plain = block == 2 ? 1 : 2;
    double worst = fmax(fmax(-r[0], -s[0]), fabs(r[0] * s[0]));
    for (int part = 0; part < (block == 5 ? 2 : 1); part++) {
        const double *x = r + 1 + 2 * part, *v = s + 1 + 2 * part;
        double bound = (part == 0 ? mu : rolling) * r[0], force = 0, speed = 0, against = 0;
        for (int k = 0; k < plain; k++) {
            force += x[k] * x[k];
            speed += v[k] * v[k];
            against += x[k] * v[k];
        }
        worst = fmax(worst, sqrt(force) - bound);
        worst = fmax(worst, fabs(against + bound * sqrt(speed))); /* x.v = -bound |v| */
    }
    return worst;
}

/* The worst of all contacts, with s = u + C r. */
static inline double sample_worst_law_error(const MatrixProblem *p, const double *r,
                                            const double *u) {
    double worst = 0, s[5];
    for (size_t c = 0; c < p->contacts; c++) {
        size_t first = c * (size_t)p->block;
        for (size_t k = 0; k < (size_t)p->block; k++) {
            s[k] = u[first + k] +
                   (p->compliance != NULL ? p->compliance[first + k] * r[first + k] : 0);
        }
        worst = fmax(worst, sample_law_error(p->block, p->mu[c],
                                             p->rolling != NULL ? p->rolling[c] : 0, r + first, s));
    }
    return worst;
}

typedef struct NamedSolver {
    const char *name;
    MatrixSolve *solve;
} NamedSolver;

/* A ball of mass 1 falls at speed 1, with W_tt = 7/2: it slips at 0.7, and sticks, or at 70, and
 * slides. */
static inline void sample_falling_ball(MatrixSolve *solve, double tolerance, double error) {
    const double w[9] = {1, 0, 0, 0, 3.5, 0, 0, 0, 3.5};
    const double slow[3] = {-1, 0.7, 0}, fast[3] = {-1, 0, -70};
    double r[3] = {0};
    MatrixProblem p = {0};
    MatrixSettings settings = scr_matrix_settings();
    settings.tolerance = tolerance;
    CHECK(sample_single(&p, 3, w, slow, 0.5, 0));
    CHECK(solve(&p, &settings, r).status == MATRIX_SOLVED);
    CHECK_NEAR(r[0], 1, error);
    CHECK_NEAR(r[1], -0.2, error);
    memcpy(p.q, fast, sizeof fast);
    memset(r, 0, sizeof r);
    CHECK(solve(&p, &settings, r).status == MATRIX_SOLVED);
    CHECK_NEAR(r[0], 1, error);
    CHECK_NEAR(r[1], 0, error);
    CHECK_NEAR(r[2], 0.5, error);
    scr_matrix_problem_free(&p);
}

#endif
