#include "problem/problem.h"

#include "law/natural_map.h"

#include <float.h>

enum { AHEAD = 6 };

/* |e|^2 of a row with a law row. The bounds of friction and torque are taken at the present normal
 * impulse, so that each part of the law has a projection of its own; torques are divided by the
 * reduced radius. */
static double law_error_square(const Problem *p, const Row *r, const LawRow *l, RowVelocity u,
                               double rho) {
    double pressure = law_pressure(r->rn, l->adhesion);
    double gap = u.n + r->bias + l->soft_n * (r->rn + l->adhesion);
    double push = r->rn - gap / (1 / rho + l->soft_n);
    double en = r->rn - law_normal(r->rn - rho * u.n, push, l->least, l->most_at_rest);
    Vec3 slip = law_spring_slip(u.t, l->bias_t, l->soft_t, r->rt);
    Vec3 et = law_disk_error(r->rt, scale(1 / (1 / rho + l->soft_t), slip), r->mu * pressure);
    double error = en * en + dot(et, et);
    if (l->torques) {
        Vec3 w = scale(rho * l->reach * l->reach, scr_row_spin(p, r, l));
        double tn = dot(l->torque, r->normal), wn = dot(w, r->normal);
        Vec3 tt = add_scaled(l->torque, -tn, r->normal), wt = add_scaled(w, -wn, r->normal);
        if (p->dimension == 2) { /* all torque in the plane is rolling */
            tt = l->torque;
            wt = w;
            tn = wn = 0;
        }
        Vec3 er = law_disk_error(tt, wt, scr_rolling_bound(p->dimension, l, pressure));
        Vec3 es = law_disk_error(vec3(tn, 0, 0), vec3(wn, 0, 0), l->torsion * pressure);
        error += (dot(er, er) + dot(es, es)) / (l->reach * l->reach);
    }
    return error;
}

/* Sums over a piece of the rows. */
typedef struct Sums {
    double error, error_fclib, impulse, velocity, approach;
} Sums;

static inline void add_row(const Problem *p, size_t i, Sums *sum) {
    const Row *r = &p->row[i];
    RowVelocity u = scr_row_velocity(p, i);
    const LawRow *l = scr_law_row(p, i);
    double rho = scr_row_rho(p, i), un = u.n + r->bias, square = dot(u.t, u.t), closing = -un;
    if (l != NULL) {
        closing -= l->soft_n * (r->rn + l->adhesion);
        sum->error += law_error_square(p, r, l, u, rho);
        sum->error_fclib += law_error_square(p, r, l, u, 1);
    } else {
        double raised = un + r->mu * sqrt(square); /* by de Saxce's term */
        sum->error += law_natural_square(r->mu, rho, r->rn, r->rt, raised, u.t, square);
        sum->error_fclib += law_natural_square(r->mu, 1, r->rn, r->rt, raised, u.t, square);
    }
    sum->approach = fmax(sum->approach, closing);
    sum->impulse += r->rn * r->rn + dot(r->rt, r->rt);
    sum->velocity += un * un + square;
}

typedef struct Judging {
    const Problem *problem;
    Sums sum[SCR_MOST_PIECES];
} Judging;

static void judge_piece(void *context, size_t piece) {
    Judging *j = context;
    Sums sum = {0};
    size_t end = scr_piece_end(j->problem->rows, piece);
    for (size_t i = scr_piece_begin(j->problem->rows, piece); i < end; i++) {
        if (i + AHEAD < end) {
            __builtin_prefetch(&j->problem->body[j->problem->row[i + AHEAD].a]);
            __builtin_prefetch(&j->problem->body[j->problem->row[i + AHEAD].b]);
        }
        add_row(j->problem, i, &sum);
    }
    j->sum[piece] = sum;
}

Residual scr_problem_residual(const Problem *p, Threads *threads) {
    Judging judging = {.problem = p};
    Sums all = {0};
    scr_threads_loop(threads, scr_pieces(p->rows), judge_piece, &judging);
    for (size_t k = 0; k < scr_pieces(p->rows); k++) {
        const Sums *sum = &judging.sum[k];
        all.error += sum->error;
        all.error_fclib += sum->error_fclib;
        all.impulse += sum->impulse;
        all.velocity += sum->velocity;
        all.approach = fmax(all.approach, sum->approach);
    }
    double scale_relative = sqrt(fmax(p->free_square, 1e-4 * all.impulse));
    double scale_fclib = sqrt(fmax(fmax(all.impulse, p->free_square_fclib), all.velocity));
    Residual residual = {sqrt(all.error), sqrt(all.error_fclib), all.approach};
    residual.relative /= scale_relative > 0 ? scale_relative : 1;
    residual.fclib /= scale_fclib > 0 ? scale_fclib : 1;
    return residual;
}

double scr_problem_rounding(const Problem *p) {
    double sum = 0;
    for (size_t i = 0; i < p->rows; i++) {
        const Row *r = &p->row[i];
        const ProblemBody *a = &p->body[r->a], *b = &p->body[r->b];
        double rho = scr_row_rho(p, i);
        sum += r->rn * r->rn + dot(r->rt, r->rt) +
               rho * rho * (dot(a->v, a->v) + dot(a->s, a->s) + dot(b->v, b->v) + dot(b->s, b->s));
    }
    return DBL_EPSILON * DBL_EPSILON * sum;
}
