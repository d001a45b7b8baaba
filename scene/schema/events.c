/* The schema of events and conditions. */
#include "scene/schema/sections.h"

#define FIELD(type, name) offsetof(type, name)

static const SceneKey condition_keys[] = {
    {"kinetic_energy_below", &scene_type_number, FIELD(SceneConditionSpec, kinetic_energy_below),
     "energy", "(not asked)", POSITIVE, NULL, NULL, "total of all grains and pistons"},
    {"speed_below", &scene_type_number, FIELD(SceneConditionSpec, speed_below), "length/time",
     "(not asked)", POSITIVE, NULL, NULL, "speed of the fastest grain that is not frozen"},
    {"coordination_above", &scene_type_number, FIELD(SceneConditionSpec, coordination_above), "1",
     "(not asked)", NOT_NEGATIVE, NULL, NULL,
     "mean number of contacts of the grains that have any"},
    {"coordination_below", &scene_type_number, FIELD(SceneConditionSpec, coordination_below), "1",
     "(not asked)", POSITIVE, NULL, NULL, "the same"},
    {"time_after", &scene_type_number, FIELD(SceneConditionSpec, time_after), "time", "(not asked)",
     NOT_NEGATIVE, NULL, NULL, "the run has reached this time"},
    {"converged", &scene_type_boolean, FIELD(SceneConditionSpec, converged), NULL, "(not asked)",
     ANY, NULL, NULL, "whether the last step converged"},
    {"expression", &scene_type_expression, FIELD(SceneConditionSpec, expression), NULL,
     "(not asked)", ANY, NULL, NULL,
     "a comparison, or several joined by `and`, `or`, `not`: `lid.load_z > 5 and solid_fraction < "
     "0.6`; see below"},
    {"every", &scene_type_integer, FIELD(SceneConditionSpec, every), "1", "1", POSITIVE, NULL, NULL,
     "steps from one check to the next: measures of many grains take time"},
    {"after", &scene_type_number, FIELD(SceneConditionSpec, after), "time", "(see above)",
     NOT_NEGATIVE, NULL, NULL, "ignore the condition before this time"},
    {"hold", &scene_type_number, FIELD(SceneConditionSpec, hold), "time", "0", NOT_NEGATIVE, NULL,
     NULL, "how long it must hold without interruption"},
};

const SceneSection scene_section_condition = {
    "condition",
    "What `when` and `stop` wait for; everything listed must hold at the same time. The condition "
    "is "
    "checked after every step. Unless `after` is given, it must have been false after some earlier "
    "step, so that grains that have not yet begun to fall are not mistaken for settled ones.\n\n"
    "An `expression` compares numbers: any [measure](measures.md) of everything (`solid_fraction`) "
    "or "
    "of an entry of `measures` (`middle.stress_zz`); `lid.position_z`, `displacement`, `velocity` "
    "and "
    "`load` of a wall; `cell.strain_xy`, `rate`, `stress` and `cell.volume`; "
    "`hole.number`, `mass` and `waiting` of an inlet or outlet, since the start; `time`, "
    "`kinetic_energy`, `speed_max`; and `quantile(speed, 0.9)`, which 90 % of the grains do not "
    "exceed, of `x`, `y`, `z`, `speed` and `radius`, frozen grains left out. They may be combined "
    "by `+ - * / "
    "**`, `abs`, `sqrt`, `log`, `exp`, and comparisons by `and`, `or`, `not` and parentheses. What "
    "is "
    "not defined (the mean force of no contacts) makes no comparison true. Put the text in quotes.",
    "stop: {kinetic_energy_below: 1e-6, hold: 0.1}\n"
    "events:\n"
    "  - {when: {expression: \"lid.position_z < 0.3 or lid.load_z > 5\"}, set_velocity: {wall: "
    "lid}}\n",
    SCENE_KEYS(condition_keys), sizeof(SceneConditionSpec)};

static const SceneKey set_velocity_keys[] = {
    {"wall", &scene_type_name, FIELD(SceneSetVelocitySpec, wall), NULL, "(or grains)", ANY, NULL,
     NULL, "a wall, or all faces of a box or drum"},
    {"grains", &scene_type_range, FIELD(SceneSetVelocitySpec, grains), NULL, "(or wall)", ANY, NULL,
     NULL, "grains by number"},
    {"velocity", &scene_type_drive, FIELD(SceneSetVelocitySpec, velocity), "length/time",
     "(zero for a wall, kept for grains)", ANY, NULL, &scene_section_drive,
     "new velocity or programme; constant for grains"},
    {"spin", &scene_type_turn_drive, FIELD(SceneSetVelocitySpec, spin), "1/time",
     "(zero for a wall, kept for grains)", ANY, NULL, &scene_section_turn_drive,
     "new spin or programme; constant for grains"},
};
static const SceneSection set_velocity_section = {
    "set_velocity",
    "Gives a wall a new motion, or grains a new velocity. A piston becomes a wall that moves so; "
    "the "
    "way back is `set_piston`.",
    "- {at: 2, set_velocity: {wall: gate, velocity: [0, 0, 1]}}\n", SCENE_KEYS(set_velocity_keys),
    sizeof(SceneSetVelocitySpec)};

static const SceneKey set_force_keys[] = {
    {"wall", &scene_type_name, FIELD(SceneSetForceSpec, wall), NULL, "(or grains)", ANY, NULL, NULL,
     "a piston"},
    {"grains", &scene_type_range, FIELD(SceneSetForceSpec, grains), NULL, "(or wall)", ANY, NULL,
     NULL, "grains by number"},
    {"force", &scene_type_vector, FIELD(SceneSetForceSpec, force), "force",
     "(required for a wall, kept for grains)", ANY, NULL, NULL, "new force"},
    {"torque", &scene_type_spin, FIELD(SceneSetForceSpec, torque), "force length",
     "(kept for grains)", ANY, NULL, NULL, "new torque on each grain"},
};
static const SceneSection set_force_section = {
    "set_force", "Changes the force on a piston or on grains.",
    "- {at: 2, set_force: {grains: [0, 9], force: [1, 0, 0]}}\n", SCENE_KEYS(set_force_keys),
    sizeof(SceneSetForceSpec)};

static const SceneKey set_piston_keys[] = {
    {"wall", &scene_type_name, FIELD(SceneSetPistonSpec, wall), NULL, SCENE_REQUIRED, ANY, NULL,
     NULL, "any wall"},
    {"mass", &scene_type_number, FIELD(SceneSetPistonSpec, mass), "mass",
     "(kept; else that of a layer of grains)", NOT_NEGATIVE, NULL, NULL,
     "its mass; 0: far lighter than any grain"},
    {"direction", &scene_type_vector, FIELD(SceneSetPistonSpec, direction), "1",
     "(kept; else the plane's normal)", ANY, NULL, NULL, "direction in which it is free to move"},
    {"force", &scene_type_drive, FIELD(SceneSetPistonSpec, force), "force", "(or stress)", ANY,
     NULL, &scene_section_drive, "the force on it; only the component along `direction` acts"},
    {"stress", &scene_type_number_drive, FIELD(SceneSetPistonSpec, stress), "force/length^(d-1)",
     "(or force)", ANY, NULL, &scene_section_number_drive,
     "as that of a piston; the area is bounded by the walls `between` which the scene has put it, "
     "and by the sides of the periodic cell"},
    {"velocity", &scene_type_drive, FIELD(SceneSetPistonSpec, velocity), "length/time", "(kept)",
     ANY, NULL, &scene_section_drive, "its velocity across `direction`"},
};
static const SceneSection set_piston_section = {
    "set_piston",
    "Makes a wall a piston, which goes on with the velocity that it has; or gives a piston a new "
    "load, by a programme if need be. The way back is `set_velocity`.",
    "- {at: 2, set_piston: {wall: lid, mass: 1, stress: {table: [[2, 10], [5, 100]]}}}\n",
    SCENE_KEYS(set_piston_keys), sizeof(SceneSetPistonSpec)};

static const SceneSection hold_region_section = {
    "region", "A box; what is not given is without bounds.", "region: {y: [1.8, 2]}\n",
    SCENE_KEYS(scene_region_keys), sizeof(SceneRegionSpec)};

static const SceneKey hold_keys[] = {
    {"wall", &scene_type_name, FIELD(SceneHoldSpec, wall), NULL, SCENE_REQUIRED, ANY, NULL, NULL,
     "a wall of any shape"},
    {"region", &scene_type_section, FIELD(SceneHoldSpec, region), NULL, SCENE_REQUIRED, ANY, NULL,
     &hold_region_section, "where the centres of the grains are"},
};
static const SceneSection hold_section = {
    "hold",
    "A wall takes the grains along that are in a region, as if they were parts of it: a rough "
    "plate "
    "made of a packing (docs/plates.md). Grains that a wall holds already stay with it.",
    "- {at: 2, hold: {wall: lid, region: {y: [1.8, 2]}}}\n", SCENE_KEYS(hold_keys),
    sizeof(SceneHoldSpec)};

static const SceneKey set_friction_keys[] = {
    {"material", &scene_type_name, FIELD(SceneSetFrictionSpec, material), NULL, "(or between)", ANY,
     NULL, NULL, "its own coefficient, and those of pairs without an explicit friction"},
    {"between", &scene_type_names, FIELD(SceneSetFrictionSpec, between), NULL, "(or material)", ANY,
     NULL, NULL, "two materials: that pair only"},
    {"friction", &scene_type_number, FIELD(SceneSetFrictionSpec, friction), "1", SCENE_REQUIRED,
     NOT_NEGATIVE, NULL, NULL, "new Coulomb coefficient"},
    {"friction_static", &scene_type_number, FIELD(SceneSetFrictionSpec, friction_static), "1",
     "(unchanged, but raised to friction where it would be lower)", NOT_NEGATIVE, NULL, NULL,
     "new coefficient of contacts that do not slide; 0: same as friction"},
};
static const SceneSection set_friction_section = {
    "set_friction",
    "Changes friction. A law with a single coefficient keeps a single one, unless "
    "`friction_static` is given.",
    "- {at: 2, set_friction: {material: stone, friction: 0.1}}\n", SCENE_KEYS(set_friction_keys),
    sizeof(SceneSetFrictionSpec)};

static const SceneKey event_keys[] = {
    {"at", &scene_type_number, FIELD(SceneEventSpec, at), "time", "(or when)", NOT_NEGATIVE, NULL,
     NULL, "takes place before the first step that begins at this time or later"},
    {"when", &scene_type_section, FIELD(SceneEventSpec, when), NULL, "(or at)", ANY, NULL,
     &scene_section_condition, "takes place as soon as the condition holds"},
    {"remove", &scene_type_names, FIELD(SceneEventSpec, remove), NULL, "(one action is required)",
     ANY, NULL, NULL, "removes walls: `tank` with all its faces, or `tank.right` alone"},
    {"set_velocity", &scene_type_section, FIELD(SceneEventSpec, set_velocity), NULL,
     "(one action is required)", ANY, NULL, &set_velocity_section, "changes a motion"},
    {"set_force", &scene_type_section, FIELD(SceneEventSpec, set_force), NULL,
     "(one action is required)", ANY, NULL, &set_force_section, "changes a force"},
    {"set_piston", &scene_type_section, FIELD(SceneEventSpec, set_piston), NULL,
     "(one action is required)", ANY, NULL, &set_piston_section, "makes a piston, or loads one"},
    {"hold", &scene_type_section, FIELD(SceneEventSpec, hold), NULL, "(one action is required)",
     ANY, NULL, &hold_section, "lets a wall take grains along"},
    {"let_go", &scene_type_names, FIELD(SceneEventSpec, let_go), NULL, "(one action is required)",
     ANY, NULL, NULL, "walls that let go of all the grains that they hold"},
    {"glue", &scene_type_names, FIELD(SceneEventSpec, glue), NULL, "(one action is required)", ANY,
     NULL, NULL, "glues the grains that touch then: entries of `bonds`"},
    {"add_bridges", &scene_type_boolean, FIELD(SceneEventSpec, add_bridges), NULL,
     "(one action is required)", ANY, NULL, NULL,
     "`true` gives a liquid bridge to all pairs that are near enough then, as `bridges: near` does "
     "at the start"},
    {"set_friction", &scene_type_section, FIELD(SceneEventSpec, set_friction), NULL,
     "(one action is required)", ANY, NULL, &set_friction_section,
     "changes a friction coefficient"},
    {"set_gravity", &scene_type_vector, FIELD(SceneEventSpec, set_gravity), "length/time^2",
     "(one action is required)", ANY, NULL, NULL, "changes gravity"},
    {"set_cell", &scene_type_section, FIELD(SceneEventSpec, set_cell), NULL,
     "(one action is required)", ANY, NULL, &scene_section_cell,
     "changes how the periodic cell deforms"},
    {"set_growth", &scene_type_section, FIELD(SceneEventSpec, set_growth), NULL,
     "(one action is required)", ANY, NULL, &scene_section_set_growth,
     "changes how grains grow or shrink"},
    {"stop", &scene_type_boolean, FIELD(SceneEventSpec, stop), NULL, "(one action is required)",
     ANY, NULL, NULL, "`true` ends the run"},
};

const SceneSection scene_section_events = {
    "events",
    "What happens during the run: a list of entries, each with a time `at` or a condition `when`, "
    "and one or more actions. Each event takes place once, between two steps; events due together "
    "are ordered by time, then by their position in the list.",
    "events:\n"
    "  - {when: {kinetic_energy_below: 1e-4}, remove: gate}\n"
    "  - {at: 3, set_gravity: [1, 0, -9.81]}\n",
    SCENE_KEYS(event_keys), sizeof(SceneEventSpec)};
