#include "interior/own_units.h"

#include "linear/vector.h"

static double largest_entry(const Sparse *a) {
    return a->columns > 0 ? vector_largest(a->value, (size_t)a->start[a->columns]) : 0;
}

/* The largest mass or, where nothing has one, what loads and velocities make of it. */
static double typical_mass(const MatrixProblem *p) {
    const size_t rows = scr_matrix_rows(p), freedoms = (size_t)p->h.rows;
    if (!p->global) {
        const double w = largest_entry(&p->delassus);
        return w > 0 ? 1 / w : 0;
    }
    const double mass = largest_entry(&p->mass);
    const double load = vector_largest(p->f, freedoms), velocity = vector_largest(p->w, rows);
    return mass > 0 ? mass : velocity > 0 ? load / velocity : 0;
}

MatrixScales scr_own_scales(const MatrixProblem *p, double mass) {
    return (MatrixScales){
        .mass = scr_exponent_of(mass > 0 ? mass : typical_mass(p)),
        .length = p->rolling != NULL ? scr_exponent_of(vector_largest(p->rolling, p->contacts)) : 0,
    };
}
