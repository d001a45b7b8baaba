#include "matrix/units.h"

#include <math.h>

/* Exponents of the units: W is about 2^inverse_mass, q about 2^velocity, lengths 2^length. */
typedef struct Exponents {
    int inverse_mass, velocity, length;
} Exponents;

static int exponent_of(double x) {
    int exponent = 0;
    (void)frexp(x, &exponent);
    return x > 0 && isfinite(x) ? exponent : 0;
}

static bool is_torque(const MatrixProblem *p, size_t i) {
    return p->block == 5 && i % 5 >= 3;
}

static Exponents find_exponents(const MatrixProblem *p) {
    double force = 0, torque = 0, velocity = 0, spin = 0;
    for (size_t i = 0; i < scr_matrix_rows(p); i++) {
        double diagonal = scr_sparse_entry(&p->delassus, (int32_t)i, (int32_t)i) +
                          (p->compliance != NULL ? p->compliance[i] : 0);
        double *of_w = is_torque(p, i) ? &torque : &force;
        double *of_q = is_torque(p, i) ? &spin : &velocity;
        *of_w = fmax(*of_w, diagonal);
        *of_q = fmax(*of_q, fabs(p->q[i]));
    }
    Exponents e = {.inverse_mass = exponent_of(force)};
    e.length = force > 0 && torque > 0 ? exponent_of(sqrt(force / torque)) : 0;
    e.velocity = exponent_of(velocity > 0 ? velocity : ldexp(spin, e.length));
    return e;
}

static double *scaled(double **next, const double *from, size_t count, int exponent) {
    double *to = *next;
    for (size_t i = 0; i < count; i++) {
        to[i] = ldexp(from[i], exponent);
    }
    *next += count;
    return to;
}

/* The same for vectors over the rows of contacts; torques have `more` in their exponent. */
static double *scaled_rows(const MatrixProblem *p, double **next, const double *from, int exponent,
                           int more) {
    double *to = *next;
    for (size_t i = 0; i < scr_matrix_rows(p); i++) {
        to[i] = ldexp(from[i], exponent + (is_torque(p, i) ? more : 0));
    }
    *next += scr_matrix_rows(p);
    return to;
}

/* A matrix whose columns, and with `both` its rows, belong to the rows of contacts. */
static void scale_matrix(const MatrixProblem *p, const Sparse *from, double **next, int exponent,
                         int length, bool both, Sparse *to) {
    double *value = *next;
    *to = *from;
    to->start_block = to->row_block = to->value_block = (Block){0};
    to->value = value;
    for (int32_t k = 0; k < from->columns; k++) {
        for (int32_t e = from->start[k]; e < from->start[k + 1]; e++) {
            int lengths = is_torque(p, (size_t)k) + (both && is_torque(p, (size_t)from->row[e]));
            value[e] = ldexp(from->value[e], exponent + lengths * length);
        }
    }
    *next += from->start[from->columns];
}

static size_t entries_of(const Sparse *a) {
    return a->start != NULL ? (size_t)a->start[a->columns] : 0;
}

/* In these units W' = W 2^-a with torques' rows and columns times 2^l, q' = q 2^-v (spins times
 * 2^l), so r' = r 2^(a-v), torques 2^(a-v-l); M' = M 2^a, f' = f 2^(a-v), v' = v 2^-v. */
bool scr_matrix_units_make(MatrixUnits *k, const MatrixProblem *p) {
    size_t m = scr_matrix_rows(p), n = p->global ? (size_t)p->h.rows : 0;
    size_t room = entries_of(&p->delassus) + 3 * m + p->contacts + n;
    room += p->global ? entries_of(&p->mass) + entries_of(&p->h) : 0;
    if (!scr_block_reserve(&k->block, room + 1, sizeof(double), 0)) {
        return false;
    }
    Exponents e = find_exponents(p);
    double *next = k->block.data;
    int a = e.inverse_mass, v = e.velocity, l = e.length;
    MatrixProblem *to = &k->problem;
    *to = *p;
    to->vector_block = (Block){0};
    scale_matrix(p, &p->delassus, &next, -a, l, true, &to->delassus);
    to->q = scaled_rows(p, &next, p->q, -v, l);
    if (p->global) {
        scale_matrix(p, &p->h, &next, 0, l, false, &to->h);
        to->w = scaled_rows(p, &next, p->w, -v, l);
        to->f = scaled(&next, p->f, n, a - v);
        to->mass = p->mass;
        to->mass.start_block = to->mass.row_block = to->mass.value_block = (Block){0};
        to->mass.value = scaled(&next, p->mass.value, entries_of(&p->mass), a);
    }
    if (p->rolling != NULL) {
        to->rolling = scaled(&next, p->rolling, p->contacts, -l);
    }
    if (p->compliance != NULL) {
        to->compliance = scaled_rows(p, &next, p->compliance, -a, 2 * l);
    }
    k->impulse = v - a;
    k->torque = v - a + l;
    k->velocity = v;
    return true;
}

static void shift(const MatrixUnits *k, int sign, double *r) {
    for (size_t i = 0; i < scr_matrix_rows(&k->problem); i++) {
        r[i] = ldexp(r[i], sign * (is_torque(&k->problem, i) ? k->torque : k->impulse));
    }
}

void scr_matrix_units_in(const MatrixUnits *k, double *r) {
    shift(k, -1, r);
}

void scr_matrix_units_out(const MatrixUnits *k, double *r) {
    shift(k, 1, r);
}

void scr_matrix_units_free(MatrixUnits *k) {
    scr_block_free(&k->block);
    *k = (MatrixUnits){0};
}
