#include "matrix/newton.h"

#include "math/elementary.h"
#include "matrix/lock.h"

#include <math.h>
#include <string.h>

enum {
    SWEEPS_WORTH = 400,  /* sweeping goes on while this many more would get there */
    SWEEPS_AGAIN = 1000, /* sweeps after Newton's method has failed, doubled every turn */
    SWEEPS_JUDGED = 200, /* of these, between two measurements */
    RESCUE = 100,        /* sweeps after a proximal problem that was not solved */
    INNER_MOST = 8,      /* Newton steps for one proximal problem */
    MEMORY = 3,          /* earlier values of |F|; a new one must not exceed the largest */
    PATIENCE = 60,       /* proximal problems in a row without progress, at first */
    STEPS_SHORT = 60,    /* Newton steps of the first attempt; at least as many later */
    STEPS_LONG = 600,
    STEPS_PATIENT = 3000,
    CORRECTIONS_FIRST = 50, /* Newton steps for the first point of the path */
    CORRECTIONS_MOST = 7,   /* and for each of the others */
    TURNS_BACK = 3,         /* turns that begin at the best point; the later ones go on */
    IDLE_MOST = 4,          /* turns in a row that do not halve the residual */
};

/* What all factorisations of one long attempt may cost: a minute or so. */
static const double flops_most = 1.5e11;

typedef MatrixNewton Newton;

/* True, too, when the measure is not a number. */
static bool is_over(const Newton *n) {
    return !(n->s.best_measure > n->s.settings->tolerance) || scr_matrix_scaled_over(&n->s) ||
           n->e.short_of_memory;
}

static void go_to(Newton *n, double *to, const double *from) {
    memcpy(to, from, n->s.rows * sizeof *to);
}

static double distance(const Newton *n, const double *a, const double *b) {
    double sum = 0;
    for (size_t i = 0; i < n->s.rows; i++) {
        sum += (a[i] - b[i]) * (a[i] - b[i]);
    }
    return sqrt(sum);
}

/* ---------------------------------------------------------------- proximal points */

/* Newton's method on one proximal problem, starting at x. It counts as solved when F is small
 * compared with what moving the center would change. |F| need not fall at every step, it only must
 * not exceed the largest of the last few. Returns the number of steps, or 0 for a failure. */
static int solve_proximal(Newton *n) {
    double past[MEMORY];
    scr_matrix_equation_value(&n->e, &n->s);
    for (int k = 0; k < MEMORY; k++) {
        past[k] = n->e.size;
    }
    for (int steps = 1; steps <= INNER_MOST && !is_over(n); steps++) {
        double allowed = past[0];
        for (int k = 1; k < MEMORY; k++) {
            allowed = scr_max(allowed, past[k]);
        }
        if (scr_matrix_equation_newton(&n->e, &n->s, allowed, 0.05) == 0) {
            return 0;
        }
        past[steps % MEMORY] = n->e.size;
        if (n->e.size <= scr_max(1e-14, 0.1 * n->e.alpha * distance(n, n->s.x, n->e.center))) {
            return steps;
        }
    }
    return 0;
}

/* After a failure: returns to the center, and sweeps until it is near the solution of the problem
 * with a larger alpha. */
static void rescue(Newton *n) {
    n->e.alpha = scr_min(10, scr_max(4 * n->e.alpha, 1e-5));
    go_to(n, n->s.x, n->e.center);
    scr_matrix_momentum_begin(&n->momentum, n->s.x, n->s.rows);
    scr_matrix_sweeps(&n->s, &n->momentum, n->e.alpha, n->e.center, RESCUE);
    scr_matrix_scaled_judge(&n->s);
}

/* The centers follow dx/dt = -(what F asks for) by implicit steps of length 1 / alpha. As in any
 * such integration, the length is chosen by how hard the last step was. Starts at x, makes at most
 * `budget` steps of Newton's method, and stops after `patience` proximal problems without
 * progress. */
static void run_proximal(Newton *n, double alpha, double rho, int budget, int patience) {
    int end = n->s.iterations + budget, idle = 0;
    double mark = n->s.best_measure;
    n->e.rho = rho;
    n->e.smooth = n->e.jacobian_alpha = 0;
    n->e.alpha = alpha;
    go_to(n, n->e.center, n->s.x);
    while (n->s.iterations < end && idle < patience && !is_over(n)) {
        static const double ratio[INNER_MOST + 1] = {1, 0.1, 0.3, 0.5, 0.5, 0.8, 0.8, 1, 1};
        int steps = solve_proximal(n);
        idle = n->s.best_measure < 0.9 * mark ? 0 : idle + 1;
        mark = idle == 0 ? n->s.best_measure : mark;
        if (steps > 0) {
            n->e.alpha = scr_max(1e-11, ratio[steps] * n->e.alpha);
            go_to(n, n->e.center, n->s.x);
        } else {
            rescue(n);
            end += RESCUE;
        }
    }
}

/* ---------------------------------------------------------------- the smoothed path */

/* Newton's method at one value of the smoothing, until |F| is small compared with it. Returns the
 * number of steps, or 0 for a failure. */
static int correct(Newton *n, int most, double least) {
    double enough = 0.1 * n->e.smooth * sqrt((double)n->s.contacts);
    scr_matrix_equation_value(&n->e, &n->s);
    for (int steps = 1; steps <= most && !is_over(n); steps++) {
        if (scr_matrix_equation_newton(&n->e, &n->s, n->e.size, least) == 0) {
            break;
        }
        if (n->e.size <= enough) {
            return steps;
        }
    }
    return 0;
}

/* The smoothing is reduced by a ratio that adapts: it is squared after one or two corrections, and
 * replaced by its root after a failure, which returns to the last good point (stored in the center,
 * which is free because alpha is 0 here). */
static void run_path(Newton *n, double smooth, double rho) {
    double ratio = 0.3, reached = smooth;
    n->e.rho = rho;
    n->e.smooth = smooth;
    n->e.alpha = 0;
    n->e.jacobian_alpha = 1e-10;
    if (correct(n, CORRECTIONS_FIRST, 1e-3) == 0) {
        return;
    }
    go_to(n, n->e.center, n->s.x);
    while (ratio < 0.995 && reached > 1e-15 && !is_over(n)) {
        n->e.smooth = reached * ratio;
        int steps = correct(n, CORRECTIONS_MOST, 0.1);
        if (steps > 0) {
            reached = n->e.smooth;
            ratio = steps <= 2   ? scr_max(0.02, ratio * ratio)
                    : steps <= 4 ? ratio
                                 : scr_pow(ratio, 0.7);
            go_to(n, n->e.center, n->s.x);
        } else {
            ratio = sqrt(ratio);
            go_to(n, n->s.x, n->e.center);
        }
    }
}

/* ---------------------------------------------------------------- the solvers */

typedef void Strategy(Newton *);

static int budget_of(const Newton *n, int most) {
    double enough = flops_most * most / STEPS_LONG / n->e.lu.flops;
    return (int)scr_max(STEPS_SHORT, scr_min(most, enough));
}

static void proximal_from_best(Newton *n, double alpha, double rho, int budget) {
    scr_matrix_scaled_recall(&n->s);
    run_proximal(n, alpha, rho, budget, PATIENCE);
}

static void proximal_alone(Newton *n) {
    proximal_from_best(n, 1e-6, 1, 3 * budget_of(n, STEPS_LONG));
}

static void path_alone(Newton *n) {
    scr_matrix_scaled_recall(&n->s);
    run_path(n, 0.1, 1);
}

static void sweep_again(Newton *n, int count) {
    scr_matrix_scaled_recall(&n->s);
    scr_matrix_momentum_begin(&n->momentum, n->s.x, n->s.rows);
    for (; count > 0 && !is_over(n); count -= SWEEPS_JUDGED) {
        scr_matrix_sweeps(&n->s, &n->momentum, 0, NULL, SWEEPS_JUDGED);
        scr_matrix_scaled_judge(&n->s);
    }
}

/* Along directions in which W is all but singular, impulses must go a long way before a contact
 * changes its state, and until then the residual hardly falls: it is the speed at which they move.
 * So the centers are followed from where they are, without a look at the residual, and without
 * going back to the best point, which would undo it all. */
static void follow(Newton *n) {
    int budget = budget_of(n, n->s.settings->patient ? STEPS_PATIENT : STEPS_LONG);
    run_proximal(n, n->e.alpha > 0 ? n->e.alpha : 1e-3, 1, budget, budget);
}

/* First what is cheap if it succeeds. Then the two methods take turns, with different rho: where
 * one of them fails, the other often succeeds, or the same one from another starting point. */
static void take_turn(Newton *n, int turn) {
    static const double rho[] = {1, 10, 0.1};
    if (turn < TURNS_BACK) {
        scr_matrix_scaled_recall(&n->s);
        run_path(n, 0.1, rho[turn]);
        n->e.alpha = 1e-3;
    }
    if (turn < TURNS_BACK && !is_over(n)) {
        sweep_again(n, SWEEPS_AGAIN << turn);
        scr_matrix_scaled_recall(&n->s);
    }
    if (turn < TURNS_BACK - 1 && !is_over(n)) {
        proximal_from_best(n, 1e-3, rho[turn], budget_of(n, STEPS_LONG));
    } else if (!is_over(n)) {
        follow(n);
    }
}

/* What closes by less than the tolerance allows may still be called solved. */
static bool is_locked(const Newton *n) {
    const MatrixSettings *settings = n->s.settings;
    MatrixLock lock = {0};
    Block weight = {0};
    if (settings->patient && settings->yardstick != NULL &&
        scr_block_reserve_exact(&weight, n->s.contacts, sizeof(double), 0)) {
        (void)scr_matrix_find_lock(settings->yardstick, weight.data, &lock);
    }
    scr_block_free(&weight);
    return lock.proven && lock.relative > 10 * settings->tolerance;
}

static void in_turns(Newton *n) {
    proximal_from_best(n, 1e-6, 1, STEPS_SHORT);
    double mark = n->s.best_measure;
    n->locked = !is_over(n) && is_locked(n);
    for (int turn = 0, idle = 0; idle < IDLE_MOST && !n->locked && !is_over(n); turn++) {
        take_turn(n, turn);
        idle = n->s.best_measure < 0.5 * mark ? 0 : idle + 1;
        mark = idle == 0 ? n->s.best_measure : mark;
    }
}

static MatrixReport solve(Newton *n, const MatrixProblem *p, const MatrixSettings *settings,
                          Strategy *strategy, double *r) {
    MatrixReport report = {.status = p->contacts == 0 ? MATRIX_SOLVED : MATRIX_NO_MEMORY};
    n->locked = n->e.short_of_memory = false;
    if (p->contacts > 0 && scr_matrix_scale(&n->s, p, settings, r) &&
        scr_matrix_momentum_reserve(&n->momentum, n->s.rows)) {
        scr_matrix_sweeps_while_worth(&n->s, &n->momentum, SWEEPS_WORTH);
        n->e.short_of_memory = !is_over(n) && !scr_matrix_equation_reserve(&n->e, &n->s);
        if (!is_over(n)) {
            strategy(n);
        }
        report = scr_matrix_scaled_report(&n->s, r);
        report.status = n->locked ? MATRIX_INFEASIBLE : report.status;
        if (n->e.short_of_memory) { /* what the sweeps have reached is still returned */
            report.status = MATRIX_NO_MEMORY;
            report.reason = "no memory for the factors";
        }
    }
    return report;
}

void scr_matrix_newton_free(Newton *n) {
    scr_matrix_equation_free(&n->e);
    scr_matrix_momentum_free(&n->momentum);
    scr_matrix_scaled_free(&n->s);
}

static MatrixReport solve_once(const MatrixProblem *p, const MatrixSettings *settings,
                               Strategy *strategy, double *r) {
    Newton n = {0};
    MatrixReport report = solve(&n, p, settings, strategy, r);
    scr_matrix_newton_free(&n);
    return report;
}

MatrixReport scr_matrix_proximal(const MatrixProblem *p, const MatrixSettings *settings,
                                 double *r) {
    return solve_once(p, settings, proximal_alone, r);
}

MatrixReport scr_matrix_path(const MatrixProblem *p, const MatrixSettings *settings, double *r) {
    return solve_once(p, settings, path_alone, r);
}

MatrixReport scr_matrix_newton(const MatrixProblem *p, const MatrixSettings *settings, double *r) {
    return solve_once(p, settings, in_turns, r);
}

MatrixReport scr_matrix_newton_with(Newton *n, const MatrixProblem *p,
                                    const MatrixSettings *settings, double *r) {
    return solve(n, p, settings, settings->alone ? proximal_alone : in_turns, r);
}
