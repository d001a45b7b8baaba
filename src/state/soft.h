/* What the soft-sphere engine keeps from step to step, besides bodies and walls. */
#ifndef SCREE_STATE_SOFT_H
#define SCREE_STATE_SOFT_H

#include "base/bytes.h"
#include "base/memory.h"
#include "math/vec.h"

/* Fields of a body for every integrator, X(type, name): contact force and torque at the end of the
 * last step. During a run these are in the work space, see scr_soft_collect. */
#define SOFT_BODY_FIELDS(X)                                                                        \
    X(ScreeVec3, push)                                                                             \
    X(ScreeVec3, twist)

/* Fields of a body for the Verlet integrator: displacement and rotation during the last step. */
#define SOFT_VERLET_FIELDS(X)                                                                      \
    X(ScreeVec3, displacement)                                                                     \
    X(ScreeVec3, turn)

/* What a touching or bonded pair, or one contact point of a pair of shapes, remembers. Vectors are
 * those of b as seen from a. */
typedef struct SoftMemory {
    int32_t a, b;     /* as in Contact */
    int32_t feature;  /* which contact point; 0 between round bodies */
    Vec3 spring;      /* [length] tangential */
    Vec3 roll;        /* [1] rolling spring */
    double torsion;   /* [1] torsion spring */
    double opening;   /* [length] of a cohesive bond; negative: there is none */
    double normal;    /* [force] of the last step */
    double stiffness; /* [force/length] of the tangential spring at the end of the step */
    double friction;  /* [1] the coefficient in force: the static one until it slides */
} SoftMemory;

/* The ways in which energy is lost. */
enum { LOSS_NORMAL, LOSS_FRICTION, LOSS_ROLLING, LOSS_TORSION, LOSS_COHESION, LOSSES };

typedef struct SoftState {
    size_t bodies; /* number of bodies that the arrays have room for */
#define X(type, name) type *name;
    SOFT_BODY_FIELDS(X)
    SOFT_VERLET_FIELDS(X) /* NULL unless needed */
#undef X
    Vec3 *displacement_next, *turn_next; /* the same for the step in progress */
    size_t contacts;
    SoftMemory *memory;   /* [contacts] in the order of the list; see scr_soft_collect */
    double elastic;       /* [energy] stored in contacts at the end of the last step */
    double power[LOSSES]; /* [energy/time] rate of loss in dashpots at that time */
    double advised;       /* [time] the time step that the engine would choose */
    double time_step;     /* [time] of the last step */
    bool new_constants;   /* laws, or which bodies are fixed, have changed since then */
    Block memory_block, displacement_next_block, turn_next_block;
#define X(type, name) Block name##_block;
    SOFT_BODY_FIELDS(X)
    SOFT_VERLET_FIELDS(X)
#undef X
} SoftState;

/* An empty one; NULL when out of memory. */
SoftState *scr_soft_state_new(void);

/* Makes room for this many bodies, new ones filled with zeros; `verlet` adds the fields of that
 * integrator. False when out of memory. */
bool scr_soft_state_reserve(SoftState *soft, size_t bodies, bool verlet);
bool scr_soft_state_reserve_memory(SoftState *soft, size_t contacts);

/* Frees everything, including the struct itself. */
void scr_soft_state_destroy(SoftState *soft);
size_t scr_soft_state_bytes(const SoftState *soft);

/* Writes its part of a snapshot. `soft` may be NULL. */
void scr_soft_state_put(ByteWriter *writer, const SoftState *soft);

/* Reads it back; *soft is NULL when the snapshot has none. False when out of memory. */
bool scr_soft_state_get(ByteReader *reader, SoftState **soft);

#endif
