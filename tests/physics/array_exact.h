/* The array of disks of Radjai, Schafer, Dippel and Wolf (1997) in continuous time, for comparison:
 * between two events all accelerations are constant, and an event is the end or the beginning of
 * sliding at a contact.
 *
 * Disks 0 to L - 1 lie side by side on a plane (radius, mass, gravity 1, inertia 1/2); the first is
 * pushed by a massless block with `push`, the last is braked by one with `brake`. No contact opens,
 * so they share the velocity v and have their own spins w_i. The unknowns are the 2 L + 1 frictions
 * t_c; everything else is linear in them:
 *   plane i (contact i): t on the disk along x, slip s = v + w_i
 *   pair j (contact L + j): t on disk j + 1 along y, s = -(w_j + w_{j+1})
 *   pushing block (2 L - 1): t on disk 0 along y, s = -w_0
 *   braking block (2 L): t on disk L - 1 along y, s = w_{L-1}
 *   L a = push - brake + sum of plane frictions,
 *   w_i' = 2 (T_i - t_{i-1} - t_i [- t_push] [+ t_brake]),
 *   n_i = 1 - t_{i-1} + t_i [- t_push] [- t_brake],
 *   N_j = push + sum_{i <= j} T_i - (j + 1) a.
 *
 * Coulomb's law in the dynamic sense (RSDW 1): t = -sgn(s) mu N where s is not zero; where it is, x
 * = t + mu N >= 0 and y = mu N - t >= 0, and s' = p - m with p >= 0 only if x = 0, m >= 0 only if y
 * = 0. With t eliminated in favour of x this is a linear complementarity problem for (x, m), solved
 * here by Lemke's method: nothing that the simulation knows of. */
#ifndef SCREE_TESTS_ARRAY_EXACT_H
#define SCREE_TESTS_ARRAY_EXACT_H

#include "rig.h"

typedef struct Array {
    int count; /* number of disks */
    double push, brake;
    double mu, mu_plane, mu_block; /* disk on disk, on the plane, on the blocks */
} Array;

/* A linear function of the frictions: constant and coefficients, 1 + contacts numbers. */
typedef struct ArrayExact {
    Array a;
    int contacts;
    double *mu, *normal,
        *slip;          /* friction; forces N_c and accelerations s_c' as linear functions */
    double time, v, *w; /* the state */
    int *sense;         /* -1, 1: slides that way; 0: does not slide */
    double *t, *rate;   /* frictions and s_c' now */
    double acceleration;
    double least_normal; /* least normal force of all contacts, now */
    bool valid;          /* the law holds everywhere */
} ArrayExact;

static inline double *exact_numbers(size_t n) {
    double *p = calloc(n, sizeof *p);
    if (p == NULL) {
        abort();
    }
    return p;
}

/* Adds the effect of contact c on the spins of its disks to a linear function. */
static inline void exact_spin(const ArrayExact *e, double *row, int disk, double sign) {
    int L = e->a.count;
    double *t = row + 1;
    t[disk] += 2 * sign;
    if (disk > 0) {
        t[L + disk - 1] -= 2 * sign;
    }
    if (disk < L - 1) {
        t[L + disk] -= 2 * sign;
    }
    if (disk == 0) {
        t[2 * L - 1] -= 2 * sign;
    }
    if (disk == L - 1) {
        t[2 * L] += 2 * sign;
    }
}
static inline void exact_drive(const ArrayExact *e, double *row, double sign) {
    int L = e->a.count;
    row[0] += sign * (e->a.push - e->a.brake) / L;
    for (int i = 0; i < L; i++) {
        row[1 + i] += sign / L;
    }
}

static inline void exact_rows(ArrayExact *e) {
    int L = e->a.count, width = 1 + e->contacts;
    for (int i = 0; i < L; i++) { /* the plane */
        double *n = e->normal + i * width, *s = e->slip + i * width;
        n[0] = 1;
        if (i > 0) {
            n[1 + L + i - 1] -= 1;
        }
        if (i < L - 1) {
            n[1 + L + i] += 1;
        }
        n[1 + 2 * L - 1] -= i == 0;
        n[1 + 2 * L] -= i == L - 1;
        exact_drive(e, s, 1);
        exact_spin(e, s, i, 1);
        e->mu[i] = e->a.mu_plane;
    }
    for (int j = 0; j < L - 1; j++) { /* pairs */
        double *n = e->normal + (L + j) * width, *s = e->slip + (L + j) * width;
        n[0] = e->a.push;
        for (int i = 0; i <= j; i++) {
            n[1 + i] += 1;
        }
        exact_drive(e, n, -(j + 1));
        exact_spin(e, s, j, -1);
        exact_spin(e, s, j + 1, -1);
        e->mu[L + j] = e->a.mu;
    }
    e->normal[(2 * L - 1) * width] = e->a.push;
    e->normal[2 * L * width] = e->a.brake;
    exact_spin(e, e->slip + (2 * L - 1) * width, 0, -1);
    exact_spin(e, e->slip + 2 * L * width, L - 1, 1);
    e->mu[2 * L - 1] = e->mu[2 * L] = e->a.mu_block;
}

static inline ArrayExact exact_create(const Array *a) {
    ArrayExact e = {.a = *a, .contacts = 2 * a->count + 1};
    size_t n = (size_t)e.contacts;
    e.mu = exact_numbers(n);
    e.normal = exact_numbers(n * (n + 1));
    e.slip = exact_numbers(n * (n + 1));
    e.w = exact_numbers((size_t)a->count);
    e.t = exact_numbers(n);
    e.rate = exact_numbers(n);
    e.sense = calloc(n, sizeof *e.sense);
    if (e.sense == NULL) {
        abort();
    }
    exact_rows(&e);
    return e;
}
static inline void exact_destroy(ArrayExact *e) {
    free(e->mu);
    free(e->normal);
    free(e->slip);
    free(e->w);
    free(e->t);
    free(e->rate);
    free(e->sense);
}

static inline double exact_value(const double *row, const double *t, int n) {
    double sum = row[0];
    for (int c = 0; c < n; c++) {
        sum += row[1 + c] * t[c];
    }
    return sum;
}
static inline double exact_slip(const ArrayExact *e, int c) {
    int L = e->a.count;
    return c < L            ? e->v + e->w[c]
           : c < 2 * L - 1  ? -(e->w[c - L] + e->w[c - L + 1])
           : c == 2 * L - 1 ? -e->w[0]
                            : e->w[L - 1];
}

/* ---------------------------------------------------------------- linear algebra */

/* Solves the n x n system in the first columns of `m` for all other columns, with row pivots. */
static inline void exact_solve(double *m, int n, int width) {
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k + 1; i < n; i++) {
            best = fabs(m[i * width + k]) > fabs(m[best * width + k]) ? i : best;
        }
        for (int j = 0; j < width && best != k; j++) {
            double old = m[k * width + j];
            m[k * width + j] = m[best * width + j];
            m[best * width + j] = old;
        }
        double pivot = 1 / m[k * width + k];
        for (int j = k; j < width; j++) {
            m[k * width + j] *= pivot;
        }
        for (int i = 0; i < n; i++) {
            double factor = m[i * width + k];
            for (int j = k; j < width && i != k && factor != 0; j++) {
                m[i * width + j] -= factor * m[k * width + j];
            }
        }
    }
}

/* One exchange of Lemke's method: column `in` enters in row `out`. */
static inline void lemke_pivot(double *m, int n, int width, int out, int in) {
    double *top = m + (size_t)out * (size_t)width, pivot = 1 / top[in];
    for (int j = 0; j < width; j++) {
        top[j] *= pivot;
    }
    for (int i = 0; i < n; i++) {
        double *row = m + (size_t)i * (size_t)width, factor = row[in];
        for (int j = 0; j < width && i != out && factor != 0; j++) {
            row[j] -= factor * top[j];
        }
    }
}

/* w = M z + q, w, z >= 0, w z = 0. `M` is n x n, `z` receives the solution; false when the method
 * ends on a ray. Tableau: columns w (0 to n), z (n to 2 n), z0, right side. The right side is
 * perturbed in the thirteenth digit to break ties. */
static inline bool lemke(const double *M, const double *q, int n, double *z) {
    if (n == 0) {
        return true;
    }
    int width = 2 * n + 2, in = 2 * n, out = 0;
    double *m = exact_numbers((size_t)n * (size_t)width);
    int *basis = calloc((size_t)n + 1, sizeof *basis);
    if (basis == NULL) {
        abort();
    }
    for (int i = 0; i < n; i++) {
        double *row = m + (size_t)i * (size_t)width;
        for (int j = 0; j < n; j++) {
            row[n + j] = -M[i * n + j];
        }
        row[i] = 1;
        row[2 * n] = -1;
        row[2 * n + 1] = q[i] + 1e-13 * (1 + (i * 37 % 101) / 101.0);
        basis[i] = i;
        out = row[2 * n + 1] < m[(size_t)out * (size_t)width + 2 * (size_t)n + 1] ? i : out;
    }
    bool done = m[(size_t)out * (size_t)width + 2 * (size_t)n + 1] >= 0, ray = false;
    for (int pivots = 0; !done && !ray && pivots < 50 * n; pivots++) {
        lemke_pivot(m, n, width, out, in);
        int left = basis[out];
        basis[out] = in;
        in = left < n ? left + n : left - n;
        done = left == 2 * n;
        out = -1;
        double least = INFINITY;
        for (int i = 0; i < n && !done; i++) {
            const double *row = m + (size_t)i * (size_t)width;
            double ratio = row[in] > 1e-11 ? row[2 * n + 1] / row[in] : INFINITY;
            if (ratio < least || (ratio == least && ratio < INFINITY && basis[i] == 2 * n)) {
                least = ratio;
                out = i;
            }
        }
        ray = !done && out < 0;
    }
    for (int i = 0; i < n; i++) {
        z[i] = 0;
    }
    for (int i = 0; i < n; i++) {
        if (basis[i] >= n && basis[i] < 2 * n) {
            z[basis[i] - n] = m[(size_t)i * (size_t)width + 2 * (size_t)n + 1];
        }
    }
    free(m);
    free(basis);
    return done;
}

/* ---------------------------------------------------------------- forces */

/* Frictions as linear functions of the x of the contacts that do not slide: the constant in column
 * 0, then one column for each. */
static inline double *exact_eliminate(const ArrayExact *e, const int *zero, int zeros) {
    int n = e->contacts, width = n + 1 + zeros;
    double *m = exact_numbers((size_t)n * (size_t)width);
    for (int c = 0; c < n; c++) {
        double *row = m + c * width, part = (e->sense[c] == 0 ? 1 : e->sense[c]) * e->mu[c];
        const double *normal = e->normal + c * (n + 1);
        for (int j = 0; j < n; j++) {
            row[j] = (j == c) + part * normal[1 + j];
        }
        row[n] = -part * normal[0];
    }
    for (int k = 0; k < zeros; k++) {
        m[zero[k] * width + n + 1 + k] = 1;
    }
    exact_solve(m, n, width);
    return m;
}

/* row . t as a linear function of x. */
static inline void exact_compose(const ArrayExact *e, const double *row, const double *m, int zeros,
                                 double *out) {
    int n = e->contacts, width = n + 1 + zeros;
    for (int k = 0; k <= zeros; k++) {
        double sum = k == 0 ? row[0] : 0;
        for (int j = 0; j < n; j++) {
            sum += row[1 + j] * m[j * width + n + k];
        }
        out[k] = sum;
    }
}

/* Solves the complementarity problem of the contacts that do not slide: x in the first part of
 * `z`. */
static inline bool exact_settle(const ArrayExact *e, const double *m, const int *zero, int zeros,
                                double *z) {
    int n = e->contacts, size = 2 * zeros;
    double *line = exact_numbers((size_t)zeros + 1), *q = exact_numbers((size_t)size + 1);
    double *M = exact_numbers((size_t)(size * size + 1));
    for (int k = 0; k < zeros; k++) {
        int c = zero[k];
        exact_compose(e, e->slip + c * (n + 1), m, zeros, line);
        q[k] = line[0];
        for (int j = 0; j < zeros; j++) {
            M[k * size + j] = line[1 + j];
        }
        M[k * size + zeros + k] = 1;
        exact_compose(e, e->normal + c * (n + 1), m, zeros, line);
        q[zeros + k] = 2 * e->mu[c] * line[0];
        for (int j = 0; j < zeros; j++) {
            M[(zeros + k) * size + j] = 2 * e->mu[c] * line[1 + j] - (j == k);
        }
    }
    bool solved = lemke(M, q, size, z);
    free(line);
    free(q);
    free(M);
    return solved;
}

/* Frictions and accelerations for the present senses of sliding. Contacts that begin to slide get
 * their sense. */
static inline void exact_forces(ArrayExact *e) {
    int n = e->contacts, zeros = 0;
    int *zero = calloc((size_t)n + 1, sizeof *zero);
    for (int c = 0; c < n && zero != NULL; c++) {
        zero[zeros] = c;
        zeros += e->sense[c] == 0;
    }
    double *m = exact_eliminate(e, zero, zeros), *z = exact_numbers(2 * (size_t)zeros + 1);
    e->valid = exact_settle(e, m, zero, zeros, z);
    for (int c = 0; c < n; c++) {
        const double *row = m + c * (n + 1 + zeros) + n;
        e->t[c] = row[0];
        for (int k = 0; k < zeros; k++) {
            e->t[c] += row[1 + k] * z[k];
        }
    }
    e->least_normal = INFINITY;
    for (int c = 0; c < n; c++) {
        double N = exact_value(e->normal + c * (n + 1), e->t, n), rate;
        e->rate[c] = rate = exact_value(e->slip + c * (n + 1), e->t, n);
        e->least_normal = fmin(e->least_normal, N);
        if (e->sense[c] == 0) { /* checks the law once more */
            bool full = fabs(e->t[c] + copysign(e->mu[c] * N, rate)) < 1e-9;
            e->valid = e->valid && fabs(e->t[c]) <= e->mu[c] * N + 1e-9;
            e->valid = e->valid && (fabs(rate) < 1e-9 || full);
            e->sense[c] = rate > 1e-9 ? 1 : rate < -1e-9 ? -1 : 0;
        }
    }
    double drive = e->a.push - e->a.brake;
    for (int i = 0; i < e->a.count; i++) {
        drive += e->t[i];
    }
    e->acceleration = drive / e->a.count;
    free(zero);
    free(m);
    free(z);
}

/* Friction of the plane over the weight. */
static inline double exact_mu_g(const ArrayExact *e) {
    return (e->a.push - e->a.brake) / e->a.count - e->acceleration;
}

/* Starts from given velocities: which contacts slide, and the forces. */
static inline void exact_start(ArrayExact *e, double v, const double *w) {
    e->time = 0;
    e->v = v;
    memcpy(e->w, w, (size_t)e->a.count * sizeof *w);
    for (int c = 0; c < e->contacts; c++) {
        double s = exact_slip(e, c);
        e->sense[c] = s > 1e-12 ? 1 : s < -1e-12 ? -1 : 0;
    }
    exact_forces(e);
}

/* When the next sliding velocity vanishes; infinite in the steady state. */
static inline double exact_next(const ArrayExact *e) {
    double next = INFINITY;
    for (int c = 0; c < e->contacts; c++) {
        double s = exact_slip(e, c);
        if (e->sense[c] * e->rate[c] < -1e-12) { /* at once, where two vanish at the same time */
            next = fmin(next, fmax(0, -s / e->rate[c]));
        }
    }
    return e->time + next;
}

/* Advances to that time and finds the new forces. */
static inline void exact_advance(ArrayExact *e, double until) {
    double dt = until - e->time;
    for (int c = 0; c < e->contacts; c++) {
        double s = exact_slip(e, c) + e->rate[c] * dt;
        bool meets = e->sense[c] * e->rate[c] < -1e-12 && e->sense[c] * s <= 1e-13;
        e->sense[c] = meets ? 0 : e->sense[c];
    }
    int L = e->a.count;
    for (int i = 0; i < L; i++) {
        e->w[i] += dt * (e->rate[i] - e->acceleration);
    }
    e->v += dt * e->acceleration;
    e->time = until;
    exact_forces(e);
}

#endif
