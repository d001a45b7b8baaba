/* The YAML document of a scene: nodes with their locations, with the overrides applied. */
#ifndef SCREE_SCENE_READ_DOCUMENT_H
#define SCREE_SCENE_READ_DOCUMENT_H

#include "scene/read/text.h"

#include <yaml.h>

/* Nodes are addressed by their number in the document, from 1; 0 is none. Pointers to nodes are
 * invalid after a node has been added. */
typedef struct SceneDocument {
    yaml_document_t yaml;
    bool loaded;
    SceneSource source;
    SceneSource *added; /* where added nodes come from: overrides, then scenes it extends */
    int own_nodes;      /* nodes read from the text; later ones were added */
    int *origin; /* for each later node: which of these sources, or -1 for a copy from the text */
    int origin_capacity;
} SceneDocument;

/* Text longer than this is refused: a scene of that size should name a CSV file. */
#define SCENE_TEXT_LIMIT ((size_t)256 << 20)

/* Far beyond what the schema needs. */
enum { SCENE_DEPTH_LIMIT = 64, SCENE_ANCHOR_LIMIT = 5000 };

bool scene_document_read(SceneDocument *document, const SceneSource *source, SceneError *error);
void scene_document_free(SceneDocument *document);

/* Remembers where an added node came from, and its marks there. False when out of memory. */
bool scene_note_origin(SceneDocument *document, int node, int origin, yaml_mark_t start,
                       yaml_mark_t end);
/* The number of the source of a node; -1 for the text itself. */
int scene_origin(const SceneDocument *document, int node);

/* Adds a node like this one: a scalar with its text, or an empty list or mapping. Its number; 0 when
 * out of memory. */
int scene_add_like(yaml_document_t *to, const yaml_node_t *node);

yaml_node_t *scene_node(const SceneDocument *document, int node);
int scene_root_node(const SceneDocument *document);
SceneLocation scene_location(const SceneDocument *document, int node);

/* The text of a scalar; NULL when the node is not one, or holds a zero byte. */
const char *scene_scalar(const SceneDocument *document, int node);
/* Whether it is a scalar without quotes, which may be a number or a boolean. */
bool scene_is_plain(const SceneDocument *document, int node);
/* Whether it is written as nothing: null, ~ or no text at all. What is nothing takes a key away. */
bool scene_is_null(const SceneDocument *document, int node);
/* What the node is, for messages: "a number", "a list"... */
const char *scene_kind(const SceneDocument *document, int node);

/* The value of a key in a mapping, and the key's own node; 0 when absent. */
int scene_lookup(const SceneDocument *document, int mapping, const char *key, int *key_node);

size_t scene_items(const SceneDocument *document, int sequence);
int scene_item(const SceneDocument *document, int sequence, size_t index);
size_t scene_pairs(const SceneDocument *document, int mapping);
void scene_pair(const SceneDocument *document, int mapping, size_t index, int *key, int *value);

#endif
