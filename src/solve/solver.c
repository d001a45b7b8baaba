#include "solve/solver.h"

#include "base/random.h"
#include "solve/packets.h"

/* What the iteration remembers. */
typedef struct Progress {
    int sweep;             /* done */
    double change;         /* sqrt(sum |dR|^2) of the last one */
    double mean, before;   /* sum of |R| after the last sweep and after the one before it (eq 36) */
    bool at_rest;          /* eq 35 held at every row */
    int next_check;        /* exact residual at this sweep at the latest */
    double ratio;          /* residual over change at the last exact check; 0 before the first */
    double ratio_approach; /* approach over change, likewise */
    Residual residual;     /* of the last exact check */
    int checked;           /* sweep of the last exact check */
    double last;           /* residual.relative of the last check that was planned */
    bool plain;            /* the accelerated method does without momentum for a while */
    bool columns;          /* the rows are as the sweep likes them: see solve/packets.h */
} Progress;

double scr_order_q(ScreeOrder order) {
    /* (4 sqrt(e) - 5) / 2 for a permutation drawn anew every sweep, 1 for any order that is kept.
     */
    return order == SCREE_ORDER_RANDOM ? 0.5 * (4 * sqrt(exp(1.0)) - 5) : 1;
}

bool scr_is_accelerated(const ScreeSolverDef *def) {
    bool steady = def->order != SCREE_ORDER_RANDOM && def->order != SCREE_ORDER_ALTERNATING;
    return def->method == SCREE_METHOD_ACCELERATED ||
           (def->method != SCREE_METHOD_GAUSS_SEIDEL &&
            def->criterion == SCREE_CRITERION_RESIDUAL && steady);
}

static SweepOrder next_order(const Problem *p, const SolveSettings *s, int sweep) {
    SweepOrder order = {.stored = s->stored, .threads = s->threads};
    if (s->def.order == SCREE_ORDER_RANDOM) {
        for (size_t i = 0; i < p->rows; i++) {
            s->sequence[i] = (int32_t)i;
        }
        scr_shuffle(s->sequence, p->rows, scr_random_key(s->seed, s->step, (uint64_t)sweep));
        order.sequence = s->sequence;
    }
    order.backwards = s->def.order == SCREE_ORDER_ALTERNATING && sweep % 2 == 1;
    return order;
}

/* Turns the rows for the sweep, or back for all others. */
static void turn(Problem *p, const SolveSettings *s, bool columns, Progress *progress) {
    if (columns != progress->columns && s->stored != NULL) {
        (columns ? scr_rows_to_columns : scr_rows_to_records)(p, s->stored, s->threads);
    }
    progress->columns = columns;
}

static void check(Problem *p, const SolveSettings *s, Progress *progress) {
    turn(p, s, false, progress);
    progress->residual = scr_problem_residual(p, s->threads);
    progress->checked = progress->sweep;
    double per_change = progress->change > 0 ? 1 / progress->change : 0;
    progress->ratio = progress->residual.relative * per_change;
    progress->ratio_approach = progress->residual.approach * per_change;
}

/* Momentum mostly helps, and sometimes keeps a problem in motion. When many sweeps have not halved
 * the residual, some without momentum follow. */
static void plan_next_check(Progress *progress) {
    enum { MANY = 1024, SOME = 256 };
    progress->plain = !progress->plain && progress->sweep >= MANY &&
                      progress->residual.relative > 0.5 * progress->last;
    progress->last = progress->residual.relative;
    int most = progress->plain ? SOME : MANY;
    progress->next_check = progress->sweep + (progress->sweep < most ? progress->sweep : most);
}

/* When nothing but rounding changes, the sweeps end too: numbers allow no more.
 *
 * The exact residual costs about as much as two sweeps. Its ratio to the change of the sweep is
 * nearly constant, so it is computed when the change foretells success, and otherwise at sweeps 1,
 * 2, 4, 8, ... and later every thousand, to learn the ratio. */
static bool residual_reached(Problem *p, const SolveSettings *s, Progress *progress) {
    bool foretold = progress->ratio * progress->change <= s->def.tolerance &&
                    progress->ratio_approach * progress->change <= s->approach;
    if (progress->sweep < progress->next_check && !foretold) {
        return false;
    }
    check(p, s, progress);
    bool learning = progress->sweep >= progress->next_check;
    if (learning) {
        plan_next_check(progress);
    }
    if (progress->residual.relative <= s->def.tolerance &&
        progress->residual.approach <= s->approach) {
        return true;
    }
    return learning && progress->sweep >= 8 &&
           progress->change * progress->change <= scr_problem_rounding(p);
}

static bool reached(Problem *p, const SolveSettings *s, Progress *progress) {
    switch (s->def.criterion) {
    case SCREE_CRITERION_LOCAL:
        return progress->at_rest;
    case SCREE_CRITERION_GLOBAL:
        return progress->sweep > 1 &&
               fabs(progress->mean - progress->before) <= s->def.tolerance * progress->mean;
    case SCREE_CRITERION_RESIDUAL:
        return residual_reached(p, s, progress);
    default:
        return false;
    }
}

/* A fixed number of sweeps does not tell when the impulses are found: the frictions are then
 * settled at half of them and after every further eighth. */
static bool is_time_to_settle(const SolveSettings *s, int sweep) {
    int eighth = s->def.iterations / 8;
    return s->def.criterion == SCREE_CRITERION_FIXED && eighth > 0 &&
           sweep >= s->def.iterations / 2 && sweep % eighth == 0 && sweep < s->def.iterations;
}

/* What momentum has not found in half of the sweeps is left to Gauss-Seidel. */
static bool is_last_half(const SolveSettings *s, int sweep) {
    return s->def.criterion == SCREE_CRITERION_RESIDUAL && sweep >= s->def.iterations / 2;
}

SolveReport scr_solve(Problem *p, const SolveSettings *s) {
    SolveReport report = {0};
    if (p->rows == 0) {
        return report;
    }
    Momentum momentum;
    if (s->momentum != NULL) {
        scr_momentum_begin(&momentum, p, s->momentum);
    }
    SweepWatch watch = {.relative = s->def.tolerance, .small = s->small_impulse};
    bool watching =
        s->def.criterion == SCREE_CRITERION_LOCAL || s->def.criterion == SCREE_CRITERION_GLOBAL;
    Progress progress = {.next_check = 1};
    while (progress.sweep < s->def.iterations) {
        turn(p, s, !watching, &progress);
        SweepOrder order = next_order(p, s, progress.sweep);
        order.columns = progress.columns;
        order.momentum = s->momentum != NULL ? &momentum.rows : NULL;
        order.square = &momentum.square;
        double square = scr_sweep(p, order, watching ? &watch : NULL);
        progress.change = sqrt(square);
        progress.sweep++;
        progress.before = progress.mean;
        progress.mean = watch.sum;
        progress.at_rest = watch.at_rest;
        bool done = reached(p, s, &progress);
        if (s->look != NULL && s->look(s->looking, progress.sweep, progress.columns)) {
            break;
        }
        if (p->twos > 0 && (done || is_time_to_settle(s, progress.sweep))) {
            turn(p, s, false, &progress);
            done = scr_settle_frictions(p) == 0 && done;
        }
        if (done) {
            break;
        }
        if (s->momentum != NULL && progress.sweep < s->def.iterations) {
            bool rests = progress.plain || is_last_half(s, progress.sweep);
            scr_momentum_go_on(&momentum, p, square, rests, s->threads);
        }
    }
    if (progress.checked != progress.sweep || progress.sweep == 0) {
        check(p, s, &progress);
    }
    turn(p, s, false, &progress);
    report.iterations = progress.sweep;
    report.equivalent =
        s->momentum != NULL ? scr_momentum_equivalent(&momentum) : (double)progress.sweep;
    report.residual = progress.residual;
    report.unsettled = scr_count_unsettled(p);
    return report;
}
