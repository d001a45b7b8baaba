/* Overrides "path.to.key=value" put into the document before it is read. */
#ifndef SCREE_SCENE_READ_OVERRIDE_H
#define SCREE_SCENE_READ_OVERRIDE_H

#include "scene/read/document.h"
#include "scene/read/key.h"

/* Puts override number `option` of document->options into the document, whose schema is `root`. */
bool scene_apply_override(SceneDocument *document, const SceneSection *root, int option,
                          SceneError *error);

#endif
