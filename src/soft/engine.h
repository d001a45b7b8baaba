/* The soft-sphere engine: springs and dashpots at overlaps, integrated explicitly.
 *
 * Its work space and the parts of a step; step.c puts them together. The hot arrays hold the bodies
 * in their order along space, so that neighbours are near each other in memory. */
#ifndef SCREE_SOFT_ENGINE_H
#define SCREE_SOFT_ENGINE_H

#include "broad/broad.h"
#include "soft/force/bond.h"
#include "narrow/penetration.h"
#include "narrow/pair_table.h"
#include "state/state.h"

/* For functions that are compiled once for each value of a constant argument. */
#define SOFT_INLINE static inline __attribute__((always_inline))

/* ---------------------------------------------------------------- laws */

/* What the laws of a world need besides linear springs and one coefficient of friction. */
enum {
    SOFT_HERTZ = 1,
    SOFT_VISCOUS = 2, /* RC1 instead of the tangential spring */
    SOFT_DASHPOT = 4, /* a tangential one */
    SOFT_TWO_FRICTIONS = 8,
    SOFT_TORQUES = 16,
    SOFT_COHESION = 32,
    SOFT_ANYTHING = 63
};

/* A pair of materials, in the form that the engine needs. */
typedef struct SoftLaw {
    unsigned uses;
    double stiffness; /* k, or 4/3 E*: the contact multiplies it by sqrt(r*) */
    double damping;   /* the given dashpot; 0: from the ratio */
    double ratio;     /* damping ratio that gives the restitution */
    /* spring, or with viscous friction its gamma; negative: as a fraction of k_n */
    double tangential;
    double dashpot; /* tangential */
    double friction, friction_static;
    double rolling, rolling_length, rolling_hertz, torsion, torsion_length;
    double cohesion, cohesion_range;
} SoftLaw;

/* Fraction of the normal stiffness that a tangential spring gets by default: for spheres both then
 * oscillate equally fast. */
static const double scr_soft_tangential_part = 2.0 / 7;

/* ---------------------------------------------------------------- hot arrays */

/* What finding contacts needs of a body. */
typedef struct SoftBall {
    Vec3 x;
    double radius;
} SoftBall;

/* Velocities at the middle of the step, and the increments that lead from there to its end if the
 * forces stay as they were. */
typedef struct SoftMotion {
    Vec3 v, w;
    Vec3 dv, dw;
} SoftMotion;

typedef struct SoftInertia {
    double mass, inertia, inverse_mass, inverse_inertia;
} SoftInertia;

typedef struct SoftLoad {
    Vec3 force, torque;
    double unused[2]; /* padding to one cache line */
} SoftLoad;

/* A touching or bonded pair: what is constant while it lasts, and its memory. One cache line, and
 * all that a contact with plain laws needs. Vectors are those of the partner relative to the body
 * under which the pair stands in the list. */
typedef struct SoftContact {
    double stiffness;  /* k, or with Hertz K = 4/3 E* sqrt(r*) */
    double damping;    /* c, or with Hertz the factor of d^(1/4) */
    double tangential; /* stiffness of the tangential spring; gamma of viscous friction */
    double friction;   /* the coefficient that applies now */
    Vec3 spring;
    double normal; /* force */
} SoftContact;

/* What rolling and torsion friction and cohesion add. */
typedef struct SoftExtra {
    Vec3 roll;
    double torsion;
    double opening;            /* negative: no bond */
    double reach;              /* r* */
    double stiffness, damping; /* of roll and torsion */
    double bond_damping;
} SoftExtra;

/* An entry of the list of neighbours. */
typedef struct SoftEntry {
    int32_t other; /* rank of the partner; in the list of a wall, of the body */
    int32_t slot;  /* its contact; -1 while they do not touch */
} SoftEntry;

typedef struct SoftWall {
    size_t begin, end; /* its entries */
    /* how far its surface may still move before the entries must be found again */
    double allowance;
    double farthest;   /* upper bound on the distance of a body from its pivot */
    Vec3 v, dv;        /* of a piston, as in SoftMotion */
    Vec3 load, torque; /* before the step */
} SoftWall;

/* A contact point of two bodies of which one has a shape, or of a shape and a wall. */
typedef struct SoftPoint {
    uint64_t pair; /* the number of the pair; points are in this order */
    int32_t a, b;  /* ranks; b may be the code of a wall */
    bool fresh;    /* did not exist before this step */
    bool taken;    /* continues in the list of the next step */
    Penetration at;
    double inverse_mass;       /* of both together */
    double inverse_inertia[2]; /* of each */
    SoftContact contact;
    SoftExtra extra;
} SoftPoint;

/* Ranks of a pair; a is the body with the lower number. */
typedef struct SoftPair {
    int32_t a, b;
} SoftPair;

/* How a solid turns through the step: its angular momentum at the middle, its orientation at the end. */
typedef struct SoftTurn {
    Vec3 momentum;
    Quat orientation;
} SoftTurn;

/* Bodies with shapes. Everything is empty while there are none. */
typedef struct SoftShapes {
    size_t bodies; /* number of bodies that have one */
    Quat *orientation;
    SoftTurn *turn; /* [bodies of the world] of solids */
    Placed placed;
    Penetrations found; /* those of one pair */
    size_t pairs, points;
    SoftPair *pair;
    SoftPoint *point;    /* by pair, then by wall and rank */
    double lost[LOSSES]; /* with points that have ended */
    Block orientation_block, turn_block, pair_block, point_block, next_block;
} SoftShapes;

/* Sums of a pass over the contacts. */
typedef struct SoftTally {
    size_t contacts, active, sliding, bonds;
    double overlap_max, overlap_sum;
    double elastic;
    double power[LOSSES]; /* of dashpots, at this moment */
    double lost[LOSSES];  /* by sliding and tearing, during the step */
    double stiffest;
    double pressure; /* sum of all normal forces: finite if all of them are */
} SoftTally;

typedef struct Soft {
    bool built; /* the list and everything that depends on it is valid */
    Neighbours neighbours;
    size_t bodies;
    int32_t *order;    /* [bodies] from rank along space to body */
    int32_t *material; /* [bodies] by rank, as all below */
    SoftBall *ball;
    SoftMotion *motion;
    SoftInertia *inertia;
    SoftLoad *load;
    uint32_t *begin; /* [bodies + 1] entries of a body: its neighbours farther along */
    SoftEntry *entry;
    size_t walls;
    SoftWall *wall; /* [walls] */
    SoftEntry *wall_entry;
    SoftShapes shapes;    /* their pairs are not among the entries */
    SoftContact *contact; /* by slot */
    SoftExtra *extra;     /* by slot; NULL unless some law needs it */
    int32_t *vacant;      /* free slots, from slot `slots` downwards */
    size_t entries, wall_entries, slots, vacancies;
    double bond_reach;   /* the widest gap that a bond can span */
    double far;          /* upper bound on how far any body is from its anchor */
    double least_margin; /* of all bodies */
    double mean_radius, mean_mass;
    double least_mass; /* of all bodies, and of inertias over radii */

    SoftLaw *law;         /* materials x materials */
    uint64_t law_version; /* of the table */

    /* What the constants of the contacts were computed from: the laws, and which bodies are
     * held. */
    uint64_t forces_version;
    size_t frozen_count;
    uint32_t *frozen; /* [frozen_count] of bodies */
    unsigned uses;    /* of all laws */

    double time_step; /* of the pass: 0 while forces are only recomputed */
    SoftTally tally;
    double gain;                 /* of kinetic energy during the step, summed body by body */
    ScreeWallState *wall_before; /* [walls] to restore when a step fails */

    Contacts view; /* made on demand, see scr_soft_view */
    bool view_made, view_stale;
    uint64_t view_step;

    Block order_block, material_block, ball_block, motion_block, inertia_block, load_block,
        begin_block, entry_block, wall_block, wall_entry_block, contact_block, extra_block,
        vacant_block, law_block, wall_before_block, margin_block, table_block, slot_block,
        frozen_block;
    double seconds_total, seconds_forces, updates;
    size_t most_contacts;
} Soft;

/* A work space for a world in its present state; NULL when out of memory. */
Soft *scr_soft_create(const State *state);
void scr_soft_destroy(Soft *soft);

/* One time step; as scr_contact_dynamics_step. */
ScreeStatus scr_soft_step(State *state, Soft *soft, ScreeReport *report, char *message);

/* The time step that the engine would choose; 0 without bodies, and also when out of memory. */
double scr_soft_advised_step(const State *state);

/* The contacts at the end of the last step; none unless SCREE_OK is returned. */
ScreeStatus scr_soft_view(const State *state, Soft *soft, Contacts *view);

/* Copies loads and the memory of the contacts from the work space into the state, for a
 * snapshot. */
ScreeStatus scr_soft_collect(const State *state, Soft *soft);

/* The same before bodies are renumbered: from then on the state alone has it. */
ScreeStatus scr_soft_let_go(const State *state, Soft *soft);

size_t scr_soft_body_bytes(const Soft *soft);
size_t scr_soft_contact_bytes(const Soft *soft);

/* ---------------------------------------------------------------- the parts of a step */

/* ---- laws.c */

/* As scr_soft_advised_step. */
ScreeStatus scr_soft_advise(const State *state, double *step);

/* Rebuilds the table of laws if they have changed. */
ScreeStatus scr_soft_prepare_laws(const State *state, Soft *soft);

/* Two touching bodies, or a body and a wall. */
typedef struct SoftMeeting {
    const SoftLaw *law;
    double mass;            /* m* */
    double tangential_mass; /* against slip: includes rotation */
    double inertia;         /* 1 / (1 / I_a + 1 / I_b) */
    double turning[2];      /* 1 / I_a, 1 / I_b */
    double reach;           /* r* */
} SoftMeeting;

/* Of body a; b is a body or the code of a wall. The feature tells which part of a solid meets; 0: the
 * most strongly curved one. */
SoftMeeting scr_soft_meet(const State *state, const Soft *soft, int32_t a, int32_t b,
                          int32_t feature);

/* The radius of a body, or the least one of the parts of a solid. */
double scr_soft_least_radius(const State *state, size_t body);

/* The law between two materials, as scr_law. */
static inline const SoftLaw *scr_soft_law(const State *s, const Soft *w, int32_t own,
                                          int32_t other) {
    return &w->law[(size_t)own * s->materials.count + (size_t)(other < 0 ? own : other)];
}

/* Whether some law needs a SoftExtra. */
static inline bool scr_soft_needs_extra(const Soft *w) {
    return (w->uses & (SOFT_TORQUES | SOFT_COHESION)) != 0;
}

/* A contact that begins now, and the constants of one that continues. */
SoftContact scr_soft_contact(const SoftMeeting *meeting);
SoftExtra scr_soft_extra(const SoftMeeting *meeting, const SoftContact *contact);

/* The dashpot of a contact for a mass; the stiffness is that of the contact. */
double scr_soft_damping(const SoftLaw *law, double stiffness, double mass);

Bond scr_soft_bond(const SoftLaw *law, double stiffness);

/* Largest rolling torque at a pressure. */
double scr_soft_rolling_limit(const SoftLaw *law, double reach, double pressure, int dimension);

/* ---- list.c */

/* Copies contact forces on bodies into the state. Frozen bodies have theirs there after every
 * step. */
void scr_soft_collect_loads(const State *state, const Soft *soft);

/* Where a list is built: from the present anchors and margins, or anew at the positions of the
 * state or of the hot arrays. */
typedef enum SoftAnchors { SOFT_AS_ANCHORED, SOFT_AT_POSITIONS, SOFT_AT_PLACES } SoftAnchors;

/* Builds the list of neighbours and everything that depends on it. The memory of contacts is
 * carried over; positions must be filled in again. */
ScreeStatus scr_soft_build(State *state, Soft *soft, SoftAnchors anchors, char *message);

/* Notes what the constants of contacts are computed from, and tells whether that has changed since.
 * The first is false when out of memory. */
bool scr_soft_note_constants(const State *state, Soft *soft);
bool scr_soft_constants_changed(const State *state, const Soft *soft);

/* Whether some body has left its margin. */
bool scr_soft_outrun(const State *state, Soft *soft);

/* Slots for all entries, keeping those in use. False when out of memory. */
bool scr_soft_reserve_contacts(Soft *soft);

/* A contact that continues, and its extra where laws need it (otherwise NULL): constants from the
 * present laws, memory as it was. */
void scr_soft_revive(const SoftMeeting *meeting, const SoftMemory *memory, SoftContact *contact,
                     SoftExtra *extra);

/* What it keeps; `extra` may be NULL. */
SoftMemory scr_soft_remember(int32_t a, int32_t b, int32_t feature, const SoftContact *contact,
                             const SoftExtra *extra);

/* Begins the contact of a body that has just come into touch with a body or a wall, in a slot. */
int32_t scr_soft_begin_contact(const State *state, Soft *soft, int32_t a, int32_t b);

/* ---- move.c */

/* Moves positions to the end of the step and velocities to its middle, in the hot arrays; with a
 * time step of zero they are those of the state. Nothing in the state changes. SCREE_NOT_FINITE
 * names the body. */
ScreeStatus scr_soft_drift(const State *state, Soft *soft, ScreeReport *report, char *message);

/* Brings velocities to the end of the step, and copies everything into the state. */
void scr_soft_kick(State *state, Soft *soft, ScreeReport *report);

/* Whether the forces lead to finite numbers; must be asked before the kick. */
ScreeStatus scr_soft_check(const State *state, const Soft *soft, char *message);

/* Orientations [bodies] at the end of the step; those of the state for a time step of zero. */
void scr_soft_orientations(const State *state, const Soft *soft, Quat *orientation);

/* ---- sprung.c */

/* How far from its centre the forces on a shape can act: they pass through its corners or edges,
 * whatever the rounding. */
double scr_soft_longest_arm(const State *state, int32_t shape);

/* The mass that a spring moves. A shape also turns, and may rest on several springs: 1 / m + a^2 / I
 * for an arm a, for each of them. */
double scr_soft_sprung_mass(double arm, double mass, double inertia, const Solid *solid);

/* About the axis about which a body turns most easily, over that of a ball with its mean inertia. */
double scr_soft_ease_of_turning(const Solid *solid);

/* ---- turn.c */

/* Of solid i at rank k: sets its spin at the middle of the step, and where it will have turned. */
void scr_soft_turn(const State *state, Soft *soft, size_t i, size_t k, const Solid *solid);

/* At the end of the step, under the loads there. Energies are doubled. */
typedef struct SoftTurned {
    Quat orientation;
    Vec3 spin;
    double kinetic, gain;
} SoftTurned;
SoftTurned scr_soft_turned(const State *state, const Soft *soft, size_t i, size_t k,
                           const Solid *solid);

/* In world axes, of a body in space, turned as contact points are found. */
Sym3 scr_soft_inverse_inertia(const State *state, const Soft *soft, size_t i);

/* ---- shapes.c */

/* Takes pairs with shapes out of the entries. False when out of memory. */
bool scr_soft_split_shapes(const State *state, Soft *soft);

/* Adds a contact point that the memory holds: of a pair of the list, or of a body and a wall. */
bool scr_soft_revive_point(const State *state, Soft *soft, uint64_t pair, SoftPair ranks,
                           const SoftMemory *memory);
static inline uint64_t scr_soft_wall_pair(size_t wall, int32_t rank) {
    return UINT64_C(1) << 63 | (uint64_t)wall << 32 | (uint32_t)rank;
}

/* Adds the contact points to the memory, which has room for them. */
void scr_soft_remember_points(const State *state, const Soft *soft);

/* Finds all contact points of the present positions; those that existed before keep their
 * memory. */
ScreeStatus scr_soft_find_points(const State *state, Soft *soft, char *message);

void scr_soft_free_shapes(SoftShapes *shapes);
size_t scr_soft_shape_bytes(const SoftShapes *shapes);

/* The gap up to which a bond can hold a pair; 0 without a bond. */
double scr_soft_pair_reach(const SoftMeeting *meeting);

/* ---- points.c */

/* Adds the forces at all contact points; called after those of pairs and walls. */
void scr_soft_point_forces(State *state, Soft *soft);

/* ---- pairs.c */

/* Forces between bodies, into `load` and `tally`, which start from zero. */
void scr_soft_pair_forces(const State *state, Soft *soft);

/* ---- walls.c */

/* Builds the lists of bodies near walls, without contacts. */
ScreeStatus scr_soft_wall_lists(const State *state, Soft *soft);

/* The same if some wall has used up its allowance, keeping their contacts. */
ScreeStatus scr_soft_update_wall_lists(const State *state, Soft *soft);

/* Moves walls; pistons at their velocity in the middle of the step. */
ScreeStatus scr_soft_move_walls(State *state, Soft *soft, ScreeReport *report, char *message);

/* Restores the walls after a step that failed. */
void scr_soft_restore_walls(State *state, const Soft *soft);

/* Adds the forces between bodies and walls, and the loads of the walls. */
void scr_soft_wall_forces(State *state, Soft *soft);

/* Brings velocities of pistons to the end of the step, and counts the work of walls. */
void scr_soft_kick_walls(State *state, Soft *soft, ScreeReport *report);

#endif
