#include "matrix/problem.h"

#include "law/natural_map.h"
#include "linear/vector.h"

#include <string.h>

bool scr_matrix_problem_begin(MatrixProblem *p, int block, size_t contacts, size_t freedoms,
                              bool global, bool compliance) {
    size_t m = (size_t)block * contacts;
    size_t count = (global ? freedoms + 2 * m : m) + contacts + (block == 5 ? contacts : 0) +
                   (compliance ? m : 0);
    if (!scr_block_reserve_exact(&p->vector_block, count + 1, sizeof(double), 0)) {
        return false;
    }
    if (count > 0) {
        memset(p->vector_block.data, 0, count * sizeof(double));
    }
    double *next = p->vector_block.data;
    p->block = block;
    p->contacts = contacts;
    p->global = global;
    p->local = !global;
    p->q = next;
    p->mu = next + m;
    next += m + contacts;
    p->rolling = block == 5 ? next : NULL;
    next += block == 5 ? contacts : 0;
    p->compliance = compliance ? next : NULL;
    next += compliance ? m : 0;
    p->w = global ? next : NULL;
    p->f = global ? next + m : NULL;
    return true;
}

void scr_matrix_problem_free(MatrixProblem *p) {
    scr_sparse_free(&p->mass);
    scr_sparse_free(&p->h);
    scr_sparse_free(&p->delassus);
    scr_block_free(&p->vector_block);
    *p = (MatrixProblem){0};
}

/* ---------------------------------------------------------------- checks */

static bool is_finite_all(const double *x, size_t count, size_t *where) {
    for (size_t i = 0; i < count; i++) {
        if (!isfinite(x[i])) {
            *where = i;
            return false;
        }
    }
    return true;
}

static bool is_finite_matrix(const Sparse *a, size_t *where) {
    for (int32_t k = 0; k < a->columns; k++) {
        for (int32_t e = a->start[k]; e < a->start[k + 1]; e++) {
            if (!isfinite(a->value[e])) {
                *where = (size_t)k;
                return false;
            }
        }
    }
    return true;
}

/* Rigid bodies with gyroscopic terms give matrices that are unsymmetric by up to a thousandth, and
 * so do printed digits. A difference of more than a tenth of the largest entry means that something
 * else was given. */
static bool is_symmetric_enough(const Sparse *a, size_t *where) {
    double largest = 0, worst = 0;
    int32_t column = 0;
    for (int32_t k = 0; k < a->columns; k++) {
        for (int32_t e = a->start[k]; e < a->start[k + 1]; e++) {
            double difference = fabs(a->value[e] - scr_sparse_entry(a, k, a->row[e]));
            largest = scr_max(largest, fabs(a->value[e]));
            column = difference > worst ? k : column;
            worst = scr_max(worst, difference);
        }
    }
    bool enough = worst <= 0.1 * largest;
    *where = enough ? *where : (size_t)column;
    return enough;
}

static const char unsymmetric_w[] =
    "W is unsymmetric by more than a tenth of its largest entry: is only one half of it given?";
static const char unsymmetric_m[] =
    "M is unsymmetric by more than a tenth of its largest entry: is only one half of it given?";

static const char *fault_of_square(const Sparse *a, size_t size, size_t *where, const char *shape,
                                   const char *finite, const char *symmetric) {
    if ((size_t)a->rows != size || (size_t)a->columns != size) {
        return shape;
    }
    return !is_finite_matrix(a, where) ? finite : !is_symmetric_enough(a, where) ? symmetric : NULL;
}

static const char *fault_of_global(const MatrixProblem *p, size_t *where) {
    size_t m = scr_matrix_rows(p);
    if ((size_t)p->h.columns != m) {
        return "H must have a column for each component of the contacts";
    }
    if (!is_finite_matrix(&p->h, where)) {
        return "H has an entry that is not finite";
    }
    if (!is_finite_all(p->f, (size_t)p->h.rows, where)) {
        return "f has an entry that is not finite";
    }
    if (!is_finite_all(p->w, m, where)) {
        return "w has an entry that is not finite";
    }
    return fault_of_square(&p->mass, (size_t)p->h.rows, where,
                           "M must be square, with as many rows as H",
                           "M has an entry that is not finite", unsymmetric_m);
}

static const char *fault_of_local(const MatrixProblem *p, size_t *where) {
    size_t m = scr_matrix_rows(p);
    if (!is_finite_all(p->q, m, where)) {
        return "q has an entry that is not finite";
    }
    return fault_of_square(&p->delassus, m, where,
                           "W must be square, with a row for each component of the contacts",
                           "W has an entry that is not finite", unsymmetric_w);
}

const char *scr_matrix_problem_fault(const MatrixProblem *p, size_t *where) {
    *where = SIZE_MAX;
    if (p->block != 2 && p->block != 3 && p->block != 5) {
        return "contacts have 2, 3 or 5 components";
    }
    if (!p->global && !p->local) {
        return "the problem has neither a local nor a global form";
    }
    for (size_t c = 0; c < p->contacts; c++) {
        *where = c;
        if (!(p->mu[c] >= 0) || !isfinite(p->mu[c])) {
            return "mu must be finite and not negative";
        }
        if (p->rolling != NULL && (!(p->rolling[c] >= 0) || !isfinite(p->rolling[c]))) {
            return "mu_r must be finite and not negative";
        }
    }
    *where = SIZE_MAX;
    for (size_t i = 0; p->compliance != NULL && i < scr_matrix_rows(p); i++) {
        if (!(p->compliance[i] >= 0) || !isfinite(p->compliance[i])) {
            *where = i;
            return "compliance must be finite and not negative";
        }
    }
    const char *fault = p->global ? fault_of_global(p, where) : NULL;
    return fault == NULL && p->local ? fault_of_local(p, where) : fault;
}

/* ---------------------------------------------------------------- projection */

/* The n >= 0 that minimises (n - x)^2 + (T - a n)_+^2 + (R - b n)_+^2. Half its derivative,
 *     g(n) = n - x - a (T - a n)_+ - b (R - b n)_+,
 * increases with n. Without its (.)_+ it could only be larger, so its zero lies beyond that of the
 * linear form, and a bound that is satisfied there is satisfied at the zero, too. */
static double nearest_normal(double x, double a, double t, double b, double r) {
    double n = (x + a * t + b * r) / (1 + a * a + b * b);
    if (!(n > 0)) {
        return 0;
    }
    bool free_t = a * n >= t, free_r = b * n >= r;
    if (free_t && !free_r) {
        n = (x + b * r) / (1 + b * b);
        free_r = b * n >= r;
    } else if (free_r && !free_t) {
        n = (x + a * t) / (1 + a * a);
        free_t = a * n >= t;
    }
    return free_t && free_r ? x : n;
}

static void project5(double mu, double rolling, const double *x, double *y) {
    double t = law_norm2(x[1], x[2]), r = law_norm2(x[3], x[4]);
    double n = nearest_normal(x[0], mu, t, rolling, r);
    double shrink_t = t > mu * n ? mu * n / t : 1, shrink_r = r > rolling * n ? rolling * n / r : 1;
    y[0] = n;
    y[1] = shrink_t * x[1];
    y[2] = shrink_t * x[2];
    y[3] = shrink_r * x[3];
    y[4] = shrink_r * x[4];
}

void scr_matrix_project(int block, double mu, double rolling, const double *x, double *y) {
    if (block == 5) {
        project5(mu, rolling, x, y);
    } else if (block == 3) {
        law_cone_project3(mu, x, y);
    } else {
        law_cone_project2(mu, x, y);
    }
}

/* ---------------------------------------------------------------- residual */

/* e = r - P(r - rho s') of a block. `length` makes torques and impulses comparable: m / length is
 * an impulse, and length times a spin is a velocity. */
static void natural_map(int block, double mu, double rolling, double rho, double length,
                        const double *r, const double *s, double *e) {
    double x[MATRIX_LARGEST_BLOCK] = {0}, scaled[MATRIX_LARGEST_BLOCK];
    double corrected = s[0] + mu * (block == 2 ? fabs(s[1]) : law_norm2(s[1], s[2])) +
                       (block == 5 ? rolling * law_norm2(s[3], s[4]) : 0);
    for (int k = 0; k < block; k++) {
        double unit = k >= 3 ? length : 1;
        scaled[k] = r[k] / unit;
        x[k] = scaled[k] - rho * unit * (k == 0 ? corrected : s[k]);
    }
    scr_matrix_project(block, mu, rolling / length, x, e);
    for (int k = 0; k < block; k++) {
        e[k] = scaled[k] - e[k];
    }
}

static void law_velocity(const MatrixProblem *p, size_t c, const double *r, const double *u,
                         double *s) {
    size_t first = c * (size_t)p->block;
    for (int k = 0; k < p->block; k++) {
        size_t i = first + (size_t)k;
        s[k] = u[i] + (p->compliance != NULL ? p->compliance[i] * r[i] : 0);
    }
}

void scr_matrix_contact_error(const MatrixProblem *p, size_t c, double rho, const double *r,
                              const double *u, double *e) {
    double s[MATRIX_LARGEST_BLOCK];
    law_velocity(p, c, r, u, s);
    natural_map(p->block, p->mu[c], p->rolling != NULL ? p->rolling[c] : 0, rho, 1,
                r + c * (size_t)p->block, s, e);
}

/* Mean diagonals of a block of W (and C), for the impulses and for the torques. */
static void mean_diagonal(const MatrixProblem *p, size_t c, double *impulse, double *torque) {
    int32_t first = (int32_t)c * p->block;
    int plain = p->block == 5 ? 3 : p->block;
    *impulse = *torque = 0;
    for (int32_t k = 0; k < p->block; k++) {
        double entry = scr_sparse_entry(&p->delassus, first + k, first + k) +
                       (p->compliance != NULL ? p->compliance[first + k] : 0);
        *(k < plain ? impulse : torque) += entry / (k < plain ? plain : 2);
    }
}

/* The sums that make up the dimensionless measure. */
typedef struct Relative {
    double error, impulse, asked;
} Relative;

static void add_relative(const MatrixProblem *p, size_t c, const double *r, const double *s,
                         Relative *sum) {
    double impulse, torque, e[MATRIX_LARGEST_BLOCK];
    mean_diagonal(p, c, &impulse, &torque);
    double rho = impulse > 0 ? 1 / impulse : 0;
    double length = impulse > 0 && torque > 0 ? sqrt(impulse / torque) : 1;
    const double *q = p->q + c * (size_t)p->block;
    natural_map(p->block, p->mu[c], p->rolling != NULL ? p->rolling[c] : 0, rho, length, r, s, e);
    for (int k = 0; k < p->block; k++) {
        double unit = k >= 3 ? length : 1;
        sum->error += e[k] * e[k];
        sum->impulse += r[k] / unit * (r[k] / unit);
        sum->asked += rho * unit * q[k] * (rho * unit * q[k]);
    }
}

static MatrixResidual judge(const MatrixProblem *p, const double *r, double *u, bool all) {
    size_t m = scr_matrix_rows(p);
    Relative relative = {0};
    double error = 0, s[MATRIX_LARGEST_BLOCK], e[MATRIX_LARGEST_BLOCK];
    if (m > 0) {
        memcpy(u, p->q, m * sizeof *u);
        scr_sparse_multiply(&p->delassus, 1, r, u);
    }
    for (size_t c = 0; c < p->contacts; c++) {
        const double *of_contact = r + c * (size_t)p->block;
        law_velocity(p, c, r, u, s);
        natural_map(p->block, p->mu[c], p->rolling != NULL ? p->rolling[c] : 0, 1, 1, of_contact, s,
                    e);
        error += vector_dot(e, e, (size_t)p->block);
        if (all) {
            add_relative(p, c, of_contact, s, &relative);
        }
    }
    double q = vector_norm(p->q, m), scale = scr_max(vector_norm(r, m), vector_norm(u, m));
    double natural = sqrt(error), asked = sqrt(scr_max(relative.impulse, relative.asked));
    scale = scr_max(scale, q);
    return (MatrixResidual){natural / (scale > 0 ? scale : 1), natural / (q > 0 ? q : 1),
                            natural / (1 + sqrt(q)), sqrt(relative.error) / (asked > 0 ? asked : 1),
                            INFINITY};
}

MatrixResidual scr_matrix_residual(const MatrixProblem *p, const double *r, double *u) {
    return judge(p, r, u, true);
}

MatrixResidual scr_matrix_residual_plain(const MatrixProblem *p, const double *r, double *u) {
    return judge(p, r, u, false);
}
