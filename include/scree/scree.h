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
    X(NEWER_SNAPSHOT, "the snapshot was written by a newer version")                               \
    X(NO_SOLUTION, "the step has no solution")

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

/* How the impulses of a step are found (docs/method.md). All of them find the same velocities. */
typedef enum ScreeMethod {
    SCREE_METHOD_AUTO,           /* accelerated where it can be: criterion `residual`, and an order
                                    that does not change from sweep to sweep; else Gauss-Seidel
                                    (default) */
    SCREE_METHOD_GAUSS_SEIDEL,   /* sweeps: the papers' method */
    SCREE_METHOD_ACCELERATED,    /* sweeps with Nesterov's momentum */
    SCREE_METHOD_NEWTON,         /* Newton's method on all contacts at once, with sparse factors */
    SCREE_METHOD_INTERIOR_POINT, /* the same inside of the friction cones. Both need the criterion
                                    `residual`, and laws that matrices can say (docs/method.md);
                                    what they do not reach is left to sweeps */
    SCREE_METHOD_COUNT
} ScreeMethod;

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
    ScreeMethod method;
    ScreeOrder order;
    ScreeCriterion criterion;
    double tolerance;   /* [1] relative accuracy; also what "converged" means in the report; 1e-2 */
    double overlap;     /* [1] overlap that one step may add at a contact and still count as
                           converged, in radii of the smallest grain; 1e-3. In statics, that of
                           outlines: a motion that adds more is made in strides */
    double small_force; /* [force] the cutoff delta of the local criterion; 0 */
    int iterations;     /* sweeps of the fixed criterion, the most sweeps of the others; 2000 */
    bool warm_start;    /* begin from the impulses of the step before; true */
    bool recover;       /* a contact that the last step let close too far opens by as much; false */
    int cuts;           /* how often a step is cut at most where a contact stops sliding and forces
                           jump, with a tolerance of 1e-6 or less: later events then come at their
                           times; 0, so that every contact obeys the law over the whole step */
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

/* ---------------------------------------------------------------- variational engines */

/* Of the engines that find a step as the minimum of a convex function (docs/variational.md). */
typedef struct ScreeVariationalDef {
    bool exact;       /* Coulomb's law; false: the associated one, where what slides also dilates */
    double tolerance; /* [1] errors over their units; 1e-8 */
    int iterations;   /* the most of one programme; 100 */
    double range;     /* [1] candidates are taken up within this part of a radius at least; 0.1 */
} ScreeVariationalDef;

/* ---------------------------------------------------------------- world */

typedef struct ScreeWorld ScreeWorld;

/* How a step is made. */
typedef enum ScreeEngine {
    SCREE_ENGINE_CONTACT_DYNAMICS, /* rigid grains, implicit, exact friction (default) */
    SCREE_ENGINE_SOFT,             /* springs and dashpots at overlaps, explicit: for comparison */
    SCREE_ENGINE_VARIATIONAL,      /* implicit, by an interior-point method (L 4.15) */
    SCREE_ENGINE_QUASISTATIC,      /* the same without inertia: time is that of the walls and loads
                                      (L 4.16); what is free has no velocity between steps */
    SCREE_ENGINE_COUNT
} ScreeEngine;

/* "contact_dynamics", or the method "auto", as in scenes; NULL when out of range. */
SCREE_API const char *scree_engine_name(int32_t engine);
SCREE_API const char *scree_method_name(int32_t method);

/* How pairs of bodies that may touch soon are found (docs/neighbours.md). Results are the same, bit
 * for bit. */
typedef enum ScreeSearch {
    SCREE_SEARCH_HIERARCHICAL_GRID,  /* cells in levels: any number and any sizes (default) */
    SCREE_SEARCH_LINKED_CELL,        /* one size of cells: for bodies of similar size */
    SCREE_SEARCH_VERLET_LIST,        /* all pairs, rarely: for a few hundred bodies */
    SCREE_SEARCH_LINKED_LINEAR_LIST, /* sorted ends of bounding boxes: for bodies that hardly move
                                      */
    SCREE_SEARCH_COUNT
} ScreeSearch;

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
    bool signed_gap;    /* g instead of max(g, 0): pushes overlaps apart, pumps energy; false. The
                           variational engines always have it */
    ScreeSearch search; /* hierarchical grid */
    double skin;        /* [length] how far the neighbour list sees past contact; 0 chooses it */
    double cell;        /* [length] width of the (smallest) cells of the search; 0 chooses it */
    uint64_t seed;      /* of every random choice; 1 */
    int threads;        /* 1; the result does not depend on it */
    ScreeSolverDef solver;
    ScreeSoftDef soft;
    ScreeVariationalDef variational;
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

/* ---------------------------------------------------------------- shapes */

/* An outline in the plane: all points within `rounding` of a polygon, which need not be convex. One
 * corner makes a disk, two a rod with round ends. */
typedef struct ScreeShapePart {
    int32_t corners;
    double rounding; /* [length] 0: sharp; must be greater than 0 for less than three corners */
} ScreeShapePart;

/* A shape of bodies in two dimensions: one outline, or several that move as one. Where parts
 * overlap, their masses add. */
typedef struct ScreeShapeDef {
    const ScreeShapePart *part;
    size_t parts;
    const ScreeVec3 *corner; /* [length] of all parts, one part after the other, either way round,
                                from any origin; z is 0 */
} ScreeShapeDef;

/* Adds a shape, which any number of bodies may have. Outlines that cross or touch themselves,
 * repeated corners, corners on a straight line and empty areas are refused. */
SCREE_API ScreeStatus scree_add_shape(ScreeWorld *world, const ScreeShapeDef *def, int32_t *id);
SCREE_API size_t scree_shape_count(const ScreeWorld *world);

/* A shape as it is kept: corners counterclockwise, from the centroid. The arrays are valid until a
 * shape is added. */
typedef struct ScreeShape {
    ScreeShapeDef def;
    size_t corners;     /* of all parts */
    ScreeVec3 centroid; /* [length] in the coordinates of its definition */
    double area;        /* [length^2] */
    double gyration;    /* [length^2] inertia about the centroid over mass */
    double radius;      /* [length] of the circle about the centroid that holds it */
} ScreeShape;

SCREE_API ScreeStatus scree_shape(const ScreeWorld *world, int32_t id, ScreeShape *shape);

/* The same of a definition alone. `message` (SCREE_MESSAGE_SIZE bytes, or NULL) names the part and
 * the corner that are wrong. The arrays of shape->def are the definition's own. */
SCREE_API ScreeStatus scree_measure_shape(const ScreeShapeDef *def, ScreeShape *shape,
                                          char *message);

/* A closed NURBS curve as an outline. Control point i has the weight w_i > 0; with the B-splines
 * N_i of the knots the curve is sum N_i w_i P_i / sum N_i w_i, from knot[degree] to knot[points],
 * where it must be back at its start. */
typedef struct ScreeNurbs {
    int32_t degree;         /* 1 to 7 */
    size_t points, knots;   /* knots: points + degree + 1 */
    const ScreeVec3 *point; /* [length] either way round, from any origin; z is 0 */
    const double *weight;   /* [points], or NULL: all 1 */
    const double *knot;     /* [knots], not descending */
} ScreeNurbs;

/* Adds a shape of one curve. Curves that are open, or cross or touch themselves, or stand still
 * are refused. In scree_shape it is a polygon with corners on the curve, which it leaves by at most
 * 4e-4 of its diameter; area, centroid, gyration and radius are those of the curve. */
SCREE_API ScreeStatus scree_add_nurbs(ScreeWorld *world, const ScreeNurbs *def, int32_t *id);

/* The curve of a shape as it is kept: counterclockwise, from the centroid, always with weights.
 * SCREE_BAD_ID when the shape is none. Valid until a shape is added. */
SCREE_API ScreeStatus scree_shape_nurbs(const ScreeWorld *world, int32_t id, ScreeNurbs *def);

/* Measures of a curve alone. `corner` (or NULL) receives the first *corners corners of the polygon
 * that scree_shape would have, in the coordinates of the definition; *corners becomes their number.
 * `message` as above names the control point, weight or knot that is wrong. shape->def is empty. */
SCREE_API ScreeStatus scree_measure_nurbs(const ScreeNurbs *def, ScreeShape *shape,
                                          ScreeVec3 *corner, size_t *corners, char *message);

/* ---------------------------------------------------------------- bodies */

typedef struct ScreeBodyDef {
    ScreeVec3 position;    /* [length] of the centre of mass */
    ScreeQuat orientation; /* none */
    ScreeVec3 velocity;    /* [length/time]; zero */
    ScreeVec3 spin;        /* [1/time] angular velocity; zero */
    double radius;         /* [length]; must be set for round bodies; shapes have their own */
    int32_t shape;         /* -1 (default): round; else the number of a shape */
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
SCREE_API ScreeStatus scree_set_body_orientation(ScreeWorld *world, int32_t body,
                                                 ScreeQuat orientation);
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
    const double *radius; /* of a shape: of the circle that holds it */
    const double *mass;
    const double *inertia;
    const int32_t *material;
    const uint32_t *frozen;
    const int32_t *shape; /* -1: round */
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
    double stress;       /* [force/length^(d-1)] piston that is a plane: `force` is then set before
                            each step, stress times the area between other walls; 0: as given */
    int32_t between[4];  /* with stress: numbers of two planes that bound the piston, in space of
                            four; the area is that at the end of the step where they are moved, and
                            that at its start where they are pistons; -1: none */
} ScreeWallDef;

SCREE_API ScreeWallDef scree_default_wall(void);
SCREE_API ScreeStatus scree_add_wall(ScreeWorld *world, const ScreeWallDef *def, int32_t *id);
SCREE_API ScreeStatus scree_remove_wall(ScreeWorld *world, int32_t wall);

/* A fixed wall becomes a moved one. Not for pistons. */
SCREE_API ScreeStatus scree_set_wall_velocity(ScreeWorld *world, int32_t wall, ScreeVec3 velocity,
                                              ScreeVec3 spin);
SCREE_API ScreeStatus scree_set_wall_force(ScreeWorld *world, int32_t wall, ScreeVec3 force);

/* A piston that is a plane carries a stress from now on; its `between` must be set. */
SCREE_API ScreeStatus scree_set_wall_stress(ScreeWorld *world, int32_t wall, double stress);

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

/* One contact or candidate of the last step. Where that was cut (solver.cuts), the state is that at
 * its end and the impulse that of the whole step. With the soft engine normal and gap are those at
 * the end of the step, and impulses the forces there times the time step. */
typedef struct ScreeContact {
    int32_t a;             /* body */
    int32_t b;             /* body, or wall number w as -1 - w */
    int32_t feature;       /* which of several contact points of the pair; 0 between round ones */
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
    X(int64_t, iterations, "1",                                                                    \
      "sweeps over all contacts; variational: of interior points, the most of a stride")           \
    X(int64_t, converged, "1",                                                                     \
      "1 when residual and overlap_added are within the solver's limits, else 0")                  \
    X(int64_t, unsettled, "1",                                                                     \
      "contacts that neither hold at friction_static nor slide at friction: no solution found")    \
    X(int64_t, bonds, "1", "cohesive contacts at the end of the step")                             \
    X(double, residual, "1", "natural-map residual, relative, free of units")                      \
    X(double, residual_fclib, "1", "the same in the normalisation of FCLIB (depends on units)")    \
    X(double, residual_associated, "1", "variational engines: the same of the associated law")     \
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
    X(int64_t, cuts, "1",                                                                          \
      "cuts of the step where a contact stopped sliding; statics: strides beyond the first")       \
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

/* Every field of the report on the search once: X(type, name, dimension, meaning). First what was
 * chosen, as it stands now, then what was done since the world was made or loaded. */
#define SCREE_SEARCH_CHOICE_MAP(X)                                                                 \
    X(int32_t, method, "1", "of the search: ScreeSearch")                                          \
    X(int32_t, levels, "1", "of cells; 0: the method has none")                                    \
    X(double, cell, "length", "width of the smallest cells")                                       \
    X(double, cell_most, "length", "width of the largest cells")                                   \
    X(double, skin, "length", "how far the list sees past contact: twice the mean margin")         \
    X(double, aim, "1", "steps for which the margins are meant to suffice")                        \
    X(int64_t, pairs, "1", "in the neighbour list")

#define SCREE_SEARCH_COUNT_MAP(X)                                                                  \
    X(int64_t, updates, "1", "lists made")                                                         \
    X(int64_t, renewals, "1", "of these from nothing, by a method that keeps something")           \
    X(int64_t, tested, "1", "pairs compared")                                                      \
    X(int64_t, exchanged, "1", "ends of boxes exchanged in the linear lists")                      \
    X(int64_t, kept, "1", "pairs of all lists made")                                               \
    X(double, seconds, "s", "processor time in the search; no part of the result")

/* What the search for neighbours has chosen, and what it has done. */
typedef struct ScreeSearchReport {
#define X(type, name, dimension, meaning) type name;
    SCREE_SEARCH_CHOICE_MAP(X)
    SCREE_SEARCH_COUNT_MAP(X)
#undef X
} ScreeSearchReport;

SCREE_API ScreeSearchReport scree_search(const ScreeWorld *world);

/* "hierarchical_grid", as in scenes; NULL when out of range. */
SCREE_API const char *scree_search_name(int32_t method);

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

#include <scree/measures.h>

#include <scree/indeterminacy.h>
#include <scree/problem.h>

#endif
