/* The schema of walls and of motions in time. */
#include "scene/schema/sections.h"

#define FIELD(type, name) offsetof(type, name)

/* ---------------------------------------------------------------- programmes in time */

static const SceneKey drive_keys[] = {
    {"table", &scene_type_table, FIELD(SceneDriveSpec, table), "time, then the value's", "(none)",
     ANY, NULL, NULL,
     "values at given times, interpolated linearly, and constant before the first and after the "
     "last; two rows with the same time make a jump"},
    {"amplitude", &scene_type_vector, FIELD(SceneDriveSpec, amplitude), "the value's", "(none)",
     ANY, NULL, NULL, "of mean + amplitude sin(2 pi frequency t + phase)"},
    {"frequency", &scene_type_number, FIELD(SceneDriveSpec, frequency), "1/time", "(none)",
     NOT_NEGATIVE, NULL, NULL, "cycles in a unit of time"},
    {"phase", &scene_type_number, FIELD(SceneDriveSpec, phase), "radian", "0", ANY, NULL, NULL,
     "angle at time 0"},
    {"mean", &scene_type_vector, FIELD(SceneDriveSpec, mean), "the value's", "(zero)", ANY, NULL,
     NULL, "the value it oscillates about"},
};

const SceneSection scene_section_drive = {
    "programme",
    "A velocity or force that changes with time: a table or an oscillation. Times are those of the "
    "run. Each step uses the exact mean over the step, so that the position of a wall follows the "
    "programme exactly.",
    "velocity: {table: [[0, 0, 0, 0], [1, 0, 0, 0.5], [2, 0, 0, 0]]}\n"
    "velocity: {amplitude: [0, 0, 0.1], frequency: 25}\n",
    SCENE_KEYS(drive_keys), sizeof(SceneDriveSpec)};

static const SceneKey turn_keys[] = {
    {"table", &scene_type_turn_table, FIELD(SceneDriveSpec, table), "time, then 1/time", "(none)",
     ANY, NULL, NULL, "as for a velocity, with rows [time, spin] or, in 3D, [time, x, y, z]"},
    {"amplitude", &scene_type_turn, FIELD(SceneDriveSpec, amplitude), "1/time", "(none)", ANY, NULL,
     NULL, "of mean + amplitude sin(2 pi frequency t + phase)"},
    {"frequency", &scene_type_number, FIELD(SceneDriveSpec, frequency), "1/time", "(none)",
     NOT_NEGATIVE, NULL, NULL, "cycles in a unit of time"},
    {"phase", &scene_type_number, FIELD(SceneDriveSpec, phase), "radian", "0", ANY, NULL, NULL,
     "angle at time 0"},
    {"mean", &scene_type_turn, FIELD(SceneDriveSpec, mean), "1/time", "(zero)", ANY, NULL, NULL,
     "the spin it oscillates about"},
};

const SceneSection scene_section_turn_drive = {
    "spin programme",
    "The same for a spin, in radians per unit of time. A single number turns about z in two "
    "dimensions, and in three about the wall's own axis (cylinder, drum, cone, disc, plate).",
    "spin: {table: [[0, 0], [1, 3.14]]}\n", SCENE_KEYS(turn_keys), sizeof(SceneDriveSpec)};

/* ---------------------------------------------------------------- shapes */

static const SceneKey plane_keys[] = {
    {"point", &scene_type_vector, FIELD(ScenePlaneSpec, point), "length", SCENE_REQUIRED, ANY, NULL,
     NULL, "any point on the plane"},
    {"normal", &scene_type_vector, FIELD(ScenePlaneSpec, normal), "1", SCENE_REQUIRED, ANY, NULL,
     NULL, "points towards the grains; its length does not matter"},
};
static const SceneSection plane_section = {
    "plane", "An infinite plane; everything behind it is solid.",
    "floor: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}}\n", SCENE_KEYS(plane_keys),
    sizeof(ScenePlaneSpec)};

static const SceneKey segment_keys[] = {
    {"from", &scene_type_vector, FIELD(SceneSegmentSpec, from), "length", SCENE_REQUIRED, ANY, NULL,
     NULL, "one end"},
    {"to", &scene_type_vector, FIELD(SceneSegmentSpec, to), "length", SCENE_REQUIRED, ANY, NULL,
     NULL, "the other end"},
};
static const SceneSection segment_section = {
    "segment", "Two dimensions: a thin line that is solid on both sides.",
    "ramp: {segment: {from: [0, 1], to: [2, 0]}}\n", SCENE_KEYS(segment_keys),
    sizeof(SceneSegmentSpec)};

static const SceneKey box_keys[] = {
    {"min", &scene_type_vector, FIELD(SceneBoxSpec, min), "length", SCENE_REQUIRED, ANY, NULL, NULL,
     "the lowest corner"},
    {"max", &scene_type_vector, FIELD(SceneBoxSpec, max), "length", SCENE_REQUIRED, ANY, NULL, NULL,
     "the highest corner"},
};
static const SceneSection box_section = {
    "box",
    "A container made of planes that face inwards: `tank.left` and `tank.right` (along x), in "
    "three dimensions `tank.front` and `tank.back` (y), `tank.bottom` and `tank.top` (z, or y in "
    "two dimensions). Faces listed under `open` are left out. It rotates about its centre.",
    "tank: {box: {min: [0, 0, 0], max: [4, 1, 3]}, open: [top, right]}\n", SCENE_KEYS(box_keys),
    sizeof(SceneBoxSpec)};

static const SceneKey block_keys[] = {
    {"min", &scene_type_vector, FIELD(SceneBlockSpec, min), "length", "(from center and half)", ANY,
     NULL, NULL, "the lowest corner"},
    {"max", &scene_type_vector, FIELD(SceneBlockSpec, max), "length", "(from center and half)", ANY,
     NULL, NULL, "the highest corner"},
    {"center", &scene_type_vector, FIELD(SceneBlockSpec, center), "length", "(from min and max)",
     ANY, NULL, NULL, "its centre"},
    {"half", &scene_type_vector, FIELD(SceneBlockSpec, half), "length", "(from min and max)",
     POSITIVE, NULL, NULL, "half its side lengths"},
    {"orientation", &scene_type_rotation, FIELD(SceneBlockSpec, orientation), "radian in 2D",
     "(not rotated)", ANY, NULL, &scene_section_orientation, "rotation about its centre"},
};
static const SceneSection block_section = {
    "block",
    "A solid obstacle with flat sides, given by two corners, or by its centre and half its sides.",
    "step: {block: {min: [1, 0, 0], max: [2, 1, 0.2]}}\n", SCENE_KEYS(block_keys),
    sizeof(SceneBlockSpec)};

static const SceneChoice sides[] = {{"outside", 0}, {"inside", 1}, {NULL, 0}};

static const SceneKey cylinder_keys[] = {
    {"point", &scene_type_vector, FIELD(SceneCylinderSpec, point), "length", SCENE_REQUIRED, ANY,
     NULL, NULL, "the middle of its axis"},
    {"axis", &scene_type_vector, FIELD(SceneCylinderSpec, axis), "1", "(along z)", ANY, NULL, NULL,
     "direction of the axis (three dimensions); its length does not matter"},
    {"radius", &scene_type_number, FIELD(SceneCylinderSpec, radius), "length", SCENE_REQUIRED,
     POSITIVE, NULL, NULL, "its radius"},
    {"length", &scene_type_number, FIELD(SceneCylinderSpec, length), "length", "(infinite)",
     POSITIVE, NULL, NULL, "from end to end (three dimensions)"},
    {"side", &scene_type_choice, FIELD(SceneCylinderSpec, inside), NULL, SCENE_REQUIRED, ANY, sides,
     NULL, "where the grains are"},
};
static const SceneSection cylinder_section = {
    "cylinder", "A round wall (in two dimensions a circle), with grains inside or outside.",
    "pipe: {cylinder: {point: [0, 0, 0], axis: [1, 0, 0], radius: 0.5, side: inside}}\n",
    SCENE_KEYS(cylinder_keys), sizeof(SceneCylinderSpec)};

static const SceneKey drum_keys[] = {
    {"center", &scene_type_vector, FIELD(SceneCylinderSpec, point), "length", SCENE_REQUIRED, ANY,
     NULL, NULL, "its centre"},
    {"axis", &scene_type_vector, FIELD(SceneCylinderSpec, axis), "1", "(along y)", ANY, NULL, NULL,
     "direction of the axis (three dimensions)"},
    {"radius", &scene_type_number, FIELD(SceneCylinderSpec, radius), "length", SCENE_REQUIRED,
     POSITIVE, NULL, NULL, "its radius"},
    {"length", &scene_type_number, FIELD(SceneCylinderSpec, length), "length", "(required in 3D)",
     POSITIVE, NULL, NULL, "from end to end (three dimensions)"},
};
static const SceneSection drum_section = {
    "drum",
    "A closed drum with the grains inside: `drum.shell` and, in three dimensions, the end planes "
    "`drum.front` and `drum.back` (the far end along the axis). With `spin: 1.5` it rotates about "
    "its axis.",
    "drum: {drum: {center: [0, 0, 0], axis: [0, 1, 0], radius: 1, length: 0.5}, spin: 1.5}\n",
    SCENE_KEYS(drum_keys), sizeof(SceneCylinderSpec)};

static const SceneKey mesh_keys[] = {
    {"file", &scene_type_name, FIELD(SceneWallMeshSpec, file), NULL, "(or vertices and faces)", ANY,
     NULL, NULL, "relative to the scene; its name ends in .stl, .obj, .ply or .off"},
    {"vertices", &scene_type_points, FIELD(SceneWallMeshSpec, vertices), "length", "(or a file)",
     ANY, NULL, NULL, "its vertices"},
    {"faces", &scene_type_faces, FIELD(SceneWallMeshSpec, faces), NULL, "(with vertices)", ANY,
     NULL, NULL, "lists of three or more vertices, counted from 0; neighbours share them"},
    {"scale", &scene_type_number, FIELD(SceneWallMeshSpec, scale), "1", "1", POSITIVE, NULL, NULL,
     "multiplies its coordinates, as from millimetres to metres"},
    {"position", &scene_type_vector, FIELD(SceneWallMeshSpec, position), "length", "(zero)", ANY,
     NULL, NULL, "where the origin of its coordinates lies"},
    {"orientation", &scene_type_rotation, FIELD(SceneWallMeshSpec, orientation), "1",
     "(not rotated)", ANY, NULL, &scene_section_orientation, "rotation about that origin"},
};
static const SceneSection mesh_section = {
    "wall mesh",
    "Three dimensions: a surface of triangles, open or closed, from a file (STL, OBJ, PLY, OFF) or "
    "as vertices and faces. It is thin, and both of its sides are solid, whichever way around its "
    "triangles run: a grain stays on the side on which it is. If the file has several named parts "
    "(`solid` of STL as text, `o` and `g` of OBJ), each is a wall with a load of its own: "
    "`mixer.blade` and `mixer.drum`.",
    "slope: {mesh: {file: terrain.stl, scale: 0.001}}\n", SCENE_KEYS(mesh_keys),
    sizeof(SceneWallMeshSpec)};

/* ---------------------------------------------------------------- walls */

static const SceneKey piston_keys[] = {
    {"mass", &scene_type_number, FIELD(ScenePistonSpec, mass), "mass",
     "(that of a layer of grains)", NOT_NEGATIVE, NULL, NULL,
     "its inertia: gravity does not act on it, and at rest it hands on its force, whatever its "
     "mass; 0: far "
     "lighter than any grain, a billionth of the lightest (soft engine: a hundredth), for walls "
     "that touch "
     "few grains"},
    {"force", &scene_type_drive, FIELD(ScenePistonSpec, force), "force", "(or stress)", ANY, NULL,
     &scene_section_drive, "the force on it; only the component along `direction` acts"},
    {"stress", &scene_type_number_drive, FIELD(ScenePistonSpec, stress), "force/length^(d-1)",
     "(or force)", ANY, NULL, &scene_section_number_drive,
     "pushes the plane towards the grains with this stress times its area, which other walls and "
     "the sides of the periodic cell bound; grains that are a piston it pushes along `direction`"},
    {"between", &scene_type_names, FIELD(ScenePistonSpec, between), NULL,
     "(the planes that stand across it)", ANY, NULL, NULL,
     "the planes that bound the area of its stress: two, in space four, opposite ones in pairs; "
     "none along directions in which the cell is periodic"},
    {"direction", &scene_type_vector, FIELD(ScenePistonSpec, direction), "1",
     "(the plane's normal)", ANY, NULL, NULL, "direction in which it is free to move"},
    {"velocity", &scene_type_vector, FIELD(ScenePistonSpec, velocity), "length/time", "(zero)", ANY,
     NULL, NULL, "initial velocity; its part across `direction` stays as it is"},
};
static const SceneSection piston_section = {
    "piston", "A wall that carries a force and is free to move in one direction only.",
    "lid: {plane: {point: [0, 0, 2], normal: [0, 0, -1]}, piston: {mass: 5, force: [0, 0, "
    "-200]}}\n",
    SCENE_KEYS(piston_keys), sizeof(ScenePistonSpec)};

static const SceneChoice faces[] = {{"left", FACE_LEFT},
                                    {"right", FACE_RIGHT},
                                    {"front", FACE_FRONT},
                                    {"back", FACE_BACK},
                                    {"top", FACE_TOP},
                                    {"bottom", FACE_BOTTOM},
                                    {NULL, 0}};

static const SceneKey holder_keys[] = {
    {"point", &scene_type_vector, FIELD(SceneHolderSpec, point), "length",
     "(the middle of its grains)", ANY, NULL, NULL,
     "its place, about which it turns unless it has another pivot"},
};
static const SceneSection holder_section = {
    "holder",
    "Nothing but the grains that are `held_by` the wall ([plates.md](plates.md)): a rough plate, "
    "or a "
    "tool of any form. For grains on a plane or a cylinder take that shape.",
    "plate: {holder: {}, velocity: [0.5, 0, 0]}\n", SCENE_KEYS(holder_keys),
    sizeof(SceneHolderSpec)};

static const SceneKey wall_keys[] = {
    {"plane", &scene_type_section, FIELD(SceneWallSpec, plane), NULL, "(one shape is required)",
     ANY, NULL, &plane_section, "a plane"},
    {"segment", &scene_type_section, FIELD(SceneWallSpec, segment), NULL, "(one shape is required)",
     ANY, NULL, &segment_section, "a thin line in two dimensions"},
    {"box", &scene_type_section, FIELD(SceneWallSpec, box), NULL, "(one shape is required)", ANY,
     NULL, &box_section, "a container"},
    {"block", &scene_type_section, FIELD(SceneWallSpec, block), NULL, "(one shape is required)",
     ANY, NULL, &block_section, "a solid obstacle"},
    {"cylinder", &scene_type_section, FIELD(SceneWallSpec, cylinder), NULL,
     "(one shape is required)", ANY, NULL, &cylinder_section, "a round wall"},
    {"drum", &scene_type_section, FIELD(SceneWallSpec, drum), NULL, "(one shape is required)", ANY,
     NULL, &drum_section, "a closed drum"},
    {"mesh", &scene_type_section, FIELD(SceneWallSpec, mesh), NULL, "(one shape is required)", ANY,
     NULL, &mesh_section, "a surface of triangles"},
    {"cone", &scene_type_section, FIELD(SceneWallSpec, cone), NULL, "(one shape is required)", ANY,
     NULL, &scene_section_wall_cone, "a funnel"},
    {"disc", &scene_type_section, FIELD(SceneWallSpec, disc), NULL, "(one shape is required)", ANY,
     NULL, &scene_section_disc, "a thin round plate, or a ring"},
    {"plate", &scene_type_section, FIELD(SceneWallSpec, plate), NULL, "(one shape is required)",
     ANY, NULL, &scene_section_wall_plate, "a thin rectangle with holes or without"},
    {"holder", &scene_type_section, FIELD(SceneWallSpec, holder), NULL, "(one shape is required)",
     ANY, NULL, &holder_section, "nothing but the grains that it holds"},
    {"open", &scene_type_flags, FIELD(SceneWallSpec, open), NULL, "(closed)", ANY, faces, NULL,
     "faces of a box or drum to leave out"},
    {"material", &scene_type_name, FIELD(SceneWallSpec, material), NULL,
     "(that of the touching grain)", ANY, NULL, NULL, "name of its material"},
    {"velocity", &scene_type_drive, FIELD(SceneWallSpec, velocity), "length/time", "(zero)", ANY,
     NULL, &scene_section_drive,
     "velocity of the pivot; of a piston, its velocity across its direction"},
    {"spin", &scene_type_turn_drive, FIELD(SceneWallSpec, spin), "1/time", "(zero)", ANY, NULL,
     &scene_section_turn_drive, "angular velocity about the pivot"},
    {"pivot", &scene_type_vector, FIELD(SceneWallSpec, pivot), "length",
     "(its point; the centre of a box, block, segment, drum, disc or plate; one end of a cone; the "
     "origin of a "
     "mesh; the middle of the grains that it is made of)",
     ANY, NULL, NULL, "the point about which it rotates"},
    {"piston", &scene_type_section, FIELD(SceneWallSpec, piston), NULL, "(none)", ANY, NULL,
     &piston_section, "makes the wall carry a force instead of following a prescribed motion"},
};

const SceneSection scene_section_walls = {
    "walls",
    "Walls by name. Each has one shape, and is fixed, moves as prescribed, or is a piston.",
    "walls:\n"
    "  floor: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}, material: steel}\n"
    "  gate: {block: {min: [1, 0, 0], max: [1.1, 1, 2]}, velocity: [0, 0, 0.5]}\n",
    SCENE_KEYS(wall_keys), sizeof(SceneWallSpec)};
