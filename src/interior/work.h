/* An iterate of the interior-point method, its start, and proofs that a problem has no solution. */
#ifndef SCREE_INTERIOR_WORK_H
#define SCREE_INTERIOR_WORK_H

#include "interior/own_units.h"
#include "interior/system.h"

typedef enum InteriorStatus {
    INTERIOR_SOLVED,
    INTERIOR_NEARLY, /* no further progress, but within a hundred tolerances */
    INTERIOR_STALLED,
    INTERIOR_ASSOCIATED, /* the exact law was asked for, only the associated one was reached */
    INTERIOR_NO_BALANCE, /* no impulses balance the loads: unbounded velocities */
    INTERIOR_LOCKED,     /* no velocities satisfy the contacts: unbounded impulses */
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
    MatrixUnits unit;       /* in which the iteration works: see scr_interior_point */
    double force, velocity; /* units; 0 on entry: to be found from the problem */
    double energy;          /* their product, or found likewise */
    double fastest;         /* see InteriorPointSettings */
    double *v;              /* [freedoms] */
    double *r, *s;          /* [rows] */
    double *offset;         /* [contacts] o of the present s */
    bool exact;             /* the exact law, not the associated one */
    double start;           /* > 0: start with this many units of impulse and velocity everywhere */
    const double *known;    /* [rows] impulses to start from; NULL: none */
    /* work space */
    double *r1, *a, *dv, *best_v, *r2, *b, *dr, *ds, *best_r, *best_s;
    double share, enough; /* of the step being made */
    Block block, basis_block;
} InteriorWork;

/* Takes room, and makes pattern and symbolic factor; all vectors are zero. `exact` and the units
 * must have been set. */
FactorStatus scr_interior_work_begin(InteriorWork *work, const MatrixProblem *problem);

/* Finds a point inside the cones, and the units that were not given. */
FactorStatus scr_interior_start(InteriorWork *work);

/* Whether the present point proves that there is no solution, or none with impulses or velocities
 * below the units over `least`: INTERIOR_LOCKED, INTERIOR_NO_BALANCE, else INTERIOR_STALLED. */
InteriorStatus scr_interior_without_solution(InteriorWork *work, double least);

void scr_interior_work_free(InteriorWork *work);

#endif
