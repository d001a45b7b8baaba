/* An iterate of the interior-point method, its start, and the proof that a problem has no solution.
 */
#ifndef SCREE_INTERIOR_WORK_H
#define SCREE_INTERIOR_WORK_H

#include "interior/system.h"

typedef enum InteriorStatus {
    INTERIOR_SOLVED,
    INTERIOR_NEARLY, /* no further progress, but within a hundred tolerances */
    INTERIOR_STALLED,
    INTERIOR_ASSOCIATED, /* the exact law was asked for; only the associated one was reached */
    INTERIOR_NO_BALANCE, /* no impulses balance the loads: velocities without bound */
    INTERIOR_LOCKED,     /* no velocities satisfy the contacts: impulses without bound */
    INTERIOR_NO_MEMORY,
} InteriorStatus;

/* Errors of an iterate over their units; the largest of them counts. */
typedef struct InteriorErrors {
    double momentum;   /* |M v - H r - f| over force */
    double kinematics; /* |H^T v + w + o n + C r - s| over velocity */
    double gap;        /* r . s for each cone, over energy */
} InteriorErrors;

/* Zero-initialise it. */
typedef struct InteriorWork {
    InteriorSystem system;
    double force, velocity; /* units; 0 on entry: found from the problem */
    double energy;          /* their product, or found likewise */
    double *v;              /* [freedoms] */
    double *r, *s;          /* [rows] */
    double *offset;         /* [contacts] o of the present s */
    bool exact;             /* which law */
    double start; /* > 0: from the same impulse and velocity at all contacts, so many units */
    const double *known; /* [rows] impulses to begin with; NULL: none */
    /* work space */
    double *r1, *a, *dv, *best_v, *r2, *b, *dr, *ds, *best_r, *best_s;
    double share, enough; /* of the step that is being made */
    Block block, basis_block;
} InteriorWork;

/* Room, pattern and symbolic factor; all vectors are zero. `exact` and the units are to be set
 * before. */
FactorStatus scr_interior_work_begin(InteriorWork *work, const MatrixProblem *problem);

/* A point inside of the cones, and units where they were not given. */
FactorStatus scr_interior_start(InteriorWork *work);

/* Whether the present point proves that there is no solution, none whose impulses or velocities are
 * below the units over `least`: INTERIOR_LOCKED, INTERIOR_NO_BALANCE, else INTERIOR_STALLED. */
InteriorStatus scr_interior_without_solution(InteriorWork *work, double least);

/* Root of the sum, and of the mean, of squares. */
double scr_interior_norm(const double *x, size_t count);
double scr_interior_rms(const double *x, size_t count);

void scr_interior_work_free(InteriorWork *work);

#endif
