/* The problem of a step in matrices, and what solves it: for the variational engines, and for the
 * methods of contact dynamics that need matrices (matrix_solver.c). */
#ifndef SCREE_DYNAMICS_STEP_MATRICES_H
#define SCREE_DYNAMICS_STEP_MATRICES_H

#include "matrix/from_rows.h"
#include "interior/point.h"
#include "matrix/damped.h"
#include "matrix/newton.h"

/* Zero-initialise it. */
typedef struct StepMatrices {
    MatrixRows rows;
    InteriorWork work;
    MatrixDamped damped;
    MatrixReducer reducer;
    MatrixNewton newton;
    double *r, *s, *v; /* impulses and velocities of the contacts, and motion of the freedoms */
    Block block;
    bool locked; /* it is proven that contacts close, whatever the impulses */
} StepMatrices;

/* Room for r, s and v of the problem in `rows`. False when out of memory. */
bool scr_reserve_solution(StepMatrices *matrices);

/* Units of force and velocity from the contacts that free motion violates, of a problem with
 * masses. False when there are none: no impulses are needed. */
bool scr_find_units(StepMatrices *matrices, const Problem *problem,
                    InteriorPointSettings *settings);

/* What is open gets no impulse at all, and what slides lies on the cone: an interior point is near
 * to that only. */
void scr_round_rows(const StepMatrices *matrices, Problem *problem);

void scr_step_matrices_free(StepMatrices *matrices);

#endif
