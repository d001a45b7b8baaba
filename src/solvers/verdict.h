/* The verdict on a contact problem: solved, without a solution, unbounded, or not solved; each with
 * what proves it, found and checked apart from the solver. */
#ifndef SCREE_SOLVERS_VERDICT_H
#define SCREE_SOLVERS_VERDICT_H

#include "solvers/solvers.h"

/* What MATRIX_INFEASIBLE and MATRIX_UNBOUNDED rest on. */
typedef struct MatrixProof {
    double *direction; /* [rows], given by the caller: the weights Y of matrix/lock.h, or an x with
                          x.(W + C) x < 0 */
    size_t contacts;   /* that have a part in it; 0: there is no proof */
    double bound;      /* Y: impulses that any solution would need at least */
    double closing;    /* Y: how fast the contacts close, on average */
} MatrixProof;

/* Solves a problem in local form in units of its own (matrix/units.h) and judges the result.
 * `settings` without a yardstick; r [rows] is start and result. The status is
 *     MATRIX_SOLVED      the law holds at every contact to the tolerance, and so does the measure
 *     MATRIX_INFEASIBLE  there is a proof that no impulses do
 *     MATRIX_UNBOUNDED   W is not positive semi-definite
 * or tells why it is not solved. `worst` gets the contact that obeys the law least. */
MatrixReport scr_matrix_decide(const MatrixMethod *method, const MatrixProblem *problem,
                               const MatrixSettings *settings, double *r, MatrixProof *proof,
                               size_t *worst);

#endif
