/* What a step does with one body, for the passes of the processor over all of them and for those of a device. */
#ifndef SCREE_DYNAMICS_PLAIN_BODIES_H
#define SCREE_DYNAMICS_PLAIN_BODIES_H

#include "dynamics/displace.h"
#include "dynamics/step_task.h"

/* As a body of the contact problem at free motion `v`; `turn` is how it turns then. */
static inline ProblemBody scr_free_body(const StepTask *t, size_t i, Vec3 v, Vec3 turn) {
    const State *s = t->state;
    const Bodies *b = &s->bodies;
    const uint32_t frozen = b->frozen[i], position = scr_position_axes(s->def.dimension),
                   rotation = scr_rotation_axes(s->def.dimension);
    const double r = b->radius[i], theta = t->with->theta;
    ProblemBody p;
    p.v = v;
    p.s = scale(r, turn);
    p.inverse_mass = (frozen & position) == position ? 0 : theta / b->mass[i];
    p.inverse_inertia = (frozen & rotation) == rotation ? 0 : theta * r * r / b->inertia[i];
    return p;
}

/* How far it may come. */
static inline double scr_free_reach(const StepTask *t, size_t i, Vec3 v) {
    const double reach = t->with->time_step * (fabs(v.x) + fabs(v.y) + fabs(v.z));
    return reach + scr_growth_way(t->with, t->state, i);
}

/* Its place in the contact problem at free motion. */
static inline void scr_place_body(const StepTask *t, size_t i, Vec3 turn) {
    const Bodies *b = &t->state->bodies;
    const Neighbours *nb = &t->list->neighbours;
    const int32_t rank = nb->rank[i];
    const Vec3 v = t->free->motion[i];
    t->problem.body[rank] = scr_free_body(t, i, v, turn);
    nb->spot[rank].x = b->position[i];
    nb->spot[rank].reach = b->radius[i];
    t->reach[rank] = scr_free_reach(t, i, v);
}

/* ---------------------------------------------------------------- after the solution */

/* What an audit of bodies has found. */
typedef struct BodyAudit {
    bool outruns;  /* a body goes past its margin: it may have met one that is not in the list */
    bool infinite; /* a position is no number */
    double energy; /* twice that of the body that has most */
    double most;   /* [length] largest shift */
} BodyAudit;

/* How far the impulses have moved the centre of a body. */
static inline double scr_body_shift(const StepTask *t, size_t i) {
    const int32_t rank = t->list->neighbours.rank[i];
    const Vec3 d = sub(t->problem.body[rank].v, t->free->motion[i]);
    const double shift = t->impacts.detour != NULL ? t->impacts.detour[rank].stray : 0;
    return scr_max(shift, sqrt(dot(d, d)) * t->with->time_step);
}

/* Adds a body that the impulses have moved by `shift`, all told. */
static inline void scr_audit_body(const StepTask *t, const CellStretch *cell, size_t i,
                                  double shift, BodyAudit *found) {
    const int32_t rank = t->list->neighbours.rank[i];
    const Vec3 by = scr_displacement(t, rank);
    t->reach[rank] = shift;
    found->most = scr_max(found->most, shift);
    found->outruns = found->outruns || !scr_stays_within(t->with, t->state, cell, i, by, 1);
    found->infinite = found->infinite || !is_finite(add(t->state->bodies.position[i], by));
    const double energy = scr_motion_energy(t->state, i, &t->problem.body[rank]);
    found->energy =
        found->energy >= energy ? found->energy : energy; /* also when it is no number */
}

/* ---------------------------------------------------------------- motion */

/* What the motion of a body adds to the certificate. */
typedef struct MotionSums {
    double work, scheme;  /* of external forces, and what of it is lost to the time stepping */
    double turning;       /* energy lost by free rotation */
    double growth;        /* kinetic energy that comes with more mass and inertia */
    double gain, kinetic; /* of kinetic energy; twice what there is after the step */
    double fastest;       /* (motion / radius)^2 */
} MotionSums;

/* The spin of a body before and after the impulses. */
typedef struct Spins {
    Vec3 before, after;
} Spins;

/* Kinetic energy gained; as a product, so that the balance does not cancel large numbers. */
static inline double scr_gain(double mass, Vec3 before, Vec3 after) {
    return 0.5 * mass * dot(add(after, before), sub(after, before));
}

/* By how much the motion of the step exceeds the mean velocity: for implicit Euler, half of the
 * change of velocity. */
static inline Vec3 scr_ahead(const StepParams *with, Vec3 before, Vec3 after) {
    return scale(with->theta - 0.5, sub(after, before));
}

static inline Spins scr_turn_round(const StepParams *with, State *s, size_t i, Vec3 turn,
                                   MotionSums *sum) {
    Bodies *b = &s->bodies;
    Vec3 before = b->spin[i], after = scr_after_motion(with, before, turn);
    sum->gain += scr_gain(b->inertia[i], before, after);
    sum->kinetic += b->inertia[i] * dot(after, after);
    b->spin[i] = after;
    return (Spins){before, after};
}

/* The velocity of a body at the end of the step; the motion in the problem's body becomes the mean of
 * the old and the new one. */
static inline void scr_take_velocity(const StepParams *with, State *s, size_t i, ProblemBody *p,
                                     Vec3 turn, Spins w, MotionSums *sum) {
    Bodies *b = &s->bodies;
    const double r = b->radius[i], per_r = 1 / r;
    const Vec3 motion = p->v, v0 = scr_velocity_before(with, s, i);
    const Vec3 v = scr_after_motion(with, v0, motion);
    const Vec3 push = scr_external_push(with, s, i), twist = scr_external_twist(with, s, i);
    sum->work += dot(push, motion) + dot(twist, turn);
    sum->scheme +=
        dot(push, scr_ahead(with, v0, v)) + dot(twist, scr_ahead(with, w.before, w.after));
    sum->gain += scr_gain(b->mass[i], v0, v);
    sum->kinetic += b->mass[i] * dot(v, v);
    sum->fastest = scr_max(sum->fastest, dot(motion, motion) * per_r * per_r);
    p->v = scale(0.5, add(v, v0));
    p->s = scale(0.5 * r, add(w.after, w.before));
    b->velocity[i] = v;
}

/* What it takes to move a body that a projection shifts by `by`. */
static inline double scr_projected_work(const StepParams *with, const State *s, size_t i, Vec3 by,
                                        Vec3 turn, double per_step) {
    const double work =
        dot(scr_external_push(with, s, i), by) + dot(scr_external_twist(with, s, i), turn);
    return -per_step * work;
}

#endif
