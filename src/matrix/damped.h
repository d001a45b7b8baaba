/* Coulomb's exact law without inertia, as the end of a damped motion.
 *
 * In statics M v = H r + f has next to no masses, and exact friction makes the problem neither
 * convex nor monotone: no path is certain to reach its solution, and iterating on the dilation from
 * one convex programme to the next does not converge. But contact dynamics has no such difficulty.
 * So all bodies get the same mass N, and the motion
 *     N dv/dt = H r + f - M v,     r and v obey Coulomb's law at each contact,
 * is followed with the geometry frozen, by implicit steps of length t:
 *     N (v' - v) / t = H r + f - M v.
 * Each is a contact problem with masses, W = t H^T N^-1 H. Friction dissipates the energy; where
 * the motion comes to rest, v is the solution, and N does not matter. (In other words: proximal
 * points in the velocities.) Steps on the way need not be accurate, so they are made by sweeps.
 * Near the end Newton's method takes over, and t grows. If there is no solution the motion never
 * comes to rest: with exact friction that can happen, at a limit load for example. */
#ifndef SCREE_MATRIX_DAMPED_H
#define SCREE_MATRIX_DAMPED_H

#include "matrix/reduce.h"
#include "matrix/equation.h"
#include "matrix/projected.h"

typedef struct DampedSettings {
    double force, velocity; /* units of the errors */
    double tolerance;       /* of both errors, over their units; 1e-6 */
    int steps_most;         /* 150 */
    double share;           /* error of the law relative to what a step changes; 0.03 */
    double time_most;       /* of a step, in units of N velocity / force; 1e4 */
} DampedSettings;

typedef struct DampedReport {
    MatrixStatus status; /* SOLVED, ITERATIONS, NOT_FINITE or NO_MEMORY */
    int steps;           /* of the motion */
    double momentum;     /* rms of H r + f - M v, over force */
    double law;          /* rms of the natural map of the law, over force */
} DampedReport;

/* Work space; zero-initialise it. */
typedef struct MatrixDamped {
    const MatrixProblem *given;
    DampedSettings settings;
    MatrixSettings inner;
    MatrixProblem moving;       /* local form with W = t H^T N^-1 H; shares H and w with `given` */
    double mass;                /* N */
    double *w;                  /* entries of H^T N^-1 H */
    double *v, *next, *load;    /* [freedoms] */
    double *r, *found, *u;      /* [rows] */
    double time, alpha, change; /* of a step; for alpha see equation.h */
    DampedReport now;
    MatrixReducer reducer;
    MatrixScaled scaled;
    MatrixMomentum momentum;
    MatrixEquation equation;
    Block block, w_block;
} MatrixDamped;

/* r [rows] and v [freedoms] of a problem in global form hold the start on entry, preferably the
 * solution of the associated law, and the solution on return. When none is reached they are left as
 * they are. */
DampedReport scr_matrix_damped(MatrixDamped *work, const MatrixProblem *problem,
                               const DampedSettings *settings, double *r, double *v);

void scr_matrix_damped_free(MatrixDamped *work);

#endif
