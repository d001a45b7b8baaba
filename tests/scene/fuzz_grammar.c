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
static void say_points(Sentence *s) {
    static const char *const corners[] = {"0, 0", "1, 0", "1, 1", "0, 1"};
    const size_t from = choose(s, 4), count = 4 - choose(s, 3), stride = 1 + 2 * choose(s, 2);
    say(s, "[");
    for (size_t i = 0; i < count; i++) {
        say(s, "%s[%s%s]", i > 0 ? ", " : "", corners[(from + stride * i) % 4],
            s->dimension == 3 ? ", 0.5" : "");
    }
    say(s, "]");
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
    } else if (type == &scene_type_span) {
        say(s, "[0, %s]", choose(s, 8) == 7 ? "-1" : "9");
    } else {
        say_anything(s, key, depth);
    }
}

/* Grains need a place and a size, of which there are several kinds. */
static void choose_alternative(const char *name, size_t way, bool *wanted) {
    static const char *const ways[] = {"at", "lattice", "fill", "radius", "polygon", "ellipse"};
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        if (strcmp(name, ways[i]) == 0) {
            *wanted = i < 3 ? i == way % 3 : i - 3 == way / 3;
        }
    }
}

/* Required keys as a rule, the others now and then; no other files. */
static bool is_wanted(Sentence *s, const SceneSection *section, const SceneKey *key, size_t way) {
    const char *absent = key->fallback;
    bool wanted = absent == NULL || strncmp(absent, "(required", 9) == 0 ||
                  strcmp(key->name, "dimension") == 0;
    if (section == &scene_section_grains) {
        choose_alternative(key->name, way, &wanted);
    }
    return wanted ? choose(s, 64) != 63 : choose(s, 16) == 15 && strcmp(key->name, "extends") != 0;
}

static void say_section(Sentence *s, const SceneSection *section, int depth) {
    bool first = true;
    const size_t way = choose(s, s->dimension == 2 ? 9 : 3); /* outlines are for the plane */
    say(s, "{");
    for (size_t i = 0; i < section->key_count; i++) {
        const SceneKey *key = &section->keys[i];
        if (!is_wanted(s, section, key, way)) {
            continue;
        }
        say(s, "%s%s: ", first ? "" : ", ", key->name);
        first = false;
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
    s.dimension = choose(&s, 4) == 3 ? 3 : 2;
    say_section(&s, &scene_section_root, 0);
    fuzz_try(s.text, s.length, NULL, 0);
    return 0;
}
