#include "interior/exact.h"

#include "interior/krylov.h"
#include "linear/vector.h"

#include <string.h>

void scr_interior_dilation(const InteriorSystem *system, const double *s, double *out) {
    const MatrixProblem *p = system->problem;
    for (size_t c = 0; c < p->contacts; c++) {
        out[c] = 0;
        for (int32_t i = system->cone_start[c]; i < system->cone_start[c + 1]; i++) {
            const Cone *cone = &system->cone[i];
            double z[CONE_MOST];
            cone_z(cone, s + c * (size_t)p->block, cone->lead, z);
            double length = cone_length(z, cone->size);
            out[c] += cone->mu * length * (length / z[0]);
        }
    }
}

void scr_interior_dilation_step(const InteriorSystem *system, const double *s, const double *ds,
                                double *out) {
    const MatrixProblem *p = system->problem;
    for (size_t c = 0; c < p->contacts; c++) {
        out[c] = 0;
        for (int32_t i = system->cone_start[c]; i < system->cone_start[c + 1]; i++) {
            const Cone *cone = &system->cone[i];
            double z[CONE_MOST], dz[CONE_MOST];
            cone_z(cone, s + c * (size_t)p->block, cone->lead, z);
            cone_z(cone, ds + c * (size_t)p->block, cone->dlead, dz);
            for (int j = 1; j < cone->size; j++) {
                double t = z[j] / z[0];
                out[c] += cone->mu * t * (2 * dz[j] - t * dz[0]);
            }
        }
    }
}

bool scr_interior_agree(const InteriorSystem *system, const double *s, const double *ds,
                        InteriorStep *step, void *context, double *basis) {
    const double enough = 1e-6;
    size_t n = system->problem->contacts;
    double *first = basis + (INTERIOR_BASIS - 2) * n, *x = first + n;
    Krylov h;
    memset(x, 0, n * sizeof *x);
    if (!step(context, x)) {
        return false;
    }
    scr_interior_dilation_step(system, s, ds, first); /* this is g(0); then g(x) = g(0) + J x */
    double size = vector_norm(first, n), error = size;
    h.right[0] = size;
    int count = 0;
    /* The vectors of the basis are as long as g(0), so that J x is a difference of numbers of about
     * its own size, in any units. */
    memcpy(basis, first, n * sizeof *basis);
    while (count < INTERIOR_BASIS - 3 && error > enough * size) {
        double *old = basis + (size_t)count * n, *next = old + n;
        if (!step(context, old)) {
            return false;
        }
        scr_interior_dilation_step(system, s, ds, next);
        for (size_t i = 0; i < n; i++) {
            next[i] = old[i] - (next[i] - first[i]); /* (1 - J) old */
        }
        for (int k = 0; k <= count; k++) {
            double part = vector_dot(next, basis + (size_t)k * n, n) / size / size;
            h.column[count][k] = part;
            vector_add(-part, basis + (size_t)k * n, next, n);
        }
        double length = vector_norm(next, n) / size;
        h.column[count][count + 1] = length;
        for (size_t i = 0; i < n; i++) {
            next[i] = length > 0 ? next[i] / length : 0;
        }
        error = scr_krylov_column(&h, count++);
    }
    scr_krylov_solve(&h, count);
    for (int k = 0; k < count; k++) {
        vector_add(h.right[k] / size, basis + (size_t)k * n, x, n);
    }
    return step(context, x);
}
