/* A contact problem in units of its own, all of them powers of two.
 *
 * The units are the powers of two next to the largest mean diagonal of W, the largest free velocity
 * and, with rolling, the length that compares torques with impulses. Multiplying by them is exact,
 * so a problem given in other units of mass, length and time, as long as these are powers of two
 * apart, is the same problem here, bit for bit, and its solution differs by the units alone. */
#ifndef SCREE_MATRIX_UNITS_H
#define SCREE_MATRIX_UNITS_H

#include "matrix/problem.h"

/* Zero-initialise it. */
typedef struct MatrixUnits {
    MatrixProblem problem; /* shares its patterns with the given one, which must outlive it */
    int impulse, torque;   /* r of the given problem is r here times 2^impulse, 2^torque */
    int velocity;          /* and u is u here times 2^velocity */
    Block block;
} MatrixUnits;

/* For a problem with its local form. False when out of memory. */
bool scr_matrix_units_make(MatrixUnits *units, const MatrixProblem *given);

/* r [rows] from the given units into these, and back. */
void scr_matrix_units_in(const MatrixUnits *units, double *r);
void scr_matrix_units_out(const MatrixUnits *units, double *r);

void scr_matrix_units_free(MatrixUnits *units);

#endif
