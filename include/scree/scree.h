/* Scree: rigid grains with exact dry friction by the contact dynamics method.
 *
 * This is the one public header. A program makes a world from a definition, adds materials, bodies
 * and walls, and steps it; every step returns a report, the step's certificate:
 *
 *     ScreeWorldDef def = scree_default_world();
 *     def.time_step = 1e-3;
 *     ScreeWorld *world = NULL;
 *     scree_create_world(&def, &world, NULL);
 *     ...
 *     ScreeReport report;
 *     scree_step(world, &report);
 *     scree_destroy_world(world);
 *
 * Conventions
 * - Units are the caller's own. The dimension of every quantity stands in brackets: [length].
 * - Every definition struct is begun from its default function, so that a field added later keeps
 * its meaning in old programs.
 * - A function that can fail returns a status. Nothing is changed when it fails, and
 *   scree_message(world) tells in words what was wrong.
 * - Bodies, walls and materials are numbered from zero in the order they were added, and keep their
 *   numbers. A removed wall leaves its number unused.
 * - The normal of a contact points from its body a to its partner b; the impulse acts on b, and its
 *   opposite on a. A relative velocity is that of b seen from a, so approach is negative.
 * - Equations (UK 34) are those of Unger and Kertesz, "The contact dynamics method for granular
 *   media"; (BUW 1.30) of Brendel, Unger and Wolf, "Contact dynamics for beginners"; (RSDW 2) of
 *   Radjai, Schafer, Dippel and Wolf, J. Phys. I France 7 (1997) 1053; (L 4.13) of Lim, "A contact
 *   dynamics formulation".
 * - Results depend on nothing but the world: not on the number of threads, nor on whether the
 *   world was saved and loaded in between.
 */
#ifndef SCREE_SCREE_H
#define SCREE_SCREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define SCREE_API __attribute__((visibility("default")))
#else
#define SCREE_API
#endif

#define SCREE_VERSION_MAJOR 0
#define SCREE_VERSION_MINOR 1
#define SCREE_VERSION_PATCH 0

/* "0.1.0" */
SCREE_API const char *scree_version(void);

/* ---------------------------------------------------------------- status */

/* Codes and texts from one list, so that they cannot part. */
#define SCREE_STATUS_MAP(X)                                                                        \
    X(OK, "no error")                                                                              \
    X(NO_MEMORY, "out of memory")                                                                  \
    X(BAD_ARGUMENT, "an argument is outside its allowed range")                                    \
    X(BAD_ID, "no such body, wall or material")                                                    \
    X(TOO_CROWDED, "too many grains in one place")                                                 \
    X(NOT_FINITE, "a position or velocity is no longer finite")                                    \
    X(BAD_SNAPSHOT, "the snapshot is damaged or is not a snapshot")                                \
    X(NEWER_SNAPSHOT, "the snapshot was written by a newer version")

typedef enum ScreeStatus {
#define X(name, text) SCREE_##name,
    SCREE_STATUS_MAP(X)
#undef X
        SCREE_STATUS_COUNT
} ScreeStatus;

/* The text of a status, never NULL. */
SCREE_API const char *scree_status_text(ScreeStatus status);

/* Length of the caller's buffer for a message, terminator included. */
#define SCREE_MESSAGE_SIZE 256

/* ---------------------------------------------------------------- small types */

typedef struct ScreeVec3 {
    double x, y, z;
} ScreeVec3;

/* Unit quaternion; (1, 0, 0, 0) is no rotation. */
typedef struct ScreeQuat {
    double w, x, y, z;
} ScreeQuat;

/* Degrees of freedom of a body that no force may change. A velocity given along a frozen axis stays
 * what it is (zero unless set), so a body frozen in everything is an obstacle, or is moved at will.
 */
enum {
    SCREE_FREEZE_X = 1,
    SCREE_FREEZE_Y = 2,
    SCREE_FREEZE_Z = 4,
    SCREE_FREEZE_ROTATION_X = 8,
    SCREE_FREEZE_ROTATION_Y = 16,
    SCREE_FREEZE_ROTATION_Z = 32,
    SCREE_FREEZE_POSITION = 7,
    SCREE_FREEZE_ROTATION = 56,
    SCREE_FREEZE_ALL = 63
};

/* ---------------------------------------------------------------- solver settings */

/* In which order one sweep visits the contacts. */
typedef enum ScreeOrder {
    SCREE_ORDER_BOXED,  /* boxes of neighbouring contacts, drawn anew each time step (default) */
    SCREE_ORDER_RANDOM, /* a new permutation every sweep: the papers' reference */
    SCREE_ORDER_FIXED,  /* the order in which contacts were found */
    SCREE_ORDER_ALTERNATING, /* the same, forwards and backwards in turn */
    SCREE_ORDER_COLOURED,    /* independent sets one after another; red-black on a chain */
    SCREE_ORDER_COUNT
} ScreeOrder;

/* When the sweeps end. */
typedef enum ScreeCriterion {
    SCREE_CRITERION_RESIDUAL, /* natural-map residual at most `tolerance`, and no contact closes
                                 by more than `overlap` (default) */
    SCREE_CRITERION_LOCAL,    /* |dR| <= tolerance |R| + small_force dt at every contact (UK 35) */
    SCREE_CRITERION_GLOBAL,   /* change of the mean |R| <= tolerance mean |R| (UK 36) */
    SCREE_CRITERION_FIXED,    /* exactly `iterations` sweeps (UK 37) */
    SCREE_CRITERION_COUNT
} ScreeCriterion;

typedef struct ScreeSolverDef {
    ScreeOrder order;
    ScreeCriterion criterion;
    double tolerance;   /* [1] relative accuracy; also what "converged" means in the report; 1e-2 */
    double overlap;     /* [1] overlap that one step may add at a contact and still count as
                           converged, in radii of the smallest grain; 1e-3 */
    double small_force; /* [force] the cutoff delta of the local criterion; 0 */
    int iterations;     /* sweeps of the fixed criterion, the most sweeps of the others; 2000 */
    bool warm_start;    /* begin from the impulses of the step before; true */
} ScreeSolverDef;

SCREE_API ScreeSolverDef scree_default_solver(void);

/* ---------------------------------------------------------------- soft engine settings */

typedef enum ScreeIntegrator {
    SCREE_INTEGRATOR_VELOCITY_VERLET, /* (default) */
    SCREE_INTEGRATOR_VERLET,          /* from this and the last position, without velocities */
    SCREE_INTEGRATOR_COUNT
} ScreeIntegrator;

typedef enum ScreeSoftFriction {
    SCREE_SOFT_FRICTION_SPRING, /* tangential spring with memory, after Cundall and Strack (default)
                                 */
    SCREE_SOFT_FRICTION_VISCOUS, /* RC1: min(damping_tangential |v_t|, friction N) (RSDW 2) */
    SCREE_SOFT_FRICTION_COUNT
} ScreeSoftFriction;

typedef struct ScreeSoftDef {
    ScreeIntegrator integrator;
    ScreeSoftFriction friction;
} ScreeSoftDef;

/* ---------------------------------------------------------------- world */

typedef struct ScreeWorld ScreeWorld;

/* How a step is made. */
typedef enum ScreeEngine {
    SCREE_ENGINE_CONTACT_DYNAMICS, /* rigid grains, implicit, exact friction (default) */
    SCREE_ENGINE_SOFT,             /* springs and dashpots at overlaps, explicit: for comparison */
    SCREE_ENGINE_COUNT
} ScreeEngine;

typedef struct ScreeWorldDef {
    int dimension;      /* 2: disks in the x-y plane; 3: spheres. Default 3 */
    ScreeEngine engine; /* contact dynamics */
    ScreeVec3 gravity;  /* [length/time^2]; zero */
    double time_step;   /* [time]; must be set. The soft engine takes 0 for its own choice */
    double theta;     /* [1] of the theta method, 1/2 to 1: bodies move at theta v_new + (1 - theta)
                         v_old (L 4.4). 1 is implicit Euler; less makes every impact elastic with
                         e = (1 - theta) / theta (L 4.7); 1 */
    bool periodic[3]; /* along x, y, z; none */
    ScreeVec3 cell_min; /* [length] the periodic cell, used along periodic directions */
    ScreeVec3 cell_max;
    bool signed_gap; /* g instead of max(g, 0): pushes overlaps apart, pumps energy; false */
    double skin;     /* [length] how far the neighbour list sees past contact; 0 chooses it */
    uint64_t seed;   /* of every random choice; 1 */
    int threads;     /* 1; the result does not depend on it */
    ScreeSolverDef solver;
    ScreeSoftDef soft;
} ScreeWorldDef;

SCREE_API ScreeWorldDef scree_default_world(void);

/* Makes an empty world. `message` (SCREE_MESSAGE_SIZE bytes, or NULL) tells what was wrong. */
SCREE_API ScreeStatus scree_create_world(const ScreeWorldDef *def, ScreeWorld **world,
                                         char *message);
SCREE_API void scree_destroy_world(ScreeWorld *world);

/* What was wrong in the last call on this world that failed; valid until the next one. */
SCREE_API const char *scree_message(const ScreeWorld *world);

/* The definition as it stands now. */
SCREE_API ScreeWorldDef scree_world_def(const ScreeWorld *world);
SCREE_API double scree_time(const ScreeWorld *world);
SCREE_API uint64_t scree_steps(const ScreeWorld *world);

SCREE_API ScreeStatus scree_set_gravity(ScreeWorld *world, ScreeVec3 gravity);
SCREE_API ScreeStatus scree_set_time_step(ScreeWorld *world, double time_step);

/* The soft engine's own choice, a twentieth of the shortest collision of the stiffest pair; 0 for
 * another engine, or without bodies. */
SCREE_API double scree_advised_time_step(const ScreeWorld *world);
SCREE_API ScreeStatus scree_set_solver(ScreeWorld *world, const ScreeSolverDef *solver);
SCREE_API ScreeStatus scree_set_threads(ScreeWorld *world, int threads);

/* ---------------------------------------------------------------- materials and laws */

/* Every number of a law once: X(name, dimension, default, meaning). N is the normal force, r* =
 * 1 / (1/r_a + 1/r_b) the reduced radius of the pair (BUW 1.42). */
#define SCREE_LAW_MAP(X)                                                                           \
    X(friction, "1", 0, "Coulomb coefficient: |T| <= friction N")                                  \
    X(friction_static, "1", 0,                                                                     \
      "coefficient while a contact does not slide, at least friction; 0: the same")                \
    X(rolling, "1", 0, "rolling friction: torque <= rolling r* N")                                 \
    X(rolling_length, "length", 0, "the same as a length: torque <= rolling_length N")             \
    X(rolling_hertz, "length/(force length)^(1/3), 2D: ^(1/2)", 0,                                 \
      "the same by Hertz: torque <= rolling_hertz (r* N)^(1/3) N, 2D: ^(1/2)")                     \
    X(torsion, "1", 0, "torsion friction: torque about the normal <= torsion r* N")                \
    X(torsion_length, "length", 0, "the same as a length")                                         \
    X(cohesion, "force", 0, "largest tension of a contact; friction then acts with N + cohesion")  \
    X(cohesion_range, "length", 0, "opening at which the contact breaks: energy over force")       \
    X(restitution, "1", 0, "normal velocity after an impact over that before")                     \
    X(restitution_tangential, "1", 0, "the same of the tangential velocity, unless it slides")     \
    X(restitution_threshold, "length/time", 0, "slower impacts have no restitution")               \
    X(stiffness, "force/length", INFINITY, "normal spring; infinite: rigid")                       \
    X(stiffness_tangential, "force/length", INFINITY,                                              \
      "tangential spring; infinite: rigid (soft engine: 2/7 of the normal one)")                   \
    X(modulus, "force/length^2", 0,                                                                \
      "soft engine: N = 4/3 modulus sqrt(r*) overlap^(3/2) (Hertz); 0: linear spring")             \
    X(damping, "mass/time", 0, "soft engine: normal dashpot; 0: from restitution")                 \
    X(damping_tangential, "mass/time", 0, "soft engine: tangential dashpot")

/* What happens where two materials touch. */
typedef struct ScreeLaw {
#define X(name, dimension, preset, meaning) double name;
    SCREE_LAW_MAP(X)
#undef X
} ScreeLaw;

/* Rigid, without friction, inelastic. */
SCREE_API ScreeLaw scree_default_law(void);

typedef struct ScreeMaterialDef {
    double density; /* [mass/length^3], in two dimensions [mass/length^2]; 1 */
    ScreeLaw law;   /* of the material with itself; the default law */
} ScreeMaterialDef;

SCREE_API ScreeMaterialDef scree_default_material(void);
SCREE_API ScreeStatus scree_add_material(ScreeWorld *world, const ScreeMaterialDef *def,
                                         int32_t *id);

/* The law of a pair. By default each number is the smaller of the two materials' own; springs act
 * one behind the other, so stiffness and modulus are the harmonic mean. */
SCREE_API ScreeStatus scree_set_law(ScreeWorld *world, int32_t a, int32_t b, const ScreeLaw *law);
SCREE_API ScreeStatus scree_get_law(const ScreeWorld *world, int32_t a, int32_t b, ScreeLaw *law);

/* ---------------------------------------------------------------- bodies */

typedef struct ScreeBodyDef {
    ScreeVec3 position;    /* [length] of the centre */
    ScreeQuat orientation; /* none */
    ScreeVec3 velocity;    /* [length/time]; zero */
    ScreeVec3 spin;        /* [1/time] angular velocity; zero */
    double radius;         /* [length]; must be set */
    double mass;           /* [mass]; 0 takes density times volume (area in two dimensions) */
    double inertia;        /* [mass length^2]; 0 takes 2/5 m r^2, for disks 1/2 m r^2 */
    int32_t material;      /* must be set */
    uint32_t frozen;       /* SCREE_FREEZE_... bits; 0. Two dimensions add z and rotation x, y */
    ScreeVec3 force;       /* [force] external, on the centre, until changed; zero */
    ScreeVec3 torque;      /* [force length] external; zero */
} ScreeBodyDef;

SCREE_API ScreeBodyDef scree_default_body(void);

/* Adds `count` bodies with consecutive numbers; `first` (or NULL) receives the first. All or none.
 */
SCREE_API ScreeStatus scree_add_bodies(ScreeWorld *world, const ScreeBodyDef *defs, size_t count,
                                       int32_t *first);

SCREE_API ScreeStatus scree_set_body_position(ScreeWorld *world, int32_t body, ScreeVec3 position);
SCREE_API ScreeStatus scree_set_body_velocity(ScreeWorld *world, int32_t body, ScreeVec3 velocity,
                                              ScreeVec3 spin);
SCREE_API ScreeStatus scree_set_body_force(ScreeWorld *world, int32_t body, ScreeVec3 force,
                                           ScreeVec3 torque);
SCREE_API ScreeStatus scree_set_body_frozen(ScreeWorld *world, int32_t body, uint32_t frozen);

/* All bodies, one array a field; valid until bodies are added or the world is destroyed. */
typedef struct ScreeBodyView {
    size_t count;
    const ScreeVec3 *position;
    const ScreeQuat *orientation;
    const ScreeVec3 *velocity;
    const ScreeVec3 *spin;
    const ScreeVec3 *force;
    const ScreeVec3 *torque;
    const double *radius;
    const double *mass;
    const double *inertia;
    const int32_t *material;
    const uint32_t *frozen;
} ScreeBodyView;

SCREE_API ScreeBodyView scree_bodies(const ScreeWorld *world);

/* ---------------------------------------------------------------- walls */

typedef enum ScreeWallShape {
    SCREE_WALL_PLANE,    /* half space behind `point`; `normal` points to the grains */
    SCREE_WALL_SEGMENT,  /* two dimensions: from `point` to `end`, thin, seen from both sides */
    SCREE_WALL_BLOCK,    /* solid box, centre `point`, half sides `half`, turned by `orientation` */
    SCREE_WALL_CYLINDER, /* about the line through `point` along `axis` (in two dimensions z) */
    SCREE_WALL_SHAPE_COUNT
} ScreeWallShape;

/* In a periodic world segments, blocks and cylinders repeat with the cell, and should be no larger
 * than it; a plane must lie along the periodic directions to make sense. */

typedef enum ScreeWallMotion {
    SCREE_WALL_FIXED,
    SCREE_WALL_MOVED,  /* has the velocity and spin that it was given */
    SCREE_WALL_PISTON, /* carries `force` with its own `mass`, free along `direction` only */
    SCREE_WALL_MOTION_COUNT
} ScreeWallMotion;

typedef struct ScreeWallDef {
    ScreeWallShape shape;
    ScreeVec3 point;       /* [length] see the shapes */
    ScreeVec3 normal;      /* plane */
    ScreeVec3 end;         /* [length] segment */
    ScreeVec3 half;        /* [length] block */
    ScreeQuat orientation; /* block; none */
    ScreeVec3 axis;        /* cylinder; z */
    double radius;         /* [length] cylinder */
    double length;         /* [length] cylinder, half to each side of `point`; 0 is endless. From
                              inside, a finite cylinder is a thin shell seen from both sides; from
                              outside, a solid one with flat ends */
    bool inside;           /* cylinder: grains are within; false */
    int32_t material;      /* -1 (default): as the grain that touches it */
    ScreeWallMotion motion;
    ScreeVec3 velocity;  /* [length/time] moved: of the pivot; piston: its start; zero */
    ScreeVec3 spin;      /* [1/time] moved: about the pivot; zero */
    ScreeVec3 pivot;     /* [length] the point about which it turns; by default `point` */
    bool has_pivot;      /* whether `pivot` was set */
    double mass;         /* [mass] piston */
    ScreeVec3 force;     /* [force] piston; its part along `direction` acts */
    ScreeVec3 direction; /* piston; by default the plane's normal */
} ScreeWallDef;

SCREE_API ScreeWallDef scree_default_wall(void);
SCREE_API ScreeStatus scree_add_wall(ScreeWorld *world, const ScreeWallDef *def, int32_t *id);
SCREE_API ScreeStatus scree_remove_wall(ScreeWorld *world, int32_t wall);

/* A fixed wall becomes a moved one. Not for pistons. */
SCREE_API ScreeStatus scree_set_wall_velocity(ScreeWorld *world, int32_t wall, ScreeVec3 velocity,
                                              ScreeVec3 spin);
SCREE_API ScreeStatus scree_set_wall_force(ScreeWorld *world, int32_t wall, ScreeVec3 force);

typedef struct ScreeWallState {
    bool present;           /* false once removed */
    ScreeWallDef now;       /* geometry, velocity and force as they stand now */
    ScreeVec3 displacement; /* [length] of the pivot since the wall was made */
    ScreeVec3 load;         /* [force] that the grains exerted on it during the last step */
    ScreeVec3 load_torque;  /* [force length] the same, about the pivot */
} ScreeWallState;

SCREE_API size_t scree_wall_count(const ScreeWorld *world); /* removed ones included */
SCREE_API ScreeStatus scree_wall(const ScreeWorld *world, int32_t wall, ScreeWallState *state);

/* ---------------------------------------------------------------- contacts */

typedef enum ScreeContactState {
    SCREE_CONTACT_OPEN, /* a candidate that carries nothing */
    SCREE_CONTACT_STICK,
    SCREE_CONTACT_SLIP
} ScreeContactState;

/* One contact or candidate of the last step. With the soft engine normal and gap are those at the
 * end of the step, and impulses the forces there times the time step. */
typedef struct ScreeContact {
    int32_t a;             /* body */
    int32_t b;             /* body, or wall number w as -1 - w */
    int32_t feature;       /* which of several contact points of the pair; 0 for round bodies */
    int32_t state;         /* ScreeContactState */
    ScreeVec3 normal;      /* unit, from a to b, at the start of the step */
    double gap;            /* [length] at the start of the step; negative is overlap */
    double normal_impulse; /* [force time] pushes apart; negative: a cohesive contact pulls */
    ScreeVec3 tangential_impulse; /* [force time] on b */
} ScreeContact;

/* What laws beyond Coulomb's add to a contact. */
typedef struct ScreeContactExtra {
    ScreeVec3 torque_impulse; /* [force length time] of rolling and torsion friction, on b */
    double opening;           /* [length] of a cohesive bond; negative: there is no bond */
} ScreeContactExtra;

typedef struct ScreeContactView {
    size_t count;
    const ScreeContact *contact;
    const ScreeContactExtra *extra; /* [count], or NULL when no law needs it */
    double time_step;               /* [time] divide an impulse by it for the force */
} ScreeContactView;

/* Contacts and candidates of the last step; valid until the next one. */
SCREE_API ScreeContactView scree_contacts(const ScreeWorld *world);

/* Where a contact of the view lies now: midway between the two surfaces. */
SCREE_API ScreeVec3 scree_contact_point(const ScreeWorld *world, const ScreeContact *contact);

/* ---------------------------------------------------------------- stepping and certificate */

/* Every field of the report once: X(type, name, dimension, meaning). */
#define SCREE_REPORT_MAP(X)                                                                        \
    X(int64_t, step, "1", "number of the step, from 1")                                            \
    X(double, time, "time", "time at the end of the step")                                         \
    X(int64_t, contacts, "1", "contacts and candidates in the problem")                            \
    X(int64_t, active, "1", "contacts that carry an impulse")                                      \
    X(int64_t, sliding, "1", "active contacts that slide")                                         \
    X(int64_t, iterations, "1", "sweeps over all contacts")                                        \
    X(int64_t, converged, "1",                                                                     \
      "1 when residual and overlap_added are within the solver's limits, else 0")                  \
    X(int64_t, unsettled, "1",                                                                     \
      "contacts that neither hold at friction_static nor slide at friction: no solution found")    \
    X(int64_t, bonds, "1", "cohesive contacts at the end of the step")                             \
    X(double, residual, "1", "natural-map residual, relative, free of units")                      \
    X(double, residual_fclib, "1", "the same in the normalisation of FCLIB (depends on units)")    \
    X(double, overlap_added, "length", "largest overlap that the step adds at a contact")          \
    X(double, overlap_max, "length", "largest overlap at the end of the step")                     \
    X(double, overlap_mean, "length", "overlap averaged over active contacts")                     \
    X(double, kinetic_energy, "energy", "of all bodies and pistons at the end of the step")        \
    X(double, work_external, "energy", "done by gravity and external forces during the step")      \
    X(double, work_walls, "energy", "done by moved walls and moving frozen bodies")                \
    X(double, energy_elastic, "energy", "stored in contacts of finite stiffness")                  \
    X(double, dissipation, "energy", "lost in contacts during the step: the sum of the next five") \
    X(double, dissipation_normal, "energy", "by impact and compression")                           \
    X(double, dissipation_friction, "energy", "by sliding")                                        \
    X(double, dissipation_rolling, "energy", "by rolling friction")                                \
    X(double, dissipation_torsion, "energy", "by torsion friction")                                \
    X(double, dissipation_cohesion, "energy", "by the opening of cohesive contacts")               \
    X(double, dissipation_scheme, "energy", "lost to the first-order time stepping")               \
    X(double, energy_error, "energy", "what the balance of the above leaves over: rounding")       \
    X(double, motion_max, "1", "largest motion during the step, in radii of the body")             \
    X(double, stiffness, "force/length", "of a contact, implied by the iterations (UK 67)")        \
    X(double, sound_speed, "length/time", "implied by the iterations (UK 57)")                     \
    X(double, diffusion_length, "length", "how far the iterations carry a force (UK 47)")          \
    X(double, packing_length, "length", "extent of the largest cluster in contact")                \
    X(int64_t, spurious_elasticity, "1",                                                           \
      "1 when not converged and the cluster is longer than the diffusion length")                  \
    X(int64_t, rebuilt, "1", "1 when the neighbour list was rebuilt")

typedef struct ScreeReport {
#define X(type, name, dimension, meaning) type name;
    SCREE_REPORT_MAP(X)
#undef X
} ScreeReport;

/* One time step. `report` may be NULL. Non-convergence is not an error: report->converged tells.
 * After a failure no body has moved and no bond, spring or sticking contact is forgotten; the
 * impulses kept for the warm start, and the springs of the soft engine, may be lost. */
SCREE_API ScreeStatus scree_step(ScreeWorld *world, ScreeReport *report);

/* Overlaps of the bodies as they stand, among each other and with walls. */
typedef struct ScreeOverlap {
    size_t count; /* overlapping pairs; counting stops at a million */
    int32_t a, b; /* the deepest: body and body, or wall w as -1 - w */
    double depth; /* [length] */
} ScreeOverlap;

SCREE_API ScreeStatus scree_find_overlaps(ScreeWorld *world, ScreeOverlap *overlap);

/* Mean number of active contacts per body that has any, walls counted. */
SCREE_API double scree_coordination(const ScreeWorld *world);
SCREE_API double scree_kinetic_energy(const ScreeWorld *world);

/* Wall-clock time and memory since the world was made; no part of the result. */
typedef struct ScreeCost {
    double seconds_total;  /* [s] in scree_step */
    double seconds_solver; /* [s] of that in the sweeps and their residual checks */
    double updates;        /* contact updates made: contacts times sweeps */
    size_t bytes_bodies;   /* allocated for bodies and per-body work */
    size_t bytes_contacts; /* allocated for contacts, pairs and per-contact work */
    size_t contacts;       /* contacts that bytes_contacts has served at most */
} ScreeCost;

SCREE_API ScreeCost scree_cost(const ScreeWorld *world);

/* ---------------------------------------------------------------- saving */

/* The whole state as bytes. Call with buffer NULL to learn the size; `size` holds the buffer's size
 * on entry and the bytes needed on return. A loaded world steps on bit for bit. */
SCREE_API ScreeStatus scree_save(const ScreeWorld *world, void *buffer, size_t *size);
SCREE_API ScreeStatus scree_load(const void *buffer, size_t size, ScreeWorld **world,
                                 char *message);

/* A number that two worlds share when all their state agrees, bit for bit. */
SCREE_API uint64_t scree_hash(const ScreeWorld *world);

/* ---------------------------------------------------------------- scenes */

/* A scene file (docs/scene.md), read and checked, and the programme of drives and events that it
 * prescribes:
 *
 *     char message[SCREE_SCENE_MESSAGE_SIZE];
 *     ScreeScene *scene = NULL;
 *     ScreeWorld *world = NULL;
 *     scree_load_scene("heap.yaml", NULL, 0, &scene, message);
 *     scree_build_scene(scene, &world, message);
 *     while (!scree_scene_finished(scene, world)) {
 *         scree_scene_step(scene, world, NULL);
 *     }
 *     scree_destroy_world(world);
 *     scree_free_scene(scene);
 *
 * A world that is stepped so is the same as that of `scree run`, bit for bit. */
typedef struct ScreeScene ScreeScene;

/* Length of the caller's buffer for what is wrong with a scene, terminator included: several lines,
 * with the place and a hint. */
#define SCREE_SCENE_MESSAGE_SIZE 1024

/* What the scene wants done about a step that did not converge. It is the caller who does it. */
typedef enum ScreeScenePolicy {
    SCREE_SCENE_CONTINUE,
    SCREE_SCENE_WARN,
    SCREE_SCENE_STOP,
    SCREE_SCENE_POLICY_COUNT
} ScreeScenePolicy;

typedef struct ScreeSceneInfo {
    size_t materials;    /* their number */
    size_t walls;        /* their number at the start; a box of the scene makes several */
    double end;          /* [time] */
    double output_every; /* [time] between the frames of a run file */
    ScreeScenePolicy policy;
} ScreeSceneInfo;

/* Reads and checks a scene file; `overrides` are `count` texts "path.to.key=value", as with -D of
 * the program. `message` (SCREE_SCENE_MESSAGE_SIZE bytes, or NULL) tells what is wrong and where.
 */
SCREE_API ScreeStatus scree_load_scene(const char *path, const char *const *overrides, size_t count,
                                       ScreeScene **scene, char *message);
SCREE_API void scree_free_scene(ScreeScene *scene);

/* Makes the world that the scene describes, and begins its programme anew. The world is the
 * caller's, and does not need the scene; the scene drives the world that it made last. */
SCREE_API ScreeStatus scree_build_scene(ScreeScene *scene, ScreeWorld **world, char *message);

/* One time step: the events that are due, the motion of walls, then scree_step. */
SCREE_API ScreeStatus scree_scene_step(ScreeScene *scene, ScreeWorld *world, ScreeReport *report);

/* Whether the end of time is reached, or a condition of the scene says to stop. */
SCREE_API bool scree_scene_finished(const ScreeScene *scene, const ScreeWorld *world);

/* What was wrong in the last scree_scene_step that failed. */
SCREE_API const char *scree_scene_message(const ScreeScene *scene);

/* The events of the last scree_scene_step, a line each; "" when there was none. */
SCREE_API const char *scree_scene_news(const ScreeScene *scene);

SCREE_API ScreeSceneInfo scree_scene_info(const ScreeScene *scene);

/* Names for numbers; NULL when out of range. */
SCREE_API const char *scree_scene_material_name(const ScreeScene *scene, int32_t material);
SCREE_API const char *scree_scene_wall_name(const ScreeScene *scene, int32_t wall);

#ifdef __cplusplus
}
#endif
#endif
