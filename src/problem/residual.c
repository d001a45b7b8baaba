#include "problem/problem.h"

#include "law/judge_rule.h"
#include "math/reduce.h"

#include <float.h>
#include <stddef.h>
#include <string.h>

enum { AHEAD = 6, MANY = 100 };

/* The law of a row that has a law row. */
static LawRule rule_of(const Problem *p, const Row *r, const LawRow *l) {
    const double pressure = law_pressure(r->rn, l->adhesion);
    LawRule rule = {.adhesion = l->adhesion,
                    .least = l->least,
                    .most_at_rest = l->most_at_rest,
                    .soft_n = l->soft_n,
                    .soft_t = l->soft_t,
                    .bias_t = l->bias_t,
                    .torques = l->torques,
                    .bonded = l->bonded,
                    .bridged = l->bridged,
                    .per_square = l->per_square};
    if (l->torques) {
        rule.torsion = l->torsion;
        rule.reach = l->reach;
        rule.roll = p->dimension == 3 ? l->torque.roll : vec3(0, 0, 0);
        rule.twist = l->torque.twist;
        rule.spin = scr_row_spin(p, r, l);
        rule.most_roll = scr_rolling_bound(p->dimension, l, pressure);
    }
    return rule;
}

/* How easily an impulse along the normal moves a body. */
static double mobility_along(const Problem *p, int32_t body, int32_t tensor, Vec3 n) {
    return tensor >= 0 ? dot(n, sym3_apply(&p->tensor[tensor].inverse_mass, n))
                       : p->body[body].inverse_mass;
}

/* That of the heavier body of a row, walls aside. */
static double heavier_mobility(const Problem *p, const Row *r, const GeneralRow *g) {
    double a = mobility_along(p, r->a, g != NULL ? g->tensor_a : -1, r->normal);
    double b = mobility_along(p, r->b, g != NULL ? g->tensor_b : -1, r->normal);
    return law_heavier(a, b);
}

static LawSums judge_row(const Problem *p, size_t i) {
    const Row *r = &p->row[i];
    const ProblemBody *a = &p->body[r->a], *b = &p->body[r->b];
    const RowVelocity u = scr_row_velocity(p, i);
    const LawRow *l = scr_law_row(p, i);
    const double va = dot(a->v, a->v), vb = dot(b->v, b->v), un = u.n + r->bias;
    const LawSeen row = {.judged = {.rho = scr_row_rho(p, i),
                                    .mass_n = r->mass_n,
                                    .impulse = r->rn * r->rn + dot(r->rt, r->rt),
                                    .un = un,
                                    .ut_square = dot(u.t, u.t),
                                    .closing = -un,
                                    .approach = p->approach != NULL ? p->approach[i] : INFINITY,
                                    .mobility = heavier_mobility(p, r, scr_general_row(p, i)),
                                    .body_v = va + vb,
                                    .body_all = va + dot(a->s, a->s) + vb + dot(b->s, b->s)},
                         .n = r->normal,
                         .rt = r->rt,
                         .ut = u.t,
                         .rn = r->rn,
                         .mu = r->mu,
                         .un = u.n};
    if (l == NULL) {
        return law_judge_plain(&row);
    }
    const LawRule rule = rule_of(p, r, l);
    return law_judge_rule(&row, &rule, p->dimension == 3);
}

static void add_row(const LawSums *row, LawSums *sum) {
    sum->error += row->error;
    sum->error_velocity += row->error_velocity;
    sum->error_fclib += row->error_fclib;
    sum->impulse += row->impulse;
    sum->velocity += row->velocity;
    sum->unit_velocity += row->unit_velocity;
    sum->rounding += row->rounding;
    sum->rounding_velocity += row->rounding_velocity;
    sum->noise += row->noise;
    sum->approach = scr_max(sum->approach, row->approach);
    sum->worst = scr_max(sum->worst, row->worst);
    sum->asked = scr_max(sum->asked, row->asked);
}

double scr_row_error(const Problem *p, size_t row) {
    const LawSums sums = judge_row(p, row);
    return scr_max(sqrt(scr_max(sums.worst, 0)), scr_max(sums.approach, 0));
}

_Static_assert(sizeof(LawSums) == PROBLEM_SUMS * sizeof(double), "there is room in part_sum");

typedef struct Judging {
    const Problem *problem;
    LawSums *sum; /* [parts] */
} Judging;

static void judge_part(void *context, size_t part) {
    Judging *j = context;
    LawSums sum = {0};
    size_t end = scr_is_mine(j->problem, part) ? scr_part_end(j->problem, part) : 0;
    for (size_t i = scr_part_begin(j->problem, part); i < end; i++) {
        if (i + AHEAD < end) {
            __builtin_prefetch(&j->problem->body[j->problem->row[i + AHEAD].a]);
            __builtin_prefetch(&j->problem->body[j->problem->row[i + AHEAD].b]);
        }
        const LawSums row = judge_row(j->problem, i);
        add_row(&row, &sum);
    }
    j->sum[part] = sum;
}

/* Sums come first, then what is the largest of all. */
enum { SUMMED = offsetof(LawSums, approach) / sizeof(double) };
_Static_assert((int)SUMMED <= (int)REDUCE_MOST, "they are added up at once");

static void add_up(const ScreeProcesses *with, const LawSums *sum, size_t parts, LawSums *all) {
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

static double over(double square, double scale) {
    return sqrt(square) / (scale > 0 ? scale : 1);
}

/* Where all that the contacts are asked for, and all that they give, is rounding (in a dilute flow one
 * gap closes by a last digit of the velocities), no impulse is wrong, and no velocity for want of one.
 * Gaps, too, are known to a last digit of positions only, which over a short step is many of
 * velocities: where no contact is asked to stop more than that, and none moves a body by more, all is
 * rounding. */
static bool is_nothing(const Problem *p, const LawSums *all) {
    return scr_max(p->free_square, all->impulse) <= MANY * MANY * all->rounding ||
           all->asked <= LAW_ROUNDINGS * p->gap_rounding;
}

/* Contacts that hold each other under stress, without a load, have to deal with the last digits of their impulses alone.
 * Velocities cannot be right to a part of that; where no place is wrong by a last digit for it, they are right. */
static bool nothing_moves(const Problem *p, const LawSums *all) {
    const double least = LAW_ROUNDINGS * p->gap_rounding;
    return scr_max(all->unit_velocity, all->worst) <= least * least;
}

static Residual residual_of(const Problem *p, const LawSums *part) {
    LawSums all;
    add_up(p->processes, part, scr_parts(p), &all);
    if (is_nothing(p, &all)) {
        all.error = all.error_velocity = all.rounding_velocity = 0;
    } else if (nothing_moves(p, &all)) {
        all.error_velocity = all.rounding_velocity = 0;
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
        .noise = DBL_EPSILON * DBL_EPSILON * all.noise,
    };
}

Residual scr_problem_residual(const Problem *p, Threads *threads) {
    LawSums piece[SCR_MOST_PIECES];
    Judging judging = {p, p->parts > 0 ? (void *)p->part_sum : piece};
    scr_threads_loop(threads, scr_parts(p), judge_part, &judging);
    return residual_of(p, judging.sum);
}

Residual scr_judged_residual(const Problem *p) {
    return residual_of(p, (const void *)p->part_sum);
}

/* The sums of some parts. */
typedef struct RowSums {
    const Problem *problem;
    double (*term)(const Problem *problem, size_t row);
    ExactSum sum[SCR_MOST_PIECES];
} RowSums;

static void sum_parts(void *context, size_t piece) {
    RowSums *k = context;
    const Problem *p = k->problem;
    const size_t parts = scr_parts(p), parts_end = scr_piece_end(parts, piece);
    scr_exact_clear(&k->sum[piece]);
    for (size_t part = scr_piece_begin(parts, piece); part < parts_end; part++) {
        double sum = 0;
        size_t end = scr_is_mine(p, part) ? scr_part_end(p, part) : 0;
        for (size_t i = scr_part_begin(p, part); i < end; i++) {
            sum += k->term(p, i);
        }
        scr_exact_add(&k->sum[piece], sum);
    }
}

double scr_sum_rows(const Problem *p, Threads *threads,
                    double (*term)(const Problem *problem, size_t row)) {
    RowSums sums; /* large: the sums are cleared piece by piece */
    sums.problem = p;
    sums.term = term;
    const size_t pieces = scr_pieces(scr_parts(p));
    scr_threads_loop(threads, pieces, sum_parts, &sums);
    for (size_t k = 1; k < pieces; k++) {
        scr_exact_join(&sums.sum[0], &sums.sum[k]);
    }
    scr_sum_over_processes(p->processes, &sums.sum[0], 1);
    return scr_exact_total(&sums.sum[0]);
}
