/* The schema of a periodic cell that deforms. */
#include "scene/schema/sections.h"

#define FIELD(type, name) offsetof(type, name)

static const SceneKey drive_keys[] = {
    {"table", &scene_type_number_table, FIELD(SceneDriveSpec, table), "time, then the value's",
     "(none)", ANY, NULL, NULL, "rows [time, value], as for a velocity"},
    {"amplitude", &scene_type_number, FIELD(SceneDriveSpec, amplitude), "the value's", "(none)",
     ANY, NULL, NULL, "of mean + amplitude sin(2 pi frequency t + phase)"},
    {"frequency", &scene_type_number, FIELD(SceneDriveSpec, frequency), "1/time", "(none)",
     NOT_NEGATIVE, NULL, NULL, "cycles in a unit of time"},
    {"phase", &scene_type_number, FIELD(SceneDriveSpec, phase), "radian", "0", ANY, NULL, NULL,
     "angle at time 0"},
    {"mean", &scene_type_number, FIELD(SceneDriveSpec, mean), "the value's", "(zero)", ANY, NULL,
     NULL, "the value it oscillates about"},
};
_Static_assert(offsetof(SceneTurn, v) == 0 && offsetof(ScreeVec3, x) == 0,
               "a number is read into the x of a vector");
const SceneSection scene_section_number_drive = {
    "number programme",
    "The same for a rate or a stress of the cell. Each step uses the exact mean over the step, so "
    "that the strain follows the programme exactly.",
    "rate: {xy: {table: [[0, 0], [10, 0.1]]}}\n"
    "rate: {xy: {amplitude: 0.1, frequency: 0.2}}\n",
    SCENE_KEYS(drive_keys), sizeof(SceneDriveSpec)};

#define RATE(name, k, meaning)                                                                     \
    {                                                                                              \
        name, &scene_type_number_drive, FIELD(SceneCellRateSpec, of[k]), "1/time", "(zero)", ANY,  \
            NULL, &scene_section_number_drive, meaning                                             \
    }

static const SceneKey rate_keys[] = {
    RATE("xx", 0, "along x; negative: the cell becomes shorter"),
    RATE("xy", 1, "simple shear: the velocity along x grows with y"),
    RATE("xz", 2, "the velocity along x grows with z"),
    RATE("yx", 3, "the velocity along y grows with x"),
    RATE("yy", 4, "along y"),
    RATE("yz", 5, "the velocity along y grows with z"),
    RATE("zx", 6, "the velocity along z grows with x"),
    RATE("zy", 7, "the velocity along z grows with y"),
    RATE("zz", 8, "along z"),
};
static const SceneSection rate_section = {
    "rate",
    "Rates of the cell that are given; those of components that are not named stay as they are.",
    "cell: {rate: {xy: 0.1}}\n", SCENE_KEYS(rate_keys), sizeof(SceneCellRateSpec)};

#define STRESS(name, k, meaning)                                                                   \
    {                                                                                              \
        name, &scene_type_number_drive, FIELD(SceneCellStressSpec, of[k]), "stress", "(not held)", \
            ANY, NULL, &scene_section_number_drive, meaning                                        \
    }

static const SceneKey stress_keys[] = {
    STRESS("xx", 0, "compression along x"), STRESS("xy", 1, "shear in the plane of x and y"),
    STRESS("xz", 2, "shear of x and z"),    STRESS("yy", 4, "compression along y"),
    STRESS("yz", 5, "shear of y and z"),    STRESS("zz", 8, "compression along z"),
};
static const SceneSection stress_section = {
    "stress",
    "Stresses that the cell holds; their rates follow, from those given under rate on. "
    "Positive in compression, as in the measures.",
    "cell: {rate: {xy: 0.1}, stress: {yy: 100}}\n", SCENE_KEYS(stress_keys),
    sizeof(SceneCellStressSpec)};

static const SceneKey cell_keys[] = {
    {"rate", &scene_type_section, FIELD(SceneCellSpec, rate), NULL, "(zero)", ANY, NULL,
     &rate_section, "rates that are given, by component"},
    {"stress", &scene_type_section, FIELD(SceneCellSpec, stress), NULL, "(none)", ANY, NULL,
     &stress_section, "stresses that are held, by component"},
    {"pressure", &scene_type_number_drive, FIELD(SceneCellSpec, pressure), "stress", "(not held)",
     ANY, NULL, &scene_section_number_drive,
     "held instead of stresses: the cell grows or shrinks alike in all its directions, apart from "
     "rates that are given"},
    {"symmetric", &scene_type_boolean, FIELD(SceneCellSpec, symmetric), NULL, "false", ANY, NULL,
     NULL,
     "rates of shear stresses that are held are symmetric; else xy alone follows, as in simple "
     "shear, "
     "and the cell does not turn"},
    {"mass", &scene_type_number, FIELD(SceneCellSpec, mass), "1", "1", POSITIVE, NULL, NULL,
     "inertia where stress is held, in units of the mass of all grains times their mean diameter "
     "squared; less holds the stress better in each step, in more sweeps"},
    {"viscosity", &scene_type_number, FIELD(SceneCellSpec, viscosity), "stress time", "0",
     NOT_NEGATIVE, NULL, NULL,
     "slows down a cell that holds a stress: loose grains are compacted at a rate of about stress "
     "/ "
     "viscosity"},
};
const SceneSection scene_section_cell = {
    "cell",
    "How the periodic cell deforms (docs/cell.md); it begins as the box of `periodic`. Velocities "
    "of "
    "grains are relative to it. In an event, only what is given changes.",
    "periodic: {x: [0, 20], y: [0, 20]}\n"
    "cell: {pressure: 100, viscosity: 1000}\n",
    SCENE_KEYS(cell_keys), sizeof(SceneCellSpec)};
