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

/* Zero-initialise it; it may serve one problem after another and keeps what does not change. */
typedef struct InteriorSystem {
    const MatrixProblem *problem;
    size_t freedoms, rows;
    Cone *cone;          /* [cones] */
    int32_t *cone_start; /* [contacts + 1] */
    double *schur;       /* [contacts] */

    Sparse matrix; /* lower triangle of what is factored */
    Factor factor;
    /* Global form: contact c touches the freedoms touch_row[touch_start[c]..], of which it has the
     * dense rows of H in touch_value; place tells where their products go in the matrix. */
    int32_t *touch_start, *touch_row, *place, *mass_place;
    size_t *place_start;
    double *touch_value;
    /* Local form: place of each entry of W (-1: above the diagonal, or of a component that is held
     * at zero), and of the entries of each contact's block. */
    int32_t *local_place;
    /* What the pattern was made from. */
    int32_t *seen_start, *seen_row, *seen_mass;
    int32_t seen_entries, seen_columns, seen_mass_entries;
    size_t passes;        /* of refinement so far */
    double *error, *more; /* [freedoms] or, in local form, [rows] */
    double *change;       /* [rows] */
    double *basis;        /* of GMRES */
    Block cone_block, cone_start_block, schur_block, touch_block, touch_row_block, place_block,
        place_start_block, mass_place_block, touch_value_block, local_block, seen_start_block,
        seen_row_block, seen_mass_block, error_block, entry_block;
} InteriorSystem;

#endif
