/* A scene that extends another one: `extends` names the file of a scene, whose keys it inherits and
 * changes. */
#ifndef SCREE_SCENE_READ_EXTEND_H
#define SCREE_SCENE_READ_EXTEND_H

#include "scene/read/arena.h"
#include "scene/read/document.h"

/* Longer chains of scenes that extend one another are refused. */
enum { SCENE_EXTEND_LIMIT = 16 };

/* The path of a file named in a text, relative to the folder of the text. NULL when out of
 * memory. */
char *scene_path_beside(SceneArena *arena, const SceneSource *source, const char *file);

/* Merges the scenes that this one extends into the document. They become sources of added nodes,
 * from number `first` on, and `text` becomes a scene that says the same without them; both are
 * unchanged when nothing is extended. */
bool scene_extend(SceneDocument *document, int first, SceneArena *arena, char **text, size_t *size,
                  SceneError *error);

#endif
