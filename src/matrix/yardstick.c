#include "matrix/yardstick.h"

#include "law/slip.h"
#include "linear/parts.h"
#include "linear/vector.h"

#include <float.h>
#include <string.h>

static int first_of(int part) {
    return part == 0 ? 0 : 2 * part - 1;
}

static int size_of(const MatrixProblem *p, int part) {
    return part == 0 || p->block == 2 ? 1 : 2;
}

static double part_norm(const MatrixProblem *p, int part, const double *of_contact) {
    const double *x = of_contact + first_of(part);
    return size_of(p, part) == 1 ? fabs(x[0]) : law_norm2(x[0], x[1]);
}

static double mean_diagonal(const MatrixProblem *p, size_t contact, int part) {
    double sum = 0;
    int size = size_of(p, part);
    for (int k = 0; k < size; k++) {
        int32_t i = (int32_t)contact * p->block + first_of(part) + k;
        sum += scr_sparse_entry(&p->delassus, i, i) + (p->compliance ? p->compliance[i] : 0);
    }
    return sum / size;
}

/* Velocities of torques are spins times the length. */
static double unit_of(const MatrixYardstick *y, size_t contact, int part) {
    return part == 2 ? y->length[contact] : 1;
}

/* ---------------------------------------------------------------- the scales of the problem */

static void set_masses(MatrixYardstick *y) {
    const MatrixProblem *p = y->problem;
    for (size_t c = 0; c < p->contacts; c++) {
        double w[MATRIX_PARTS_MOST] = {0};
        for (int k = 0; k < y->parts; k++) {
            w[k] = mean_diagonal(p, c, k);
        }
        double force = (w[0] + 2 * w[1]) / 3;
        y->length[c] = y->parts == 3 && force > 0 && w[2] > 0 ? sqrt(force / w[2]) : 1;
        for (int k = 0; k < y->parts; k++) {
            double unit = unit_of(y, c, k), diagonal = w[k] * unit * unit;
            y->mass[c * (size_t)y->parts + (size_t)k] = diagonal > 0 ? 1 / diagonal : 0;
        }
    }
}

/* Sums and maxima over each cluster of connected contacts; `momentum`, `mass`, `most` [clusters]
 * are scratch. */
static void set_velocities(MatrixYardstick *y, const int32_t *cluster, int32_t clusters,
                           double *momentum, double *mass, double *most) {
    const MatrixProblem *p = y->problem;
    for (int32_t k = 0; k < clusters; k++) {
        momentum[k] = mass[k] = most[k] = 0;
    }
    for (size_t c = 0; c < p->contacts; c++) {
        int32_t of = cluster[c];
        for (int k = 0; k < y->parts; k++) {
            double m = y->mass[c * (size_t)y->parts + (size_t)k];
            double q = unit_of(y, c, k) * part_norm(p, k, p->q + c * (size_t)p->block);
            momentum[of] += m * q * (m * q);
            mass[of] += m * m;
            most[of] = scr_max(most[of], q);
        }
    }
    for (size_t c = 0; c < p->contacts; c++) {
        int32_t of = cluster[c];
        y->most[c] = most[of];
        y->least[c] = mass[of] > 0 ? scr_min(sqrt(momentum[of] / mass[of]), most[of]) : most[of];
    }
}

bool scr_matrix_yardstick_make(MatrixYardstick *y, const MatrixProblem *p) {
    size_t n = p->contacts, m = scr_matrix_rows(p);
    Block scratch = {0}, sums = {0};
    y->problem = p;
    y->parts = p->block == 5 ? 3 : 2;
    size_t parts = (size_t)y->parts;
    bool ok = scr_block_reserve(&y->block, parts * n + 3 * n + m + 1, sizeof(double), 0) &&
              scr_block_reserve(&scratch, 2 * n + 1, sizeof(int32_t), 0) &&
              scr_block_reserve(&sums, 3 * n + 1, sizeof(double), 0);
    if (ok) {
        int32_t *parent = scratch.data, *cluster = parent + n;
        double *sum = sums.data;
        y->mass = y->block.data;
        y->length = y->mass + parts * n;
        y->least = y->length + n;
        y->most = y->least + n;
        y->term = y->most + n;
        memset(y->term, 0, m * sizeof *y->term);
        int32_t clusters = scr_sparse_parts(&p->delassus, p->block, parent, cluster);
        set_masses(y);
        set_velocities(y, cluster, clusters, sum, sum + n, sum + 2 * n);
    }
    scr_block_free(&scratch);
    scr_block_free(&sums);
    return ok;
}

void scr_matrix_yardstick_free(MatrixYardstick *y) {
    scr_block_free(&y->block);
    *y = (MatrixYardstick){0};
}

/* ---------------------------------------------------------------- judging */

/* u = W r + q, and the sum of the absolute values of what it is made of; with compliance, the
 * latter has its share as well. */
static void add_up(const MatrixYardstick *y, const double *r, double *u) {
    const MatrixProblem *p = y->problem;
    const Sparse *w = &p->delassus;
    size_t m = scr_matrix_rows(p);
    for (size_t i = 0; i < m; i++) {
        u[i] = p->q[i];
        y->term[i] = fabs(p->q[i]) + (p->compliance ? p->compliance[i] * fabs(r[i]) : 0);
    }
    for (int32_t k = 0; k < w->columns; k++) {
        for (int32_t e = w->start[k]; e < w->start[k + 1]; e++) {
            double part = w->value[e] * r[k];
            u[w->row[e]] += part;
            y->term[w->row[e]] += fabs(part);
        }
    }
}

/* V of a part. Where nothing moves freely, what the impulses alone do is the scale. */
static double velocity_scale(const MatrixYardstick *y, size_t contact, int part) {
    const MatrixProblem *p = y->problem;
    double term =
        unit_of(y, contact, part) * part_norm(p, part, y->term + contact * (size_t)p->block);
    double v =
        y->most[contact] > 0 ? scr_max(y->least[contact], scr_min(term, y->most[contact])) : term;
    return v > 0 ? v : 1;
}

/* What a part is measured with, and how far its velocity may be off by rounding, over V. */
typedef struct PartScale {
    double unit, velocity, impulse, rounding;
} PartScale;

static double rounding_of(const MatrixYardstick *y, size_t contact, int part, double velocity) {
    const double *term = y->term + contact * (size_t)y->problem->block;
    return DBL_EPSILON * unit_of(y, contact, part) * part_norm(y->problem, part, term) / velocity;
}

/* `load` is the least that counts as an impulse there. */
static PartScale scale_of(const MatrixYardstick *y, size_t contact, int part, double load) {
    double v = velocity_scale(y, contact, part);
    double impulse = scr_max(load, y->mass[contact * (size_t)y->parts + (size_t)part] * v);
    return (PartScale){unit_of(y, contact, part), v, impulse > 0 ? impulse : 1,
                       rounding_of(y, contact, part, v)};
}

/* |e_t| of the part with coefficient mu, when `normal` is r~_n. */
static double slip_error(const MatrixProblem *p, const PartScale *by, int part, double mu,
                         double normal, const double *r, const double *s) {
    int first = first_of(part), size = size_of(p, part);
    double x[2] = {0}, to[2] = {0};
    for (int k = 0; k < size; k++) {
        x[k] = r[first + k] / by->unit / by->impulse;
        to[k] = x[k] - s[first + k] * by->unit / by->velocity;
    }
    double bound = mu / by->unit * normal / by->impulse, length = law_norm2(to[0], to[1]);
    double shrink = length > bound ? bound / length : 1;
    return law_norm2(x[0] - shrink * to[0], x[1] - shrink * to[1]);
}

static double contact_error(const MatrixYardstick *y, size_t c, const double *r, const double *u) {
    const MatrixProblem *p = y->problem;
    size_t first = c * (size_t)p->block;
    double s[MATRIX_LARGEST_BLOCK];
    for (int k = 0; k < p->block; k++) {
        size_t i = first + (size_t)k;
        s[k] = u[i] + (p->compliance != NULL ? p->compliance[i] * r[i] : 0);
        if (!isfinite(s[k]) || !isfinite(r[i])) {
            return INFINITY;
        }
    }
    const double *of_contact = r + first;
    PartScale by = scale_of(y, c, 0, fabs(of_contact[0]));
    double e = scr_min(of_contact[0] / by.impulse, s[0] / by.velocity);
    double normal = scr_max(0, of_contact[0] - by.impulse * e), worst = fabs(e) + by.rounding;
    for (int part = 1; part < y->parts; part++) {
        double mu = part == 1 ? p->mu[c] : p->rolling[c], unit = unit_of(y, c, part);
        double held = part_norm(p, part, of_contact) / unit;
        by = scale_of(y, c, part, scr_max(held, mu / unit * fabs(of_contact[0])));
        e = slip_error(p, &by, part, mu, normal, of_contact, s) + by.rounding;
        worst = isfinite(e) ? scr_max(worst, e) : INFINITY;
    }
    return isfinite(worst) ? worst : INFINITY;
}

double scr_matrix_law_error(const MatrixYardstick *y, const double *r, double *u, size_t *worst) {
    double most = 0;
    size_t where = 0;
    add_up(y, r, u);
    for (size_t c = 0; c < y->problem->contacts; c++) {
        double e = contact_error(y, c, r, u);
        where = e > most ? c : where;
        most = scr_max(most, e);
    }
    if (worst != NULL) {
        *worst = where;
    }
    return most;
}

double scr_matrix_law_rounding(const MatrixYardstick *y) {
    double most = 0;
    for (size_t c = 0; c < y->problem->contacts; c++) {
        for (int part = 0; part < y->parts; part++) {
            most = scr_max(most, rounding_of(y, c, part, velocity_scale(y, c, part)));
        }
    }
    return most;
}
