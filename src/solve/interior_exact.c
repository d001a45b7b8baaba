#include "solve/interior_exact.h"

#include <string.h>

static double dot(const double *x, const double *y, size_t count) {
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        sum += x[i] * y[i];
    }
    return sum;
}

static void add(double factor, const double *x, double *y, size_t count) {
    for (size_t i = 0; i < count; i++) {
        y[i] += factor * x[i];
    }
}

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

/* The small least-squares problem of GMRES, by Givens rotations. */
typedef struct Hessenberg {
    double column[INTERIOR_BASIS][INTERIOR_BASIS + 1];
    double cosine[INTERIOR_BASIS], sine[INTERIOR_BASIS], right[INTERIOR_BASIS + 1];
} Hessenberg;

/* Takes column j, turns it, and returns the error that is left. */
static double take_column(Hessenberg *h, int j) {
    double *column = h->column[j];
    for (int k = 0; k < j; k++) {
        double upper = h->cosine[k] * column[k] + h->sine[k] * column[k + 1];
        column[k + 1] = h->cosine[k] * column[k + 1] - h->sine[k] * column[k];
        column[k] = upper;
    }
    double length = hypot(column[j], column[j + 1]);
    h->cosine[j] = length > 0 ? column[j] / length : 1;
    h->sine[j] = length > 0 ? column[j + 1] / length : 0;
    column[j] = length;
    h->right[j + 1] = -h->sine[j] * h->right[j];
    h->right[j] *= h->cosine[j];
    return fabs(h->right[j + 1]);
}

/* right becomes the coefficients of the basis. */
static void solve_triangle(Hessenberg *h, int count) {
    for (int k = count - 1; k >= 0; k--) {
        for (int j = k + 1; j < count; j++) {
            h->right[k] -= h->column[j][k] * h->right[j];
        }
        h->right[k] = h->column[k][k] != 0 ? h->right[k] / h->column[k][k] : 0;
    }
}

bool scr_interior_agree(const InteriorSystem *system, const double *s, const double *ds,
                        InteriorStep *step, void *context, double *basis) {
    const double enough = 1e-6;
    size_t n = system->problem->contacts;
    double *first = basis + (INTERIOR_BASIS - 2) * n, *x = first + n;
    Hessenberg h;
    memset(x, 0, n * sizeof *x);
    if (!step(context, x)) {
        return false;
    }
    scr_interior_dilation_step(system, s, ds, first); /* g(0); then g(x) = g(0) + J x */
    double size = sqrt(dot(first, first, n)), error = size;
    h.right[0] = size;
    int count = 0;
    for (size_t i = 0; i < n; i++) {
        basis[i] = size > 0 ? first[i] / size : 0;
    }
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
            double part = dot(next, basis + (size_t)k * n, n);
            h.column[count][k] = part;
            add(-part, basis + (size_t)k * n, next, n);
        }
        double length = sqrt(dot(next, next, n));
        h.column[count][count + 1] = length;
        for (size_t i = 0; i < n; i++) {
            next[i] = length > 0 ? next[i] / length : 0;
        }
        error = take_column(&h, count++);
    }
    solve_triangle(&h, count);
    for (int k = 0; k < count; k++) {
        add(h.right[k], basis + (size_t)k * n, x, n);
    }
    return step(context, x);
}
