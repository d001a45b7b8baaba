#include "sweep/iteration.h"

#include "base/random.h"
#include "math/reduce.h"
#include "sweep/packets.h"

/* How far the iteration has come. */
typedef struct Progress {
    int sweep;           /* sweeps done */
    int least;           /* to be done */
    int calm;            /* until then the aim is that of the settings' calm */
    double change;       /* sqrt(sum |dR|^2) of the last sweep */
    double mean, before; /* sum of |R| after the last sweep and after the one before it (eq 36) */
    bool at_rest;        /* eq 35 was satisfied at every row */
    int next_check;      /* the exact residual is computed at this sweep at the latest */
    Residual residual;   /* of the last exact check */
    double excess;       /* the same in units of what is allowed, see scr_excess */
    double ratio;        /* excess over change at that check, or as it was given; 0: not known */
    int checked;         /* sweep of the last exact check */
    double last;         /* excess at the last scheduled check */
    double best;         /* the best of them, at the time of the last scheduled check */
    int stuck;           /* scheduled checks that found too little progress */
    bool plain;          /* the accelerated method does without momentum for a while */
    bool given_up;       /* it does without for good */
    double stiffness;  /* the blocks of the rows are to be multiplied by this: 1, or more to damp */
    double multiplied; /* what they have been multiplied by so far */
    int no_pause;      /* the momentum does not pause before this sweep */
    bool columns;      /* the rows are stored as columns, see sweep/packets.h */
} Progress;

double scr_order_q(ScreeOrder order) {
    /* (4 sqrt(e) - 5) / 2 for a permutation drawn anew every sweep, 1 for any fixed order. */
    return order == SCREE_ORDER_RANDOM ? 0.5 * (4 * sqrt(scr_exp(1.0)) - 5) : 1;
}

bool scr_is_accelerated(const ScreeSolverDef *def) {
    bool steady = def->order != SCREE_ORDER_RANDOM && def->order != SCREE_ORDER_ALTERNATING;
    return def->method == SCREE_METHOD_ACCELERATED ||
           (def->method != SCREE_METHOD_GAUSS_SEIDEL &&
            def->criterion == SCREE_CRITERION_RESIDUAL && steady);
}

double scr_excess(const Residual *residual, const ResidualLimits *limits) {
    if (!isfinite(residual->relative)) {
        return INFINITY;
    }
    double impulses =
        scr_max(residual->relative / limits->relative, residual->loads / limits->loads);
    double velocities = residual->velocity / limits->velocity;
    double closing = residual->approach / limits->approach;
    return scr_max(scr_max(impulses, velocities),
                   scr_max(closing, residual->worst / limits->worst));
}

bool scr_is_cold(const Problem *p) {
    bool cold = true;
    for (size_t i = 0; i < p->rows && cold; i++) {
        cold = !(p->row[i].rn > 0);
    }
    return !scr_any_process(scr_rows_over(p), !cold);
}

static SweepOrder next_order(const Problem *p, const SolveSettings *s, int sweep) {
    SweepOrder order = {.stored = s->stored, .threads = s->threads, .domain = s->domain};
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

/* With a fixed number of sweeps only the last one tells how far the impulses are from their solution. */
static bool is_silent(const SolveSettings *s, int sweep) {
    return s->def.criterion == SCREE_CRITERION_FIXED && s->momentum == NULL && s->look == NULL &&
           sweep + 1 < s->def.iterations;
}

/* Stores the rows as columns for the sweep, or as records for everyone else. A device has its own, and
 * takes them from the records when these have changed. */
static void turn(Problem *p, const SolveSettings *s, bool columns, Progress *progress) {
    if (s->device != NULL) {
        (columns ? scr_device_put : scr_device_get)(s->device);
        return;
    }
    columns = columns && p->cell == NULL;
    if (columns != progress->columns && s->stored != NULL) {
        (columns ? scr_rows_to_columns : scr_rows_to_records)(p, s->stored, s->threads);
    }
    progress->columns = columns;
}

/* Records have been changed. */
static void tell_device(const SolveSettings *s) {
    if (s->device != NULL) {
        s->device->stale = true;
    }
}

/* The rows have to be records. By powers of two, so that nothing is rounded. */
static void stiffen(Problem *p, const SolveSettings *s, double to, Progress *progress) {
    if (to != progress->multiplied && scr_has_rows_here(s->device)) {
        scr_scale_blocks(p, to / progress->multiplied);
        progress->multiplied = to;
        tell_device(s);
    }
}

/* A device keeps what it has. */
static void save(Problem *p, const SolveSettings *s, Progress *progress, Momentum *m) {
    if (s->device == NULL) {
        turn(p, s, false, progress);
    }
    scr_momentum_save(m, p, progress->excess, s->threads);
}

/* Rows as the sweep wants them. */
static void prepare(Problem *p, const SolveSettings *s, bool columns, Progress *progress) {
    if (progress->stiffness != progress->multiplied) {
        turn(p, s, false, progress);
        stiffen(p, s, progress->stiffness, progress);
    }
    turn(p, s, columns, progress);
}

/* A device judges what it has; but rows that are damped, or have changed here, are judged here. */
static Residual judge(Problem *p, const SolveSettings *s, Progress *progress) {
    if (s->device != NULL && progress->multiplied == 1 && scr_device_judge(s->device)) {
        return scr_judged_residual(p);
    }
    turn(p, s, false, progress);
    if (!scr_has_rows_here(s->device)) {
        return (Residual){.relative = NAN};
    }
    stiffen(p, s, 1, progress);
    return scr_problem_residual(p, s->threads);
}

static void check(Problem *p, const SolveSettings *s, Progress *progress) {
    progress->residual = judge(p, s, progress);
    progress->excess = scr_excess(&progress->residual, &s->limits);
    progress->checked = progress->sweep;
    if (progress->change > 0) {
        progress->ratio = progress->excess / progress->change;
    }
}

/* Numbers of sweeps: to the first check where the ratio is known, before the best is saved, before
 * a cycle is assumed and between checks while sweeps are damped, before contacts may creep, between
 * checks (and while they creep), and without momentum. LATE_PARTS: checks are this fraction of all
 * sweeps apart in the second half. STIFFEST: the most that blocks are multiplied by. */
enum {
    LATE_FIRST = 8,
    FIRST = 64,
    CYCLES = 128,
    CREEP = 256,
    MANY = 1024,
    MANY_CREEPING = 512,
    SOME = 256,
    LATE_PARTS = 8,
    STIFFEST = 8
};

static void plan_next_check(const SolveSettings *s, Progress *progress, const Momentum *m) {
    const int now = progress->sweep, half = s->def.iterations / 2;
    const int most = progress->stiffness > 1   ? CYCLES
                     : progress->plain         ? SOME
                     : m->creep_per_change > 0 ? MANY_CREEPING
                                               : MANY;
    const int part = s->def.iterations / LATE_PARTS;
    progress->next_check = now + (now < most ? now : most);
    if (s->momentum != NULL && now < half && half < progress->next_check) {
        progress->next_check = half;
    } else if (s->momentum != NULL && now >= half) {
        progress->next_check = now + (part > FIRST ? part : FIRST);
    }
}

/* Sweeps can come to a cycle in which contacts stick, slide and open in turn, with large
 * coefficients of friction above all. Shorter steps, as if the contacts were several times as stiff
 * as they are, bring them out of it. */
static bool is_cycling(const Progress *progress, const Momentum *m) {
    double share = progress->sweep < CREEP ? 1 : 0.5;
    return progress->sweep >= CYCLES && m->creep_per_change == 0 &&
           progress->excess > share * progress->last;
}

static void dampen(Progress *progress, Momentum *m) {
    if (is_cycling(progress, m)) {
        progress->stiffness = progress->stiffness < STIFFEST ? 2 * progress->stiffness : 1;
    }
    progress->plain = progress->stiffness > 1;
    if (progress->plain) {
        scr_momentum_stop_creep(m);
    }
}

/* Momentum usually helps, but sometimes it keeps a problem from settling. If many sweeps have not
 * halved the residual, some without momentum follow. Where contacts creep, they creep faster for a
 * while instead, and sweeps without momentum follow only every third time. */
static void adapt_creep(Problem *p, const SolveSettings *s, Progress *progress, Momentum *m) {
    const double square = progress->change * progress->change;
    bool stuck =
        !progress->plain && progress->sweep >= MANY && progress->excess > 0.5 * progress->last;
    bool creeps = m->creep_per_change > 0;
    progress->stuck += stuck;
    progress->plain = stuck && (!creeps || progress->stuck % 3 == 0);
    if (progress->plain || progress->given_up) {
        scr_momentum_stop_creep(m);
    } else if (progress->sweep >= CREEP && !creeps) {
        turn(p, s, false, progress);
        if (scr_has_rows_here(s->device)) {
            scr_momentum_let_creep(m, p, square, s->threads);
        }
    } else if (creeps) {
        scr_momentum_raise_creep(m, stuck && progress->stuck % 3 == 1, square);
    }
}

/* In the second half of the allowed sweeps momentum has to show progress from check to check; if it
 * does not, plain Gauss-Seidel continues from the best. */
static void adapt_momentum(Problem *p, const SolveSettings *s, Progress *progress, Momentum *m) {
    const double excess = progress->excess;
    if (progress->sweep >= FIRST && excess < m->saved_residual) {
        save(p, s, progress, m);
    }
    bool late = progress->sweep >= s->def.iterations / 2, damped = progress->stiffness > 1;
    if (late && !damped && !(m->saved_residual < 0.9 * progress->best) && !progress->given_up) {
        if (m->saved_residual < excess) {
            scr_momentum_recall(m, p, s->threads);
        }
        progress->given_up = true;
    }
    if (damped || is_cycling(progress, m)) {
        dampen(progress, m);
    } else {
        adapt_creep(p, s, progress, m);
    }
    progress->best = scr_min(m->saved_residual, excess);
    progress->last = excess;
}

/* What the excess has to come down to. A problem of a few rows is solved much further than asked
 * for: so many updates of rows take no longer than the rest of a step, and a collision of three
 * grains, or a stack of ten, is then right to many digits. */
enum { FREE_UPDATES = 2000 };

/* So many sweeps, or of few rows so many updates, may go into a smaller residual than was asked for.
 * The next step continues from there; one that has nothing to begin with may take longer. */
enum { CALM_SWEEPS = 200, CALM_SWEEPS_COLD = 2000, CALM_UPDATES = 100000 };

static int calm_sweeps(const Problem *p) {
    return scr_is_cold(p) ? CALM_SWEEPS_COLD : CALM_SWEEPS;
}

static double wanted(const Problem *p, const SolveSettings *s, const Progress *progress) {
    double updates = (double)progress->sweep * (double)scr_all_rows(p);
    if (updates < FREE_UPDATES) {
        return s->handy > 0 ? scr_min(1, s->handy / s->limits.relative) : scr_aim(&s->limits);
    }
    bool more = s->calm > 0 && (progress->sweep < progress->calm || updates < CALM_UPDATES);
    return more ? s->calm : 1;
}

/* Without friction nothing but the forces of all contacts together stops the soft modes of a
 * packing, and sweeps find these slowly. If each step ends as soon as the tolerance allows, it leaves
 * them to the next one, and the packing never comes to rest: so it makes this many sweeps at least.
 * Smooth grains between rough walls are such a packing, too. */
enum { FRICTIONLESS_LEAST = 40 };

typedef struct RoughRows {
    const Problem *problem;
    int64_t count[SCR_MOST_PIECES];
} RoughRows;

static void count_rough(void *context, size_t piece) {
    RoughRows *rough = context;
    const Problem *p = rough->problem;
    int64_t count = 0;
    for (size_t i = scr_piece_begin(p->rows, piece); i < scr_piece_end(p->rows, piece); i++) {
        count += p->row[i].mu > 0;
    }
    rough->count[piece] = count;
}

static int least_sweeps(const Problem *p, const SolveSettings *s) {
    RoughRows rows = {.problem = p};
    int64_t rough = 0;
    if (s->def.criterion != SCREE_CRITERION_RESIDUAL) {
        return 0; /* nobody asks */
    }
    if (scr_has_rows_here(s->device)) {
        scr_threads_loop(s->threads, scr_pieces(p->rows), count_rough, &rows);
        for (size_t k = 0; k < scr_pieces(p->rows); k++) {
            rough += rows.count[k];
        }
    } else {
        rough = s->device->rough;
    }
    scr_count_over_processes(scr_rows_over(p), &rough, 1);
    return 2 * (size_t)rough <= scr_all_rows(p) ? FRICTIONLESS_LEAST : 0;
}

/* Sweeping also ends when nothing but rounding changes any more.
 *
 * The exact residual costs about as much as three sweeps. Its ratio to the change of a sweep is
 * nearly constant, even from one step to the next, so it is computed when the change promises
 * success, and otherwise at sweeps 8, 16, 32, ... and later every thousand, to learn the ratio.
 * Without a ratio to begin with, also at 1, 2 and 4. */
static bool residual_reached(Problem *p, const SolveSettings *s, Progress *progress, Momentum *m) {
    if (progress->sweep < progress->least) {
        return progress->change == 0;
    }
    const double enough = wanted(p, s, progress);
    bool foretold = progress->ratio > 0 && progress->ratio * progress->change <= enough;
    if (progress->sweep < progress->next_check && !foretold) {
        return false;
    }
    check(p, s, progress);
    bool learning = progress->sweep >= progress->next_check;
    if (learning && s->momentum != NULL) {
        adapt_momentum(p, s, progress, m);
    }
    if (learning) {
        plan_next_check(s, progress, m);
    }
    if (progress->excess <= enough) {
        return true;
    }
    return learning && progress->sweep >= 8 &&
           progress->change * progress->change <= progress->residual.noise;
}

/* Momentum brings forces far, but what contacts change in turn it makes larger: near the end the residual
 * hovers, often just above what is wanted, where one sweep without momentum would take a third of it away.
 * So where it promises to be so near, the momentum pauses for one sweep; and if that was in vain not again
 * before as many sweeps as a quarter of those made, since forces have still to get farther. */
static const double near_enough = 1.4;
enum { PAUSE_FIRST = 16, PAUSE_PARTS = 4 };

static MomentumPace pace_of(const Problem *p, const SolveSettings *s, Progress *progress) {
    const int sweep = progress->sweep;
    if (progress->plain || progress->given_up) {
        return MOMENTUM_RESTS;
    }
    const double foretold = progress->ratio * progress->change;
    if (sweep < PAUSE_FIRST || sweep < progress->least || sweep < progress->no_pause ||
        !(foretold > 0 && foretold < near_enough * wanted(p, s, progress))) {
        return MOMENTUM_GOES_ON;
    }
    progress->no_pause = sweep + sweep / PAUSE_PARTS;
    return MOMENTUM_PAUSES;
}

static bool reached(Problem *p, const SolveSettings *s, Progress *progress, Momentum *m) {
    switch (s->def.criterion) {
    case SCREE_CRITERION_LOCAL:
        return progress->at_rest;
    case SCREE_CRITERION_GLOBAL:
        return progress->sweep > 1 &&
               fabs(progress->mean - progress->before) <= s->def.tolerance * progress->mean;
    case SCREE_CRITERION_RESIDUAL:
        return residual_reached(p, s, progress, m);
    default:
        return false;
    }
}

/* With a fixed number of sweeps nothing tells when the impulses have been found, so frictions are
 * settled after half of the sweeps and after every further eighth. */
static bool is_time_to_settle(const SolveSettings *s, int sweep) {
    int eighth = s->def.iterations / 8;
    return s->def.criterion == SCREE_CRITERION_FIXED && eighth > 0 &&
           sweep >= s->def.iterations / 2 && sweep % eighth == 0 && sweep < s->def.iterations;
}

/* The final check. If the tolerance is not met, goes back to the best impulses if these were
 * better. */
static void finish(Problem *p, const SolveSettings *s, Progress *progress, const Momentum *m) {
    const bool here = scr_has_rows_here(s->device);
    if (progress->checked != progress->sweep || progress->sweep == 0) {
        check(p, s, progress);
    }
    if (here) {
        turn(p, s, false, progress);
        stiffen(p, s, 1, progress);
    }
    if (s->momentum != NULL && progress->excess > 1 && m->saved_residual < progress->excess) {
        scr_momentum_recall(m, p, s->threads);
        check(p, s, progress);
        if (here) {
            turn(p, s, false, progress);
        }
    }
}

/* Whether the frictions have been settled before. */
static bool settle(Problem *p, const SolveSettings *s, Progress *progress, Momentum *m) {
    turn(p, s, false, progress);
    bool settled = scr_settle_frictions(p) == 0;
    tell_device(s);
    m->saved_residual = settled ? m->saved_residual : INFINITY;
    return settled;
}

SolveReport scr_solve(Problem *p, const SolveSettings *s) {
    SolveReport report = {0};
    if (scr_all_rows(p) == 0) {
        return report;
    }
    Momentum momentum = {0};
    if (s->momentum != NULL) {
        scr_momentum_begin(&momentum, p, s->momentum, s->device, s->threads);
    }
    SweepWatch watch = {.relative = s->def.tolerance, .small = s->small_impulse};
    bool watching =
        s->def.criterion == SCREE_CRITERION_LOCAL || s->def.criterion == SCREE_CRITERION_GLOBAL;
    Progress progress = {.least = least_sweeps(p, s),
                         .calm = s->calm > 0 && s->calm < 1 ? calm_sweeps(p) : 0,
                         .ratio = s->ratio,
                         .next_check = s->ratio > 0 ? LATE_FIRST : 1,
                         .best = INFINITY,
                         .stiffness = scr_max(s->stiffness, 1),
                         .multiplied = 1};
    while (progress.sweep < s->def.iterations && !scr_device_failed(s->device)) {
        prepare(p, s, !watching, &progress);
        SweepOrder order = next_order(p, s, progress.sweep);
        order.columns = progress.columns;
        order.device = s->device;
        order.momentum = s->momentum != NULL ? &momentum.rows : NULL;
        order.square = &momentum.square;
        order.silent = is_silent(s, progress.sweep);
        double square = scr_sweep(p, order, watching ? &watch : NULL);
        progress.change = sqrt(square);
        progress.sweep++;
        progress.before = progress.mean;
        progress.mean = watch.sum;
        progress.at_rest = watch.at_rest;
        bool done = reached(p, s, &progress, &momentum);
        if (s->look != NULL && s->look(s->looking, progress.sweep, progress.columns)) {
            break;
        }
        if (scr_all_twos(p) > 0 && (done || is_time_to_settle(s, progress.sweep))) {
            done = settle(p, s, &progress, &momentum) && done;
        }
        if (done) {
            break;
        }
        if (s->momentum != NULL && progress.sweep < s->def.iterations) {
            scr_momentum_extrapolate(&momentum, p, square, pace_of(p, s, &progress), s->threads);
        }
    }
    finish(p, s, &progress, &momentum);
    if (s->domain != NULL && !s->domain->spread) {
        scr_domain_collect(s->domain, p, s->stored);
    }
    report.iterations = progress.sweep;
    report.equivalent =
        s->momentum != NULL ? scr_momentum_equivalent(&momentum) : (double)progress.sweep;
    report.residual = progress.residual;
    report.ratio = progress.ratio;
    report.unsettled = scr_count_unsettled(p);
    return report;
}
