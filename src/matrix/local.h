/* One contact of a problem in matrices, solved alone: u = W r + q with W symmetric, block by block.
 * Two and three components have an exact solution (law/coulomb.h). With rolling (five components)
 * force and torque are solved in turns, each exactly: the force by Coulomb's law, and the torque,
 * whose bound is known once the normal impulse is, as
 *     the least of m.A m / 2 + b.m over the disk |m| <= rolling r_n. */
#ifndef SCREE_MATRIX_LOCAL_H
#define SCREE_MATRIX_LOCAL_H

#include "law/coulomb.h"
#include "matrix/problem.h"

/* The symmetric half of a block, with the compliance, as the local solvers read it. */
typedef struct MatrixLocal {
    double force[6];   /* nn, nt in the plane tt; in space nn, n1, n2, 11, 12, 22 */
    double torque[3];  /* 11, 12, 22 */
    double between[6]; /* torque component k, force component j at 3 k + j */
    double per_rho;    /* mean diagonal of the force */
} MatrixLocal;

/* From a block x block matrix row by row; `compliance` [block] or NULL. */
MatrixLocal scr_matrix_local(int block, const double *w, const double *compliance);

/* y = W x with the symmetric half. */
void scr_matrix_local_multiply(const MatrixLocal *local, int block, const double *x, double *y);

/* The impulse r [block] from q; r holds the last one on entry, where rolling begins. */
void scr_matrix_local_solve(const MatrixLocal *local, int block, double mu, double rolling,
                            const double *q, double *r);

/* m [2] that is least on the disk; a = 11, 12, 22 positive semidefinite. */
void scr_least_on_disk(const double a[3], const double b[2], double bound, double m[2]);

#endif
