/* The contact problem written in matrices, as the literature and its files have it (FCLIB,
 * Siconos). Problem (problem.h) is the form in which a step is swept; this one is for what comes
 * from files and for solvers that factor matrices.
 *
 * Contact c has `block` components one after another, normal first: 2 in the plane, 3 in space, 5
 * in space with two rolling torques. With r the impulses and u the relative velocities
 *     global form:  M v = H r + f,   u = H^T v + w        (H has a column for each component)
 *     local form:   u = W r + q                            (W = H^T M^-1 H, q = H^T M^-1 f + w)
 * and s = u + C r with a diagonal compliance C (none: rigid). The law of each contact is Coulomb's,
 * as de Saxce wrote it: with s' = s + (mu |s_t|) along the normal,
 *     r in K = {|r_t| <= mu r_n},   s' in K*,   r . s' = 0;
 * torques have a second cone |m| <= rolling r_n and add rolling |spin| to s'. The associated law
 * has s in place of s'. */
#ifndef SCREE_PROBLEM_MATRIX_PROBLEM_H
#define SCREE_PROBLEM_MATRIX_PROBLEM_H

#include "linear/sparse.h"

typedef struct MatrixProblem {
    int block;
    size_t contacts;
    bool global;

    /* global form, n degrees of freedom */
    Sparse mass; /* n x n, symmetric up to rounding; zero columns where there is no inertia */
    Sparse h;    /* n x m, m = block * contacts */
    double *f;   /* [n] */
    double *w;   /* [m] */

    /* local form */
    Sparse delassus; /* m x m; may be a little unsymmetric */
    double *q;       /* [m] */

    double *mu;         /* [contacts] */
    double *rolling;    /* [contacts]; NULL unless block is 5 */
    double *compliance; /* [m] diagonal of C; NULL: rigid */
    Block vector_block; /* where the vectors above live */
} MatrixProblem;

/* Errors of a candidate r, from the problem and r alone, u = W r + q: the natural map
 *     e_c = r_c - P_K(r_c - rho (s_c + mu |s_t| n)). */
typedef struct MatrixResidual {
    double siconos;  /* rho = 1, |e| over max(|q|, |r|, |u|) */
    double paper;    /* rho = 1, |e| over |q| */
    double fclib;    /* rho = 1, |e| over 1 + sqrt(|q|) */
    double relative; /* rho_c = 1 / mean diagonal of W_cc, over max(|r|, |rho q|): free of units */
} MatrixResidual;

void scr_matrix_problem_free(MatrixProblem *problem);

#endif
