/* The schema at the top of a scene: world, time, materials, solver, output. */
#include "scene/read/reader.h"
#include "scene/scene.h"
#include "scene/schema/sections.h"

#define FIELD(type, name) offsetof(type, name)

/* ---------------------------------------------------------------- time, periodic directions */

static bool read_theta(SceneReader *reader, const SceneKey *key, int node, void *field) {
    return scene_read_plain(reader, key, node, field,
                            "1 is implicit Euler and 1/2 the midpoint rule; below 1/2, steps are "
                            "unstable");
}

static const SceneType type_theta = {"a number", scene_number_literal, read_theta, false, false};

static const SceneKey time_keys[] = {
    {"step", &scene_type_number, FIELD(SceneTimeSpec, step), "time",
     "(chosen; required by the quasi-static engine)", POSITIVE, NULL, NULL, "the time step"},
    {"end", &scene_type_number, FIELD(SceneTimeSpec, end), "time", SCENE_REQUIRED, POSITIVE, NULL,
     NULL, "when the run ends; the last step may go past it"},
    {"theta", &type_theta, FIELD(SceneTimeSpec, theta), "1", "1", UPPER_HALF, NULL, NULL,
     "bodies move with the velocity theta v_new + (1 - theta) v_old; a value below 1 gives impacts "
     "a restitution of (1 - theta) / theta if the bodies already touch at the start of the step, "
     "and less otherwise"},
};

static const SceneSection time_section = {
    "time",
    "The run goes from time 0 to `end` in equal steps. If `step` is omitted, one is chosen in "
    "which the "
    "smallest grain moves at most a tenth of its radius at the greatest speed of walls and of "
    "grains as they begin, and a fifth of it at the speed of a fall to the bottom, or to which a "
    "load can drive the "
    "grains; and a periodic cell deforms by at most 0.002. With `engine: soft` it is a twentieth "
    "of "
    "the shortest collision of the stiffest pair. A whole number of steps lies between two frames. "
    "`scree check` tells the step and what it was chosen for.",
    "time: {step: 1e-3, end: 4}\n", SCENE_KEYS(time_keys), sizeof(SceneTimeSpec)};

static const SceneKey periodic_keys[] = {
    {"x", &scene_type_span, FIELD(ScenePeriodicSpec, axis[0]), "length", "(not periodic)", ANY,
     NULL, NULL, "the cell along x"},
    {"y", &scene_type_span, FIELD(ScenePeriodicSpec, axis[1]), "length", "(not periodic)", ANY,
     NULL, NULL, "the cell along y"},
    {"z", &scene_type_span, FIELD(ScenePeriodicSpec, axis[2]), "length", "(not periodic)", ANY,
     NULL, NULL, "the cell along z (three dimensions)"},
};

static const SceneSection periodic_section = {
    "periodic", "Periodic directions: what leaves the cell on one side re-enters on the other.",
    "periodic: {x: [0, 10]}\n", SCENE_KEYS(periodic_keys), sizeof(ScenePeriodicSpec)};

/* ---------------------------------------------------------------- engine */

static const SceneChoice engines[] = {{"contact_dynamics", SCREE_ENGINE_CONTACT_DYNAMICS},
                                      {"soft", SCREE_ENGINE_SOFT},
                                      {"variational", SCREE_ENGINE_VARIATIONAL},
                                      {"quasistatic", SCREE_ENGINE_QUASISTATIC},
                                      {NULL, 0}};

static const SceneChoice devices[] = {{"cpu", SCREE_DEVICE_CPU},
                                      {"gpu", SCREE_DEVICE_GPU},
                                      {"auto", SCREE_DEVICE_AUTO},
                                      {"emulated", SCREE_DEVICE_EMULATED},
                                      {NULL, 0}};

static const SceneChoice bridges[] = {
    {"touching", SCENE_BRIDGES_TOUCHING}, {"near", SCENE_BRIDGES_NEAR}, {NULL, 0}};

static const SceneChoice integrators[] = {{"velocity_verlet", SCREE_INTEGRATOR_VELOCITY_VERLET},
                                          {"verlet", SCREE_INTEGRATOR_VERLET},
                                          {NULL, 0}};

static const SceneChoice soft_frictions[] = {
    {"spring", SCREE_SOFT_FRICTION_SPRING}, {"viscous", SCREE_SOFT_FRICTION_VISCOUS}, {NULL, 0}};

static const SceneChoice long_steps[] = {
    {"refuse", SCENE_LONG_STEP_REFUSE}, {"warn", SCENE_LONG_STEP_WARN}, {NULL, 0}};

static const SceneKey soft_keys[] = {
    {"integrator", &scene_type_choice, FIELD(SceneSoftSpec, integrator), NULL, "velocity_verlet",
     ANY, integrators, NULL,
     "`verlet` advances positions from the current and the previous ones, without velocities"},
    {"friction", &scene_type_choice, FIELD(SceneSoftSpec, friction), NULL, "spring", ANY,
     soft_frictions, NULL,
     "`spring` remembers the shear displacement of a contact; `viscous` is "
     "min(damping_tangential v, friction N)"},
    {"long_step", &scene_type_choice, FIELD(SceneSoftSpec, long_step), NULL, "refuse", ANY,
     long_steps, NULL,
     "what to do about a `time.step` of more than four times the one that would be chosen, with "
     "which a packing may blow up: `warn` runs it all the same"},
};

static const SceneSection soft_section = {
    "soft",
    "Settings of `engine: soft`, in which grains overlap slightly and repel each other through "
    "springs and dashpots, integrated explicitly. It is meant for comparison. Every material needs "
    "a `stiffness` or a `modulus`.",
    "engine: soft\nsoft: {integrator: verlet, friction: viscous}\n", SCENE_KEYS(soft_keys),
    sizeof(SceneSoftSpec)};

static const SceneChoice sliding_laws[] = {{"associated", 0}, {"exact", 1}, {NULL, 0}};

static const SceneKey variational_keys[] = {
    {"friction", &scene_type_choice, FIELD(SceneVariationalSpec, friction), NULL, "associated", ANY,
     sliding_laws, NULL,
     "`associated`: a convex problem, in which a sliding contact also dilates by `friction` times "
     "its slip; `exact`: Coulomb's law, as a sequence of such problems"},
    {"tolerance", &scene_type_number, FIELD(SceneVariationalSpec, tolerance), "1", "1e-8", POSITIVE,
     NULL, NULL,
     "for balance, kinematics and complementarity, relative to typical forces and motions"},
    {"iterations", &scene_type_integer, FIELD(SceneVariationalSpec, iterations), "1", "100",
     POSITIVE, NULL, NULL, "maximum for each convex problem; about twenty are typical"},
    {"range", &scene_type_number, FIELD(SceneVariationalSpec, range), "1", "0.1", NOT_NEGATIVE,
     NULL, NULL,
     "pairs closer than this fraction of a radius are candidates for contact; more distant ones "
     "are added if they are about to touch"},
};

static const SceneSection variational_section = {
    "variational",
    "Settings of `engine: variational` and `engine: quasistatic`, see "
    "[variational.md](variational.md). The latter has no inertia: time merely counts the "
    "increments of walls and loads.",
    "engine: quasistatic\nvariational: {friction: associated, tolerance: 1e-8}\n",
    SCENE_KEYS(variational_keys), sizeof(SceneVariationalSpec)};

/* ---------------------------------------------------------------- solver, output */

static const SceneChoice methods[] = {{"auto", SCREE_METHOD_AUTO},
                                      {"gauss_seidel", SCREE_METHOD_GAUSS_SEIDEL},
                                      {"accelerated", SCREE_METHOD_ACCELERATED},
                                      {"newton", SCREE_METHOD_NEWTON},
                                      {"interior_point", SCREE_METHOD_INTERIOR_POINT},
                                      {NULL, 0}};

static const SceneChoice orders[] = {
    {"boxed", SCREE_ORDER_BOXED},       {"random", SCREE_ORDER_RANDOM},
    {"fixed", SCREE_ORDER_FIXED},       {"alternating", SCREE_ORDER_ALTERNATING},
    {"coloured", SCREE_ORDER_COLOURED}, {NULL, 0}};

static const SceneChoice criteria[] = {{"residual", SCREE_CRITERION_RESIDUAL},
                                       {"local", SCREE_CRITERION_LOCAL},
                                       {"global", SCREE_CRITERION_GLOBAL},
                                       {"fixed", SCREE_CRITERION_FIXED},
                                       {NULL, 0}};

static const SceneChoice policies[] = {
    {"continue", SCENE_CONTINUE}, {"warn", SCENE_WARN}, {"stop", SCENE_STOP}, {NULL, 0}};

static const SceneKey solver_keys[] = {
    {"method", &scene_type_choice, FIELD(SceneSolverSpec, method), NULL, "auto", ANY, methods, NULL,
     "how impulses are found: `gauss_seidel` sweeps over the contacts; `accelerated` sweeps with "
     "momentum; `newton` and `interior_point` factorise matrices, and fall back on sweeps if they "
     "fail to converge; `auto` is `accelerated` with the criterion `residual`, and `gauss_seidel` "
     "otherwise"},
    {"order", &scene_type_choice, FIELD(SceneSolverSpec, order), NULL, "boxed", ANY, orders, NULL,
     "order in which a sweep visits the contacts: by boxes of neighbours, redrawn in each step; in "
     "a new random permutation in each sweep; as found; as found, alternately forwards and "
     "backwards; by independent sets"},
    {"criterion", &scene_type_choice, FIELD(SceneSolverSpec, criterion), NULL, "residual", ANY,
     criteria, NULL,
     "when the sweeps end: by the residual of the exact problem; by the change of every contact "
     "force; by the change of the mean force; after a fixed number"},
    {"tolerance", &scene_type_number, FIELD(SceneSolverSpec, tolerance), "1", "0.1", POSITIVE, NULL,
     NULL, "relative accuracy at which a step counts as converged"},
    {"overlap", &scene_type_number, FIELD(SceneSolverSpec, overlap), "1", "2.5e-4", POSITIVE, NULL,
     NULL,
     "overlap that a step may add at any contact and still count as converged, in radii of the "
     "smallest grain; statics: the overlap of outlines beyond which an increment is split into "
     "strides"},
    {"small_force", &scene_type_number, FIELD(SceneSolverSpec, small_force), "force", "0",
     NOT_NEGATIVE, NULL, NULL, "smaller changes are ignored by the local criterion"},
    {"iterations", &scene_type_integer, FIELD(SceneSolverSpec, iterations), "1", "2000", POSITIVE,
     NULL, NULL,
     "number of sweeps with the fixed criterion, maximum number with the others: each time that a "
     "problem is solved, and a step may need that several times, above all where it is made in "
     "strides"},
    {"warm_start", &scene_type_boolean, FIELD(SceneSolverSpec, warm_start), NULL, "true", ANY, NULL,
     NULL, "start from the forces of the previous step"},
    {"projection", &scene_type_number, FIELD(SceneSolverSpec, projection), "1", "0.3", NOT_NEGATIVE,
     NULL, NULL,
     "part of every overlap that is taken back after a step, by moving grains apart without "
     "changing velocities; at most 1; 0: none"},
    {"cuts", &scene_type_integer, FIELD(SceneSolverSpec, cuts), "1", "0", NOT_NEGATIVE, NULL, NULL,
     "maximum number of times that a step is cut where a contact stops sliding and forces jump; "
     "takes effect only if the tolerance is 1e-6 or less"},
    {"on_failure", &scene_type_choice, FIELD(SceneSolverSpec, policy), NULL, "warn", ANY, policies,
     NULL, "what to do if a step does not converge"},
};

static const SceneSection solver_section = {
    "solver", "How the contact forces are found.",
    "solver: {order: random, criterion: fixed, iterations: 100}\n", SCENE_KEYS(solver_keys),
    sizeof(SceneSolverSpec)};

static const SceneKey output_keys[] = {
    {"every", &scene_type_number, FIELD(SceneOutputSpec, every), "time", "(a hundredth of the run)",
     POSITIVE, NULL, NULL, "time between frames"},
    {"contacts", &scene_type_boolean, FIELD(SceneOutputSpec, contacts), NULL, "true", ANY, NULL,
     NULL, "whether to write the contacts of every frame"},
    {"checkpoint_seconds", &scene_type_number, FIELD(SceneOutputSpec, checkpoint_seconds), "s",
     "60", POSITIVE, NULL, NULL, "wall-clock time between checkpoints"},
};

static const SceneSection output_section = {"output", "What is written to the run file.",
                                            "output: {every: 0.02}\n", SCENE_KEYS(output_keys),
                                            sizeof(SceneOutputSpec)};

static const SceneChoice searches[] = {{"hierarchical_grid", SCREE_SEARCH_HIERARCHICAL_GRID},
                                       {"linked_cell", SCREE_SEARCH_LINKED_CELL},
                                       {"verlet_list", SCREE_SEARCH_VERLET_LIST},
                                       {"linked_linear_list", SCREE_SEARCH_LINKED_LINEAR_LIST},
                                       {NULL, 0}};

static const SceneKey neighbours_keys[] = {
    {"method", &scene_type_choice, FIELD(SceneNeighboursSpec, method), NULL, "hierarchical_grid",
     ANY, searches, NULL,
     "the default suits every case; the others are taken from the literature, see "
     "[neighbours.md](neighbours.md)"},
    {"skin", &scene_type_number, FIELD(SceneNeighboursSpec, skin), "length", "0", NOT_NEGATIVE,
     NULL, NULL,
     "how far the neighbour list reaches beyond contact; 0: chosen and adapted automatically"},
    {"cell", &scene_type_number, FIELD(SceneNeighboursSpec, cell), "length", "0", NOT_NEGATIVE,
     NULL, NULL, "width of the (smallest) cells; 0: chosen and adapted automatically"},
};

static const SceneSection neighbours_section = {"neighbours",
                                                "How to find the pairs of grains that may soon "
                                                "touch. All methods give the same results, bit for "
                                                "bit; they differ only in speed.",
                                                "neighbours: {method: linked_cell, cell: 0.1}\n",
                                                SCENE_KEYS(neighbours_keys),
                                                sizeof(SceneNeighboursSpec)};

/* ---------------------------------------------------------------- overlaps at the start */

static const SceneChoice overlap_words[] = {
    {"refuse", OVERLAP_REFUSE}, {"accept", OVERLAP_ACCEPT}, {NULL, 0}};

static const SceneKey overlap_keys[] = {
    {"tolerate", &scene_type_number, FIELD(SceneOverlapSpec, tolerate), "length", SCENE_REQUIRED,
     NOT_NEGATIVE, NULL, NULL, "overlaps up to this depth are accepted"},
};

static const SceneSection overlap_section = {
    "overlap",
    "What to do about grains that overlap each other or a wall at the start: `refuse` the scene, "
    "`accept` all of them, or accept them up to a given depth. Overlaps of the order of rounding "
    "errors are ignored.",
    "overlap: {tolerate: 1e-3}\n", SCENE_KEYS(overlap_keys), sizeof(SceneOverlapSpec)};

/* ---------------------------------------------------------------- the whole */

static const SceneKey root_keys[] = {
    {"extends", &scene_type_name, FIELD(SceneModel, extends), NULL, "(none)", ANY, NULL, NULL,
     "file of a scene that this one is based on: mappings are merged key by key, anything else is "
     "replaced, and `null` removes a key; a relative path starts from the folder of the file that "
     "contains it"},
    {"dimension", &scene_type_integer, FIELD(SceneModel, dimension), "1", "3", POSITIVE, NULL, NULL,
     "3: spheres and solids; 2: disks and other shapes in the x-y plane, with vectors of two "
     "numbers"},
    {"engine", &scene_type_choice, FIELD(SceneModel, engine), NULL, "contact_dynamics", ANY,
     engines, NULL,
     "rigid grains with exact friction; soft grains with springs; rigid grains by convex "
     "programming; the same without inertia"},
    {"device", &scene_type_choice, FIELD(SceneModel, device), NULL, "cpu", ANY, devices, NULL,
     "what sweeps, see [gpu.md](gpu.md): the processor; a GPU, or the run does not begin; a GPU if "
     "there "
     "is one and it can, else the processor; for tests, the GPU's kernels on the processor. "
     "Results do "
     "not depend on it"},
    {"gravity", &scene_type_vector, FIELD(SceneModel, gravity), "length/time^2", "(zero)", ANY,
     NULL, NULL, "acceleration of every grain"},
    {"time", &scene_type_section, FIELD(SceneModel, time), NULL, SCENE_REQUIRED, ANY, NULL,
     &time_section, "time step and end"},
    {"seed", &scene_type_integer, FIELD(SceneModel, seed), "1", "1", NOT_NEGATIVE, NULL, NULL,
     "seed of all random choices; a different seed gives a different packing"},
    {"periodic", &scene_type_section, FIELD(SceneModel, periodic), NULL, "(none)", ANY, NULL,
     &periodic_section, "periodic directions"},
    {"cell", &scene_type_section, FIELD(SceneModel, cell), NULL, "(it stays as it is)", ANY, NULL,
     &scene_section_cell, "how the periodic cell deforms"},
    {"signed_gap", &scene_type_boolean, FIELD(SceneModel, signed_gap), NULL, "false", ANY, NULL,
     NULL, "push overlapping grains apart; this creates energy"},
    {"skin", &scene_type_number, FIELD(SceneModel, skin), "length", "0", NOT_NEGATIVE, NULL, NULL,
     "shorthand for neighbours.skin"},
    {"neighbours", &scene_type_section, FIELD(SceneModel, neighbours), NULL, "(see below)", ANY,
     NULL, &neighbours_section, "how neighbours are found; results do not depend on the method"},
    {"materials", &scene_type_map, FIELD(SceneModel, materials), NULL, SCENE_REQUIRED, ANY, NULL,
     &scene_section_materials, "materials by name"},
    {"pairs", &scene_type_list, FIELD(SceneModel, pairs), NULL, "(none)", ANY, NULL,
     &scene_section_pairs, "contact laws between pairs of materials"},
    {"walls", &scene_type_map, FIELD(SceneModel, walls), NULL, "(none)", ANY, NULL,
     &scene_section_walls, "walls by name"},
    {"shapes", &scene_type_map, FIELD(SceneModel, shapes), NULL, "(none)", ANY, NULL,
     &scene_section_shapes, "shapes by name"},
    {"start", &scene_type_section, FIELD(SceneModel, start), NULL, "(from nothing)", ANY, NULL,
     &scene_section_start, "a run to begin from"},
    {"grains", &scene_type_list, FIELD(SceneModel, grains), NULL,
     "(none, if there is start or an inlet)", ANY, NULL, &scene_section_grains,
     "grains, in one or more entries"},
    {"inlets", &scene_type_map, FIELD(SceneModel, inlets), NULL, "(none)", ANY, NULL,
     &scene_section_inlets, "where grains appear during the run, by name"},
    {"outlets", &scene_type_map, FIELD(SceneModel, outlets), NULL, "(none)", ANY, NULL,
     &scene_section_outlets, "where grains are removed, by name"},
    {"bonds", &scene_type_map, FIELD(SceneModel, bonds), NULL, "(none)", ANY, NULL,
     &scene_section_bonds, "glue between grains, by name"},
    {"bridges", &scene_type_choice, FIELD(SceneModel, bridges), NULL, "touching", ANY, bridges,
     NULL,
     "who has a liquid bridge at the start, where materials have liquid: grains that touch; or "
     "`near`: all that are nearer "
     "than the gap at which their bridge would break ([bridges.md](bridges.md))"},
    {"overlap", &scene_type_overlap, FIELD(SceneModel, overlap), NULL, "(refuse)", ANY,
     overlap_words, &overlap_section, "policy for overlaps at the start"},
    {"events", &scene_type_list, FIELD(SceneModel, events), NULL, "(none)", ANY, NULL,
     &scene_section_events, "what happens during the run"},
    {"stop", &scene_type_section, FIELD(SceneModel, stop), NULL, "(at the end time)", ANY, NULL,
     &scene_section_condition, "a condition that ends the run early"},
    {"solver", &scene_type_section, FIELD(SceneModel, solver), NULL, "(see below)", ANY, NULL,
     &solver_section, "settings of the solver"},
    {"soft", &scene_type_section, FIELD(SceneModel, soft), NULL, "(see below)", ANY, NULL,
     &soft_section, "settings of the soft engine"},
    {"variational", &scene_type_section, FIELD(SceneModel, variational), NULL, "(see below)", ANY,
     NULL, &variational_section, "settings of the variational and quasi-static engines"},
    {"output", &scene_type_section, FIELD(SceneModel, output), NULL, "(see below)", ANY, NULL,
     &output_section, "frames and checkpoints"},
    {"measures", &scene_type_map, FIELD(SceneModel, measures), NULL, "(none)", ANY, NULL,
     &scene_section_measures, "measures to record during the run, by name"},
};

const SceneSection scene_section_root = {
    "the scene", "The top-level keys of a scene.",
    "# grains drop into a box\n"
    "gravity: [0, 0, -9.81]\n"
    "time: {step: 1e-3, end: 1}\n"
    "materials:\n"
    "  stone: {density: 2600, friction: 0.5}\n"
    "walls:\n"
    "  tank: {box: {min: [0, 0, 0], max: [1, 1, 2]}, open: top}\n"
    "grains:\n"
    "  - {count: 500, radius: {uniform: [0.03, 0.05]}, fill: {min: [0, 0, 0], max: [1, 1, 2]}}\n",
    SCENE_KEYS(root_keys), sizeof(SceneModel)};
