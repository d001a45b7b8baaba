/* Projected Gauss-Seidel sweeps with extrapolation: the cheapest iteration for a contact problem in
 * matrices, and the start of the Newton solvers.
 *
 * A contact is not solved but improved: first its normal impulse, by a step against the normal
 * velocity,
 *     r_n <- max(0, r_n - u_n / W_nn),
 * then the tangential one, on the disk that the new r_n allows,
 *     r_t <- the nearest point of |r_t| <= mu r_n to  r_t - u_t / (largest eigenvalue of W_tt),
 * and torques likewise, each with the velocities that the changes before it have left. Impulses
 * that no longer change satisfy Coulomb's law exactly. Between sweeps they are extrapolated along
 * their last change as in Nesterov's method; when that leads astray, it starts over. */
#ifndef SCREE_MATRIX_PROJECTED_H
#define SCREE_MATRIX_PROJECTED_H

#include "matrix/scaled.h"

MatrixReport scr_matrix_projected(const MatrixProblem *problem, const MatrixSettings *settings,
                                  double *r);

/* Memory of the extrapolation; zero-initialise it. */
typedef struct MatrixMomentum {
    double theta, least;
    int since;
    double *begin, *last; /* [rows] impulses before the sweep, and after the last one */
    Block vector_block;
} MatrixMomentum;

bool scr_matrix_momentum_reserve(MatrixMomentum *k, size_t rows);

/* Forgets earlier sweeps; x [rows] are the present impulses. */
void scr_matrix_momentum_begin(MatrixMomentum *k, const double *x, size_t rows);

/* Extrapolates x along its last change; starts over when the sweep went back, or when changes have
 * grown. Given the squared change by the sweep, and the product of that change with the one since
 * the sweep before. */
void scr_matrix_momentum_extrapolate(MatrixMomentum *k, double moved, double along, double *x,
                                     size_t rows);

/* `count` sweeps on the problem u = W x + q + alpha (x - center), which is the more regular the
 * larger alpha is; center may be NULL when alpha is 0. The last sweep is not extrapolated. */
void scr_matrix_sweeps(MatrixScaled *s, MatrixMomentum *k, double alpha, const double *center,
                       int count);

/* Sweeps on the problem itself, measured now and then, until the tolerance is met (true), or until
 * another `most` of them would not suffice at the present rate. */
bool scr_matrix_sweeps_while_worth(MatrixScaled *s, MatrixMomentum *k, int most);

void scr_matrix_momentum_free(MatrixMomentum *k);

#endif
