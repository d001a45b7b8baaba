#include "solvers/verdict.h"

#include "matrix/curvature.h"
#include "matrix/lock.h"
#include "matrix/units.h"

#include <math.h>
#include <string.h>

static const char locked[] =
    "no impulses keep the contacts from closing: rigid bodies are squeezed";
static const char indefinite[] =
    "W is not positive semi-definite: impulses along one direction would gain energy";
static const char only_measure[] =
    "the measure asked for is met, but the law is not obeyed to the tolerance at every contact";
static const char by_rounding[] =
    "the last digits of the impulses allow no more: loads and masses are too far apart";
static const char unproven[] =
    "no solution is in sight, but there is no proof that there is none: friction jams bodies";
static const char not_finite[] = "a number is no longer finite";

/* A problem in its own units, with its yardstick. */
typedef struct Case {
    MatrixUnits units;
    MatrixYardstick yardstick;
    double *u, *weight; /* [rows], [contacts] */
    Block block;
} Case;

static bool begin(Case *k, const MatrixProblem *p) {
    size_t m = scr_matrix_rows(p);
    if (!scr_block_reserve(&k->block, m + p->contacts + 1, sizeof(double), 0) ||
        !scr_matrix_units_make(&k->units, p, scr_matrix_scales(p)) ||
        !scr_matrix_yardstick_make(&k->yardstick, &k->units.problem)) {
        return false;
    }
    k->u = k->block.data;
    k->weight = k->u + m;
    return true;
}

static void end(Case *k) {
    scr_matrix_yardstick_free(&k->yardstick);
    scr_matrix_units_free(&k->units);
    scr_block_free(&k->block);
}

/* ---------------------------------------------------------------- proofs */

static size_t contacts_of(const MatrixProblem *p, const double *direction) {
    size_t count = 0;
    for (size_t c = 0; c < p->contacts; c++) {
        bool part = false;
        for (size_t k = 0; k < (size_t)p->block; k++) {
            part = part || direction[c * (size_t)p->block + k] != 0;
        }
        count += part;
    }
    return count;
}

/* The weights, and what they prove in the units of the given problem. False when out of memory. */
static bool prove_locked(Case *k, const MatrixProblem *given, MatrixProof *proof, bool *found) {
    MatrixLock lock;
    size_t m = scr_matrix_rows(given), d = (size_t)given->block;
    if (!scr_matrix_find_lock(&k->yardstick, k->weight, &lock)) {
        return false;
    }
    *found = lock.proven;
    if (lock.proven) {
        memset(proof->direction, 0, m * sizeof *proof->direction);
        for (size_t c = 0; c < given->contacts; c++) {
            proof->direction[c * d] = k->weight[c];
        }
        proof->contacts = lock.contacts;
        proof->bound = ldexp(lock.bound, k->units.scale.mass + k->units.scale.velocity);
        proof->closing = ldexp(lock.closing, k->units.scale.velocity);
    }
    return true;
}

static bool prove_unbounded(const Case *k, MatrixProof *proof, bool *found) {
    if (!scr_matrix_find_negative(&k->units.problem, proof->direction, found)) {
        return false;
    }
    if (*found) {
        scr_matrix_impulses_out(&k->units, proof->direction, proof->direction);
        proof->contacts = contacts_of(&k->units.problem, proof->direction);
    }
    return true;
}

/* ---------------------------------------------------------------- the verdict */

/* `law` in units of the problem's own, where nothing overflows, and the contact that is worst. */
static void judge(Case *k, const MatrixSettings *asked, double *r, MatrixReport *report,
                  size_t *worst) {
    scr_matrix_impulses_in(&k->units, r, r);
    report->residual.law = scr_matrix_law_error(&k->yardstick, r, k->u, worst);
    double rounding = scr_matrix_law_rounding(&k->yardstick);
    scr_matrix_impulses_out(&k->units, r, r);
    if (!isfinite(report->residual.law)) {
        report->status = MATRIX_NOT_FINITE;
        report->reason = not_finite;
    } else if (report->status == MATRIX_SOLVED && !(report->residual.law <= asked->tolerance)) {
        report->status = MATRIX_STALLED;
        report->reason = only_measure;
    } else if ((report->status == MATRIX_STALLED || report->status == MATRIX_SECONDS) &&
               rounding > asked->tolerance) {
        report->reason = by_rounding;
    }
}

/* The measure `law` knows no units: the problem is then solved in its own. The others depend on
 * the units, and are measured in those that were given. */
static MatrixReport solve(Case *k, const MatrixMethod *method, const MatrixProblem *p,
                          const MatrixSettings *asked, double *r) {
    MatrixSettings settings = *asked;
    if (asked->measure != MATRIX_MEASURE_LAW) {
        return method->solve(p, &settings, r);
    }
    settings.yardstick = &k->yardstick;
    scr_matrix_impulses_in(&k->units, r, r);
    MatrixReport report = method->solve(&k->units.problem, &settings, r);
    scr_matrix_impulses_out(&k->units, r, r);
    return report;
}

/* Whether a solver has failed, and not just been ended: by the number of iterations, or by another
 * measure while no contact is far from the law. */
static bool is_suspect(const MatrixReport *report) {
    return report->status != MATRIX_ITERATIONS &&
           (report->reason != only_measure || report->residual.law > 0.01);
}

static bool decide(Case *k, const MatrixMethod *method, const MatrixProblem *p,
                   const MatrixSettings *settings, double *r, MatrixReport *report,
                   MatrixProof *proof, size_t *worst) {
    bool found = false;
    if (!prove_unbounded(k, proof, &found)) {
        return false;
    }
    if (found) {
        report->status = MATRIX_UNBOUNDED;
        report->reason = indefinite;
        report->residual = scr_matrix_residual(p, r, k->u);
        return true;
    }
    *report = solve(k, method, p, settings, r);
    if (report->status == MATRIX_NO_MEMORY) {
        return false;
    }
    report->residual = scr_matrix_residual(p, r, k->u);
    judge(k, settings, r, report, worst);
    if (report->status != MATRIX_SOLVED && is_suspect(report)) {
        if (!prove_locked(k, p, proof, &found)) {
            return false;
        }
        if (found) {
            report->status = MATRIX_INFEASIBLE;
            report->reason = locked;
        } else if (report->status == MATRIX_INFEASIBLE) {
            report->status = MATRIX_STALLED; /* the solver's word alone is not enough */
            report->reason = unproven;
        }
    }
    return true;
}

MatrixReport scr_matrix_decide(const MatrixMethod *method, const MatrixProblem *p,
                               const MatrixSettings *settings, double *r, MatrixProof *proof,
                               size_t *worst) {
    Case k = {0};
    MatrixReport report = {.status = MATRIX_NO_MEMORY};
    proof->contacts = 0;
    *worst = 0;
    if (begin(&k, p) && !decide(&k, method, p, settings, r, &report, proof, worst)) {
        report.status = MATRIX_NO_MEMORY;
    }
    end(&k);
    return report;
}
