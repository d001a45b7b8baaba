/* The schema of shapes in the plane, and of what they have in common with those in space. */
#include "scene/read/reader.h"
#include "scene/schema/sections.h"

#include <math.h>
#include <stdio.h>

#define FIELD(type, name) offsetof(type, name)

static const char rounding_words[] =
    "radius of the corners; included in the given size, so the corners are cut off";

/* ---------------------------------------------------------------- single outlines */

static const SceneKey polygon_keys[] = {
    {"vertices", &scene_type_points, FIELD(ScenePolygonSpec, vertices), "length", SCENE_REQUIRED,
     ANY, NULL, NULL, "at least three corners in order, clockwise or counterclockwise"},
    {"rounding", &scene_type_number, FIELD(ScenePolygonSpec, rounding), "length", "0", NOT_NEGATIVE,
     NULL, NULL,
     "the body is everything within this distance of the polygon, and grows accordingly"},
};
const SceneSection scene_section_polygon = {
    "polygon",
    "An outline given by its corners, convex or not. It must not cross or touch itself, no corner "
    "may appear twice, and none may lie on the straight line between its neighbours. Without a "
    "source of positions, the body lies where its vertices are.",
    "polygon: {vertices: [[0, 0], [2, 0], [2, 1], [1, 1], [1, 2], [0, 2]], rounding: 0.05}\n",
    SCENE_KEYS(polygon_keys), sizeof(ScenePolygonSpec)};

static const SceneKey regular_keys[] = {
    {"corners", &scene_type_integer, FIELD(SceneRegularSpec, corners), "1", "(required in 2D)",
     IN_PLANE, NULL, NULL, "number of corners, from 3 to 1000"},
    {"faces", &scene_type_integer, FIELD(SceneRegularSpec, faces), "1", "(required in 3D)",
     IN_SPACE, NULL, NULL, "number of faces: 4, 6, 8, 12 or 20"},
    {"radius", &scene_type_number, FIELD(SceneRegularSpec, radius), "length", SCENE_REQUIRED,
     POSITIVE, NULL, NULL, "radius of the enclosing circle, in 3D of the enclosing sphere"},
    {"rounding", &scene_type_number, FIELD(SceneRegularSpec, rounding), "length", "0", NOT_NEGATIVE,
     NULL, NULL, rounding_words},
};
const SceneSection scene_section_regular = {
    "regular",
    "A regular polygon; unless rotated, it stands on a side. In three dimensions a regular solid: "
    "tetrahedron, cube, octahedron, dodecahedron or icosahedron.",
    "regular: {corners: 6, radius: 0.1}\nregular: {faces: 12, radius: 0.1}\n",
    SCENE_KEYS(regular_keys), sizeof(SceneRegularSpec)};

static const SceneKey rectangle_keys[] = {
    {"size", &scene_type_vector, FIELD(SceneRectangleSpec, size), "length", SCENE_REQUIRED,
     POSITIVE, NULL, NULL, "width along x and height along y"},
    {"rounding", &scene_type_number, FIELD(SceneRectangleSpec, rounding), "length", "0",
     NOT_NEGATIVE, NULL, NULL, rounding_words},
};
const SceneSection scene_section_rectangle = {
    "rectangle", "A block.", "rectangle: {size: [2, 0.5], rounding: 0.05}\n",
    SCENE_KEYS(rectangle_keys), sizeof(SceneRectangleSpec)};

static const SceneKey rod_keys[] = {
    {"length", &scene_type_number, FIELD(SceneRodSpec, length), "length", SCENE_REQUIRED, POSITIVE,
     NULL, NULL, "from end to end"},
    {"radius", &scene_type_number, FIELD(SceneRodSpec, radius), "length", SCENE_REQUIRED, POSITIVE,
     NULL, NULL, "radius of its round ends; half its thickness"},
};
const SceneSection scene_section_rod = {"rod", "A straight rod with round ends, along x.",
                                        "rod: {length: 1, radius: 0.1}\n", SCENE_KEYS(rod_keys),
                                        sizeof(SceneRodSpec)};

static const SceneKey disk_keys[] = {
    {"radius", &scene_type_number, FIELD(SceneDiskSpec, radius), "length", SCENE_REQUIRED, POSITIVE,
     NULL, NULL, "of the disk"},
};
static const SceneSection disk_section = {"disk", "A disk as a part of a compound.",
                                          "disk: {radius: 0.1}\n", SCENE_KEYS(disk_keys),
                                          sizeof(SceneDiskSpec)};

/* ---------------------------------------------------------------- random polygons */

bool scene_read_whole_range(SceneReader *reader, const SceneKey *key, int node, int least, int most,
                            SceneCorners *range) {
    char expected[80];
    double v[2];
    snprintf(expected, sizeof expected, "a whole number from %d to %d, or two of them [from, to]",
             least, most);
    if (scene_scalar(reader->document, node)) {
        if (!scene_read_number(reader, key, node, &v[0])) {
            return false;
        }
        v[1] = v[0];
    } else if (scene_items(reader->document, node) != 2) {
        return scene_wrong_type(reader, node, expected);
    } else if (!scene_read_numbers(reader, key, node, v, 2)) {
        return false;
    }
    if (v[0] != floor(v[0]) || v[1] != floor(v[1]) ||
        !(v[0] >= least && v[0] <= v[1] && v[1] <= most)) {
        return scene_wrong_type(reader, node, expected);
    }
    *range = (SceneCorners){(int)v[0], (int)v[1]};
    return true;
}

static bool read_corners(SceneReader *reader, const SceneKey *key, int node, void *field) {
    return scene_read_whole_range(reader, key, node, 3, 100, field);
}

static const SceneType type_corners = {"a whole number, or two [from, to]", NULL, read_corners,
                                       false, false};

static const SceneKey random_keys[] = {
    {"corners", &type_corners, FIELD(SceneRandomPolygonSpec, corners), "1", SCENE_REQUIRED, ANY,
     NULL, NULL, "number of corners, or a range from which it is drawn uniformly"},
    {"radius", &scene_type_sizes, FIELD(SceneRandomPolygonSpec, radius), "length", SCENE_REQUIRED,
     POSITIVE, NULL, &scene_section_sizes,
     "radius of the enclosing circle about the centroid; not a list"},
    {"irregularity", &scene_type_number, FIELD(SceneRandomPolygonSpec, irregularity), "1", "0.5",
     SHARE, NULL, NULL,
     "0: corners at equal angles; 1: neighbouring corners may come arbitrarily close"},
    {"elongation", &scene_type_number, FIELD(SceneRandomPolygonSpec, elongation), "1", "1",
     ONE_OR_MORE, NULL, NULL, "aspect ratio of the ellipse on which the corners lie"},
    {"rounding", &scene_type_number, FIELD(SceneRandomPolygonSpec, rounding), "length", "0",
     NOT_NEGATIVE, NULL, NULL, rounding_words},
};
const SceneSection scene_section_random_polygon = {
    "random_polygon",
    "A convex polygon, drawn at random for each grain. Of n corners, corner k lies on a circle at "
    "the angle 2 pi (k + v + irregularity u) / n, where u is uniform between -1/2 and 1/2 for each "
    "corner, and v is uniform between 0 and 1 for the polygon. The circle is stretched along x "
    "into an ellipse, and the polygon is scaled to fit `radius`.",
    "random_polygon: {corners: [5, 8], radius: {uniform: [0.02, 0.04]}, elongation: 1.5}\n",
    SCENE_KEYS(random_keys), sizeof(SceneRandomPolygonSpec)};

/* ---------------------------------------------------------------- compounds */

#define OUTLINE_KEYS(type)                                                                         \
    {                                                                                              \
        "polygon",                                                                                 \
        &scene_type_section,                                                                       \
        FIELD(type, outline.polygon),                                                              \
        NULL,                                                                                      \
        "(none)",                                                                                  \
        IN_PLANE,                                                                                  \
        NULL,                                                                                      \
        &scene_section_polygon,                                                                    \
        "an outline given by its corners"},                                                        \
        {"regular",                                                                                \
         &scene_type_section,                                                                      \
         FIELD(type, outline.regular),                                                             \
         NULL,                                                                                     \
         "(none)",                                                                                 \
         ANY,                                                                                      \
         NULL,                                                                                     \
         &scene_section_regular,                                                                   \
         "a regular polygon or, in 3D, solid"},                                                    \
        {"rectangle",                                                                              \
         &scene_type_section,                                                                      \
         FIELD(type, outline.rectangle),                                                           \
         NULL,                                                                                     \
         "(none)",                                                                                 \
         IN_PLANE,                                                                                 \
         NULL,                                                                                     \
         &scene_section_rectangle,                                                                 \
         "a block"},                                                                               \
    {                                                                                              \
        "rod", &scene_type_section, FIELD(type, outline.rod), NULL, "(none)", ANY, NULL,           \
            &scene_section_rod, "a rod with round ends"                                            \
    }

static const SceneKey part_keys[] = {
    {"disk", &scene_type_section, FIELD(SceneShapePartSpec, outline.disk), NULL, "(none)", IN_PLANE,
     NULL, &disk_section, "a disk"},
    OUTLINE_KEYS(SceneShapePartSpec),
    SCENE_SOLID_KEY(SceneShapePartSpec, solid, sphere, sphere, "a sphere"),
    SCENE_SOLID_KEYS(SceneShapePartSpec, solid, ""),
    {"center", &scene_type_vector, FIELD(SceneShapePartSpec, center), "length",
     "(the origin; for vertices, as given by them)", ANY, NULL, NULL, "centroid of the part"},
    {"angle", &scene_type_number, FIELD(SceneShapePartSpec, angle), "radian", "0", IN_PLANE, NULL,
     NULL, "rotation of the part about its centroid"},
    {"orientation", &scene_type_rotation, FIELD(SceneShapePartSpec, orientation), NULL,
     "(not rotated)", IN_SPACE, NULL, &scene_section_orientation,
     "rotation of the part about its centroid"},
};
const SceneSection scene_section_parts = {
    "compound",
    "A list of parts that move as one body; each is one outline, or in three dimensions one solid. "
    "Where parts overlap, their masses add up; in three dimensions they count once. Without a "
    "source of positions, the "
    "body "
    "lies where its parts are.",
    "compound:\n"
    "  - {rod: {length: 2, radius: 0.1}}\n"
    "  - {disk: {radius: 0.4}, center: [-1, 0]}\n"
    "  - {disk: {radius: 0.4}, center: [1, 0]}\n"
    "compound: # in three dimensions\n"
    "  - {box: {size: [1, 0.2, 0.2]}}\n"
    "  - {box: {size: [0.2, 1, 0.2]}, center: [0.6, 0, 0]}\n",
    SCENE_KEYS(part_keys), sizeof(SceneShapePartSpec)};

/* ---------------------------------------------------------------- shapes by name */

static const SceneKey shape_keys[] = {
    OUTLINE_KEYS(SceneShapeSpec),
    {"random_polygon", &scene_type_section, FIELD(SceneShapeSpec, random), NULL, "(none)", IN_PLANE,
     NULL, &scene_section_random_polygon, "convex polygons, a different one for each grain"},
    {"compound", &scene_type_list, FIELD(SceneShapeSpec, compound), NULL, "(none)", ANY, NULL,
     &scene_section_parts, "several outlines or solids as one body"},
    {"nurbs", &scene_type_section, FIELD(SceneShapeSpec, nurbs), NULL, "(none)", IN_PLANE, NULL,
     &scene_section_nurbs, "a closed NURBS curve"},
    {"ellipse", &scene_type_section, FIELD(SceneShapeSpec, ellipse), NULL, "(none)", IN_PLANE, NULL,
     &scene_section_ellipse, "an ellipse"},
    {"library", &scene_type_section, FIELD(SceneShapeSpec, library), NULL, "(none)", IN_PLANE, NULL,
     &scene_section_library, "a shape from the library of grains, or all of them"},
    SCENE_SOLID_KEYS(SceneShapeSpec, solid, ""),
    {"rock", &scene_type_section, FIELD(SceneShapeSpec, rock), NULL, "(none)", IN_SPACE, NULL,
     &scene_section_rock, "convex rocks, a different one for each grain"},
};
const SceneSection scene_section_shapes = {
    "shapes",
    "Shapes by name, to be used by `shape` of grains and the column `shape` of CSV files. Each is "
    "one of the following; which of them there are depends on the dimension.",
    "shapes:\n"
    "  chip: {polygon: {vertices: [[0, 0], [2, 0], [2, 1], [1, 1], [1, 2], [0, 2]]}}\n"
    "  gravel: {random_polygon: {corners: [5, 8], radius: 0.1}}\n"
    "grains:\n"
    "  - {shape: chip, scale: {uniform: [0.1, 0.2]}, count: 50, fill: {min: [0, 0], max: [9, "
    "9]}}\n"
    "shapes: # in three dimensions\n"
    "  die: {box: {size: [1, 1, 1], rounding: 0.1}}\n",
    SCENE_KEYS(shape_keys), sizeof(SceneShapeSpec)};
