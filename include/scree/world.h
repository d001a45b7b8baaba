/* The world: its settings, its life, its steps with their certificates, and how it is saved. What
 * it holds is in <scree/bodies.h>, what happens at contacts in <scree/laws.h>. */
#ifndef SCREE_WORLD_H
#define SCREE_WORLD_H

#include <scree/base.h>
#include <scree/bodies.h>

#ifdef __cplusplus
extern "C" {
#endif

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
                                    `residual`, and laws that can be written in matrices
                                    (docs/method.md); sweeps finish what they do not reach */
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
    ScreeMethod method;       /* auto */
    ScreeOrder order;         /* boxed */
    ScreeCriterion criterion; /* residual */
    double tolerance;   /* [1] relative accuracy; also what "converged" means in the report; 0.1 */
    double overlap;     /* [1] overlap that one step may add at a contact and still count as
                           converged, in radii of the smallest grain; 2.5e-4. In statics, that of
                           outlines: a motion that adds more is made in strides */
    double small_force; /* [force] the cutoff delta of the local criterion; 0 */
    int iterations;     /* sweeps of the fixed criterion, the most sweeps of the others; 2000 */
    bool warm_start;    /* begin from the impulses of the step before; true */
    double
        projection;  /* [1] the part of every overlap that is taken back after a step, in positions
                           only; 0.3 */
    int cuts;        /* how often a step is cut at most where a contact stops sliding and forces
                           jump, with a tolerance of 1e-6 or less: later events then come at their
                           times; 0, so that every contact obeys the law over the whole step */
    uint32_t cookie; /* set by scree_solver_def_default; leave it alone */
} ScreeSolverDef;

SCREE_API ScreeSolverDef scree_solver_def_default(void);

/* ---------------------------------------------------------------- soft engine settings */

typedef enum ScreeIntegrator {
    SCREE_INTEGRATOR_VELOCITY_VERLET, /* positions and velocities at the same times (default) */
    SCREE_INTEGRATOR_VERLET,          /* from this and the last position, without velocities */
    SCREE_INTEGRATOR_COUNT
} ScreeIntegrator;

typedef enum ScreeSoftFriction {
    SCREE_SOFT_FRICTION_SPRING,  /* tangential spring with memory, after Cundall and Strack; the
                                    default */
    SCREE_SOFT_FRICTION_VISCOUS, /* RC1: min(damping_tangential |v_t|, friction N) (RSDW 2) */
    SCREE_SOFT_FRICTION_COUNT
} ScreeSoftFriction;

typedef struct ScreeSoftDef {
    ScreeIntegrator integrator; /* velocity Verlet */
    ScreeSoftFriction friction; /* spring */
} ScreeSoftDef;

/* ---------------------------------------------------------------- variational engines */

/* Of the engines that find a step as the minimum of a convex function (docs/variational.md). */
typedef struct ScreeVariationalDef {
    bool exact;       /* Coulomb's law; false (default): the associated one, where what slides also
                         dilates */
    double tolerance; /* [1] errors over their units; 1e-8 */
    int iterations;   /* the most that one programme may take; 100 */
    double range;     /* [1] candidates are taken up within this part of a radius at least; 0.1 */
} ScreeVariationalDef;

/* ---------------------------------------------------------------- world */

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
SCREE_API const char *scree_engine_get_name(int32_t engine);
SCREE_API const char *scree_method_get_name(int32_t method);

/* How pairs of bodies that may touch soon are found (docs/neighbours.md). Results are the same, bit
 * for bit. */
typedef enum ScreeSearch {
    SCREE_SEARCH_HIERARCHICAL_GRID,  /* cells in levels: any number and any sizes (default) */
    SCREE_SEARCH_LINKED_CELL,        /* one size of cells: for bodies of similar size */
    SCREE_SEARCH_VERLET_LIST,        /* all pairs, rarely: for a few hundred bodies */
    SCREE_SEARCH_LINKED_LINEAR_LIST, /* sorted ends of bounding boxes: for bodies that hardly
                                        move */
    SCREE_SEARCH_COUNT
} ScreeSearch;

/* ---------------------------------------------------------------- the periodic cell */

/* What is given of a component of the cell's rate. */
typedef enum ScreeCellControl {
    SCREE_CELL_RATE,   /* the rate itself (default) */
    SCREE_CELL_STRESS, /* the stress that goes with it; the rate follows */
    SCREE_CELL_CONTROL_COUNT
} ScreeCellControl;

/* A periodic cell that deforms (docs/cell.md). Its edges are the columns of a matrix h, and move as
 * dh/dt = L h with the rate L; bodies move along, v = L (x - cell_min) + w, and the velocities of
 * bodies are w. Matrices have their components row by row: xx, xy, xz, yx, ... L_xy is dv_x / dy. */
typedef struct ScreeCellDef {
    bool deforms; /* false: the cell stays as it is, and nothing below but `vector` counts */
    ScreeVec3
        vector[3];  /* [length] its edges; zero: along the axes, from cell_min to cell_max. Along
                            a direction that is not periodic the edge is of no account; the others lie
                            in the periodic directions */
    double rate[9]; /* [1/time] L: as given, and where the stress is held, as it is; zero */
    int32_t control[9]; /* ScreeCellControl of each component; all rates */
    double stress[9]; /* [force/length^2, in the plane force/length] to be held where `control` says
                            so; positive in compression, as in the measures; zero */
    bool isotropic;   /* `pressure` is held and the cell keeps its shape but for given rates; false.
                            No component's stress is held then */
    double pressure;  /* [like stress] zero */
    bool symmetric;   /* rates of held shear stresses are symmetric; false: L_ij with i < j only, as
                            in simple shear, so that the cell does not turn */
    double mass;      /* [1] inertia of the cell in units of M d^2, the mass of all bodies times the
                            square of their mean diameter; 1 */
    double viscosity; /* [stress time] of the cell where stress is held: limits its rate; 0 */
    bool tilted;      /* set by the library: cell_min and cell_max do not say all of it */
    bool unfolded;    /* set by the library while it makes a step in a small cell */
    double inverse[9]; /* set by the library: of h */
} ScreeCellDef;

typedef struct ScreeWorldDef {
    int dimension;      /* 2: disks in the x-y plane; 3: spheres. Default 3 */
    ScreeEngine engine; /* contact dynamics */
    ScreeVec3 gravity;  /* [length/time^2]; zero */
    double time_step;   /* [time]; must be set. The soft engine takes 0 for its own choice */
    double theta;     /* [1] of the theta method, 1/2 to 1: bodies move at theta v_new + (1 - theta)
                         v_old (L 4.4). 1 is implicit Euler; less makes every impact elastic with
                         e = (1 - theta) / theta (L 4.7); 1 */
    bool periodic[3]; /* along x, y, z; none */
    ScreeVec3 cell_min;  /* [length] lower corner of the periodic cell; only its periodic directions
                           count; zero */
    ScreeVec3 cell_max;  /* [length] its upper corner; zero */
    ScreeCellDef deform; /* other edges, and how the cell deforms; the cell of above, for ever */
    bool signed_gap;     /* g instead of max(g, 0): pushes overlaps apart, pumps energy; false. The
                           variational engines always have it */
    ScreeSearch search;  /* hierarchical grid */
    double skin;         /* [length] how far the neighbour list sees past contact; 0 chooses it */
    double cell;         /* [length] width of the (smallest) cells of the search; 0 chooses it */
    uint64_t seed;       /* of every random choice; 1 */
    int threads;         /* 1; the result does not depend on it */
    ScreeSolverDef solver;           /* how impulses are found */
    ScreeSoftDef soft;               /* of the soft engine */
    ScreeVariationalDef variational; /* of the variational and the quasi-static engine */
    uint32_t cookie;                 /* set by scree_world_def_default; leave it alone */
} ScreeWorldDef;

SCREE_API ScreeWorldDef scree_world_def_default(void);

/* Makes an empty world. `message` (SCREE_MESSAGE_SIZE bytes, or NULL) tells what was wrong. */
SCREE_API ScreeStatus scree_world_create(const ScreeWorldDef *def, ScreeWorld **world,
                                         char *message);
SCREE_API void scree_world_destroy(ScreeWorld *world);

/* What was wrong in the last call on this world that failed; valid until the next one. */
SCREE_API const char *scree_world_get_message(const ScreeWorld *world);

/* The definition as it stands now. */
SCREE_API ScreeWorldDef scree_world_get_def(const ScreeWorld *world);

/* [time] since the start, and the steps made. */
SCREE_API double scree_world_get_time(const ScreeWorld *world);
SCREE_API uint64_t scree_world_get_step_count(const ScreeWorld *world);

/* Change the definition from the next step on. */
SCREE_API ScreeStatus scree_world_set_gravity(ScreeWorld *world, ScreeVec3 gravity);
SCREE_API ScreeStatus scree_world_set_time_step(ScreeWorld *world, double time_step);
SCREE_API ScreeStatus scree_world_set_solver(ScreeWorld *world, const ScreeSolverDef *solver);
SCREE_API ScreeStatus scree_world_set_threads(ScreeWorld *world, int threads);

/* Changes how the cell deforms, from the next step on. Its edges stay as they are, and so do rates where
 * a stress is held. */
SCREE_API ScreeStatus scree_world_set_cell(ScreeWorld *world, const ScreeCellDef *cell);

/* Gives a periodic cell three other edges at once; bodies stay where they are. Those along directions that are not
 * periodic do not count. */
SCREE_API ScreeStatus scree_world_set_cell_edges(ScreeWorld *world, const ScreeVec3 *edge);

/* The periodic cell as it stands. Matrices as in ScreeCellDef. */
typedef struct ScreeCellReport {
    ScreeVec3 vector[3]; /* [length] its edges; zero along directions that are not periodic */
    double volume;    /* [length^3, in the plane length^2] along directions that are not periodic:
                            per length */
    double rate[9];   /* [1/time] L in the last step */
    double strain[9]; /* [1] its integral over time since the world was made */
    double stress[9]; /* [force/length^2, in the plane force/length] of the last step, that of the
                            motion relative to the cell included; positive in compression. Zero in a
                            cell that does not deform */
} ScreeCellReport;

SCREE_API ScreeCellReport scree_world_get_cell(const ScreeWorld *world);

/* The name of a component of such matrices: "xx", "xy", ...; NULL when out of range. */
SCREE_API const char *scree_cell_get_component(int component);

/* [time] The soft engine's own choice of its time step, a twentieth of the shortest collision of
 * the stiffest pair; 0 for another engine, or without bodies. */
SCREE_API double scree_world_advise_time_step(const ScreeWorld *world);

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
    X(int64_t, glued, "1", "bonds between grains at the end of the step")                          \
    X(int64_t, broken, "1", "bonds between grains that have broken in the step")                   \
    X(double, residual, "1", "natural-map residual, relative, free of units")                      \
    X(double, residual_loads, "1", "the same relative to the contact forces")                      \
    X(double, residual_velocity, "1", "the same in velocities, which light bodies do not hide")    \
    X(double, velocity_error, "velocity", "by how much any contact misses its law, at most")       \
    X(double, residual_fclib, "1", "the same in the normalisation of FCLIB (depends on units)")    \
    X(double, residual_associated, "1", "variational engines: the same of the associated law")     \
    X(double, overlap_added, "length", "largest overlap that the step adds at a contact")          \
    X(double, overlap_max, "length", "largest overlap at the end of the step")                     \
    X(double, overlap_mean, "length", "overlap averaged over active contacts")                     \
    X(double, kinetic_energy, "energy", "of all bodies and pistons at the end of the step")        \
    X(double, work_external, "energy", "done by gravity and external forces during the step")      \
    X(double, work_walls, "energy", "done by moved walls and moving frozen bodies")                \
    X(double, work_cell, "energy", "done by what deforms the periodic cell")                       \
    X(double, work_growth, "energy", "done by bodies that grow, and brought by what they grow by") \
    X(double, energy_elastic, "energy", "stored in springs of contacts and in liquid bridges")     \
    X(double, dissipation, "energy", "lost in contacts during the step: the sum of the next five") \
    X(double, dissipation_normal, "energy", "by impact and compression")                           \
    X(double, dissipation_friction, "energy", "by sliding")                                        \
    X(double, dissipation_rolling, "energy", "by rolling friction")                                \
    X(double, dissipation_torsion, "energy", "by torsion friction")                                \
    X(double, dissipation_cohesion, "energy",                                                      \
      "by cohesive contacts, bonds, and bridges that break")                                       \
    X(double, dissipation_scheme, "energy", "lost to the first-order time stepping")               \
    X(double, energy_projected, "energy",                                                          \
      "given to bodies where overlaps were pushed apart against external forces")                  \
    X(double, energy_error, "energy", "what the balance of the above leaves over: rounding")       \
    X(double, motion_max, "1", "largest motion during the step, in radii of the body")             \
    X(double, stiffness, "force/length", "of a contact, implied by the iterations (UK 67)")        \
    X(double, sound_speed, "length/time", "implied by the iterations (UK 57)")                     \
    X(double, diffusion_length, "length", "how far the iterations carry a force (UK 47)")          \
    X(double, packing_length, "length", "extent of the largest cluster in contact")                \
    X(int64_t, spurious_elasticity, "1",                                                           \
      "1 when not converged and the cluster is longer than the diffusion length")                  \
    X(int64_t, cuts, "1", "cuts of the step where a contact stopped sliding")                      \
    X(int64_t, uncut, "1", "1 when solver.cuts was too small: forces may have jumped in the step") \
    X(int64_t, strides, "1",                                                                       \
      "strides of the step beyond the first: of statics, or of a step that was made in halves")    \
    X(int64_t, rebuilt, "1", "1 when the neighbour list was rebuilt")

typedef struct ScreeReport {
#define X(type, name, dimension, meaning) type name;
    SCREE_REPORT_MAP(X)
#undef X
} ScreeReport;

/* What the next step would refuse before it begins, with the same status and message: laws that the
 * engine or the solver's method cannot solve, and stresses between walls that are no planes. */
SCREE_API ScreeStatus scree_world_check(ScreeWorld *world);

/* One time step. `report` may be NULL. Non-convergence is not an error: report->converged tells.
 * After a failure no body has moved and no bond, spring or sticking contact is forgotten; the
 * impulses kept for the warm start, and the springs of the soft engine, may be lost. */
SCREE_API ScreeStatus scree_world_step(ScreeWorld *world, ScreeReport *report);

/* Why the last step did not converge: the first limit that it, or one of its strides, went beyond, in
 * words ("residual", "overlap added in a stride"), with what it had and what it was allowed (both 0
 * where that is no number). */
typedef struct ScreeMiss {
    const char *what; /* NULL: the step has converged, or this is not known */
    double value, limit;
} ScreeMiss;

SCREE_API ScreeMiss scree_world_get_miss(const ScreeWorld *world);

/* Overlaps of the bodies as they stand, among each other and with walls. */
typedef struct ScreeOverlap {
    size_t count;   /* overlapping pairs; counting stops at a million */
    ScreeBodyId a;  /* of the deepest; SCREE_NO_BODY when nothing overlaps */
    ScreePartner b; /* what it overlaps with */
    double depth;   /* [length] */
} ScreeOverlap;

SCREE_API ScreeStatus scree_world_find_overlaps(ScreeWorld *world, ScreeOverlap *overlap);

/* Mean number of active contacts per body that has any, walls counted; NaN when out of memory. */
SCREE_API double scree_world_get_coordination(const ScreeWorld *world);
SCREE_API double scree_world_get_kinetic_energy(const ScreeWorld *world);

/* Wall-clock time and memory since the world was made; no part of the result. */
typedef struct ScreeCost {
    double seconds_total;  /* [s] in scree_world_step */
    double seconds_solver; /* [s] of that in the sweeps and their residual checks */
    double updates;        /* contact updates made: contacts times sweeps */
    size_t bytes_bodies;   /* allocated for bodies and per-body work */
    size_t bytes_contacts; /* allocated for contacts, pairs and per-contact work */
    size_t contacts;       /* contacts that bytes_contacts has served at most */
} ScreeCost;

SCREE_API ScreeCost scree_world_get_cost(const ScreeWorld *world);

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

SCREE_API ScreeSearchReport scree_world_get_search(const ScreeWorld *world);

/* "hierarchical_grid", as in scenes; NULL when out of range. */
SCREE_API const char *scree_search_get_name(int32_t method);

/* ---------------------------------------------------------------- taking over */

/* How bodies and contacts of another world, which stays as it is, are taken over. */
typedef struct ScreeTakeDef {
    const ScreeMaterialId *material; /* [materials of the other] what each is called here; NULL: the
                                        same number. Masses and inertias follow the density */
    const ScreeWallId *wall; /* [walls of the other] the same here; SCREE_NO_WALL: its contacts are
                                dropped; NULL: the same number */
    int32_t copies[3];       /* of the cell along x, y, z, side by side; more than 1 only where the
                                other world is periodic; 1. Copy c of body i, counted along x first,
                                gets the number i copies + c */
    uint32_t cookie;         /* set by scree_take_def_default; leave it alone */
} ScreeTakeDef;

SCREE_API ScreeTakeDef scree_take_def_default(void);

/* Takes bodies with their shapes from another world of the same dimension. This one must have
 * materials, but neither bodies nor shapes yet. Everything else may differ. */
SCREE_API ScreeStatus scree_world_take_bodies(ScreeWorld *world, const ScreeWorld *from,
                                              const ScreeTakeDef *def);

/* After that, and after walls were added: takes the contacts between these bodies and with walls,
 * with their impulses, bonds and springs. Soft springs go to a world of the soft engine only. */
SCREE_API ScreeStatus scree_world_take_contacts(ScreeWorld *world, const ScreeWorld *from,
                                                const ScreeTakeDef *def);

/* Replaces the contacts of the last step, as a view of an earlier moment has them: impulses for the
 * warm start, bonds and springs. Not for the soft engine. */
SCREE_API ScreeStatus scree_world_set_contacts(ScreeWorld *world, const ScreeContactView *contacts);

/* ---------------------------------------------------------------- saving */

/* The whole state as bytes. Call with buffer NULL to learn the size; `size` holds the buffer's size
 * on entry and the bytes needed on return. A loaded world steps on bit for bit. */
SCREE_API ScreeStatus scree_world_save(const ScreeWorld *world, void *buffer, size_t *size);
SCREE_API ScreeStatus scree_world_load(const void *buffer, size_t size, ScreeWorld **world,
                                       char *message);

/* A number that two worlds share when all their state agrees, bit for bit. */
SCREE_API uint64_t scree_world_hash(const ScreeWorld *world);

#ifdef __cplusplus
}
#endif

#endif
