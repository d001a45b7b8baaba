/* Messages with a location: the text they quote, the caret, and the nearest known word. */
#ifndef SCREE_SCENE_READ_TEXT_H
#define SCREE_SCENE_READ_TEXT_H

#include "base/guess.h"
#include "scene/scene.h"

/* A text that errors point into: the scene, a CSV file, or an override from the command line. */
typedef struct SceneSource {
    const char *name; /* file name, or "-D" */
    const char *text; /* not terminated; may be NULL */
    size_t size;
    bool option; /* an override: one line without a number */
} SceneSource;

/* Line and column from 1, the column in characters; line 0 means the text as a whole. */
typedef struct SceneLocation {
    const SceneSource *source;
    int line, column, width;
} SceneLocation;

/* Writes the message, unless there is one already, and returns false. `hint` may be NULL or
 * empty. */
#if defined(__GNUC__)
__attribute__((format(printf, 4, 5)))
#endif
bool scene_fail(SceneError *error, SceneLocation location, const char *hint, const char *format, ...);

/* The same, when it is not the scene that is at fault. */
bool scene_out_of_memory(SceneError *error, SceneLocation location, const char *hint);

/* The location of a byte of the text. */
SceneLocation scene_location_of_byte(const SceneSource *source, size_t offset);

/* Offset of the first byte that is zero or not UTF-8; `size` when there is none. */
size_t scene_bad_utf8(const char *text, size_t size);

/* The whole of a file, with a zero after `size` bytes; NULL with errno when it cannot be read or is
 * longer than `limit` (EFBIG). The caller frees it. */
char *scene_read_file(const char *path, size_t limit, size_t *size);

/* The same for a regular file only, EINVAL for any other: a pipe may never answer, a device never
 * end. */
char *scene_read_regular_file(const char *path, size_t limit, size_t *size);

#endif
