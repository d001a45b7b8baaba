/* Contact problems in matrices: the public functions. */
#include "api/world.h"

#include "base/clock.h"
#include "matrix/from_rows.h"
#include "matrix/reduce.h"
#include "solvers/verdict.h"

#include <stdlib.h>
#include <string.h>

struct ScreeProblem {
    MatrixProblem matrix;
    MatrixProof proof; /* of the last solve */
    Block proof_block;
};

ScreeProblemDef scree_problem_def_default(void) {
    return (ScreeProblemDef){.components = 3, .cookie = SCR_COOKIE};
}

ScreeProblemSettings scree_problem_settings_default(void) {
    return (ScreeProblemSettings){
        .solver = "auto", .tolerance = 1e-8, .measure = "law", .cookie = SCR_COOKIE};
}

void scree_problem_destroy(ScreeProblem *problem) {
    if (problem != NULL) {
        scr_matrix_problem_free(&problem->matrix);
        scr_block_free(&problem->proof_block);
        free(problem);
    }
}

/* ---------------------------------------------------------------- making one */

static const char *size_fault(const ScreeProblemDef *def) {
    bool vectors = def->global ? def->f != NULL && def->w != NULL : def->q != NULL;
    if (def->cookie != SCR_COOKIE) {
        return SCR_NO_COOKIE(ScreeProblemDef, scree_problem_def_default);
    }
    if (def->components != 2 && def->components != 3 && def->components != 5) {
        return "a contact has 2, 3 or 5 components";
    }
    if (def->contacts > INT32_MAX / 8 || def->freedoms > INT32_MAX / 8) {
        return "the problem is too large";
    }
    if (def->contacts > 0 && (!vectors || def->mu == NULL)) {
        return "f, w (q in the local form) and mu must be given";
    }
    if (def->contacts > 0 && def->components == 5 && def->mu_r == NULL) {
        return "mu_r must be given with 5 components";
    }
    return NULL;
}

static ScreeStatus gather(Sparse *matrix, const char *name, size_t rows, size_t columns,
                          const ScreeEntries *given, char *message) {
    Block block = {0};
    for (size_t i = 0; i < given->count; i++) {
        const ScreeEntry *e = &given->entry[i];
        if (e->row < 0 || (size_t)e->row >= rows || e->column < 0 || (size_t)e->column >= columns) {
            return scr_fail(message, SCREE_BAD_ARGUMENT,
                            "%s: entry %zu is at row %d, column %d of a matrix of %zu x %zu", name,
                            i, (int)e->row, (int)e->column, rows, columns);
        }
    }
    if (!scr_block_reserve_exact(&block, given->count, sizeof(SparseEntry), 0)) {
        return scr_no_memory(message);
    }
    SparseEntry *entry = block.data;
    for (size_t i = 0; i < given->count; i++) {
        const ScreeEntry *e = &given->entry[i];
        entry[i] = (SparseEntry){e->row, e->column, e->value};
    }
    bool ok = scr_sparse_gather(matrix, (int32_t)rows, (int32_t)columns, entry, given->count);
    scr_block_free(&block);
    return ok ? SCREE_OK : scr_no_memory(message);
}

static void copy(double *to, const double *from, size_t count) {
    if (to != NULL && from != NULL && count > 0) {
        memcpy(to, from, count * sizeof *to);
    }
}

static ScreeStatus fill(MatrixProblem *p, const ScreeProblemDef *def, char *message) {
    size_t m = (size_t)def->components * def->contacts, n = def->freedoms, where = 0;
    if (!scr_matrix_problem_begin(p, def->components, def->contacts, n, def->global,
                                  def->compliance != NULL)) {
        return scr_no_memory(message);
    }
    if (def->global) {
        SCR_TRY(gather(&p->mass, "M", n, n, &def->M, message));
        SCR_TRY(gather(&p->h, "H", n, m, &def->H, message));
        copy(p->f, def->f, n);
        copy(p->w, def->w, m);
    } else {
        SCR_TRY(gather(&p->delassus, "W", m, m, &def->W, message));
        copy(p->q, def->q, m);
    }
    copy(p->mu, def->mu, def->contacts);
    copy(p->rolling, def->mu_r, def->contacts);
    copy(p->compliance, def->compliance, m);
    const char *fault = scr_matrix_problem_fault(p, &where);
    return fault == NULL || where == SIZE_MAX
               ? scr_fail_if(message, fault)
               : scr_fail(message, SCREE_BAD_ARGUMENT, "%s (number %zu, from 0)", fault, where);
}

ScreeStatus scree_problem_create(const ScreeProblemDef *def, ScreeProblem **problem,
                                 char *message) {
    *problem = NULL;
    SCR_TRY(scr_fail_if(message, size_fault(def)));
    ScreeProblem *made = calloc(1, sizeof *made);
    if (made == NULL) {
        return scr_no_memory(message);
    }
    ScreeStatus status = fill(&made->matrix, def, message);
    if (status != SCREE_OK) {
        scree_problem_destroy(made);
        return status;
    }
    *problem = made;
    return SCREE_OK;
}

/* ---------------------------------------------------------------- that of a step */

static void list_matrix(const Sparse *a, SparseEntry *to) {
    for (int32_t k = 0; k < a->columns; k++) {
        for (int32_t e = a->start[k]; e < a->start[k + 1]; e++) {
            to[e] = (SparseEntry){a->row[e], k, a->value[e]};
        }
    }
}

/* A spring at a contact becomes a freedom of its own, of mass 1 / C: it moves at C r, as the
 * contact sees it. So files need not know about compliance. */
static bool make_springs_freedoms(const MatrixProblem *p, MatrixProblem *made) {
    Block block = {0};
    size_t m = scr_matrix_rows(p), n = (size_t)p->h.rows, springs = 0;
    size_t mass = (size_t)p->mass.start[n], h = (size_t)p->h.start[m];
    for (size_t i = 0; i < m; i++) {
        springs += p->compliance[i] > 0;
    }
    if (n + springs > INT32_MAX / 8 ||
        !scr_block_reserve_exact(&block, mass + h + 2 * springs, sizeof(SparseEntry), 0) ||
        !scr_matrix_problem_begin(made, p->block, p->contacts, n + springs, true, false)) {
        scr_block_free(&block);
        return false;
    }
    SparseEntry *of_mass = block.data, *of_h = of_mass + mass + springs;
    int32_t next = (int32_t)n;
    list_matrix(&p->mass, of_mass);
    list_matrix(&p->h, of_h);
    for (size_t i = 0; i < m; i++) {
        if (p->compliance[i] > 0) {
            of_mass[mass++] = (SparseEntry){next, next, 1 / p->compliance[i]};
            of_h[h++] = (SparseEntry){next++, (int32_t)i, 1};
        }
    }
    copy(made->f, p->f, n);
    copy(made->w, p->w, m);
    copy(made->mu, p->mu, p->contacts);
    copy(made->rolling, p->rolling, p->contacts);
    bool ok = scr_sparse_gather(&made->mass, next, next, of_mass, mass) &&
              scr_sparse_gather(&made->h, next, (int32_t)m, of_h, h);
    scr_block_free(&block);
    return ok;
}

/* The rows of the last step are still in the engine's work space, and the bodies were saved as they
 * were when the problem was solved. */
static Fault from_engine(const Engine *e, MatrixProblem *made) {
    MatrixRows rows = {0};
    Block block = {0};
    if (!scr_block_reserve_exact(&block, e->task.order.copies, sizeof(BodyCopy), 0)) {
        return scr_fault_of_memory();
    }
    BodyCopy *body_copy = block.data;
    for (size_t i = 0; i < e->task.order.copies; i++) {
        body_copy[i] = (BodyCopy){e->task.order.copy[i].body, e->task.order.copy[i].among};
    }
    Problem solved = e->task.problem;
    solved.body = e->solved.block.data;
    Fault fault =
        scr_matrix_from_rows(&rows, &solved, body_copy, e->task.order.copies, MATRIX_LAWS_PLAIN);
    if (fault.status == SCREE_OK && rows.problem.compliance == NULL) {
        *made = rows.problem;
        rows.problem = (MatrixProblem){0};
    } else if (fault.status == SCREE_OK) {
        fault = make_springs_freedoms(&rows.problem, made) ? fault : scr_fault_of_memory();
    }
    scr_matrix_rows_free(&rows);
    scr_block_free(&block);
    return fault;
}

void scree_world_keep_problem(ScreeWorld *world, bool keep) {
    world->engine.solved.wanted = keep;
    world->engine.solved.count = 0;
}

ScreeStatus scree_world_create_problem(const ScreeWorld *world, ScreeProblem **problem,
                                       char *message) {
    *problem = NULL;
    if (world->soft != NULL) {
        return scr_fail(message, SCREE_BAD_ARGUMENT, "the soft engine solves no contact problem");
    }
    if (world->engine.solved.count == 0) {
        return scr_fail(message, SCREE_BAD_ARGUMENT,
                        "no step has been made since the world was told to keep its problems");
    }
    ScreeProblem *made = calloc(1, sizeof *made);
    if (made == NULL) {
        return scr_no_memory(message);
    }
    Fault fault = from_engine(&world->engine, &made->matrix);
    if (fault.status != SCREE_OK) {
        scree_problem_destroy(made);
        return scr_fail_with(message, fault);
    }
    *problem = made;
    return SCREE_OK;
}

/* ---------------------------------------------------------------- looking at it */

static ScreeMatrix view_of(const Sparse *a) {
    return (ScreeMatrix){a->rows, a->columns, a->start, a->row, a->value};
}

ScreeProblemView scree_problem_get_view(const ScreeProblem *problem) {
    const MatrixProblem *p = &problem->matrix;
    ScreeProblemView view = {
        .components = p->block,
        .contacts = p->contacts,
        .freedoms = p->global ? (size_t)p->h.rows : 0,
        .global = p->global,
        .f = p->f,
        .w = p->w,
        .q = p->local ? p->q : NULL,
        .mu = p->mu,
        .mu_r = p->rolling,
        .compliance = p->compliance,
    };
    if (p->global) {
        view.M = view_of(&p->mass);
        view.H = view_of(&p->h);
    }
    if (p->local) {
        view.W = view_of(&p->delassus);
    }
    return view;
}

/* ---------------------------------------------------------------- solving */

static ScreeProblemResidual public_residual(const MatrixResidual *r) {
    return (ScreeProblemResidual){r->law, r->siconos, r->paper, r->fclib, r->relative};
}

/* Adds W and q to the global form, if they are missing. */
static ScreeStatus reduce(ScreeProblem *problem, char *message) {
    size_t where = 0;
    if (problem->matrix.local) {
        return SCREE_OK;
    }
    SCR_TRY(scr_fail_with(message, scr_matrix_reduce(&problem->matrix)));
    const char *fault = scr_matrix_problem_fault(&problem->matrix, &where);
    problem->matrix.local = fault == NULL;
    return fault == NULL ? SCREE_OK
                         : scr_fail(message, SCREE_BAD_ARGUMENT,
                                    "H^T M^-1 H as W: %s (number %zu, from 0)", fault, where);
}

ScreeStatus scree_problem_compute_residual(ScreeProblem *problem, const double *r, double *u,
                                           ScreeProblemResidual *residual, char *message) {
    Block block = {0};
    MatrixYardstick yardstick = {0};
    SCR_TRY(reduce(problem, message));
    size_t m = scr_matrix_rows(&problem->matrix);
    bool ok = (u != NULL || scr_block_reserve_exact(&block, m + 1, sizeof *u, 0)) &&
              scr_matrix_yardstick_make(&yardstick, &problem->matrix);
    if (ok) {
        MatrixSettings settings = scr_matrix_settings();
        settings.yardstick = &yardstick;
        MatrixResidual found =
            scr_matrix_judge(&settings, &problem->matrix, r, u != NULL ? u : block.data);
        *residual = public_residual(&found);
    }
    scr_matrix_yardstick_free(&yardstick);
    scr_block_free(&block);
    return ok ? SCREE_OK : scr_no_memory(message);
}

ScreeStatus scree_problem_compute_velocities(const ScreeProblem *problem, const double *r,
                                             double *v, char *message) {
    if (!problem->matrix.global) {
        return scr_fail(message, SCREE_BAD_ARGUMENT,
                        "a problem in local form has no velocities of bodies");
    }
    return scr_fail_with(message, scr_matrix_velocities(&problem->matrix, r, v));
}

/* The measures, in the order of MatrixMeasure. */
static const char *const measure_names[] = {"siconos", "paper", "fclib", "relative", "law"};

static bool find_measure(const char *name, MatrixMeasure *measure) {
    for (size_t i = 0; i < sizeof measure_names / sizeof *measure_names; i++) {
        if (name != NULL && strcmp(name, measure_names[i]) == 0) {
            *measure = (MatrixMeasure)i;
            return true;
        }
    }
    return false;
}

static ScreeStatus check_settings(const ScreeProblem *problem, const ScreeProblemSettings *settings,
                                  const double *r, MatrixMeasure *measure, char *message) {
    if (settings->cookie != SCR_COOKIE) {
        return scr_fail_if(message,
                           SCR_NO_COOKIE(ScreeProblemSettings, scree_problem_settings_default));
    }
    if (scr_find_matrix_method(settings->solver) == NULL) {
        return scr_fail(message, SCREE_BAD_ARGUMENT, "there is no solver '%s'", settings->solver);
    }
    if (!find_measure(settings->measure, measure)) {
        return scr_fail(message, SCREE_BAD_ARGUMENT, "there is no measure '%s'",
                        settings->measure != NULL ? settings->measure : "");
    }
    if (!(settings->tolerance > 0) || settings->iterations < 0 || !(settings->seconds >= 0)) {
        return scr_fail(message, SCREE_BAD_ARGUMENT,
                        "the tolerance must be positive, iterations and seconds not negative");
    }
    for (size_t i = 0; i < scr_matrix_rows(&problem->matrix); i++) {
        if (!isfinite(r[i])) {
            return scr_fail(message, SCREE_BAD_ARGUMENT, "the start r is not finite (number %zu)",
                            i);
        }
    }
    return SCREE_OK;
}

static ScreeProblemVerdict verdict_of(MatrixStatus status) {
    switch (status) {
    case MATRIX_SOLVED:
        return SCREE_PROBLEM_SOLVED;
    case MATRIX_INFEASIBLE:
        return SCREE_PROBLEM_INFEASIBLE;
    case MATRIX_UNBOUNDED:
        return SCREE_PROBLEM_UNBOUNDED;
    default:
        return SCREE_PROBLEM_NOT_SOLVED;
    }
}

ScreeStatus scree_problem_solve(ScreeProblem *problem, const ScreeProblemSettings *settings,
                                double *r, ScreeProblemReport *report, char *message) {
    MatrixMeasure measure = MATRIX_MEASURE_LAW;
    SCR_TRY(check_settings(problem, settings, r, &measure, message));
    SCR_TRY(reduce(problem, message));
    size_t m = scr_matrix_rows(&problem->matrix), worst = 0;
    problem->proof.contacts = 0;
    if (!scr_block_reserve(&problem->proof_block, m + 1, sizeof(double), 0)) {
        return scr_no_memory(message);
    }
    problem->proof.direction = problem->proof_block.data;
    const MatrixSettings inner = {.tolerance = settings->tolerance,
                                  .measure = measure,
                                  .iterations_most = settings->iterations,
                                  .seconds_most = settings->seconds,
                                  .patient = true};
    double begin = scr_thread_seconds();
    MatrixReport found = scr_matrix_decide(scr_find_matrix_method(settings->solver),
                                           &problem->matrix, &inner, r, &problem->proof, &worst);
    *report = (ScreeProblemReport){
        .solved = found.status == MATRIX_SOLVED,
        .verdict = verdict_of(found.status),
        .iterations = found.iterations,
        .seconds = scr_thread_seconds() - begin,
        .residual = public_residual(&found.residual),
        .worst = worst,
        .reason = found.reason != NULL ? found.reason : scr_matrix_status_text(found.status),
    };
    if (report->verdict == SCREE_PROBLEM_INFEASIBLE) {
        report->impulse_needed = problem->proof.bound;
        report->closing_velocity = problem->proof.closing;
    }
    return found.status == MATRIX_NO_MEMORY ? scr_no_memory(message) : SCREE_OK;
}

const double *scree_problem_get_proof(const ScreeProblem *problem) {
    return problem->proof.contacts > 0 ? problem->proof.direction : NULL;
}

const char *scree_problem_verdict_get_name(ScreeProblemVerdict verdict) {
    switch (verdict) {
    case SCREE_PROBLEM_SOLVED:
        return "solved";
    case SCREE_PROBLEM_INFEASIBLE:
        return "infeasible";
    case SCREE_PROBLEM_UNBOUNDED:
        return "unbounded";
    default:
        return "not solved";
    }
}

const char *scree_problem_solver_get_name(size_t index) {
    const MatrixMethod *method = scr_matrix_method(index);
    return method != NULL ? method->name : NULL;
}

const char *scree_problem_solver_get_text(size_t index) {
    const MatrixMethod *method = scr_matrix_method(index);
    return method != NULL ? method->about : NULL;
}
