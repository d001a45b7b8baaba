/* The schema of curved shapes: NURBS, ellipses, the library of grains. */
#include "scene/read/reader.h"
#include "scene/schema/sections.h"

#define FIELD(type, name) offsetof(type, name)

static bool read_list(SceneReader *reader, const SceneKey *key, int node, void *field) {
    SceneNumbers *numbers = field;
    return scene_read_list(reader, key, node, "a list of numbers", &numbers->list, &numbers->count);
}

static const SceneType type_numbers = {"a list of numbers", NULL, read_list, false, false};

static bool read_degrees(SceneReader *reader, const SceneKey *key, int node, void *field) {
    static const char expected[] = "two numbers [along u, along v]";
    return scene_items(reader->document, node) == 2
               ? scene_read_numbers(reader, key, node, field, 2)
               : scene_wrong_type(reader, node, expected);
}

static const SceneType type_degrees = {"two numbers [along u, along v]", NULL, read_degrees, false,
                                       false};

static const SceneKey surface_keys[] = {
    {"degree", &type_degrees, FIELD(SceneSurfaceSpec, degree), "1", "([3, 3])", POSITIVE, NULL,
     NULL, "degrees of the splines along u and v, 1 to 7"},
    {"points", &scene_type_points, FIELD(SceneSurfaceSpec, points), "length", "(this or file)", ANY,
     NULL, NULL,
     "control points row by row: those along v one after the other, then the next along u. Seen "
     "from outside, v runs to the left of u"},
    {"across", &scene_type_integer, FIELD(SceneSurfaceSpec, across), "1", SCENE_REQUIRED, POSITIVE,
     NULL, NULL, "points in a row, along v"},
    {"weights", &type_numbers, FIELD(SceneSurfaceSpec, weights), "1", "(all 1)", ANY, NULL, NULL,
     "one for each point, 1e-6 to 1e6"},
    {"knots_u", &type_numbers, FIELD(SceneSurfaceSpec, knots_u), "1",
     "(uniform, with the points closed into a ring along u)", ANY, NULL, NULL,
     "along u, nondecreasing: points along u + degree + 1 of them"},
    {"knots_v", &type_numbers, FIELD(SceneSurfaceSpec, knots_v), "1",
     "(uniform, with the points closed into a ring along v)", ANY, NULL, NULL,
     "along v, nondecreasing: `across` + degree + 1 of them"},
    {"file", &scene_type_name, FIELD(SceneSurfaceSpec, file), NULL, "(this or points)", ANY, NULL,
     NULL,
     "a text file, relative to the scene, with a point on each line: x, y, z or x, y, z, weight; "
     "lines that begin with # are comments"},
};
const SceneSection scene_section_surface = {
    "surface",
    "A body within one NURBS surface, convex or not, that closes around it: as a ring in one or "
    "both "
    "directions, and with poles, where all points of a row are the same. It must be smooth; only "
    "of "
    "degree [1, 1], with plane patches, it is a polyhedron and has edges. Without a source of "
    "positions, the body lies where its points are ([solids.md](solids.md#nurbs-surfaces)).",
    "surface: # an egg: rings around z, from pole to pole\n"
    "  degree: [2, 2]\n"
    "  across: 4\n"
    "  points: [[0, 0, -1], [1, -1, -1], [1, -1, 1.5], [0, 0, 1.5],\n"
    "           [0, 0, -1], [1, 1, -1], [1, 1, 1.5], [0, 0, 1.5],\n"
    "           [0, 0, -1], [-1, 1, -1], [-1, 1, 1.5], [0, 0, 1.5],\n"
    "           [0, 0, -1], [-1, -1, -1], [-1, -1, 1.5], [0, 0, 1.5]]\n"
    "  knots_v: [0, 0, 0, 0.5, 1, 1, 1]\n",
    SCENE_KEYS(surface_keys), sizeof(SceneSurfaceSpec)};

static const SceneKey torus_keys[] = {
    {"radius", &scene_type_number, FIELD(SceneTorusSpec, radius), "length", SCENE_REQUIRED,
     POSITIVE, NULL, NULL, "of the circle through its middle, around z"},
    {"thickness", &scene_type_number, FIELD(SceneTorusSpec, thickness), "length", SCENE_REQUIRED,
     POSITIVE, NULL, NULL, "diameter of its section"},
};
const SceneSection scene_section_torus = {
    "torus", "An exact ring about z: a NURBS surface of 81 control points.",
    "torus: {radius: 0.1, thickness: 0.04}\n", SCENE_KEYS(torus_keys), sizeof(SceneTorusSpec)};

static const SceneKey nurbs_keys[] = {
    {"degree", &scene_type_integer, FIELD(SceneNurbsSpec, degree), "1", "3", POSITIVE, NULL, NULL,
     "degree of the spline, 1 to 7"},
    {"points", &scene_type_points, FIELD(SceneNurbsSpec, points), "length", "(this or file)", ANY,
     NULL, NULL, "control points in order, clockwise or counterclockwise"},
    {"weights", &type_numbers, FIELD(SceneNurbsSpec, weights), "1", "(all 1)", ANY, NULL, NULL,
     "one for each point"},
    {"knots", &type_numbers, FIELD(SceneNurbsSpec, knots), "1",
     "(uniform, with the points closed into a ring)", ANY, NULL, NULL,
     "nondecreasing, points + degree + 1 of them; the curve runs from knot number `degree` to knot "
     "number `points`, counted from 0, and must end where it begins"},
    {"file", &scene_type_name, FIELD(SceneNurbsSpec, file), NULL, "(this or points)", ANY, NULL,
     NULL,
     "a text file, relative to the scene, with a point on each line: x, y or x, y, weight; lines "
     "that begin with # are comments"},
};
const SceneSection scene_section_nurbs = {
    "nurbs",
    "A closed NURBS curve. It must not cross or touch itself. Without a source of positions, the "
    "body lies where its points are.",
    "nurbs: {points: [[0, 0], [2, 0], [2.5, 1], [1, 0.6], [0, 2]]}\n", SCENE_KEYS(nurbs_keys),
    sizeof(SceneNurbsSpec)};

static const SceneKey ellipse_keys[] = {
    {"size", &scene_type_vector, FIELD(SceneEllipseSpec, size), "length", "(required, or `half`)",
     POSITIVE, NULL, NULL, "lengths along x and y"},
    {"half", &scene_type_vector, FIELD(SceneEllipseSpec, half), "length", "(half of `size`)",
     POSITIVE, NULL, NULL, "instead of `size`: semi-axes along x and y"},
};
const SceneSection scene_section_ellipse = {
    "ellipse", "An exact ellipse: a NURBS curve with nine control points.",
    "ellipse: {size: [0.4, 0.2]}\n", SCENE_KEYS(ellipse_keys), sizeof(SceneEllipseSpec)};

static const SceneChoice sets[] = {
    {"nonconvex", LIBRARY_NONCONVEX}, {"angular", LIBRARY_ANGULAR}, {NULL, 0}};

static const SceneKey library_keys[] = {
    {"set", &scene_type_choice, FIELD(SceneLibrarySpec, set), NULL, SCENE_REQUIRED, ANY, sets, NULL,
     "sixteen rounded shapes with notches, or sixteen convex shapes with sides and corners"},
    {"number", &scene_type_integer, FIELD(SceneLibrarySpec, number), "1",
     "(all of them, equally often)", POSITIVE, NULL, NULL, "number of the shape, 1 to 16"},
    {"diameter", &scene_type_sizes, FIELD(SceneLibrarySpec, diameter), "length", "(1)", POSITIVE,
     NULL, &scene_section_sizes,
     "mean diameter: the width between parallel tangents, averaged over all directions; for a "
     "disk, twice its radius. Not a list"},
};
const SceneSection scene_section_library = {
    "library",
    "Grains described by NURBS curves, made for Scree. All have the same mean diameter, so that "
    "assemblies of the two sets and of disks can be compared ([nurbs.md](nurbs.md)).",
    "library: {set: nonconvex, diameter: {uniform: [0.02, 0.04]}}\n", SCENE_KEYS(library_keys),
    sizeof(SceneLibrarySpec)};
