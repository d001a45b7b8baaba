#include "interior/own_units.h"

#include "linear/vector.h"

#include <math.h>

static size_t entries_of(const Sparse *a) {
    return a->columns > 0 ? (size_t)a->start[a->columns] : 0;
}

/* The largest mass or, where nothing has one, what loads and velocities make of it. */
static double typical_mass(const MatrixProblem *p) {
    const size_t rows = scr_matrix_rows(p), freedoms = (size_t)p->h.rows;
    if (!p->global) {
        const double w = vector_largest(p->delassus.value, entries_of(&p->delassus));
        return w > 0 ? 1 / w : 0;
    }
    const double mass = vector_largest(p->mass.value, entries_of(&p->mass));
    const double load = vector_largest(p->f, freedoms), velocity = vector_largest(p->w, rows);
    return mass > 0 ? mass : velocity > 0 ? load / velocity : 0;
}

static int exponent_of(double x) {
    int power = 0;
    if (x > 0 && isfinite(x)) {
        (void)frexp(x, &power);
    }
    return power;
}

/* to = from 2^power, at *room; which then points behind it. */
static double *scaled(const double *from, size_t count, int power, double **room) {
    double *to = *room;
    for (size_t i = 0; i < count; i++) {
        to[i] = ldexp(from[i], power);
    }
    *room += count;
    return to;
}

/* The power of a row: `torque` in those of torques, from 3 on, and 0 in the others. */
static int of_row(const MatrixProblem *p, size_t row, int torque) {
    return row % (size_t)p->block >= 3 ? torque : 0;
}

/* The same, component by component, for a vector over the rows. */
static double *scaled_rows(const MatrixProblem *p, const double *from, int power, int torque,
                           double **room) {
    double *to = scaled(from, scr_matrix_rows(p), power, room);
    for (size_t i = 0; torque != 0 && i < scr_matrix_rows(p); i++) {
        to[i] = ldexp(to[i], of_row(p, i, torque));
    }
    return to;
}

/* H, whose columns belong to rows of contacts, or W, which has them on both sides. */
static double *scaled_matrix(const MatrixProblem *p, const Sparse *a, bool both, int power,
                             int torque, double **room) {
    double *to = scaled(a->value, entries_of(a), power, room);
    for (int32_t c = 0; torque != 0 && c < a->columns; c++) {
        for (int32_t e = a->start[c]; e < a->start[c + 1]; e++) {
            int other = both ? of_row(p, (size_t)a->row[e], torque) : 0;
            to[e] = ldexp(to[e], of_row(p, (size_t)c, torque) + other);
        }
    }
    return to;
}

/* What every vector and matrix below takes at most. */
static bool reserve(OwnUnits *u, const MatrixProblem *p) {
    size_t count = p->global ? entries_of(&p->mass) + entries_of(&p->h) + (size_t)p->h.rows
                             : entries_of(&p->delassus);
    return scr_block_reserve(&u->block, count + 3 * scr_matrix_rows(p) + p->contacts + 1,
                             sizeof(double), 0);
}

bool scr_own_units_take(OwnUnits *u, const MatrixProblem *p, double mass, const double *known) {
    if (!reserve(u, p)) {
        return false;
    }
    MatrixProblem *own = &u->problem;
    double *room = u->block.data;
    const int k = exponent_of(mass > 0 ? mass : typical_mass(p));
    const int l = p->rolling != NULL ? exponent_of(vector_largest(p->rolling, p->contacts)) : 0;
    u->mass = k;
    u->length = l;
    *own = *p;
    if (p->global) {
        own->mass.value = scaled(p->mass.value, entries_of(&p->mass), -k, &room);
        own->f = scaled(p->f, (size_t)p->h.rows, -k, &room);
        own->h.value = scaled_matrix(p, &p->h, false, 0, l, &room);
        own->w = scaled_rows(p, p->w, 0, l, &room);
    } else {
        own->delassus.value = scaled_matrix(p, &p->delassus, true, k, l, &room);
        own->q = scaled_rows(p, p->q, 0, l, &room);
    }
    if (p->rolling != NULL) {
        own->rolling = scaled(p->rolling, p->contacts, -l, &room);
    }
    if (p->compliance != NULL) {
        own->compliance = scaled_rows(p, p->compliance, k, 2 * l, &room);
    }
    u->known = known != NULL ? scaled_rows(p, known, -k, -l, &room) : NULL;
    return true;
}

void scr_own_units_impulses(const OwnUnits *u, const double *from, double *to) {
    if (to != NULL) {
        scaled_rows(&u->problem, from, u->mass, u->length, &to);
    }
}

void scr_own_units_velocities(const OwnUnits *u, const double *from, double *to) {
    if (to != NULL) {
        scaled_rows(&u->problem, from, 0, -u->length, &to);
    }
}

void scr_own_units_free(OwnUnits *u) {
    scr_block_free(&u->block);
    *u = (OwnUnits){0};
}
