#include "scene/read/document.h"

#include <stdlib.h>
#include <string.h>

yaml_node_t *scene_node(const SceneDocument *document, int node) {
    /* libyaml's accessors take a non-const document, but only read it. */
    return yaml_document_get_node((yaml_document_t *)&document->yaml, node);
}

int scene_root_node(const SceneDocument *document) {
    return yaml_document_get_root_node((yaml_document_t *)&document->yaml) ? 1 : 0;
}

bool scene_note_origin(SceneDocument *document, int node, int origin, yaml_mark_t start,
                       yaml_mark_t end) {
    int index = node - document->own_nodes - 1;
    if (index >= document->origin_capacity) {
        int capacity = 2 * index + 16;
        int *grown = realloc(document->origin, (size_t)capacity * sizeof *grown);
        if (!grown) {
            return false;
        }
        document->origin = grown;
        document->origin_capacity = capacity;
    }
    document->origin[index] = origin;
    yaml_node_t *n = scene_node(document, node);
    n->start_mark = start;
    n->end_mark = end;
    return true;
}

int scene_add_like(yaml_document_t *to, const yaml_node_t *n) {
    switch (n->type) {
    case YAML_SCALAR_NODE:
        return yaml_document_add_scalar(to, NULL, n->data.scalar.value, (int)n->data.scalar.length,
                                        n->data.scalar.style);
    case YAML_SEQUENCE_NODE:
        return yaml_document_add_sequence(to, NULL, n->data.sequence.style);
    default:
        return yaml_document_add_mapping(to, NULL, n->data.mapping.style);
    }
}

int scene_origin(const SceneDocument *document, int node) {
    return node > document->own_nodes ? document->origin[node - document->own_nodes - 1] : -1;
}

SceneLocation scene_location(const SceneDocument *document, int node) {
    SceneLocation location = {&document->source, 0, 0, 1};
    const yaml_node_t *n = node > 0 ? scene_node(document, node) : NULL;
    if (!n) {
        return location;
    }
    int origin = scene_origin(document, node);
    if (origin >= 0) {
        location.source = &document->added[origin];
    }
    location.line = (int)n->start_mark.line + 1;
    location.column = (int)n->start_mark.column + 1;
    bool flow =
        n->type == YAML_SCALAR_NODE ||
        (n->type == YAML_SEQUENCE_NODE && n->data.sequence.style == YAML_FLOW_SEQUENCE_STYLE) ||
        (n->type == YAML_MAPPING_NODE && n->data.mapping.style == YAML_FLOW_MAPPING_STYLE);
    if (flow && n->end_mark.line == n->start_mark.line &&
        n->end_mark.column > n->start_mark.column) {
        location.width = (int)(n->end_mark.column - n->start_mark.column);
    }
    return location;
}

const char *scene_scalar(const SceneDocument *document, int node) {
    const yaml_node_t *n = scene_node(document, node);
    if (!n || n->type != YAML_SCALAR_NODE) {
        return NULL;
    }
    const char *text = (const char *)n->data.scalar.value;
    return strlen(text) == n->data.scalar.length ? text : NULL;
}

bool scene_is_plain(const SceneDocument *document, int node) {
    const yaml_node_t *n = scene_node(document, node);
    return n && n->type == YAML_SCALAR_NODE && n->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
}

bool scene_is_null(const SceneDocument *document, int node) {
    const char *text = scene_is_plain(document, node) ? scene_scalar(document, node) : NULL;
    return text && (!*text || strcmp(text, "~") == 0 || strcmp(text, "null") == 0);
}

const char *scene_kind(const SceneDocument *document, int node) {
    const yaml_node_t *n = scene_node(document, node);
    if (!n) {
        return "nothing";
    }
    if (n->type == YAML_SEQUENCE_NODE) {
        return "a list";
    }
    if (n->type == YAML_MAPPING_NODE) {
        return "a mapping of keys";
    }
    if (n->data.scalar.length == 0 || strcmp((const char *)n->data.scalar.value, "~") == 0 ||
        strcmp((const char *)n->data.scalar.value, "null") == 0) {
        return "nothing";
    }
    return "a single value";
}

size_t scene_items(const SceneDocument *document, int sequence) {
    const yaml_node_t *n = scene_node(document, sequence);
    if (!n || n->type != YAML_SEQUENCE_NODE) {
        return 0;
    }
    return (size_t)(n->data.sequence.items.top - n->data.sequence.items.start);
}

int scene_item(const SceneDocument *document, int sequence, size_t index) {
    return scene_node(document, sequence)->data.sequence.items.start[index];
}

size_t scene_pairs(const SceneDocument *document, int mapping) {
    const yaml_node_t *n = scene_node(document, mapping);
    if (!n || n->type != YAML_MAPPING_NODE) {
        return 0;
    }
    return (size_t)(n->data.mapping.pairs.top - n->data.mapping.pairs.start);
}

void scene_pair(const SceneDocument *document, int mapping, size_t index, int *key, int *value) {
    const yaml_node_pair_t *pair = &scene_node(document, mapping)->data.mapping.pairs.start[index];
    *key = pair->key;
    *value = pair->value;
}

int scene_lookup(const SceneDocument *document, int mapping, const char *key, int *key_node) {
    size_t count = scene_pairs(document, mapping);
    for (size_t i = 0; i < count; i++) {
        int k, v;
        scene_pair(document, mapping, i, &k, &v);
        const char *text = scene_scalar(document, k);
        if (text && strcmp(text, key) == 0) {
            if (key_node) {
                *key_node = k;
            }
            return v;
        }
    }
    return 0;
}

/* YAML allows no tabs where lines are indented, and its parser speaks of a character that cannot start a token. */
static bool is_tab(const SceneSource *source, SceneLocation location) {
    const char *line = source->text, *end = source->text + source->size;
    for (int k = 1; k < location.line && line != NULL; k++) {
        line = memchr(line, '\n', (size_t)(end - line));
        line = line != NULL ? line + 1 : NULL;
    }
    return line != NULL && location.column > 0 && end - line >= location.column &&
           line[location.column - 1] == '\t';
}

static bool parser_failed(const yaml_parser_t *parser, const SceneSource *source,
                          SceneError *error) {
    const char *problem = parser->problem ? parser->problem : "not YAML";
    if (parser->error == YAML_MEMORY_ERROR) {
        return scene_out_of_memory(error, (SceneLocation){source, 0, 0, 0}, NULL);
    }
    SceneLocation location = {source, (int)parser->problem_mark.line + 1,
                              (int)parser->problem_mark.column + 1, 1};
    if (parser->error == YAML_READER_ERROR) {
        location = scene_location_of_byte(source, parser->problem_offset);
    }
    if (is_tab(source, location)) {
        return scene_fail(error, location, "indent by spaces", "not valid YAML: a tab");
    }
    if (parser->context) {
        return scene_fail(error, location, "check the indentation, brackets and quotes near here",
                          "not valid YAML: %s (%s, line %d)", problem, parser->context,
                          (int)parser->context_mark.line + 1);
    }
    return scene_fail(error, location, "check the indentation, brackets and quotes near here",
                      "not valid YAML: %s", problem);
}

/* A second document in the same text would be lost silently. */
static bool check_single(yaml_parser_t *parser, const SceneSource *source, SceneError *error) {
    yaml_document_t next;
    if (!yaml_parser_load(parser, &next)) {
        return parser_failed(parser, source, error);
    }
    const yaml_node_t *root = yaml_document_get_root_node(&next);
    bool single = root == NULL;
    if (!single) {
        SceneLocation location = {source, (int)root->start_mark.line + 1,
                                  (int)root->start_mark.column + 1, 1};
        scene_fail(error, location, "put each scene into its own file",
                   "a second document begins here");
    }
    yaml_document_delete(&next);
    return single;
}

/* The time of libyaml's loader grows with the square of depth and of the number of anchors, so that
 * a small hostile text could hang it. A first pass over the events, which is cheap, refuses such
 * texts. */
static bool check_event(const yaml_event_t *event, int *depth, int *anchors,
                        const SceneSource *source, SceneError *error) {
    bool opens =
        event->type == YAML_SEQUENCE_START_EVENT || event->type == YAML_MAPPING_START_EVENT;
    bool closes = event->type == YAML_SEQUENCE_END_EVENT || event->type == YAML_MAPPING_END_EVENT;
    const yaml_char_t *anchor = NULL;
    if (event->type == YAML_SCALAR_EVENT) {
        anchor = event->data.scalar.anchor;
    } else if (event->type == YAML_SEQUENCE_START_EVENT) {
        anchor = event->data.sequence_start.anchor;
    } else if (event->type == YAML_MAPPING_START_EVENT) {
        anchor = event->data.mapping_start.anchor;
    }
    *depth += opens - closes;
    *anchors += anchor != NULL;
    SceneLocation location = {source, (int)event->start_mark.line + 1,
                              (int)event->start_mark.column + 1, 1};
    if (*depth > SCENE_DEPTH_LIMIT) {
        return scene_fail(error, location, NULL, "nested more than %d deep", SCENE_DEPTH_LIMIT);
    }
    if (*anchors > SCENE_ANCHOR_LIMIT) {
        return scene_fail(error, location, NULL, "more than %d anchors", SCENE_ANCHOR_LIMIT);
    }
    return true;
}

static bool check_shape(const SceneSource *source, SceneError *error) {
    yaml_parser_t parser;
    int depth = 0, anchors = 0;
    bool ok = true, more = true;
    if (!yaml_parser_initialize(&parser)) {
        return scene_out_of_memory(error, (SceneLocation){source, 0, 0, 0}, NULL);
    }
    yaml_parser_set_input_string(&parser, (const unsigned char *)source->text, source->size);
    while (ok && more) {
        yaml_event_t event;
        if (!yaml_parser_parse(&parser, &event)) {
            ok = parser_failed(&parser, source, error);
            break;
        }
        more = event.type != YAML_STREAM_END_EVENT;
        ok = check_event(&event, &depth, &anchors, source, error);
        yaml_event_delete(&event);
    }
    yaml_parser_delete(&parser);
    return ok;
}

static bool check_text(const SceneSource *source, SceneError *error) {
    if (source->size > SCENE_TEXT_LIMIT) {
        return scene_fail(error, (SceneLocation){source, 0, 0, 0},
                          "put the grains into a CSV file and name it with 'file'",
                          "the text is longer than %zu MiB", SCENE_TEXT_LIMIT >> 20);
    }
    size_t bad = scene_bad_utf8(source->text, source->size);
    if (bad < source->size) {
        return scene_fail(error, scene_location_of_byte(source, bad), "save the file as UTF-8 text",
                          "the byte 0x%02x is not UTF-8 text", (unsigned char)source->text[bad]);
    }
    return true;
}

bool scene_document_read(SceneDocument *document, const SceneSource *source, SceneError *error) {
    memset(document, 0, sizeof *document);
    document->source = *source;
    source = &document->source;
    if (!check_text(source, error) || !check_shape(source, error)) {
        return false;
    }
    yaml_parser_t parser;
    if (!yaml_parser_initialize(&parser)) {
        return scene_out_of_memory(error, (SceneLocation){source, 0, 0, 0}, NULL);
    }
    yaml_parser_set_input_string(&parser, (const unsigned char *)source->text, source->size);
    bool ok = yaml_parser_load(&parser, &document->yaml) != 0;
    if (!ok) {
        parser_failed(&parser, source, error);
    } else {
        document->loaded = true;
        document->own_nodes = (int)(document->yaml.nodes.top - document->yaml.nodes.start);
        ok = document->own_nodes == 0 || check_single(&parser, source, error);
    }
    yaml_parser_delete(&parser);
    return ok;
}

void scene_document_free(SceneDocument *document) {
    if (document->loaded) {
        yaml_document_delete(&document->yaml);
    }
    free(document->origin);
    memset(document, 0, sizeof *document);
}
