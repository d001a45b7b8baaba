/* The variational engine, after Lim, "A contact dynamics formulation".
 *
 * In a step the bodies move by dx = dt w, with the motion w = theta v' + (1 - theta) v in which the
 * contact problem is written. With forces p = R / dt Newton's law for the motion times 1 / (theta
 * dt) reads
 *     M / (theta dt^2) dx = M / (theta dt^2) v dt + F + forces of contacts,
 * which is eq (4.4) and (4.5), and the law of a contact with stiffness k is g + dt u_n + p / k >= 0
 * (4.13). So the problem of contact dynamics and the variational one are the same but for units and
 * for the law of sliding, which is the associated one in (4.15): the step is that of contact
 * dynamics, and only the solver differs. Gaps keep their sign: what overlaps is pushed apart.
 * The static limit is in statics/static_solver.c. */
#include "dynamics/step_solver.h"

#include "base/clock.h"
#include "base/status.h"

#include <string.h>

static ScreeStatus fail(const StepTask *t, ScreeStatus status, const char *reason, char *message) {
    return scr_fail(message, status, "step %llu: %s", (unsigned long long)t->with->number, reason);
}

/* The problem of the rows in matrices, and room for its solution. */
static ScreeStatus make_matrices(StepTask *t, StepMatrices *k, char *message) {
    Fault fault = scr_matrix_from_rows(&k->rows, &t->problem, NULL, 0, MATRIX_LAWS_PLAIN);
    if (fault.status != SCREE_OK) {
        return fail(t, fault.status, fault.words, message);
    }
    return scr_reserve_solution(k) ? SCREE_OK : SCREE_NO_MEMORY;
}

ScreeStatus scr_recall_impulses(StepTask *t, StepMatrices *k, char *message) {
    SCR_TRY(make_matrices(t, k, message));
    if (k->rows.problem.contacts > 0) {
        memcpy(k->r, k->rows.now, scr_matrix_rows(&k->rows.problem) * sizeof *k->r);
    }
    return SCREE_OK;
}

ScreeStatus scr_matrices_without_impulses(StepTask *t, StepMatrices *k, char *message) {
    Problem *p = &t->problem;
    for (size_t i = 0; i < p->rows; i++) {
        LawRow *l = scr_law_row(p, i);
        p->row[i].rn = 0;
        p->row[i].rt = vec3(0, 0, 0);
        if (l != NULL) {
            l->torque = (Torque){vec3(0, 0, 0), 0};
        }
    }
    scr_refresh_velocities(t);
    return make_matrices(t, k, message);
}

InteriorPointSettings scr_variational_settings(const StepTask *t) {
    const ScreeVariationalDef *def = &t->state->def.variational;
    InteriorPointSettings settings = scr_interior_point_settings();
    settings.tolerance = def->tolerance;
    settings.iterations_most = def->iterations;
    settings.exact = def->exact;
    return settings;
}

ScreeStatus scr_refuse_solution(const StepTask *t, const InteriorPointReport *solved,
                                char *message) {
    switch (solved->status) {
    case INTERIOR_NO_MEMORY:
        return SCREE_NO_MEMORY;
    case INTERIOR_NO_BALANCE:
    case INTERIOR_LOCKED:
        return fail(t, SCREE_NO_SOLUTION, solved->reason, message);
    default:
        return SCREE_OK;
    }
}

/* ---------------------------------------------------------------- the judge */

/* Natural map of the associated law at all contacts, relative to the impulses. rho is the unit of
 * impulse over motion; torques are over the arm of rolling friction. The velocities of the
 * contacts, s, serve as work space. */
static double associated_error(const StepMatrices *k) {
    const MatrixProblem *x = &k->rows.problem;
    size_t d = (size_t)x->block, rows = d * x->contacts;
    double *u = k->s;
    double error = 0, all = 0;
    memcpy(u, x->w, rows * sizeof *u);
    scr_sparse_multiply_transposed(&x->h, 1, k->v, u);
    for (size_t c = 0; c < x->contacts; c++) {
        double r[MATRIX_LARGEST_BLOCK], at[MATRIX_LARGEST_BLOCK], near[MATRIX_LARGEST_BLOCK];
        double rho = k->work.force / k->work.velocity;
        double rolling = x->rolling != NULL ? x->rolling[c] : 0;
        for (size_t j = 0; j < d; j++) {
            double soft = x->compliance != NULL ? x->compliance[c * d + j] : 0;
            double arm = j >= 3 && rolling > 0 ? rolling : 1;
            r[j] = k->r[c * d + j] / arm;
            at[j] = r[j] - rho * arm * (u[c * d + j] + soft * k->r[c * d + j]);
            all += r[j] * r[j];
        }
        scr_matrix_project(x->block, x->mu[c], rolling > 0 ? 1 : 0, at, near);
        for (size_t j = 0; j < d; j++) {
            error += (r[j] - near[j]) * (r[j] - near[j]);
        }
    }
    return all > 0 ? sqrt(error / all) : sqrt(error);
}

void scr_report_solution(const StepTask *t, const StepMatrices *k,
                         const InteriorPointReport *solved, ScreeReport *report) {
    scr_judge_rows(t, report);
    report->iterations = solved->iterations;
    report->residual_associated = associated_error(k);
    report->converged = solved->status == INTERIOR_SOLVED || solved->status == INTERIOR_NEARLY;
}

/* ---------------------------------------------------------------- the whole */

/* The interior point, and what follows from it for the rows. */
static ScreeStatus run_interior(StepTask *t, SolverWork *work, InteriorPointSettings *settings,
                                ScreeReport *report, char *message) {
    StepMatrices *k = &work->matrices;
    InteriorPointReport solved =
        scr_interior_point(&k->work, &k->rows.problem, settings, k->r, k->s, k->v);
    SCR_TRY(scr_refuse_solution(t, &solved, message));
    scr_matrix_to_rows(&k->rows, k->r, &t->problem);
    scr_round_rows(k, &t->problem);
    scr_report_solution(t, k, &solved, report);
    if (settings->exact) {
        SCR_TRY(scr_polish(t, work, solved.status == INTERIOR_ASSOCIATED, report));
        report->converged = report->converged || report->residual <= 100 * settings->tolerance;
    }
    work->updates += (double)solved.iterations * (double)t->problem.rows;
    return SCREE_OK;
}

static ScreeStatus solve(StepTask *t, SolverWork *work, ScreeReport *report, char *message) {
    StepMatrices *k = &work->matrices;
    double begin = scr_seconds();
    SCR_TRY(scr_matrices_without_impulses(t, k, message));
    InteriorPointSettings settings = scr_variational_settings(t);
    if (k->rows.problem.h.rows == 0 || !scr_find_units(k, &t->problem, &settings)) {
        report->converged = true; /* nothing can move, or nothing needs an impulse */
        return SCREE_OK;
    }
    SCR_TRY(run_interior(t, work, &settings, report, message));
    work->seconds += scr_seconds() - begin;
    return SCREE_OK;
}

const StepSolver scr_variational_solver = {.whole_bodies = true, .solve = solve};
