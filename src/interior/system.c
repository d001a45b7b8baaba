#include "interior/system.h"

#include "interior/pattern.h"
#include "interior/krylov.h"
#include "linear/vector.h"

#include <string.h>

enum { MINIMISE = 24 }; /* room for vectors of GMRES, one more than used */

void scr_interior_comply(const MatrixProblem *p, double factor, const double *r, double *y) {
    for (size_t i = 0; p->compliance != NULL && i < scr_matrix_rows(p); i++) {
        y[i] += factor * p->compliance[i] * r[i];
    }
}

/* --- the cones of the contacts --- */

/* Friction takes the components from 1 on, rolling those from 3 on. A coefficient of zero fixes its
 * components at zero and has no cone. */
static int contact_cones(const MatrixProblem *p, size_t contact, Cone *to) {
    int count = 0, group = p->block == 2 ? 1 : 2;
    size_t first = contact * (size_t)p->block;
    if (p->mu[contact] > 0) {
        to[count++] = (Cone){.size = 1 + group, .at = 1, .mu = p->mu[contact], .first = first};
    }
    if (p->block == 5 && p->rolling[contact] > 0) {
        to[count++] = (Cone){.size = 1 + group, .at = 3, .mu = p->rolling[contact], .first = first};
    }
    if (count == 0) {
        to[count++] = (Cone){.size = 1, .at = 1, .mu = 1, .first = first};
    }
    return count;
}

static bool list_cones(InteriorSystem *s, const MatrixProblem *p) {
    size_t most = p->block == 5 ? 2 : 1;
    if (!SCR_RESERVE(s, cone, most * p->contacts) || !SCR_RESERVE(s, cone_start, p->contacts + 1) ||
        !SCR_RESERVE(s, schur, p->contacts)) {
        return false;
    }
    int32_t count = 0;
    for (size_t c = 0; c < p->contacts; c++) {
        s->cone_start[c] = count;
        count += contact_cones(p, c, s->cone + count);
    }
    s->cone_start[p->contacts] = s->cones = count;
    return true;
}

/* Compliance of the normal (at 0) or of a group, whose components are assumed to have the same. */
static double compliance_of(const MatrixProblem *p, size_t contact, int at, int size) {
    double sum = 0;
    for (int k = 0; p->compliance != NULL && k < size; k++) {
        sum += p->compliance[contact * (size_t)p->block + (size_t)(at + k)];
    }
    return sum / size;
}

/* K = C + D^T T^2 D of one contact, with 1 on the diagonal where a component is fixed at zero. */
static void contact_stiffness(const InteriorSystem *s, size_t contact, double *out) {
    const MatrixProblem *p = s->problem;
    int d = p->block;
    bool fixed[MATRIX_LARGEST_BLOCK] = {false, true, true, true, true};
    memset(out, 0, sizeof *out * (size_t)(d * d));
    out[0] = compliance_of(p, contact, 0, 1);
    for (int32_t i = s->cone_start[contact]; i < s->cone_start[contact + 1]; i++) {
        const Cone *c = &s->cone[i];
        double eta = c->eta * c->eta, beta = c->beta * c->beta;
        double half = 0.5 * eta * (beta + 1 / beta), skew = 0.5 * eta * (beta - 1 / beta);
        out[0] += c->mu * c->mu * (c->size == 1 ? eta : half);
        double soft = c->size > 1 ? compliance_of(p, contact, c->at, c->size - 1) : 0;
        for (int j = 0; j + 1 < c->size; j++) {
            int row = c->at + j;
            fixed[row] = false;
            out[row] = out[row * d] = c->mu * skew * c->dir[j];
            for (int k = 0; k + 1 < c->size; k++) {
                out[row * d + c->at + k] =
                    (half - eta) * c->dir[j] * c->dir[k] + (j == k ? eta + soft : 0);
            }
        }
    }
    for (int j = 0; j < d; j++) {
        out[j * d + j] += fixed[j] ? 1 : 0;
    }
}

/* Theta = K^-1 of one contact. Within each group K acts along dir and across it, and the normal is
 * coupled to dir only: an arrow matrix. With h = eta^2 (beta^2 + beta^-2) / 2 and the compliance c
 * of the group, its Schur complement
 *     S = c_n + sum over cones (mu^2 eta^4 + mu^2 h c) / (h + c)
 * has positive terms only, and
 *     Theta = y y^T / S + sum over cones (along dir dir^T + across (1 - dir dir^T)),
 * y = n - sum over cones lean dir. For a sliding contact the first term exceeds the rest by the
 * inverse of the gap squared. So Theta is stored in these parts: as a matrix it would lose the
 * small ones, which tell how far the contact is from the boundary of its cone. */
static void contact_theta(InteriorSystem *s, size_t contact) {
    const MatrixProblem *p = s->problem;
    double schur = compliance_of(p, contact, 0, 1);
    for (int32_t i = s->cone_start[contact]; i < s->cone_start[contact + 1]; i++) {
        Cone *c = &s->cone[i];
        double eta = c->eta * c->eta, beta = c->beta * c->beta;
        if (c->size == 1) {
            schur += eta;
            continue;
        }
        double half = 0.5 * eta * (beta + 1 / beta), skew = 0.5 * eta * (beta - 1 / beta);
        double soft = compliance_of(p, contact, c->at, c->size - 1);
        c->along = 1 / (half + soft);
        c->across = 1 / (eta + soft);
        c->lean = c->mu * skew * c->along;
        schur += c->mu * c->mu * (eta * eta + half * soft) * c->along;
    }
    s->schur[contact] = schur;
}

static double cone_along(const Cone *c, const double *x) {
    double sum = 0;
    for (int k = 0; k + 1 < c->size; k++) {
        sum += c->dir[k] * x[c->at + k];
    }
    return sum;
}

/* y = Theta b for one contact; y must not be b. */
static void apply_contact(const InteriorSystem *s, size_t contact, const double *b, double *y) {
    int32_t first = s->cone_start[contact], end = s->cone_start[contact + 1];
    double normal = b[0];
    for (int32_t i = first; i < end; i++) {
        normal -= s->cone[i].lean * cone_along(&s->cone[i], b);
    }
    normal /= s->schur[contact];
    memset(y, 0, sizeof *y * (size_t)s->problem->block);
    y[0] = normal;
    for (int32_t i = first; i < end; i++) {
        const Cone *c = &s->cone[i];
        double along = cone_along(c, b);
        double change = (c->along - c->across) * along - c->lean * normal;
        for (int k = 0; k + 1 < c->size; k++) {
            y[c->at + k] = c->across * b[c->at + k] + change * c->dir[k];
        }
    }
}

FactorStatus scr_interior_begin(InteriorSystem *s, const MatrixProblem *p) {
    s->problem = p;
    s->rows = scr_matrix_rows(p);
    s->freedoms = p->global ? (size_t)p->h.rows : 0;
    size_t size = p->global ? s->freedoms : s->rows;
    if (!list_cones(s, p) ||
        !scr_block_reserve(&s->error_block, (2 + 2 * MINIMISE) * size + s->rows, sizeof(double),
                           0)) {
        return FACTOR_NO_MEMORY;
    }
    s->error = s->error_block.data;
    s->more = s->error + size;
    s->basis = s->more + size;
    s->change = s->basis + 2 * MINIMISE * size;
    if (!scr_interior_pattern(s)) {
        return FACTOR_NO_MEMORY;
    }
    return scr_factor_analyse(&s->factor, &s->matrix);
}

/* --- values --- */

/* M + H Theta H^T, to which each contact adds its dense G Theta G^T. */
static void assemble_global(InteriorSystem *s) {
    const MatrixProblem *p = s->problem;
    int d = p->block;
    for (size_t c = 0; c < p->contacts; c++) {
        double theta[MATRIX_LARGEST_BLOCK * MATRIX_LARGEST_BLOCK];
        for (int k = 0; k < d; k++) { /* symmetric, so rows may be stored as columns */
            double unit[MATRIX_LARGEST_BLOCK] = {0};
            unit[k] = 1;
            apply_contact(s, c, unit, theta + k * d);
        }
        const double *g = s->touch_value + (size_t)s->touch_start[c] * (size_t)d;
        int32_t touched = s->touch_start[c + 1] - s->touch_start[c];
        const int32_t *slot = s->slot + s->slot_start[c];
        for (int32_t i = 0; i < touched; i++) {
            double row[MATRIX_LARGEST_BLOCK];
            for (int k = 0; k < d; k++) {
                row[k] = 0;
                for (int l = 0; l < d; l++) {
                    row[k] += g[i * d + l] * theta[l * d + k];
                }
            }
            for (int32_t j = 0; j <= i; j++) {
                double sum = 0;
                for (int k = 0; k < d; k++) {
                    sum += row[k] * g[j * d + k];
                }
                s->matrix.value[*slot++] += sum;
            }
        }
    }
    for (int32_t k = 0; k < p->mass.start[p->mass.columns]; k++) {
        if (s->mass_slot[k] >= 0) {
            s->matrix.value[s->mass_slot[k]] += p->mass.value[k];
        }
    }
}

static bool is_fixed(const InteriorSystem *s, int32_t row) {
    int d = s->problem->block, k = row % d;
    if (k == 0) {
        return false;
    }
    int32_t contact = row / d;
    for (int32_t i = s->cone_start[contact]; i < s->cone_start[contact + 1]; i++) {
        const Cone *c = &s->cone[i];
        if (k >= c->at && k < c->at + c->size - 1) {
            return false;
        }
    }
    return true;
}

/* W + K, with the mean of W and its transpose. */
static void assemble_local(InteriorSystem *s) {
    const MatrixProblem *p = s->problem;
    const Sparse *w = &p->delassus;
    const int32_t *slot = s->local_slot;
    for (int32_t j = 0; j < w->columns; j++) {
        bool fixed = is_fixed(s, j);
        for (int32_t k = w->start[j]; k < w->start[j + 1]; k++, slot++) {
            if (!fixed && !is_fixed(s, w->row[k])) {
                s->matrix.value[*slot] += (w->row[k] == j ? 1 : 0.5) * w->value[k];
            }
        }
    }
    int d = p->block;
    for (size_t c = 0; c < p->contacts; c++) {
        double stiffness[MATRIX_LARGEST_BLOCK * MATRIX_LARGEST_BLOCK];
        contact_stiffness(s, c, stiffness);
        for (int j = 0; j < d; j++) {
            for (int k = 0; k <= j; k++) {
                s->matrix.value[*slot++] += stiffness[j * d + k];
            }
        }
    }
}

static FactorStatus factor(InteriorSystem *s) {
    memset(s->matrix.value, 0, sizeof(double) * (size_t)s->matrix.start[s->matrix.columns]);
    if (s->problem->global) {
        assemble_global(s);
    } else {
        assemble_local(s);
    }
    return scr_factor_numeric(&s->factor, &s->matrix, 1e-15);
}

FactorStatus scr_interior_factor_springs(InteriorSystem *s, const double *soft) {
    const MatrixProblem *p = s->problem;
    for (size_t c = 0; c < p->contacts; c++) {
        s->schur[c] = soft[c] + compliance_of(p, c, 0, 1);
        for (int32_t i = s->cone_start[c]; i < s->cone_start[c + 1]; i++) {
            Cone *cone = &s->cone[i];
            int group = cone->size > 1 ? cone->size - 1 : 1;
            cone->eta = sqrt(soft[c]); /* for the local form; leaves out friction in the normal */
            cone->beta = 1;
            cone->dir[0] = 1;
            cone->dir[1] = 0;
            cone->lean = 0;
            cone->along = cone->across = 1 / (soft[c] + compliance_of(p, c, cone->at, group));
        }
    }
    return factor(s);
}

FactorStatus scr_interior_factor(InteriorSystem *s) {
    for (size_t c = 0; c < s->problem->contacts; c++) {
        contact_theta(s, c);
    }
    return factor(s);
}

/* --- solutions --- */

/* y = Theta b; y may be b. */
static void apply_theta(const InteriorSystem *s, const double *b, double *y) {
    size_t d = (size_t)s->problem->block;
    for (size_t c = 0; c < s->problem->contacts; c++) {
        double x[MATRIX_LARGEST_BLOCK];
        memcpy(x, b + c * d, d * sizeof *x);
        apply_contact(s, c, x, y + c * d);
    }
}

/* The error of the momentum, a - M dv + H dr, and its size. */
static double momentum_error(InteriorSystem *s, const double *a, const double *dv,
                             const double *dr) {
    memcpy(s->error, a, s->freedoms * sizeof *a);
    scr_sparse_multiply(&s->problem->mass, -1, dv, s->error);
    scr_sparse_multiply(&s->problem->h, 1, dr, s->error);
    return vector_norm(s->error, s->freedoms);
}

/* Adds a correction ddv together with ddr = -Theta H^T ddv. */
static void correct_by(InteriorSystem *s, const double *ddv, double *dv, double *dr) {
    vector_add(1, ddv, dv, s->freedoms);
    memset(s->change, 0, s->rows * sizeof *s->change);
    scr_sparse_multiply_transposed(&s->problem->h, 1, ddv, s->change);
    apply_theta(s, s->change, s->change);
    vector_add(-1, s->change, dr, s->rows);
}

/* next = (M + H Theta H^T) z, made orthogonal to the vectors before it. */
static void extend_basis(InteriorSystem *s, Krylov *h, int count, const double *z, double *next) {
    size_t n = s->freedoms;
    memset(next, 0, n * sizeof *next);
    memset(s->change, 0, s->rows * sizeof *s->change);
    scr_sparse_multiply_transposed(&s->problem->h, 1, z, s->change);
    apply_theta(s, s->change, s->change);
    scr_sparse_multiply(&s->problem->mass, 1, z, next);
    scr_sparse_multiply(&s->problem->h, 1, s->change, next);
    for (int k = 0; k <= count; k++) {
        const double *old = s->basis + (size_t)k * n;
        double part = vector_dot(old, next, n);
        vector_add(-part, old, next, n);
        h->column[count][k] = part;
    }
    double length = vector_norm(next, n);
    h->column[count][count + 1] = length;
    for (size_t i = 0; i < n; i++) {
        next[i] = length > 0 ? next[i] / length : 0;
    }
}

/* GMRES with the factor as preconditioner, for when refinement alone makes no progress: where
 * stiffnesses differ by more than rounding allows, the factor is wrong for a few motions. */
static bool minimise(InteriorSystem *s, double size, double enough, double *dv, double *dr) {
    size_t n = s->freedoms;
    double *z = s->basis + MINIMISE * n, left = size;
    Krylov h;
    int count = 0;
    h.right[0] = size;
    for (size_t i = 0; i < n; i++) {
        s->basis[i] = s->error[i] / size;
    }
    while (count < MINIMISE - 1 && left > enough) {
        double *step = z + (size_t)count * n;
        if (!scr_factor_solve(&s->factor, s->basis + (size_t)count * n, step)) {
            return false;
        }
        extend_basis(s, &h, count, step, s->basis + (size_t)(count + 1) * n);
        left = scr_krylov_column(&h, count++);
    }
    scr_krylov_solve(&h, count);
    memset(s->more, 0, n * sizeof *s->more);
    for (int k = 0; k < count; k++) {
        vector_add(h.right[k], z + (size_t)k * n, s->more, n);
    }
    correct_by(s, s->more, dv, dr);
    return true;
}

/* Where contacts bear load, Theta is large and dr a small difference of large numbers, and the
 * factor is that of a rounded and shifted matrix. Refinement on the momentum corrects this: a
 * correction ddv comes with ddr = -Theta H^T ddv, which is added to dr and leaves the kinematic
 * equation as it is. (Computing Theta (b - H^T dv) anew would bring the rounding back. Conjugate
 * gradients do worse: motions that nothing resists, loose grains without mass, spoil their
 * products.) */
static bool solve_global(InteriorSystem *s, const double *a, const double *b, double enough,
                         double *dv, double *dr) {
    enum { PASSES = 12, TURNS = 3 };
    apply_theta(s, b, dr);
    memset(dv, 0, s->freedoms * sizeof *dv);
    double size = momentum_error(s, a, dv, dr), last = INFINITY;
    enough = scr_max(enough, 1e-15 * size);
    for (int pass = 0; pass < PASSES && size > enough && size < 0.7 * last; pass++) {
        if (!scr_factor_solve(&s->factor, s->error, s->more)) {
            return false;
        }
        correct_by(s, s->more, dv, dr);
        last = size;
        size = momentum_error(s, a, dv, dr);
    }
    for (int turn = 0; turn < TURNS && size > enough && isfinite(size); turn++) {
        if (!minimise(s, size, enough, dv, dr)) {
            return false;
        }
        last = size;
        size = momentum_error(s, a, dv, dr);
        if (!(size < 0.5 * last)) {
            break;
        }
    }
    return true;
}

/* error = b - (W + K) dr, with K in its parts, see contact_theta. Components fixed at zero have
 * none. */
static double local_error(InteriorSystem *s, const double *b, const double *dr) {
    const MatrixProblem *p = s->problem;
    memcpy(s->error, b, s->rows * sizeof *b);
    scr_sparse_multiply(&p->delassus, -1, dr, s->error);
    scr_interior_comply(p, -1, dr, s->error);
    for (int32_t i = 0; i < s->cones; i++) {
        const Cone *cone = &s->cone[i];
        double x[CONE_MOST], y[CONE_MOST], *error = s->error + cone->first;
        cone_x(cone, dr + cone->first, x);
        cone_scale(cone, cone->eta * cone->eta, cone->beta * cone->beta, x, y);
        error[0] -= cone->mu * y[0];
        for (int k = 1; k < cone->size; k++) {
            error[cone->at + k - 1] -= y[k];
        }
    }
    for (size_t i = 0; i < s->rows; i++) {
        s->error[i] = is_fixed(s, (int32_t)i) ? 0 : s->error[i];
    }
    return vector_norm(s->error, s->rows);
}

/* Solves (W + K) dr = b, with refinement. */
static bool solve_local(InteriorSystem *s, const double *b, double *dr) {
    enum { PASSES = 6 };
    memset(dr, 0, s->rows * sizeof *dr);
    double size = local_error(s, b, dr), last = INFINITY, enough = 1e-15 * size;
    for (int pass = 0; pass < PASSES && size > enough && size < 0.7 * last; pass++) {
        if (!scr_factor_solve(&s->factor, s->error, s->more)) {
            return false;
        }
        vector_add(1, s->more, dr, s->rows);
        last = size;
        size = local_error(s, b, dr);
    }
    return true;
}

bool scr_interior_solve(InteriorSystem *s, const double *a, const double *b, double enough,
                        double *dv, double *dr) {
    return s->problem->global ? solve_global(s, a, b, enough, dv, dr) : solve_local(s, b, dr);
}

void scr_interior_system_free(InteriorSystem *s) {
    SCR_FREE_BLOCKS(&s->cone_block, &s->cone_start_block, &s->schur_block, &s->touch_start_block,
                    &s->touch_row_block, &s->slot_block, &s->slot_start_block, &s->mass_slot_block,
                    &s->touch_value_block, &s->local_slot_block, &s->seen_start_block,
                    &s->seen_row_block, &s->seen_mass_block, &s->error_block, &s->entry_block);
    scr_sparse_free(&s->matrix);
    scr_factor_free(&s->factor);
    *s = (InteriorSystem){0};
}
