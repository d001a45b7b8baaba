/* The linear system of the interior-point method. With r1 and r2 the errors of momentum and of
 * kinematics, and K = C + D^T T^2 D for each contact (see interior_cone.h), a Newton step is
 *     M dv - H dr = a,   H^T dv + K dr = b.
 * Global form: dr = Theta (b - H^T dv) with Theta = K^-1 leaves the positive (semi)definite
 *     (M + H Theta H^T) dv = a + H Theta b
 * on the freedoms of the bodies. Local form: (W + K) dr = b on the contacts. */
#ifndef SCREE_SOLVE_INTERIOR_SYSTEM_H
#define SCREE_SOLVE_INTERIOR_SYSTEM_H

#include "linear/factor.h"
#include "problem/matrix_problem.h"
#include "solve/interior_cone.h"

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

/* Takes a problem: cones, pattern, symbolic factor. */
FactorStatus scr_interior_begin(InteriorSystem *system, const MatrixProblem *problem);

/* Factors with the present scaling of the cones. */
FactorStatus scr_interior_factor(InteriorSystem *system);

/* The same with springs in place of the law: K = C + soft [contacts]. */
FactorStatus scr_interior_factor_springs(InteriorSystem *system, const double *soft);

/* Solves, until |M dv - H dr - a| is at most `enough` or nothing more can be gained; a [freedoms]
 * and dv are unused in local form. False when out of memory. */
bool scr_interior_solve(InteriorSystem *system, const double *a, const double *b, double enough,
                        double *dv, double *dr);

void scr_interior_system_free(InteriorSystem *system);

/* y += factor C r. */
void scr_interior_comply(const MatrixProblem *problem, double factor, const double *r, double *y);

#endif
