#include "scene/make/angle.h"

#include "scene/read/reader.h"
#include "scene/schema/sections.h"

#include <math.h>

static const double two_pi = 6.28318530717958647692, largest = 1e5;

/* Only uses operations that are rounded exactly, like the distributions of radii. The angle is
 * reduced to a quarter turn with pi/2 in two parts, the first of 33 bits; then the series follows.
 * Good to 1e-15. */
SceneTrig scene_trig(double angle) {
    double n = floor(angle / 1.57079632679489661923 + 0.5);
    double r = angle - n * 1.57079632673412561417;
    r -= n * 6.07710050650619224932e-11;
    double square = r * r, cosine = 0, sine = 0;
    for (int k = 20; k > 0; k -= 2) {
        cosine = (1 + cosine) * (-square / (k * (k - 1)));
        sine = (1 + sine) * (-square / (k * (k + 1)));
    }
    double c = 1 + cosine, s = r * (1 + sine);
    switch ((int64_t)n & 3) {
    case 0:
        return (SceneTrig){c, s};
    case 1:
        return (SceneTrig){-s, c};
    case 2:
        return (SceneTrig){-c, -s};
    default:
        return (SceneTrig){s, -c};
    }
}

double scene_draw_angle(const SceneAngle *angle, SceneRandom *random, size_t k) {
    switch (angle->kind) {
    case ANGLE_LIST:
        return angle->list[k % angle->count];
    case ANGLE_UNIFORM:
        return angle->from + scene_uniform(random) * (angle->to - angle->from);
    case ANGLE_ONE:
    case ANGLE_NONE:
        break;
    }
    return angle->from;
}

/* ---------------------------------------------------------------- reading */

typedef struct AngleSpec {
    SceneHead head;
    SceneSpan uniform;
} AngleSpec;

static const SceneKey angle_keys[] = {
    {"uniform", &scene_type_span, offsetof(AngleSpec, uniform), "radian", SCENE_REQUIRED, ANY, NULL,
     NULL, "all angles between two values are equally likely"},
};

const SceneSection scene_section_angle = {
    "angle",
    "Rotation of a body, counterclockwise about its centroid, in radians: a number, a list with "
    "one number for each body of `at`, the word `random` (all directions are equally likely), or a "
    "mapping.",
    "angle: 0.785\nangle: random\nangle: {uniform: [-0.1, 0.1]}\n", SCENE_KEYS(angle_keys),
    sizeof(AngleSpec)};

static bool too_large(SceneReader *reader, int node, double v) {
    return fabs(v) > largest &&
           !scene_wrong_type(reader, node, "an angle between -1e5 and 1e5 (in radians)");
}

static bool from_list(SceneReader *reader, const SceneKey *key, int node, SceneAngle *angle) {
    angle->kind = ANGLE_LIST;
    if (!scene_read_list(reader, key, node, "an angle or a list of angles", &angle->list,
                         &angle->count)) {
        return false;
    }
    for (size_t i = 0; i < angle->count; i++) {
        if (too_large(reader, scene_item(reader->document, node, i), angle->list[i])) {
            return false;
        }
    }
    return true;
}

static bool read_angle(SceneReader *reader, const SceneKey *key, int node, void *field) {
    SceneAngle *angle = field;
    const yaml_node_t *n = scene_node(reader->document, node);
    const char *text = scene_scalar(reader->document, node);
    if (n && n->type == YAML_SEQUENCE_NODE) {
        return from_list(reader, key, node, angle);
    }
    if (n && n->type == YAML_MAPPING_NODE) {
        AngleSpec spec = {0};
        if (!scene_read_section(reader, key->section, node, &spec)) {
            return false;
        }
        *angle = (SceneAngle){ANGLE_UNIFORM, spec.uniform.from, spec.uniform.to, NULL, 0};
        return !too_large(reader, node, angle->from) && !too_large(reader, node, angle->to);
    }
    if (text && strcmp(text, "random") == 0) {
        *angle = (SceneAngle){ANGLE_UNIFORM, 0, two_pi, NULL, 0};
        return true;
    }
    double v = 0;
    if (!text || scene_number_from(text, &v) || !scene_is_plain(reader->document, node)) {
        return scene_wrong_type(reader, node, "an angle in radians, a list, or 'random'");
    }
    *angle = (SceneAngle){ANGLE_ONE, v, v, NULL, 0};
    return !too_large(reader, node, v);
}

const SceneType scene_type_angle = {"a number, a list of numbers, `random`, or a mapping", NULL,
                                    read_angle, false, false};
