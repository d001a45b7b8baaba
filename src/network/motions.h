/* How far the motion of a step is undetermined.
 *
 * The impulses r of a step and the velocities at its end belong together by M v = M v_now + H (r -
 * r_now), and the law of each contact sees u = u_now + W (r - r_now), W = H^T M^-1 H. All solutions
 * in which the same contacts hold, slide and stay open as now make a convex set:
 *     holds    u = 0,  |r_t| <= mu r_n
 *     slides   u_n = 0,  u_t along the present slip or zero,  r_t = r_n times its present share
 *     open     r = 0,  u_n >= 0
 * If nothing slides, W d = 0 for the difference d of two solutions, so d . W d = 0 and M^-1 H d = 0:
 * the motion is unique. Where something slides, W may have columns that are no rows, and the same
 * conditions may leave the velocities open too. Their extremes are linear programmes with cones, in
 * the form that interior/point.h solves: a slack for each inequality.
 *
 * With other contacts that hold, slide or open there may be more solutions. To go through all states
 * is out of reach for more than a few contacts, so these are looked for from random starts. */
#ifndef SCREE_NETWORK_MOTIONS_H
#define SCREE_NETWORK_MOTIONS_H

#include "interior/point.h"
#include "network/force_set.h"

/* Zero-initialise it. */
typedef struct MotionSet {
    ForceSet all;         /* scr_force_set_make_moving, with its local form */
    MatrixProblem cone;   /* the conditions: cone.h r + cone.f = 0, r in K */
    double *now;          /* [cone rows] the present impulses and slacks */
    int32_t *from;        /* [cone rows] component of `all` that a column is; -1: slack or none */
    bool *loose;          /* [freedoms] whether the conditions leave the velocity open */
    double velocity_unit; /* [length/time] */
    double *least,
        *most;      /* [freedoms] changes of velocities that these states allow, for the caller
                             to fill in; zero */
    double *change; /* [freedoms] velocities of a sampled motion less the present ones */
    InteriorWork work;
    Block sample_block, range_block, real_block, index_block, loose_block;
} MotionSet;

/* Poses the conditions and finds out which velocities they leave open, cones aside. */
Fault scr_motion_set_make(MotionSet *set, const ScreeSample *sample,
                          const ScreeSurroundings *around, double still);

typedef struct MotionExtreme {
    double change; /* [length/time] from the present velocity; infinite: without bound */
    bool sure;     /* to 1e-6 of the velocity that the mean force gives the mean mass in a step */
} MotionExtreme;

/* The least or (`most`) the largest velocity along a freedom; that of a rotation is times the
 * radius. False when out of memory. */
bool scr_motion_extreme(MotionSet *set, size_t freedom, bool most, MotionExtreme *extreme);

/* Another solution of the same step, whatever its contacts do: sweeps with Coulomb's law from random
 * impulses, until they solve the problem to the tolerance. set->change gets the velocities
 * [length/time]. Returns whether they did; false too when out of memory. */
bool scr_motion_sample(MotionSet *set, double amplitude, double tolerance, uint64_t key);

void scr_motion_set_free(MotionSet *set);

#endif
