/* The schema of solids: shapes of bodies in space. */
#include "scene/read/reader.h"
#include "scene/schema/sections.h"

#include <math.h>

#define FIELD(type, name) offsetof(type, name)

static const char included_words[] =
    "radius of edges and corners; included in the given size, so they are cut off";
static const char grows_words[] =
    "the body is everything within this distance of the polyhedron, and grows accordingly";

static const SceneKey polyhedron_keys[] = {
    {"vertices", &scene_type_points, FIELD(ScenePolyhedronSpec, vertices), "length", SCENE_REQUIRED,
     ANY, NULL, NULL, "its corners, in any order"},
    {"faces", &scene_type_faces, FIELD(ScenePolyhedronSpec, faces), "1", "(the convex hull)", ANY,
     NULL, NULL,
     "plane polygons that close around the body, not necessarily a convex one: vertices counted "
     "from 0, counterclockwise seen from outside"},
    {"rounding", &scene_type_number, FIELD(ScenePolyhedronSpec, rounding), "length", "0",
     NOT_NEGATIVE, NULL, NULL, grows_words},
};
const SceneSection scene_section_polyhedron = {
    "polyhedron",
    "A body in space given by its vertices: their convex hull, or whatever the faces close "
    "around. Without a source of positions, the body lies where its vertices are.",
    "polyhedron: {vertices: [[0, 0, 0], [2, 0, 0], [0, 1, 0], [0, 0, 1]], rounding: 0.05}\n",
    SCENE_KEYS(polyhedron_keys), sizeof(ScenePolyhedronSpec)};

static const SceneKey box_keys[] = {
    {"size", &scene_type_vector, FIELD(SceneCuboidSpec, size), "length", SCENE_REQUIRED, POSITIVE,
     NULL, NULL, "lengths along x, y and z"},
    {"rounding", &scene_type_number, FIELD(SceneCuboidSpec, rounding), "length", "0", NOT_NEGATIVE,
     NULL, NULL, included_words},
};
const SceneSection scene_section_cuboid = {"box body", "A body with six rectangular faces.",
                                           "box: {size: [2, 1, 0.5], rounding: 0.05}\n",
                                           SCENE_KEYS(box_keys), sizeof(SceneCuboidSpec)};

static const SceneKey prism_keys[] = {
    {"corners", &scene_type_integer, FIELD(ScenePrismSpec, corners), "1", SCENE_REQUIRED, POSITIVE,
     NULL, NULL, "corners of its base, from 3 to 1000"},
    {"radius", &scene_type_number, FIELD(ScenePrismSpec, radius), "length", SCENE_REQUIRED,
     POSITIVE, NULL, NULL, "radius of the circle around the base"},
    {"height", &scene_type_number, FIELD(ScenePrismSpec, height), "length", SCENE_REQUIRED,
     POSITIVE, NULL, NULL, "along z"},
    {"rounding", &scene_type_number, FIELD(ScenePrismSpec, rounding), "length", "0", NOT_NEGATIVE,
     NULL, NULL, included_words},
};
const SceneSection scene_section_prism = {
    "prism", "An upright prism on a regular polygon, whose first corner lies along x.",
    "prism: {corners: 6, radius: 0.1, height: 0.3}\n", SCENE_KEYS(prism_keys),
    sizeof(ScenePrismSpec)};

static const SceneKey plate_keys[] = {
    {"size", &scene_type_vector, FIELD(ScenePlateSpec, size), "length", SCENE_REQUIRED, POSITIVE,
     NULL, NULL, "lengths along x and y, and the thickness, which is the least"},
};
const SceneSection scene_section_plate = {
    "plate",
    "A rectangular plate whose edges are round: everything within half its thickness of a "
    "rectangle. With sharp edges it is a `box`.",
    "plate: {size: [1, 0.6, 0.1]}\n", SCENE_KEYS(plate_keys), sizeof(ScenePlateSpec)};

static const char lengths_words[] = "lengths along x, y and z";

static const SceneKey ellipsoid_keys[] = {
    {"size", &scene_type_vector, FIELD(SceneEllipsoidSpec, size), "length", SCENE_REQUIRED,
     POSITIVE, NULL, NULL, lengths_words},
};
const SceneSection scene_section_ellipsoid = {
    "ellipsoid", "An exact ellipsoid.", "ellipsoid: {size: [1.25, 1, 0.8]}\n",
    SCENE_KEYS(ellipsoid_keys), sizeof(SceneEllipsoidSpec)};

static bool read_exponents(SceneReader *reader, const SceneKey *key, int node, void *field) {
    static const char expected[] = "two numbers [n1, n2]";
    return scene_items(reader->document, node) == 2
               ? scene_read_numbers(reader, key, node, field, 2)
               : scene_wrong_type(reader, node, expected);
}

static const SceneType type_exponents = {"two numbers [n1, n2]", NULL, read_exponents, false,
                                         false};

static const SceneKey superellipsoid_keys[] = {
    {"size", &scene_type_vector, FIELD(SceneEllipsoidSpec, size), "length", SCENE_REQUIRED,
     POSITIVE, NULL, NULL, lengths_words},
    {"exponents", &type_exponents, FIELD(SceneEllipsoidSpec, exponents), "1", SCENE_REQUIRED,
     POSITIVE, NULL, NULL,
     "n1 and n2, each from 2 to 32: where the body is convex and not too sharp"},
};
const SceneSection scene_section_superellipsoid = {
    "superellipsoid",
    "The body (|x/a|^n2 + |y/b|^n2)^(n1/n2) + |z/c|^n1 = 1, with a, b, c half of its size. "
    "Exponents "
    "[2, 2] make an ellipsoid, [8, 8] nearly a box, [8, 2] nearly a cylinder along z.",
    "superellipsoid: {size: [1, 1, 0.6], exponents: [4, 4]}\n", SCENE_KEYS(superellipsoid_keys),
    sizeof(SceneEllipsoidSpec)};

static const SceneKey cylinder_keys[] = {
    {"radius", &scene_type_number, FIELD(SceneConeSpec, radius), "length", SCENE_REQUIRED, POSITIVE,
     NULL, NULL, "of the cylinder"},
    {"height", &scene_type_number, FIELD(SceneConeSpec, height), "length", SCENE_REQUIRED, POSITIVE,
     NULL, NULL, "along z"},
    {"rounding", &scene_type_number, FIELD(SceneConeSpec, rounding), "length", "0", NOT_NEGATIVE,
     NULL, NULL, "radius of its two edges; included in the given size"},
};
const SceneSection scene_section_round_body = {
    "cylinder body",
    "An exact cylinder with flat ends along z: a disk or tablet if it is low. With round ends it "
    "is a "
    "`rod`.",
    "cylinder: {radius: 0.005, height: 0.004, rounding: 0.0005}\n", SCENE_KEYS(cylinder_keys),
    sizeof(SceneConeSpec)};

static const SceneKey cone_keys[] = {
    {"radius", &scene_type_number, FIELD(SceneConeSpec, radius), "length", SCENE_REQUIRED, POSITIVE,
     NULL, NULL, "of its base"},
    {"top", &scene_type_number, FIELD(SceneConeSpec, top), "length", "0", NOT_NEGATIVE, NULL, NULL,
     "radius at the upper end; 0: an apex"},
    {"height", &scene_type_number, FIELD(SceneConeSpec, height), "length", SCENE_REQUIRED, POSITIVE,
     NULL, NULL, "along z"},
    {"rounding", &scene_type_number, FIELD(SceneConeSpec, rounding), "length", "0", NOT_NEGATIVE,
     NULL, NULL, "the body is everything within this distance of the cone, and grows accordingly"},
};
const SceneSection scene_section_cone = {"cone", "An exact cone along z, its base below.",
                                         "cone: {radius: 0.2, height: 0.5}\n",
                                         SCENE_KEYS(cone_keys), sizeof(SceneConeSpec)};

static const SceneKey mesh_keys[] = {
    {"file", &scene_type_name, FIELD(SceneMeshSpec, file), NULL, SCENE_REQUIRED, ANY, NULL, NULL,
     "relative to the scene; its name ends in .stl, .obj, .ply or .off"},
    {"scale", &scene_type_number, FIELD(SceneMeshSpec, scale), "1", "1", POSITIVE, NULL, NULL,
     "multiplies the coordinates of the file, as from millimetres to metres"},
    {"hull", &scene_type_boolean, FIELD(SceneMeshSpec, hull), NULL, "false", ANY, NULL, NULL,
     "true: the convex hull of the vertices; the faces then mean nothing"},
    {"precision", &scene_type_number, FIELD(SceneMeshSpec, precision), "1", "1e-7", NOT_NEGATIVE,
     NULL, NULL,
     "how much coordinates may have been rounded, relative to the largest; faces that may have "
     "been "
     "plane before are made so. A file with six digits needs 1e-5"},
    {"rounding", &scene_type_number, FIELD(SceneMeshSpec, rounding), "length", "0", NOT_NEGATIVE,
     NULL, NULL, grows_words},
};
const SceneSection scene_section_mesh = {
    "mesh",
    "A body whose surface stands in a file: STL, OBJ, PLY or OFF, as text or binary (OFF as text "
    "only). The surface must be closed, and its faces counterclockwise seen from outside. Vertices "
    "closer than 1e-9 of the size of the mesh are taken for one. Without a source of positions, "
    "the body lies where its vertices are.",
    "mesh: {file: nut.stl, scale: 0.001}\n", SCENE_KEYS(mesh_keys), sizeof(SceneMeshSpec)};

static bool read_faces(SceneReader *reader, const SceneKey *key, int node, void *field) {
    return scene_read_whole_range(reader, key, node, 4, 1000, field);
}

static const SceneType type_rock_faces = {"a whole number, or two [from, to]", NULL, read_faces,
                                          false, false};

static const SceneKey rock_keys[] = {
    {"faces", &type_rock_faces, FIELD(SceneRockSpec, faces), "1", SCENE_REQUIRED, ANY, NULL, NULL,
     "number of faces, or a range from which it is drawn uniformly"},
    {"size", &scene_type_sizes, FIELD(SceneRockSpec, size), "length", SCENE_REQUIRED, POSITIVE,
     NULL, &scene_section_sizes,
     "what a sieve measures: the middle one of its length, width and height; not a list"},
    {"elongation", &scene_type_number, FIELD(SceneRockSpec, elongation), "1", "1", ONE_OR_MORE,
     NULL, NULL, "length over width"},
    {"flatness", &scene_type_number, FIELD(SceneRockSpec, flatness), "1", "1", ONE_OR_MORE, NULL,
     NULL, "width over height"},
    {"angularity", &scene_type_number, FIELD(SceneRockSpec, angularity), "1", "0.5", SHARE, NULL,
     NULL, "0: faces as even as their number allows; 1: as uneven as they can be"},
    {"rounding", &scene_type_number, FIELD(SceneRockSpec, rounding), "length", "0", NOT_NEGATIVE,
     NULL, NULL, included_words},
};
const SceneSection scene_section_rock = {
    "rock",
    "A convex rock, drawn at random for each grain from the `seed` of the scene: a ball cut by "
    "planes and stretched. Its length lies along x, its width along y, its height along z.",
    "rock: {faces: [12, 20], size: {uniform: [0.02, 0.04]}, elongation: 1.4, flatness: 1.3}\n",
    SCENE_KEYS(rock_keys), sizeof(SceneRockSpec)};

static const SceneKey sphere_keys[] = {
    {"radius", &scene_type_number, FIELD(SceneDiskSpec, radius), "length", SCENE_REQUIRED, POSITIVE,
     NULL, NULL, "of the sphere"},
};
const SceneSection scene_section_sphere = {"sphere", "A sphere as a part of a compound.",
                                           "sphere: {radius: 0.1}\n", SCENE_KEYS(sphere_keys),
                                           sizeof(SceneDiskSpec)};
