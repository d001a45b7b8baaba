#include "solve/solver.h"

#include "base/random.h"

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
} Progress;

double scr_order_q(ScreeOrder order) {
    /* (4 sqrt(e) - 5) / 2 for a permutation drawn anew every sweep, 1 for any order that is kept.
     */
    return order == SCREE_ORDER_RANDOM ? 0.5 * (4 * sqrt(exp(1.0)) - 5) : 1;
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

static void check(const Problem *p, const SolveSettings *s, Progress *progress) {
    progress->residual = scr_problem_residual(p, s->threads);
    progress->checked = progress->sweep;
    double per_change = progress->change > 0 ? 1 / progress->change : 0;
    progress->ratio = progress->residual.relative * per_change;
    progress->ratio_approach = progress->residual.approach * per_change;
}

/* The exact residual costs about as much as a sweep. Its ratio to the change of the sweep is nearly
 * constant, so it is computed when the change foretells success, and otherwise at sweeps 1, 2, 4,
 * 8, ... to learn the ratio. */
static bool residual_reached(const Problem *p, const SolveSettings *s, Progress *progress) {
    bool foretold = progress->ratio * progress->change <= s->def.tolerance &&
                    progress->ratio_approach * progress->change <= s->approach;
    if (progress->sweep < progress->next_check && !foretold) {
        return false;
    }
    check(p, s, progress);
    if (progress->sweep >= progress->next_check) {
        progress->next_check = 2 * progress->sweep;
    }
    return progress->residual.relative <= s->def.tolerance &&
           progress->residual.approach <= s->approach;
}

static bool reached(const Problem *p, const SolveSettings *s, Progress *progress) {
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

SolveReport scr_solve(Problem *p, const SolveSettings *s) {
    SolveReport report = {0};
    if (p->rows == 0) {
        return report;
    }
    SweepWatch watch = {.relative = s->def.tolerance, .small = s->small_impulse};
    bool watching =
        s->def.criterion == SCREE_CRITERION_LOCAL || s->def.criterion == SCREE_CRITERION_GLOBAL;
    Progress progress = {.next_check = 1};
    while (progress.sweep < s->def.iterations) {
        SweepOrder order = next_order(p, s, progress.sweep);
        progress.change = sqrt(scr_sweep(p, order, watching ? &watch : NULL));
        progress.sweep++;
        progress.before = progress.mean;
        progress.mean = watch.sum;
        progress.at_rest = watch.at_rest;
        bool done = reached(p, s, &progress);
        if (p->twos > 0 && (done || is_time_to_settle(s, progress.sweep))) {
            done = scr_settle_frictions(p) == 0 && done;
        }
        if (done) {
            break;
        }
    }
    if (progress.checked != progress.sweep || progress.sweep == 0) {
        check(p, s, &progress);
    }
    report.iterations = progress.sweep;
    report.residual = progress.residual;
    report.unsettled = scr_count_unsettled(p);
    return report;
}
