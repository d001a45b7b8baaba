/* What a key of the schema is, and the types that its value may have. The tables of keys are in
 * scene/schema/. */
#ifndef SCREE_SCENE_READ_KEY_H
#define SCREE_SCENE_READ_KEY_H

#include <stdbool.h>
#include <stddef.h>

typedef struct SceneReader SceneReader;
typedef struct SceneKey SceneKey;

/* How a value is read. `literal` (single values only) converts a text and returns NULL, or words
 * for what it should have been; it also serves the defaults. `read` takes a node of the
 * document. */
typedef struct SceneType {
    const char *words; /* for messages and the reference: "a number" */
    const char *(*literal)(const SceneKey *key, const char *text, void *field);
    bool (*read)(SceneReader *reader, const SceneKey *key, int node, void *field);
    bool entries; /* a list, or named entries, of `section` */
    bool named;   /* the user chooses the names of the entries */
} SceneType;

typedef enum SceneRange {
    ANY,
    POSITIVE,
    NOT_NEGATIVE,
    FRACTION,   /* above 0, at most 1 */
    SHARE,      /* from 0 to 1 */
    UPPER_HALF, /* from 1/2 to 1 */
    ONE_OR_MORE,
    IN_PLANE, /* any; the key exists in two dimensions only */
    IN_SPACE  /* any; the key exists in three dimensions only */
} SceneRange;

/* A word that a key may take; a list of them ends with a NULL name. */
typedef struct SceneChoice {
    const char *name;
    int value;
} SceneChoice;

typedef struct SceneSection {
    const char *name; /* as in "in grains[0]"; also the heading in the reference */
    const char *about;
    const char *example; /* YAML, or NULL */
    const SceneKey *keys;
    size_t key_count;
    size_t size; /* of the struct that it fills, which begins with a SceneHead */
} SceneSection;

struct SceneKey {
    const char *name;
    const SceneType *type;
    size_t offset;         /* of the field in the section's struct */
    const char *dimension; /* "length", "1"; NULL where it has none */
    /* "0.5" is set when the key is absent; "(words)" describe what happens then; NULL: the key is
     * required */
    const char *fallback;
    SceneRange range;
    const SceneChoice *choices;
    const SceneSection *section;
    const char *meaning;
};

/* reader.c: the key of that name, or NULL. */
const SceneKey *scene_find_key(const SceneSection *section, const char *name);
/* What to do about a key that a section does not have: take the nearest one, put it into the part
 * that has it, or choose one of all there are. */
void scene_hint_key(const SceneSection *section, const char *name, char *hint, size_t size);

#define SCENE_REQUIRED    NULL
#define SCENE_KEYS(array) (array), sizeof(array) / sizeof((array)[0])

extern const SceneType scene_type_number, scene_type_integer, scene_type_boolean, scene_type_choice,
    scene_type_flags, scene_type_name, scene_type_names, scene_type_vector, scene_type_spin,
    scene_type_turn, scene_type_span, scene_type_counts, scene_type_points, scene_type_rotation,
    scene_type_section, scene_type_list, scene_type_map, scene_type_drive, scene_type_turn_drive,
    scene_type_table, scene_type_turn_table, scene_type_number_drive, scene_type_number_table,
    scene_type_sizes, scene_type_range, scene_type_pair, scene_type_overlap, scene_type_angle,
    scene_type_orientation, scene_type_faces, scene_type_frame, scene_type_expression;

#endif
