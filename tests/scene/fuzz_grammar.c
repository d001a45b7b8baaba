/* Scenes that the schema allows, or nearly: the tables of keys are the grammar, and the bytes decide
 * at every turn which keys there are and what their values are. So the fuzzer gets past the reader,
 * to what scenes mean. */
#include "scene/fuzz_try.h"
#include "scene/schema/sections.h"

#include <stdarg.h>
#include <stdio.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { ROOM = 1 << 15, DEEPEST = 6 };

typedef struct Sentence {
    const uint8_t *data, *end;
    char text[ROOM];
    size_t length;
    size_t dimension;
    size_t points;               /* how many were last said */
    const SceneSection *section; /* whose keys are being said */
    bool poles;                  /* the net of points last said has poles along v */
} Sentence;

/* The next decision, below `ways`; the first of them when the bytes are used up. */
static size_t choose(Sentence *s, size_t ways) {
    return s->data < s->end ? *s->data++ % ways : 0;
}

__attribute__((format(printf, 2, 3))) static void say(Sentence *s, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int written = vsnprintf(s->text + s->length, ROOM - s->length, format, arguments);
    va_end(arguments);
    s->length += (size_t)written < ROOM - s->length ? (size_t)written : 0;
}

static const char *pick(Sentence *s, const char *const *words, size_t count) {
    return words[choose(s, count)];
}

/* As a rule what the range allows, now and then anything. */
static void say_number(Sentence *s, const SceneKey *key) {
    static const char *const usual[] = {"1", "0.5", "0.75", "2", "1e-3", "10", "0.1", "3"};
    static const char *const any[] = {"0", "-1", "1e300", "-0.25", "1e-300", ".inf", "1e9", "x"};
    const bool share = key->range == SHARE || key->range == FRACTION || key->range == UPPER_HALF;
    const size_t ways = key->type == &scene_type_integer ? 1 : share ? 3 : 8;
    bool odd = choose(s, 64) == 63;
    say(s, "%s", odd ? pick(s, any, 8) : pick(s, usual, ways));
}

static void say_name(Sentence *s) {
    static const char *const names[] = {"a", "b", "c", "last"};
    say(s, "%s", pick(s, names, 4));
}

static void say_choice(Sentence *s, const SceneKey *key) {
    size_t count = 0;
    while (key->choices != NULL && key->choices[count].name != NULL) {
        count++;
    }
    say(s, "%s", count > 0 ? key->choices[choose(s, count)].name : "a");
}

static void say_vector(Sentence *s, const SceneKey *key) {
    size_t count = choose(s, 32) == 31 ? 1 : s->dimension;
    for (size_t i = 0; i < count; i++) {
        say(s, "%s", i == 0 ? "[" : ", ");
        say_number(s, key);
    }
    say(s, "]");
}

/* A square, or some of its corners, perhaps not in order. */
static void say_points_in_plane(Sentence *s) {
    static const char *const corners[] = {"0, 0", "1, 0", "1, 1", "0, 1"};
    const size_t from = choose(s, 4), count = 4 - choose(s, 3), stride = 1 + 2 * choose(s, 2);
    for (size_t i = 0; i < count; i++) {
        say(s, "%s[%s]", i > 0 ? ", " : "", corners[(from + stride * i) % 4]);
    }
    s->points = count;
}

/* Solids whose vertices and faces fit together: a tetrahedron, a box, and a bracket, which is not
 * convex. */
enum { SOLIDS = 3 };
static const size_t solid_points[SOLIDS] = {4, 8, 12};
static const char *const solid_vertices[SOLIDS] = {
    "[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]",
    "[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 1], [1, 0, 1], [1, 1, 1], [0, 1, 1]",
    ("[0, 0, 0], [2, 0, 0], [2, 1, 0], [1, 1, 0], [1, 2, 0], [0, 2, 0], "
     "[0, 0, 1], [2, 0, 1], [2, 1, 1], [1, 1, 1], [1, 2, 1], [0, 2, 1]")};
static const char *const solid_faces[SOLIDS] = {
    "[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]",
    "[0, 3, 2, 1], [4, 5, 6, 7], [0, 1, 5, 4], [1, 2, 6, 5], [2, 3, 7, 6], [3, 0, 4, 7]",
    ("[5, 4, 3, 2, 1, 0], [6, 7, 8, 9, 10, 11], [0, 1, 7, 6], [1, 2, 8, 7], [2, 3, 9, 8], "
     "[3, 4, 10, 9], [4, 5, 11, 10], [5, 0, 6, 11]")};

/* Control points of a surface, four in a row: an egg, whose rows end in poles; a ring, closed in both directions; one
 * with a waist, which is not convex. */
static void say_net(Sentence *s) {
    static const double out[3][4] = {{0, 1, 1, 0}, {3, 2, 1, 2}, {1, 0.6, 0.6, 1}},
                        high[3][4] = {{-1, -1, 1.5, 1.5}, {0, 1, 0, -1}, {-1, -0.4, 0.4, 1}};
    const size_t which = choose(s, 3), from = choose(s, 4), turn = choose(s, 8) == 7 ? 3 : 1;
    for (size_t i = 0; i < 16; i++) {
        const double r = out[which][i % 4];
        say(s, i > 0 ? ", [" : "[");
        const size_t quarter = (from + turn * (i / 4)) % 4;
        const double x = quarter == 0 || quarter == 3 ? r : -r, y = quarter < 2 ? r : -r;
        say(s, "%g, %g, %g]", x, y, choose(s, 64) == 63 ? 0.3 : high[which][i % 4]);
    }
    s->points = 16;
    s->poles = which != 1;
}

static void say_points(Sentence *s) {
    say(s, "[");
    if (s->section == &scene_section_surface) {
        say_net(s);
    } else if (s->dimension == 2) {
        say_points_in_plane(s);
    } else {
        const size_t which = choose(s, SOLIDS);
        say(s, "%s", solid_vertices[which]);
        s->points = solid_points[which];
    }
    if (choose(s, 16) == 15) { /* one more, anywhere; or one twice */
        static const char *const more[] = {"0.3, 0.3", "0, 0", "1e9, 1", "1, 1e-9"};
        static const char *const high[] = {"0.3", "0", "1e-9", "-7"};
        say(s, ", [%s", pick(s, more, 4));
        say(s, s->dimension == 3 ? ", %s]" : "]", pick(s, high, 4));
    }
    say(s, "]");
}

/* Those of the solid whose vertices were last said, as a rule whole and all of them. */
static void say_faces(Sentence *s) {
    static const char *const odd[] = {", [0, 1, 2]", ", [0, 0, 1]", ", [0, 1]", ", [7, 8, 99]"};
    size_t which = 0;
    while (which < SOLIDS - 1 && solid_points[which] != s->points) {
        which++;
    }
    const char *from = solid_faces[which];
    if (choose(s, 8) == 7) { /* without the first: a surface that is open */
        from = strchr(from, ']') + 3;
    }
    say(s, "[%s%s]", from, choose(s, 16) == 15 ? pick(s, odd, 4) : "");
}

static void say_section(Sentence *s, const SceneSection *section, int depth);

/* Values whose form has alternatives: a number, some in brackets, or keys of their own. */
static void say_anything(Sentence *s, const SceneKey *key, int depth) {
    size_t way = key->type->literal != NULL && choose(s, 32) != 31 ? 3 : choose(s, 8);
    if (way == 0 && key->section != NULL && depth < DEEPEST) {
        say_section(s, key->section, depth + 1);
    } else if (way == 1) {
        say_vector(s, key);
    } else if (way == 2) {
        say(s, "[");
        say_vector(s, key);
        say(s, ", ");
        say_vector(s, key);
        say(s, "]");
    } else {
        say_number(s, key);
    }
}

static void say_entries(Sentence *s, const SceneKey *key, int depth) {
    static const char *const name[] = {"a", "b", "c"};
    const bool named = key->type->named;
    size_t count = depth < DEEPEST ? 1 + choose(s, 3) : 0;
    say(s, named ? "{" : "[");
    for (size_t i = 0; i < count; i++) {
        say(s, "%s", i > 0 ? ", " : "");
        if (named) {
            say(s, "%s: ", name[i]);
        }
        say_section(s, key->section, depth + 1);
    }
    say(s, named ? "}" : "]");
}

static void say_value(Sentence *s, const SceneKey *key, int depth) {
    const SceneType *type = key->type;
    if (type->entries && key->section != NULL) {
        say_entries(s, key, depth);
    } else if (type == &scene_type_section && key->section != NULL && depth < DEEPEST) {
        say_section(s, key->section, depth + 1);
    } else if (type == &scene_type_number || type == &scene_type_integer) {
        say_number(s, key);
    } else if (type == &scene_type_boolean) {
        say(s, choose(s, 2) == 0 ? "true" : "false");
    } else if (type == &scene_type_choice) {
        say_choice(s, key);
    } else if (type == &scene_type_flags) {
        say(s, "[");
        say_choice(s, key);
        say(s, "]");
    } else if (type == &scene_type_name) {
        say_name(s);
    } else if (type == &scene_type_names) {
        say(s, "[");
        say_name(s);
        say(s, ", ");
        say_name(s);
        say(s, "]");
    } else if (type == &scene_type_vector) {
        say_vector(s, key);
    } else if (type == &scene_type_points) {
        say_points(s);
    } else if (type == &scene_type_faces) {
        say_faces(s);
    } else if (strcmp(key->name, "exponents") == 0) {
        static const char *const exponents[] = {"2", "4", "3.5", "32", "2.0001", "8", "1", "0"};
        say(s, "[%s, ", pick(s, exponents, 8));
        say(s, "%s]", pick(s, exponents, 8));
    } else if (strcmp(key->name, "across") == 0) {
        say(s, choose(s, 16) == 15 ? "8" : "4");
    } else if (strncmp(key->name, "knots_", 6) == 0) {
        static const char *const knots[] = {"0, 0, 0, 0.5, 1, 1, 1", "0, 0, 0, 1, 2, 2, 2",
                                            "0, 0, 0, 0, 1, 1, 1, 1", "0, 1, 2, 3, 4, 5, 6"};
        say(s, "[%s]", pick(s, knots, 4));
    } else if (strncmp(type->words, "two numbers", 11) == 0) { /* degrees, sides, radii, counts */
        static const char *const two[] = {"2, 2", "1, 1", "1, 0.5", "2, 3", "0, 1", "3, 3"};
        say(s, "[%s]", pick(s, two, 6));
    } else if (type == &scene_type_span) {
        say(s, "[0, %s]", choose(s, 8) == 7 ? "-1" : "9");
    } else {
        say_anything(s, key, depth);
    }
}

/* Of some groups of keys there must be one: the form of grains, of shapes and of their parts, the
 * source of positions, the shape of a wall. */
enum { NO_GROUP, FORM, SOURCE, WALL, GROUPS };

static size_t group_of(const SceneSection *section, const SceneKey *key) {
    const bool formed = section == &scene_section_grains || section == &scene_section_parts ||
                        section == &scene_section_shapes;
    const char *absent = key->fallback != NULL ? key->fallback : "";
    if (formed && key->section != NULL &&
        (strcmp(absent, "(none)") == 0 || strcmp(key->name, "radius") == 0)) {
        return FORM;
    }
    return strcmp(absent, "(one source is required)") == 0  ? SOURCE
           : strcmp(absent, "(one shape is required)") == 0 ? WALL
                                                            : NO_GROUP;
}

/* No other files, and nothing of the other dimension. */
static bool is_possible(const Sentence *s, const SceneKey *key) {
    return strcmp(key->name, "extends") != 0 && strcmp(key->name, "file") != 0 &&
           key->range != (s->dimension == 2 ? IN_SPACE : IN_PLANE);
}

/* The key that is taken of each group. */
static void choose_of_groups(Sentence *s, const SceneSection *section,
                             const SceneKey *taken[GROUPS]) {
    for (size_t group = 1; group < GROUPS; group++) {
        const SceneKey *all[64];
        size_t count = 0;
        for (size_t i = 0; i < section->key_count && count < 64; i++) {
            if (group_of(section, &section->keys[i]) == group &&
                is_possible(s, &section->keys[i])) {
                all[count++] = &section->keys[i];
            }
        }
        taken[group] = count > 0 ? all[choose(s, count)] : NULL;
        if (count > 0 && s->dimension == 3 && strcmp(taken[group]->name, "compound") == 0 &&
            choose(s, 8) != 7) {
            taken[group] = all[0]; /* rarely: the mass of parts that overlap takes a second */
        }
    }
}

/* Required keys as a rule, the others now and then. */
static bool is_wanted(Sentence *s, const SceneSection *section, const SceneKey *key,
                      const SceneKey *const taken[GROUPS]) {
    const char *absent = key->fallback;
    const size_t group = group_of(section, key);
    bool wanted = absent == NULL || strncmp(absent, "(required", 9) == 0 ||
                  strcmp(absent, "(with vertices)") == 0 || strcmp(key->name, "dimension") == 0;
    if (group != NO_GROUP) {
        wanted = key == taken[group];
    } else if (section == &scene_section_surface) {
        wanted = wanted || strcmp(key->name, "points") == 0 || strcmp(key->name, "degree") == 0 ||
                 (s->poles && strcmp(key->name, "knots_v") == 0);
    } else if (key->type == &scene_type_faces || strcmp(key->name, "vertices") == 0) {
        wanted = choose(s, 4) != 3;
    }
    if (!is_possible(s, key)) {
        return choose(s, 64) == 63 && strcmp(key->name, "extends") != 0;
    }
    return choose(s, 64) == 63 ? !wanted : wanted || (group == NO_GROUP && choose(s, 16) == 15);
}

static void say_section(Sentence *s, const SceneSection *section, int depth) {
    const SceneKey *taken[GROUPS];
    bool first = true;
    choose_of_groups(s, section, taken);
    say(s, "{");
    for (size_t i = 0; i < section->key_count; i++) {
        const SceneKey *key = &section->keys[i];
        if (!is_wanted(s, section, key, taken)) {
            continue;
        }
        say(s, "%s%s: ", first ? "" : ", ", key->name);
        first = false;
        s->section = section;
        if (strcmp(key->name, "dimension") == 0) {
            say(s, "%zu", s->dimension);
        } else {
            say_value(s, key, depth);
        }
    }
    say(s, "}");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static Sentence s;
    s.data = data;
    s.end = data + size;
    s.length = 0;
    s.points = 0;
    s.section = NULL;
    s.poles = false;
    s.dimension = 2 + choose(&s, 2);
    say_section(&s, &scene_section_root, 0);
    fuzz_try(s.text, s.length, NULL, 0);
    return 0;
}
