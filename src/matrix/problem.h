/* The contact problem written in matrices, as in the literature and its files (FCLIB, Siconos).
 * Problem (problem/problem.h) is the form that a step sweeps over; this one is for problems from
 * files and for solvers that factor matrices.
 *
 * Contact c has `block` components one after another, normal first: 2 in the plane, 3 in space, 5
 * in space with two rolling torques. With r the impulses and u the relative velocities
 *     global form:  M v = H r + f,   u = H^T v + w        (H has a column for each component)
 *     local form:   u = W r + q                            (W = H^T M^-1 H, q = H^T M^-1 f + w)
 * and s = u + C r with a diagonal compliance C (none: rigid). The law of each contact is Coulomb's,
 * as de Saxce wrote it: with s' = s + (mu |s_t|) along the normal,
 *     r in K = {|r_t| <= mu r_n},   s' in K*,   r . s' = 0;
 * torques have a second cone |m| <= rolling r_n and add rolling |spin| to s'. The associated law
 * has s in place of s'.
 *
 * A problem has its local form, its global form, or both: scr_matrix_reduce (reduce.h) adds the
 * local form to the global one. */
#ifndef SCREE_MATRIX_PROBLEM_H
#define SCREE_MATRIX_PROBLEM_H

#include "linear/sparse.h"

enum { MATRIX_LARGEST_BLOCK = 5 };

typedef struct MatrixProblem {
    int block;
    size_t contacts;
    bool global, local; /* which of the forms it has */

    /* global form, n degrees of freedom */
    Sparse mass; /* n x n, symmetric up to rounding; columns without inertia are zero */
    Sparse h;    /* n x m, m = block * contacts */
    double *f;   /* [n] */
    double *w;   /* [m] */

    /* local form */
    Sparse delassus; /* m x m; may be slightly unsymmetric */
    double *q;       /* [m] */

    double *mu;         /* [contacts] */
    double *rolling;    /* [contacts]; NULL unless block is 5 */
    double *compliance; /* [m] diagonal of C; NULL: rigid */
    Block vector_block; /* where the vectors above live */
} MatrixProblem;

static inline size_t scr_matrix_rows(const MatrixProblem *p) {
    return (size_t)p->block * p->contacts;
}

/* Sets block size and number of contacts, and makes room for the vectors, all zero: f [freedoms]
 * and w if `global`, q, mu, rolling if blocks have 5 components, compliance if asked for. The
 * matrices stay empty. False when out of memory. */
bool scr_matrix_problem_begin(MatrixProblem *problem, int block, size_t contacts, size_t freedoms,
                              bool global, bool compliance);

void scr_matrix_problem_free(MatrixProblem *problem);

/* What is wrong with a problem, or NULL: sizes, numbers that are not finite, negative coefficients,
 * a mass or Delassus matrix that is far from symmetric. `where` gets the number of the contact, row
 * or column concerned, SIZE_MAX when there is none. */
const char *scr_matrix_problem_fault(const MatrixProblem *problem, size_t *where);

/* Errors of a candidate r, computed from the problem and r alone, with u = W r + q: the natural map
 *     e_c = r_c - P_K(r_c - rho (s_c + mu |s_t| n)). */
typedef struct MatrixResidual {
    double siconos; /* rho = 1, |e| over max(|q|, |r|, |u|) */
    double paper;   /* rho = 1, |e| over |q| */
    double fclib;   /* rho = 1, |e| over 1 + sqrt(|q|) */
    /* Dimensionless: rho_c = 1 / mean diagonal of W_cc, |e| over max(|r|, |rho q|). Torques are
     * weighted by sqrt(their diagonal / that of the impulses). */
    double relative;
    double law; /* of the worst contact, see yardstick.h; infinite where it was not asked for */
} MatrixResidual;

/* For the local form. `u` [m] gets W r + q. All but `law`. */
MatrixResidual scr_matrix_residual(const MatrixProblem *problem, const double *r, double *u);

/* The same without `relative`, which is left 0, in half the time. */
MatrixResidual scr_matrix_residual_plain(const MatrixProblem *problem, const double *r, double *u);

/* The natural map of one contact at known velocities: e [block]. */
void scr_matrix_contact_error(const MatrixProblem *problem, size_t contact, double rho,
                              const double *r, const double *u, double *e);

/* Exact projection of x [block] onto the cone of a contact; y may be x. */
void scr_matrix_project(int block, double mu, double rolling, const double *x, double *y);

#endif
