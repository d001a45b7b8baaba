#include "scene/read/reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *scene_path_text(const ScenePath *path, char *buffer, size_t size) {
    const ScenePath *chain[16];
    int depth = 0;
    for (; path && depth < 16; path = path->up) {
        chain[depth++] = path;
    }
    size_t used = 0;
    buffer[0] = '\0';
    while (depth-- > 0 && used < size) {
        const ScenePath *p = chain[depth];
        int n = p->name ? snprintf(buffer + used, size - used, "%s%.40s", used ? "." : "", p->name)
                        : snprintf(buffer + used, size - used, "[%zu]", p->index);
        used += n > 0 ? (size_t)n : 0;
    }
    if (!buffer[0]) {
        snprintf(buffer, size, "the scene");
    }
    return buffer;
}

bool scene_no_memory(SceneReader *reader) {
    return scene_out_of_memory(reader->error, (SceneLocation){&reader->document->source, 0, 0, 0},
                               NULL);
}

bool scene_count_visit(SceneReader *reader, int node) {
    if (++reader->visits <= reader->visit_limit) {
        return true;
    }
    return scene_fail(reader->error, scene_location(reader->document, node),
                      "use fewer aliases (*name)", "aliases repeat more than %zu values",
                      reader->visit_limit);
}

/* What a beginner meant by a value of a wrong kind; NULL when that cannot be told. */
static const char *remedy_for(const char *expected, const char *kind, const char *text) {
    if (strncmp(expected, "a mapping from names", 20) == 0) {
        return strcmp(kind, "nothing") == 0 ? "indent its entries by spaces, below it"
               : strcmp(kind, "a list") == 0
                   ? "give each entry a name of your own, as in 'floor: {...}', in the place of '-'"
                   : NULL;
    }
    char *rest = NULL;
    if (text == NULL || (strtod(text, &rest), rest == text)) {
        return NULL;
    }
    if (strncmp(expected, "a list of 2 n", 13) == 0 ||
        strncmp(expected, "a list of 3 n", 13) == 0) {
        return expected[10] == '2' ? "one number for each axis, such as [0, 1]"
                                   : "one number for each axis, such as [0, 0, 1]";
    }
    if (strcmp(expected, "a number") != 0 || *rest == '\0') {
        return NULL;
    }
    return *rest == ','
               ? "a decimal point is a point, as in 0.5"
               : "leave out the unit: any units that fit together will do, such as m, kg, s";
}

bool scene_wrong_type(SceneReader *reader, int node, const char *expected) {
    char path[160];
    const char *text = scene_scalar(reader->document, node);
    const char *kind = scene_kind(reader->document, node);
    scene_path_text(reader->path, path, sizeof path);
    if (text && strcmp(kind, "nothing") != 0) {
        const char *remedy = remedy_for(expected, kind, text);
        bool quoted = !scene_is_plain(reader->document, node);
        return scene_fail(reader->error, scene_location(reader->document, node), remedy,
                          "%s must be %s, but is %s'%.60s'", path, expected,
                          quoted ? "the text " : "", text);
    }
    return scene_fail(reader->error, scene_location(reader->document, node),
                      remedy_for(expected, kind, NULL), "%s must be %s, but is %s", path, expected,
                      kind);
}

/* ---------------------------------------------------------------- sections */

const SceneKey *scene_find_key(const SceneSection *section, const char *name) {
    for (size_t i = 0; i < section->key_count; i++) {
        if (strcmp(section->keys[i].name, name) == 0) {
            return &section->keys[i];
        }
    }
    return NULL;
}

static void set_defaults(const SceneSection *section, void *target) {
    for (size_t i = 0; i < section->key_count; i++) {
        const SceneKey *key = &section->keys[i];
        void *field = (char *)target + key->offset;
        if (key->type == &scene_type_section) {
            set_defaults(key->section, field);
        } else if (key->type->literal && key->fallback && key->fallback[0] != '(') {
            key->type->literal(key, key->fallback, field);
        }
    }
}

/* The parts of a section, or their entries, that have a key which it has not itself: "piston or plate". */
static const SceneKey *find_parts(const SceneSection *section, const char *name, char *parts,
                                  size_t size) {
    const SceneKey *first = NULL;
    size_t used = 0;
    for (size_t i = 0; i < section->key_count && used < size; i++) {
        const SceneKey *key = &section->keys[i];
        if (key->section != NULL && scene_find_key(key->section, name)) {
            int n = snprintf(parts + used, size - used, "%s%s", first ? " or " : "", key->name);
            used += n > 0 ? (size_t)n : 0;
            first = first ? first : key;
        }
    }
    return first;
}

void scene_hint_key(const SceneSection *section, const char *name, char *hint, size_t size) {
    char parts[160];
    const SceneKey *part = find_parts(section, name, parts, sizeof parts);
    if (part) {
        const bool named = part->type->named, listed = part->type->entries && !named;
        snprintf(hint, size, "it belongs to %s, as in '%s: %s{%.60s: ...}%s'", parts, part->name,
                 named    ? "{NAME: "
                 : listed ? "["
                          : "",
                 name,
                 named    ? "}"
                 : listed ? "]"
                          : "");
        return;
    }
    Guess guess = scr_guess(name);
    for (size_t i = 0; i < section->key_count; i++) {
        scr_guess_offer(&guess, section->keys[i].name);
    }
    scr_guess_or_list(&guess, "known keys:", hint, size);
}

static bool unknown_key(SceneReader *reader, const SceneSection *section, int node) {
    char path[160], hint[400];
    const char *text = scene_scalar(reader->document, node);
    scene_path_text(reader->path, path, sizeof path);
    if (!text) {
        return scene_fail(reader->error, scene_location(reader->document, node), NULL,
                          "a key in %s must be a word", path);
    }
    scene_hint_key(section, text, hint, sizeof hint);
    return scene_fail(reader->error, scene_location(reader->document, node), hint,
                      "unknown key '%.60s' in %s", text, path);
}

static bool duplicate_key(SceneReader *reader, int mapping, int node) {
    char path[160];
    const char *text = scene_scalar(reader->document, node);
    int first = 0;
    scene_lookup(reader->document, mapping, text, &first);
    scene_path_text(reader->path, path, sizeof path);
    return scene_fail(reader->error, scene_location(reader->document, node), "keep one of the two",
                      "'%.60s' is given twice in %s, first on line %d", text, path,
                      scene_location(reader->document, first).line);
}

static bool wrong_dimension(SceneReader *reader, const SceneKey *key, int node) {
    bool plane = reader->dimension == 2;
    if (key->range != (plane ? IN_SPACE : IN_PLANE)) {
        return false;
    }
    char path[160];
    scene_path_text(reader->path, path, sizeof path);
    scene_fail(reader->error, scene_location(reader->document, node),
               plane ? "leave out 'dimension: 2', or take a shape of the plane"
                     : "add 'dimension: 2', or take a shape in space, such as box or polyhedron",
               "%s exists only in %s dimensions", path, plane ? "three" : "two");
    return true;
}

static bool read_key(SceneReader *reader, const SceneKey *key, int node, void *target) {
    ScenePath here = {reader->path, key->name, 0};
    reader->path = &here;
    bool ok = scene_count_visit(reader, node) && !wrong_dimension(reader, key, node) &&
              key->type->read(reader, key, node, (char *)target + key->offset);
    reader->path = here.up;
    return ok;
}

/* What a key is for, and the words that it may be. */
static int explain(const SceneKey *key, char *text, size_t size) {
    const bool materials = strcmp(key->name, "materials") == 0;
    int n = snprintf(text, size, "%s: %.220s", key->name,
                     materials ? "what grains and walls are made of, as in 'materials: {sand: "
                                 "{density: 2650, friction: 0.5}}'"
                               : key->meaning);
    for (const SceneChoice *c = key->choices; c && c->name && n < (int)size; c++) {
        n += snprintf(text + n, size - (size_t)n, "%s%s", c == key->choices ? "; " : " or ",
                      c->name);
    }
    return n < (int)size ? n : (int)size - 1;
}

/* All that are missing are told at once. */
static bool missing_key(SceneReader *reader, const SceneSection *section, int node) {
    char path[160], hint[320] = "", names[160] = "";
    int said = 0, named = 0, count = 0;
    for (size_t i = 0; i < section->key_count; i++) {
        const SceneKey *key = &section->keys[i];
        if (key->fallback || scene_lookup(reader->document, node, key->name, NULL)) {
            continue;
        }
        if (named < (int)sizeof names) {
            named += snprintf(names + named, sizeof names - (size_t)named, "%s'%s'",
                              count > 0 ? ", " : "", key->name);
        }
        if (count > 0 && said + 2 < (int)sizeof hint) {
            said += snprintf(hint + said, sizeof hint - (size_t)said, "; ");
        }
        said += explain(key, hint + said, sizeof hint - (size_t)said);
        count++;
    }
    if (count > 0) {
        scene_path_text(reader->path, path, sizeof path);
        scene_fail(reader->error, scene_location(reader->document, node), hint,
                   "%s %s missing in %s", names, count > 1 ? "are" : "is", path);
    }
    return count > 0;
}

bool scene_read_section(SceneReader *reader, const SceneSection *section, int node, void *target) {
    SceneDocument *document = reader->document;
    if (!scene_node(document, node) || scene_node(document, node)->type != YAML_MAPPING_NODE) {
        char expected[80];
        snprintf(expected, sizeof expected, "a mapping with keys such as '%s'",
                 section->keys[0].name);
        return scene_wrong_type(reader, node, expected);
    }
    set_defaults(section, target);
    ((SceneHead *)target)->node = node;
    size_t count = scene_pairs(document, node);
    bool seen[64] = {false};
    for (size_t i = 0; i < count; i++) {
        int key_node, value_node;
        scene_pair(document, node, i, &key_node, &value_node);
        const char *name = scene_scalar(document, key_node);
        const SceneKey *key = name ? scene_find_key(section, name) : NULL;
        if (!key) {
            return unknown_key(reader, section, key_node);
        }
        if (seen[key - section->keys]) {
            return duplicate_key(reader, node, key_node);
        }
        seen[key - section->keys] = true;
        if (!read_key(reader, key, value_node, target)) {
            return false;
        }
    }
    return (reader->part && !reader->path) || !missing_key(reader, section, node);
}

static bool read_section(SceneReader *reader, const SceneKey *key, int node, void *field) {
    return scene_read_section(reader, key->section, node, field);
}

const SceneType scene_type_section = {"a mapping", NULL, read_section, false, false};

/* ---------------------------------------------------------------- lists and named entries */

static bool read_entries(SceneReader *reader, const SceneKey *key, int node, SceneList *list,
                         bool named) {
    SceneDocument *document = reader->document;
    size_t count = named ? scene_pairs(document, node) : scene_items(document, node);
    list->count = count;
    list->items = scene_alloc(reader->arena, count ? count : 1, key->section->size);
    if (!list->items) {
        return scene_no_memory(reader);
    }
    const ScenePath *up = reader->path;
    bool ok = true;
    for (size_t i = 0; i < count && ok; i++) {
        SceneHead *head = (SceneHead *)((char *)list->items + i * key->section->size);
        int name_node = 0, value = 0;
        if (named) {
            scene_pair(document, node, i, &name_node, &value);
        } else {
            value = scene_item(document, node, i);
        }
        ScenePath here = {up, named ? scene_scalar(document, name_node) : NULL, i};
        reader->path = &here;
        head->index = (int)i;
        head->name = here.name;
        ok = scene_count_visit(reader, value) &&
             scene_read_section(reader, key->section, value, head);
        reader->path = up;
    }
    return ok;
}

static bool read_list(SceneReader *reader, const SceneKey *key, int node, void *field) {
    const yaml_node_t *n = scene_node(reader->document, node);
    if (!n || n->type != YAML_SEQUENCE_NODE) {
        return scene_wrong_type(reader, node, "a list, each entry begun by '- '");
    }
    return read_entries(reader, key, node, field, false);
}

const SceneType scene_type_list = {"a list", NULL, read_list, true, false};

/* Names appear in paths such as walls.tank.left, so they must not hold dots, spaces or quotes. */
static bool good_name(const char *name) {
    size_t length = name ? strlen(name) : 0;
    if (length == 0 || length > 60) {
        return false;
    }
    return strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") ==
           length;
}

typedef struct NamedNode {
    const char *name;
    int node;
} NamedNode;

static int compare_names(const void *a, const void *b) {
    const NamedNode *x = a, *y = b;
    int order = strcmp(x->name, y->name);
    return order ? order : x->node - y->node;
}

static bool check_names(SceneReader *reader, int mapping) {
    SceneDocument *document = reader->document;
    size_t count = scene_pairs(document, mapping);
    NamedNode *names = scene_alloc(reader->arena, count ? count : 1, sizeof *names);
    if (!names) {
        return scene_no_memory(reader);
    }
    for (size_t i = 0; i < count; i++) {
        int value;
        scene_pair(document, mapping, i, &names[i].node, &value);
        names[i].name = scene_scalar(document, names[i].node);
        if (!good_name(names[i].name)) {
            char path[160];
            scene_path_text(reader->path, path, sizeof path);
            return scene_fail(reader->error, scene_location(document, names[i].node),
                              "use up to 60 letters, digits, '_' and '-'",
                              "'%.60s' is not a valid name in %s",
                              names[i].name ? names[i].name : "", path);
        }
    }
    qsort(names, count, sizeof *names, compare_names);
    for (size_t i = 1; i < count; i++) {
        if (strcmp(names[i].name, names[i - 1].name) == 0) {
            return duplicate_key(reader, mapping, names[i].node);
        }
    }
    return true;
}

static bool read_map(SceneReader *reader, const SceneKey *key, int node, void *field) {
    const yaml_node_t *n = scene_node(reader->document, node);
    if (!n || n->type != YAML_MAPPING_NODE) {
        return scene_wrong_type(reader, node, "a mapping from names to entries");
    }
    return check_names(reader, node) && read_entries(reader, key, node, field, true);
}

const SceneType scene_type_map = {"named entries", NULL, read_map, true, true};
