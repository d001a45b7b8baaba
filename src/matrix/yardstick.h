/* How well impulses obey the law, judged contact by contact in scales of the problem itself.
 *
 * A contact has parts: normal, tangential and, with rolling, the torques (over a length, so that
 * they are impulses like the others). Each part has a velocity scale V and an impulse scale R, and
 *     e_n = min(r_n / R_n, s_n / V_n),
 *     e_t = r_t / R_t - P(r_t / R_t - s_t / V_t),   P onto the disk of radius mu r~_n / R_t,
 * with r~_n = r_n - R_n e_n >= 0, are its errors. Subtracting them leaves impulses r~ = r - R e and
 * velocities s~ = s - V e that obey Coulomb's law exactly, at every contact, whatever the scales
 * are. So the largest |e| bounds the error in impulses and in velocities at once.
 *
 * The scales. With m = 1 / mean diagonal of W (and C) in the part, and over the contacts that are
 * connected with this one,
 *     V_most  = the largest free velocity |q|,
 *     V_least = |m q| / |m|: the momentum that the free motion brings, as a velocity of the heavy,
 *     V = the sum of |q| and |W||r| at this part, between V_least and V_most,
 *     R = max(|r|, m V), for friction also mu r_n.
 * V never exceeds V_most however large the impulses are; where little happens it is less, so that
 * neither a light body that loads would throw far, nor impulses elsewhere, hide a violated contact.
 * All of it scales with the units of mass, length and time. */
#ifndef SCREE_MATRIX_YARDSTICK_H
#define SCREE_MATRIX_YARDSTICK_H

#include "matrix/problem.h"

enum { MATRIX_PARTS_MOST = 3 };

/* Zero-initialise it. */
typedef struct MatrixYardstick {
    const MatrixProblem *problem;
    int parts;
    double *mass;         /* [parts * contacts] m; 0 where W is zero */
    double *length;       /* [contacts] of the torques */
    double *least, *most; /* [contacts] V_least, V_most */
    double *term;         /* [rows] scratch: |q| + |W||r| */
    Block block;
} MatrixYardstick;

/* For a problem with its local form, which must outlive this. False when out of memory. */
bool scr_matrix_yardstick_make(MatrixYardstick *yardstick, const MatrixProblem *problem);

void scr_matrix_yardstick_free(MatrixYardstick *yardstick);

/* The largest |e|, with what the rounding of W r + q may add to it; infinite when a number is not finite. `u` [rows] gets W r + q; `worst`, which
 * may be NULL, the contact. */
double scr_matrix_law_error(const MatrixYardstick *yardstick, const double *r, double *u,
                            size_t *worst);

/* The part of that which is rounding: heavy loads on light bodies ask for more digits than the
 * impulses have. For the r that was last judged. */
double scr_matrix_law_rounding(const MatrixYardstick *yardstick);

#endif
