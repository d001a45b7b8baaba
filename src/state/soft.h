/* What the soft-sphere engine keeps from step to step, besides bodies and walls. */
#ifndef SCREE_STATE_SOFT_H
#define SCREE_STATE_SOFT_H

#include "base/bytes.h"
#include "base/memory.h"
#include "math/vec.h"

/* Of a body, for every integrator: X(type, name). Contact force and torque at the end of the last
 * step; during a run they are in the work space, see scr_soft_collect. */
#define SOFT_BODY_FIELDS(X)                                                                        \
    X(ScreeVec3, push)                                                                             \
    X(ScreeVec3, twist)

/* Of a body, for the Verlet integrator: displacement and turn of the last step. */
#define SOFT_VERLET_FIELDS(X)                                                                      \
    X(ScreeVec3, way)                                                                              \
    X(ScreeVec3, turn)

/* Of a touching or bonded pair, or of one contact point of shapes; vectors are of b seen from a. */
typedef struct SoftMemory {
    int32_t a, b;     /* as in Contact */
    int32_t feature;  /* which contact point; 0 between round ones */
    Vec3 spring;      /* [length] tangential */
    Vec3 roll;        /* [1] rolling spring */
    double torsion;   /* [1] torsion spring */
    double opening;   /* [length] of a cohesive bond; negative: there is none */
    double normal;    /* [force] of the last step */
    double stiffness; /* [force/length] of the tangential spring when the step ended */
    double friction;  /* [1] the coefficient that holds: the static one until it slides */
} SoftMemory;

/* How energy is lost. */
enum { LOSS_NORMAL, LOSS_FRICTION, LOSS_ROLLING, LOSS_TORSION, LOSS_COHESION, LOSSES };

typedef struct SoftState {
    size_t bodies; /* for which there is a place in the arrays */
#define X(type, name) type *name;
    SOFT_BODY_FIELDS(X)
    SOFT_VERLET_FIELDS(X) /* NULL unless needed */
#undef X
    Vec3 *way_next, *turn_next; /* those of the step in progress */
    size_t contacts;
    SoftMemory *memory;   /* [contacts] in the order of the list; see scr_soft_collect */
    double elastic;       /* [energy] stored in contacts at the end of the last step */
    double power[LOSSES]; /* [energy/time] lost in dashpots then */
    double advised;       /* [time] the time step that would be chosen */
    double time_step;     /* [time] of the last step */
    bool new_constants;   /* laws or held bodies have changed since then */
    Block memory_block, way_next_block, turn_next_block;
#define X(type, name) Block name##_block;
    SOFT_BODY_FIELDS(X)
    SOFT_VERLET_FIELDS(X)
#undef X
} SoftState;

/* Room for as many bodies, new ones with zeros; `verlet` adds the fields of that integrator. False
 * when out of memory. */
bool scr_soft_state_reserve(SoftState *soft, size_t bodies, bool verlet);
bool scr_soft_state_reserve_memory(SoftState *soft, size_t contacts);

/* Frees all, and the struct itself. */
void scr_soft_state_destroy(SoftState *soft);
size_t scr_soft_state_bytes(const SoftState *soft);

/* As a part of a snapshot. `soft` may be NULL. */
void scr_soft_state_put(ByteWriter *writer, const SoftState *soft);

/* False when out of memory; NULL when the snapshot has none. */
bool scr_soft_state_get(ByteReader *reader, SoftState **soft);

#endif
