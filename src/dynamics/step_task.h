/* The contact problem of a step, as the solvers get it, together with what it is posed from. */
#ifndef SCREE_DYNAMICS_STEP_TASK_H
#define SCREE_DYNAMICS_STEP_TASK_H

#include "base/arena.h"
#include "dynamics/foresight.h"
#include "dynamics/near_list.h"
#include "dynamics/share.h"
#include "dynamics/tame_groups.h"
#include "problem/problem.h"
#include "sweep/spread.h"

/* The largest gap of a step's contacts, the bounding box of their first bodies, and the number of
 * the first contact with a wall: those come last. */
typedef struct ContactExtent {
    double gap;
    Vec3 low, high;
    size_t contacts; /* of all processes */
    size_t first_with_wall;
} ContactExtent;

/* Zero-initialise it. */
typedef struct StepTask {
    const StepParams *with; /* what it is posed from */
    const State *state;
    const Prediction *free;
    const NearList *list;
    struct DeviceStep *there; /* bodies and contacts are on a device (device_step.h); NULL: here */
    Share *share;             /* what this process has of the world; NULL: all of it */
    ContactExtent extent;
    Problem problem;
    CellBody cell; /* of the problem, where there is one */
    Order order;
    Impacts impacts;
    TameGroups tame_groups;
    double *reach; /* [ranks] how far a body may come in the step; after the solution, how far the
                      impulses have moved it from where it would have gone */
    double
        *stray; /* [bodies] the most that earlier solutions of this step have moved it from where it
                      would have gone; NULL while the world has no shapes */
    double *lost; /* [rows] what the turning of polygons takes of the gap; NULL: none */
    Foresight foresight;
    ScreeMiss miss;     /* why the solution is not good enough, as far as that is known */
    Domain domain;      /* what passes between processes in a sweep, where there is a share */
    SumRoom sums;       /* of passes over bodies or contacts */
    double *gap;        /* [rows] after the motion, as the bodies stand */
    double *bond_area;  /* [contacts] what each point has of the faces that are glued together; NULL
                          while no law asks for it */
    int32_t *tensor_of; /* [problem bodies] its tensor or -1; set only if there are any */
    Block body_block, tensor_block, tensor_of_block, general_block, general_of_block, law_block,
        law_of_block, packets_block, two_block, reach_block, bond_area_block, bond_point_block,
        stray_block, split_block;
} StepTask;

void scr_step_task_free(StepTask *task);

/* Contacts between bodies come before those with walls. */
size_t scr_first_with_wall(const Contacts *contacts);
void scr_impacts_free(Impacts *impacts);

/* ---- posing it: bodies, contacts (find_contacts.h), rows */

/* The bodies of the problem at free motion; where they are, in the list's spots; and their
 * reach. */
ScreeStatus scr_place_bodies(StepTask *task);

/* The rows, at free motion and with the impulses that the contacts have; the rows live in the
 * arena. */
ScreeStatus scr_assemble(StepTask *task, Arena *arena);

/* The units of residuals that do not depend on the rows. */
void scr_note_units(StepTask *task);

/* Forgets the strays of the step before; false when out of memory. */
bool scr_no_strays(StepTask *task);

/* ---- after the solution */

/* The velocities made anew from the impulses: every update of a sweep leaves a rounding in two
 * velocities. */
void scr_refresh_velocities(StepTask *task);

/* Whether a solved row is open, sticks or slides: a ScreeContactState. */
int32_t scr_row_state(const Problem *problem, size_t row);

/* The solution's impulses back into the contacts, which are counted in the report. */
void scr_collect(const StepTask *task, State *state, ScreeReport *report);

/* ---- where things are */

/* Index in the problem of the body that stands for a wall; see assemble.c for fixed and moved
 * ones, which share or copy it. */
static inline int32_t scr_wall_index(const State *s, size_t wall) {
    return (int32_t)(s->bodies.count + 1 + wall);
}

static inline const ProblemBody *scr_problem_body(const StepTask *t, int32_t body) {
    return &t->problem.body[t->list->neighbours.rank[scr_origin(t->state, body)]];
}

/* How far a body of the problem comes in the step, at the velocity that it has there. */
static inline Vec3 scr_displacement(const StepTask *t, int32_t rank) {
    const SolvedWays ways = {t->problem.body, t->impacts.detour};
    return scr_solved_way(&ways, rank, t->with->time_step);
}

/* To be called some contacts ahead of the one whose bodies or spots are needed. */
static inline void scr_prefetch_bodies(const StepTask *t, const Contact *c) {
    __builtin_prefetch(scr_problem_body(t, c->a));
    if (c->b >= 0) {
        __builtin_prefetch(scr_problem_body(t, c->b));
    }
}

static inline void scr_prefetch_spots(const NearList *list, const Contact *c) {
    const Neighbours *nb = &list->neighbours;
    __builtin_prefetch(&nb->spot[nb->rank[c->a]]);
    if (c->b >= 0) {
        __builtin_prefetch(&nb->spot[nb->rank[c->b]]);
    }
}

static inline bool scr_is_foreseen(const StepTask *t, const Contact *c) {
    return scr_find_foreseen(&t->foresight, (Pair){c->a, c->b}, c->feature) != NULL;
}

/* From the centres of the bodies to a contact, when its impulse acts. */
static inline Arms scr_arms_of(const StepTask *t, const Contact *c) {
    const Foreseen *f = scr_find_foreseen(&t->foresight, (Pair){c->a, c->b}, c->feature);
    return f != NULL ? f->arms : scr_contact_arms(t->state, c);
}

/* Contact points of shapes that are nearer than this are always taken up. In a second attempt the
 * slack of a pair grows by what is known of its bodies: the list's own slack, that of the body which
 * strays farthest, would make all features of all bodies near. */
static inline double scr_pair_slack(const StepTask *t, Pair p) {
    double least = scr_least_radius(t->state, p.a, p.b);
    return p.b < 0 ? t->list->slack * least
                   : t->with->slack * least + 1.1 * (t->stray[p.a] + t->stray[p.b]);
}

/* How fast the surfaces of a contact grow towards each other. */
static inline double scr_closing_growth(const StepTask *t, const Contact *c) {
    const double growth = scr_growth(t->with, t->state, (size_t)c->a);
    return c->b >= 0 ? growth + scr_growth(t->with, t->state, (size_t)c->b) : growth;
}

/* Twice the kinetic energy of a body that has the motion of the step as its velocity. */
static inline double scr_motion_energy(const State *s, size_t i, const ProblemBody *p) {
    const Bodies *b = &s->bodies;
    return b->mass[i] * dot(p->v, p->v) +
           b->inertia[i] / (b->radius[i] * b->radius[i]) * dot(p->s, p->s);
}

#endif
