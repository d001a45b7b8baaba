/* The state: everything that a step reads and a snapshot stores. Work space lives elsewhere. */
#ifndef SCREE_STATE_STATE_H
#define SCREE_STATE_STATE_H

#include "base/memory.h"
#include "base/partner.h"
#include "math/vec.h"
#include "shape/mesh.h"
#include "state/bonds.h"
#include "state/cell.h"
#include "state/fields.h"
#include "state/shapes.h"
#include "state/soft.h"

typedef struct Bodies {
    size_t count;
#define X(type, name) type *name;
    BODY_FIELDS(X)
#undef X
#define X(type, name) Block name##_block;
    BODY_FIELDS(X)
#undef X
} Bodies;

/* Room for `count` bodies in all; false when out of memory. Does not change `count`. */
bool scr_bodies_reserve(Bodies *bodies, size_t count);

/* The same with some to spare, for a world to which bodies are added again and again. */
bool scr_bodies_grow(Bodies *bodies, size_t count);
size_t scr_bodies_bytes(const Bodies *bodies);
void scr_bodies_free(Bodies *bodies);

typedef struct Walls {
    size_t count;
    ScreeWallState *item;
    Block block;
} Walls;

/* The surfaces that walls are made of; each stays where it is, since walls point to it. */
typedef struct Meshes {
    size_t count;
    Mesh **item;
    Block item_block;
} Meshes;

/* The mesh of the world that is the same as this one, which is copied if there is none yet; NULL when
 * out of memory. */
const Mesh *scr_meshes_take(Meshes *meshes, const Mesh *mesh);

/* Appends an empty one; NULL when out of memory. */
Mesh *scr_meshes_new(Meshes *meshes);

/* -1: it is none of them. */
int32_t scr_mesh_number(const Meshes *meshes, const Mesh *mesh);

/* What a law has beyond rigid, inelastic Coulomb friction. */
enum {
    LAW_TWO_FRICTIONS = 1,
    LAW_TORQUES = 2,
    LAW_COHESION = 4,
    LAW_RESTITUTION = 8,
    LAW_COMPLIANCE = 16,
    LAW_BRIDGES = 32
};

unsigned scr_law_uses(const ScreeLaw *law);

/* A ScreeMaterialDef without its cookie, as stored in snapshots. */
typedef struct Material {
    double density;
    ScreeLaw law;
} Material;

/* How the radii of a material change: ScreeGrowth, as stored in snapshots. */
typedef struct Growth {
    double rate;
    int64_t keeps;
} Growth;

/* Materials, and the square table of laws between them. */
typedef struct Materials {
    size_t count;
    Material *item;
    ScreeLaw *law;  /* count x count, row by row, symmetric */
    Growth *growth; /* [count] */
    Block item_block, law_block, growth_block;
    bool grow, grown;     /* some radii change; some have ever been meant to */
    unsigned uses;        /* LAW_... bits of all laws together */
    double longest_range; /* of cohesion and bridges */
    bool by_area;         /* some law has cohesion_stress */
    uint64_t version;     /* incremented at every change, for whatever is derived from the laws */
} Materials;

/* The static coefficient, which is stored as 0 when it equals that of sliding. */
static inline double scr_static_friction(const ScreeLaw *law) {
    return law->friction_static > law->friction ? law->friction_static : law->friction;
}

static inline bool scr_is_cohesive(const ScreeLaw *law) {
    return law->cohesion > 0 || law->cohesion_stress > 0;
}

/* To be called after a law has changed. */
void scr_materials_note_uses(Materials *materials);

/* To be called after a growth has been set. */
void scr_materials_note_growth(Materials *materials);

bool scr_materials_add(Materials *materials, const Material *material);

/* The law between materials `body` and `other`; with -1, a wall without a material of its own, it
 * is the body's material with itself. */
static inline const ScreeLaw *scr_law(const Materials *materials, int32_t body, int32_t other) {
    int32_t second = other < 0 ? body : other;
    return &materials->law[(size_t)body * materials->count + (size_t)second];
}

/* A contact or candidate of a step. ScreeContact is the same memory as the outside sees it, with
 * typed ids instead of plain numbers. */
typedef struct Contact {
    int32_t a;       /* body */
    int32_t b;       /* another body, or the code of a wall (base/partner.h) */
    int32_t feature; /* this and the rest as in ScreeContact */
    int32_t state;
    Vec3 normal;
    double gap;
    double normal_impulse;
    Vec3 tangential_impulse;
} Contact;

static inline bool scr_same_pair(const Contact *c, const Contact *d) {
    return c->a == d->a && c->b == d->b;
}

/* Contacts and candidates of the last step in the order in which they were found, for the warm
 * start. */
typedef struct Contacts {
    size_t count;
    Contact *item;
    ScreeContactExtra *extra; /* [count]; NULL while no law has torques, cohesion or bridges */
    double *slid; /* [count] signed, over the strides so far; NULL outside a step of strides */
    Block block, extra_block, slid_block;
    double time_step; /* of the step that the impulses belong to */
    double
        elastic[3]; /* energy stored in normal and tangential springs, and in bridges at its end */
    double ratio;   /* of residual and change in its sweeps: when to look in the next step */
    bool steady;    /* no contact stopped, opened or closed in it: its forces were constant */
} Contacts;

/* From the centre of the first body of a contact to that of the image of the second that it is with, and to the
 * contact point. */
typedef struct Branch {
    Vec3 way, arm;
} Branch;

/* What the choice of the next neighbour list needs to know about the last one. */
typedef struct ListChoice {
    double aim;     /* steps for which its margins were meant to suffice; 0: there has been none */
    uint64_t step;  /* when it was made */
    uint64_t pairs; /* how many it had */
} ListChoice;

typedef struct State {
    ScreeWorldDef def;
    CellState cell;
    double time;
    uint64_t step;
    /* Time and step when the time step was last set. Time is counted from there, not summed up, so
     * that 1000 steps of 1e-3 make 1. */
    double time_base;
    uint64_t step_base;
    Bodies bodies;
    Walls walls;
    Meshes meshes;
    Materials materials;
    Shapes shapes;
    Contacts contacts;
    Bonds bonds;
    SoftState *soft; /* NULL until the soft engine has made a step */
    /* [bodies] What tells bodies apart, wherever they lie in memory: of two that touch, the one with the
     * lower name comes first, and names take the place of chance in the order of a sweep. NULL: a
     * body's number is its name. Lent by whoever moves bodies about in memory. */
    const int32_t *name;
    /* [bodies] What a body is called as long as the world lives, in rising order; the names of the whole
     * state. NULL, and no identities, until the first body is removed: the number is the identity. */
    int32_t *identity;
    int64_t identities; /* that have been given out */
    Block identity_block;
    /* [bodies] The wall that holds a body, or -1 (dynamics/held.h). NULL: no wall holds any. */
    int32_t *holder;
    Block holder_block;
    /* Bodies may be spread among processes (dynamics/share.h). Then the last bodies here are ghosts:
     * others count them, and they are here because this process needs to see them. */
    const ScreeProcesses *spread; /* NULL: all bodies are here */
    size_t ghosts;
    size_t elsewhere; /* bodies that others count */
    double large;     /* [length] bodies with a larger radius are in all processes */
    /* Within a step in a small cell (images.h) the last bodies are images of the first. */
    size_t images;
    const int32_t *origin; /* [bodies] the body that an image is one of; NULL: there are none */
    int8_t (*turns)[3];    /* [bodies] by how many edges of the cell it is displaced */
    /* [branches] Where contacts are; known after a step in a small cell, and not within one. Unless there are as
     * many as contacts, these are looked for. */
    Branch *branch;
    size_t branches;
    Block branch_block;
    bool list_stale; /* the neighbour list must be built anew before it is used again */
    ListChoice list;
} State;

void scr_state_free(State *state);

/* Makes room for the holders of `count` bodies; those that have none yet get -1. */
bool scr_reserve_holders(State *state, size_t count);

/* Gives bodies identities of their own, where they have none yet, and room for `count` of them. */
bool scr_name_bodies(State *state, size_t count);

/* Takes out the bodies that are marked, with their contacts. False when out of memory; nothing has
 * changed then. The springs of the soft engine must be in the state. */
bool scr_remove_bodies(State *state, const uint8_t *gone);

/* Bodies that this process counts: the first in every array. */
static inline size_t scr_counted(const State *s) {
    return s->bodies.count - s->ghosts - s->images;
}

/* Bodies of all processes. */
static inline size_t scr_all_bodies(const State *s) {
    return scr_counted(s) + s->elsewhere;
}

/* The bodies themselves: the first in every array. */
static inline size_t scr_originals(const State *s) {
    return s->bodies.count - s->images;
}

/* Of two opposite displacements by edges of the cell one is ahead. */
static inline bool scr_is_ahead(const int8_t turns[3]) {
    const int first = turns[0] != 0 ? turns[0] : turns[1] != 0 ? turns[1] : turns[2];
    return first > 0;
}

/* The body itself, or that which it is an image of; the code of a wall as it is. */
static inline int32_t scr_origin(const State *s, int32_t body) {
    return s->origin != NULL && body >= 0 ? s->origin[body] : body;
}

/* Whether this process counts a pair, or a body and a wall: that which counts its first body, unless it
 * is one that all have. */
static inline bool scr_counts_pair(const State *s, int32_t a, int32_t b) {
    const bool second = b >= 0 && s->spread != NULL && s->bodies.radius[a] > s->large;
    return (size_t)(second ? b : a) < scr_counted(s);
}

/* The wall that holds a body, or -1; also of the code of a wall, which holds itself. */
static inline int32_t scr_holder(const State *s, int32_t body) {
    if (body < 0) {
        return (int32_t)scr_wall_of(body);
    }
    return s->holder != NULL ? s->holder[body] : -1;
}

/* Whether a pair never meets: a wall without a surface of its own, or two that are walls or held by
 * walls. */
static inline bool scr_never_meet(const State *s, int32_t a, int32_t b) {
    if (b < 0 && s->walls.item[scr_wall_of(b)].now.shape == SCREE_WALL_HOLDER) {
        return true;
    }
    return s->holder != NULL && s->holder[a] >= 0 && scr_holder(s, b) >= 0;
}

static inline int32_t scr_name(const State *s, int32_t body) {
    return s->name != NULL ? s->name[body] : body;
}

/* Of a pair of bodies, or of a body and a wall. */
static inline uint64_t scr_pair_name(const State *s, int32_t a, int32_t b) {
    return (uint64_t)(uint32_t)scr_name(s, a) << 32 | (uint32_t)(b >= 0 ? scr_name(s, b) : b);
}

/* The law of a pair of bodies, or of a body and a wall. */
static inline const ScreeLaw *scr_pair_law(const State *s, int32_t a, int32_t b) {
    int32_t other =
        b >= 0 ? s->bodies.material[b] : s->walls.item[scr_wall_of(b)].now.material.index;
    return scr_law(&s->materials, s->bodies.material[a], other);
}

static inline const ScreeLaw *scr_contact_law(const State *s, const Contact *c) {
    return scr_pair_law(s, c->a, c->b);
}

/* Sets the force of pistons that exert a stress, for the coming step; called before the step of any
 * engine. */
ScreeStatus scr_stress_pistons(State *state, char *message);

/* Whether steps are made by an interior-point method and without inertia. */
static inline bool scr_is_variational(const ScreeWorldDef *def) {
    return def->engine == SCREE_ENGINE_VARIATIONAL || def->engine == SCREE_ENGINE_QUASISTATIC;
}

/* Whether the solver factors matrices, instead of sweeping or before it. */
static inline bool scr_is_matrix_method(const ScreeSolverDef *def) {
    return def->method == SCREE_METHOD_NEWTON || def->method == SCREE_METHOD_INTERIOR_POINT;
}

/* Whether there are pairs with several contact points: bodies of some shape, or walls of triangles. */
static inline bool scr_any_shaped(const State *s) {
    bool any = s->shapes.count > 0 || s->meshes.count > 0;
    for (size_t i = 0; i < s->walls.count && !any; i++) {
        ScreeWallShape shape = s->walls.item[i].now.shape;
        any = shape >= SCREE_WALL_MESH && shape != SCREE_WALL_HOLDER; /* or a cone, or a plate */
    }
    return any;
}

#endif
