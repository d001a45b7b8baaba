#include "scene/read/override.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH_LIMIT = 24, COPY_LIMIT = 100000, WORD_SIZE = 64 };

typedef struct Override {
    SceneDocument *document;
    SceneError *error;
    const SceneSource *source;
    int option;
    int value_line_offset; /* where the value begins, for its locations */
    int copied;
} Override;

/* Where the walk along the path is. With neither section nor entries, the schema has no say. */
typedef struct Spot {
    int node;
    const SceneSection *section;
    const SceneKey *entries;
} Spot;

typedef struct Word {
    char text[WORD_SIZE];
    int column;
} Word;

static bool no_memory(Override *o) {
    return scene_out_of_memory(o->error, (SceneLocation){o->source, 0, 0, 0}, NULL);
}

static bool fail_at(Override *o, const Word *word, const char *hint, const char *message,
                    const char *detail) {
    SceneLocation location = {o->source, 1, word->column, (int)strlen(word->text)};
    return scene_fail(o->error, location, hint, message, word->text, detail);
}

static yaml_mark_t mark_at(int column) {
    return (yaml_mark_t){0, 0, (size_t)column - 1};
}

/* ---------------------------------------------------------------- copying nodes */

static yaml_mark_t shifted(const Override *o, yaml_mark_t mark) {
    if (mark.line == 0) {
        mark.column += (size_t)o->value_line_offset;
    }
    return mark;
}

static int copy_node(Override *o, const SceneDocument *from, int node, int depth);

static bool copy_children(Override *o, const SceneDocument *from, int node, int copy, int depth) {
    yaml_document_t *to = &o->document->yaml;
    size_t count = scene_items(from, node) + scene_pairs(from, node);
    bool list = scene_node(from, node)->type == YAML_SEQUENCE_NODE;
    for (size_t i = 0; i < count; i++) {
        int key = 0, value;
        if (list) {
            value = scene_item(from, node, i);
        } else {
            scene_pair(from, node, i, &key, &value);
            key = copy_node(o, from, key, depth + 1);
            if (!key) {
                return false;
            }
        }
        value = copy_node(o, from, value, depth + 1);
        if (!value || !(list ? yaml_document_append_sequence_item(to, copy, value)
                             : yaml_document_append_mapping_pair(to, copy, key, value))) {
            return false;
        }
    }
    return true;
}

/* The number of the copy; 0 when it failed. */
static int copy_node(Override *o, const SceneDocument *from, int node, int depth) {
    yaml_document_t *to = &o->document->yaml;
    const yaml_node_t *n = scene_node(from, node);
    if (!n || depth > DEPTH_LIMIT || ++o->copied > COPY_LIMIT) {
        scene_fail(o->error, (SceneLocation){o->source, 0, 0, 0}, NULL,
                   "the value is nested more than %d deep or has more than %d parts", DEPTH_LIMIT,
                   COPY_LIMIT);
        return 0;
    }
    int copy = scene_add_like(to, n);
    if (!copy ||
        !scene_note_origin(o->document, copy, o->option, shifted(o, n->start_mark),
                           shifted(o, n->end_mark)) ||
        (n->type != YAML_SCALAR_NODE && !copy_children(o, from, node, copy, depth))) {
        no_memory(o); /* unless the cause has been reported already */
        return 0;
    }
    return copy;
}

/* A separate list or mapping for this path: aliases may share the one in the text. */
static int clone_container(Override *o, int node) {
    SceneDocument *document = o->document;
    yaml_document_t *yaml = &document->yaml;
    bool list = scene_node(document, node)->type == YAML_SEQUENCE_NODE;
    int clone = scene_add_like(yaml, scene_node(document, node));
    const yaml_node_t *n = scene_node(document, node);
    if (!clone || !scene_note_origin(document, clone, scene_origin(document, node), n->start_mark,
                                     n->end_mark)) {
        no_memory(o);
        return 0;
    }
    size_t count = scene_items(document, node) + scene_pairs(document, node);
    for (size_t i = 0; i < count; i++) {
        int key = 0, value;
        bool ok;
        if (list) {
            ok = yaml_document_append_sequence_item(yaml, clone, scene_item(document, node, i));
        } else {
            scene_pair(document, node, i, &key, &value);
            ok = yaml_document_append_mapping_pair(yaml, clone, key, value);
        }
        if (!ok) {
            no_memory(o);
            return 0;
        }
    }
    return clone;
}

/* ---------------------------------------------------------------- finding the place */

/* The index in a list that a word stands for, or -1 after an error. */
static long list_index(Override *o, const Spot *spot, const Word *word) {
    size_t count = scene_items(o->document, spot->node);
    char *end;
    long index = strtol(word->text, &end, 10);
    if (word->text[0] < '0' || word->text[0] > '9' || *end || index < 0 || (size_t)index >= count) {
        char hint[80 + WORD_SIZE];
        const bool key = spot->entries && spot->entries->section &&
                         scene_find_key(spot->entries->section, word->text);
        if (count > 0 && key) {
            snprintf(hint, sizeof hint, "its entries are 0 to %zu: write %s.0.%s", count - 1,
                     spot->entries->name, word->text);
        } else if (count > 1) {
            snprintf(hint, sizeof hint, "its entries are 0 to %zu", count - 1);
        } else {
            snprintf(hint, sizeof hint, count > 0 ? "its only entry is 0" : "it has no entries");
        }
        fail_at(o, word, hint, "no entry '%s' in this list%s", "");
        return -1;
    }
    return index;
}

static bool unknown_word(Override *o, const Spot *spot, const Word *word) {
    char hint[400];
    const char *bracket = strchr(word->text, '[');
    if (bracket != NULL) { /* as messages count, and many languages do */
        snprintf(hint, sizeof hint, "items of a list are counted after a dot: %.*s.%.*s",
                 (int)(bracket - word->text), word->text, (int)strcspn(bracket + 1, "]"),
                 bracket + 1);
        return fail_at(o, word, hint, "'%s' is no key%s", "");
    }
    Guess guess = scr_guess(word->text);
    if (spot->section) {
        scene_hint_key(spot->section, word->text, hint, sizeof hint);
        return fail_at(o, word, hint, "unknown key '%s' in %s", spot->section->name);
    }
    size_t count = scene_pairs(o->document, spot->node);
    for (size_t i = 0; i < count; i++) {
        int key, value;
        scene_pair(o->document, spot->node, i, &key, &value);
        const char *name = scene_scalar(o->document, key);
        if (name) {
            scr_guess_offer(&guess, name);
        }
    }
    scr_guess_or_list(&guess, "known names:", hint, sizeof hint);
    return fail_at(o, word, hint, "there is no '%s' in %s", spot->entries->name);
}

/* What the schema says about the child with that name; false when it refuses it. */
static bool child_spot(Override *o, const Spot *spot, const Word *word, Spot *child) {
    *child = (Spot){0, NULL, NULL};
    bool list = scene_node(o->document, spot->node)->type == YAML_SEQUENCE_NODE;
    if (spot->entries) {
        bool fits = spot->entries->type->named != list;
        child->section = fits ? spot->entries->section : NULL;
    } else if (spot->section && !list) {
        const SceneKey *key = scene_find_key(spot->section, word->text);
        if (!key) {
            return unknown_word(o, spot, word);
        }
        child->section = key->type->entries ? NULL : key->section;
        child->entries = key->type->entries ? key : NULL;
    }
    if (!list) {
        child->node = scene_lookup(o->document, spot->node, word->text, NULL);
        if (!child->node && spot->entries) {
            return unknown_word(o, spot, word);
        }
        return true;
    }
    long index = list_index(o, spot, word);
    if (index < 0) {
        return false;
    }
    child->node = scene_item(o->document, spot->node, (size_t)index);
    return true;
}

/* Attaches `node` under that word; makes a new key if there is none. */
static bool attach(Override *o, int parent, const Word *word, int node) {
    yaml_node_t *n = scene_node(o->document, parent);
    if (n->type == YAML_SEQUENCE_NODE) {
        n->data.sequence.items.start[strtol(word->text, NULL, 10)] = node;
        return true;
    }
    for (yaml_node_pair_t *p = n->data.mapping.pairs.start; p < n->data.mapping.pairs.top; p++) {
        const char *key = scene_scalar(o->document, p->key);
        if (key && strcmp(key, word->text) == 0) {
            p->value = node;
            return true;
        }
    }
    int length = (int)strlen(word->text);
    int key = yaml_document_add_scalar(&o->document->yaml, NULL, (const yaml_char_t *)word->text,
                                       length, YAML_PLAIN_SCALAR_STYLE);
    if (!key ||
        !scene_note_origin(o->document, key, o->option, mark_at(word->column),
                           mark_at(word->column + length)) ||
        !yaml_document_append_mapping_pair(&o->document->yaml, parent, key, node)) {
        return no_memory(o);
    }
    return true;
}

/* Takes the key away that is this word. */
static bool detach(Override *o, int parent, const Word *word) {
    yaml_node_t *n = scene_node(o->document, parent);
    for (yaml_node_pair_t *p = n->data.mapping.pairs.start; p < n->data.mapping.pairs.top; p++) {
        const char *key = scene_scalar(o->document, p->key);
        if (key && strcmp(key, word->text) == 0) {
            memmove(p, p + 1, (size_t)(n->data.mapping.pairs.top - p - 1) * sizeof *p);
            n->data.mapping.pairs.top--;
            return true;
        }
    }
    return fail_at(o, word, "null takes a key away", "'%s' is not in this scene%s", "");
}

/* Goes one word down, to a container that belongs to this path alone. */
static bool descend(Override *o, Spot *spot, const Word *word) {
    Spot child;
    if (!child_spot(o, spot, word, &child)) {
        return false;
    }
    int node = 0;
    if (child.node) {
        if (scene_node(o->document, child.node)->type == YAML_SCALAR_NODE) {
            return fail_at(o, word, "override the value as a whole",
                           "'%s' has no parts in this scene%s", "");
        }
        node = clone_container(o, child.node);
    } else {
        node = yaml_document_add_mapping(&o->document->yaml, NULL, YAML_FLOW_MAPPING_STYLE);
        int end = word->column + (int)strlen(word->text);
        if (!node ||
            !scene_note_origin(o->document, node, o->option, mark_at(word->column), mark_at(end))) {
            return no_memory(o);
        }
    }
    if (!node || !attach(o, spot->node, word, node)) {
        return false;
    }
    child.node = node;
    *spot = child;
    return true;
}

/* ---------------------------------------------------------------- the whole */

/* Parses the text after '=' and copies it; 0 after an error. An empty value is an empty scalar. */
static int read_value(Override *o, size_t offset) {
    SceneSource part = *o->source;
    SceneDocument value;
    SceneError inner = {0};
    part.text += offset;
    part.size -= offset;
    int copy = 0;
    if (scene_document_read(&value, &part, &inner) && scene_root_node(&value)) {
        o->value_line_offset = (int)offset;
        copy = copy_node(o, &value, 1, 0);
    } else if (inner.text[0]) {
        const char *words = strstr(inner.text, "error: ");
        char line[200] = "";
        snprintf(line, sizeof line, "%.*s", words ? (int)strcspn(words + 7, "\n") : 0,
                 words ? words + 7 : "");
        SceneLocation location = {o->source, 1, (int)offset + 1, 1};
        scene_fail(o->error, location, "put the value in quotes for the shell", "%s", line);
    } else {
        SceneLocation location = {o->source, 1, (int)offset + 1, 1};
        scene_fail(o->error, location, NULL, "there is no value after '='");
    }
    scene_document_free(&value);
    return copy;
}

bool scene_apply_override(SceneDocument *document, const SceneSection *root, int option,
                          SceneError *error) {
    const SceneSource *source = &document->added[option];
    Override o = {document, error, source, option, 0, 0};
    const char *equals = memchr(source->text, '=', source->size);
    if (!equals || equals == source->text) {
        return scene_fail(error, (SceneLocation){source, 1, 1, 1},
                          "write path.to.key=value, for example time.end=2", "not an override");
    }
    Spot spot = {1, root, NULL};
    const char *at = source->text;
    for (int depth = 0;; depth++) {
        size_t length = strcspn(at, ".=");
        Word word = {"", (int)(at - source->text) + 1};
        if (length == 0 || length >= WORD_SIZE || depth >= DEPTH_LIMIT) {
            return fail_at(&o, &word, "write path.to.key=value, for example time.end=2",
                           "a part of the path is empty or too long%s%s", "");
        }
        memcpy(word.text, at, length);
        at += length;
        if (at == equals) {
            Spot child;
            if (!child_spot(&o, &spot, &word, &child)) {
                return false;
            }
            int value = read_value(&o, (size_t)(equals - source->text) + 1);
            bool list = scene_node(document, spot.node)->type == YAML_SEQUENCE_NODE;
            return value &&
                   (!list && scene_is_null(document, value) ? detach(&o, spot.node, &word)
                                                            : attach(&o, spot.node, &word, value));
        }
        at++;
        if (!descend(&o, &spot, &word)) {
            return false;
        }
    }
}
