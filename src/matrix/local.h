/* One contact of a problem in matrices, solved alone: u = W r + q with W symmetric, block by block.
 * With two or three components the solution is exact (law/coulomb.h). With rolling (five
 * components) force and torque are solved alternately, each exactly: the force by Coulomb's law,
 * and the torque, whose bound is known once the normal impulse is, as
 *     the minimum of m.A m / 2 + b.m over the disk |m| <= rolling r_n. */
#ifndef SCREE_MATRIX_LOCAL_H
#define SCREE_MATRIX_LOCAL_H

#include "law/coulomb.h"
#include "matrix/problem.h"

/* The symmetric part of a block with the compliance, in the form that the local solvers read. */
typedef struct MatrixLocal {
    double force[6];   /* nn, nt, tt in the plane; in space nn, n1, n2, 11, 12, 22 */
    double torque[3];  /* 11, 12, 22 */
    double between[6]; /* torque component k with force component j, at 3 k + j */
    double per_rho;    /* mean of the diagonal of the force */
} MatrixLocal;

/* From a block x block matrix stored by rows; `compliance` is [block] or NULL. */
MatrixLocal scr_matrix_local(int block, const double *w, const double *compliance);

/* y = W x with the symmetric part. */
void scr_matrix_local_multiply(const MatrixLocal *local, int block, const double *x, double *y);

/* Finds the impulse r [block] from q. On entry r holds the last one, from which rolling starts. */
void scr_matrix_local_solve(const MatrixLocal *local, int block, double mu, double rolling,
                            const double *q, double *r);

/* The m [2] that minimises m.a m / 2 + b.m on the disk; a = 11, 12, 22 is positive semidefinite. */
void scr_least_on_disk(const double a[3], const double b[2], double bound, double m[2]);

#endif
