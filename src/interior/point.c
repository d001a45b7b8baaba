#include "interior/point.h"

#include <string.h>

/* If the exact law can be reached at all, it is within these iterations. FINER: attempts with an
 * ever finer tolerance, see the last function. */
enum { EXACT_ITERATIONS = 60, FINER = 4 };

static const char solved_in_part[] =
    "solved in the units of its largest velocities, but the tolerance is finer; masses or loads "
    "are too far apart";

static const char *reason_of(InteriorStatus status, bool exact) {
    switch (status) {
    case INTERIOR_SOLVED:
        return exact ? "solved, exact friction" : "solved, associated friction";
    case INTERIOR_NEARLY:
        return "solved to within a hundred tolerances; rounding allows no more";
    case INTERIOR_ASSOCIATED:
        return "only the associated law was satisfied, in which sliding contacts dilate";
    case INTERIOR_NO_BALANCE:
        return "there is no equilibrium: no impulses within the friction cones balance the loads";
    case INTERIOR_LOCKED:
        return "no motion satisfies the contacts: rigid grains are squeezed";
    case INTERIOR_NO_MEMORY:
        return "out of memory";
    default:
        return "no further progress";
    }
}

/* How far the result is from Coulomb's exact law: its natural map at the velocities of s. */
static double law_error(InteriorWork *k) {
    const MatrixProblem *p = k->system.problem;
    double sum = 0, rho = k->force / k->velocity;
    size_t d = (size_t)p->block, rows = d * p->contacts;
    memcpy(k->b, k->s, rows * sizeof *k->b);
    scr_interior_comply(p, -1, k->r, k->b);
    for (size_t c = 0; c < p->contacts; c++) {
        double e[MATRIX_LARGEST_BLOCK];
        scr_matrix_contact_error(p, c, rho, k->r, k->b, e);
        for (size_t j = 0; j < d; j++) {
            sum += e[j] * e[j];
        }
    }
    return sqrt(sum / scr_max(1, (double)rows)) / k->force;
}

/* One programme from a start of its own. With `from` > 0 the associated law is solved first, down
 * to that error, and the exact law from there. */
static void solve(InteriorWork *k, const MatrixProblem *p, const InteriorPointSettings *settings,
                  bool exact, double start, double from, InteriorPointReport *report) {
    int iterations = 0, most = exact ? EXACT_ITERATIONS : settings->iterations_most;
    k->force = settings->force;
    k->velocity = settings->velocity;
    k->fastest = settings->fastest;
    k->exact = exact;
    k->start = start;
    k->known = report->programmes == 0 ? settings->known : NULL; /* tried only once */
    report->status = INTERIOR_NO_MEMORY;
    if (scr_interior_work_begin(k, p) != FACTOR_DONE) {
        return;
    }
    if (from > 0) {
        k->exact = false;
        (void)scr_interior_iterate(k, from, most, false, &iterations, &report->errors);
        report->iterations += iterations;
        k->exact = true;
    }
    report->status =
        scr_interior_iterate(k, settings->tolerance, most, from > 0, &iterations, &report->errors);
    report->iterations += iterations;
    report->programmes++;
}

/* Where rounding ends the iteration just short of the tolerance, another start often approaches the
 * solution better; if none does, the first is used again. Known impulses are tried only once. */
static void solve_associated(InteriorWork *k, const MatrixProblem *p,
                             const InteriorPointSettings *settings, InteriorPointReport *report) {
    const double start[] = {0, 0, 1, 30, 1000, 0};
    for (int turn = settings->known != NULL ? 0 : 1; turn < 6; turn++) {
        solve(k, p, settings, false, start[turn], 0, report);
        if (report->status != INTERIOR_NEARLY && report->status != INTERIOR_STALLED) {
            return;
        }
    }
}

/* The exact law from up to three starts. This is not a convex programme: with much friction the
 * path may have folds, and no start is certain to succeed. If all fail, solves the associated
 * law. */
static void solve_exact(InteriorWork *k, const MatrixProblem *p,
                        const InteriorPointSettings *settings, InteriorPointReport *report) {
    const double from[] = {0, 1, 0.1};
    for (int i = 0; i < settings->starts; i++) {
        solve(k, p, settings, true, 0, from[i], report);
        if (report->status == INTERIOR_SOLVED || report->status == INTERIOR_NEARLY ||
            report->status == INTERIOR_NO_MEMORY) {
            return;
        }
    }
    solve_associated(k, p, settings, report);
    if (report->status == INTERIOR_SOLVED || report->status == INTERIOR_NEARLY) {
        report->status = INTERIOR_ASSOCIATED;
    }
}

/* In units of the problem's own (own_units.h). */
InteriorPointReport scr_interior_point(InteriorWork *k, const MatrixProblem *given,
                                       const InteriorPointSettings *settings, double *r, double *s,
                                       double *v) {
    InteriorPointReport report = {.status = INTERIOR_NO_MEMORY};
    InteriorPointSettings own = *settings;
    const double mass = own.velocity > 0 ? own.force / own.velocity : 0;
    const MatrixProblem *p = &k->unit.problem;
    if (scr_matrix_units_make(&k->unit, given, scr_own_scales(given, mass))) {
        own.force = ldexp(own.force, -k->unit.scale.mass);
        if (own.known != NULL) {
            scr_matrix_impulses_in(&k->unit, own.known, k->unit.spare);
            own.known = k->unit.spare;
        }
        (own.exact ? solve_exact : solve_associated)(k, p, &own, &report);
    }
    report.reason = reason_of(report.status, settings->exact);
    report.shift = k->system.factor.shift;
    if (report.status == INTERIOR_NO_MEMORY) {
        return report;
    }
    for (size_t c = 0; c < p->contacts; c++) {
        k->s[c * (size_t)p->block] -= k->offset[c];
    }
    report.law = law_error(k);
    k->force = ldexp(k->force, k->unit.scale.mass);
    k->energy = ldexp(k->energy, k->unit.scale.mass);
    scr_matrix_impulses_out(&k->unit, k->r, r);
    scr_matrix_velocities_out(&k->unit, k->s, s);
    if (v != NULL && k->system.freedoms > 0) {
        memcpy(v, k->v, k->system.freedoms * sizeof *v);
    }
    return report;
}

/* --- as one of the table of solvers --- */

static MatrixStatus table_status(InteriorStatus status) {
    switch (status) {
    case INTERIOR_LOCKED:
    case INTERIOR_NO_BALANCE:
        return MATRIX_INFEASIBLE;
    case INTERIOR_NO_MEMORY:
        return MATRIX_NO_MEMORY;
    default:
        return MATRIX_STALLED;
    }
}

/* Takes the impulses found if they are better. Returns whether the result is good enough. */
static bool take(const MatrixProblem *p, const MatrixSettings *settings, const double *found,
                 double *u, double *r, MatrixReport *report) {
    MatrixResidual residual = scr_matrix_judge(settings, p, found, u);
    if (scr_matrix_measured(settings, &residual) <
        scr_matrix_measured(settings, &report->residual)) {
        memcpy(r, found, scr_matrix_rows(p) * sizeof *r);
        report->residual = residual;
    }
    return scr_matrix_measured(settings, &report->residual) <= settings->tolerance;
}

/* Where a contact is just about to slide or to open, errors of the law go with the root of r . s,
 * so that has to be brought far below the tolerance. And the units of the errors may be those of a
 * single light body, which the loads would move far: if the residual is still too large, the
 * problem is solved again with a finer tolerance. */
MatrixReport scr_matrix_interior_point(const MatrixProblem *p, const MatrixSettings *settings,
                                       double *r) {
    InteriorPointSettings own = scr_interior_point_settings();
    InteriorStatus status = INTERIOR_SOLVED;
    InteriorWork work = {0};
    Block block = {0};
    size_t rows = scr_matrix_rows(p);
    MatrixReport report = {.status = MATRIX_NO_MEMORY};
    own.exact = true;
    own.tolerance = 1e-4 * settings->tolerance;
    if (!scr_block_reserve(&block, 2 * rows + 1, sizeof(double), 0)) {
        return report;
    }
    double *found = block.data, *u = found + rows;
    report.residual = scr_matrix_judge(settings, p, r, u);
    for (int turn = 0; turn < FINER && status == INTERIOR_SOLVED; turn++) {
        InteriorPointReport end = scr_interior_point(&work, p, &own, found, NULL, NULL);
        status = end.status;
        report.iterations += end.iterations;
        report.status = table_status(status);
        report.reason = status == INTERIOR_SOLVED   ? solved_in_part
                        : status == INTERIOR_NEARLY ? "rounding allows no more"
                                                    : end.reason;
        if (status != INTERIOR_NO_MEMORY && take(p, settings, found, u, r, &report)) {
            report.status = MATRIX_SOLVED;
            report.reason = NULL;
            break;
        }
        own.tolerance *= 1e-2;
    }
    scr_interior_work_free(&work);
    scr_block_free(&block);
    return report;
}
