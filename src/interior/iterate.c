#include "interior/iterate.h"

#include "interior/exact.h"
#include "linear/vector.h"

#include <string.h>

/* --- points --- */

/* y = u of the problem without offsets: H^T v + w, or W r + q. */
static void velocities(const MatrixProblem *p, const double *v, const double *r, double *y) {
    size_t rows = scr_matrix_rows(p);
    if (p->global) {
        memcpy(y, p->w, rows * sizeof *y);
        scr_sparse_multiply_transposed(&p->h, 1, v, y);
    } else {
        memcpy(y, p->q, rows * sizeof *y);
        scr_sparse_multiply(&p->delassus, 1, r, y);
    }
}

/* Sets r1 and r2. Components of s that belong to no cone are simply set to the velocity. */
static void residuals(InteriorWork *k) {
    InteriorSystem *s = &k->system;
    const MatrixProblem *p = s->problem;
    if (p->global) {
        for (size_t i = 0; i < s->freedoms; i++) {
            k->r1[i] = -p->f[i];
        }
        scr_sparse_multiply(&p->mass, 1, k->v, k->r1);
        scr_sparse_multiply(&p->h, -1, k->r, k->r1);
    }
    if (k->exact) {
        scr_interior_dilation(s, k->s, k->offset);
    }
    velocities(p, k->v, k->r, k->r2);
    scr_interior_comply(p, 1, k->r, k->r2);
    for (size_t c = 0; c < p->contacts; c++) {
        size_t first = c * (size_t)p->block;
        k->r2[first] += k->offset[c] - k->s[first];
        bool used[MATRIX_LARGEST_BLOCK] = {true};
        for (int32_t i = s->cone_start[c]; i < s->cone_start[c + 1]; i++) {
            for (int j = 1; j < s->cone[i].size; j++) {
                used[s->cone[i].at + j - 1] = true;
            }
        }
        for (size_t j = 1; j < (size_t)p->block; j++) {
            if (!used[j]) {
                k->s[first + j] = k->r2[first + j];
            }
            k->r2[first + j] -= k->s[first + j];
        }
    }
}

static double gap(const InteriorWork *k, double alpha) {
    const InteriorSystem *s = &k->system;
    double sum = 0;
    for (int32_t i = 0; i < s->cones; i++) {
        const Cone *cone = &s->cone[i];
        double x[CONE_MOST], z[CONE_MOST], dx[CONE_MOST], dz[CONE_MOST];
        cone_x(cone, k->r + cone->first, x);
        cone_z(cone, k->s + cone->first, cone->lead, z);
        cone_x(cone, k->dr + cone->first, dx);
        cone_z(cone, k->ds + cone->first, cone->dlead, dz);
        for (int j = 0; j < cone->size; j++) {
            sum += (x[j] + alpha * dx[j]) * (z[j] + alpha * dz[j]);
        }
    }
    return sum;
}

static InteriorErrors errors_of(const InteriorWork *k, double mean) {
    const InteriorSystem *s = &k->system;
    return (InteriorErrors){vector_rms(k->r1, s->freedoms) / k->force,
                            vector_rms(k->r2, s->rows) / k->velocity, mean / k->energy};
}

static double worst(const InteriorErrors *e) {
    double most = scr_max(e->momentum, scr_max(e->kinematics, e->gap));
    return isfinite(e->momentum + e->kinematics + e->gap) ? most : INFINITY;
}

/* --- the step --- */

/* The steps of z_0. A single cone takes all of s_n. With two, the scaling T dx + T^-1 dz = d
 * decides: its part along (1, -dir), which belongs to the small eigenvalue, gives dz_0 from the
 * tangential part without loss of accuracy; the remainder due to rounding goes where there is most
 * room. */
static void share_normal(InteriorSystem *s, size_t contact, const double *dr, const double *ds) {
    int32_t first = s->cone_start[contact], end = s->cone_start[contact + 1];
    if (end - first == 1) {
        s->cone[first].dlead = ds[0] / s->cone[first].mu;
        return;
    }
    double rest = ds[0], room[2], sum = 0;
    for (int32_t i = first; i < end; i++) {
        Cone *cone = &s->cone[i];
        double x[CONE_MOST], z[CONE_MOST], y[CONE_MOST];
        cone_x(cone, dr, x);
        cone_z(cone, ds, 0, z);
        cone_times(cone, cone->step, y);
        double least = cone->eta / cone->beta * (cone->eta / cone->beta), dlead = 0;
        for (int j = 1; j < cone->size; j++) {
            dlead += (z[j] - y[j] + least * x[j]) * cone->dir[j - 1];
        }
        cone->dlead = dlead + y[0] - least * x[0];
        rest -= cone->mu * cone->dlead;
        room[i - first] = cone->mu * cone->eta / cone->beta;
        sum += room[i - first];
    }
    for (int32_t i = first; i < end; i++) {
        s->cone[i].dlead += rest * room[i - first] / sum / s->cone[i].mu;
    }
}

/* Sets b = D^T T d - share r2 - change n and a = -share r1, and makes the step of v, r, s that
 * follows. */
static bool step_with(void *context, const double *change) {
    InteriorWork *k = context;
    InteriorSystem *s = &k->system;
    const MatrixProblem *p = s->problem;
    size_t d = (size_t)p->block;
    for (size_t i = 0; i < s->freedoms; i++) {
        k->a[i] = -k->share * k->r1[i];
    }
    /* ds comes from the kinematics, not from the scaling, whose error would grow without bound. */
    for (size_t i = 0; i < s->rows; i++) {
        k->ds[i] = k->share * k->r2[i] + (change != NULL && i % d == 0 ? change[i / d] : 0);
        k->b[i] = -k->ds[i];
    }
    for (int32_t i = 0; i < s->cones; i++) {
        const Cone *cone = &s->cone[i];
        double y[CONE_MOST], *b = k->b + cone->first;
        cone_times(cone, cone->step, y);
        b[0] += cone->mu * y[0];
        for (int j = 1; j < cone->size; j++) {
            b[cone->at + j - 1] += y[j];
        }
    }
    if (!scr_interior_solve(s, k->a, k->b, k->enough, k->dv, k->dr)) {
        return false;
    }
    if (p->global) {
        scr_sparse_multiply_transposed(&p->h, 1, k->dv, k->ds);
    } else {
        scr_sparse_multiply(&p->delassus, 1, k->dr, k->ds);
    }
    scr_interior_comply(p, 1, k->dr, k->ds);
    for (size_t c = 0; c < p->contacts; c++) {
        share_normal(s, c, k->dr + c * d, k->ds + c * d);
    }
    return true;
}

/* A step of Newton's method that removes the fraction `share` of the errors. */
static bool newton(InteriorWork *k, double share) {
    k->share = share;
    return k->exact ? scr_interior_agree(&k->system, k->s, k->ds, step_with, k, k->basis_block.data)
                    : step_with(k, NULL);
}

/* The longest step, at most `most`, that keeps both sides in their cones. */
static double reach(const InteriorWork *k, double most) {
    const InteriorSystem *s = &k->system;
    double alpha = most;
    for (int32_t i = 0; i < s->cones; i++) {
        const Cone *cone = &s->cone[i];
        double x[CONE_MOST], z[CONE_MOST], dx[CONE_MOST], dz[CONE_MOST];
        cone_x(cone, k->r + cone->first, x);
        cone_z(cone, k->s + cone->first, cone->lead, z);
        cone_x(cone, k->dr + cone->first, dx);
        cone_z(cone, k->ds + cone->first, cone->dlead, dz);
        alpha = scr_min(alpha, cone_reach(x, dx, cone->size));
        alpha = scr_min(alpha, cone_reach(z, dz, cone->size));
    }
    return alpha;
}

static void advance(InteriorWork *k, double alpha) {
    InteriorSystem *s = &k->system;
    const MatrixProblem *p = s->problem;
    vector_add(alpha, k->dv, k->v, s->freedoms);
    vector_add(alpha, k->dr, k->r, s->rows);
    vector_add(alpha, k->ds, k->s, s->rows);
    for (size_t c = 0; c < p->contacts; c++) {
        double sum = 0;
        for (int32_t i = s->cone_start[c]; i < s->cone_start[c + 1]; i++) {
            s->cone[i].lead += alpha * s->cone[i].dlead;
            sum += s->cone[i].mu * s->cone[i].lead;
        }
        k->s[c * (size_t)p->block] = sum;
    }
}

/* Scales all cones at the present point, and sets the predictor's d = -lambda. */
static bool scale_cones(InteriorWork *k) {
    InteriorSystem *s = &k->system;
    bool fine = true;
    for (int32_t i = 0; i < s->cones; i++) {
        Cone *cone = &s->cone[i];
        double x[CONE_MOST], z[CONE_MOST];
        cone_x(cone, k->r + cone->first, x);
        cone_z(cone, k->s + cone->first, cone->lead, z);
        cone_set(cone, x, z);
        fine = fine && cone->eta > 0 && isfinite(cone->eta) && isfinite(cone->beta);
        for (int j = 0; j < cone->size; j++) {
            cone->step[j] = -cone->lambda[j];
        }
    }
    return fine;
}

/* The corrector's d: lambda o d = -lambda o lambda - (T dx) o (T^-1 dz) + centre e. */
static void correct(InteriorWork *k, double centre) {
    InteriorSystem *s = &k->system;
    for (int32_t i = 0; i < s->cones; i++) {
        Cone *cone = &s->cone[i];
        double x[CONE_MOST], z[CONE_MOST], tx[CONE_MOST], tz[CONE_MOST], y[CONE_MOST];
        cone_x(cone, k->dr + cone->first, x);
        cone_z(cone, k->ds + cone->first, cone->dlead, z);
        cone_times(cone, x, tx);
        cone_over(cone, z, tz);
        cone_product(tx, tz, cone->size, y);
        cone_product(cone->lambda, cone->lambda, cone->size, x);
        for (int j = 0; j < cone->size; j++) {
            y[j] = -x[j] - y[j] + (j == 0 ? centre : 0);
        }
        cone_divide(cone->lambda, y, cone->size, cone->step);
    }
}

/* --- iteration --- */

static void copy_best(InteriorWork *k, bool restore) {
    const InteriorSystem *s = &k->system;
    double *pair[3][2] = {{k->best_v, k->v}, {k->best_r, k->r}, {k->best_s, k->s}};
    for (int i = 0; i < 3; i++) {
        size_t count = i == 0 ? s->freedoms : s->rows;
        memcpy(pair[i][restore ? 1 : 0], pair[i][restore ? 0 : 1], count * sizeof(double));
    }
}

/* Makes s_n the sum of mu z_0 again after s has been set. */
static void match_leads(InteriorWork *k) {
    InteriorSystem *s = &k->system;
    const MatrixProblem *p = s->problem;
    for (size_t c = 0; c < p->contacts; c++) {
        double sum = 0;
        for (int32_t i = s->cone_start[c]; i < s->cone_start[c + 1]; i++) {
            sum += s->cone[i].mu * s->cone[i].lead;
        }
        for (int32_t i = s->cone_start[c]; i < s->cone_start[c + 1]; i++) {
            s->cone[i].lead *= k->s[c * (size_t)p->block] / sum;
        }
    }
}

/* One iteration: predictor, corrector, step. False when it cannot be made, or leads nowhere. */
static bool improve(InteriorWork *k, double mean) {
    InteriorSystem *s = &k->system;
    double cones = scr_max(s->cones, 1);
    if (!scale_cones(k) || scr_interior_factor(s) != FACTOR_DONE || !newton(k, 1)) {
        return false;
    }
    double alpha = reach(k, 1), ratio = gap(k, alpha) / cones / mean;
    double centre = scr_min(scr_max(ratio * ratio * ratio, 0), 1);
    correct(k, centre * mean);
    if (!newton(k, 1 - centre)) {
        return false;
    }
    double length = reach(k, 1 / 0.99);
    advance(k, scr_min(1, 0.99 * length));
    return length > 1e-8;
}

/* From a bad start all steps are short: with known impulses that are no good, not even a tenth of
 * the initial errors is gone after four steps. */
static bool had_bad_start(const InteriorWork *k, int iteration, const InteriorErrors *now,
                          double *first) {
    double error = scr_max(now->momentum, now->kinematics);
    *first = iteration == 0 ? error : *first;
    return k->known != NULL && iteration == 4 && error > 0.9 * *first;
}

InteriorStatus scr_interior_iterate(InteriorWork *k, double tolerance, int most, bool warm,
                                    int *iterations, InteriorErrors *errors) {
    InteriorSystem *s = &k->system;
    double cones = scr_max(s->cones, 1), best = INFINITY, first = 0;
    InteriorStatus ended = INTERIOR_STALLED;
    if (warm) {
        match_leads(k);
    } else {
        FactorStatus started = scr_interior_start(k);
        if (started != FACTOR_DONE) {
            return started == FACTOR_NO_MEMORY ? INTERIOR_NO_MEMORY : INTERIOR_STALLED;
        }
    }
    k->enough = 0.01 * tolerance * k->force * sqrt((double)s->freedoms);
    for (int i = 0;; i++) {
        residuals(k);
        double mean = gap(k, 0) / cones;
        InteriorErrors now = errors_of(k, mean);
        if (worst(&now) < best) {
            best = worst(&now);
            *errors = now;
            copy_best(k, false);
        }
        *iterations = i;
        if (best <= tolerance) {
            ended = INTERIOR_SOLVED;
            break;
        }
        ended = scr_interior_without_solution(k, 1e-7);
        if (ended != INTERIOR_STALLED || i == most || !(worst(&now) < 1000 * best) ||
            had_bad_start(k, i, &now, &first) || !improve(k, mean)) {
            break;
        }
    }
    if (ended == INTERIOR_STALLED && best <= 100 * tolerance) {
        ended = INTERIOR_NEARLY;
    }
    if (ended == INTERIOR_STALLED) {
        ended = scr_interior_without_solution(k, 1e-4);
    }
    if (ended != INTERIOR_LOCKED && ended != INTERIOR_NO_BALANCE) {
        copy_best(k, true);
    }
    return ended;
}
