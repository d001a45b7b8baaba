/* Applies overrides "path.to.key=value" to the document before it is read. */
#ifndef SCREE_SCENE_READ_OVERRIDE_H
#define SCREE_SCENE_READ_OVERRIDE_H

#include "scene/read/document.h"
#include "scene/read/key.h"

/* Applies override number `option` of document->options to the document, whose schema is `root`. */
bool scene_apply_override(SceneDocument *document, const SceneSection *root, int option,
                          SceneError *error);

#endif
