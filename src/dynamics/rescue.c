/* Where sweeps stall. With large coefficients of friction they come to a cycle in which a few
 * contacts stick, slide and open in turn; where a heavy body rests on light ones, they creep. Most
 * contacts obey their law by then. So those that do not, with their neighbours, are solved by
 * Newton's method while all other impulses stay as they are; damped sweeps spread what has changed;
 * and so on. What that does not cure, in a problem of moderate size, is left to Newton's method on
 * the whole, and in the end to its proximal points alone, for as long as they take. */
#include "dynamics/step_solver.h"

#include "base/clock.h"
#include "base/status.h"

#include <math.h>
#include <string.h>

/* Rows of all patches together, rounds of patches, iterations of Newton's method in one round (and
 * row updates for which there are more of them), and damped sweeps afterwards. */
enum { PATCH_ROWS = 600, ROUNDS = 8, ITERATIONS = 400, UPDATES = 100000, SPREAD = 100 };

/* How far Newton's method goes in a patch at first, by the law of each contact. What that leaves over may
 * still be too much for the limits of a step: then it is asked for more. */
static const double patch_tolerance = 1e-3, least_tolerance = 1e-12;

/* What all factorisations of the patches may cost together, and those of the whole: a second or so.
 * What leads somewhere needs a tenth of it. */
static const double flops_most = 2e9;

/* Newton's method on the whole may be in vain as well: so its iterations are bounded, sweeps of its
 * own included. A few rows are solved as a whole at once. The interior-point method is left out where
 * its matrices are large: so many rows in the plane, half as many in space. */
/* Without friction the problem is convex, and where it has no solution the interior-point method proves it. For so
 * many bodies, whose motions are all that its matrices are of, it takes a few hundredths of a second. */
enum { MOST_SMOOTH = 64 };

enum { MOST_ITERATIONS = 300, WHOLE_UPDATES = 200000, FEW = 64, MOST_INSIDE = 600 };

/* The last resort of a step, however often it is solved anew: seconds rather than one. The law is
 * asked for to this tolerance at first, and a round that factored nothing is not free either. */
enum { SLOW_ITERATIONS = 5000 };
static const double slow_flops_most = 2e10, slow_flops_round = 5e9, slow_tolerance = 2e-3;

bool scr_can_be_rescued(const StepTask *t) {
    const ScreeSolverDef *def = &t->state->def.solver;
    return def->method == SCREE_METHOD_AUTO && def->criterion == SCREE_CRITERION_RESIDUAL &&
           def->iterations > SCR_PATIENCE && t->problem.cell == NULL && t->state->images == 0;
}

/* Which bodies of the problem stand in for others. */
static bool list_copies(const Order *order, Block *block) {
    if (!scr_block_reserve(block, order->copies + 1, sizeof(BodyCopy), 0)) {
        return false;
    }
    BodyCopy *copy = block->data;
    for (size_t i = 0; i < order->copies; i++) {
        copy[i] = (BodyCopy){order->copy[i].body, order->copy[i].among};
    }
    return true;
}

/* ---------------------------------------------------------------- the best so far */

/* Impulse and torque of a row. */
typedef struct SavedRow {
    double rn;
    Vec3 rt;
    Torque torque;
} SavedRow;

static void save_impulses(const Problem *p, SavedRow *saved) {
    for (size_t i = 0; i < p->rows; i++) {
        const LawRow *l = scr_law_row(p, i);
        saved[i] = (SavedRow){.rn = p->row[i].rn, .rt = p->row[i].rt};
        if (l != NULL) {
            saved[i].torque = l->torque;
        }
    }
}

static void recall_impulses(StepTask *t, const SavedRow *saved) {
    Problem *p = &t->problem;
    for (size_t i = 0; i < p->rows; i++) {
        LawRow *l = scr_law_row(p, i);
        p->row[i].rn = saved[i].rn;
        p->row[i].rt = saved[i].rt;
        if (l != NULL) {
            l->torque = saved[i].torque;
        }
    }
    scr_refresh_velocities(t);
}

/* ---------------------------------------------------------------- patches */

typedef struct Patches {
    SavedRow *saved; /* [rows] the best so far */
    double *error;   /* [rows] by how much each misses its law */
    int32_t *row;    /* [count] in the patches */
    uint8_t *marked; /* [bodies] */
    size_t count;
    double tolerance; /* by the law of each contact */
    double law;       /* what was reached, or INFINITY */
    double flops_left;
} Patches;

static bool reserve(Patches *x, const Problem *p, Block *block) {
    size_t each = sizeof *x->saved + sizeof *x->error + sizeof *x->row;
    if (!scr_block_reserve(block, p->rows * each + p->bodies + 1, 1, 0)) {
        return false;
    }
    x->saved = block->data;
    x->error = (double *)(x->saved + p->rows);
    x->row = (int32_t *)(x->error + p->rows);
    x->marked = (uint8_t *)(x->row + p->rows);
    return true;
}

static void mark_bodies(const Problem *p, const Row *r, uint8_t *marked) {
    marked[r->a] = marked[r->a] || scr_is_movable(&p->body[r->a]);
    marked[r->b] = marked[r->b] || scr_is_movable(&p->body[r->b]);
}

/* All rows of marked bodies; those without a load only if asked for. */
static void list_rows(const Problem *p, bool open, Patches *x) {
    x->count = 0;
    for (size_t i = 0; i < p->rows; i++) {
        const Row *r = &p->row[i];
        if ((x->marked[r->a] || x->marked[r->b]) && (open || r->rn > 0)) {
            x->row[x->count++] = (int32_t)i;
        }
    }
}

/* The bodies of rows that miss their law by `least` or more, those that press on these, and so on
 * for so many rings; then all rows of these bodies. */
static void choose_rows(const Problem *p, double least, int rings, Patches *x) {
    memset(x->marked, 0, p->bodies);
    for (size_t i = 0; i < p->rows; i++) {
        if (x->error[i] >= least) {
            mark_bodies(p, &p->row[i], x->marked);
        }
    }
    for (int ring = 1; ring < rings; ring++) {
        list_rows(p, false, x);
        for (size_t i = 0; i < x->count; i++) {
            mark_bodies(p, &p->row[x->row[i]], x->marked);
        }
    }
    list_rows(p, true, x);
}

/* As many of the worst as there is room for; false if errors are everywhere, or no row has one that
 * rounding leaves of account. */
static bool choose_patches(const Problem *p, int rings, Patches *x) {
    double worst = 0;
    for (size_t i = 0; i < p->rows; i++) {
        x->error[i] = scr_row_error(p, i);
        worst = scr_max(worst, x->error[i]);
    }
    for (double share = 0.03; share < 1; share *= 2) {
        choose_rows(p, share * worst, rings, x);
        if (x->count <= PATCH_ROWS) {
            return x->count > 0;
        }
    }
    return false;
}

/* Newton's method by the law of each contact: what it needs, besides a tolerance and an effort. */
static Fault prepare_newton(StepMatrices *k, MatrixYardstick *yardstick, MatrixSettings *settings) {
    Fault fault = scr_matrix_reduce_with(&k->reducer, &k->rows.problem);
    if (fault.status == SCREE_OK && !scr_matrix_yardstick_make(yardstick, &k->rows.problem)) {
        fault = scr_fault_of_memory();
    }
    *settings = scr_matrix_settings();
    settings->measure = MATRIX_MEASURE_LAW;
    settings->yardstick = yardstick;
    return fault;
}

static Fault solve_part(StepMatrices *k, Patches *x, ScreeReport *report) {
    MatrixYardstick yardstick = {0};
    MatrixSettings settings;
    Fault fault = prepare_newton(k, &yardstick, &settings);
    if (fault.status == SCREE_OK) {
        settings.tolerance = x->tolerance;
        settings.iterations_most = ITERATIONS + UPDATES / (int)x->count;
        settings.flops_most = x->flops_left;
        MatrixReport solved = scr_matrix_newton_with(&k->newton, &k->rows.problem, &settings, k->r);
        report->iterations += solved.iterations;
        x->flops_left -= k->newton.s.flops;
        x->law = solved.status == MATRIX_SOLVED ? solved.residual.law : INFINITY;
        fault = solved.status == MATRIX_NO_MEMORY ? scr_fault_of_memory() : fault;
    }
    scr_matrix_yardstick_free(&yardstick);
    return fault;
}

/* The problem of some rows in matrices, with the impulses that they have as a start. Where matrices
 * cannot express a law they come near, and the sweeps that follow do the rest. */
static Fault pose(StepMatrices *k, const Problem *p, const BodyCopy *copy, size_t copies) {
    Fault fault = scr_matrix_from_rows(&k->rows, p, copy, copies, MATRIX_LAWS_NEAR);
    if (fault.status == SCREE_OK && !scr_reserve_solution(k)) {
        fault = scr_fault_of_memory();
    }
    if (fault.status == SCREE_OK) {
        memcpy(k->r, k->rows.now, scr_matrix_rows(&k->rows.problem) * sizeof *k->r);
    }
    return fault;
}

static Fault solve_patches(StepTask *t, SolverWork *work, Patches *x, ScreeReport *report) {
    StepMatrices *k = &work->matrices;
    ProblemPart *part = &work->part;
    if (!scr_part_make(part, &t->problem, work->copy_block.data, t->order.copies, x->row,
                       x->count)) {
        return scr_fault_of_memory();
    }
    Fault fault = pose(k, &part->problem, part->copy, part->copies);
    if (fault.status == SCREE_OK) {
        fault = solve_part(k, x, report);
    }
    if (fault.status == SCREE_OK) {
        scr_matrix_set_impulses(&k->rows, k->r, &part->problem);
        scr_part_give_back(part, &t->problem);
        scr_refresh_velocities(t);
        scr_judge_rows(t, report);
    }
    return fault;
}

static void spread(StepTask *t, ScreeReport *report) {
    const SolveSettings settings = {
        .def = {.method = SCREE_METHOD_GAUSS_SEIDEL,
                .order = SCREE_ORDER_FIXED,
                .criterion = SCREE_CRITERION_RESIDUAL,
                .tolerance = t->state->def.solver.tolerance,
                .iterations = SPREAD},
        .limits = scr_residual_limits(t),
        .stiffness = 2,
        .stored = &t->order,
        .threads = t->with->threads,
    };
    report->iterations += scr_solve(&t->problem, &settings).iterations;
    scr_judge_rows(t, report);
}

/* Wider patches after every second round. */
static Fault mend_patches(StepTask *t, SolverWork *work, ScreeReport *report) {
    const ResidualLimits limits = scr_residual_limits(t);
    double best = scr_report_excess(t, &limits, report);
    Patches x = {.tolerance = patch_tolerance, .flops_left = flops_most};
    if (!reserve(&x, &t->problem, &work->patch_block)) {
        return scr_fault_of_memory();
    }
    save_impulses(&t->problem, x.saved);
    for (int round = 0; round < ROUNDS && x.flops_left > 0; round++) {
        if (!choose_patches(&t->problem, 1 + round / 2, &x)) {
            break;
        }
        Fault fault = solve_patches(t, work, &x, report);
        if (fault.status != SCREE_OK) {
            return fault;
        }
        if (!scr_is_converged(t, report)) {
            spread(t, report);
        }
        if (scr_is_converged(t, report)) {
            return fault;
        }
        double excess = scr_report_excess(t, &limits, report);
        if (t->problem.rows > FEW && x.tolerance < patch_tolerance && !(excess < 0.9 * best)) {
            break; /* it is not for that that the patches are of no avail */
        }
        if (x.law <= x.tolerance) {
            x.tolerance = scr_max(least_tolerance, 0.3 / excess * scr_min(x.tolerance, x.law));
        }
        if (excess < best) {
            best = excess;
            save_impulses(&t->problem, x.saved);
        }
    }
    recall_impulses(t, x.saved);
    scr_judge_rows(t, report);
    return scr_no_fault();
}

/* ---------------------------------------------------------------- the whole */

static bool is_smooth(const Problem *p) {
    for (size_t i = 0; i < p->rows; i++) {
        if (p->row[i].mu > 0) {
            return false;
        }
    }
    return p->bodies <= MOST_SMOOTH && p->rows <= SCR_MODERATE && scr_matrix_unexpressed(p) == NULL;
}

/* With the interior-point method, Newton's begins where that gets to, far from where the sweeps have
 * been: so it is all or nothing. */
static Fault solve_whole(StepTask *t, SolverWork *work, bool inside, ScreeReport *report) {
    StepMatrices *k = &work->matrices;
    const ScreeReport before = *report;
    const ResidualLimits limits = scr_residual_limits(t);
    Fault fault = pose(k, &t->problem, work->copy_block.data, t->order.copies);
    if (fault.status != SCREE_OK) {
        return fault;
    }
    if (inside) {
        fault = scr_try_interior_point(t, k, report);
    }
    /* with friction the proof is that of the associated law */
    work->hopeless = inside && k->locked && is_smooth(&t->problem);
    if (fault.status == SCREE_OK && !(inside && scr_is_converged(t, report)) && !work->hopeless) {
        NewtonEffort most = {MOST_ITERATIONS + WHOLE_UPDATES / (int)t->problem.rows, flops_most};
        fault = scr_try_newton(t, k, &limits, most, report);
    }
    if (inside && !scr_is_converged(t, report)) {
        report->residual = INFINITY;
    }
    scr_keep_better(t, k, &before, report);
    return fault;
}

/* Until the step has converged, or nothing is left of the effort. What the law of each contact
 * leaves over may still be too much for the limits of a step: then it is asked for more. */
static Fault run_slowly(StepTask *t, StepMatrices *k, MatrixSettings *settings,
                        ScreeReport *report) {
    const ResidualLimits limits = scr_residual_limits(t);
    while (settings->flops_most > 0) {
        MatrixReport solved = scr_matrix_newton_with(&k->newton, &k->rows.problem, settings, k->r);
        if (solved.status == MATRIX_NO_MEMORY) {
            return scr_fault_of_memory();
        }
        report->iterations += solved.iterations;
        settings->flops_most -= k->newton.s.flops + slow_flops_round;
        scr_matrix_set_impulses(&k->rows, k->r, &t->problem);
        scr_refresh_velocities(t);
        scr_judge_rows(t, report);
        double excess = scr_report_excess(t, &limits, report);
        if (solved.status != MATRIX_SOLVED || !k->rows.exact || excess <= 1 || !isfinite(excess)) {
            break;
        }
        settings->tolerance = 0.3 / excess * scr_min(settings->tolerance, solved.residual.law);
    }
    return scr_no_fault();
}

/* Proximal points alone, for as long as they take. With friction of 10, where all else fails, they
 * come through: docs/solvers.md. */
static Fault solve_slowly(StepTask *t, SolverWork *work, ScreeReport *report) {
    StepMatrices *k = &work->matrices;
    const ScreeReport before = *report;
    MatrixYardstick yardstick = {0};
    MatrixSettings settings;
    Fault fault = pose(k, &t->problem, work->copy_block.data, t->order.copies);
    if (fault.status == SCREE_OK) {
        fault = prepare_newton(k, &yardstick, &settings);
    }
    if (fault.status == SCREE_OK) {
        settings.tolerance = slow_tolerance;
        settings.iterations_most = SLOW_ITERATIONS;
        settings.flops_most = slow_flops_most - work->slow_flops;
        settings.alone = true;
        fault = run_slowly(t, k, &settings, report);
        work->slow_flops = slow_flops_most - settings.flops_most;
        scr_keep_better(t, k, &before, report);
    }
    scr_matrix_yardstick_free(&yardstick);
    return fault;
}

/* ---------------------------------------------------------------- ways */

static Fault rescue(StepTask *t, SolverWork *work, ScreeReport *report) {
    const size_t rows = t->problem.rows;
    work->hopeless = false;
    if (is_smooth(&t->problem)) {
        Fault inside = solve_whole(t, work, true, report);
        if (inside.status != SCREE_OK || work->hopeless || scr_is_converged(t, report)) {
            return inside;
        }
    }
    const bool at_once = rows <= FEW && scr_matrix_unexpressed(&t->problem) == NULL;
    Fault fault = at_once ? solve_whole(t, work, false, report) : mend_patches(t, work, report);
    if (fault.status == SCREE_OK && rows > FEW && rows <= SCR_MODERATE &&
        !scr_is_converged(t, report)) {
        fault = solve_whole(t, work, false, report);
    }
    return fault;
}

static Fault resort(StepTask *t, SolverWork *work, ScreeReport *report) {
    const size_t rows = t->problem.rows;
    Fault fault = scr_no_fault();
    if (rows * (size_t)(t->problem.dimension - 1) <= MOST_INSIDE) {
        fault = solve_whole(t, work, true, report);
    }
    if (fault.status == SCREE_OK && rows <= SCR_MODERATE && work->slow_flops < slow_flops_most &&
        !scr_is_converged(t, report)) {
        fault = solve_slowly(t, work, report);
    }
    return fault;
}

/* ---------------------------------------------------------------- two coefficients of friction
 *
 * With two of them the problem is an ordinary one as long as each contact keeps its own. What is found
 * then tells which of them change, and it is solved again with these: a few times. To tell that, what is
 * permitted by default is enough. */

enum { SETTLINGS = 16 };

typedef struct Settled {
    SavedRow *row;
    TwoFriction *two;
} Settled;

static bool reserve_settled(const Problem *p, Block *block, Settled *x) {
    const size_t rows = p->twos > 0 ? p->rows : 0;
    if (!scr_block_reserve(block, rows * sizeof *x->row + p->twos * sizeof *x->two + 1, 1, 0)) {
        return false;
    }
    x->row = block->data;
    x->two = (TwoFriction *)(x->row + rows);
    return true;
}

/* Whether contacts have other coefficients now than the impulses were found with, which are saved. */
static bool settle(Problem *p, Settled *x) {
    if (scr_all_twos(p) == 0) {
        return false;
    }
    save_impulses(p, x->row);
    memcpy(x->two, p->two, p->twos * sizeof *x->two);
    return scr_settle_frictions(p) > 0;
}

static void unsettle(StepTask *t, const Settled *x, ScreeReport *report) {
    Problem *p = &t->problem;
    memcpy(p->two, x->two, p->twos * sizeof *x->two);
    for (size_t i = 0; i < p->twos; i++) {
        p->row[p->two[i].row].mu = p->two[i].holds ? p->two[i].holding : p->two[i].sliding;
    }
    recall_impulses(t, x->row);
    scr_judge_rows(t, report);
}

typedef Fault Way(StepTask *t, SolverWork *work, ScreeReport *report);

static Fault solve_and_settle(StepTask *t, SolverWork *work, ScreeReport *report, Way *way) {
    const ResidualLimits usual = scr_usual_limits(t), limits = scr_residual_limits(t);
    double allowed = INFINITY;
    Settled before;
    if (!reserve_settled(&t->problem, &work->settled_block, &before)) {
        return scr_fault_of_memory();
    }
    bool changed = false;
    for (int round = 0; round < SETTLINGS; round++) {
        report->unsettled = 0;
        Fault fault = way(t, work, report);
        if (fault.status != SCREE_OK) {
            return fault;
        }
        const double excess = scr_report_excess(t, &limits, report);
        if (scr_report_excess(t, &usual, report) > 1 || !(excess <= allowed)) {
            break;
        }
        allowed = scr_max(10 * excess, 1);
        changed = settle(&t->problem, &before);
        if (!changed) {
            break;
        }
        scr_judge_rows(t, report);
    }
    if (changed) { /* and nothing nearly as good was found for that */
        unsettle(t, &before, report);
    }
    report->unsettled = (int64_t)scr_count_unsettled(&t->problem);
    return scr_no_fault();
}

/* ---------------------------------------------------------------- what the steps call */

static ScreeStatus try(StepTask *t, SolverWork *work, ScreeReport *report, Way *way) {
    const double begin = scr_seconds();
    Fault fault = scr_fault_of_memory();
    if (list_copies(&t->order, &work->copy_block)) {
        fault = solve_and_settle(t, work, report, way);
    }
    work->seconds += scr_seconds() - begin;
    return fault.status == SCREE_NO_MEMORY ? SCREE_NO_MEMORY : SCREE_OK;
}

ScreeStatus scr_rescue(StepTask *t, SolverWork *work, ScreeReport *report) {
    return try(t, work, report, rescue);
}

ScreeStatus scr_last_resort(StepTask *t, SolverWork *work, ScreeReport *report) {
    return try(t, work, report, resort);
}
