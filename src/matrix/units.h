/* A contact problem in units of its own, all of them powers of two.
 *
 * Multiplying by such units is exact, so a problem given in other units of mass, length and time,
 * as long as these are powers of two apart, is the same problem here, bit for bit, and its solution
 * differs by the units alone. (Roots of odd powers, and norms that add torques to impulses, would
 * spoil that.) */
#ifndef SCREE_MATRIX_UNITS_H
#define SCREE_MATRIX_UNITS_H

#include "matrix/problem.h"

/* Exponents of two. The length is only that of torques: the freedoms of the global form keep the
 * units among themselves that they have. */
typedef struct MatrixScales {
    int mass, velocity, length;
} MatrixScales;

/* Zero-initialise it. */
typedef struct MatrixUnits {
    MatrixScales scale;
    MatrixProblem problem; /* shares its patterns with the given one, which must outlive it */
    double *spare;         /* [rows] for the caller's own use */
    Block block;
} MatrixUnits;

/* The exponent next to x, 0 where x is not positive and finite. */
int scr_exponent_of(double x);

/* Those next to the largest diagonal of W, the largest free velocity, and the length that compares
 * torques with impulses, of a problem with its local form. */
MatrixScales scr_matrix_scales(const MatrixProblem *problem);

/* Whichever forms the problem has. False when out of memory. */
bool scr_matrix_units_make(MatrixUnits *units, const MatrixProblem *given, MatrixScales scale);

/* Impulses [rows] from the given units into these and back, and velocities s [rows] back; `to` may
 * be `from`, or NULL for nothing. */
void scr_matrix_impulses_in(const MatrixUnits *units, const double *from, double *to);
void scr_matrix_impulses_out(const MatrixUnits *units, const double *from, double *to);
void scr_matrix_velocities_out(const MatrixUnits *units, const double *from, double *to);

void scr_matrix_units_free(MatrixUnits *units);

#endif
