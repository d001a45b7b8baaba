/* The contact dynamics engine: the parts that a step works with. Each part is one idea and has one
 * name wherever it goes; nothing in them outlives the step but the near list, which is a function
 * of the bodies' anchors and margins, and what solids keep to be found again sooner. */
#ifndef SCREE_DYNAMICS_ENGINE_H
#define SCREE_DYNAMICS_ENGINE_H

#include "dynamics/carry.h"
#include "dynamics/join.h"
#include "dynamics/share.h"
#include "dynamics/shaped_pairs.h"
#include "dynamics/step_solver.h"
#include "dynamics/there.h"

/* The bodies of the problem as it was solved, before they moved on: for scree_step_problem. */
typedef struct SolvedBodies {
    bool wanted;
    size_t count;
    Block block; /* ProblemBody [count] */
} SolvedBodies;

/* A contact that carried an impulse in a stride before the last one. */
typedef struct SpentContact {
    Contact contact;
    Vec3 torque;
    int stride;
    bool joined; /* to the same contact in the last stride */
} SpentContact;

/* Of a step that is made in halves (halves.h). */
typedef struct Halves {
    StepParams with;       /* of a stride */
    Before before;         /* the step, in case that a stride fails */
    ContactsCopy contacts; /* before a stride, in case that it is to be halved */
    size_t spent;
    Block spent_block; /* SpentContact [spent] */
    Block mean_block;  /* what is a mean over the step */
} Halves;

void scr_halves_free(Halves *halves);

/* Zero-initialise it. */
typedef struct Engine {
    Prediction free;     /* how bodies would move if nothing touched */
    NearList list;       /* which pairs may touch */
    Outlines outlines;   /* of bodies with shapes, as they stand */
    Arena arena;         /* old contacts and candidates; then what the order needs; then rows */
    StepTask task;       /* the contact problem */
    SolverWork work;     /* of whatever solves it */
    ContactsCopy before; /* contacts before the step, in case that it fails */
    SolvedBodies solved;
    Halves halves;
    ScreeMiss miss;   /* of the last step, or of the first of its strides that did not converge */
    Share share;      /* of this process, where several have the world */
    Threads *threads; /* NULL: the caller's alone */
    int thread_count;
    const ScreeProcesses *processes; /* lent; NULL: this one alone */
    const ScreeDevice *device;       /* lent; NULL: none */
    DeviceStep there;                /* what of the world is on it */
    double seconds;                  /* in steps, since the world was made */
    uint64_t parts, wholes; /* steps that several processes made in parts, and each as a whole */
    size_t most_contacts;   /* of any step */
} Engine;

void scr_engine_free(Engine *engine);

/* ---- the step (step.c; engine.c) */

/* What the definition says of a step, with the threads that it wants; and of a part of one. */
StepParams scr_step_params(const State *state, Engine *engine);
StepParams scr_stride_params(const State *state, Engine *engine, double part);

/* One time step. `message` has SCREE_MESSAGE_SIZE bytes. */
ScreeStatus scr_contact_dynamics_step(State *state, Engine *engine, ScreeReport *report,
                                      char *message);

/* How it begins: predict. */
ScreeStatus scr_predict_step(const StepParams *with, State *state, Engine *engine);

/* List, place, find, assemble. In a second attempt the problem's bodies have the motions of the
 * first solution; the impulses are again those of the step before, which stay in the contacts until
 * a solution is accepted. */
ScreeStatus scr_pose_problem(bool second, State *state, Engine *engine, ScreeReport *report,
                             char *message);

/* The first half of a step: predict, list, place, find, assemble, solve, audit. Nothing has
 * moved. */
ScreeStatus scr_find_impulses(const StepParams *with, State *state, Engine *engine,
                              ScreeReport *report, char *message);

/* The bodies of the solved problem, before they move on, if they are wanted. */
ScreeStatus scr_remember_solved(const Problem *problem, SolvedBodies *solved);

/* The second half: the solution into contacts, bodies and walls, and the certificate. Nothing can
 * fail any more. */
void scr_move_and_certify(State *state, Engine *engine, ScreeReport *report);

/* What ends every step: the clock goes on, or, after a failure, the contacts are put back. */
void scr_end_step(State *state, Engine *engine, ScreeStatus status, ScreeReport *report);

/* ---- after the solution */

/* What the balance of energies needs from before the motion, and what the motion adds to it. */
typedef struct EnergyBalance {
    double gain;           /* of kinetic energy in the step, summed body by body */
    double turning;        /* energy lost by free rotation: of second order, of either sign */
    double spring_work[2]; /* that springs take from the motion, normal and tangential */
} EnergyBalance;

/* True when a pair that was left out would overlap at the new velocities, or a body moves past its
 * margin. Slack and margins are then widened, and the step must find its contacts and solve again.
 * `finite`: the new positions and energies are numbers. */
bool scr_missed_contact(const StepTask *task, State *state, NearList *list, Outlines *outlines,
                        bool *finite);

/* The new positions and energies must be numbers, with room for sums of them, before anything
 * moves. */
ScreeStatus scr_check_finite(const StepTask *task, bool finite, const ScreeReport *report,
                             char *message);

/* What the grains exert on each wall during the step. */
void scr_load_walls(const StepTask *task, State *state);

/* The work of springs over the motion of the step, and that of moved walls and of what holds frozen
 * bodies; before anything moves. */
EnergyBalance scr_certify_drives(const StepTask *task, ScreeReport *report);

/* Takes the new velocities into the state and moves bodies and walls. Sums the work of external
 * forces, and leaves in the problem's bodies their mean velocities over the step. */
void scr_move(StepTask *task, State *state, EnergyBalance *balance, ScreeReport *report);

/* Moves overlapping bodies apart by the part solver.projection of their overlaps, with the gaps of
 * the task. The velocities of the problem's bodies are lost. */
void scr_project(StepTask *task, State *state, ScreeReport *report);

/* Dissipation and the energy balance from those mean velocities, overlaps, and what the iterations
 * imply; after everything has moved. */
void scr_certify(StepTask *task, State *state, Outlines *outlines, const EnergyBalance *balance,
                 const SolverWork *work, ScreeReport *report);

#endif
