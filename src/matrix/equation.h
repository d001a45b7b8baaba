/* The contact equations of a whole problem and Newton's step for them.
 *
 * F(x) = 0 with u = W x + q + alpha (x - center), and contact_equation.h at each contact. With G
 * the slopes of the contacts, the derivative is
 *     J = 1 - G + rho G (W + alpha),
 * unsymmetric because friction is, with the pattern of W. alpha > 0 makes it regular where W is
 * not: a proximal term, which vanishes as the center approaches x.
 *
 * Where a contact is open and nothing is smoothed, G = 0: its row of J is that of the unit matrix, and
 * its step is known. So only the others are factored, which in a packing are a half or a third of all
 * candidates, at a tenth of the cost. */
#ifndef SCREE_MATRIX_EQUATION_H
#define SCREE_MATRIX_EQUATION_H

#include "linear/block_lu.h"
#include "matrix/contact_equation.h"
#include "matrix/scaled.h"

/* Zero-initialise it. */
typedef struct MatrixEquation {
    double rho, smooth, alpha;
    double jacobian_alpha; /* in J only: keeps it regular without being part of F */
    double *center;        /* [rows] */
    double *u, *f;         /* [rows] at the last point evaluated */
    double *step;          /* [rows] */
    double *from;          /* [rows] where the line search began */
    double size;           /* |F| */
    int32_t *inside;       /* [jacobian.rows] the contacts that are factored, ascending */
    int32_t *place;        /* [contacts] each one's row of blocks in the jacobian; -1: none */
    BlockRows jacobian;    /* of these contacts */
    BlockLu lu;
    bool short_of_memory; /* a step failed for that reason */
    Block vector_block, integer_block, value_block;
} MatrixEquation;

/* Takes memory and makes the symbolic factor. False when out of memory. */
bool scr_matrix_equation_reserve(MatrixEquation *e, const MatrixScaled *s);

void scr_matrix_equation_free(MatrixEquation *e);

/* Evaluates u, F and |F| at s->x. */
void scr_matrix_equation_value(MatrixEquation *e, const MatrixScaled *s);

/* One step with line search: the longest of 1, 1/2, 1/4... for which |F| falls below `allowed`, but
 * no shorter than `least`. Counts as an iteration, and judges x. Returns the length, or 0 when the
 * linear system has no finite solution (x is then unchanged). */
double scr_matrix_equation_newton(MatrixEquation *e, MatrixScaled *s, double allowed, double least);

/* Up to `most` such steps, until |F| is at most `enough` (true). |F| need not fall at every step,
 * it only must not exceed the largest of the last few. */
bool scr_matrix_equation_settle(MatrixEquation *e, MatrixScaled *s, int most, double least,
                                double enough);

#endif
