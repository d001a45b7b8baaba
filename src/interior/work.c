#include "interior/work.h"

#include "interior/exact.h"
#include "linear/vector.h"

#include <string.h>

FactorStatus scr_interior_work_begin(InteriorWork *k, const MatrixProblem *p) {
    FactorStatus status = scr_interior_begin(&k->system, p);
    size_t n = k->system.freedoms, m = k->system.rows;
    size_t count = 5 * n + 8 * m + p->contacts;
    if (status != FACTOR_DONE) {
        return status;
    }
    if (!scr_block_reserve(&k->block, count + 1, sizeof(double), 0) ||
        (k->exact && !scr_block_reserve(&k->basis_block, INTERIOR_BASIS * p->contacts + 1,
                                        sizeof(double), 0))) {
        return FACTOR_NO_MEMORY;
    }
    memset(k->block.data, 0, count * sizeof(double));
    double *to = k->block.data;
    double **of_freedoms[] = {&k->v, &k->r1, &k->a, &k->dv, &k->best_v};
    double **of_rows[] = {&k->r, &k->s, &k->r2, &k->b, &k->dr, &k->ds, &k->best_r, &k->best_s};
    for (size_t i = 0; i < 5; i++, to += n) {
        *of_freedoms[i] = to;
    }
    for (size_t i = 0; i < 8; i++, to += m) {
        *of_rows[i] = to;
    }
    k->offset = to;
    return FACTOR_DONE;
}

void scr_interior_work_free(InteriorWork *k) {
    scr_interior_system_free(&k->system);
    scr_matrix_units_free(&k->unit);
    scr_block_free(&k->block);
    scr_block_free(&k->basis_block);
    *k = (InteriorWork){0};
}

/* --- start --- */

/* What relates velocities to impulses where no mass does: the units, or w and f. */
static double given_softness(const InteriorWork *k) {
    const MatrixProblem *p = k->system.problem;
    if (k->force > 0 && k->velocity > 0) {
        return k->velocity / k->force;
    }
    double force = p->global ? vector_norm(p->f, (size_t)p->h.rows) : 0;
    double velocity = vector_norm(p->global ? p->w : p->q, scr_matrix_rows(p));
    return force > 0 && velocity > 0 ? velocity / force : 0;
}

/* Velocity over impulse of each contact alone: the normal diagonal of W, as far as masses determine
 * it, plus the compliance; without masses at least the softness above. */
static void find_softness(const InteriorWork *k, double *soft) {
    const MatrixProblem *p = k->system.problem;
    double most = 0, given = given_softness(k);
    for (size_t c = 0; c < p->contacts; c++) {
        int32_t column = (int32_t)c * p->block;
        double inertial = p->global ? 0 : scr_sparse_entry(&p->delassus, column, column);
        for (int32_t e = p->global ? p->h.start[column] : 0;
             p->global && e < p->h.start[column + 1]; e++) {
            double mass = scr_sparse_entry(&p->mass, p->h.row[e], p->h.row[e]);
            inertial += mass > 0 ? p->h.value[e] * p->h.value[e] / mass : 0;
        }
        double elastic = p->compliance != NULL ? p->compliance[column] : 0;
        soft[c] = inertial > 0 ? inertial + elastic : scr_max(elastic, given);
        most = scr_max(most, soft[c]);
    }
    for (size_t c = 0; c < p->contacts; c++) {
        soft[c] = most > 0 ? scr_max(soft[c], 1e-12 * most) : 1;
    }
}

/* Finds the units of force, velocity and energy that were not given, from the impulses and
 * velocities that springs in place of the law lead to. */
static void find_units(InteriorWork *k, const double *soft) {
    size_t d = (size_t)k->system.problem->block, rows = k->system.rows;
    double force = vector_rms(k->r, rows), square = 0, energy = 0;
    for (size_t i = 0; i < rows; i++) {
        double u = soft[i / d] * k->r[i];
        square += u * u;
        energy += fabs(u * k->r[i]);
    }
    double velocity = rows > 0 ? sqrt(square / (double)rows) : 0;
    bool given = k->force > 0 && k->velocity > 0;
    k->force = k->force > 0 ? k->force : force > 0 ? force : 1;
    k->velocity = k->velocity > 0 ? k->velocity : velocity > 0 ? velocity : 1;
    k->energy = given || !(energy > 0) ? k->force * k->velocity : energy / (double)rows;
}

/* Takes the impulses of springs and the velocities that they would have, and moves both well into
 * their cones: normal parts of at least a unit, tangential ones of at most half the bound. This
 * makes r . s about the same for all contacts, whatever their friction. */
static void move_inside(InteriorWork *k, size_t contact, double soft, double force,
                        double velocity) {
    InteriorSystem *s = &k->system;
    size_t d = (size_t)s->problem->block;
    double *r = k->r + contact * d, *z = k->s + contact * d;
    int32_t first = s->cone_start[contact], end = s->cone_start[contact + 1];
    for (size_t j = 0; j < d; j++) {
        r[j] = k->start > 0 ? 0 : r[j];
        z[j] = -soft * r[j];
    }
    r[0] = scr_max(r[0], force);
    z[0] = scr_max(z[0], velocity);
    for (int32_t i = first; i < end; i++) {
        Cone *cone = &s->cone[i];
        double x[CONE_MOST], y[CONE_MOST];
        cone->lead = z[0] / cone->mu / (end - first);
        cone_x(cone, r, x);
        cone_z(cone, z, cone->lead, y);
        double lx = cone_length(x, cone->size), ly = cone_length(y, cone->size);
        for (int j = 1; j < cone->size; j++) {
            r[cone->at + j - 1] *= lx > 0.5 * x[0] ? 0.5 * x[0] / lx : 1;
            z[cone->at + j - 1] *= ly > 0.5 * y[0] ? 0.5 * y[0] / ly : 1;
        }
    }
}

/* Starts from impulses known from a similar problem plus one unit each, and from no motion with the
 * velocities that go with it: where a contact is open, w is its distance, and without that the
 * first steps would leave the cones at once. The farther a contact is open the smaller its impulse,
 * so that r . s is about the same for all contacts that bore no load. In the static limit, with
 * given units, this starts nearer to the path than springs do, even where the impulses are zero. */
static void start_from(InteriorWork *k) {
    InteriorSystem *s = &k->system;
    const MatrixProblem *p = s->problem;
    const double *w = p->global ? p->w : p->q;
    size_t d = (size_t)p->block;
    k->energy = k->force * k->velocity;
    memcpy(k->r, k->known, s->rows * sizeof *k->r);
    for (size_t c = 0; c < p->contacts; c++) {
        double *r = k->r + c * d, *z = k->s + c * d;
        int32_t first = s->cone_start[c], end = s->cone_start[c + 1];
        z[0] = k->velocity + scr_max(w[c * d], 0);
        r[0] = scr_max(r[0], 0) + k->energy / z[0];
        for (int32_t i = first; i < end; i++) {
            Cone *cone = &s->cone[i];
            double x[CONE_MOST];
            cone->lead = z[0] / cone->mu / (end - first);
            cone_x(cone, r, x);
            double length = cone_length(x, cone->size);
            for (int j = 1; j < cone->size; j++) {
                r[cone->at + j - 1] *= length > 0.9 * x[0] ? 0.9 * x[0] / length : 1;
            }
        }
    }
}

/* Solves the problem with springs in place of the law, which balances the momentum; then moves both
 * sides into their cones. */
FactorStatus scr_interior_start(InteriorWork *k) {
    InteriorSystem *s = &k->system;
    const MatrixProblem *p = s->problem;
    double *soft = k->best_s;
    if (k->known != NULL && k->start == 0 && k->force > 0 && k->velocity > 0) {
        start_from(k);
        return FACTOR_DONE;
    }
    find_softness(k, soft);
    FactorStatus status = scr_interior_factor_springs(s, soft);
    if (status != FACTOR_DONE) {
        return status;
    }
    if (p->global) {
        memcpy(k->a, p->f, s->freedoms * sizeof *k->a);
    }
    const double *w = p->global ? p->w : p->q;
    for (size_t i = 0; i < s->rows; i++) {
        k->b[i] = -w[i] - (i % (size_t)p->block == 0 ? k->offset[i / (size_t)p->block] : 0);
    }
    if (!scr_interior_solve(s, k->a, k->b, 0, k->v, k->r)) {
        return FACTOR_NO_MEMORY;
    }
    double force = vector_rms(k->r, s->rows), velocity = 0;
    for (size_t i = 0; i < s->rows; i++) {
        double u = soft[i / (size_t)p->block] * k->r[i];
        velocity += u * u / (double)s->rows;
    }
    find_units(k, soft);
    force = scr_max(force, k->force);
    velocity = scr_max(sqrt(velocity), k->energy / k->force);
    if (k->start > 0) {
        force *= k->start;
        velocity *= k->start;
    }
    for (size_t c = 0; c < p->contacts; c++) {
        move_inside(k, c, soft[c], force, velocity);
    }
    return FACTOR_DONE;
}

/* --- problems without a solution --- */

/* No velocities satisfy the contacts if there are impulses y in K with H y = 0, C y = 0 and w . y <
 * 0: with s = H^T v + w + C r in K*, y . s would have to be positive, but it is w . y. Scaled to w
 * . y = -1, the present r proves it for all v with |v| < 1 / |H y|, up to the compliance. */
static bool is_locked(const InteriorWork *k, double least, double *room, double *comply) {
    const InteriorSystem *s = &k->system;
    const MatrixProblem *p = s->problem;
    const double *w = p->global ? p->w : p->q;
    size_t count = p->global ? s->freedoms : s->rows;
    double power = 0;
    for (size_t i = 0; i < s->rows; i++) {
        size_t c = i / (size_t)p->block;
        power -= k->r[i] * (w[i] + (i % (size_t)p->block == 0 ? k->offset[c] : 0));
    }
    memset(room, 0, count * sizeof *room);
    memset(comply, 0, s->rows * sizeof *comply);
    scr_sparse_multiply(p->global ? &p->h : &p->delassus, 1, k->r, room);
    scr_interior_comply(p, 1, k->r, comply);
    double unit = p->global ? k->velocity : k->force;
    double error = vector_norm(room, count) * unit * sqrt((double)count) +
                   vector_norm(comply, s->rows) * k->force * sqrt((double)s->rows);
    return power > 0 && error < least * power;
}

/* No impulses balance the loads if there is a motion y with M y = 0, H^T y in K* and f . y > 0: the
 * power of the loads would have to be absorbed by contacts that are all opening. Scaled to f . y =
 * 1, the present v proves it for all r smaller than 1 over the distance of H^T y from K*, and all v
 * smaller than 1 over |M y|. */
static bool is_unbalanced(const InteriorWork *k, double least, double *mass, double *u) {
    const InteriorSystem *s = &k->system;
    const MatrixProblem *p = s->problem;
    if (!p->global) {
        return false;
    }
    double power = vector_dot(p->f, k->v, s->freedoms), away = 0;
    memset(mass, 0, s->freedoms * sizeof *mass);
    memset(u, 0, s->rows * sizeof *u);
    scr_sparse_multiply(&p->mass, 1, k->v, mass);
    scr_sparse_multiply_transposed(&p->h, 1, k->v, u);
    for (size_t c = 0; c < p->contacts; c++) {
        const double *at = u + c * (size_t)p->block;
        double closing = -at[0];
        for (int32_t i = s->cone_start[c]; i < s->cone_start[c + 1]; i++) {
            double z[CONE_MOST];
            cone_z(&s->cone[i], at, 0, z);
            closing += s->cone[i].mu * cone_length(z, s->cone[i].size);
        }
        away += closing > 0 ? closing * closing : 0;
    }
    double error = sqrt(away) * k->force * sqrt((double)s->rows) +
                   vector_norm(mass, s->freedoms) * scr_max(k->velocity, k->fastest) *
                       sqrt((double)s->freedoms);
    return power > 0 && error < least * power;
}

InteriorStatus scr_interior_without_solution(InteriorWork *k, double least) {
    const InteriorSystem *s = &k->system;
    if (is_locked(k, least, s->problem->global ? k->a : k->ds, k->b)) {
        return INTERIOR_LOCKED;
    }
    return is_unbalanced(k, least, k->a, k->b) ? INTERIOR_NO_BALANCE : INTERIOR_STALLED;
}
