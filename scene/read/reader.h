/* Reading typed values out of the document, with the location of every complaint. */
#ifndef SCREE_SCENE_READ_READER_H
#define SCREE_SCENE_READ_READER_H

#include "scene/read/arena.h"
#include "scene/read/document.h"
#include "scene/model.h"
#include "scene/read/key.h"

/* Where in the scene the reading is: "grains[0].radius". */
typedef struct ScenePath {
    const struct ScenePath *up;
    const char *name; /* NULL for an entry of a list */
    size_t index;
} ScenePath;

struct SceneReader {
    SceneDocument *document;
    SceneArena *arena;
    SceneError *error;
    int dimension;
    bool part; /* of a scene: keys may be missing at the top */
    const ScenePath *path;
    size_t visits, visit_limit; /* values read; aliases can multiply them without bound */
};

/* Fills `target` from a mapping; keys that are absent get their defaults. */
bool scene_read_section(SceneReader *reader, const SceneSection *section, int node, void *target);

/* "grains[0].radius" into `buffer`, or "the scene" at the top; returns the buffer. */
const char *scene_path_text(const ScenePath *path, char *buffer, size_t size);

/* Reads a plain scalar by the type's literal function; `hint` (or NULL) is the remedy for a bad
 * one. */
bool scene_read_plain(SceneReader *reader, const SceneKey *key, int node, void *field,
                      const char *hint);

/* Reads one value and counts the visit. */
bool scene_read_number(SceneReader *reader, const SceneKey *key, int node, double *value);
bool scene_read_numbers(SceneReader *reader, const SceneKey *key, int node, double *values,
                        size_t count);
/* A list of at least one number, in the arena; otherwise the node must be what is `expected`. */
bool scene_read_list(SceneReader *reader, const SceneKey *key, int node, const char *expected,
                     double **list, size_t *count);
/* A whole number of [least, most], or two that bound a range; scene/schema/shapes.c. */
bool scene_read_whole_range(SceneReader *reader, const SceneKey *key, int node, int least, int most,
                            SceneCorners *range);
/* "X must be Y, but is Z", at the node. */
bool scene_wrong_type(SceneReader *reader, int node, const char *expected);
bool scene_count_visit(SceneReader *reader, int node);
bool scene_no_memory(SceneReader *reader);

/* Converts a text to a finite number; NULL on success, otherwise words for what it should have
 * been. The second one is that of scene_type_number and respects the key's range. */
const char *scene_number_from(const char *text, double *value);
const char *scene_number_literal(const SceneKey *key, const char *text, void *field);

#endif
