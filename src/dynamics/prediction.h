/* The first part of a step: how the bodies would move if nothing touched them. */
#ifndef SCREE_DYNAMICS_PREDICTION_H
#define SCREE_DYNAMICS_PREDICTION_H

#include "dynamics/piece_sums.h"
#include "dynamics/step_params.h"
#include "shape/wall.h"
#include "state/rotation.h"
#include "state/state.h"

/* Zero-initialise it. */
typedef struct Prediction {
    Vec3 *motion; /* [bodies] theta v_new + (1 - theta) v_old, if nothing touched them */
    double least_radius, largest_radius, mean_radius, mean_mass; /* of all bodies */
    size_t tensors;  /* bodies whose inverse masses depend on the direction */
    bool any_frozen; /* some body is frozen along some axis */
    bool outrun;     /* some body would leave the larger part of its margin */
    Mat3 rate;       /* of a cell that deforms, if nothing touched */
    Mat3 stir;       /* sum of m w w^T over all bodies, w in the middle of the convection */
    Block block;
} Prediction;

/* Looks at all bodies. */
ScreeStatus scr_predict(const StepParams *with, const State *state, SumRoom *sums,
                        Prediction *free);

/* The part of a velocity along frozen axes; of a spin with the bits shifted down by three. */
static inline Vec3 scr_frozen_part(uint32_t frozen, Vec3 v) {
    return vec3(frozen & SCREE_FREEZE_X ? v.x : 0, frozen & SCREE_FREEZE_Y ? v.y : 0,
                frozen & SCREE_FREEZE_Z ? v.z : 0);
}

/* The part along the axes that are not frozen. */
static inline Vec3 scr_free_part(uint32_t frozen, Vec3 v) {
    return vec3(frozen & SCREE_FREEZE_X ? 0 : v.x, frozen & SCREE_FREEZE_Y ? 0 : v.y,
                frozen & SCREE_FREEZE_Z ? 0 : v.z);
}

/* The impulse of external forces and torques on a body over the step, along its free axes. */
static inline Vec3 scr_external_push(const StepParams *with, const State *s, size_t i) {
    const Bodies *b = &s->bodies;
    double dt = with->time_step;
    Vec3 push = add_scaled(scale(dt, b->force[i]), dt * b->mass[i], s->def.gravity);
    return scr_free_part(b->frozen[i], push);
}

static inline Vec3 scr_external_twist(const StepParams *with, const State *s, size_t i) {
    return scr_free_part(s->bodies.frozen[i] >> 3, scale(with->time_step, s->bodies.torque[i]));
}

/* The velocity with which a body goes into the step: relative to a cell that deforms, it turns and
 * stretches with it first. */
static inline Vec3 scr_velocity_before(const StepParams *with, const State *s, size_t i) {
    Vec3 v = s->bodies.velocity[i];
    return with->deforms ? mat3_apply(&with->convection, v) : v;
}

/* Velocity of a body at the end of the step if nothing touched it. Without inertia it stands still
 * but for what moves it along its frozen axes. */
static inline Vec3 scr_free_velocity(const StepParams *with, const State *s, size_t i) {
    const Bodies *b = &s->bodies;
    uint32_t f = b->frozen[i];
    if (!with->inertia) {
        return scr_frozen_part(f, b->velocity[i]);
    }
    double per_mass = with->time_step / b->mass[i];
    Vec3 dv = add_scaled(scale(per_mass, b->force[i]), with->time_step, s->def.gravity);
    return add(scr_velocity_before(with, s, i), scr_free_part(f, dv));
}

/* ---- turning
 *
 * The impulses of a step act on a body at one moment: with theta = 1 at its start, else when the
 * part 1 - theta of it has passed. Before and after that a solid turns freely (state/rotation.h).
 * So an impulse meets one tensor of inertia and changes the energy by its work alone. */

/* The principal moments of a solid when the impulses act. */
Moments scr_moments_at_impulse(const StepParams *with, const State *state, size_t i,
                               const Solid *solid);

/* The spin of a body at that moment, before they act; of any but solids it is that at the start. */
Vec3 scr_spin_at_impulse(const StepParams *with, const State *state, size_t i);

/* Its spin after the impulse of external torques alone. */
Vec3 scr_free_solid_spin(const StepParams *with, const State *state, size_t i, const Solid *solid);

/* That of any body but a solid. */
static inline Vec3 scr_free_round_spin(const StepParams *with, const State *s, size_t i) {
    const Bodies *b = &s->bodies;
    uint32_t f = b->frozen[i] >> 3;
    if (!with->inertia) {
        return scr_frozen_part(f, b->spin[i]);
    }
    Vec3 dw = scale(with->time_step / b->inertia[i], b->torque[i]);
    return add(b->spin[i], scr_free_part(f, dw));
}

static inline Vec3 scr_free_spin(const StepParams *with, const State *s, size_t i) {
    const Solid *solid = with->inertia ? scr_solid_of(s, i) : NULL;
    return solid != NULL ? scr_free_solid_spin(with, s, i, solid) : scr_free_round_spin(with, s, i);
}

static inline Vec3 scr_free_piston(const StepParams *with, const ScreeWallDef *w) {
    if (!with->inertia) {
        return scr_sliding(w);
    }
    double push = dot(w->force, w->direction) * with->time_step / w->mass;
    return add_scaled(w->velocity, push, w->direction);
}

/* How a body would turn through the step; and the same of any body but a solid. */
static inline Vec3 scr_free_round_turn(const StepParams *with, const State *s, size_t i) {
    return scr_motion(with, s->bodies.spin[i], scr_free_round_spin(with, s, i));
}

static inline Vec3 scr_free_turn(const StepParams *with, const State *s, size_t i) {
    return scr_motion(with, scr_spin_at_impulse(with, s, i), scr_free_spin(with, s, i));
}

/* What a solid does in a step through which it turns as the law has it. */
typedef struct SolidTurn {
    Vec3 before, after; /* spins when the impulses act */
    Vec3 spin;          /* at the end of the step */
    Quat orientation;
    double gain;    /* of kinetic energy, by the impulses */
    double kinetic; /* at the end, doubled */
    double scheme;  /* energy lost by the free rotation: of second order, of either sign */
} SolidTurn;

SolidTurn scr_turn_solid(const StepParams *with, const State *state, size_t i, const Solid *solid,
                         Vec3 turn);

/* Whether some but not all of the axes that exist are frozen. */
static inline bool scr_partly_frozen(uint32_t frozen, uint32_t axes) {
    return (frozen & axes) != 0 && (frozen & axes) != axes;
}

static inline uint32_t scr_position_axes(int dimension) {
    return dimension == 2 ? SCREE_FREEZE_X | SCREE_FREEZE_Y : SCREE_FREEZE_POSITION;
}

static inline uint32_t scr_rotation_axes(int dimension) {
    return dimension == 2 ? SCREE_FREEZE_ROTATION_Z : SCREE_FREEZE_ROTATION;
}

/* Whether the inverse masses of a body differ by direction. */
static inline bool scr_needs_tensor(const State *s, size_t i) {
    uint32_t frozen = s->bodies.frozen[i];
    int dimension = s->def.dimension;
    return scr_solid_of(s, i) != NULL || scr_partly_frozen(frozen, scr_position_axes(dimension)) ||
           scr_partly_frozen(frozen, scr_rotation_axes(dimension));
}

/* How a cell that deforms has changed since the list was made, at the end of a step. Anchors are in its
 * frame as it was then. Two bodies that were farther apart than their radii and margins together are
 * now `least` times as far apart at least, and do not touch while each is within least m - (1 - least)
 * r of where its anchor has gone, with its margin m and radius r. */
typedef struct CellStretch {
    bool deforms;
    Mat3 map;     /* of the anchor, until the start of the step */
    double least; /* until its end */
    double grows; /* the most by which the step lengthens a vector, less 1 */
} CellStretch;

CellStretch scr_cell_stretch(const StepParams *with, const State *state, const Mat3 *rate);

/* What the rate of a cell adds to the velocity with which a gap opens, d from centre to centre. */
static inline double scr_cell_approach(const Mat3 *rate, bool deforms, Vec3 d, Vec3 normal) {
    return deforms ? dot(mat3_apply(rate, d), normal) : 0;
}

/* The velocity with which the radius of a body grows, the same through the whole step, whatever parts
 * it is made in: when the time t of it has passed, the radius is 1 + rate t times what it was. */
static inline double scr_growth(const StepParams *with, const State *s, size_t i) {
    if (!with->grows) {
        return 0;
    }
    const double rate = s->materials.growth[s->bodies.material[i]].rate;
    return rate * s->bodies.radius[i] / (1 + rate * with->elapsed);
}

/* What a body that grows needs of its margin in the step; one that shrinks needs none. */
static inline double scr_growth_way(const StepParams *with, const State *s, size_t i) {
    return scr_max(0, with->time_step * scr_growth(with, s, i));
}

/* Whether a body is within a part of its margin when it has moved on by `by`, relative to the cell. */
static inline bool scr_stays_within(const StepParams *with, const State *s, const CellStretch *cell,
                                    size_t i, Vec3 by, double part) {
    const Bodies *b = &s->bodies;
    if (cell->deforms) {
        Vec3 corner = s->def.cell_min;
        Vec3 anchor = add(corner, mat3_apply(&cell->map, sub(b->anchor[i], corner)));
        Vec3 moved = sub(b->position[i], anchor);
        double most = cell->least * b->margin[i] - (1 - cell->least) * b->radius[i];
        return length(add(moved, by)) + cell->grows * length(moved) <=
               part * most - scr_growth_way(with, s, i);
    }
    Vec3 moved = sub(add(b->position[i], by), b->anchor[i]);
    double margin = part * b->margin[i] - scr_growth_way(with, s, i);
    return margin >= 0 && dot(moved, moved) <= margin * margin;
}

/* How a part of a wall is expected to move through the step. A piston is expected to keep the
 * velocity it has: at its free velocity, one that is much lighter than the grains would fly past
 * them and take up contacts with everything on its path. If it really does fly, the audit
 * notices. */
static inline Vec3 scr_wall_motion(const ScreeWallDef *w, Vec3 point) {
    if (w->motion == SCREE_WALL_PISTON) {
        return w->velocity;
    }
    return w->motion == SCREE_WALL_MOVED ? scr_wall_velocity_at(w, point) : vec3(0, 0, 0);
}

#endif
