/* The schema of events and conditions. */
#include "scene/schema/sections.h"

#define FIELD(type, name) offsetof(type, name)

static const SceneKey condition_keys[] = {
    {"kinetic_energy_below", &scene_type_number, FIELD(SceneConditionSpec, kinetic_energy_below),
     "energy", "(not asked)", POSITIVE, NULL, NULL, "of all grains and pistons together"},
    {"speed_below", &scene_type_number, FIELD(SceneConditionSpec, speed_below), "length/time",
     "(not asked)", POSITIVE, NULL, NULL, "of the fastest grain that is not frozen"},
    {"coordination_above", &scene_type_number, FIELD(SceneConditionSpec, coordination_above), "1",
     "(not asked)", NOT_NEGATIVE, NULL, NULL, "mean number of contacts of a grain that has any"},
    {"coordination_below", &scene_type_number, FIELD(SceneConditionSpec, coordination_below), "1",
     "(not asked)", POSITIVE, NULL, NULL, "the same, from the other side"},
    {"time_after", &scene_type_number, FIELD(SceneConditionSpec, time_after), "time", "(not asked)",
     NOT_NEGATIVE, NULL, NULL, "time of the run has reached this"},
    {"converged", &scene_type_boolean, FIELD(SceneConditionSpec, converged), NULL, "(not asked)",
     ANY, NULL, NULL, "whether the last step converged"},
    {"after", &scene_type_number, FIELD(SceneConditionSpec, after), "time", "(see above)",
     NOT_NEGATIVE, NULL, NULL, "do not look before this time"},
    {"hold", &scene_type_number, FIELD(SceneConditionSpec, hold), "time", "0", NOT_NEGATIVE, NULL,
     NULL, "how long it must have held without a break"},
};

const SceneSection scene_section_condition = {
    "condition",
    "What `when` and `stop` wait for; all that is given must hold together. It is looked at after "
    "every step. "
    "Without `after` it must first have been untrue after some step: grains at rest that have not "
    "begun "
    "to fall are not taken for settled ones.",
    "stop: {kinetic_energy_below: 1e-6, hold: 0.1}\n", SCENE_KEYS(condition_keys),
    sizeof(SceneConditionSpec)};

static const SceneKey set_velocity_keys[] = {
    {"wall", &scene_type_name, FIELD(SceneSetVelocitySpec, wall), NULL, "(or grains)", ANY, NULL,
     NULL, "a wall, or all faces of a box or drum"},
    {"grains", &scene_type_range, FIELD(SceneSetVelocitySpec, grains), NULL, "(or wall)", ANY, NULL,
     NULL, "grains by number"},
    {"velocity", &scene_type_drive, FIELD(SceneSetVelocitySpec, velocity), "length/time",
     "(zero for a wall, kept for grains)", ANY, NULL, &scene_section_drive,
     "new velocity or programme; grains take a constant"},
    {"spin", &scene_type_turn_drive, FIELD(SceneSetVelocitySpec, spin), "1/time",
     "(zero for a wall, kept for grains)", ANY, NULL, &scene_section_turn_drive,
     "new spin or programme; grains take a constant"},
};
static const SceneSection set_velocity_section = {
    "set_velocity", "Gives a wall another motion in place of its own, or grains another velocity.",
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
    "set_force", "Changes the force of a piston or on grains.",
    "- {at: 2, set_force: {grains: [0, 9], force: [1, 0, 0]}}\n", SCENE_KEYS(set_force_keys),
    sizeof(SceneSetForceSpec)};

static const SceneKey set_friction_keys[] = {
    {"material", &scene_type_name, FIELD(SceneSetFrictionSpec, material), NULL, "(or between)", ANY,
     NULL, NULL, "its own coefficient, and that of the pairs without a friction of their own"},
    {"between", &scene_type_names, FIELD(SceneSetFrictionSpec, between), NULL, "(or material)", ANY,
     NULL, NULL, "two materials: that pair only"},
    {"friction", &scene_type_number, FIELD(SceneSetFrictionSpec, friction), "1", SCENE_REQUIRED,
     NOT_NEGATIVE, NULL, NULL, "new Coulomb coefficient"},
    {"friction_static", &scene_type_number, FIELD(SceneSetFrictionSpec, friction_static), "1",
     "(kept, but raised to friction where it would be below)", NOT_NEGATIVE, NULL, NULL,
     "new coefficient of contacts that do not slide; 0: the same"},
};
static const SceneSection set_friction_section = {
    "set_friction",
    "Changes friction. A law with one coefficient keeps one, unless `friction_static` is given.",
    "- {at: 2, set_friction: {material: stone, friction: 0.1}}\n", SCENE_KEYS(set_friction_keys),
    sizeof(SceneSetFrictionSpec)};

static const SceneKey event_keys[] = {
    {"at", &scene_type_number, FIELD(SceneEventSpec, at), "time", "(or when)", NOT_NEGATIVE, NULL,
     NULL, "happens before the first step that begins at this time or later"},
    {"when", &scene_type_section, FIELD(SceneEventSpec, when), NULL, "(or at)", ANY, NULL,
     &scene_section_condition, "happens as soon as the condition holds"},
    {"remove", &scene_type_names, FIELD(SceneEventSpec, remove), NULL, "(one action is required)",
     ANY, NULL, NULL, "takes walls away: `tank` with all its faces, `tank.right` alone"},
    {"set_velocity", &scene_type_section, FIELD(SceneEventSpec, set_velocity), NULL,
     "(one action is required)", ANY, NULL, &set_velocity_section, "changes a motion"},
    {"set_force", &scene_type_section, FIELD(SceneEventSpec, set_force), NULL,
     "(one action is required)", ANY, NULL, &set_force_section, "changes a force"},
    {"set_friction", &scene_type_section, FIELD(SceneEventSpec, set_friction), NULL,
     "(one action is required)", ANY, NULL, &set_friction_section,
     "changes a friction coefficient"},
    {"set_gravity", &scene_type_vector, FIELD(SceneEventSpec, set_gravity), "length/time^2",
     "(one action is required)", ANY, NULL, NULL, "changes gravity"},
    {"stop", &scene_type_boolean, FIELD(SceneEventSpec, stop), NULL, "(one action is required)",
     ANY, NULL, NULL, "`true` ends the run"},
};

const SceneSection scene_section_events = {
    "events",
    "What happens during the run: a list, each entry with a time `at` or a condition `when`, and "
    "one action "
    "or more. Each happens once, between two steps; those due together in the order of their "
    "times, then of "
    "the list.",
    "events:\n"
    "  - {when: {kinetic_energy_below: 1e-4}, remove: gate}\n"
    "  - {at: 3, set_gravity: [1, 0, -9.81]}\n",
    SCENE_KEYS(event_keys), sizeof(SceneEventSpec)};
