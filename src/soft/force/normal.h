/* Normal springs of the soft-sphere engine: force and stored energy at an overlap d > 0. */
#ifndef SCREE_SOFT_FORCE_NORMAL_H
#define SCREE_SOFT_FORCE_NORMAL_H

#include <math.h>

typedef struct NormalSpring {
    double force;
    double energy;
    double slope;   /* d force / d overlap */
    double dashpot; /* factor of the dashpot's number at this overlap */
} NormalSpring;

/* N = k d. The dashpot's number is the coefficient itself. */
static inline NormalSpring scr_spring_linear(double k, double d) {
    double force = k * d;
    return (NormalSpring){force, 0.5 * force * d, k, 1};
}

/* N = K d^(3/2), K = 4/3 E* sqrt(r*), with the energy 2/5 K d^(5/2). A dashpot c d^(1/4) gives the
 * same restitution at every speed, see damping.h. */
static inline NormalSpring scr_spring_hertz(double k, double d) {
    double root = sqrt(d), slope = 1.5 * k * root, force = k * d * root;
    return (NormalSpring){force, 0.4 * force * d, slope, sqrt(root)};
}

/* Grains that are not glued only push. `damping` is the force of the dashpot, negative while they
 * part. */
static inline double scr_push_only(double spring, double damping) {
    double force = spring + damping;
    return force > 0 ? force : 0;
}

#endif
