/* The schema of materials and pairs. The numbers of a law, with their dimensions, defaults and
 * meanings, come from the one list in the public header. */
#include "scene/read/reader.h"
#include "scene/schema/sections.h"

#include <math.h>
#include <string.h>

#define FIELD(type, name) offsetof(type, name)

/* ---------------------------------------------------------------- values */

/* YAML's own word for infinity; everywhere else in a scene numbers are finite. */
static const char *stiffness_literal(const SceneKey *key, const char *text, void *field) {
    static const char *const infinite[] = {".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF"};
    for (size_t i = 0; i < sizeof infinite / sizeof infinite[0]; i++) {
        if (strcmp(text, infinite[i]) == 0) {
            *(double *)field = INFINITY;
            return NULL;
        }
    }
    return scene_number_literal(key, text, field);
}

static bool read_stiffness(SceneReader *reader, const SceneKey *key, int node, void *field) {
    return scene_read_plain(reader, key, node, field,
                            "for a rigid contact write .inf or omit the key");
}

static bool read_restitution(SceneReader *reader, const SceneKey *key, int node, void *field) {
    return scene_read_plain(reader, key, node, field,
                            "0 means no rebound, 1 a perfect one; more than 1 would create energy");
}

static const SceneType type_stiffness = {".inf or a number", stiffness_literal, read_stiffness,
                                         false, false};
static const SceneType type_restitution = {"a number", scene_number_literal, read_restitution,
                                           false, false};

/* What the viewer and the plots know by name: viewer/src/draw/colours.js, python/scree/plot/style.py. */
static const SceneChoice colour_names[] = {
    {"stone", 0},    {"rock", 0},    {"granite", 0}, {"limestone", 0}, {"marble", 0}, {"sand", 0},
    {"gravel", 0},   {"ballast", 0}, {"clay", 0},    {"brick", 0},     {"wood", 0},   {"oak", 0},
    {"concrete", 0}, {"steel", 0},   {"iron", 0},    {"brass", 0},     {"copper", 0}, {"gold", 0},
    {"glass", 0},    {"bone", 0},    {"ivory", 0},   {"pill", 0},      {"coal", 0},   {"ore", 0},
    {"ice", 0},      {"rubber", 0},  {"amber", 0},   {"white", 0},     {"black", 0},  {"grey", 0},
    {"red", 0},      {"orange", 0},  {"yellow", 0},  {"green", 0},     {"blue", 0},   {"violet", 0},
    {NULL, 0}};

static bool is_code(const char *text) {
    return text[0] == '#' && strlen(text) == 7 && strspn(text + 1, "0123456789abcdefABCDEF") == 6;
}

static bool read_colour(SceneReader *reader, const SceneKey *key, int node, void *field) {
    SceneKey words = *key;
    int any = 0;
    words.choices = colour_names;
    const char *text = scene_scalar(reader->document, node);
    if (text == NULL || text[0] == '\0') {
        return scene_wrong_type(reader, node,
                                "a colour: in quotes \"#rrggbb\", or a word such as red");
    }
    *(const char **)field = text; /* the document lives as long as the scene */
    if (text[0] == '#') {
        return is_code(text) || scene_wrong_type(reader, node, "\"#\" and six digits of 0-9, a-f");
    }
    return scene_type_choice.read(reader, &words, node, &any);
}

static const SceneType type_colour = {"a colour", NULL, read_colour, false, false};

/* ---------------------------------------------------------------- keys */

/* A number that is infinite by default is a stiffness; all others are zero. */
#define TYPE_0           &scene_type_number
#define TYPE_INFINITY    &type_stiffness
#define RANGE_0          NOT_NEGATIVE
#define RANGE_INFINITY   POSITIVE
#define DEFAULT_0        "0"
#define DEFAULT_INFINITY "(rigid)"

/* Coefficients of restitution lie between 0 and 1. */
#define IS(name, other) (offsetof(ScreeLaw, name) == offsetof(ScreeLaw, other))
#define IS_SHARE(name)  (IS(name, restitution) || IS(name, restitution_tangential))

#define LAW_KEY(spec, name, dimension, type, range, fallback, meaning)                             \
    {#name,                                                                                        \
     IS_SHARE(name) ? &type_restitution : type,                                                    \
     FIELD(spec, law.name),                                                                        \
     dimension,                                                                                    \
     fallback,                                                                                     \
     IS_SHARE(name) ? SHARE : range,                                                               \
     NULL,                                                                                         \
     NULL,                                                                                         \
     meaning},

static const SceneKey material_keys[] = {
    {"density", &scene_type_number, FIELD(SceneMaterialSpec, density),
     "mass/length^3 (2D: mass/length^2)", "1", POSITIVE, NULL, NULL, "mass per volume"},
    {"colour", &type_colour, FIELD(SceneMaterialSpec, colour), NULL,
     "(by its name, or by its number)", ANY, NULL, NULL,
     "how pictures show it: \"#c04020\", or a word: red, orange, yellow, green, blue, violet, "
     "white, "
     "grey, black, or what it looks like, such as sand, wood, steel, glass, gold"},
#define X(name, dimension, preset, meaning)                                                        \
    LAW_KEY(SceneMaterialSpec, name, dimension, TYPE_##preset, RANGE_##preset, DEFAULT_##preset,   \
            meaning)
    SCREE_LAW_MAP(X)
#undef X
        {"growth", &scene_type_section, FIELD(SceneMaterialSpec, growth), NULL, "(none)", ANY, NULL,
         &scene_section_growth, "how its disks and spheres grow or shrink"},
};

const SceneSection scene_section_materials = {
    "materials",
    "What grains and walls are made of, by name, and the contact law of each material with itself. "
    "Between two different materials, the smaller of each pair of values applies, but the "
    "larger contact angle and the harmonic mean of stiffness and modulus, unless `pairs` says "
    "otherwise. N is the normal force, and r* "
    "the reduced radius 1 / (1/r_a + 1/r_b) of the two grains (at a flat wall, the radius of the "
    "grain; of a solid in space, the distance of its centre from the plane of the contact). All "
    "laws can be combined, except for liquid bridges with cohesion, and `modulus` and the "
    "dampings, which belong to the soft engine.",
    "materials:\n"
    "  stone: {density: 2600, friction: 0.5, friction_static: 0.6}\n"
    "  steel: {density: 7800, friction: 0.2, restitution: 0.8, colour: \"#8090a0\"}\n"
    "  clay: {friction: 0.4, rolling: 0.1, cohesion: 2, cohesion_range: 1e-4}\n"
    "  wet_sand: {density: 2600, friction: 0.4, bridge_volume: 1e-12, bridge_tension: 0.072}\n",
    SCENE_KEYS(material_keys), sizeof(SceneMaterialSpec)};

static const SceneKey pair_keys[] = {{"between", &scene_type_names, FIELD(ScenePairSpec, between),
                                      NULL, SCENE_REQUIRED, ANY, NULL, NULL, "the two materials"},
#define X(name, dimension, preset, meaning)                                                        \
    LAW_KEY(ScenePairSpec, name, dimension, TYPE_##preset, RANGE_##preset,                         \
            "(from the two materials)", meaning)
                                     SCREE_LAW_MAP(X)
#undef X
};

const SceneSection scene_section_pairs = {
    "pairs",
    "The contact law between two materials, where it should not follow from their own. At least "
    "one value must be given; the others follow from the two materials.",
    "pairs:\n  - {between: [stone, steel], friction: 0.3, rolling: 0}\n", SCENE_KEYS(pair_keys),
    sizeof(ScenePairSpec)};
