#include "bench/solver_runs.h"

#include "base/clock.h"
#include "bench/packing.h"
#include "matrix/from_rows.h"
#include "matrix/reduce.h"
#include "solvers/solvers.h"
#include "sweep/packets.h"
#include "api/world.h"
#include "sweep/iteration.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const double bench_solver_level[SOLVER_LEVELS] = {1e-4, 1e-6, 1e-8};
const char *const bench_solver_scale[SOLVER_SCALES] = {"weights", "loads"};

/* ---------------------------------------------------------------- the problem */

/* The problem of the coming step, as scr_find_impulses poses it, with zero impulses. It refers to
 * `with`, which must outlive it. */
static bool assemble(ScreeWorld *world, ScreeMethod method, ScreeOrder order, StepParams *with) {
    ScreeSolverDef def = scree_solver_def_default();
    def.method = method;
    def.order = order;
    def.warm_start = false;
    def.tolerance = 0;
    def.iterations = INT_MAX;
    State *s = &world->state;
    Engine *e = &world->engine;
    ScreeReport report = {0};
    s->def.solver = def;
    *with = scr_step_params(s, e);
    return scr_copy_contacts(s, &e->before) && scr_predict_step(with, s, e) == SCREE_OK &&
           scr_pose_problem(false, s, e, &report, world->message) == SCREE_OK;
}

/* ---------------------------------------------------------------- the judge */

typedef struct Judge {
    Problem *problem;
    double asked; /* |rho q| at zero impulses */
    SolverRun *run;
} Judge;

static double asked_square(const Problem *p) {
    double sum = 0;
    for (size_t i = 0; i < p->rows; i++) {
        RowVelocity u = scr_row_velocity(p, i);
        double rho = scr_row_rho(p, i), un = u.n + p->row[i].bias;
        sum += rho * rho * (un * un + dot(u.t, u.t));
    }
    return sum;
}

static Judge begin_judge(Problem *p, SolverRun *run) {
    *run = (SolverRun){.contacts = p->rows, .best = {INFINITY, INFINITY}};
    return (Judge){p, sqrt(asked_square(p)), run};
}

static void note(Judge *j, int iterations, double seconds, const double *residual) {
    SolverRun *run = j->run;
    run->iterations = iterations;
    run->seconds = seconds;
    if (run->looks < SOLVER_HISTORY) {
        run->history[run->looks++] = (SolverLook){iterations, seconds, {residual[0], residual[1]}};
    }
    for (int k = 0; k < SOLVER_SCALES; k++) {
        run->best[k] = fmin(run->best[k], residual[k]);
        for (int l = 0; l < SOLVER_LEVELS; l++) {
            SolverMark *mark = &run->mark[k][l];
            if (residual[k] > bench_solver_level[l]) {
                mark->lasting = 0;
            } else if (mark->lasting == 0) {
                mark->lasting = iterations;
                mark->lasting_seconds = seconds;
                if (mark->first == 0) {
                    mark->first = iterations;
                    mark->first_seconds = seconds;
                }
            }
        }
    }
}

/* Residuals in both scales, which differ in what scr_problem_residual divides by. */
static void judge(const Judge *j, double *residual) {
    const Problem *p = j->problem;
    double square = 0;
    for (size_t i = 0; i < p->rows; i++) {
        square += p->row[i].rn * p->row[i].rn + dot(p->row[i].rt, p->row[i].rt);
    }
    residual[0] = scr_problem_residual(p, NULL).relative;
    double size = residual[0] * sqrt(fmax(p->free_square, 1e-4 * square));
    residual[1] = size / fmax(sqrt(square), j->asked);
}

/* Velocities by body, computed afresh from the impulses. */
static bool take_velocities(const ScreeWorld *world, SolverRun *run) {
    size_t n = world->state.bodies.count;
    run->velocity = malloc((6 * n + 1) * sizeof *run->velocity);
    for (size_t i = 0; run->velocity != NULL && i < n; i++) {
        const ProblemBody *b = scr_problem_body(&world->engine.task, (int32_t)i);
        memcpy(run->velocity + 6 * i, &b->v, 6 * sizeof(double));
    }
    return run->velocity != NULL;
}

/* ---------------------------------------------------------------- sweeps */

typedef struct Looking {
    Judge judge;
    const Order *stored;
    const SolverLimits *limits;
    double used, since; /* seconds, without those for looking; when the clock last started */
    int next;           /* sweep at which to look next */
} Looking;

/* Looks after every sweep at first, later after every 3 % more sweeps, and after the last. The clock
 * is stopped meanwhile. */
static bool look(void *context, int sweep, bool columns) {
    Looking *l = context;
    if (sweep < l->next) {
        return false;
    }
    double residual[SOLVER_SCALES];
    l->used += scr_thread_seconds() - l->since;
    if (columns && l->stored != NULL) {
        scr_rows_to_records(l->judge.problem, l->stored, NULL);
    }
    judge(&l->judge, residual);
    note(&l->judge, sweep, l->used, residual);
    if (columns && l->stored != NULL) {
        scr_rows_to_columns(l->judge.problem, l->stored, NULL);
    }
    int later = sweep + 1 + sweep / 32;
    l->next = later < l->limits->sweeps ? later : l->limits->sweeps;
    l->since = scr_thread_seconds();
    bool solved = residual[0] <= l->limits->least, late = l->used > l->limits->seconds;
    bool spent = sweep >= l->limits->sweeps;
    l->judge.run->reason = solved  ? "solved"
                           : spent ? "the sweeps are used up"
                                   : "the time is used up";
    return solved || spent || late;
}

static bool run_sweeps(ScreeWorld *world, ScreeMethod method, ScreeOrder order,
                       const SolverLimits *limits, SolverRun *run) {
    State *s = &world->state;
    Engine *e = &world->engine;
    StepParams with;
    if (!assemble(world, method, order, &with)) {
        return false;
    }
    bool accelerated = scr_is_accelerated(&s->def.solver);
    size_t bytes = accelerated ? scr_momentum_bytes(&e->task.problem) : 0;
    if (!scr_block_reserve(&e->work.momentum_block, bytes, 1, 0) ||
        !scr_block_reserve(&e->work.sequence_block, e->task.problem.rows + 1, sizeof(int32_t), 0)) {
        return false;
    }
    Looking l = {
        .judge = begin_judge(&e->task.problem, run), .stored = &e->task.order, .limits = limits};
    const SolveSettings settings = {
        .def = s->def.solver,
        .limits = scr_impulse_limits(s->def.solver.tolerance),
        .seed = s->def.seed,
        .step = s->step,
        .momentum = accelerated ? e->work.momentum_block.data : NULL,
        .sequence = e->work.sequence_block.data,
        .stored = &e->task.order,
        .look = look,
        .looking = &l,
    };
    l.since = scr_thread_seconds();
    scr_solve(&e->task.problem, &settings);
    scr_refresh_velocities(&e->task);
    return take_velocities(world, run);
}

/* ---------------------------------------------------------------- matrices */

typedef struct Trial {
    MatrixRows rows;
    const MatrixMethod *method;
    double making;   /* seconds taken to make the matrices */
    double per_load; /* residual of weights over that of loads; 0: not known yet */
    double *r;
} Trial;

/* From zero impulses down to a level. The solver stops by the scale of loads; if that was not
 * enough, it runs again with a smaller tolerance. Returns whether it got there. */
static bool reach(Trial *t, Judge *j, int scale, double level, double seconds) {
    size_t bytes = scr_matrix_rows(&t->rows.problem) * sizeof *t->r;
    MatrixSettings settings = scr_matrix_settings();
    settings.measure = MATRIX_MEASURE_RELATIVE;
    settings.seconds_most = seconds;
    settings.tolerance = scale == 1 || t->per_load == 0 ? level : 0.98 * level / t->per_load;
    for (int attempt = 0; attempt < 3; attempt++) {
        double residual[SOLVER_SCALES], begin = scr_thread_seconds();
        memset(t->r, 0, bytes);
        MatrixReport report = t->method->solve(&t->rows.problem, &settings, t->r);
        double used = t->making + scr_thread_seconds() - begin;
        scr_matrix_to_rows(&t->rows, t->r, j->problem);
        judge(j, residual);
        t->per_load = residual[1] > 0 ? residual[0] / residual[1] : 1;
        /* a run that stopped above a level does not tell whether it would have stayed below */
        for (int k = 0; k < SOLVER_SCALES; k++) {
            SolverMark *mark = j->run->mark[k];
            for (int l = 0; l < SOLVER_LEVELS; l++) {
                mark[l].lasting = mark[l].first;
            }
        }
        j->run->reason =
            report.reason != NULL ? report.reason : scr_matrix_status_text(report.status);
        note(j, report.iterations > 0 ? report.iterations : 1, used, residual);
        if (residual[scale] <= level) {
            return true;
        }
        if (report.status != MATRIX_SOLVED) {
            return false;
        }
        settings.tolerance *= 0.9 * level / residual[scale];
    }
    return false;
}

/* Loads first: their levels are easier to reach. */
static void reach_all(Trial *t, Judge *j, const SolverLimits *limits) {
    for (int scale = SOLVER_SCALES - 1; scale >= 0; scale--) {
        for (int l = 0; l < SOLVER_LEVELS; l++) {
            bool known = j->run->mark[scale][l].first > 0;
            if (!known && !reach(t, j, scale, bench_solver_level[l], limits->seconds)) {
                break;
            }
        }
    }
    if (limits->least < bench_solver_level[SOLVER_LEVELS - 1]) {
        reach(t, j, 0, limits->least, limits->seconds);
    }
}

/* The marks of the two scales may come from different runs, but the velocities are those of the
 * last run, the most exact one. */
static bool run_matrices(ScreeWorld *world, const MatrixMethod *method, const SolverLimits *limits,
                         SolverRun *run) {
    Trial t = {.method = method};
    /* matrices are made of whole bodies: pistons must not be split */
    StepParams with;
    if (!assemble(world, SCREE_METHOD_GAUSS_SEIDEL, SCREE_ORDER_FIXED, &with)) {
        return false;
    }
    Judge j = begin_judge(&world->engine.task.problem, run);
    double begin = scr_thread_seconds();
    Fault fault = scr_matrix_from_rows(&t.rows, j.problem, NULL, 0, MATRIX_LAWS_EXACT);
    fault = fault.status == SCREE_OK ? scr_matrix_reduce(&t.rows.problem) : fault;
    t.making = scr_thread_seconds() - begin;
    t.r = malloc((scr_matrix_rows(&t.rows.problem) + 1) * sizeof *t.r);
    bool ok = fault.status == SCREE_OK && t.r != NULL;
    if (ok) {
        reach_all(&t, &j, limits);
        ok = take_velocities(world, run);
    } else {
        fprintf(stderr, "bench: %s\n", fault.status != SCREE_OK ? fault.words : "no memory");
    }
    free(t.r);
    scr_matrix_rows_free(&t.rows);
    return ok;
}

static const MatrixMethod *matrix_method(const char *solver) {
    static const char matrix[] = "matrix_";
    return strncmp(solver, matrix, sizeof matrix - 1) == 0
               ? scr_find_matrix_method(solver + sizeof matrix - 1)
               : NULL;
}

bool bench_is_solver(const char *solver) {
    return strcmp(solver, "random") == 0 || strcmp(solver, "boxed") == 0 ||
           strcmp(solver, "accelerated") == 0 || matrix_method(solver) != NULL;
}

bool bench_run_solver(const ScreeWorld *from, const char *solver, const SolverLimits *limits,
                      SolverRun *run) {
    ScreeWorld *world = bench_copy_world(from);
    const MatrixMethod *method = matrix_method(solver);
    bool ok = false;
    if (world == NULL) {
        return false;
    }
    if (strcmp(solver, "random") == 0) {
        ok = run_sweeps(world, SCREE_METHOD_GAUSS_SEIDEL, SCREE_ORDER_RANDOM, limits, run);
    } else if (strcmp(solver, "boxed") == 0) {
        ok = run_sweeps(world, SCREE_METHOD_GAUSS_SEIDEL, SCREE_ORDER_BOXED, limits, run);
    } else if (strcmp(solver, "accelerated") == 0) {
        ok = run_sweeps(world, SCREE_METHOD_ACCELERATED, SCREE_ORDER_BOXED, limits, run);
    } else if (method != NULL) {
        ok = run_matrices(world, method, limits, run);
    } else {
        fprintf(stderr, "bench: there is no solver '%s'\n", solver);
    }
    scree_world_destroy(world);
    return ok;
}
