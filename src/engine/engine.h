/* The contact dynamics engine: work space and the parts of a step. */
#ifndef SCREE_ENGINE_ENGINE_H
#define SCREE_ENGINE_ENGINE_H

#include "broad/broad.h"
#include "engine/carry.h"
#include "narrow/placed.h"
#include "problem/problem.h"
#include "solve/order.h"
#include "shape/wall.h"
#include "solve/solver.h"
#include "state/state.h"

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
    double least_radius; /* of all bodies */
    double slack;        /* [1] part of a radius within which a candidate is always taken up */

    Problem problem;
    Order order;
    Block body_block, tensor_block, tensor_of_block, general_block, general_of_block,
        sequence_block, law_block, law_of_block, two_block;
    Block row_block; /* rows; before they are written, scratch memory for what comes before them */
    Block scratch_block; /* one double a body */
    ContactsCopy copy;   /* of the contacts before the step */
    Placed placed;       /* outlines of bodies with shapes, as they stand */
    OutlineTouches touches;

    Threads *threads; /* NULL: the caller's alone */
    int thread_count;
    bool missed;        /* a contact was still missed after the last attempt */
    double largest_gap; /* of the contacts and candidates */
    bool steady;        /* no contact stopped, opened or closed in the step */
    Block cut_block, start_block;
    size_t first_wall_contact; /* contacts from here on are with walls */
    double energy_gain;        /* kinetic energy gained in the step, summed body by body */
    double spring_work[2];     /* that springs take from the motion, normal and tangential */
    double seconds_total, seconds_solver, updates;
    size_t most_contacts;
} Engine;

void scr_engine_free(Engine *engine);

/* One time step. `message` has SCREE_MESSAGE_SIZE bytes. */
ScreeStatus scr_contact_dynamics_step(State *state, Engine *engine, ScreeReport *report,
                                      char *message);

/* ---- the parts of a step */

/* Velocity of a body at the end of the step if nothing touched it. */
static inline Vec3 scr_free_velocity(const State *s, size_t i) {
    const Bodies *b = &s->bodies;
    double per_mass = s->def.time_step / b->mass[i];
    Vec3 dv = add_scaled(scale(per_mass, b->force[i]), s->def.time_step, s->def.gravity);
    uint32_t f = b->frozen[i];
    return add(b->velocity[i], vec3(f & SCREE_FREEZE_X ? 0 : dv.x, f & SCREE_FREEZE_Y ? 0 : dv.y,
                                    f & SCREE_FREEZE_Z ? 0 : dv.z));
}

static inline Vec3 scr_free_spin(const State *s, size_t i) {
    const Bodies *b = &s->bodies;
    Vec3 dw = scale(s->def.time_step / b->inertia[i], b->torque[i]);
    uint32_t f = b->frozen[i];
    return add(b->spin[i],
               vec3(f & SCREE_FREEZE_ROTATION_X ? 0 : dw.x, f & SCREE_FREEZE_ROTATION_Y ? 0 : dw.y,
                    f & SCREE_FREEZE_ROTATION_Z ? 0 : dw.z));
}

static inline Vec3 scr_free_piston(const State *s, const ScreeWallDef *w) {
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

/* Sets free_motion and least_radius. */
ScreeStatus scr_predict(const State *state, Engine *engine);

/* The neighbour list, made valid for the bodies' free motion, and in a second attempt
 * (`again`) at those of the first solution. `rebuilt` is set when it was made anew. */
ScreeStatus scr_update_list(State *state, Engine *engine, bool again, bool *rebuilt, char *message);

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

/* ---- pairs of which one has a shape (shapes.c) */

/* Takes up the contact points of a pair (b < 0: wall -1 - b) that may close. */
ScreeStatus scr_try_shapes(State *state, Engine *engine, OldContacts *old, int32_t a, int32_t b);

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

/* Room for the copies of split bodies (see solve/order.c), with `more` bodies to come before them.
 */
ScreeStatus scr_reserve_copies(Engine *engine, size_t more);

/* Rows of split bodies go over to the copies, when all that depends on the true masses is done. */
void scr_use_copies(const State *state, Engine *engine);

/* Sweeps over the problem; into the report, where sweeps are added up. */
void scr_run_solver(const State *state, Engine *engine, ScreeReport *report);

/* The velocities of the problem made anew from its impulses. */
void scr_refresh_velocities(const State *state, Engine *engine);

/* ---- laws beyond rigid Coulomb (laws.c) */

/* The law of a contact. */
const ScreeLaw *scr_contact_law(const State *state, const ScreeContact *contact);

ScreeStatus scr_reserve_laws(const State *state, Engine *engine);

/* Completes the row of a contact by its law, while the problem's bodies are at free motion. */
void scr_apply_law(const State *state, Engine *engine, size_t contact);

/* What a contact remembers of the solved step, besides impulses. */
ScreeContactExtra scr_extra_after(const State *state, const Engine *engine, size_t contact);

/* Whether a solved row is open, sticks or slides: a ScreeContactState. */
int32_t scr_row_state(const Problem *problem, size_t row);

/* The solution's impulses back into the contacts, which are counted in the report. */
void scr_collect(State *state, const Engine *engine, ScreeReport *report);

/* The work of springs over the motion of the step; before the velocities are taken over. */
void scr_certify_springs(Engine *engine);

/* Takes the new velocities into the state, sums the work of external forces, and leaves in the
 * problem's bodies their mean velocities over the step. */
void scr_advance_velocities(State *state, Engine *engine, ScreeReport *report);

/* Dissipation and the energy balance, from those mean velocities. */
void scr_certify_energy(State *state, const Engine *engine, ScreeReport *report);

/* Overlaps, and what the iterations imply; after the positions have moved. */
void scr_certify_shape(const State *state, Engine *engine, ScreeReport *report);

/* Place of a body in the problem. */
static inline const ProblemBody *scr_problem_body(const Engine *e, int32_t body) {
    return &e->problem.body[e->neighbours.rank[body]];
}

/* Place of a wall in the problem; fixed and moved ones share or copy, see assemble.c. */
static inline int32_t scr_wall_place(const State *s, size_t wall) {
    return (int32_t)(s->bodies.count + 1 + wall);
}

#endif
