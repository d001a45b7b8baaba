#include "problem/problem.h"

#include "law/natural_map.h"
#include "math/reduce.h"

#include <float.h>
#include <stddef.h>
#include <string.h>

enum { AHEAD = 6, ROUNDINGS = 4 /* epsilons of a velocity that are lost */, MANY = 100 };

/* What the error of a row with a law row is made of, whatever rho. */
typedef struct LawError {
    const Row *row;
    const LawRow *law;
    double un, gap;
    Vec3 slip, roll, rolling; /* the rolling torque, and the velocity that it opposes */
    double twist, twisting;
    double most_t, most_roll, most_twist;
} LawError;

/* All torque in the plane is rolling. */
static LawError law_error(const Problem *p, const Row *r, const LawRow *l, RowVelocity u) {
    const double pressure = law_pressure(r->rn, l->adhesion);
    LawError e = {.row = r,
                  .law = l,
                  .un = u.n,
                  .gap = u.n + r->bias + l->soft_n * (r->rn + l->adhesion),
                  .slip = law_spring_slip(u.t, l->bias_t, l->soft_t, r->rt),
                  .most_t = r->mu * pressure};
    if (l->torques) {
        const bool plane = p->dimension == 2;
        const Vec3 w = scale(l->reach * l->reach, scr_row_spin(p, r, l));
        e.roll = plane ? vec3(0, 0, l->torque.twist) : l->torque.roll;
        e.rolling = plane ? w : cross(w, r->normal);
        e.twist = plane ? 0 : l->torque.twist;
        e.twisting = plane ? 0 : dot(w, r->normal);
        e.most_roll = scr_rolling_bound(p->dimension, l, pressure);
        e.most_twist = l->torsion * pressure;
    }
    return e;
}

/* 1 / (1 / rho + soft) for the normal and the tangential spring, with one division. */
static inline void soften(double rho, const LawRow *l, double *rho_n, double *rho_t) {
    double n = 1 + rho * l->soft_n, t = 1 + rho * l->soft_t;
    double both = n > 1 || t > 1 ? rho / (n * t) : rho;
    *rho_n = both * t;
    *rho_t = both * n;
}

/* |e|^2 of the row. The bounds of friction and torque are taken at the present normal impulse, so
 * that each part of the law has a projection of its own; torques are divided by the reduced
 * radius. */
static double law_error_square(const LawError *e, double rho) {
    const Row *r = e->row;
    const LawRow *l = e->law;
    double rho_n, rho_t;
    soften(rho, l, &rho_n, &rho_t);
    double push = r->rn - rho_n * e->gap;
    double en = r->rn - law_normal(r->rn - rho * e->un, push, l->least, l->most_at_rest);
    Vec3 et = law_disk_error(r->rt, scale(rho_t, e->slip), e->most_t);
    double error = en * en + dot(et, et);
    if (l->torques) {
        Vec3 er = law_disk_error(e->roll, scale(rho, e->rolling), e->most_roll);
        Vec3 es =
            law_disk_error(vec3(e->twist, 0, 0), vec3(rho * e->twisting, 0, 0), e->most_twist);
        error += (dot(er, er) + dot(es, es)) * l->per_square;
    }
    return error;
}

/* Sums over a piece of the rows. */
typedef struct Sums {
    double error, error_velocity, error_fclib, impulse, velocity, unit_velocity;
    double rounding, rounding_velocity;
    double approach, worst, asked;
} Sums;

/* How easily an impulse along the normal moves a body. */
static double mobility_along(const Problem *p, int32_t body, int32_t tensor, Vec3 n) {
    return tensor >= 0 ? dot(n, sym3_apply(&p->tensor[tensor].inverse_mass, n))
                       : p->body[body].inverse_mass;
}

/* That of the heavier body of a row, walls aside. */
static double heavier_mobility(const Problem *p, const Row *r, const GeneralRow *g) {
    double a = mobility_along(p, r->a, g != NULL ? g->tensor_a : -1, r->normal);
    double b = mobility_along(p, r->b, g != NULL ? g->tensor_b : -1, r->normal);
    return a > 0 && b > 0 ? scr_min(a, b) : scr_max(a, b);
}

/* The velocity that a row has to deal with, see Residual. Where the impulse is not yet known, that
 * of the contact alone stands in for it. */
static double velocity_unit(const Problem *p, size_t i, const Row *r, double impulse_square) {
    double approach = p->approach != NULL ? p->approach[i] : INFINITY;
    double impulse = sqrt(impulse_square);
    if (isfinite(approach)) {
        impulse = scr_max(impulse, approach * r->mass_n);
    }
    return scr_min(approach, impulse * heavier_mobility(p, r, scr_general_row(p, i)));
}

/* What rounding alone may leave of a row's error, squared; `impulse` is |R|^2. Where a light body
 * carries a heavy load, its velocity is the small difference of large changes, and no solver gets
 * below this. */
static double rounding_square(const Problem *p, const Row *r, double impulse, double rho) {
    const ProblemBody *a = &p->body[r->a], *b = &p->body[r->b];
    double square = impulse + rho * rho * (dot(a->v, a->v) + dot(b->v, b->v));
    return ROUNDINGS * ROUNDINGS * DBL_EPSILON * DBL_EPSILON * square;
}

static inline void add_row(const Problem *p, size_t i, Sums *sum) {
    const Row *r = &p->row[i];
    RowVelocity u = scr_row_velocity(p, i);
    const LawRow *l = scr_law_row(p, i);
    double rho = scr_row_rho(p, i), un = u.n + r->bias, square = dot(u.t, u.t), closing = -un;
    double impulse = r->rn * r->rn + dot(r->rt, r->rt), error;
    if (l != NULL) {
        closing -= l->soft_n * (r->rn + l->adhesion);
        const LawError e = law_error(p, r, l, u);
        error = law_error_square(&e, rho);
        sum->error_fclib += law_error_square(&e, 1);
    } else {
        double raised = un + r->mu * sqrt(square); /* by de Saxce's term */
        error = law_natural_square(r->mu, rho, r->rn, r->rt, raised, u.t, square);
        sum->error_fclib += law_natural_square(r->mu, 1, r->rn, r->rt, raised, u.t, square);
    }
    double rounding = rounding_square(p, r, impulse, rho);
    double error_velocity = rho > 0 ? (error - rounding) / rho / rho : 0;
    double unit = velocity_unit(p, i, r, impulse);
    sum->error += error;
    sum->error_velocity += scr_max(error_velocity, 0);
    sum->rounding += rounding;
    sum->rounding_velocity += rho > 0 ? rounding / rho / rho : 0;
    sum->unit_velocity += unit * unit;
    sum->worst = scr_max(sum->worst, error_velocity);
    sum->approach = scr_max(sum->approach, closing);
    sum->asked = scr_max(sum->asked, p->approach != NULL ? p->approach[i] : INFINITY);
    sum->impulse += impulse;
    sum->velocity += un * un + square;
}

double scr_row_error(const Problem *p, size_t row) {
    Sums sum = {0};
    add_row(p, row, &sum);
    return scr_max(sqrt(sum.worst), sum.approach);
}

_Static_assert(sizeof(Sums) == PROBLEM_SUMS * sizeof(double), "there is room in part_sum");

typedef struct Judging {
    const Problem *problem;
    Sums *sum; /* [parts] */
} Judging;

static void judge_part(void *context, size_t part) {
    Judging *j = context;
    Sums sum = {0};
    size_t end = scr_is_mine(j->problem, part) ? scr_part_end(j->problem, part) : 0;
    for (size_t i = scr_part_begin(j->problem, part); i < end; i++) {
        if (i + AHEAD < end) {
            __builtin_prefetch(&j->problem->body[j->problem->row[i + AHEAD].a]);
            __builtin_prefetch(&j->problem->body[j->problem->row[i + AHEAD].b]);
        }
        add_row(j->problem, i, &sum);
    }
    j->sum[part] = sum;
}

/* Sums come first, then what is the largest of all. */
enum { SUMMED = offsetof(Sums, approach) / sizeof(double) };
_Static_assert((int)SUMMED <= (int)REDUCE_MOST, "they are added up at once");

static void add_up(const ScreeProcesses *with, const Sums *sum, size_t parts, Sums *all) {
    ExactSum exact[SUMMED];
    double total[SUMMED], most[3] = {0, 0, 0};
    memset(exact, 0, sizeof exact);
    for (size_t k = 0; k < parts; k++) {
        double part[SUMMED];
        memcpy(part, &sum[k], sizeof part);
        for (int i = 0; i < SUMMED; i++) {
            scr_exact_add(&exact[i], part[i]);
        }
        most[0] = scr_max(most[0], sum[k].approach);
        most[1] = scr_max(most[1], sum[k].worst);
        most[2] = scr_max(most[2], sum[k].asked);
    }
    scr_sum_over_processes(with, exact, SUMMED);
    if (with != NULL) {
        with->most(with->context, most, 3);
    }
    for (int i = 0; i < SUMMED; i++) {
        total[i] = scr_exact_total(&exact[i]);
    }
    memcpy(all, total, sizeof total);
    all->approach = most[0];
    all->worst = most[1];
    all->asked = most[2];
}

static Sums judge_rows(const Problem *p, Threads *threads) {
    Sums piece[SCR_MOST_PIECES], all;
    const size_t parts = scr_parts(p);
    Judging judging = {p, p->parts > 0 ? (void *)p->part_sum : piece};
    scr_threads_loop(threads, parts, judge_part, &judging);
    add_up(p->processes, judging.sum, parts, &all);
    return all;
}

static double over(double square, double scale) {
    return sqrt(square) / (scale > 0 ? scale : 1);
}

/* Where all that the contacts are asked for, and all that they give, is rounding (in a dilute flow one
 * gap closes by a last digit of the velocities), no impulse is wrong, and no velocity for want of one.
 * Gaps, too, are known to a last digit of positions only, which over a short step is many of velocities: where
 * no contact is asked to stop more than that, whatever they give is rounding. */
static bool is_nothing(const Problem *p, const Sums *all) {
    return scr_max(p->free_square, all->impulse) <= MANY * MANY * all->rounding ||
           all->asked <= ROUNDINGS * p->gap_rounding;
}

Residual scr_problem_residual(const Problem *p, Threads *threads) {
    Sums all = judge_rows(p, threads);
    if (is_nothing(p, &all)) {
        all.error = all.error_velocity = all.rounding_velocity = 0;
    }
    double scale_relative = sqrt(scr_max(p->free_square, 1e-4 * all.impulse));
    double scale_fclib = sqrt(scr_max(scr_max(all.impulse, p->free_square_fclib), all.velocity));
    double least = p->least_approach;
    double scale_velocity = sqrt(scr_max(all.unit_velocity, least * least));
    return (Residual){
        .relative = over(all.error, scale_relative),
        .loads = over(all.error, scr_max(sqrt(all.impulse), scale_relative * DBL_EPSILON)),
        .velocity = scale_velocity > 0 ? over(all.error_velocity, scale_velocity)
                                       : over(all.error, scale_relative), /* nothing moves at all */
        .rounding = scale_velocity > 0 ? over(all.rounding_velocity, scale_velocity) : 0,
        .fclib = over(all.error_fclib, scale_fclib),
        .approach = all.approach,
        .worst = sqrt(all.worst),
    };
}

double scr_sum_rows(const Problem *p, double (*term)(const Problem *problem, size_t row)) {
    ExactSum all;
    scr_exact_clear(&all);
    for (size_t k = 0; k < scr_parts(p); k++) {
        double sum = 0;
        size_t end = scr_is_mine(p, k) ? scr_part_end(p, k) : 0;
        for (size_t i = scr_part_begin(p, k); i < end; i++) {
            sum += term(p, i);
        }
        scr_exact_add(&all, sum);
    }
    scr_sum_over_processes(p->processes, &all, 1);
    return scr_exact_total(&all);
}

static double row_rounding(const Problem *p, size_t row) {
    const Row *r = &p->row[row];
    const ProblemBody *a = &p->body[r->a], *b = &p->body[r->b];
    double rho = scr_row_rho(p, row);
    return r->rn * r->rn + dot(r->rt, r->rt) +
           rho * rho * (dot(a->v, a->v) + dot(a->s, a->s) + dot(b->v, b->v) + dot(b->s, b->s));
}

double scr_problem_rounding(const Problem *p) {
    return DBL_EPSILON * DBL_EPSILON * scr_sum_rows(p, row_rounding);
}
