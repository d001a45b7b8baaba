/* Overrides "path.to.key=value" put into the document before it is read. */
#ifndef SCREE_SCENE_OVERRIDE_H
#define SCREE_SCENE_OVERRIDE_H

#include "scene/document.h"

/* Puts override number `option` of document->options into the document. */
bool scene_apply_override(SceneDocument *document, int option, SceneError *error);

#endif
