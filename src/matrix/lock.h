/* Proofs that a contact problem has no solution: rigid bodies are squeezed.
 *
 * Weights y >= 0 on the normals of some contacts, and the impulses Y with these normal components
 * and no others. If these impulses are in balance, H Y = 0 (and C Y = 0), then in every motion
 *     y . s_n = Y . (H^T v + w + C r) = Y . w,
 * and if Y . w < 0 some contact closes, whatever the impulses and whatever the friction: there is
 * no solution. (Farkas; friction has no part in y, since sliding may be what frees a body.)
 *
 * In local form the same reads (W + C)^T Y = 0 and Y . q < 0. If that is only small, a solution
 * needs impulses of at least
 *     max |r_i| >= -Y . q / |(W + C)^T Y|_1.
 * A heavy body on a light one makes W all but singular, too, with masses 1e14 apart up to its last
 * digit. H knows no masses: where there is a global form, it decides. */
#ifndef SCREE_MATRIX_LOCK_H
#define SCREE_MATRIX_LOCK_H

#include "matrix/solver.h"

typedef struct MatrixLock {
    bool proven;     /* Y is in balance: H Y to twelve digits, W Y to its last bits */
    double left;     /* the largest unbalanced part, of what is added up there */
    double closing;  /* -y . q_n over the sum of y: the velocity at which the contacts close */
    double relative; /* the same over the largest free velocity there */
    double bound;    /* the least max |r_i| of any solution; rounding is accounted for */
    size_t contacts; /* with y > 0 */
} MatrixLock;

/* Checks weights y [contacts], whoever found them, from the problem alone. `scratch` has room for
 * scr_matrix_lock_room numbers. Where they prove nothing, `bound` is 0. */
size_t scr_matrix_lock_room(const MatrixProblem *problem);
MatrixLock scr_matrix_check_lock(const MatrixYardstick *yardstick, const double *weight,
                                 double *scratch);

/* Searches for such weights [contacts]: false when out of memory. `lock` tells whether they prove
 * anything. */
bool scr_matrix_find_lock(const MatrixYardstick *yardstick, double *weight, MatrixLock *lock);

#endif
