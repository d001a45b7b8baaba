#include "matrix/units.h"

#include "math/elementary.h"

#include <math.h>

int scr_exponent_of(double x) {
    int exponent = 0;
    if (x > 0 && isfinite(x)) {
        (void)frexp(x, &exponent);
    }
    return exponent;
}

static bool is_torque(const MatrixProblem *p, size_t row) {
    return row % (size_t)p->block >= 3;
}

MatrixScales scr_matrix_scales(const MatrixProblem *p) {
    double force = 0, torque = 0, velocity = 0, spin = 0;
    for (size_t i = 0; i < scr_matrix_rows(p); i++) {
        double diagonal = scr_sparse_entry(&p->delassus, (int32_t)i, (int32_t)i) +
                          (p->compliance != NULL ? p->compliance[i] : 0);
        double *of_w = is_torque(p, i) ? &torque : &force;
        double *of_q = is_torque(p, i) ? &spin : &velocity;
        *of_w = scr_max(*of_w, diagonal);
        *of_q = scr_max(*of_q, fabs(p->q[i]));
    }
    MatrixScales scale = {.mass = -scr_exponent_of(force)};
    scale.length = force > 0 && torque > 0 ? scr_exponent_of(sqrt(force / torque)) : 0;
    scale.velocity = scr_exponent_of(velocity > 0 ? velocity : ldexp(spin, scale.length));
    return scale;
}

/* ---------------------------------------------------------------- scaled copies */

/* to = from 2^power. */
static void scale_vector(const double *from, size_t count, int power, double *to) {
    for (size_t i = 0; i < count; i++) {
        to[i] = ldexp(from[i], power);
    }
}

/* The same for vectors over the rows of contacts; torques have `torque` more. */
static void scale_rows(const MatrixProblem *p, const double *from, int power, int torque,
                       double *to) {
    for (size_t i = 0; i < scr_matrix_rows(p); i++) {
        to[i] = ldexp(from[i], power + (is_torque(p, i) ? torque : 0));
    }
}

/* H, whose columns belong to the rows of contacts, or W, which has them on both sides. */
static void scale_matrix(const MatrixProblem *p, const Sparse *a, bool both, int power, int torque,
                         double *to) {
    for (int32_t k = 0; k < a->columns; k++) {
        for (int32_t e = a->start[k]; e < a->start[k + 1]; e++) {
            int torques = is_torque(p, (size_t)k) + (both && is_torque(p, (size_t)a->row[e]));
            to[e] = ldexp(a->value[e], power + torques * torque);
        }
    }
}

static size_t entries_of(const Sparse *a) {
    return a->columns > 0 ? (size_t)a->start[a->columns] : 0;
}

/* The next piece of the memory that was reserved. */
static double *piece(double **next, size_t count) {
    double *at = *next;
    *next += count;
    return at;
}

static bool reserve(MatrixUnits *u, const MatrixProblem *p) {
    size_t rows = scr_matrix_rows(p), count = 2 * rows + p->contacts + 1;
    count += p->local ? entries_of(&p->delassus) + rows : 0;
    count += p->global ? entries_of(&p->mass) + entries_of(&p->h) + (size_t)p->h.rows + rows : 0;
    return scr_block_reserve(&u->block, count, sizeof(double), 0);
}

/* W' = W 2^k, q' = q 2^-v: then r' = r 2^-(k + v). Spins are times 2^l, torques over it. */
static void take_local(const MatrixProblem *p, MatrixScales s, double **next, MatrixProblem *own) {
    own->delassus.value = piece(next, entries_of(&p->delassus));
    own->q = piece(next, scr_matrix_rows(p));
    scale_matrix(p, &p->delassus, true, s.mass, s.length, own->delassus.value);
    scale_rows(p, p->q, -s.velocity, s.length, own->q);
}

/* M' = M 2^-k, f' = f 2^-(k + v), w' = w 2^-v. */
static void take_global(const MatrixProblem *p, MatrixScales s, double **next, MatrixProblem *own) {
    size_t freedoms = (size_t)p->h.rows;
    own->mass.value = piece(next, entries_of(&p->mass));
    own->h.value = piece(next, entries_of(&p->h));
    own->f = piece(next, freedoms);
    own->w = piece(next, scr_matrix_rows(p));
    scale_vector(p->mass.value, entries_of(&p->mass), -s.mass, own->mass.value);
    scale_matrix(p, &p->h, false, 0, s.length, own->h.value);
    scale_vector(p->f, freedoms, -s.mass - s.velocity, own->f);
    scale_rows(p, p->w, -s.velocity, s.length, own->w);
}

bool scr_matrix_units_make(MatrixUnits *u, const MatrixProblem *p, MatrixScales s) {
    if (!reserve(u, p)) {
        return false;
    }
    double *next = u->block.data;
    u->scale = s;
    u->problem = *p;
    u->spare = piece(&next, scr_matrix_rows(p));
    if (p->local) {
        take_local(p, s, &next, &u->problem);
    }
    if (p->global) {
        take_global(p, s, &next, &u->problem);
    }
    if (p->rolling != NULL) {
        u->problem.rolling = piece(&next, p->contacts);
        scale_vector(p->rolling, p->contacts, -s.length, u->problem.rolling);
    }
    if (p->compliance != NULL) {
        u->problem.compliance = piece(&next, scr_matrix_rows(p));
        scale_rows(p, p->compliance, s.mass, 2 * s.length, u->problem.compliance);
    }
    return true;
}

void scr_matrix_units_free(MatrixUnits *u) {
    scr_block_free(&u->block);
    *u = (MatrixUnits){0};
}

/* ---------------------------------------------------------------- to and fro */

void scr_matrix_impulses_in(const MatrixUnits *u, const double *from, double *to) {
    if (to != NULL) {
        scale_rows(&u->problem, from, -u->scale.mass - u->scale.velocity, -u->scale.length, to);
    }
}

void scr_matrix_impulses_out(const MatrixUnits *u, const double *from, double *to) {
    if (to != NULL) {
        scale_rows(&u->problem, from, u->scale.mass + u->scale.velocity, u->scale.length, to);
    }
}

void scr_matrix_velocities_out(const MatrixUnits *u, const double *from, double *to) {
    if (to != NULL) {
        scale_rows(&u->problem, from, u->scale.velocity, -u->scale.length, to);
    }
}
