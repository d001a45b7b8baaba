/* Single values: numbers, words, booleans, and lists of them. */
#include "scene/read/reader.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------- numbers */

static const char *skip_digits(const char *c, bool *any) {
    while (*c >= '0' && *c <= '9') {
        c++;
        *any = true;
    }
    return c;
}

/* Decimal numbers only: what strtod accepts beyond them (hex, "infinity") has no place in a
 * scene. */
static bool is_decimal(const char *c) {
    bool any = false;
    c += *c == '+' || *c == '-';
    c = skip_digits(c, &any);
    if (*c == '.') {
        c = skip_digits(c + 1, &any);
    }
    if (any && (*c == 'e' || *c == 'E')) {
        any = false;
        c++;
        c += *c == '+' || *c == '-';
        c = skip_digits(c, &any);
    }
    return any && *c == '\0';
}

static bool is_not_finite_word(const char *text) {
    static const char *const words[] = {"nan", "inf", "infinity"};
    char lower[16] = "";
    text += *text == '+' || *text == '-';
    text += *text == '.';
    for (size_t i = 0; text[i] && i + 1 < sizeof lower; i++) {
        lower[i] = (char)(text[i] >= 'A' && text[i] <= 'Z' ? text[i] + 32 : text[i]);
    }
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (strcmp(lower, words[i]) == 0) {
            return true;
        }
    }
    return false;
}

const char *scene_number_from(const char *text, double *value) {
    if (is_not_finite_word(text)) {
        return "a finite number";
    }
    if (!is_decimal(text)) {
        return "a number";
    }
    double v = strtod(text, NULL);
    if (!isfinite(v)) {
        return "a finite number";
    }
    *value = v;
    return NULL;
}

static const char *range_words(SceneRange range, double v) {
    switch (range) {
    case POSITIVE:
        return v > 0 ? NULL : "greater than 0";
    case NOT_NEGATIVE:
        return v >= 0 ? NULL : "0 or greater";
    case FRACTION:
        return v > 0 && v <= 1 ? NULL : "above 0 and at most 1";
    case SHARE:
        return v >= 0 && v <= 1 ? NULL : "between 0 and 1";
    case UPPER_HALF:
        return v >= 0.5 && v <= 1 ? NULL : "between 1/2 and 1";
    case ONE_OR_MORE:
        return v >= 1 ? NULL : "1 or greater";
    case IN_PLANE:
    case IN_SPACE:
    case ANY:
        break;
    }
    return NULL;
}

const char *scene_number_literal(const SceneKey *key, const char *text, void *field) {
    double v;
    const char *wrong = scene_number_from(text, &v);
    wrong = wrong ? wrong : range_words(key->range, v);
    if (!wrong) {
        *(double *)field = v;
    }
    return wrong;
}

static const char *integer_literal(const SceneKey *key, const char *text, void *field) {
    const char *digits = text + (*text == '-' || *text == '+');
    size_t length = strspn(digits, "0123456789");
    if (length == 0 || digits[length] != '\0') {
        /* 1e5 is a whole number too */
        double v;
        const char *wrong = scene_number_from(text, &v);
        if (wrong || v != floor(v)) {
            return "a whole number";
        }
        if (fabs(v) > 1e15) {
            return "a whole number of at most 1e15";
        }
        *(int64_t *)field = (int64_t)v;
        return range_words(key->range, v);
    }
    if (length > 18) {
        return "a whole number of at most 18 digits";
    }
    long long v = strtoll(text, NULL, 10);
    const char *wrong = range_words(key->range, (double)v);
    if (!wrong) {
        *(int64_t *)field = v;
    }
    return wrong;
}

static const char *boolean_literal(const SceneKey *key, const char *text, void *field) {
    (void)key;
    bool yes = strcmp(text, "true") == 0;
    if (!yes && strcmp(text, "false") != 0) {
        return "true or false";
    }
    *(bool *)field = yes;
    return NULL;
}

/* A quoted number is a mistake, but a word that stands in the place of a number (`last`, `.inf`) may be quoted: JSON cannot
 * write it otherwise. It can write true and false. */
static bool is_plain_or_word(const SceneReader *reader, const SceneKey *key, int node) {
    double number;
    return scene_is_plain(reader->document, node) ||
           (key->type != &scene_type_boolean &&
            scene_number_from(scene_scalar(reader->document, node), &number) != NULL &&
            key->type->literal(key, scene_scalar(reader->document, node), &(union {
                                   double number;
                                   int64_t count;
                               }){0}) == NULL);
}

bool scene_read_plain(SceneReader *reader, const SceneKey *key, int node, void *field,
                      const char *hint) {
    const char *text = scene_scalar(reader->document, node);
    bool plain = text && is_plain_or_word(reader, key, node);
    const char *wrong = plain ? key->type->literal(key, text, field) : key->type->words;
    if (!wrong || !plain || !hint) {
        return wrong ? scene_wrong_type(reader, node, wrong) : true;
    }
    char path[160];
    return scene_fail(reader->error, scene_location(reader->document, node), hint,
                      "%s must be %s, but is '%.60s'",
                      scene_path_text(reader->path, path, sizeof path), wrong, text);
}

static bool read_plain(SceneReader *reader, const SceneKey *key, int node, void *field) {
    return scene_read_plain(reader, key, node, field, NULL);
}

const SceneType scene_type_number = {"a number", scene_number_literal, read_plain, false, false};
const SceneType scene_type_integer = {"a whole number", integer_literal, read_plain, false, false};
/* A frame of a run; -1 is the last. */
static const char *frame_literal(const SceneKey *key, const char *text, void *field) {
    if (strcmp(text, "last") == 0) {
        *(int64_t *)field = -1;
        return NULL;
    }
    return integer_literal(key, text, field) ? "`last`, or a frame's number from 0" : NULL;
}

const SceneType scene_type_frame = {"a frame's number, or `last`", frame_literal, read_plain, false,
                                    false};
const SceneType scene_type_boolean = {"true or false", boolean_literal, read_plain, false, false};

bool scene_read_number(SceneReader *reader, const SceneKey *key, int node, double *value) {
    const char *text = scene_scalar(reader->document, node);
    bool plain = text && scene_is_plain(reader->document, node);
    double v = 0;
    const char *wrong = plain ? scene_number_from(text, &v) : "a number";
    wrong = wrong || !key ? wrong : range_words(key->range, v);
    if (wrong) {
        return scene_wrong_type(reader, node, wrong);
    }
    *value = v;
    return scene_count_visit(reader, node);
}

bool scene_read_numbers(SceneReader *reader, const SceneKey *key, int node, double *values,
                        size_t count) {
    for (size_t i = 0; i < count; i++) {
        ScenePath here = {reader->path, NULL, i};
        reader->path = &here;
        bool ok = scene_read_number(reader, key, scene_item(reader->document, node, i), &values[i]);
        reader->path = here.up;
        if (!ok) {
            return false;
        }
    }
    return true;
}

bool scene_read_list(SceneReader *reader, const SceneKey *key, int node, const char *expected,
                     double **list, size_t *count) {
    *count = scene_items(reader->document, node);
    if (*count == 0) {
        return scene_wrong_type(reader, node, expected);
    }
    *list = scene_alloc(reader->arena, *count, sizeof **list);
    return *list ? scene_read_numbers(reader, key, node, *list, *count) : scene_no_memory(reader);
}

static bool read_span(SceneReader *reader, const SceneKey *key, int node, void *field) {
    SceneSpan *span = field;
    double v[2];
    if (scene_items(reader->document, node) != 2) {
        return scene_wrong_type(reader, node, "two numbers [from, to]");
    }
    if (!scene_read_numbers(reader, key, node, v, 2)) {
        return false;
    }
    if (!(v[0] < v[1])) {
        return scene_wrong_type(reader, node, "two numbers [from, to] with from below to");
    }
    *span = (SceneSpan){true, v[0], v[1]};
    return true;
}

const SceneType scene_type_span = {"two numbers [from, to]", NULL, read_span, false, false};

/* ---------------------------------------------------------------- words */

static bool unknown_word(SceneReader *reader, const SceneKey *key, int node, const char *text) {
    char path[160], hint[400];
    Guess guess = scr_guess(text);
    for (const SceneChoice *c = key->choices; c->name; c++) {
        scr_guess_offer(&guess, c->name);
    }
    scr_guess_or_list(&guess, "one of", hint, sizeof hint);
    scene_path_text(reader->path, path, sizeof path);
    return scene_fail(reader->error, scene_location(reader->document, node), hint,
                      "%s cannot be '%.60s'", path, text);
}

static const char *choice_literal(const SceneKey *key, const char *text, void *field) {
    for (const SceneChoice *c = key->choices; c->name; c++) {
        if (strcmp(c->name, text) == 0) {
            *(int *)field = c->value;
            return NULL;
        }
    }
    return "one of the known words";
}

static bool read_choice(SceneReader *reader, const SceneKey *key, int node, void *field) {
    const char *text = scene_scalar(reader->document, node);
    if (!text) {
        return scene_wrong_type(reader, node, "a word");
    }
    return choice_literal(key, text, field) ? unknown_word(reader, key, node, text) : true;
}

const SceneType scene_type_choice = {"a word", choice_literal, read_choice, false, false};

static bool read_flags(SceneReader *reader, const SceneKey *key, int node, void *field) {
    int *bits = field, one = 0;
    if (scene_scalar(reader->document, node)) {
        bool ok = read_choice(reader, key, node, &one);
        *bits = one;
        return ok;
    }
    const yaml_node_t *n = scene_node(reader->document, node);
    if (!n || n->type != YAML_SEQUENCE_NODE) {
        return scene_wrong_type(reader, node, "a word or a list of words");
    }
    *bits = 0;
    size_t count = scene_items(reader->document, node);
    for (size_t i = 0; i < count; i++) {
        int item = scene_item(reader->document, node, i);
        if (!scene_count_visit(reader, item) || !read_choice(reader, key, item, &one)) {
            return false;
        }
        *bits |= one;
    }
    return true;
}

const SceneType scene_type_flags = {"a word or a list of words", NULL, read_flags, false, false};

static bool read_name(SceneReader *reader, const SceneKey *key, int node, void *field) {
    (void)key;
    const char *text = scene_scalar(reader->document, node);
    if (!text || !text[0]) {
        return scene_wrong_type(reader, node, "a name");
    }
    *(const char **)field = text; /* the document lives as long as the scene */
    return true;
}

const SceneType scene_type_name = {"a name", NULL, read_name, false, false};

static bool read_expression(SceneReader *reader, const SceneKey *key, int node, void *field) {
    (void)key;
    const char *text = scene_scalar(reader->document, node);
    if (!text || !text[0]) {
        return scene_wrong_type(reader, node, "an expression");
    }
    *(const char **)field = text;
    return true;
}

const SceneType scene_type_expression = {"an expression", NULL, read_expression, false, false};

static bool read_names(SceneReader *reader, const SceneKey *key, int node, void *field) {
    SceneNames *names = field;
    bool single = scene_scalar(reader->document, node) != NULL;
    size_t count = single ? 1 : scene_items(reader->document, node);
    if (count == 0) {
        return scene_wrong_type(reader, node, "a name or a list of names");
    }
    names->names = scene_alloc(reader->arena, count, sizeof *names->names);
    int *nodes = scene_alloc(reader->arena, count, sizeof *nodes);
    if (!names->names || !nodes) {
        return scene_no_memory(reader);
    }
    for (size_t i = 0; i < count; i++) {
        nodes[i] = single ? node : scene_item(reader->document, node, i);
        if (!scene_count_visit(reader, nodes[i]) ||
            !read_name(reader, key, nodes[i], &names->names[i])) {
            return false;
        }
    }
    names->nodes = nodes;
    names->count = count;
    return true;
}

const SceneType scene_type_names = {"a name or a list of names", NULL, read_names, false, false};

/* ---------------------------------------------------------------- grains by number */

static bool read_range(SceneReader *reader, const SceneKey *key, int node, void *field) {
    SceneGrainRange *range = field;
    const char *expected = "'all', a grain's number, or [first, last]";
    const char *text = scene_scalar(reader->document, node);
    double v[2];
    if (text && strcmp(text, "all") == 0) {
        *range = (SceneGrainRange){true, true, 0, 0};
        return true;
    }
    if (text) {
        if (scene_number_from(text, &v[0])) {
            return scene_wrong_type(reader, node, expected);
        }
        v[1] = v[0];
    } else if (scene_items(reader->document, node) != 2) {
        return scene_wrong_type(reader, node, expected);
    } else if (!scene_read_numbers(reader, key, node, v, 2)) {
        return false;
    }
    bool whole = v[0] == floor(v[0]) && v[1] == floor(v[1]);
    if (!whole || v[0] < 0 || v[1] < v[0] || v[1] > INT32_MAX) {
        return scene_wrong_type(reader, node, expected);
    }
    *range = (SceneGrainRange){true, false, (int64_t)v[0], (int64_t)v[1]};
    return true;
}

const SceneType scene_type_range = {"`all`, a grain's number, or [first, last]", NULL, read_range,
                                    false, false};

static bool read_pair(SceneReader *reader, const SceneKey *key, int node, void *field) {
    return scene_items(reader->document, node) == 2
               ? read_range(reader, key, node, field)
               : scene_wrong_type(reader, node, key->type->words);
}

const SceneType scene_type_pair = {"two grains' numbers [a, b]", NULL, read_pair, false, false};

/* ---------------------------------------------------------------- policy for overlaps */

static bool read_overlap(SceneReader *reader, const SceneKey *key, int node, void *field) {
    SceneOverlapSpec *overlap = field;
    if (!scene_scalar(reader->document, node)) {
        overlap->policy = OVERLAP_TOLERATE;
        return scene_read_section(reader, key->section, node, overlap);
    }
    int policy = 0;
    if (!read_choice(reader, key, node, &policy)) {
        return false;
    }
    overlap->policy = (SceneOverlapPolicy)policy;
    return true;
}

const SceneType scene_type_overlap = {"a word, or a mapping", NULL, read_overlap, false, false};
