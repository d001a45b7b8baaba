/* From bodies and rows (problem.h) to the contact problem in matrices, global form, and back. */
#ifndef SCREE_MATRIX_FROM_ROWS_H
#define SCREE_MATRIX_FROM_ROWS_H

#include "base/status.h"
#include "matrix/problem.h"
#include "problem/problem.h"

/* One degree of freedom: velocity of a body along `axis`, of its spin s if `turns`. For a body with
 * a tensor A of inverse masses the axes are the columns of L in A = L L^T, and its freedoms are
 * measured from the present velocity. */
typedef struct Freedom {
    Vec3 axis;
    double mass;
    double now; /* present value */
    bool turns;
} Freedom;

/* A body that stands for another one, with a part of its mass: 1 / among. */
typedef struct BodyCopy {
    int32_t body, among;
} BodyCopy;

/* Zero-initialise it. */
typedef struct MatrixRows {
    MatrixProblem problem; /* contact i is row i of the problem */
    double *now;           /* [m] present impulses */
    Freedom *freedom;      /* [n] */
    int32_t *first;        /* [bodies + 1] a body's freedoms; those of a copy are its body's */
    size_t copies;
    const BodyCopy *copy;
    Block now_block, freedom_block, first_block, tensor_block;
} MatrixRows;

/* Fills rows->problem: global form, with compliance where laws have it; blocks of 5 in space when a
 * row has torques. The last `copies` bodies of the problem are copies. Refuses
 * laws that matrices cannot say: cohesion, torsion, torques in the plane. */
Fault scr_matrix_from_rows(MatrixRows *rows, const Problem *problem, const BodyCopy *copy,
                           size_t copies);

/* Gives the rows the impulses r [m], and the bodies the velocities that follow from them. */
void scr_matrix_to_rows(MatrixRows *rows, const double *r, Problem *problem);

/* The impulses alone; for problems without masses, where velocities do not follow from them. */
void scr_matrix_set_impulses(const MatrixRows *rows, const double *r, Problem *problem);

void scr_matrix_rows_free(MatrixRows *rows);

#endif
