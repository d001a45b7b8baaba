/* Inlets, where grains appear during the run, and outlets, where they are removed. */
#include "scene/schema/sections.h"

#define FIELD(type, name) offsetof(type, name)

static const SceneSection inlet_region_section = {
    "region",
    "A box in which grains appear whole. It has bounds along every axis, but for periodic ones.",
    "region: {x: [0, 1], y: [2, 2.4]}\n", SCENE_KEYS(scene_region_keys), sizeof(SceneRegionSpec)};

static const SceneSection outlet_region_section = {
    "inside", "A box; what is not given is without bounds.", "inside: {y: [-1, 0]}\n",
    SCENE_KEYS(scene_region_keys), sizeof(SceneRegionSpec)};

static const SceneKey rate_keys[] = {
    {"number", &scene_type_number, FIELD(SceneRateSpec, number), "1/time", "(one is required)",
     POSITIVE, NULL, NULL, "grains per unit of time"},
    {"mass", &scene_type_number, FIELD(SceneRateSpec, mass), "mass/time", "(one is required)",
     POSITIVE, NULL, NULL, "mass per unit of time"},
    {"volume", &scene_type_number, FIELD(SceneRateSpec, volume), "length^3/time",
     "(one is required)", POSITIVE, NULL, NULL,
     "volume of grains per unit of time; in two dimensions area"},
};

static const SceneSection rate_section = {
    "rate", "How fast grains come, by number, mass or volume.", "rate: {mass: 2.5}\n",
    SCENE_KEYS(rate_keys), sizeof(SceneRateSpec)};

static const SceneKey inlet_keys[] = {
    {"region", &scene_type_section, FIELD(SceneInletSpec, region), NULL, SCENE_REQUIRED, ANY, NULL,
     &inlet_region_section, "where grains appear, at random places"},
    {"rate", &scene_type_section, FIELD(SceneInletSpec, rate), NULL, SCENE_REQUIRED, ANY, NULL,
     &rate_section, "how fast they come"},
    {"start", &scene_type_number, FIELD(SceneInletSpec, start), "time", "0", ANY, NULL, NULL,
     "when the inlet opens"},
    {"end", &scene_type_number, FIELD(SceneInletSpec, end), "time", "(never)", ANY, NULL, NULL,
     "when no more become due"},
    {"count", &scene_type_integer, FIELD(SceneInletSpec, count), "1", "(no limit)", POSITIVE, NULL,
     NULL, "how many come in all"},
    {"material", &scene_type_name, FIELD(SceneInletSpec, grain.material), NULL,
     "(the only material)", ANY, NULL, NULL, "material of the grains"},
    {"radius", &scene_type_sizes, FIELD(SceneInletSpec, grain.radius), "length",
     "(required for round grains)", POSITIVE, NULL, &scene_section_sizes,
     "a number, a list that is gone through again and again, or a distribution"},
    {"shape", &scene_type_name, FIELD(SceneInletSpec, grain.shape), NULL, "(round)", ANY, NULL,
     NULL, "shape of the grains: the name of an entry of `shapes`"},
    {"scale", &scene_type_sizes, FIELD(SceneInletSpec, grain.scale), "1", "(1)", ANY, NULL,
     &scene_section_sizes,
     "multiplies every length of the shape; of a distribution, or of a shape that is drawn at "
     "random, 64 are made before the run, and each grain is one of these"},
    {"angle", &scene_type_angle, FIELD(SceneInletSpec, grain.angle), "radian", "(random)", IN_PLANE,
     NULL, &scene_section_angle, "rotation of the shape"},
    {"orientation", &scene_type_orientation, FIELD(SceneInletSpec, grain.orientation), NULL,
     "(random)", IN_SPACE, NULL, &scene_section_orientation, "rotation of the shape"},
    {"velocity", &scene_type_vector, FIELD(SceneInletSpec, grain.velocity), "length/time", "(zero)",
     ANY, NULL, NULL, "mean velocity of the grains when they appear"},
    {"spread", &scene_type_number, FIELD(SceneInletSpec, grain.spread), "length/time", "0",
     NOT_NEGATIVE, NULL, NULL, "standard deviation of each component of the velocity"},
    {"spread_kind", &scene_type_choice, FIELD(SceneInletSpec, grain.spread_kind), NULL, "normal",
     ANY, scene_spread_kinds, NULL, "how the components of the velocity are spread, as of grains"},
    {"spin", &scene_type_spin, FIELD(SceneInletSpec, grain.spin), "1/time", "(zero)", ANY, NULL,
     NULL, "angular velocity; a single number in two dimensions"},
    {"mass", &scene_type_number, FIELD(SceneInletSpec, grain.mass), "mass",
     "(density times volume)", POSITIVE, NULL, NULL, "mass of each grain"},
};

const SceneSection scene_section_inlets = {
    "inlets",
    "Where grains appear while the run goes on ([inlets.md](inlets.md)), by name. A grain appears "
    "whole within the region, clear of all that is there; grains with a shape are clear with the "
    "circle or ball around them. When there is no room, it waits, and those after it; the run says "
    "so, and the table of steps has how many wait. What a grain is follows from the seed, the "
    "inlet and the number of the grain alone.",
    "inlets:\n"
    "  feed:\n"
    "    region: {x: [0, 1], y: [2, 2.4]}\n"
    "    rate: {mass: 50}\n"
    "    radius: {uniform: [0.02, 0.03]}\n"
    "    velocity: [0, -1]\n"
    "    spread: 0.1\n",
    SCENE_KEYS(inlet_keys), sizeof(SceneInletSpec)};

static const SceneKey plane_keys[] = {
    {"point", &scene_type_vector, FIELD(ScenePlaneSpec, point), "length", SCENE_REQUIRED, ANY, NULL,
     NULL, "any point on the plane"},
    {"normal", &scene_type_vector, FIELD(ScenePlaneSpec, normal), "1", SCENE_REQUIRED, ANY, NULL,
     NULL, "points to where grains are removed; its length does not matter"},
};

static const SceneSection outlet_plane_section = {"plane", "A plane that grains pass.",
                                                  "plane: {point: [0, -1], normal: [0, -1]}\n",
                                                  SCENE_KEYS(plane_keys), sizeof(ScenePlaneSpec)};

static const SceneKey outlet_keys[] = {
    {"plane", &scene_type_section, FIELD(SceneOutletSpec, plane), NULL, "(one is required)", ANY,
     NULL, &outlet_plane_section, "removes what has passed this plane"},
    {"inside", &scene_type_section, FIELD(SceneOutletSpec, inside), NULL, "(one is required)", ANY,
     NULL, &outlet_region_section, "removes what is in this box"},
    {"outside", &scene_type_section, FIELD(SceneOutletSpec, outside), NULL, "(one is required)",
     ANY, NULL, &outlet_region_section, "removes what has left this box"},
};

const SceneSection scene_section_outlets = {
    "outlets",
    "Where grains are removed and counted ([inlets.md](inlets.md)), by name: what has its centre "
    "beyond a plane, in a box or outside of one. The first outlet that a grain has reached counts "
    "it.",
    "outlets:\n  hole: {plane: {point: [0, -0.5], normal: [0, -1]}}\n", SCENE_KEYS(outlet_keys),
    sizeof(SceneOutletSpec)};
