/* The linear system of the interior-point method. With r1 and r2 the errors of momentum and of
 * kinematics, and K = C + D^T T^2 D for each contact (see cone.h), a Newton step is
 *     M dv - H dr = a,   H^T dv + K dr = b.
 * Global form: dr = Theta (b - H^T dv) with Theta = K^-1 leaves the positive (semi)definite
 *     (M + H Theta H^T) dv = a + H Theta b
 * on the freedoms of the bodies. Local form: (W + K) dr = b on the contacts. */
#ifndef SCREE_INTERIOR_EQUATIONS_H
#define SCREE_INTERIOR_EQUATIONS_H

#include "interior/cone.h"
#include "linear/factor.h"
#include "matrix/problem.h"

/* Zero-initialise it. It may be used for one problem after another, and retains what does not
 * change. */
typedef struct InteriorSystem {
    const MatrixProblem *problem;
    size_t freedoms, rows;
    Cone *cone;          /* [cones] */
    int32_t *cone_start; /* [contacts + 1] */
    int32_t cones;
    double *schur; /* [contacts] */

    Sparse matrix; /* lower triangle of the matrix that is factored */
    Factor factor;
    /* Global form: contact c touches the freedoms touch_row[touch_start[c]..], and touch_value has
     * its dense rows of H for them; `slot` tells where in the matrix their products go, `mass_slot`
     * where the entries of M go. */
    int32_t *touch_start, *touch_row, *slot, *mass_slot;
    size_t *slot_start;
    double *touch_value;
    /* Local form: where in the matrix each entry of W goes, and then each entry of the contacts'
     * blocks. */
    int32_t *local_slot;
    /* The matrices that the pattern was made from. */
    int32_t *seen_start, *seen_row, *seen_mass;
    int32_t seen_entries, seen_columns, seen_mass_entries;
    double *error, *more; /* [freedoms] or, in local form, [rows] */
    double *change;       /* [rows] */
    double *basis;        /* vectors of GMRES */
    Block cone_block, cone_start_block, schur_block, touch_start_block, touch_row_block, slot_block,
        slot_start_block, mass_slot_block, touch_value_block, local_slot_block, seen_start_block,
        seen_row_block, seen_mass_block, error_block, entry_block;
} InteriorSystem;

#endif
