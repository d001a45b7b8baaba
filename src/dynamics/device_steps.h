/* Whole steps on a device, beside its sweeps (include/scree/device.h): what a step needs of it, in the library's own
 * terms. A device that has this works with the structures of the step and with its functions for one body, one pair
 * and one contact (plain_bodies.h, plain_contacts.h); only the pointers are to its own memory. Every call is one phase
 * of the step, whose numbers come back; bodies and contacts stay there from step to step. */
#ifndef SCREE_DYNAMICS_DEVICE_STEPS_H
#define SCREE_DYNAMICS_DEVICE_STEPS_H

#include "dynamics/carry.h"
#include "dynamics/plain_bodies.h"
#include "dynamics/plain_contacts.h"
#include "sweep/order_input.h"

enum { THERE_WALLS = 16, THERE_GROUPS = 8 };

/* Sums that a phase leaves, as words of exact sums; and of each wall. */
enum { THERE_SUMS = 6, THERE_WRENCH = 6, THERE_WORDS = SCREE_DEVICE_SUM_WORDS };

/* Whole numbers and largest numbers that a phase leaves. */
enum { THERE_COUNTS = 6, THERE_MOST = 8 };

typedef enum StepPhase {
    /* counts: contacts, those between bodies, bodies that outrun their margins, bodies with a velocity of -0;
     * most: gap, then -x, -y, -z, x, y, z of the bodies that come first */
    STEP_FIND,
    STEP_LIST,  /* the boxes of contacts: the sizes of all are in step->size */
    STEP_ORDER, /* counts: boxes that are too large. The boxes are in task->box */
    STEP_ROWS,  /* counts: rows with friction, rows with an impulse; sums: ALONE, ALL */
    STEP_REFRESH,
    STEP_AUDIT, /* counts: bodies that outrun, that are infinite, that turn far; most: energy, shift */
    STEP_MISSED,   /* counts: pairs that were left out and would overlap */
    STEP_COLLECT,  /* counts: active, sliding; sums: work of drives; loads of walls */
    STEP_MOVE,     /* sums: work, scheme, gain, kinetic; most: (motion / radius)^2 */
    STEP_CERTIFY,  /* sums: normal, friction, overlap; most: overlap, added */
    STEP_POWER,    /* sums: asked energy, |R|^2, squares of approaches */
    STEP_PROJECT,  /* sums: energy */
    STEP_OVERLAPS, /* as STEP_CERTIFY, without what is taken */
    STEP_CLUSTER   /* most: -x .. z of the largest cluster, and its size */
} StepPhase;

typedef struct StepFound {
    int64_t count[THERE_COUNTS];
    double most[THERE_MOST]; /* -INFINITY: nothing */
    int64_t sum[THERE_SUMS][THERE_WORDS];
    int64_t load[THERE_WALLS][THERE_WRENCH][THERE_WORDS]; /* STEP_COLLECT */
} StepFound;

/* A step as a device sees it. The library fills in the values; pointers are set by the device. */
typedef struct StepThere {
    StepParams with;
    State state;
    Prediction free;
    NearList list;
    StepTask task;
    ScreeWallState wall[THERE_WALLS];
    ProblemBody wall_body[THERE_WALLS + 1]; /* those behind the grains */
    int32_t moving[THERE_WALLS];            /* walls that are not fixed */
    size_t moving_walls, candidates, contacts, pair_contacts;
    double old_part;         /* of the impulses of the step before */
    bool periodic, momentum; /* of sweeps */
    bool clusters;           /* STEP_CLUSTER will follow STEP_COLLECT */
    double projection;       /* part of overlaps that is taken back */
    Boxes boxes;
    uint64_t order_key;
    /* by the library, between STEP_LIST and STEP_ORDER: [boxes.total] sizes by place, then where each begins; and
     * the boxes in the order of visit */
    uint32_t *size;
    const uint32_t *place;
    const int32_t *row_end;
    size_t ordered;
    int32_t group_end[THERE_GROUPS]; /* in boxes */
    /* by the device */
    const Contact *old;
    int32_t *contact_of; /* [candidates] the old contact, then the new one; -1: none */
    void *work;          /* its own arrays */
} StepThere;

/* Functions return false when the device has failed, which its `fault` tells, or has too little memory for whole steps. */
struct ScreeDeviceSteps {
    /* There is room for the world of one owner, who has it until he releases it; false: another one has it. */
    bool (*claim)(void *context, const void *owner);
    void (*release)(void *context, const void *owner);
    /* Takes over bodies, contacts and candidates. */
    bool (*load)(void *context, const State *state, const StepThere *step);
    bool (*run)(void *context, StepThere *step, StepPhase phase, StepFound *found);
    /* The step is over: its contacts become those of the state. */
    void (*accept)(void *context);
    /* Bodies and `contacts` contacts into the state, which has room for them. */
    bool (*fetch)(void *context, State *state, size_t contacts);
};

#endif
