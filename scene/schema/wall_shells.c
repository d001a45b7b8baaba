/* The schema of walls with round openings. */
#include "scene/read/reader.h"
#include "scene/schema/sections.h"

#define FIELD(type, name) offsetof(type, name)

static bool read_two(SceneReader *reader, const SceneKey *key, int node, void *field) {
    static const char expected[] = "two numbers [a, b]";
    return scene_items(reader->document, node) == 2
               ? scene_read_numbers(reader, key, node, field, 2)
               : scene_wrong_type(reader, node, expected);
}

static const SceneType type_two = {"two numbers [a, b]", NULL, read_two, false, false};

static const SceneKey cone_keys[] = {
    {"from", &scene_type_vector, FIELD(SceneConeWallSpec, from), "length", SCENE_REQUIRED, ANY,
     NULL, NULL, "the middle of one end"},
    {"to", &scene_type_vector, FIELD(SceneConeWallSpec, to), "length", SCENE_REQUIRED, ANY, NULL,
     NULL, "the middle of the other end"},
    {"radii", &type_two, FIELD(SceneConeWallSpec, radii), "length", SCENE_REQUIRED, NOT_NEGATIVE,
     NULL, NULL, "the radii at both ends; 0 is a tip"},
};
const SceneSection scene_section_wall_cone = {
    "wall cone",
    "Three dimensions: a funnel, the thin shell of a cone that is open at both ends. Both of its "
    "sides are solid: grains run down inside of it, or lie on it from outside. With equal radii it "
    "is a piece of tube.",
    "funnel: {cone: {from: [0, 0, 0], to: [0, 0, 0.3], radii: [0.04, 0.25]}}\n",
    SCENE_KEYS(cone_keys), sizeof(SceneConeWallSpec)};

static const SceneKey disc_keys[] = {
    {"center", &scene_type_vector, FIELD(SceneDiscSpec, center), "length", SCENE_REQUIRED, ANY,
     NULL, NULL, "its centre"},
    {"normal", &scene_type_vector, FIELD(SceneDiscSpec, normal), "1", "(along z)", ANY, NULL, NULL,
     "direction of its axis; its length does not matter"},
    {"radius", &scene_type_number, FIELD(SceneDiscSpec, radius), "length", SCENE_REQUIRED, POSITIVE,
     NULL, NULL, "its radius"},
    {"hole", &scene_type_number, FIELD(SceneDiscSpec, hole), "length", "0", NOT_NEGATIVE, NULL,
     NULL, "radius of a round hole in the middle, which makes it a ring"},
};
const SceneSection scene_section_disc = {
    "disc", "Three dimensions: a thin round plate, or a ring. Both of its sides are solid.",
    "table: {disc: {center: [0, 0, 0.1], radius: 0.2}, spin: 3}\n", SCENE_KEYS(disc_keys),
    sizeof(SceneDiscSpec)};

static const SceneKey holes_keys[] = {
    {"radius", &scene_type_number, FIELD(SceneHolesSpec, radius), "length", SCENE_REQUIRED,
     POSITIVE, NULL, NULL, "of each hole"},
    {"count", &type_two, FIELD(SceneHolesSpec, count), "1", "(one hole)", POSITIVE, NULL, NULL,
     "how many there are along x and y"},
    {"spacing", &type_two, FIELD(SceneHolesSpec, spacing), "length", "(with several holes)",
     NOT_NEGATIVE, NULL, NULL,
     "from the middle of one to that of the next, along x and y; the middle of all is that of the "
     "plate"},
};
static const SceneSection holes_section = {
    "holes", "Round holes of one size in rows, as in a sieve.",
    "holes: {radius: 0.01, count: [8, 8], spacing: [0.024, 0.024]}\n", SCENE_KEYS(holes_keys),
    sizeof(SceneHolesSpec)};

static const SceneKey plate_keys[] = {
    {"center", &scene_type_vector, FIELD(SceneWallPlateSpec, center), "length", SCENE_REQUIRED, ANY,
     NULL, NULL, "its centre"},
    {"size", &type_two, FIELD(SceneWallPlateSpec, size), "length", SCENE_REQUIRED, POSITIVE, NULL,
     NULL, "its sides along x and y"},
    {"orientation", &scene_type_rotation, FIELD(SceneWallPlateSpec, orientation), "1",
     "(not rotated)", ANY, NULL, &scene_section_orientation, "rotation about its centre"},
    {"holes", &scene_type_section, FIELD(SceneWallPlateSpec, holes), NULL, "(none)", ANY, NULL,
     &holes_section, "round holes in it"},
};
const SceneSection scene_section_wall_plate = {
    "wall plate",
    "Three dimensions: a thin rectangle across z, or turned, with round holes in it or without. "
    "Both "
    "of its sides are solid.",
    "sieve: {plate: {center: [0, 0, 0.2], size: [0.2, 0.2], holes: {radius: 0.01, count: [8, 8], "
    "spacing: [0.024, 0.024]}}}\n",
    SCENE_KEYS(plate_keys), sizeof(SceneWallPlateSpec)};
