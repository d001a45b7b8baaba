/* Bonds between grains, and of grains with walls. */
#include "scene/schema/sections.h"

#define FIELD(name) offsetof(SceneBondSpec, name)

static const SceneKey bond_keys[] = {
    {"tension", &scene_type_number, FIELD(tension), "force", "0", NOT_NEGATIVE, NULL, NULL,
     "strength F: the largest pull; with tension_stress it adds up, and one of the two is "
     "required"},
    {"shear", &scene_type_number, FIELD(shear), "force", "0", NOT_NEGATIVE, NULL, NULL,
     "strength S: the largest shear force without a normal force; likewise"},
    {"tension_stress", &scene_type_number, FIELD(tension_stress), "force/length^(d-1)", "0",
     NOT_NEGATIVE, NULL, NULL, "the same by the section of the glue"},
    {"shear_stress", &scene_type_number, FIELD(shear_stress), "force/length^(d-1)", "0",
     NOT_NEGATIVE, NULL, NULL, "the same by the section of the glue"},
    {"neck", &scene_type_number, FIELD(neck), "1", "1", POSITIVE, NULL, NULL,
     "radius of the section over the smaller radius of the two grains"},
    {"bending", &scene_type_number, FIELD(bending), "force length", "(that of the section)",
     POSITIVE, NULL, NULL, "strength B: the largest bending torque without a normal force"},
    {"torsion", &scene_type_number, FIELD(torsion), "force length", "(that of the section)",
     POSITIVE, NULL, NULL, "strength T: the largest torque about the normal, in three dimensions"},
    {"between", &scene_type_names, FIELD(between), NULL, "(any)", ANY, NULL, NULL,
     "one material, or two: only grains of one and of the other are glued"},
    {"pair", &scene_type_pair, FIELD(pair), NULL, "(all pairs that touch)", ANY, NULL, NULL,
     "the numbers of two grains, the lower first: only these are glued"},
    {"walls", &scene_type_names, FIELD(walls), NULL, "(to each other)", ANY, NULL, NULL,
     "walls to which the grains that touch them are glued, instead of to each other: `tank` with "
     "all its "
     "faces, or `tank.bottom` alone; of two materials in `between` one is then that of the wall"},
    {"within", &scene_type_number, FIELD(within), "1", "1e-3", NOT_NEGATIVE, NULL, NULL,
     "the gap up to which grains count as touching, over the smaller radius; at most 0.1"},
    {"at_start", &scene_type_boolean, FIELD(at_start), NULL, "true", ANY, NULL, NULL,
     "whether grains are glued before the first step; if not, an event does it: `glue`"},
};

const SceneSection scene_section_bonds = {
    "bonds",
    "Glue between grains, or of grains to walls, by name. It holds grains as they are until a load "
    "breaks it, for good: at the end of the step in which B' / bending - N / tension or S' / shear "
    "+ "
    "T' / torsion - N / tension reaches 1, with the normal force N (compression is positive), the "
    "shear force S' and the torques B' and T'. See [bonds.md](bonds.md).",
    "bonds:\n"
    "  cement: {tension_stress: 1e5, shear_stress: 1e5, neck: 0.5}\n"
    "  mortar: {tension: 20, shear: 30, at_start: false}\n"
    "  footing: {tension: 50, shear: 50, walls: floor}\n"
    "events:\n"
    "  - {when: {kinetic_energy_below: 1e-6}, glue: mortar}\n",
    SCENE_KEYS(bond_keys), sizeof(SceneBondSpec)};
