#include "scene/make/orientation.h"

#include "math/vec.h"
#include "scene/make/angle.h"
#include "scene/read/reader.h"
#include "scene/schema/sections.h"

#include <math.h>
#include <string.h>

static const double two_pi = 6.28318530717958647692, largest = 1e5;

ScreeQuat scene_turn_in_plane(double angle) {
    SceneTrig half = scene_trig(angle / 2);
    return (ScreeQuat){half.c, 0, 0, half.s};
}

/* Uniform over all rotations: Shoemake, Graphics Gems III (1992) 124. */
static ScreeQuat draw_any(SceneRandom *random) {
    double u = scene_uniform(random);
    SceneTrig a = scene_trig(two_pi * scene_uniform(random));
    SceneTrig b = scene_trig(two_pi * scene_uniform(random));
    double r = sqrt(1 - u), s = sqrt(u);
    return (ScreeQuat){s * b.c, r * a.s, r * a.c, s * b.s};
}

ScreeQuat scene_draw_orientation(const SceneOrientation *orientation, SceneRandom *random,
                                 size_t k) {
    switch (orientation->kind) {
    case ORIENTATION_ONE:
        return orientation->one;
    case ORIENTATION_LIST:
        return orientation->list[k % orientation->count];
    case ORIENTATION_RANDOM:
        return draw_any(random);
    case ORIENTATION_NONE:
        break;
    }
    return (ScreeQuat){1, 0, 0, 0};
}

/* ---------------------------------------------------------------- reading one */

typedef struct RotationSpec {
    SceneHead head;
    ScreeVec3 axis, angles;
    double angle;
} RotationSpec;

static const SceneKey rotation_keys[] = {
    {"axis", &scene_type_vector, offsetof(RotationSpec, axis), "1", "(none)", IN_SPACE, NULL, NULL,
     "direction of the axis; need not be a unit vector"},
    {"angle", &scene_type_number, offsetof(RotationSpec, angle), "radian", "0", ANY, NULL, NULL,
     "angle about the axis"},
    {"angles", &scene_type_vector, offsetof(RotationSpec, angles), "radian", "(none)", IN_SPACE,
     NULL, NULL, "about x, then about y, then about z, the axes of the scene"},
};
const SceneSection scene_section_orientation = {
    "orientation",
    "Rotation of a body in space about its centre of mass: a quaternion [w, x, y, z], or a mapping "
    "with `axis` and `angle`, or with `angles`. For grains it may also be a list with one "
    "rotation for each body of `at`, or the word `random`: all orientations are equally likely.",
    "orientation: [0.966, 0, 0, 0.259]\norientation: {axis: [0, 0, 1], angle: 0.5236}\n"
    "orientation: {angles: [0.1, 0, 1.5708]}\norientation: random\n",
    SCENE_KEYS(rotation_keys), sizeof(RotationSpec)};

static const char rotation_words[] = "a quaternion [w, x, y, z], or {axis: [x, y, z], angle: a}";

static bool too_large(SceneReader *reader, int node, double angle) {
    return !(fabs(angle) <= largest) &&
           !scene_wrong_type(reader, node, "given with angles between -1e5 and 1e5 (in radians)");
}

static bool from_mapping(SceneReader *reader, int node, ScreeQuat *out) {
    RotationSpec spec = {0};
    ScreeVec3 along;
    if (!scene_read_section(reader, &scene_section_orientation, node, &spec)) {
        return false;
    }
    bool axis = scene_lookup(reader->document, node, "axis", NULL) != 0;
    bool angles = scene_lookup(reader->document, node, "angles", NULL) != 0;
    if (axis == angles) {
        return scene_wrong_type(reader, node, "given by axis and angle, or by angles");
    }
    if (too_large(reader, node, spec.angle) || too_large(reader, node, spec.angles.x) ||
        too_large(reader, node, spec.angles.y) || too_large(reader, node, spec.angles.z)) {
        return false;
    }
    if (axis) {
        SceneTrig half = scene_trig(spec.angle / 2);
        if (!direction_of(spec.axis, &along)) {
            return scene_wrong_type(reader, node, "given with an axis other than zero");
        }
        *out = (ScreeQuat){half.c, half.s * along.x, half.s * along.y, half.s * along.z};
        return true;
    }
    SceneTrig x = scene_trig(spec.angles.x / 2), y = scene_trig(spec.angles.y / 2);
    const ScreeQuat about_x = {x.c, x.s, 0, 0}, about_y = {y.c, 0, y.s, 0};
    *out = quat_multiply(scene_turn_in_plane(spec.angles.z), quat_multiply(about_y, about_x));
    return true;
}

static bool from_quaternion(SceneReader *reader, const SceneKey *key, int node, ScreeQuat *out) {
    double v[4];
    if (scene_items(reader->document, node) != 4) {
        return scene_wrong_type(reader, node, rotation_words);
    }
    if (!scene_read_numbers(reader, key, node, v, 4)) {
        return false;
    }
    double size = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2] + v[3] * v[3]);
    if (!(size > 1e-100) || !isfinite(size)) {
        return scene_wrong_type(reader, node, "a quaternion [w, x, y, z] other than zero");
    }
    *out = (ScreeQuat){v[0] / size, v[1] / size, v[2] / size, v[3] / size};
    return true;
}

static bool is_mapping(const SceneReader *reader, int node) {
    const yaml_node_t *n = scene_node(reader->document, node);
    return n && n->type == YAML_MAPPING_NODE;
}

static bool in_space(SceneReader *reader, const SceneKey *key, int node, ScreeQuat *out) {
    return is_mapping(reader, node) ? from_mapping(reader, node, out)
                                    : from_quaternion(reader, key, node, out);
}

/* In two dimensions an angle. */
static bool read_rotation(SceneReader *reader, const SceneKey *key, int node, void *field) {
    ScreeQuat *out = field;
    double angle;
    if (reader->dimension == 3) {
        return in_space(reader, key, node, out);
    }
    if (!scene_read_number(reader, key, node, &angle)) {
        return false;
    }
    *out = (ScreeQuat){scr_cos(angle / 2), 0, 0, scr_sin(angle / 2)};
    return true;
}

const SceneType scene_type_rotation = {"an angle in 2D, a rotation in 3D", NULL, read_rotation,
                                       false, false};

/* ---------------------------------------------------------------- reading those of grains */

static bool from_list(SceneReader *reader, const SceneKey *key, int node,
                      SceneOrientation *orientation) {
    size_t count = scene_items(reader->document, node);
    orientation->kind = ORIENTATION_LIST;
    orientation->count = count;
    orientation->list = scene_alloc(reader->arena, count, sizeof *orientation->list);
    if (!orientation->list) {
        return scene_no_memory(reader);
    }
    for (size_t i = 0; i < count; i++) {
        ScenePath here = {reader->path, NULL, i};
        int item = scene_item(reader->document, node, i);
        reader->path = &here;
        bool ok =
            scene_count_visit(reader, item) && in_space(reader, key, item, &orientation->list[i]);
        reader->path = here.up;
        if (!ok) {
            return false;
        }
    }
    return true;
}

static bool read_orientation(SceneReader *reader, const SceneKey *key, int node, void *field) {
    SceneOrientation *orientation = field;
    const char *text = scene_scalar(reader->document, node);
    if (text && strcmp(text, "random") == 0) {
        orientation->kind = ORIENTATION_RANDOM;
        return true;
    }
    bool items = scene_items(reader->document, node) > 0;
    if (items && !scene_scalar(reader->document, scene_item(reader->document, node, 0))) {
        return from_list(reader, key, node, orientation);
    }
    if (!items && !is_mapping(reader, node)) {
        return scene_wrong_type(reader, node, "a rotation, a list of rotations, or 'random'");
    }
    orientation->kind = ORIENTATION_ONE;
    return in_space(reader, key, node, &orientation->one);
}

const SceneType scene_type_orientation = {"a rotation, a list of rotations, or `random`", NULL,
                                          read_orientation, false, false};
