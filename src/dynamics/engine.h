/* The contact dynamics engine: work space and the parts of a step. */
#ifndef SCREE_DYNAMICS_ENGINE_H
#define SCREE_DYNAMICS_ENGINE_H

#include "broad/broad.h"
#include "dynamics/carry.h"
#include "dynamics/matrices.h"
#include "narrow/placed.h"
#include "problem/problem.h"
#include "sweep/order.h"
#include "shape/wall.h"
#include "sweep/iteration.h"
#include "state/state.h"

/* Of the contacts of a step: the largest gap, and between where their first bodies are. */
typedef struct Extent {
    double gap;
    Vec3 low, high;
} Extent;

/* Of a step that is made in strides (strides.h). */
typedef struct Strides {
    Block before;   /* bodies and walls before the step */
    Block ahead;    /* and after a part of the motion */
    Block motion;   /* Vec3 [bodies] of the stride before */
    bool begun;     /* `before` is that of this step */
    double left;    /* [1] part of the step that is left to be made */
    double longest; /* the longest part of a motion that is followed */
    double deepest; /* [length] overlap of outlines after the stride; 0: was not looked for */
} Strides;

/* Everything a step needs besides the state; nothing in it outlives the step but the neighbour
 * list, which is a function of the bodies' anchors and margins. */
typedef struct Engine {
    Neighbours neighbours;
    size_t wall_pairs;
    Pair *wall_pair; /* a: body, b: fixed wall; complete within the margins */
    Block wall_pair_block;
    bool list_built;

    Vec3 *free_motion; /* [bodies] at which they would move through the step, if nothing touched
                          them: theta v_new + (1 - theta) v_old */
    Block free_block;
    double least_radius, largest_radius, mean_radius, mean_mass; /* of all bodies */
    size_t partly_frozen; /* bodies with a tensor of masses */
    bool held;            /* some body is frozen along some axis */
    bool outrun;          /* some body would leave the larger part of its margin in free motion */
    double slack;         /* [1] part of a radius within which a candidate is always taken up */

    Problem problem;
    Order order;
    Block body_block, tensor_block, tensor_of_block, general_block, general_of_block,
        sequence_block, momentum_block, law_block, law_of_block, two_block;
    Block row_block; /* rows; before they are written, scratch memory for what comes before them */
    Block scratch_block; /* one double a body, by rank */
    ContactsCopy copy;   /* of the contacts before the step */
    Strides strides;
    Placed placed; /* outlines of bodies with shapes, as they stand */
    OutlineTouches touches;

    Threads *threads; /* NULL: the caller's alone */
    int thread_count;
    bool missed; /* a contact was still missed after the last attempt */
    bool finite; /* the new positions and energies are numbers */
    Extent contact_extent;
    bool steady; /* no contact stopped, opened or closed in the step */
    Block cut_block, start_block;
    bool
        keeps_problem; /* wanted: the bodies of the problem as it was solved, before they move on */
    size_t solved_bodies;
    Block solved_block;        /* ProblemBody [solved_bodies] */
    StepMatrices matrices;     /* of the variational engines and of methods that need them */
    size_t first_wall_contact; /* contacts from here on are with walls */
    double energy_gain;        /* kinetic energy gained in the step, summed body by body */
    double spring_work[2];     /* that springs take from the motion, normal and tangential */
    double equivalent;         /* see SolveReport */
    double seconds_total, seconds_solver, updates;
    size_t most_contacts;
} Engine;

void scr_engine_free(Engine *engine);

/* One time step. `message` has SCREE_MESSAGE_SIZE bytes. */
ScreeStatus scr_contact_dynamics_step(State *state, Engine *engine, ScreeReport *report,
                                      char *message);

/* ---- the parts of a step */

/* The part of a velocity along frozen axes; of a spin with the bits shifted down by three. */
static inline Vec3 scr_held(uint32_t frozen, Vec3 v) {
    return vec3(frozen & SCREE_FREEZE_X ? v.x : 0, frozen & SCREE_FREEZE_Y ? v.y : 0,
                frozen & SCREE_FREEZE_Z ? v.z : 0);
}

/* Velocity of a body at the end of the step if nothing touched it. */
static inline Vec3 scr_free_velocity(const State *s, size_t i) {
    const Bodies *b = &s->bodies;
    double per_mass = s->def.time_step / b->mass[i];
    Vec3 dv = add_scaled(scale(per_mass, b->force[i]), s->def.time_step, s->def.gravity);
    uint32_t f = b->frozen[i];
    if (scr_is_static(&s->def)) { /* what holds it, moves it */
        return scr_held(f, b->velocity[i]);
    }
    return add(b->velocity[i], vec3(f & SCREE_FREEZE_X ? 0 : dv.x, f & SCREE_FREEZE_Y ? 0 : dv.y,
                                    f & SCREE_FREEZE_Z ? 0 : dv.z));
}

static inline Vec3 scr_free_spin(const State *s, size_t i) {
    const Bodies *b = &s->bodies;
    Vec3 dw = scale(s->def.time_step / b->inertia[i], b->torque[i]);
    uint32_t f = b->frozen[i];
    if (scr_is_static(&s->def)) {
        return scr_held(f >> 3, b->spin[i]);
    }
    return add(b->spin[i],
               vec3(f & SCREE_FREEZE_ROTATION_X ? 0 : dw.x, f & SCREE_FREEZE_ROTATION_Y ? 0 : dw.y,
                    f & SCREE_FREEZE_ROTATION_Z ? 0 : dw.z));
}

static inline Vec3 scr_free_piston(const State *s, const ScreeWallDef *w) {
    if (scr_is_static(&s->def)) {
        return vec3(0, 0, 0);
    }
    double push = dot(w->force, w->direction) * s->def.time_step / w->mass;
    return add_scaled(w->velocity, push, w->direction);
}

/* The motion through a step from the velocities at its start and end, and back: the theta method
 * (Lim, eqs 4.4 to 4.6). The contact problem is in terms of motions: a gap closes by dt times the
 * motion, and with inverse masses times theta an impulse changes it as Newton wants. With theta = 1
 * motion and new velocity are the same. */
static inline Vec3 scr_motion(const State *s, Vec3 before, Vec3 after) {
    double theta = s->def.theta;
    return theta == 1 ? after : add(scale(theta, after), scale(1 - theta, before));
}

static inline Vec3 scr_after_motion(const State *s, Vec3 before, Vec3 motion) {
    double theta = s->def.theta;
    return theta == 1 ? motion : scale(1 / theta, sub(motion, scale(1 - theta, before)));
}

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
    return scr_partly_frozen(frozen, scr_position_axes(dimension)) ||
           scr_partly_frozen(frozen, scr_rotation_axes(dimension));
}

/* Whether a body is within a part of its margin at the end of the step. */
static inline bool scr_stays_within(const State *s, size_t i, Vec3 velocity, double part) {
    const Bodies *b = &s->bodies;
    Vec3 way = sub(add_scaled(b->position[i], s->def.time_step, velocity), b->anchor[i]);
    double most = part * b->margin[i];
    return dot(way, way) <= most * most;
}

/* Twice the kinetic energy of a body that has the motion of the step as its velocity. */
static inline double scr_motion_energy(const State *s, size_t i, const ProblemBody *p) {
    const Bodies *b = &s->bodies;
    return b->mass[i] * dot(p->v, p->v) +
           b->inertia[i] / (b->radius[i] * b->radius[i]) * dot(p->s, p->s);
}

/* Sets free_motion, and what there is to know of the bodies before the step. */
ScreeStatus scr_predict(const State *state, Engine *engine);

/* The neighbour list, made valid for the bodies' free motion, and in a second attempt
 * (`again`) at those of the first solution. `rebuilt` is set when it was made anew. */
ScreeStatus scr_update_list(State *state, Engine *engine, bool again, bool *rebuilt, char *message);

/* The bodies of the problem at free motion, and their spots: place, radius, and in the scratch
 * memory how far they may come in the step. */
ScreeStatus scr_place_bodies(State *state, Engine *engine);

/* The contacts of the step: candidates that may close, with the impulses that they had before. */
ScreeStatus scr_find_contacts(State *state, Engine *engine, bool list_changed);

/* How a part of a wall is expected to move through the step. A piston is taken as it comes: one
 * that is much lighter than the grains would fly past them at its free velocity, and take up
 * contacts with all that it passes. Should it really fly, the audit finds out. */
static inline Vec3 scr_wall_motion(const ScreeWallDef *w, Vec3 point) {
    if (w->motion == SCREE_WALL_PISTON) {
        return w->velocity;
    }
    return w->motion == SCREE_WALL_MOVED ? scr_wall_velocity_at(w, point) : vec3(0, 0, 0);
}

/* A candidate is taken up when it would close within the step at the velocities given, or is nearer
 * than the slack. */
static inline bool scr_may_close(const State *s, const Engine *e, double gap, double approach,
                                 double radius) {
    return gap + fmin(0, approach) * s->def.time_step <= e->slack * radius;
}

/* The gap of a pair as if both were as round as the circles that hold them. */
static inline double scr_round_gap(const State *s, int32_t a, int32_t b) {
    const Bodies *k = &s->bodies;
    if (b < 0) {
        return scr_touch_wall(&s->def, &s->walls.item[-1 - b].now, k->position[a], k->radius[a])
            .gap;
    }
    Vec3 d = scr_nearest_image(&s->def, sub(k->position[b], k->position[a]));
    return scr_touch_balls(d, k->radius[a], k->radius[b]).gap;
}

/* Radius of the smaller body of a pair, or of the one at a wall. */
static inline double scr_least_radius(const State *s, int32_t a, int32_t b) {
    double radius = s->bodies.radius[a];
    return b >= 0 ? fmin(radius, s->bodies.radius[b]) : radius;
}

/* ---- pairs of which one has a shape (shapes.c) */

/* Takes up the contact points of a pair (b < 0: wall -1 - b) that may close. */
ScreeStatus scr_try_shapes(State *state, Engine *engine, OldPlace *place, int32_t a, int32_t b);

/* How much more gap than the law sees a contact point loses as its bodies turn, at the velocities
 * that they have; but no more than makes up for the approach that they come with. */
double scr_lost_to_turning(const State *state, const ScreeContact *contact);

/* Whether a contact point of a pair was left out and would now overlap. */
bool scr_shapes_missed(const State *state, Engine *engine, int32_t a, int32_t b);

/* After the solve: true when a pair that was left out would overlap at the new velocities, or a
 * body moves past its margin. Slack and margins are then widened, and the step must find its
 * contacts and solve again. */
bool scr_missed_contact(State *state, Engine *engine);

/* The contact problem from state and contacts, at free motion, impulses in the rows. */
ScreeStatus scr_assemble(State *state, Engine *engine);

/* Room for the copies of split bodies (see sweep/order.c), with `more` bodies to come before them.
 */
ScreeStatus scr_reserve_copies(Engine *engine, size_t more);

/* Rows of split bodies go over to the copies, when all that depends on the true masses is done. */
void scr_use_copies(const State *state, Engine *engine);

/* Sweeps over the problem; into the report, where sweeps are added up. */
ScreeStatus scr_run_solver(const State *state, Engine *engine, ScreeReport *report);

/* The same by matrices, and by sweeps from there where they do not reach the tolerance. */
ScreeStatus scr_run_matrices(const State *state, Engine *engine, ScreeReport *report,
                             char *message);

/* With the exact law an interior point is off by the root of r . s where a contact is just about to
 * slide or to open. Sweeps put that right, after Newton's method where the impulses r are not even
 * near. Tells what was reached in the report. */
ScreeStatus scr_polish(const State *state, Engine *engine, bool newton, ScreeReport *report);

/* The same by the interior-point method, for the variational engines. */
ScreeStatus scr_run_interior(const State *state, Engine *engine, ScreeReport *report,
                             char *message);

/* After the solve in statics: whether a motion goes beyond what the candidates can see, so that the
 * step must be solved again with more of them. */
ScreeStatus scr_limit_motion(State *state, Engine *engine, bool *again, char *message);

/* Sets the force of pistons that carry a stress, for the step to come; before any engine's step. */
ScreeStatus scr_stress_pistons(State *state, char *message);

/* The velocities of the problem made anew from its impulses. */
void scr_refresh_velocities(const State *state, Engine *engine);

/* ---- laws beyond rigid Coulomb (laws.c) */

/* The law of a contact. */
static inline const ScreeLaw *scr_contact_law(const State *s, const ScreeContact *c) {
    int32_t other = c->b >= 0 ? s->bodies.material[c->b] : s->walls.item[-1 - c->b].now.material;
    return scr_law(&s->materials, s->bodies.material[c->a], other);
}

ScreeStatus scr_reserve_laws(const State *state, Engine *engine);

/* The relative velocity at a contact at the start of the step, as scr_row_velocity has it. */
RowVelocity scr_start_velocity(const State *state, const ScreeContact *contact);

/* Completes the row of a contact by its law, while the problem's bodies are at free motion. */
void scr_apply_law(const State *state, Engine *engine, size_t contact);

/* What a contact remembers of the solved step, besides impulses. */
ScreeContactExtra scr_extra_after(const State *state, const Engine *engine, size_t contact);

/* Whether a solved row is open, sticks or slides: a ScreeContactState. */
int32_t scr_row_state(const Problem *problem, size_t row);

/* Keeps what scree_step_problem needs of a solved problem, if it is wanted. */
ScreeStatus scr_keep_solved(Engine *engine);

/* The solution's impulses back into the contacts, which are counted in the report. */
void scr_collect(State *state, const Engine *engine, ScreeReport *report);

/* The work of springs over the motion of the step, and that of moved walls and of what holds frozen
 * bodies; before anything moves. */
void scr_certify_drives(const State *state, Engine *engine, ScreeReport *report);

/* Takes the new velocities into the state and moves bodies and walls. Sums the work of external
 * forces, and leaves in the problem's bodies their mean velocities over the step. */
void scr_move(State *state, Engine *engine, ScreeReport *report);

/* Dissipation and the energy balance from those mean velocities, overlaps, and what the iterations
 * imply; after everything has moved. */
void scr_certify(State *state, Engine *engine, ScreeReport *report);

/* The bodies of a pair of ranks. */
static inline Pair scr_bodies_of(const Engine *e, Pair ranks) {
    int32_t i = e->neighbours.order[ranks.a], j = e->neighbours.order[ranks.b];
    return i < j ? (Pair){i, j} : (Pair){j, i};
}

/* Place of a body in the problem. */
static inline const ProblemBody *scr_problem_body(const Engine *e, int32_t body) {
    return &e->problem.body[e->neighbours.rank[body]];
}

/* To be asked for some contacts ahead of where bodies or spots are needed. */
static inline void scr_prefetch_bodies(const Engine *e, const ScreeContact *c) {
    __builtin_prefetch(scr_problem_body(e, c->a));
    if (c->b >= 0) {
        __builtin_prefetch(scr_problem_body(e, c->b));
    }
}

static inline void scr_prefetch_spot(const Engine *e, int32_t body) {
    __builtin_prefetch(&e->neighbours.spot[e->neighbours.rank[body]]);
}

static inline void scr_prefetch_spots(const Engine *e, const ScreeContact *c) {
    scr_prefetch_spot(e, c->a);
    if (c->b >= 0) {
        scr_prefetch_spot(e, c->b);
    }
}

/* Place of a wall in the problem; fixed and moved ones share or copy, see assemble.c. */
static inline int32_t scr_wall_place(const State *s, size_t wall) {
    return (int32_t)(s->bodies.count + 1 + wall);
}

#endif
