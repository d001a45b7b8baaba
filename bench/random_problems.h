/* Random contact problems in global form with a known strictly feasible point, so that a solution
 * exists: with r in K, s in K* and v at random, f = M v - H r and w = s - H^T v - C r. */
#ifndef SCREE_BENCH_RANDOM_PROBLEMS_H
#define SCREE_BENCH_RANDOM_PROBLEMS_H

#include "base/random.h"
#include "matrix/problem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct RandomKind {
    int block, bodies, contacts;
    bool statical;  /* without masses */
    bool compliant; /* not rigid */
    double decades; /* spread of masses and impulses */
} RandomKind;

typedef struct Dice {
    uint64_t key, count;
} Dice;

static inline double dice(Dice *d) {
    return scr_random_unit(d->key, d->count++);
}

static inline double dice_around(Dice *d) {
    double sum = dice(d);
    sum += dice(d);
    sum += dice(d);
    return 2 * sum - 3;
}

/* Completes a frame from its unit normal axis[0]. */
static inline void axes_across(bool plane, double axis[3][3]) {
    double *n = axis[0], *t = axis[1], *b = axis[2];
    if (plane) {
        const double across[3] = {-n[1], n[0], 0}, out[3] = {0, 0, 1};
        memcpy(t, across, sizeof across);
        memcpy(b, out, sizeof out);
        return;
    }
    int least = fabs(n[0]) < fabs(n[1]) ? 0 : 1;
    for (int k = 0; k < 3; k++) {
        t[k] = (k == least) - n[least] * n[k];
    }
    double l = sqrt(t[0] * t[0] + t[1] * t[1] + t[2] * t[2]);
    for (int k = 0; k < 3; k++) {
        t[k] /= l;
    }
    for (int k = 0; k < 3; k++) {
        b[k] = n[(k + 1) % 3] * t[(k + 2) % 3] - n[(k + 2) % 3] * t[(k + 1) % 3];
    }
}

static inline void axes_at_random(Dice *d, bool plane, double axis[3][3]) {
    double *n = axis[0];
    for (int k = 0; k < 3; k++) {
        n[k] = plane && k == 2 ? 0 : dice_around(d) + 0.01;
    }
    double l = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    for (int k = 0; k < 3; k++) {
        n[k] /= l;
    }
    axes_across(plane, axis);
}

/* The columns for one side of a contact: forces act at a random arm, torques (components 3 and 4)
 * on the spin alone. */
static inline size_t contact_side(Dice *d, int block, int32_t body, int32_t contact, double sign,
                                  double axis[3][3], SparseEntry *to) {
    bool plane = block == 2;
    int32_t per = plane ? 3 : 6, first = body * per;
    double arm[3] = {0, 0, 0};
    for (int k = 0; k < (plane ? 2 : 3); k++) {
        arm[k] = dice_around(d);
    }
    size_t count = 0;
    for (int k = 0; k < block; k++) {
        const double *a = axis[k < 3 ? k : k - 2];
        int32_t column = contact * block + k;
        for (int32_t i = 0; i < (plane ? 2 : 3) && k < 3; i++) {
            to[count++] = (SparseEntry){first + i, column, sign * a[i]};
        }
        for (int i = plane ? 2 : 0; i < 3; i++) {
            double turn = arm[(i + 1) % 3] * a[(i + 2) % 3] - arm[(i + 2) % 3] * a[(i + 1) % 3];
            to[count++] = (SparseEntry){plane ? first + 2 : first + 3 + i, column,
                                        sign * (k < 3 ? turn : a[i])};
        }
    }
    return count;
}

/* Interior points r and s of the cones of contact c. */
static inline void interior_pair(Dice *d, MatrixProblem *p, size_t c, double size, double *r,
                                 double *s) {
    r[0] = size * (0.1 + dice(d));
    s[0] = 0.1 + dice(d);
    for (int k = 1; k < p->block; k++) {
        double mu = k >= 3 ? p->rolling[c] : p->mu[c];
        r[k] = mu > 0 ? 1.2 * mu * r[0] * (dice(d) - 0.5) : 0;
        s[k] = dice(d) - 0.5;
        s[0] += mu * fabs(s[k]);
    }
}

static inline bool random_problem(MatrixProblem *p, const RandomKind *kind, uint64_t seed) {
    Dice d = {scr_random_key(seed, (uint64_t)kind->block, 11), 0};
    int block = kind->block;
    int32_t per = block == 2 ? 3 : 6, n = kind->bodies * per;
    size_t contacts = (size_t)kind->contacts, m = contacts * (size_t)block, count = 0;
    if (!scr_matrix_problem_begin(p, block, contacts, (size_t)n, true, kind->compliant)) {
        return false;
    }
    p->global = true;
    SparseEntry *entry = malloc(sizeof *entry * (12 * m + (size_t)n));
    for (int32_t i = 0; i < n && !kind->statical; i++) {
        double mass = pow(10, kind->decades * (scr_random_unit(seed, (uint64_t)(i / per)) - 0.5));
        entry[count++] = (SparseEntry){i, i, i % per < per / 2 + (per == 3) ? mass : 0.4 * mass};
    }
    bool fine = scr_sparse_gather(&p->mass, n, n, entry, count);
    count = 0;
    double *r = calloc(2 * m + (size_t)n, sizeof *r), *s = r + m, *v = s + m;
    for (int32_t c = 0; c < kind->contacts; c++) {
        double axis[3][3];
        axes_at_random(&d, block == 2, axis);
        int32_t b = c < kind->bodies ? c : (int32_t)(dice(&d) * kind->bodies);
        int32_t a = (int32_t)(dice(&d) * kind->bodies);
        count += contact_side(&d, block, b, c, 1, axis, entry + count);
        if (a != b && dice(&d) > 0.15) { /* otherwise the contact is with a wall */
            count += contact_side(&d, block, a, c, -1, axis, entry + count);
        }
        p->mu[c] = dice(&d) < 0.15 ? 0 : 0.05 + dice(&d);
        if (block == 5) {
            p->rolling[c] = dice(&d) < 0.15 ? 0 : 0.2 * dice(&d);
        }
        size_t at = (size_t)(c * block);
        interior_pair(&d, p, (size_t)c, pow(10, kind->decades * (dice(&d) - 0.5)), r + at, s + at);
        for (int k = 0; k < block && kind->compliant; k++) {
            p->compliance[at + (size_t)k] = k == 0 ? 0.01 : 0.015;
        }
    }
    fine = fine && scr_sparse_gather(&p->h, n, (int32_t)m, entry, count);
    for (int32_t i = 0; i < n; i++) {
        v[i] = dice_around(&d);
    }
    if (fine) {
        scr_sparse_multiply(&p->mass, 1, v, p->f);
        scr_sparse_multiply(&p->h, -1, r, p->f);
        scr_sparse_multiply_transposed(&p->h, -1, v, p->w);
        for (size_t i = 0; i < m; i++) {
            p->w[i] += s[i] - (kind->compliant ? p->compliance[i] * r[i] : 0);
        }
    }
    free(entry);
    free(r);
    return fine;
}

#endif
