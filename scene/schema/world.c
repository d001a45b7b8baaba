/* The schema at the top of a scene: world, time, materials, solver, output. */
#include "scene/read/reader.h"
#include "scene/scene.h"
#include "scene/schema/sections.h"

#define FIELD(type, name) offsetof(type, name)

/* ---------------------------------------------------------------- time, periodic directions */

static bool read_theta(SceneReader *reader, const SceneKey *key, int node, void *field) {
    return scene_read_plain(reader, key, node, field,
                            "1 is implicit Euler, 1/2 the midpoint rule; steps below 1/2 are "
                            "unstable");
}

static const SceneType type_theta = {"a number", scene_number_literal, read_theta, false, false};

static const SceneKey time_keys[] = {
    {"step", &scene_type_number, FIELD(SceneTimeSpec, step), "time",
     "(required; the soft engine chooses one)", POSITIVE, NULL, NULL, "the time step"},
    {"end", &scene_type_number, FIELD(SceneTimeSpec, end), "time", SCENE_REQUIRED, POSITIVE, NULL,
     NULL, "when the run is over; the last step may reach beyond it"},
    {"theta", &type_theta, FIELD(SceneTimeSpec, theta), "1", "1", UPPER_HALF, NULL, NULL,
     "bodies move at theta v_new + (1 - theta) v_old; less than 1 makes impacts elastic, with e = "
     "(1 - theta) / theta where bodies touch at the start of the step, else with less"},
};

static const SceneSection time_section = {
    "time",
    "The run goes from time 0 to `end` in equal steps. With `engine: soft` and without `step`, the "
    "step is a twentieth of the shortest collision of the stiffest pair, a little shortened so "
    "that frames fall on their times.",
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
    "periodic", "Directions in which what leaves on one side comes back on the other.",
    "periodic: {x: [0, 10]}\n", SCENE_KEYS(periodic_keys), sizeof(ScenePeriodicSpec)};

/* ---------------------------------------------------------------- engine */

static const SceneChoice engines[] = {{"contact_dynamics", SCREE_ENGINE_CONTACT_DYNAMICS},
                                      {"soft", SCREE_ENGINE_SOFT},
                                      {"variational", SCREE_ENGINE_VARIATIONAL},
                                      {"quasistatic", SCREE_ENGINE_QUASISTATIC},
                                      {NULL, 0}};

static const SceneChoice integrators[] = {{"velocity_verlet", SCREE_INTEGRATOR_VELOCITY_VERLET},
                                          {"verlet", SCREE_INTEGRATOR_VERLET},
                                          {NULL, 0}};

static const SceneChoice soft_frictions[] = {
    {"spring", SCREE_SOFT_FRICTION_SPRING}, {"viscous", SCREE_SOFT_FRICTION_VISCOUS}, {NULL, 0}};

static const SceneKey soft_keys[] = {
    {"integrator", &scene_type_choice, FIELD(SceneSoftSpec, integrator), NULL, "velocity_verlet",
     ANY, integrators, NULL, "`verlet` works from this and the last position, without velocities"},
    {"friction", &scene_type_choice, FIELD(SceneSoftSpec, friction), NULL, "spring", ANY,
     soft_frictions, NULL,
     "`spring` remembers the shear of a contact; `viscous` is min(damping_tangential v, friction "
     "N)"},
};

static const SceneSection soft_section = {
    "soft",
    "Settings of `engine: soft`: grains overlap a little and push each other apart by springs and "
    "dashpots, in explicit steps. It is there for comparison. Every material needs a `stiffness` "
    "or a `modulus`.",
    "engine: soft\nsoft: {integrator: verlet, friction: viscous}\n", SCENE_KEYS(soft_keys),
    sizeof(SceneSoftSpec)};

static const SceneChoice sliding_laws[] = {{"associated", 0}, {"exact", 1}, {NULL, 0}};

static const SceneKey variational_keys[] = {
    {"friction", &scene_type_choice, FIELD(SceneVariationalSpec, friction), NULL, "associated", ANY,
     sliding_laws, NULL,
     "`associated`: a convex problem, in which what slides also dilates by `friction` times its "
     "slip; `exact`: Coulomb's law, by a sequence of such problems"},
    {"tolerance", &scene_type_number, FIELD(SceneVariationalSpec, tolerance), "1", "1e-8", POSITIVE,
     NULL, NULL, "of balance, kinematics and complementarity, over typical forces and motions"},
    {"iterations", &scene_type_integer, FIELD(SceneVariationalSpec, iterations), "1", "100",
     POSITIVE, NULL, NULL, "the most of one convex problem; some twenty are usual"},
    {"range", &scene_type_number, FIELD(SceneVariationalSpec, range), "1", "0.1", NOT_NEGATIVE,
     NULL, NULL,
     "pairs nearer than this part of a radius are candidates for contact; farther ones are added "
     "when they would close"},
};

static const SceneSection variational_section = {
    "variational",
    "Settings of `engine: variational` and `engine: quasistatic`, see "
    "[variational.md](variational.md). The latter has no inertia: time only counts the "
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
     "how impulses are found: `gauss_seidel` sweeps over the contacts, `accelerated` sweeps with "
     "momentum, `newton` and `interior_point` factor matrices and leave to sweeps what they do not "
     "reach; "
     "`auto` accelerates with the criterion `residual`"},
    {"order", &scene_type_choice, FIELD(SceneSolverSpec, order), NULL, "boxed", ANY, orders, NULL,
     "in which order a sweep visits the contacts: in boxes of neighbours drawn anew each step; a "
     "new "
     "permutation every sweep; as found; as found, forwards and backwards; in independent sets"},
    {"criterion", &scene_type_choice, FIELD(SceneSolverSpec, criterion), NULL, "residual", ANY,
     criteria, NULL,
     "when the sweeps end: by the residual of the exact problem; by the change of every contact "
     "force; by "
     "the change of the mean force; after a fixed number"},
    {"tolerance", &scene_type_number, FIELD(SceneSolverSpec, tolerance), "1", "1e-2", POSITIVE,
     NULL, NULL, "relative accuracy, and what counts as converged"},
    {"overlap", &scene_type_number, FIELD(SceneSolverSpec, overlap), "1", "1e-3", POSITIVE, NULL,
     NULL,
     "overlap that one step may add at a contact and still count as converged, in radii of the "
     "smallest grain; statics: the overlap of outlines beyond which an increment is made in "
     "strides"},
    {"small_force", &scene_type_number, FIELD(SceneSolverSpec, small_force), "force", "0",
     NOT_NEGATIVE, NULL, NULL, "changes below it count as nothing in the local criterion"},
    {"iterations", &scene_type_integer, FIELD(SceneSolverSpec, iterations), "1", "2000", POSITIVE,
     NULL, NULL, "sweeps of the fixed criterion, the most sweeps of the others"},
    {"warm_start", &scene_type_boolean, FIELD(SceneSolverSpec, warm_start), NULL, "true", ANY, NULL,
     NULL, "begin from the forces of the step before"},
    {"recover", &scene_type_boolean, FIELD(SceneSolverSpec, recover), NULL, "false", ANY, NULL,
     NULL,
     "a contact that the last step let close too far opens by as much: grains with a free surface "
     "then hardly sink into each other; not for grains that are confined on all sides"},
    {"cuts", &scene_type_integer, FIELD(SceneSolverSpec, cuts), "1", "0", NOT_NEGATIVE, NULL, NULL,
     "how often a step is cut at most where a contact stops sliding and forces jump; only if the "
     "tolerance is 1e-6 or less"},
    {"on_failure", &scene_type_choice, FIELD(SceneSolverSpec, policy), NULL, "warn", ANY, policies,
     NULL, "what to do about a step that did not converge"},
};

static const SceneSection solver_section = {
    "solver", "How the contact forces are found.",
    "solver: {order: random, criterion: fixed, iterations: 100}\n", SCENE_KEYS(solver_keys),
    sizeof(SceneSolverSpec)};

static const SceneKey output_keys[] = {
    {"every", &scene_type_number, FIELD(SceneOutputSpec, every), "time", "(a hundredth of the run)",
     POSITIVE, NULL, NULL, "time between frames"},
    {"contacts", &scene_type_boolean, FIELD(SceneOutputSpec, contacts), NULL, "true", ANY, NULL,
     NULL, "write the contacts with every frame"},
    {"checkpoint_seconds", &scene_type_number, FIELD(SceneOutputSpec, checkpoint_seconds),
     "s, of the clock on the wall", "60", POSITIVE, NULL, NULL, "time between checkpoints"},
};

static const SceneSection output_section = {"output", "What the run file holds.",
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
     "the default suits everything; the others are those of the literature, see "
     "[neighbours.md](neighbours.md)"},
    {"skin", &scene_type_number, FIELD(SceneNeighboursSpec, skin), "length", "0", NOT_NEGATIVE,
     NULL, NULL, "how far the neighbour list sees past contact; 0 chooses it and adapts it"},
    {"cell", &scene_type_number, FIELD(SceneNeighboursSpec, cell), "length", "0", NOT_NEGATIVE,
     NULL, NULL, "width of the (smallest) cells; 0 chooses it and adapts it"},
};

static const SceneSection neighbours_section = {
    "neighbours",
    "How pairs of grains that may touch soon are found. All methods give the same results, bit for "
    "bit; they differ in time.",
    "neighbours: {method: linked_cell, cell: 0.1}\n", SCENE_KEYS(neighbours_keys),
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
    "`accept` all, or accept them up to a depth. Overlaps of the size of rounding are none.",
    "overlap: {tolerate: 1e-3}\n", SCENE_KEYS(overlap_keys), sizeof(SceneOverlapSpec)};

/* ---------------------------------------------------------------- the whole */

static const SceneKey root_keys[] = {
    {"dimension", &scene_type_integer, FIELD(SceneModel, dimension), "1", "3", POSITIVE, NULL, NULL,
     "3: spheres; 2: disks and other shapes in the x-y plane, and vectors of two numbers"},
    {"engine", &scene_type_choice, FIELD(SceneModel, engine), NULL, "contact_dynamics", ANY,
     engines, NULL,
     "rigid grains with exact friction; soft ones with springs; the same as the first by convex "
     "programming; that without inertia"},
    {"gravity", &scene_type_vector, FIELD(SceneModel, gravity), "length/time^2", "(zero)", ANY,
     NULL, NULL, "acceleration of every grain"},
    {"time", &scene_type_section, FIELD(SceneModel, time), NULL, SCENE_REQUIRED, ANY, NULL,
     &time_section, "time step and end"},
    {"seed", &scene_type_integer, FIELD(SceneModel, seed), "1", "1", NOT_NEGATIVE, NULL, NULL,
     "of every random choice; another seed gives another packing"},
    {"periodic", &scene_type_section, FIELD(SceneModel, periodic), NULL, "(none)", ANY, NULL,
     &periodic_section, "periodic directions"},
    {"signed_gap", &scene_type_boolean, FIELD(SceneModel, signed_gap), NULL, "false", ANY, NULL,
     NULL, "push overlaps apart; this creates energy"},
    {"skin", &scene_type_number, FIELD(SceneModel, skin), "length", "0", NOT_NEGATIVE, NULL, NULL,
     "short for neighbours.skin"},
    {"neighbours", &scene_type_section, FIELD(SceneModel, neighbours), NULL, "(see below)", ANY,
     NULL, &neighbours_section, "how neighbours are found; results do not depend on the method"},
    {"materials", &scene_type_map, FIELD(SceneModel, materials), NULL, SCENE_REQUIRED, ANY, NULL,
     &scene_section_materials, "materials by name"},
    {"pairs", &scene_type_list, FIELD(SceneModel, pairs), NULL, "(none)", ANY, NULL,
     &scene_section_pairs, "laws of pairs of materials"},
    {"walls", &scene_type_map, FIELD(SceneModel, walls), NULL, "(none)", ANY, NULL,
     &scene_section_walls, "walls by name"},
    {"shapes", &scene_type_map, FIELD(SceneModel, shapes), NULL, "(none)", IN_PLANE, NULL,
     &scene_section_shapes, "shapes by name"},
    {"grains", &scene_type_list, FIELD(SceneModel, grains), NULL, SCENE_REQUIRED, ANY, NULL,
     &scene_section_grains, "grains, in one or more entries"},
    {"overlap", &scene_type_overlap, FIELD(SceneModel, overlap), NULL, "(refuse)", ANY,
     overlap_words, &overlap_section, "policy for overlaps at the start"},
    {"events", &scene_type_list, FIELD(SceneModel, events), NULL, "(none)", ANY, NULL,
     &scene_section_events, "what happens during the run"},
    {"stop", &scene_type_section, FIELD(SceneModel, stop), NULL, "(at the end of time)", ANY, NULL,
     &scene_section_condition, "a condition that ends the run early"},
    {"solver", &scene_type_section, FIELD(SceneModel, solver), NULL, "(see below)", ANY, NULL,
     &solver_section, "settings of the solver"},
    {"soft", &scene_type_section, FIELD(SceneModel, soft), NULL, "(see below)", ANY, NULL,
     &soft_section, "settings of the soft engine"},
    {"variational", &scene_type_section, FIELD(SceneModel, variational), NULL, "(see below)", ANY,
     NULL, &variational_section, "settings of the variational and the quasi-static engine"},
    {"output", &scene_type_section, FIELD(SceneModel, output), NULL, "(see below)", ANY, NULL,
     &output_section, "frames and checkpoints"},
    {"measures", &scene_type_map, FIELD(SceneModel, measures), NULL, "(none)", ANY, NULL,
     &scene_section_measures, "measures to record during the run, by name"},
};

const SceneSection scene_section_root = {
    "the scene", "The keys at the top of a scene.",
    "# grains fall into a box\n"
    "gravity: [0, 0, -9.81]\n"
    "time: {step: 1e-3, end: 1}\n"
    "materials:\n"
    "  stone: {density: 2600, friction: 0.5}\n"
    "walls:\n"
    "  tank: {box: {min: [0, 0, 0], max: [1, 1, 2]}, open: top}\n"
    "grains:\n"
    "  - {count: 500, radius: {uniform: [0.03, 0.05]}, fill: {min: [0, 0, 0], max: [1, 1, 2]}}\n",
    SCENE_KEYS(root_keys), sizeof(SceneModel)};
