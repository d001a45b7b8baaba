/* Sources of the grains of an entry: a lattice, a file, random insertion. */
#ifndef SCREE_SCENE_MAKE_GENERATORS_H
#define SCREE_SCENE_MAKE_GENERATORS_H

#include "scene/make/batch.h"

bool scene_make_lattice(SceneMaker *maker, SceneBatch *batch, SceneError *error);
bool scene_read_csv(SceneMaker *maker, SceneBatch *batch, SceneError *error);

/* Random insertion into `batches[index]`, clear of all other batches made so far. */
bool scene_make_fill(SceneMaker *maker, SceneBatch *batches, size_t count, size_t index,
                     SceneError *error);

#endif
