/* How the two bodies of a pair, or a body and a wall, move through a step. */
#ifndef SCREE_DYNAMICS_PAIR_MOTION_H
#define SCREE_DYNAMICS_PAIR_MOTION_H

#include "dynamics/step_task.h"
#include "narrow/outline_touch.h"

/* Velocities of the centres (of a wall: of its `point`), and spins. In a cell that deforms, the rate of the
 * cell is in that of b, as seen from a. */
typedef struct PairMotion {
    Vec3 va, vb, wa, wb;
} PairMotion;

/* At the start of the step; if nothing touched; and as the solution has it. */
PairMotion scr_start_motion(const StepParams *with, const State *state, Pair pair);
PairMotion scr_free_pair_motion(const StepTask *task, Pair pair);
PairMotion scr_solved_motion(const StepTask *task, Pair pair);

/* The latter with the spins that lead in the step to where the bodies will stand: a solid keeps its
 * angular momentum, not its spin. */
PairMotion scr_path_of(const StepTask *task, Pair pair, const PairMotion *solved);

/* Velocity of b against a along a normal, at a point that is `arm` from the centre of a, where that
 * of b is at d. */
static inline double scr_approach(const PairMotion *m, Vec3 d, Vec3 arm, Vec3 normal) {
    Vec3 ua = add(m->va, cross(m->wa, arm)), ub = add(m->vb, cross(m->wb, sub(arm, d)));
    return dot(sub(ub, ua), normal);
}

/* No point of the two can come nearer than this within the step. */
static inline double scr_farthest_approach(const StepTask *t, const PairMotion *m, Pair p, Vec3 d) {
    const double *radius = t->state->bodies.radius;
    double ra = radius[p.a], rb = p.b >= 0 ? radius[p.b] : length(d) + ra;
    Vec3 v = sub(m->vb, m->va);
    double turning = length(m->wa) * ra + length(m->wb) * rb;
    return t->with->time_step * (fabs(v.x) + fabs(v.y) + fabs(v.z) + turning);
}

/* What moves in a time. */
static inline StepMotion scr_motion_in(double time, const PairMotion *m) {
    return (StepMotion){scale(time, sub(m->vb, m->va)), scale(time, m->wa), scale(time, m->wb)};
}

#endif
