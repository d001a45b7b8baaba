/* From bodies and rows (problem/problem.h) to the contact problem in matrices, global form, and
 * back. */
#ifndef SCREE_MATRIX_FROM_ROWS_H
#define SCREE_MATRIX_FROM_ROWS_H

#include "base/status.h"
#include "matrix/problem.h"
#include "problem/problem.h"

/* One degree of freedom: the velocity of a body along `axis`, or its spin s about it if `turns`.
 * For a body with a tensor A of inverse masses the axes are the columns of L in A = L L^T, and its
 * freedoms are measured from the present velocity. */
typedef struct Freedom {
    Vec3 axis;
    double mass;
    double now; /* present value */
    bool turns;
} Freedom;

/* A body that stands in for another one, with the fraction 1 / among of its mass. */
typedef struct BodyCopy {
    int32_t body, among;
} BodyCopy;

/* Zero-initialise it. */
typedef struct MatrixRows {
    MatrixProblem problem; /* contact i is row i of the problem */
    double *now;           /* [m] present impulses */
    Freedom *freedom;      /* [n] */
    int32_t *first;        /* [bodies + 1] a body's first freedom; a copy has those of its body */
    size_t copies;
    const BodyCopy *copy;
    bool exact; /* whether the laws of the rows are those of the problem */
    Block now_block, freedom_block, first_block, tensor_block;
} MatrixRows;

/* Whether laws that matrices cannot express are refused: bonds that open, torsion, two coefficients of
 * friction. Or they come as near as they can: an open bond counts as closed, torsion stays as it is,
 * coefficients of which there are two, or that depend on the load, have their present values. Rolling in
 * the plane is that in space, where springs keep two void components of each contact at zero: exact, but
 * not for those who want the contacts of the plane, and nothing beside them. */
typedef enum MatrixLaws { MATRIX_LAWS_PLAIN, MATRIX_LAWS_EXACT, MATRIX_LAWS_NEAR } MatrixLaws;

/* Fills rows->problem: global form, with compliance where laws have it, and blocks of 5 when a row
 * has torques. The last `copies` bodies of the problem are copies.
 *
 * A bond that pulls with the same impulse A whatever the gap does is Coulomb's law for P = R_n + A:
 * so P is the normal impulse of the matrices, and A a load on the bodies. */
Fault scr_matrix_from_rows(MatrixRows *rows, const Problem *problem, const BodyCopy *copy,
                           size_t copies, MatrixLaws laws);

/* Why the laws of the rows, with the coefficients of friction that they have now, cannot be expressed
 * exactly; NULL if they can. */
const char *scr_matrix_unexpressed(const Problem *problem);

/* Stores the impulses r [m] in the rows, and gives the bodies the velocities that follow. */
void scr_matrix_to_rows(MatrixRows *rows, const double *r, Problem *problem);

/* Stores the impulses only, for problems without masses, in which velocities do not follow from
 * them. */
void scr_matrix_set_impulses(const MatrixRows *rows, const double *r, Problem *problem);

void scr_matrix_rows_free(MatrixRows *rows);

#endif
