/* The schema of grains and of distributions of sizes. */
#include "scene/schema/sections.h"

#define FIELD(type, name) offsetof(type, name)

const SceneChoice scene_spread_kinds[3] = {
    {"normal", SPREAD_NORMAL}, {"uniform", SPREAD_UNIFORM}, {NULL, 0}};

/* ---------------------------------------------------------------- sizes */

static const SceneKey power_keys[] = {
    {"min", &scene_type_number, FIELD(ScenePowerSpec, min), "length", SCENE_REQUIRED, POSITIVE,
     NULL, NULL, "smallest radius"},
    {"max", &scene_type_number, FIELD(ScenePowerSpec, max), "length", SCENE_REQUIRED, POSITIVE,
     NULL, NULL, "largest radius"},
    {"exponent", &scene_type_number, FIELD(ScenePowerSpec, exponent), "1", SCENE_REQUIRED, ANY,
     NULL, NULL, "the number of grains falls as radius^-exponent"},
};
static const SceneSection power_section = {
    "power", "A power law between two radii.",
    "radius: {power: {min: 0.01, max: 0.1, exponent: 2.5}}\n", SCENE_KEYS(power_keys),
    sizeof(ScenePowerSpec)};

static const SceneChoice by_words[] = {{"number", 0}, {"volume", 1}, {NULL, 0}};

static const SceneKey two_keys[] = {
    {"small", &scene_type_number, FIELD(SceneTwoSpec, small), "length", SCENE_REQUIRED, POSITIVE,
     NULL, NULL, "the smaller radius"},
    {"large", &scene_type_number, FIELD(SceneTwoSpec, large), "length", SCENE_REQUIRED, POSITIVE,
     NULL, NULL, "the larger radius"},
    {"fraction", &scene_type_number, FIELD(SceneTwoSpec, fraction), "1", SCENE_REQUIRED, SHARE,
     NULL, NULL, "fraction of large grains"},
    {"by", &scene_type_choice, FIELD(SceneTwoSpec, by_volume), NULL, "number", ANY, by_words, NULL,
     "whether the fraction is by number or by volume"},
};
static const SceneSection two_section = {
    "two", "Two sizes.", "radius: {two: {small: 0.01, large: 0.014, fraction: 0.5, by: volume}}\n",
    SCENE_KEYS(two_keys), sizeof(SceneTwoSpec)};

static const SceneKey normal_keys[] = {
    {"mean", &scene_type_number, FIELD(SceneBellSpec, middle), "length", SCENE_REQUIRED, POSITIVE,
     NULL, NULL, "mean radius (before truncation)"},
    {"deviation", &scene_type_number, FIELD(SceneBellSpec, deviation), "length", SCENE_REQUIRED,
     POSITIVE, NULL, NULL, "standard deviation"},
    {"cut", &scene_type_span, FIELD(SceneBellSpec, cut), "length",
     "(three deviations to each side)", POSITIVE, NULL, NULL, "smallest and largest radius"},
};
static const SceneSection normal_section = {"normal",
                                            "A normal distribution, truncated at both ends.",
                                            "radius: {normal: {mean: 0.02, deviation: 0.002}}\n",
                                            SCENE_KEYS(normal_keys), sizeof(SceneBellSpec)};

static const SceneKey lognormal_keys[] = {
    {"median", &scene_type_number, FIELD(SceneBellSpec, middle), "length", SCENE_REQUIRED, POSITIVE,
     NULL, NULL, "median radius (before truncation)"},
    {"deviation", &scene_type_number, FIELD(SceneBellSpec, deviation), "1", SCENE_REQUIRED,
     POSITIVE, NULL, NULL, "standard deviation of ln(radius)"},
    {"cut", &scene_type_span, FIELD(SceneBellSpec, cut), "length",
     "(three deviations to each side)", POSITIVE, NULL, NULL, "smallest and largest radius"},
};
static const SceneSection lognormal_section = {
    "lognormal", "A lognormal distribution, truncated at both ends.",
    "radius: {lognormal: {median: 0.02, deviation: 0.3, cut: [0.01, 0.04]}}\n",
    SCENE_KEYS(lognormal_keys), sizeof(SceneBellSpec)};

static const SceneKey sizes_keys[] = {
    {"uniform", &scene_type_span, FIELD(SceneSizesSpec, uniform), "length", "(none)", POSITIVE,
     NULL, NULL, "all radii between two values are equally likely"},
    {"uniform_volume", &scene_type_span, FIELD(SceneSizesSpec, uniform_volume), "length", "(none)",
     POSITIVE, NULL, NULL,
     "equal intervals of the radius hold equal volumes (2D: areas) of grains"},
    {"power", &scene_type_section, FIELD(SceneSizesSpec, power), NULL, "(none)", ANY, NULL,
     &power_section, "a power law"},
    {"two", &scene_type_section, FIELD(SceneSizesSpec, two), NULL, "(none)", ANY, NULL,
     &two_section, "two sizes"},
    {"normal", &scene_type_section, FIELD(SceneSizesSpec, normal), NULL, "(none)", ANY, NULL,
     &normal_section, "a normal distribution"},
    {"lognormal", &scene_type_section, FIELD(SceneSizesSpec, lognormal), NULL, "(none)", ANY, NULL,
     &lognormal_section, "a lognormal distribution"},
};
const SceneSection scene_section_sizes = {"radius",
                                          "A number, a list with one number for each grain of "
                                          "`at`, or a mapping with one of the following.",
                                          "radius: 0.02\nradius: {uniform: [0.02, 0.04]}\n",
                                          SCENE_KEYS(sizes_keys), sizeof(SceneSizesSpec)};

/* ---------------------------------------------------------------- sources of grains */

static const SceneChoice lattices[] = {{"square", LATTICE_SQUARE},
                                       {"cubic", LATTICE_CUBIC},
                                       {"hexagonal", LATTICE_HEXAGONAL},
                                       {NULL, 0}};

static const SceneKey lattice_keys[] = {
    {"min", &scene_type_vector, FIELD(SceneLatticeSpec, min), "length", SCENE_REQUIRED, ANY, NULL,
     NULL, "lowest corner; the first centre lies half a spacing inside"},
    {"max", &scene_type_vector, FIELD(SceneLatticeSpec, max), "length", "(from counts)", ANY, NULL,
     NULL, "highest corner of the region to be filled"},
    {"counts", &scene_type_counts, FIELD(SceneLatticeSpec, counts), "1", "(from max)", ANY, NULL,
     NULL, "number of grains in each direction, instead of max"},
    {"spacing", &scene_type_number, FIELD(SceneLatticeSpec, spacing), "length",
     "(twice the largest radius; for shapes, that of their enclosing circle)", POSITIVE, NULL, NULL,
     "distance between nearest centres"},
    {"kind", &scene_type_choice, FIELD(SceneLatticeSpec, kind), NULL, "(square in 2D, cubic in 3D)",
     ANY, lattices, NULL, "hexagonal is the densest: triangular in 2D, close-packed layers in 3D"},
    {"jitter", &scene_type_number, FIELD(SceneLatticeSpec, jitter), "length", "0", NOT_NEGATIVE,
     NULL, NULL, "random shift of each centre, by at most this much in each direction"},
};
static const SceneSection lattice_section = {
    "lattice", "Grains on a regular lattice, numbered along x first, then y, then z.",
    "lattice: {min: [0, 0, 0], counts: [10, 10, 20], spacing: 0.1, jitter: 0.01}\n",
    SCENE_KEYS(lattice_keys), sizeof(SceneLatticeSpec)};

static const SceneKey fill_keys[] = {
    {"min", &scene_type_vector, FIELD(SceneFillSpec, min), "length", "(that of the wall inside)",
     ANY, NULL, NULL, "lowest corner; required without `inside`"},
    {"max", &scene_type_vector, FIELD(SceneFillSpec, max), "length", "(that of the wall inside)",
     ANY, NULL, NULL, "highest corner; required without `inside`"},
    {"inside", &scene_type_name, FIELD(SceneFillSpec, inside), NULL, "(the box of min and max)",
     ANY, NULL, NULL,
     "name of a wall that encloses the region: a box, a drum, a cylinder with side: inside, a "
     "cone, or a "
     "mesh, "
     "which "
     "may be open above; min and max cut it"},
};
static const SceneSection fill_section = {
    "fill",
    "Grains at random positions in a region, entirely inside "
    "it and clear of each other, of all other grains and "
    "of walls. Large grains are placed first; grains are "
    "then numbered by position, so that neighbours have "
    "similar numbers. Beyond a solid fraction of about "
    "0.35 (2D: 0.5) there is no room. Shapes are kept apart "
    "by their outlines (random polygons fit up to 0.55, "
    "rods ten times as long as thick up to 0.3); from "
    "segments, blocks and the outside of cylinders they are "
    "kept apart by their enclosing circles. Solids are kept "
    "apart by planes along their faces. To fill a drum to the "
    "half, cut it by max; a point is inside a mesh if an odd "
    "number of its triangles lies below it.",
    "fill: {min: [0, 0, 0], max: [1, 1, 2.5]}\ncount: 5000\n", SCENE_KEYS(fill_keys),
    sizeof(SceneFillSpec)};

/* ---------------------------------------------------------------- grains */

static const SceneChoice freezes[] = {{"x", SCREE_FREEZE_X},
                                      {"y", SCREE_FREEZE_Y},
                                      {"z", SCREE_FREEZE_Z},
                                      {"rotation_x", SCREE_FREEZE_ROTATION_X},
                                      {"rotation_y", SCREE_FREEZE_ROTATION_Y},
                                      {"rotation_z", SCREE_FREEZE_ROTATION_Z},
                                      {"position", SCREE_FREEZE_POSITION},
                                      {"rotation", SCREE_FREEZE_ROTATION},
                                      {"all", SCREE_FREEZE_ALL},
                                      {NULL, 0}};

static const SceneKey grains_keys[] = {
    {"material", &scene_type_name, FIELD(SceneGrainsSpec, material), NULL, "(the only material)",
     ANY, NULL, NULL, "name of the material"},
    {"radius", &scene_type_sizes, FIELD(SceneGrainsSpec, radius), "length",
     "(this or a shape, except with file)", POSITIVE, NULL, &scene_section_sizes,
     "of the spheres, or disks in two dimensions"},
    {"polygon", &scene_type_section, FIELD(SceneGrainsSpec, form.outline.polygon), NULL, "(none)",
     IN_PLANE, NULL, &scene_section_polygon,
     "shape of the grains: an outline given by its corners"},
    {"regular", &scene_type_section, FIELD(SceneGrainsSpec, form.outline.regular), NULL, "(none)",
     ANY, NULL, &scene_section_regular, "shape of the grains: a regular polygon or, in 3D, solid"},
    {"rectangle", &scene_type_section, FIELD(SceneGrainsSpec, form.outline.rectangle), NULL,
     "(none)", IN_PLANE, NULL, &scene_section_rectangle, "shape of the grains: a block"},
    {"rod", &scene_type_section, FIELD(SceneGrainsSpec, form.outline.rod), NULL, "(none)", ANY,
     NULL, &scene_section_rod, "shape of the grains: a rod with round ends"},
    {"random_polygon", &scene_type_section, FIELD(SceneGrainsSpec, form.random), NULL, "(none)",
     IN_PLANE, NULL, &scene_section_random_polygon,
     "shape of the grains: convex polygons, a different one for each grain"},
    {"compound", &scene_type_list, FIELD(SceneGrainsSpec, form.compound), NULL, "(none)", ANY, NULL,
     &scene_section_parts, "shape of the grains: several outlines or solids as one body"},
    {"nurbs", &scene_type_section, FIELD(SceneGrainsSpec, form.nurbs), NULL, "(none)", IN_PLANE,
     NULL, &scene_section_nurbs, "shape of the grains: a closed NURBS curve"},
    {"ellipse", &scene_type_section, FIELD(SceneGrainsSpec, form.ellipse), NULL, "(none)", IN_PLANE,
     NULL, &scene_section_ellipse, "shape of the grains: an ellipse"},
    {"library", &scene_type_section, FIELD(SceneGrainsSpec, form.library), NULL, "(none)", IN_PLANE,
     NULL, &scene_section_library, "shape of the grains: from the library"},
    SCENE_SOLID_KEYS(SceneGrainsSpec, form.solid, "shape of the grains: "),
    {"rock", &scene_type_section, FIELD(SceneGrainsSpec, form.rock), NULL, "(none)", IN_SPACE, NULL,
     &scene_section_rock, "shape of the grains: convex rocks, a different one for each grain"},
    {"shape", &scene_type_name, FIELD(SceneGrainsSpec, shape), NULL, "(none)", ANY, NULL, NULL,
     "shape of the grains: the name of an entry of `shapes`"},
    {"scale", &scene_type_sizes, FIELD(SceneGrainsSpec, scale), "1", "(1)", ANY, NULL,
     &scene_section_sizes,
     "multiplies every length of the shape, including its rounding; a number, a list or a "
     "distribution, as for a radius"},
    {"angle", &scene_type_angle, FIELD(SceneGrainsSpec, angle), "radian", "(0; random with fill)",
     IN_PLANE, NULL, &scene_section_angle, "rotation of the shape"},
    {"orientation", &scene_type_orientation, FIELD(SceneGrainsSpec, orientation), NULL,
     "(not rotated; random with fill)", IN_SPACE, NULL, &scene_section_orientation,
     "rotation of the shape"},
    {"position", &scene_type_vector, FIELD(SceneGrainsSpec, position), "length",
     "(one source is required)", ANY, NULL, NULL,
     "centre of a single grain; for a shape, its centroid"},
    {"at", &scene_type_points, FIELD(SceneGrainsSpec, at), "length", "(one source is required)",
     ANY, NULL, NULL, "centres of several grains"},
    {"file", &scene_type_name, FIELD(SceneGrainsSpec, file), NULL, "(one source is required)", ANY,
     NULL, NULL,
     "a CSV file, relative to the scene. Its first line names the columns: x, y, z (3D), radius, "
     "and optionally mass, inertia, vx, vy, vz, wx, wy, wz, material, shape, scale, and angle in "
     "2D, a quaternion qw, qx, qy, qz in 3D (a row without a shape is round); lines that begin "
     "with # are comments"},
    {"lattice", &scene_type_section, FIELD(SceneGrainsSpec, lattice), NULL,
     "(one source is required)", ANY, NULL, &lattice_section, "grains on a lattice"},
    {"fill", &scene_type_section, FIELD(SceneGrainsSpec, fill), NULL, "(one source is required)",
     ANY, NULL, &fill_section, "grains at random positions"},
    {"count", &scene_type_integer, FIELD(SceneGrainsSpec, count), "1", "(or solid_fraction)",
     POSITIVE, NULL, NULL, "with fill: number of grains"},
    {"solid_fraction", &scene_type_number, FIELD(SceneGrainsSpec, solid_fraction), "1",
     "(or count)", FRACTION, NULL, NULL,
     "with fill: volume of the grains divided by that of the region (2D: areas)"},
    {"velocity", &scene_type_vector, FIELD(SceneGrainsSpec, velocity), "length/time", "(zero)", ANY,
     NULL, NULL, "initial velocity; with a spread its mean"},
    {"spread", &scene_type_number, FIELD(SceneGrainsSpec, spread), "length/time", "0", NOT_NEGATIVE,
     NULL, NULL,
     "standard deviation of each component of the velocity: a different one for each grain"},
    {"spread_kind", &scene_type_choice, FIELD(SceneGrainsSpec, spread_kind), NULL, "normal", ANY,
     scene_spread_kinds, NULL,
     "`normal`: Maxwell's distribution, of a gas in equilibrium; `uniform`: each component is "
     "uniform, from sqrt(3) spread below its mean to as much above"},
    {"spin", &scene_type_spin, FIELD(SceneGrainsSpec, spin), "1/time", "(zero)", ANY, NULL, NULL,
     "initial angular velocity; a single number in two dimensions"},
    {"mass", &scene_type_number, FIELD(SceneGrainsSpec, mass), "mass", "(density times volume)",
     POSITIVE, NULL, NULL, "mass of each grain"},
    {"inertia", &scene_type_number, FIELD(SceneGrainsSpec, inertia), "mass length^2",
     "(2/5 m r^2, in 2D 1/2 m r^2, exact for shapes)", POSITIVE, NULL, NULL,
     "moment of inertia of each grain"},
    {"frozen", &scene_type_flags, FIELD(SceneGrainsSpec, frozen), NULL, "(free)", ANY, freezes,
     NULL, "motions that forces cannot change"},
    {"held_by", &scene_type_name, FIELD(SceneGrainsSpec, held_by), NULL, "(no wall)", ANY, NULL,
     NULL,
     "a wall that takes these grains along as a part of itself (docs/plates.md): what acts on them "
     "acts on the wall"},
    {"force", &scene_type_vector, FIELD(SceneGrainsSpec, force), "force", "(zero)", ANY, NULL, NULL,
     "on the centre of each grain, in addition to gravity"},
    {"torque", &scene_type_spin, FIELD(SceneGrainsSpec, torque), "force length", "(zero)", ANY,
     NULL, NULL, "on each grain; a single number in two dimensions"},
};

const SceneSection scene_section_grains = {
    "grains",
    "A list of entries. Each has one source of positions: `position`, `at`, `file`, `lattice` or "
    "`fill`. Grains are numbered from 0 in the order of the entries. They are round and have a "
    "`radius`, or they have a `shape`, or are given by one of `polygon`, `regular`, `rectangle`, "
    "`rod`, `random_polygon`, `compound`, `nurbs`, `ellipse` and `library` in two dimensions, and "
    "of `polyhedron`, `box`, `regular`, `prism`, `rod`, `plate`, `ellipsoid`, `superellipsoid`, "
    "`cylinder`, `cone`, `surface`, `torus`, `mesh`, `rock` and `compound` in three. A single "
    "polygon, polyhedron, mesh, compound, NURBS curve or surface needs no source of positions.",
    "grains:\n"
    "  - {at: [[0, 0, 1], [0, 0, 2]], radius: [0.5, 0.4], velocity: [1, 0, 0]}\n"
    "  - {file: packing.csv}\n"
    "  - {solid_fraction: 0.3, radius: 0.05, fill: {min: [2, 0, 0], max: [4, 1, 1]}}\n",
    SCENE_KEYS(grains_keys), sizeof(SceneGrainsSpec)};
