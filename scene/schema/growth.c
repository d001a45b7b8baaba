/* The schema of grains that grow or shrink. */
#include "scene/schema/sections.h"

#define FIELD(type, name) offsetof(type, name)

static const SceneChoice keeps[] = {
    {"density", SCREE_GROWTH_KEEPS_DENSITY}, {"mass", SCREE_GROWTH_KEEPS_MASS}, {NULL, 0}};

#define GROWTH_KEYS                                                                                \
    {"rate",                                                                                       \
     &scene_type_number_drive,                                                                     \
     FIELD(SceneGrowthSpec, rate),                                                                 \
     "1/time",                                                                                     \
     "(or factor)",                                                                                \
     ANY,                                                                                          \
     NULL,                                                                                         \
     &scene_section_number_drive,                                                                  \
     "of the radii, relative to themselves: after the time t they are exp(rate t) times as "       \
     "large; "                                                                                     \
     "negative: they shrink; 0: they stay"},                                                       \
    {                                                                                              \
        "factor", &scene_type_number_drive, FIELD(SceneGrowthSpec, factor), "1", "(or rate)", ANY, \
            NULL, &scene_section_number_drive,                                                     \
            "the radii follow a programme: between any two times they change as it does, so that " \
            "only "                                                                                \
            "ratios count"                                                                         \
    }

static const SceneKey growth_keys[] = {
    GROWTH_KEYS,
    {"keep", &scene_type_choice, FIELD(SceneGrowthSpec, keep), NULL, "density", ANY, keeps, NULL,
     "density: more matter comes with the velocity of the grain, which keeps velocity and spin; "
     "mass: the grain keeps its mass and angular momentum"},
};

const SceneSection scene_section_growth = {
    "growth",
    "Grains that grow or shrink (docs/growth.md), with contact dynamics and without restitution. "
    "Events stop it: `set_growth`.",
    "materials:\n"
    "  seed: {growth: {rate: 0.1}}\n"
    "  clay: {growth: {factor: {table: [[0, 1], [10, 0.9]]}, keep: mass}}\n",
    SCENE_KEYS(growth_keys), sizeof(SceneGrowthSpec)};

static const SceneKey set_growth_keys[] = {
    {"material", &scene_type_name, FIELD(SceneGrowthSpec, material), NULL, "(all)", ANY, NULL, NULL,
     "whose grains"},
    GROWTH_KEYS,
    {"keep", &scene_type_choice, FIELD(SceneGrowthSpec, keep), NULL, "(as before)", ANY, keeps,
     NULL, "density, or mass"},
};

const SceneSection scene_section_set_growth = {
    "set_growth", "Lets grains grow or shrink from now on, or stops it with `rate: 0`.",
    "- {when: {expression: \"stress_xx + stress_yy > 20\"}, set_growth: {rate: 0}}\n",
    SCENE_KEYS(set_growth_keys), sizeof(SceneGrowthSpec)};
