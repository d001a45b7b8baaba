/* A scene that extends another one: `extends` names the file of a scene, whose keys it takes over
 * and changes. */
#ifndef SCREE_SCENE_READ_EXTEND_H
#define SCREE_SCENE_READ_EXTEND_H

#include "scene/read/arena.h"
#include "scene/read/document.h"

/* More scenes than this that extend one another are refused. */
enum { SCENE_EXTEND_LIMIT = 16 };

/* Where files are sought that a text names. NULL when out of memory. */
char *scene_path_beside(SceneArena *arena, const SceneSource *source, const char *file);

/* Puts what the scene extends below it. The bases become sources of added nodes, from number
 * `first` on, and `text` a scene that says the same without them; both stay as they are when
 * nothing is extended. */
bool scene_extend(SceneDocument *document, int first, SceneArena *arena, char **text, size_t *size,
                  SceneError *error);

#endif
